"""What is wrong with a command line is said in one line, with exit code 2, before anything is sent."""

import os
import resource
import tempfile
import unittest

from harness.runs import Target, invoke

DESCRIPTORS = 64


def few_descriptors():
    resource.setrlimit(resource.RLIMIT_NOFILE, (DESCRIPTORS, DESCRIPTORS))


class Usage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.target = Target()
        cls.addClassCleanup(cls.target.close)

    def refuse(self, words, *arguments, command="run", **options):
        with self.subTest(" ".join(arguments)):
            ended = invoke(command, *arguments, **options)
            self.assertEqual(ended.code, 2, ended)
            self.assertEqual(ended.out, "")
            self.assertRegex(ended.err, rf"\Ahyperscale {command}: [^\n]+\n\Z")
            for word in words:
                self.assertIn(word, ended.err)
            self.assertEqual(self.target.count()["requests"], 0, "something was sent")

    def test_a_command_of_commands_names_them(self):
        for words, sentence in ((("stream",), "hyperscale stream: say one of ls, gc, tail\n"),
                                (("stream", "lss"), "hyperscale stream: 'lss' is not one of ls, gc, tail\n"),
                                (("ping", "udp"), "hyperscale ping: 'udp' is not one of http, tcp, smtp, ftp\n")):
            with self.subTest(words):
                ended = invoke(*words)
                self.assertEqual((ended.code, ended.out, ended.err), (2, "", sentence))

    def test_help_promises_only_what_works(self):
        """Jobs on a fleet do not exist yet, and protocols other than HTTP neither."""
        ended = invoke("--help")
        self.assertEqual(ended.code, 0)
        for promise in ("anything", "takes jobs", "to many datacenters", "generates load"):
            self.assertNotIn(promise, ended.out)
        for role in ("gate", "manager", "worker"):
            self.assertRegex(ended.out, rf"(?m)^  {role} .*run no job yet")

    def test_urls(self):
        for command in ("run", "try"):
            self.refuse(["no URL given"], command=command)
            self.refuse(['"htp"', "http:// or https://"], "htp://127.0.0.1/", command=command)
            self.refuse(["host is missing"], "http://", command=command)
            self.refuse(["99999"], "http://127.0.0.1:99999/", command=command)
            self.refuse(["cannot resolve", "no-such-host.invalid"], "http://no-such-host.invalid/", command=command)
        self.refuse(["one word too many"], self.target.url, self.target.url)

    def test_values(self):
        for words, arguments in (
            (["--vus", '"0"', "from 1"], ("-c", "0")),
            (["--vus", '"many"'], ("-c", "many")),
            (["--requests", '"0"'], ("-n", "0")),
            (["--rate", '"0"', "above zero"], ("-r", "0")),
            (["--rate", "2000/s"], ("-r", "5/w")),
            (["--duration", '"soon"', "is not a duration"], ("-d", "soon")),
            (["--duration", "above zero"], ("-d", "0s")),
            (["--stage", "30s:100"], ("--stage", "5")),
            (["--cores", '"0"'], ("--cores", "0")),
            (["--header"], ("-H", "no colon")),
            (["--graphql", "GraphQL 1:5", "found the end"], ("--graphql", "{ a ")),
            (["--graphql", "$id is not declared"], ("--graphql", "{ a(id: $id) }")),
            (["--graphql", "is a subscription"], ("--graphql", "subscription { a }")),
            (["--graphql", "variables: JSON 1:2"], ("--graphql", "{ a }", "--variables", "{a:1}")),
            (["--variables", "needs --graphql"], ("--variables", "{}")),
            (["--body", "cannot read no-such-file"], ("--body", "@no-such-file")),
            (["--body", 'no file matches "*.none"'], ("--body", "@*.none")),
            (["--source", '"1.2.3"', "not an IP address"], ("--source", "1.2.3")),
            (["--resolve", "host:port:address"], ("--resolve", "x")),
            (["--ui", "full, ci, none"], ("--ui", "loud")),
            (["--threshold", '"p99"', "p99<200ms"], ("--threshold", "p99")),
            (["--out", '"jsn"', "did you mean json?"], ("--out", "jsn=x")),
        ):
            self.refuse(words, *arguments, self.target.url)

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            absent = os.path.join(folder, "absent")
            for option in ("--body-file", "--urls-from-file", "--cacert", "--baseline"):
                self.refuse([option, absent, "No such file or directory"], option, absent, self.target.url)
            self.refuse(["--body-file", "directory"], "--body-file", folder, self.target.url)
            for kind in ("json", "csv", "html"):
                self.refuse(["--out", f"{absent}/x"], "--out", f"{kind}={absent}/x", self.target.url)
            empty = os.path.join(folder, "empty")
            open(empty, "w").close()
            self.refuse(["has no URL"], "--urls-from-file", empty)
            self.refuse(["--baseline"], "--baseline", empty, self.target.url)
            self.refuse(["--cacert"], "--cacert", empty, self.target.url)
            self.assertEqual(os.listdir(folder), ["empty"])

    def test_unknown_options_get_a_suggestion(self):
        self.refuse(["unknown option '--vsu'", "did you mean '--vus'?"], "--vsu", "3", self.target.url)
        self.refuse(["'--duratoin'", "did you mean '--duration'?"], "--duratoin", "3s", self.target.url)
        self.refuse(["unknown option '--insecur'", "'--insecure'"], "--insecur", self.target.url, command="try")

    def test_options_that_contradict_each_other(self):
        for words, arguments in (
            (["--http1", "--http2"], ("--http1", "--http2")),
            (["-4", "-6"], ("-4", "-6")),
            (["--requests", "--iterations"], ("-n", "5", "--iterations", "5")),
            (["--duration", "--stage"], ("-d", "1s", "--stage", "1s:5")),
            (["--vus", "--stage"], ("-c", "5", "--stage", "1s:5")),
            (["--think-time", "--rate"], ("--think-time", "1s", "-r", "5")),
            (["--poisson", "--rate"], ("--poisson",)),
            (["--pipeline", "--streams"], ("--pipeline", "4", "--http2")),
            (["--streams", "--pipeline"], ("--streams", "4", "--http1")),
            (["--pipeline", "--no-keepalive"], ("--pipeline", "4", "--no-keepalive")),
            (["--cert", "--key"], ("--cert", "x")),
            (["--body", "--form"], ("-b", "x", "--form", "a=b")),
            (["--auth", "Authorization"], ("--auth", "a:b", "-H", "Authorization: x")),
        ):
            self.refuse(words, *arguments, self.target.url)

    def test_too_few_descriptors_names_the_limit_and_the_fix(self):
        self.refuse(["100 users need 150 open files", "the limit is 64", "ulimit -n 150", "fewer users"],
                    "-c", "100", "--cores", "1", self.target.url, preexec_fn=few_descriptors)

    def test_few_descriptors_are_enough_for_few_users(self):
        ended = invoke("run", "-c", "10", "-n", "100", self.target.url, preexec_fn=few_descriptors)
        self.assertEqual(ended.code, 0, ended)
        self.target.take_count()

    def test_a_soft_limit_is_raised(self):
        def low_soft_limit():
            resource.setrlimit(resource.RLIMIT_NOFILE, (DESCRIPTORS, 4096))

        ended = invoke("run", "-c", "100", "--cores", "1", "-n", "100", self.target.url, preexec_fn=low_soft_limit)
        self.assertEqual(ended.code, 0, ended)
        self.target.take_count()


if __name__ == "__main__":
    unittest.main(verbosity=2)
