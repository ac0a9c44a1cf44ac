"""Secrets do not leave a run: not in the summary, not in a report, not in a log, and not in the list of processes."""

import base64
import json
import os
import re
import urllib.parse

from harness.runs import LoadRun, invoke, run
from harness.scripts import ScriptTest

SECRET = "Tr0ub4dor&3 p/w"
FORMS = (SECRET, urllib.parse.quote(SECRET, safe=""), urllib.parse.quote_plus(SECRET), base64.b64encode(SECRET.encode()).decode(),
         json.dumps(SECRET)[1:-1], SECRET.replace("&", "&amp;"))


class SecretCase(ScriptTest):
    def assert_hidden(self, where, text, forms=FORMS):
        for form in forms:
            at = text.find(form)
            self.assertEqual(at, -1, f"{where} shows {form}: {text[max(at - 80, 0):at + 80]}")

    def reports(self):
        return {kind: os.path.join(self.folder, f"report.{kind}") for kind in ("json", "csv", "html", "jsonl")}

    def run_with_reports(self, *arguments, **options):
        files = self.reports()
        ended = run(*[word for kind, path in files.items() for word in ("--out", f"{kind}={path}")], *arguments, **options)
        texts = {"stdout": ended.out, "stderr": ended.err}
        for kind, path in files.items():
            if os.path.exists(path):
                with open(path, encoding="utf-8") as file:
                    texts[kind] = file.read()
        return ended, texts


class Secrets(SecretCase):
    def test_are_in_no_report(self):
        path = self.shop(
            "home = step(http, async ({ client }) => {",
            "  const key = secret('KEY'); console.log('log ' + key + ' ' + encodeURIComponent(key));",
            "  return client.http.get(`${target}/status/404?k=${encodeURIComponent(key)}`, { name: 'call ' + key }); });",
            "echo = step(http, async ({ client }) => {",
            "  const answer = await client.http.post(`${target}/echo`, { data: secret('KEY') + ' ' + btoa(secret('KEY')) });",
            "  throw new Error('got ' + answer.body); });",
            "bad = check('home', () => { throw new Error('check ' + secret('KEY')); });",
            load="static vus = 1; static iterations = 3;")
        ended, texts = self.run_with_reports("--secret", f"KEY={SECRET}", "--name", f"run {SECRET}", "--tag", f"who={SECRET}", path)
        self.assertNotIn("mistake", ended.err)
        self.assertGreaterEqual(set(texts), {"stdout", "json", "csv", "html"})
        for where, text in texts.items():
            self.assert_hidden(where, text)
        self.assertIn("***", texts["stderr"])
        self.assertIn("***", texts["json"])

    def test_that_are_too_short_are_refused(self):
        path = self.shop("home = step(http.get(`${target}/`));")
        for value in ("*", "abc", ""):
            for command in ("run", "try", "check"):
                ended = invoke(command, "--secret", f"KEY={value}", path, timeout_s=20)
                self.assertEqual(ended.code, 2, ended)
                self.assertIn("a secret needs at least 4", ended.err)

    def test_of_the_command_line_are_in_no_report(self):
        # The target answers with the headers that it got, and that counts as a failure.
        url = self.base + "/headers"
        basic = base64.b64encode(b"alice:" + SECRET.encode()).decode()
        token = "token-0123456789"
        quoted = urllib.parse.quote(SECRET, safe="")
        for arguments, forms in (
            (["--auth", f"alice:{SECRET}", url], (*FORMS, basic)),
            (["--auth", f"bearer:{token}", url], (token,)),
            (["-H", f"Authorization: Bearer {token}", url], (token,)),
            ([url.replace("http://", f"http://alice:{quoted}@")], (*FORMS, basic)),
        ):
            with self.subTest(arguments=arguments):
                ended, texts = self.run_with_reports("-n", "2", "-c", "1", "--expect-body", "never there", *arguments)
                self.assertEqual(ended.totals["errors"], 2, ended)
                for where, text in texts.items():
                    self.assert_hidden(where, text, forms)
                tried = invoke("try", *arguments)
                self.assert_hidden("try", tried.out + tried.err, forms)

    def test_come_from_files_and_the_environment(self):
        secret = self.write("secret.txt", f"alice:{SECRET}\n")
        headers = self.write("headers.txt", "# two of them\nX-Key: key-of-the-file\n\nX-Other: other-of-the-file\n")
        url = self.base + "/headers"
        basic = base64.b64encode(b"alice:" + SECRET.encode()).decode()
        for arguments in (["--auth", f"@{secret}"], ["--auth", "env:SHOP_AUTH"]):
            ended = invoke("try", *arguments, "--expect-body", basic, url, environment={"SHOP_AUTH": f"alice:{SECRET}"})
            self.assertEqual(ended.code, 0, ended)
        ended = invoke("try", "-H", f"@{headers}", "--expect-body", "key-of-the-file", url)
        self.assertEqual(ended.code, 0, ended)
        self.assertNotIn("key-of-the-file", ended.out.replace("--expect-body key-of-the-file", ""))
        ended = invoke("try", "-H", "env:SHOP_HEADER", "--expect-body", "from-the-variable", url,
                       environment={"SHOP_HEADER": "X-Key: from-the-variable"})
        self.assertEqual(ended.code, 0, ended)
        for arguments in (["--auth", "env:NO_SUCH"], ["--auth", "@/no/such/file"], ["-H", "env:NO_SUCH"]):
            self.assertEqual(invoke("run", *arguments, url).code, 2)

    def test_are_not_in_the_list_of_processes_or_the_environment(self):
        path = self.shop("home = step(http, ({ client }) => client.http.get(`${target}/?k=${encodeURIComponent(secret('SHOP_KEY'))}`));",
                         load="static vus = 1; static duration = '30s';")
        with LoadRun("--cores", "1", "--secret", "SHOP_KEY", path, environment={"SHOP_KEY": SECRET}) as load:
            load.await_load(self.target, 5)
            for pid in (load.process.pid, *load.executors()):
                for file in ("cmdline", "environ"):
                    with open(f"/proc/{pid}/{file}", "rb") as shown:
                        self.assertNotIn(SECRET.encode(), shown.read(), (pid, file))


