"""A web page that is open on the machine, in a real browser: it changes nothing and reads nothing of runs and nodes."""

import http.client
import json
import re
import unittest

from harness import browser
from harness.node import Node
from harness.runs import LoadRun, Target
from harness.waiting import until

# Each attempt ends in what the page could read, or in null. `BASES` are the servers, `GETS` and `POSTS` their routes.
ATTEMPTS = """<!doctype html><meta charset="utf-8"><body><script>
const BASES = %(bases)s, GETS = %(gets)s, POSTS = %(posts)s, REPORT = "%(report)s", SWITCH = %(switch)s;
const LIMIT_MS = 4000;
const within = work => Promise.race([work, new Promise(done => setTimeout(() => done(null), LIMIT_MS))]);
const text = async answer => answer.type === "opaque" || !answer.ok ? null : (await answer.text()).slice(0, 200);
const read = (url, options) => within(fetch(url, options).then(text, () => null));
const events = url => within(new Promise(done => {
  const source = new EventSource(url);
  for (const kind of ["moment", "message", "open"]) source.addEventListener(kind, event => done(event.data || kind));
}));
const first = url => within(fetch(url).then(async answer =>
  answer.ok ? new TextDecoder().decode((await answer.body.getReader().read()).value).slice(0, 200) : null).catch(() => null));
// What a frame shows, unless that is the refusal: on a rebound name it is a page of the same origin.
const shown = frame => {
  try {
    const seen = frame.contentDocument.body.textContent.slice(0, 200);
    return !seen || seen.includes('"error":"Unauthorized"') ? null : seen;
  } catch (e) { return null; }
};
const element = (name, url) => within(new Promise(done => {
  const node = document.createElement(name);
  node.onload = () => done(name === "iframe" ? shown(node) : name === "script" ? "ran" : null);
  node.onerror = () => done(null);
  node.src = url;
  document.body.append(node);
}));
const form = (url, type, name) => within(new Promise(done => {
  const frame = document.createElement("iframe");
  frame.name = "f" + Math.random();
  document.body.append(frame);
  const form = document.createElement("form");
  Object.assign(form, {method: "post", action: url, enctype: type, target: frame.name});
  const input = document.createElement("input");
  Object.assign(input, {name, value: '"}'});
  form.append(input);
  document.body.append(form);
  frame.onload = () => done(shown(frame));
  form.submit();
}));
(async () => {
  const got = {};
  if (SWITCH) {
    await fetch("/switch", {method: "POST", body: "{}"});
    // Until connections to the old server are gone: the new one does not know this path.
    for (let i = 0; i < 50; ++i) {
      if (!(await fetch("/", {cache: "no-store"}).then(answer => answer.ok, () => false))) break;
      await new Promise(done => setTimeout(done, 20));
    }
  }
  for (const base of BASES) {
    for (const path of GETS) {
      got["fetch " + path] = await (path.includes("feed") ? first(base + path) : read(base + path));
      got["no-cors " + path] = await read(base + path, {mode: "no-cors"});
      if (path.includes("feed")) got["events " + path] = await events(base + path);
      for (const name of ["script", "img", "iframe"]) if (!path.includes("feed")) got[name + " " + path] = await element(name, base + path);
    }
    for (const [path, body] of POSTS) {
      got["post " + path] = await read(base + path, {method: "POST", mode: "no-cors", body});
      got["untyped post " + path] = await read(base + path, {method: "POST", mode: "no-cors", body: new Blob([body])});
      got["json post " + path] = await read(base + path, {method: "POST", headers: {"content-type": "application/json"}, body});
      got["bare post " + path] = await read(base + path, {method: "POST", mode: "no-cors"});
      got["guessed post " + path] = await read(base + path, {method: "POST", headers: {authorization: "Bearer guess"}, body});
      for (const type of ["text/plain", "application/x-www-form-urlencoded"])
        got[type + " form " + path] = await form(base + path, type, body.slice(0, -2) + '","x":"');
    }
  }
  await fetch(REPORT, {method: "POST", body: JSON.stringify(got)});
})();
</script>"""


