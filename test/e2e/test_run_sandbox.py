"""What an executor, and the process that reads a workflow file, may still do. See docs/fault-model.md."""

import os
import re
import unittest

from harness.runs import LoadRun, invoke
from harness.scripts import ScriptTest
from harness.waiting import until

NONE = "0000000000000000"
NOBODY = "65534"
# As `hyperscale executor --self-test` prints them.
FORBIDDEN = ("start a program", "read /etc/passwd", "read its own environment", "write a file", "remove a file", "list a folder",
             "copy itself (fork)", "copy itself (clone)", "open a Unix socket", "open a netlink socket", "open a packet socket",
             "listen on a port", "trace its parent", "read memory of its parent", "signal its parent", "mount",
             "make a namespace", "load a BPF program", "make an io_uring", "change an io_uring", "become root",
             "type into the terminal")


def status_of(pid):
    with open(f"/proc/{pid}/status") as status:
        return dict(re.findall(r"^(\w+):[ \t]*(.*?)[ \t]*$", status.read(), re.MULTILINE))


def environment_of(pid):
    with open(f"/proc/{pid}/environ", "rb") as environ:
        return {part.partition(b"=")[0].decode() for part in environ.read().split(b"\0") if part}


class SandboxCase(ScriptTest):
    def setUp(self):
        if "by no seccomp" in invoke("version").out:
            self.skipTest("this kernel or this build does not filter system calls")
        super().setUp()

    def assert_confined(self, pid):
        status = status_of(pid)
        self.assertEqual(status["NoNewPrivs"], "1")
        self.assertEqual(status["Seccomp"], "2", "system calls are not filtered")
        for kind in ("CapInh", "CapPrm", "CapEff", "CapAmb"):
            self.assertEqual(status[kind], NONE, kind)
        if os.geteuid() == 0:
            self.assertEqual(set(status["Uid"].split()), {NOBODY})
            self.assertEqual(set(status["Gid"].split()), {NOBODY})
            self.assertEqual(status["CapBnd"], NONE)
            self.assertEqual(status["Groups"], "")

    def assert_no_user_variables(self, pid):
        if os.geteuid() != 0:
            return  # a process that cannot be dumped does not show it to its own user
        left = environment_of(pid)
        self.assertFalse(left & {"PATH", "HOME", "USER", "XDG_RUNTIME_DIR", "SHOP_PASSWORD"}, left)


class Executor(SandboxCase):
    def start(self, *arguments):
        load = self.enterContext(LoadRun("--cores", "1", *arguments, environment={"SHOP_PASSWORD": "hunter2-is-long"}))
        load.await_load(self.target, 20)
        return load, load.executors()[0]

    def test_of_a_url_is_confined(self):
        for loop in ("io_uring", "epoll"):
            with self.subTest(loop=loop):
                load, executor = self.start("-c", "2", "-d", "30s", "--loop", loop, self.base + "/")
                self.assert_confined(executor)
                self.assert_no_user_variables(executor)
                load.ctl("stop")
                self.assertEqual(load.wait().totals["errors"], 0)
                self.target.take_count()

    def test_of_a_script_is_confined_and_works(self):
        # Enough work for the compiler, the collector and their threads.
        path = self.shop("home = step(http, async ({ client }) => { const all = []; for (let i = 0; i < 3000; i++) all.push({ i, text: 'x'.repeat(i % 40) });",
                         "  JSON.parse(JSON.stringify(all)); new Date().toLocaleString(); 'b'.localeCompare('a'); await sleep('1ms');",
                         "  return client.http.get(target + '/'); });", load="static vus = 4; static duration = '30s';")
        load, executor = self.start("--secret", "SHOP_PASSWORD", path)
        until(lambda: self.target.count()["requests"] > 500, "the script has run for a while")
        self.assertGreater(len(os.listdir(f"/proc/{executor}/task")), 1)
        for thread in os.listdir(f"/proc/{executor}/task"):
            status = status_of(f"{executor}/task/{thread}")
            self.assertEqual((status["Seccomp"], status["CapEff"], status["NoNewPrivs"]), ("2", NONE, "1"))
        self.assert_confined(executor)
        self.assert_no_user_variables(executor)
        load.ctl("stop")
        ended = load.wait()
        self.assertEqual((ended.code in (0, 105), ended.totals["errors"]), (True, 0), ended)

    def test_has_a_name_in_the_list_of_processes(self):
        _, executor = self.start("-c", "2", "-d", "30s", self.base + "/")
        with open(f"/proc/{executor}/cmdline") as line:
            self.assertRegex(line.read().rstrip("\0"), r"^hyperscale: executor 0 of run-\d+-[0-9a-f]{8}$")
        with open(f"/proc/{executor}/comm") as name:
            self.assertEqual(name.read().strip(), "hyperscale: exe")

    def test_reaches_a_target_from_a_source_address(self):
        load, executor = self.start("-c", "2", "-d", "30s", "--source", "127.0.0.3", self.base + "/")
        self.assert_confined(executor)
        load.ctl("stop")
        self.assertEqual(load.wait().totals["errors"], 0)


class Reader(SandboxCase):
    def test_of_a_file_is_confined(self):
        path = self.write("slow.js", "const end = Date.now() + 3000; while (Date.now() < end) {}\n")
        load = self.enterContext(LoadRun(path, environment={"SHOP_PASSWORD": "hunter2-is-long"}))
        # It takes a moment until it has read what it needs.
        child = until(lambda: [pid for pid in load.executors() if status_of(pid)["Seccomp"] == "2"], "a reader is confined")[0]
        self.assert_confined(child)
        self.assert_no_user_variables(child)

    def test_gets_files_of_its_folder_only(self):
        os.makedirs(os.path.join(self.folder, "inner"))
        self.write("outer.js", "export const answer = 42;\n")
        self.write("inner/part.js", "export const path = '/';\n")
        good = self.write("inner/shop.js", f"import {{ Workflow, step, http }} from 'hyperscale'; import {{ path }} from './part.js';\n"
                          f"export class Shop extends Workflow {{ static iterations = 1; home = step(http.get('{self.base}' + path)); }}\n")
        self.assertEqual(invoke("check", good).code, 0)
        bad = self.write("inner/bad.js", "import { answer } from '../outer.js';\nexport default answer;\n")
        self.assertEqual(invoke("check", bad).code, 2)


class SelfTest(unittest.TestCase):
    def test_refuses_what_must_be_refused(self):
        if "by no seccomp" in invoke("version").out:
            self.skipTest("this kernel or this build does not filter system calls")
        ended = invoke("executor", "--self-test")
        self.assertEqual(ended.code, 0, ended)
        for what in FORBIDDEN:
            # Once for an executor, once for a reader of files.
            lines = re.findall(rf"^ok +{re.escape(what)} +(refused|killed)", ended.out, re.MULTILINE)
            self.assertEqual(len(lines), 2, f"{what}\n{ended.out}")
        self.assertNotIn("WRONG", ended.out)
        self.assertRegex(ended.out, r"(?m)^ok +open a TCP socket \(IPv4\) +works$")

    def test_version_says_what_holds(self):
        self.assertRegex(invoke("version").out, r"scripts are confined by (no )?seccomp and (no )?Landlock")


if __name__ == "__main__":
    unittest.main()
