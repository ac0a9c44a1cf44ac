"""Steps, checks, metrics and actions that are functions."""

import json
import re
import unittest

from harness.runs import invoke, run
from harness.scripts import ScriptTest


class Scripts(ScriptTest):
    # proves: HOOK-7, HOOK-CLIENT-4
    # proves part: CTX-VU-3 (good answers, values, own types; not: an answer of a plain request that failed)
    # proves part: CTX-VU-4 (by name, else the default; not: that a whole layer is bound before any of it ends)
    # proves part: HOOK-6 (steps and checks; not metrics, and no protocol but http)
    def test_a_step_reads_an_earlier_answer_and_only_what_it_returns_is_measured(self):
        ended = run(self.shop(
            "login = step(http.post(`${target}/echo`, { json: { token: 'abc' } }));",
            "cart = step(http, ['login'], async ({ login, client }) => {",
            "  await client.http.get(`${target}/status/200`);",
            "  return client.http.get(`${target}/headers`, { headers: { authorization: JSON.parse(login.json().body).token } });",
            "});",
            "ok = check('cart', ({ cart }) => cart.status === 200 && cart.json().headers.authorization === 'abc');",
        ))
        self.assertEqual(ended.code, 0, ended)
        self.assertEqual({name: step["requests"] for name, step in self.steps(ended).items()},
                         {"login": 10, "cart": 10, "GET /status/200": 10})
        self.assertEqual(ended.totals["errors"], 0)
        self.assertEqual(self.target.count()["requests"], ended.totals["requests"])
        self.assertEqual([(c["name"], c["passed"], c["failed"]) for c in ended.result["checks"]], [("ok", 10, 0)])

    # proves part: HOOK-1 (all, steps as a list; not: step('a', 'b', ...), nor a check or metric of no step)
    def test_checks_and_metrics_are_counted(self):
        ended = run(self.shop(
            "static thresholds = ['checks > 40%'];",
            "page = step(http.get(`${target}/size/1KiB`));",
            "even = check('page', ({ iteration }) => iteration % 2 === 0);",
            "bytes = metric('page', ({ page }) => page.body.length);",
            "big = metric('page', { kind: 'rate' }, ({ page }) => page.body.length > 5000);",
            "more = step(http, 'page', ({ client }) => { seen.add(2); wait.add(7.5); return client.http.get(`${target}/`); });",
            before="const seen = counter('seen'); const wait = trend('wait');",
        ))
        self.assertEqual(ended.code, 0, ended)
        check, = ended.result["checks"]
        self.assertEqual((check["name"], check["passed"] + check["failed"]), ("even", 10))
        metrics = {metric["name"]: metric for metric in ended.result["metrics"]}
        self.assertEqual(set(metrics), {"bytes", "big", "seen", "wait"})
        self.assertEqual((metrics["bytes"]["max"], metrics["bytes"]["min"]), (1024, 1024))
        self.assertEqual(metrics["seen"]["total"], 20)
        self.assertEqual(metrics["wait"]["mean"], 7.5)

    # proves: HOOK-CLIENT-2
    # proves part: HOOK-2 (http, own classes, the other kinds; not: a built-in class such as Map, which is a test)
    # proves part: HOOK-3 (a step that declares nothing; one that declares a built-in class such as Map is a test)
    def test_a_plain_step_is_not_measured_and_a_custom_one_is(self):
        ended = run(self.shop(
            "plain = step(async ({ client }) => { await client.http.get(`${target}/`); return { a: 1 }; });",
            "custom = step(Answer, ['plain'], ({ plain }) => new Answer(plain.a === 1));",
            before="class Answer { constructor(ok) { this.ok = ok; } }",
        ))
        self.assertEqual(ended.code, 0, ended)
        self.assertEqual({name: step["requests"] for name, step in self.steps(ended).items()}, {"custom": 10, "GET /": 10})
        self.assertEqual(ended.totals["errors"], 0)

    # proves: CTX-VU-1, CTX-VU-6
    # proves part: CTX-VU-2 (results, module state, files and listed built-ins; not: that nothing else is shared)
    def test_users_and_iterations_do_not_see_each_other(self):
        ended = run(self.shop(
            "authenticate = step(http, ({ client, vu, context }) => {",
            "  if (context.has('mark')) fail('an earlier iteration is visible');",
            "  context.set('mark', vu); calls += 1; client.cookies.set(target, 'who', vu);",
            "  return client.http.post(`${target}/echo`, { data: `user ${vu}` });",
            "});",
            "users = step(http, 'authenticate', ({ authenticate, vu, client }) => {",
            "  if (authenticate.json().body !== `user ${vu}`) fail('the answer of another user');",
            "  return client.http.get(`${target}/delay/1ms`); });",
            "config = step(http, 'authenticate', ({ client }) => client.http.get(`${target}/`));",
            "data = step(http, ['users', 'config'], ({ users, config, authenticate, vu, mark, iteration, client }) => {",
            "  if (!users.ok || !config.ok || mark !== vu || calls !== iteration + 1) fail(`mixed up ${calls} ${iteration}`);",
            "  if (client.cookies.get(target, 'who') !== String(vu)) fail('the cookie of another user');",
            "  return client.http.get(`${target}/?${authenticate.json().body.length}`); });",
            before="let calls = 0;", load="static vus = 50; static iterations = 500;",
        ))
        self.assertEqual((ended.code, ended.totals["errors"]), (0, 0), ended)
        self.assertEqual({name: step["requests"] for name, step in self.steps(ended).items()},
                         {"authenticate": 500, "users": 500, "config": 500, "data": 500})

    def test_an_exception_fails_its_step_with_its_place_and_skips_what_depends_on_it(self):
        ended = run(self.shop(
            "bad = step(http, ({ client }) => client.nothing.get('/'));",
            "after = step(http, 'bad', ({ client }) => client.http.get(`${target}/`));",
            "other = step(http.get(`${target}/`));",
            "seen = check('bad', () => true);",
        ))
        self.assertEqual(ended.code, 1, "no iteration succeeded")
        steps = self.steps(ended)
        self.assertEqual((steps["bad"]["errors"], steps["other"]["requests"]), (10, 10))
        self.assertNotIn("after", steps)
        self.assertRegex(ended.result["failures"][0]["message"], r'shop\.js:6:\d+: step "bad": TypeError')
        self.assertEqual(steps["bad"]["outcomes"]["script"], 10)
        self.assertEqual(ended.result["checks"][0]["failed"], 10)

    # proves: HOOK-ARG-4
    def test_think_time_timeouts_and_names_of_calls(self):
        ended = run(self.shop(
            "slow = step(http, async ({ client }) => { await sleep('300ms'); return client.http.get(`${target}/never`, { timeout: '50ms' }); });",
            "pay = step(http, async ({ client }) => group('pay', client).http.get(`${target}/`, { name: 'card' }));",
            load="static vus = 2; static iterations = 4;",
        ))
        self.assertEqual(ended.code, 1, "every iteration has a step that failed")
        steps = self.steps(ended)
        self.assertEqual(steps["slow"]["outcomes"]["first_byte_timeout"], 4)
        self.assertLess(steps["slow"]["duration_ms"]["max"], 300)  # the sleep is not the target's time
        self.assertLess(steps["slow"]["service_ms"]["max"], 300)
        self.assertEqual(steps["pay/card"]["requests"], 4)

    def test_steps_may_call_in_parallel(self):
        ended = run(self.shop(
            "all = step(http, async ({ client }) => {",
            "  const answers = await Promise.all([1, 2, 3, 4, 5].map((n) => client.http.get(`${target}/delay/20ms?${n}`)));",
            "  return answers[4]; });",
        ))
        self.assertEqual((ended.code, ended.totals["requests"], ended.totals["errors"]), (0, 50, 0), ended)
        self.assertEqual({name: step["requests"] for name, step in self.steps(ended).items()},
                         {"all": 10, "GET /delay/20ms": 40})
        self.assertEqual(self.target.count()["requests"], 50)
        self.assertLess(ended.result["elapsed_s"], 0.9)  # one after the other would take a second

    def test_every_call_is_measured(self):
        ended = run("--threshold", "call:search:errors<1%", "--threshold", "call:GET /status/204:p95<5s",
                    "--threshold", "tag:area=shop:requests>=30", self.shop(
            "visit = step(http, async ({ client }) => {",
            "  for (let i = 0; i < 5; ++i) await client.http.get(`${target}/?page=${i}`, { name: 'search' });",
            "  for (let i = 0; i < 5; ++i) await client.http.get(`${target}/status/204?i=${i}`);",
            "  for (let i = 0; i < 3; ++i) await client.http.post(`${target}/echo`, { data: 'x', tags: { area: 'shop' } });",
            "  for (let i = 0; i < 2; ++i) await group('pay', client).http.get(`${target}/size/1KiB`);",
            "  await client.http.get(`${target}/redirect/1`);",
            "  return client.http.get(`${target}/`); });",
            load="static vus = 2; static iterations = 10;",
        ))
        self.assertEqual(ended.code, 0, ended)
        self.assertEqual({name: step["requests"] for name, step in self.steps(ended).items()},
                         {"visit": 10, "search": 50, "pay": 20, "GET /status/204": 50, "POST /echo": 30, "GET /redirect/1": 20})
        self.assertEqual(ended.totals["requests"], 180)
        self.assertEqual(self.target.count()["requests"], 180)
        self.assertEqual([each["passed"] for each in ended.result["thresholds"]], [True, True, True])
        self.assertIn("GET /status/204", ended.out)

    # proves: CTX-API-2, CTX-API-3, CTX-API-8, CTX-API-9, CTX-API-11, HOOK-8, CTX-API-4, CTX-API-7
    # proves part: CTX-API-10 (run at the end, and values arrive in a local run; not the final result)
    def test_values_pass_between_workflows_that_name_each_other(self):
        path = self.write("state.js", f"""
            import {{ Workflow, step, state, http }} from 'hyperscale';
            export class Auth extends Workflow {{
              static vus = 3; static iterations = 9;
              login = step(http, ({{ client, iteration }}) => client.http.post('{self.base}/echo', {{ data: 'secret-' + iteration }}));
              auth_token = state.provide('Data', ({{ login }}) => login.json().body);
              unheard = state.provide('Data', () => 'x');
              elsewhere = state.provide('Other', () => 'y');
            }}
            export class Data extends Workflow {{
              static depends = 'Auth'; static vus = 2; static iterations = 4;
              get_token = state.use('Auth', ({{ auth_token = 'none', elsewhere = 'default', other_name = 'default' }}) => `${{auth_token}} ${{elsewhere}} ${{other_name}}`);
              read = step(http, function ({{ client, auth_token }}) {{
                return client.http.get(`{self.base}/headers`, {{ headers: {{ 'x-used': this.get_token(), 'x-key': auth_token, }} }}); }});
              shown = step('read', ({{ read }}) => console.log(read.json().headers['x-used'], '|', read.json().headers['x-key']));
            }}
            export class Other extends Workflow {{
              static depends = 'Auth'; static vus = 1; static iterations = 1;
              read = step(http, ({{ client, context }}) => client.http.get('{self.base}/', {{ headers: {{ 'x-key': context.get('elsewhere', 'nothing') }} }}));
              shown = step('read', ({{ context }}) => console.log(context.get('elsewhere', 'nothing')));
            }}
            """)
        ended = run(path)
        self.assertEqual((ended.code, ended.totals["errors"]), (0, 0), ended)
        self.assertRegex(ended.err, r"Data: (secret-\d) default default \| \1\n")
        self.assertIn("Other: nothing\n", ended.err)  # it does not name the provider

    # proves: CTX-API-9, CTX-API-2, CTX-API-8
    def test_a_provider_reads_the_last_answer_and_the_context(self):
        path = self.write("last.js", f"""
            import {{ Workflow, step, action, state, http }} from 'hyperscale';
            export class Auth extends Workflow {{
              static vus = 1; static iterations = 5;
              login = step(http, ({{ client, iteration, context }}) => {{
                context.set('note', 'noted-' + iteration);
                return client.http.post('{self.base}/echo', {{ data: 'secret-' + iteration }}); }});
              page = step(http.post('{self.base}/echo', {{ data: 'plain' }}));
              prepare = action(() => ({{ base: 7 }}));
              seen = state.provide('Data', ({{ page }}) => page.json().body);
              zero = state.provide('Data', () => 0);
              off = state.provide('Data', () => false);
              nothing = state.provide('Data', async () => null);
              auth_token = state.provide('Data', ({{ login }}) => login.json().body);
              noted = state.provide('Data', ({{ context, base }}) => `${{context.get('note', 'default')}} ${{base}} ${{context.get('base', 0)}}`);
              sizes = state.provide('Data', () => ({{ list: [1, 2] }}));
            }}
            export class Data extends Workflow {{
              static depends = 'Auth'; static vus = 1; static iterations = 1;
              get = state.use('Auth', ({{ auth_token, noted, sizes }}) => `${{auth_token}} ${{noted}} ${{sizes.list[1]}}`);
              all = state.use('Auth', ({{ seen, zero = 1, off = 2, nothing = 3 }}) => JSON.stringify([seen, zero, off, nothing]));
              shown = step(function ({{ context }}) {{ console.log('got', this.get(), context.get('auth_token', 'none'), this.all()); }});
            }}
            """)
        ended = run(path)
        self.assertIn('Data: got secret-4 noted-4 7 7 2 secret-4 ["plain",0,false,null]\n', ended.err, ended)

    # proves part: HOOK-6 (steps and checks; not metrics, and no protocol but http)
    def test_every_hook_has_the_client_and_the_context(self):
        ended = run(self.shop(
            "choose = step(({ context }) => { context.set('item', 'pear'); });",
            "page = step(http, 'choose', ({ client, context }) =>",
            "  client.http.get(`${target}/headers`, { headers: { 'x-item': context.get('item', 'default') } }));",
            "seen = check('page', async ({ page, client, context }) => page.json().headers['x-item'] === 'pear'",
            "  && context.get('item', 'default') === 'pear' && context.get('absent', 'default') === 'default'",
            "  && (await client.http.get(`${target}/`)).status === 200);",
            "after = step('page', async ({ client, context }) => console.log(context.get('item', 'default'), (await client.http.get(`${target}/`)).status));",
        ))
        self.assertEqual(ended.code, 0, ended)
        self.assertEqual([(c["name"], c["passed"], c["failed"]) for c in ended.result["checks"]], [("seen", 10, 0)])
        self.assertEqual(ended.err.count("pear 200"), 10, ended.err)

    # proves: DAG-WF-3, CTX-API-6, CTX-API-3
    def test_a_workflow_gets_the_values_of_all_it_depends_on_and_a_layer_runs_together(self):
        path = self.write("report.js", f"""
            import {{ Workflow, step, state, http }} from 'hyperscale';
            export class Setup extends Workflow {{ static vus = 1; static duration = '400ms'; a = step(http.get('{self.base}/delay/10ms')); }}
            export class LoadTest extends Workflow {{
              static vus = 1; static duration = '400ms';
              a = step(http.get('{self.base}/delay/10ms'));
              figures = state.provide('Report', () => 'of LoadTest');
            }}
            export class Validate extends Workflow {{
              static depends = 'LoadTest'; static vus = 1; static iterations = 1;
              a = step(http.get('{self.base}/'));
              verdict = state.provide('Report', () => 'of Validate');
            }}
            export class Report extends Workflow {{
              static depends = ['Validate', 'LoadTest']; static vus = 1; static iterations = 1;
              both = state.use('Validate', 'LoadTest', ({{ figures = 'none', verdict = 'none' }}) => `${{figures}}, ${{verdict}}`);
              shown = step(function ({{ figures, verdict }}) {{ console.log(this.both(), '|', figures, verdict); }});
            }}
            """)
        ended = run(path)
        self.assertEqual((ended.code, ended.totals["errors"]), (0, 0), ended)
        self.assertIn("Report: of LoadTest, of Validate | of LoadTest of Validate\n", ended.err)
        flows = {flow["name"]: flow for flow in ended.result["workflows"]}
        for one, other in (("Setup", "LoadTest"), ("LoadTest", "Setup")):
            self.assertLess(flows[one]["begin_s"], flows[other]["begin_s"] + flows[other]["elapsed_s"], "one after the other")
        self.assertEqual(flows["Setup"]["layer"], flows["LoadTest"]["layer"])

    # proves part: HOOK-1 (all, steps as a list; not: step('a', 'b', ...), nor a check or metric of no step)
    def test_setup_runs_once_and_its_values_are_in_every_context(self):
        ended = run("--cores", "2", self.shop(
            "prepare = action(async ({ client }) => { const a = await client.http.post(`${target}/echo`, { data: '42' }); return { answer: Number(a.json().body) }; });",
            "use = step(http, ({ client, answer }) => { if (answer !== 42) fail(`no answer: ${answer}`); return client.http.get(`${target}/`); });",
            "teardown = action({ when: 'teardown' }, async ({ client, answer }) => { await client.http.delete(`${target}/status/200`); console.log('down', answer); });",
            load="static vus = 4; static iterations = 8;",
        ))
        self.assertEqual((ended.code, ended.totals["requests"], ended.totals["errors"]), (0, 8, 0), ended)
        self.assertEqual(self.target.count()["requests"], 10)
        self.assertIn("down 42", ended.err)

    def test_a_setup_that_fails_ends_the_run(self):
        ended = invoke("run", self.shop("prepare = action(() => fail('no database'));", "use = step(http.get(`${target}/`));"))
        self.assertNotEqual(ended.code, 0)
        self.assertRegex(ended.err, r"setup failed: .*shop\.js:6:\d+: action \"prepare\": Failed: no database")
        self.assertEqual(self.target.count()["requests"], 0)

    def test_a_value_that_is_too_large_to_travel_is_said(self):
        ended = invoke("run", self.shop("prepare = action(() => 'x'.repeat(70000));", "use = step(http.get(`${target}/`));"))
        self.assertEqual(ended.code, 1, ended)
        self.assertRegex(ended.err, r'setup failed: "prepare" gives a value of 70002 bytes as JSON, 65536 are allowed')

    def test_a_workflow_that_failed_is_no_success_of_the_run(self):
        path = self.write("two.js", f"""
            import {{ Workflow, step, action, fail, http }} from 'hyperscale';
            export class Broken extends Workflow {{ static vus = 1; static iterations = 1; prepare = action(() => fail('no')); a = step(http.get('{self.base}/')); }}
            export class Fine extends Workflow {{ static vus = 1; static iterations = 3; a = step(http.get('{self.base}/')); }}
            """)
        ended = run(path)
        self.assertEqual((ended.code, ended.totals["requests"]), (1, 3), ended)
        self.assertEqual({w["name"]: w["end"] for w in ended.result["workflows"]}, {"Broken": "failed", "Fine": "completed"})

    def test_try_shows_everything_but_secrets(self):
        path = self.shop("a = step(http, ({ client }) => client.http.get(`${target}/headers`, { headers: { 'x-key': secret('KEY') } }));",
                         "plain = step('a', ({ a }) => console.log('status', a.status));", "right = check('a', ({ a }) => a.ok);",
                         "later = check('never', () => true);", "never = step(http, 'plain', () => fail('not today'));")
        tried = invoke("try", "--secret", "KEY=hidden-value", path)
        self.assertEqual(tried.code, 1, tried)
        for text in ("> GET /headers HTTP/1.1", "x-key: ***", "log: status 200", "right", "not today"):
            self.assertIn(text, tried.out)
        self.assertNotIn("hidden-value", tried.out + tried.err)
        shown = json.loads(invoke("try", "--json", "--secret", "KEY=hidden-value", path).out)["workflows"][0]
        self.assertEqual(shown["log"], ["status 200"])
        self.assertEqual([(check["name"], check["passed"]) for check in shown["checks"]], [("right", True), ("later", False)])
        self.assertEqual(self.target.count()["requests"], 2)

    def test_rows_are_dealt_out_once(self):
        self.write("rows.csv", "name\n" + "\n".join(f"row{i}" for i in range(7)) + "\n")
        for cores in ("1", "2"):
            ended = run("--cores", cores, self.shop(
                "static data = { row: csv('rows.csv', { deal: 'once' }) };",
                "use = step(http, ({ client, row }) => { console.log(row.name); return client.http.get(`${target}/`); });",
                load="static vus = 4; static iterations = 1000;",
            ))
            self.assertEqual((ended.code, ended.totals["requests"]), (0, 7), ended)
            self.assertEqual(sorted(re.findall(r"row\d", ended.err)), [f"row{i}" for i in range(7)])

    def test_the_same_seed_sends_the_same_whatever_the_number_of_executors(self):
        def sent(*options):
            self.target.take_count()
            ended = run(*options, self.shop(
                "a = step(http, ({ client, vu, iteration }) => { const n = random.int(1, 1000000); console.log(`${vu} ${iteration} ${n} ${sequence()}`); return client.http.get(`${target}/?${n}`); });",
                load="static vus = 4; static iterations = 40;",
            ))
            self.assertEqual(ended.code, 0, ended)
            return sorted(re.findall(r"^\d+ \d+ \d+ \d+$", ended.err, re.M))

        one = sent("--seed", "7", "--cores", "1")
        self.assertEqual(len(one), 40)
        self.assertEqual(one, sent("--seed", "7", "--cores", "2"))
        self.assertNotEqual(one, sent("--seed", "8", "--cores", "2"))

    def test_random_values_differ_between_runs_unless_the_seed_is_given(self):
        def sent(*options):
            ended = run(*options, self.shop(
                "made = step(http.get(`${target}/?made=${crypto.randomUUID()}`));",
                "a = step(http, ({ client }) => { const id = crypto.randomUUID(); console.log(id, random.int(1, 1e9), Math.random()); return client.http.get(`${target}/?${id}`); });",
                "b = step('made', ({ made }) => console.log(made.url));",
                load="static vus = 2; static iterations = 6;",
            ))
            self.assertEqual(ended.code, 0, ended)
            return ended.result["seed"], sorted(set(re.findall(r"[0-9a-f]{8}-[0-9a-f-]{27}", ended.err)))

        seed, one = sent()
        self.assertEqual(len(one), 7)
        other_seed, other = sent()
        self.assertNotEqual(seed, other_seed)
        self.assertEqual(set(one) & set(other), set())
        self.assertEqual(sent("--seed", str(seed)), (seed, one))

    def test_scripts_of_other_tools_are_told_the_right_way(self):
        ended = run(self.shop("static users = 3;", "a = step(http.get(`${target}/`));", before="export const options = { vus: 2 };"))
        self.assertEqual(ended.code, 2, ended)
        self.assertIn('the export "options" does nothing here; the load is set by static fields', ended.err)
        ended = run(self.shop("static users = 3;", "a = step(http.get(`${target}/`));"))
        self.assertEqual(ended.code, 2, ended)
        self.assertIn('no attribute "users", and nothing else in the file mentions it; did you mean "vus"?', ended.err)
        ended = run(self.shop("a = step(http, async ({ client }) => { const r = await client.http.get(`${target}/`); await sleep(1); return r; });"))
        self.assertEqual(ended.code, 1, ended)
        self.assertIn("sleep(1) has no unit: write sleep('1s') for seconds", ended.result["failures"][0]["message"])

    def test_standard_input_is_no_data_file(self):
        ended = run(self.shop("static data = { row: csv('-') };", "a = step(http.get(`${target}/`));"))
        self.assertEqual(ended.code, 2, ended)
        self.assertIn('"-" is none, and standard input is not read', ended.err)

    def test_an_open_rate_runs_functions_too(self):
        ended = run(self.shop("a = step(http, ({ client }) => client.http.get(`${target}/`));", "ok = check('a', ({ a }) => a.ok);",
                              load="static rate = 200; static duration = '1s';"))
        self.assertEqual((ended.code, ended.totals["errors"]), (0, 0), ended)
        self.assertAlmostEqual(ended.totals["requests"], 200, delta=2)
        self.assertEqual(ended.result["checks"][0]["passed"], ended.totals["requests"])

    def test_environment_and_secrets(self):
        path = self.shop("a = step(http, ({ client }) => { console.log('key', secret('KEY'), env('WHERE')); return client.http.get(`${target}/`, { headers: { key: secret('KEY') } }); });")
        ended = run("--env", "WHERE=here", "--secret", "KEY=hidden-value", path)
        self.assertEqual(ended.code, 0, ended)
        self.assertIn("key *** here", ended.err)
        self.assertNotIn("hidden-value", ended.err + ended.out + json.dumps(ended.result))
        ended = run("--env", "WHERE", "--secret", "KEY", path, environment={"KEY": "hidden-value", "WHERE": "there"})
        self.assertIn("key *** there", ended.err)
        unknown = invoke("run", "--secret", "NOT_SET", path)
        self.assertEqual(unknown.code, 2)
        self.assertIn("there is no environment variable NOT_SET", unknown.err)
        missing = invoke("run", path)
        self.assertIn('secret "KEY" is not given', missing.err + missing.out)


if __name__ == "__main__":
    unittest.main()