@unittest.skipUnless(browser.chromium(), "chromium is not installed")
class Browser(unittest.TestCase):
    def visit_as_other_origin(self, ports, gets, posts):
        with browser.Page() as page:
            self.fill(page, [f"http://127.0.0.1:{port}" for port in ports], gets, posts, switch=False)
            return browser.visit(page, f"http://127.0.0.1:{page.port}/")

    def visit_as_rebound_name(self, port, gets, posts):
        with browser.Page() as page, browser.Rebound(page.port) as name:
            self.fill(page, [""], gets, posts, switch=True)
            page.on_switch = lambda: setattr(name, "target", port)
            return browser.visit(page, f"http://evil.example:{name.port}/", "--host-resolver-rules=MAP evil.example 127.0.0.1")

    @staticmethod
    def fill(page, bases, gets, posts, switch):
        page.html = ATTEMPTS % {"bases": json.dumps(bases), "gets": json.dumps(gets), "posts": json.dumps(posts),
                                "report": f"http://127.0.0.1:{page.port}/report", "switch": json.dumps(switch)}

    def assert_nothing_was_read(self, report, attempts):
        self.assertGreaterEqual(len(report), attempts, report)
        self.assertEqual({name: seen for name, seen in report.items() if seen is not None}, {})


class Runs(Browser):
    GETS = ["/api/v1/run", "/metrics", "/healthz", "/api/v1/feed?interval=100ms", "/"]
    POSTS = [["/api/v1/run/load", '{"change":"vus=9"}'], ["/api/v1/run/stop", "{}"]]

    def setUp(self):
        self.target = self.enterContext(Target())
        self.load = self.enterContext(LoadRun("--api", "127.0.0.1:0", "--ui", "ci", "-c", "2", "-d", "300s", self.target.url + "/delay/20ms"))
        said = until(lambda: re.search(r"listening on http://127\.0\.0\.1:(\d+)(?:, token in (\S+))?", self.load.err()), "it listens")
        self.port = int(said.group(1))
        self.token_file = said.group(2)
        self.load.await_load(self.target, 4)

    def moment(self):
        with open(self.token_file) as file:
            token = file.read().strip()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.request("GET", "/api/v1/run", headers={"authorization": f"Bearer {token}"})
        answer = connection.getresponse()
        self.assertEqual(answer.status, 200)
        moment = json.loads(answer.read())
        connection.close()
        return moment

    def assert_unchanged(self):
        self.assertIsNone(self.load.process.poll(), "it goes on")
        self.assertEqual(self.moment()["state"], "running")
        self.load.ctl("stop")
        ended = self.load.wait()
        self.assertEqual(ended.result.get("changes", []), [])
        self.assertNotIn("asked over the API", ended.err)

    def test_a_page_of_another_origin_changes_and_reads_nothing(self):
        report = self.visit_as_other_origin([self.port], self.GETS, self.POSTS)
        self.assert_unchanged()
        self.assert_nothing_was_read(report, 20)

    def test_a_rebound_name_changes_and_reads_nothing(self):
        report = self.visit_as_rebound_name(self.port, self.GETS, self.POSTS)
        self.assert_unchanged()
        self.assert_nothing_was_read(report, 20)


class Nodes(Browser):
    GETS = ["/api/v1/status", "/metrics", "/readyz", "/version", "/api/v1/jobs/7"]
    POSTS = [["/api/v1/compute", '{"job":"echo","data":"x"}'], ["/api/v1/reload", "{}"], ["/api/v1/shutdown", "{}"]]

    def assert_unchanged(self, node):
        self.assertIsNone(node.process.poll(), "it goes on")
        self.assertEqual(node.observe("/readyz").status, 200)
        self.assertNotIn("draining", node.log())
        self.assertEqual(node.status()["jobs"], {}, "no job has run")
        self.assertEqual(node.status()["config"]["last_reload"]["reason"], "")

    def test_a_page_of_another_origin_changes_and_reads_nothing(self):
        with Node(made_token=True) as node:
            report = self.visit_as_other_origin([node.api[1], node.metrics_address[1]], self.GETS, self.POSTS)
            self.use_token_of(node)
            self.assert_unchanged(node)
        self.assert_nothing_was_read(report, 30)

    def test_a_rebound_name_changes_and_reads_nothing(self):
        for listener in ("api", "metrics_address"):
            with Node(made_token=True) as node:
                report = self.visit_as_rebound_name(getattr(node, listener)[1], self.GETS, self.POSTS)
                self.use_token_of(node)
                self.assert_unchanged(node)
            self.assert_nothing_was_read(report, 30)

    def use_token_of(self, node):
        path = re.search(r" token=(\S+)", node.log())
        if path is None:
            return
        with open(path.group(1)) as file:
            token = file.read().strip()
        node.status = lambda: node.get("/api/v1/status", headers=[("authorization", f"Bearer {token}")]).json()


if __name__ == "__main__":
    unittest.main(verbosity=2)