class CoreDumps(SecretCase):
    def limits(self, pid):
        with open(f"/proc/{pid}/limits") as limits:
            return re.search(r"^Max core file size +(\S+) +(\S+)", limits.read(), re.MULTILINE).groups()

    def test_are_not_left_by_a_run_with_secrets(self):
        path = self.shop("home = step(http.get(`${target}/`));", load="static vus = 1; static duration = '30s';")
        with LoadRun("--cores", "1", "--secret", f"KEY={SECRET}", path) as load:
            load.await_load(self.target, 5)
            for pid in (load.process.pid, *load.executors()):
                self.assertEqual(self.limits(pid), ("0", "0"))
                # A process that may be dumped belongs to its user; one that may not, to root.
                self.assertEqual(os.stat(f"/proc/{pid}/mem").st_uid, 0)


class Terminal(SecretCase):
    ESCAPES = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\x80-\x9f]")

    def test_escapes_of_a_script_are_shown_not_obeyed(self):
        path = self.shop("home = step(http, ({ client }) => { console.log('a\\x1b]0;owned\\x07b\\n::error::c\\x9b2J'); return client.http.get(`${target}/`); });",
                         load="static vus = 1; static iterations = 1;")
        ended = run("--ui", "ci", path)
        self.assertIn("owned", ended.err)
        self.assertIsNone(self.ESCAPES.search(ended.err), ended.err)
        self.assertNotRegex(ended.err, r"(?m)^::error")

    def test_escapes_of_a_target_are_shown_not_obeyed(self):
        path = self.shop("home = step(http.post(`${target}/echo`, { data: 'x\\x1b[31mred\\x07' }));",
                         "bad = check('home', ({ home }) => { throw new Error(home.body); });",
                         load="static vus = 1; static iterations = 1;")
        ended = run("--ui", "ci", path)
        self.assertIsNone(self.ESCAPES.search(ended.err + ended.out), ended)


if __name__ == "__main__":
    import unittest

    unittest.main()
