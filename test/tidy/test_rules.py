"""Each rule is shown a tree with a planted violation, which it must flag, and a good one, which it must accept."""

import contextlib
import io
import pathlib
import shutil
import unittest

from cpp_text import code_only
from planted_tree import PlantedTreeTest
from rules import (
    check_steps,
    cmake_uses,
    commit_subjects,
    decision_records,
    dependencies,
    file_names,
    folder_readmes,
    folder_size,
    formatting,
    header_contracts,
    json_writer,
    links,
    longest,
    machine_paths,
    no_detached,
    no_sleeps,
    one_clock,
    one_descriptor,
    one_seconds,
    optimised_program,
    no_fork,
    planted_bugs,
    rapidcheck_conditions,
    requirement_ids,
    sans_io,
    script_reference,
    self_contained_headers,
    test_names,
    unfinished_marks,
    unused_headers,
)
from tree import Tree

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]


class OptimisedProgram(PlantedTreeTest):
    rule = optimised_program

    def test_accepts_tests_and_comments(self):
        self.plant("test/unit/x/CMakeLists.txt", "target_compile_options(x_test PRIVATE -O0)\n")
        self.plant("src/x/CMakeLists.txt", "# not with -O0\ntarget_compile_options(x PRIVATE -O2)\n")
        self.assert_clean()

    def test_flags_a_part_of_the_program(self):
        self.plant("apps/hyperscale/CMakeLists.txt", "# commands\ntarget_compile_options(hyperscale PRIVATE -O0)\n")
        self.assert_flags("apps/hyperscale/CMakeLists.txt", 2, "less optimisation")


class Dependencies(PlantedTreeTest):
    rule = dependencies

    def test_accepts_what_the_table_grants(self):
        self.plant("src/wire/frame.h", '#include <vector>\n#include "base/result.h"\n#include "wire/limits.h"\n')
        self.plant("src/runtime/task/task.h", '#include "runtime/policy/backoff.h"\n#include "concurrent/queue.h"\n')
        self.plant("src/client/client.h", '#include "runtime/http/client.h"\n')
        self.plant("src/node/compute/role.h", '#include "node/process/role.h"\n')
        self.plant("apps/hyperscale/main.cpp", '#include "node/compute/role.h"\n#include "run_command.h"\n')
        self.plant("apps/hyperscale/run_command.h")
        self.assert_clean()

    def test_flags_an_include_against_the_direction(self):
        self.plant("src/base/result.h", '#include <vector>\n#include "wire/frame.h"\n')
        self.assert_flags("src/base/result.h", 2, "base may not include")

    def test_a_submodule_does_not_inherit_from_its_parent(self):
        self.plant("src/runtime/policy/backoff.h", '#include "runtime/task/task.h"\n')
        self.assert_flags("src/runtime/policy/backoff.h", 1, "runtime/policy may not include")

    def test_the_process_of_a_node_knows_no_role(self):
        self.plant("src/node/process/node_process.h", '#include "node/compute/compute_role.h"\n')
        self.assert_flags("src/node/process/node_process.h", 1, "node/process may not include")

    def test_flags_a_program_that_reaches_past_node(self):
        self.plant("apps/hyperscale/main.cpp", '#include "ledger/log.h"\n')
        self.assert_flags("apps/hyperscale/main.cpp")

    def test_flags_a_path_that_is_not_written_from_src(self):
        self.plant("src/wire/frame.h", '#include "limits.h"\n')
        self.plant("src/wire/limits.h")
        self.assert_flags("src/wire/frame.h", 1, "not a path below src")

    def test_accepts_a_header_generated_from_a_template(self):
        self.plant("src/node/process/build_info.cpp", '#include "build_values.h"\n')
        self.plant("src/node/process/build_values.h.in")
        self.assert_clean()

    def test_knows_the_simulator(self):
        self.plant("sim/engine/world.h", '#include "base/prng.h"\n#include "sim/engine/event_queue.h"\n')
        self.plant("sim/cluster/cluster_system.h", '#include "cluster/cluster_node.h"\n')
        self.assert_clean()
        self.plant("sim/engine/world.h", '#include "cluster/cluster_node.h"\n')
        self.assert_flags("sim/engine/world.h", 1, "sim may not include")

    def test_flags_a_folder_without_a_row(self):
        self.plant("src/surprise/box.h")
        self.assert_flags("src/surprise/box.h", 1, "no row")

    def test_ignores_an_include_in_a_comment(self):
        self.plant("src/base/result.h", '// #include "wire/frame.h"\n')
        self.assert_clean()


class CmakeUses(PlantedTreeTest):
    rule = cmake_uses

    def setUp(self):
        super().setUp()
        self.plant("src/base/CMakeLists.txt", "hyperscale_module(base\n  SOURCES check.cpp)\n")
        self.plant("src/wire/CMakeLists.txt", "hyperscale_module(wire SOURCES frame.cpp USES base)\n")
        self.plant("src/runtime/policy/CMakeLists.txt", "hyperscale_module(policy FOLDER runtime/policy USES base)\n")

    def test_accepts_agreement(self):
        self.plant("src/wire/frame.h", '#include "base/result.h"\n')
        self.plant("apps/hyperscale/CMakeLists.txt", "hyperscale_program(hyperscale SOURCES main.cpp USES base)\n")
        self.plant("apps/hyperscale/main.cpp", '#include "base/result.h"\n')
        self.assert_clean()

    def test_flags_a_forbidden_link(self):
        self.plant("src/base/CMakeLists.txt", "# base\n\nhyperscale_module(base SOURCES check.cpp USES wire)\n")
        self.assert_flags("src/base/CMakeLists.txt", 3, "may not use wire")

    def test_accepts_what_the_headers_of_a_used_module_reach(self):
        self.plant("src/runtime/CMakeLists.txt", "hyperscale_module(runtime SOURCES task.cpp USES base wire policy)\n")
        self.plant("src/concurrent/CMakeLists.txt", "hyperscale_module(concurrent USES base)\n")
        self.plant("src/client/CMakeLists.txt", "hyperscale_module(client USES base wire runtime policy concurrent)\n")
        self.assert_clean()

    def test_flags_an_unknown_module(self):
        self.plant("src/wire/CMakeLists.txt", "hyperscale_module(wire SOURCES frame.cpp USES base cables)\n")
        self.assert_flags("src/wire/CMakeLists.txt", 1, "no folder declares")

    def test_flags_an_include_without_uses(self):
        self.plant("src/wire/CMakeLists.txt", "hyperscale_module(wire SOURCES frame.cpp LIBRARIES base)\n")
        self.plant("src/wire/frame.h", '\n#include "base/result.h"\n')
        self.assert_flags("src/wire/frame.h", 2, "does not list base")

    def test_knows_which_target_owns_a_submodule(self):
        self.plant("src/runtime/CMakeLists.txt", "hyperscale_module(runtime SOURCES task/task.cpp USES base)\n")
        self.plant("src/runtime/task/task.cpp", '#include "runtime/policy/backoff.h"\n')
        self.assert_flags("src/runtime/task/task.cpp", 1, "does not list policy")


class SansIo(PlantedTreeTest):
    rule = sans_io

    BAD = (
        "auto now = std::chrono::steady_clock::now();",
        "auto now = time(nullptr);",
        "auto now = std::time(0);",
        "clock_gettime(CLOCK_MONOTONIC, &now);",
        "std::thread worker;",
        "std::mutex mutex_;",
        "std::condition_variable ready_;",
        "pthread_create(&thread, nullptr, run, nullptr);",
        "#include <thread>",
        "int fd = ::socket(AF_INET, SOCK_STREAM, 0);",
        "#include <sys/socket.h>",
        "std::ofstream out;",
        'auto* file = fopen("x", "r");',
        'int fd = ::open("x", 0);',
        'int fd = open("x", O_RDONLY);',
        "std::filesystem::path path;",
        'auto* home = std::getenv("HOME");',
        "int n = rand();",
        "std::random_device device;",
        "std::mt19937 engine;",
        "std::mt19937_64 engine{};",
        "std::unordered_map<int, int> map;",
        "boost::asio::io_context context;",
    )
    GOOD = (
        "// std::mutex would be wrong here; so would time(nullptr)",
        'log("rand() and std::thread");',
        "MonoTime time() const;",
        "auto when = event.time();",
        "if (breaker.open()) return;",
        "bool open() const;",
        "std::mt19937 engine(seed);",
        "auto size = 1'000'000; std::map<int, int> map; auto other = 2'000;",
        "peer.connect(now); socket_->send(frame);",
        "int operand(int x);",
    )

    def test_flags_each_way_out(self):
        for code in self.BAD:
            with self.subTest(code):
                self.plant("src/ledger/log.cpp", f"\n{code}\n")
                self.assertEqual([2], sorted({v.line for v in self.violations()}), code)

    def test_accepts_pure_code(self):
        for code in self.GOOD:
            with self.subTest(code):
                self.plant("src/runtime/policy/backoff.h", code + "\n")
                self.assert_clean()

    def test_adapters_may_touch_the_world(self):
        self.plant("src/runtime/task/task.cpp", "std::thread worker;\n")
        self.assert_clean()


class CppText(unittest.TestCase):
    def test_a_digit_separator_does_not_hide_code(self):
        self.assertIn("rand()", code_only("x = 1'000; rand(); y = 'a';"))

    def test_strings_of_every_form_are_removed(self):
        text = 'a("x \\" y"); b(R"(z\n")"); c(\'"\'); /* d\n */ e();'
        code = code_only(text)
        self.assertEqual(text.count("\n"), code.count("\n"))
        self.assertEqual(["a(", ");", "b(", ");", "c(", ");", "e();"], code.split())


class NoSleeps(PlantedTreeTest):
    rule = no_sleeps

    def test_flags_sleeps(self):
        self.plant("test/tidy/sleeps_allowed.txt", "")
        for code in ("std::this_thread::sleep_for(1ms);", "usleep(5);", "sleep(1);", "::sleep(1);"):
            with self.subTest(code):
                self.plant("test/unit/base/x_test.cpp", f"// one\n{code}\n")
                self.assert_flags("test/unit/base/x_test.cpp", 2, "sleep")

    def test_accepts_talk_of_sleeping(self):
        self.plant("test/tidy/sleeps_allowed.txt", "")
        self.plant("src/base/x.h", "// sleep_for would be wrong\nint sleepers(int sleep);\n")
        self.assert_clean()

    def test_an_exception_needs_a_reason_and_a_sleep(self):
        self.plant("src/base/x.cpp", "usleep(5);\n")
        self.plant("test/tidy/sleeps_allowed.txt", "src/base/x.cpp: the device offers no event\n")
        self.assert_clean()
        self.plant("test/tidy/sleeps_allowed.txt", "src/base/x.cpp:\n")
        self.assert_flags("test/tidy/sleeps_allowed.txt", 1, "no reason")
        self.plant("test/tidy/sleeps_allowed.txt", "src/base/x.cpp: a\nsrc/base/y.cpp: b\n")
        self.assert_flags("test/tidy/sleeps_allowed.txt", 1, "does not sleep")


class NoDetached(PlantedTreeTest):
    rule = no_detached

    # proves part: AD2-1 (everywhere but in the files that the rule's list allows)
    def test_flags_work_that_nobody_owns(self):
        self.plant("test/tidy/detached_allowed.txt", "")
        for code in ("asio::co_spawn(io, f(), asio::detached);", "co_spawn(io, f(), [](std::exception_ptr) {});", "std::thread t(f);", "thread.detach();", "std::async(f);",
                     "std::jthread t(f);", "pthread_create(&t, nullptr, f, nullptr);"):
            with self.subTest(code):
                self.plant("src/node/x.cpp", f"// one\n{code}\n")
                self.assert_flags("src/node/x.cpp", 2, "on its own")

    def test_accepts_asking_how_many_there_could_be(self):
        self.plant("test/tidy/detached_allowed.txt", "")
        self.plant("src/node/x.cpp", "auto n = std::thread::hardware_concurrency();\nbool detached = false;\n")
        self.assert_clean()

    def test_an_exception_needs_a_reason_and_a_thread(self):
        self.plant("src/node/x.cpp", "std::thread t(f);\n")
        self.plant("test/tidy/detached_allowed.txt", "src/node/x.cpp: joined by its owner\n")
        self.assert_clean()
        self.plant("test/tidy/detached_allowed.txt", "src/node/x.cpp: a\nsrc/node/y.cpp: b\n")
        self.assert_flags("test/tidy/detached_allowed.txt", 1, "starts nothing")


class OneDescriptor(PlantedTreeTest):
    rule = one_descriptor

    def test_flags_a_descriptor_closed_by_hand(self):
        self.plant("src/x/file.cpp", "File::~File() {\n  ::close(fd_);\n}\n")
        self.assert_flags("src/x/file.cpp", 2, "OwnedFd")

    def test_accepts_members_called_close(self):
        self.plant("src/x/log.cpp", "void Log::close(int) { file_.close(); queue_->close(); }\n")
        self.assert_clean()

    def test_an_exception_needs_a_close(self):
        self.plant("test/tidy/closes_allowed.txt", "src/x/loop.cpp: slots\n")
        self.plant("src/x/loop.cpp", "int open_nothing();\n")
        self.assert_flags("test/tidy/closes_allowed.txt", 1, "remove the entry")


class OneClock(PlantedTreeTest):
    rule = one_clock

    def test_flags_a_clock_read_in_passing(self):
        for code in ("auto t = std::chrono::steady_clock::now();", "::clock_gettime(CLOCK_MONOTONIC, &t);"):
            with self.subTest(code):
                self.plant("src/x/y.cpp", f"// one\n{code}\n")
                self.assert_flags("src/x/y.cpp", 2, "reads a clock")

    def test_accepts_the_type_of_a_clock(self):
        self.plant("src/x/y.h", "using Point = std::chrono::steady_clock::time_point;\n")
        self.assert_clean()


class OneSeconds(PlantedTreeTest):
    rule = one_seconds

    def test_flags_a_conversion_of_its_own(self):
        for code in ("return static_cast<double>(time.count()) / 1e9;", "std::chrono::duration<double>(time).count();"):
            with self.subTest(code):
                self.plant("src/x/y.cpp", f"// one\n{code}\n")
                self.assert_flags("src/x/y.cpp", 2, "seconds()")

    def test_an_entry_that_is_still_there_may_be_stale(self):
        self.plant("test/tidy/seconds_allowed.txt", "src/x/y.cpp: still its own\n")
        self.assert_clean()
        self.plant("test/tidy/seconds_allowed.txt", "src/x/y.cpp: other reason\n")
        self.assert_flags("test/tidy/seconds_allowed.txt", 1, "remove the entry")


class JsonWriter(PlantedTreeTest):
    rule = json_writer

    def test_flags_json_by_hand(self):
        for code in ('text = R"({"accepted":true})";', 'out = fmt::format(R"({{"id":"{}"}})", id);', 'out = "{\\"ts\\":";'):
            with self.subTest(code):
                self.plant("src/x/y.cpp", f"// one\n{code}\n")
                self.assert_flags("src/x/y.cpp", 2, "by hand")

    def test_flags_a_dump(self):
        self.plant("src/x/y.cpp", "#include <nlohmann/json.hpp>\nauto text = value.dump();\n")
        self.assert_flags("src/x/y.cpp", 2, "nlohmann")

    def test_accepts_reading_and_words_about_json(self):
        self.plant("src/x/y.cpp", '#include <nlohmann/json.hpp>\nauto v = parse(t);\nsay(R"(such as {"id": 1})");\n')
        self.assert_clean()


class NoFork(PlantedTreeTest):
    rule = no_fork

    def test_flags_copies_of_a_process(self):
        for call in ("const pid_t child = ::fork();", "if (_Fork() == 0) g();", "::clone(f, s, 0, nullptr);"):
            with self.subTest(call):
                self.plant("src/node/x.cpp", f"void f() {{\n  {call}\n}}\n")
                self.assert_flags("src/node/x.cpp", 2, "copies this process")

    def test_accepts_spawning_and_members_of_that_name(self):
        self.plant("src/node/x.cpp", "// no fork() here\nvoid f() {\n  ::posix_spawn(&c, p, 0, 0, a, e);\n  random.fork();\n}\n")
        self.assert_clean()


class PlantedBugs(PlantedTreeTest):
    rule = planted_bugs

    def test_flags_a_program_that_plants_one(self):
        self.plant("src/node/launch/x.cpp", "void f(Config& c) {\n  c.mutations.vote_twice = BugPlanter::planted();\n}\n")
        self.assert_flags("src/node/launch/x.cpp", 2, "outside of sim")

    def test_flags_a_switch_that_anyone_can_turn_on(self):
        self.plant("src/election/config.h", "struct Mutations {\n  bool vote_twice = false;\n};\n")
        self.assert_flags("src/election/config.h", 2, "BugSwitch")

    def test_accepts_switches_and_the_simulator(self):
        self.plant("src/election/config.h", "struct Mutations {\n  wire::BugSwitch vote_twice;\n};\n")
        self.plant("sim/cluster/bugs.cpp", "auto on = BugPlanter::planted();\n")
        self.assert_clean()


class RapidcheckConditions(PlantedTreeTest):
    rule = rapidcheck_conditions

    def test_flags_an_operand_that_is_always_read(self):
        self.plant("test/unit/x/x_test.cpp", "void f() {\n  RC_ASSERT(!a || *a > 1);\n}\n")
        self.assert_flags("test/unit/x/x_test.cpp", 2, "parentheses")

    def test_accepts_parentheses(self):
        self.plant("test/unit/x/x_test.cpp", "void f() {\n  RC_ASSERT((!a || *a > 1));\n  RC_ASSERT(b);\n}\n")
        self.assert_clean()


class SelfContainedHeaders(PlantedTreeTest):
    rule = self_contained_headers

    def violations(self):
        with contextlib.redirect_stdout(io.StringIO()) as self.output:
            return super().violations()

    def test_accepts_a_complete_header_and_remembers_it(self):
        self.plant("src/base/x.h", "#pragma once\n#include <string>\ninline std::string x;\n")
        self.assert_clean()
        self.assert_clean()
        self.assertIn("1 headers, 1 unchanged", self.output.getvalue())

    def test_flags_a_header_that_needs_another_first(self):
        self.plant("src/base/x.h", "#pragma once\ninline std::string x;\n")
        self.assert_flags("src/base/x.h", 1, "does not compile on its own")

    def test_looks_again_when_an_included_header_changes(self):
        self.plant("src/base/x.h", "#pragma once\n#include <string>\n")
        self.plant("src/base/y.h", '#pragma once\n#include "base/x.h"\ninline std::string y;\n')
        self.assert_clean()
        self.plant("src/base/x.h", "#pragma once\n")
        self.assert_flags("src/base/y.h", 1, "string")


class Formatting(PlantedTreeTest):
    rule = formatting

    def setUp(self):
        super().setUp()
        shutil.copy(REPOSITORY / ".clang-format", self.root)

    def test_accepts_formatted_code(self):
        self.plant("src/base/x.h", "int x(int a);\n")
        self.assert_clean()

    def test_flags_each_file_once(self):
        self.plant("bench/x_bench.cpp", "int x;\nint  y;\nint  z;\n")
        self.assert_flags("bench/x_bench.cpp", 2, "make fmt")


class FolderReadmes(PlantedTreeTest):
    rule = folder_readmes

    def test_accepts_short_readmes(self):
        self.plant("src/CMakeLists.txt")
        self.plant("src/base/x.h")
        self.plant("src/base/README.md", "line\n" * 40)
        self.plant("src/base/detail/x.h")
        self.assert_clean()

    def test_flags_a_missing_one(self):
        self.plant("src/base/x.h")
        self.assert_flags("src/base/README.md", 1, "missing")

    def test_flags_a_long_one(self):
        self.plant("src/base/README.md", "line\n" * 41)
        self.assert_flags("src/base/README.md", 41, "41 lines")

    def test_submodules_of_runtime_have_their_own(self):
        self.plant("src/runtime/README.md")
        self.plant("src/runtime/http/server.h")
        self.assert_flags("src/runtime/http/README.md", 1, "missing")


class MachinePaths(PlantedTreeTest):
    rule = machine_paths

    def test_flags_paths_and_hosts(self):
        for text in ("/wo" "rk/main/x", "see /ro" "ot/x", "/ho" "me/anna/x", "/tmp/hel" "pers", "https://registry.npm" "js.org"):
            with self.subTest(text):
                self.plant("docs/x.md", f"\n{text}\n")
                self.assert_flags("docs/x.md", 2)

    def test_accepts_paths_of_the_product(self):
        self.plant("docs/x.md", "POST /api/v1/work/7, /usr/bin, /tmp/x, src/work/x.h, ~/work/x, ${HOME}/x\n")
        self.assert_clean()

    def test_skips_binary_files(self):
        (self.root / "corpus").write_bytes(b"\xff/ro" + b"ot/x")
        self.assert_clean()


class UnfinishedMarks(PlantedTreeTest):
    rule = unfinished_marks

    def test_flags_marks(self):
        for mark in ("// TO" "DO: later", "// FIX" "ME", "TEST(X, DISABLED" "_y) {}"):
            with self.subTest(mark):
                self.plant("src/base/x.h", f"\n{mark}\n")
                self.assert_flags("src/base/x.h", 2)

    def test_documents_may_list_what_is_missing(self):
        self.plant("docs/x.md", "TO" "DO\n")
        self.plant("src/base/x.h", "int hacks = 1;\n")
        self.assert_clean()


class FolderSize(PlantedTreeTest):
    rule = folder_size

    def test_flags_a_folder_of_more_than_sixty_files(self):
        for number in range(61):
            self.plant(f"src/base/idea_{number}.h")
        self.assert_flags("src/base")

    def test_counts_each_folder_by_itself(self):
        for number in range(60):
            self.plant(f"src/base/idea_{number}.h")
            self.plant(f"src/base/room/idea_{number}.h")
        self.assert_clean()


class CommitSubjects(unittest.TestCase):
    def complaints(self, subject):
        return [violation.message for violation in commit_subjects.judge("1234567", subject)]

    def test_flags_subjects_that_are_long_or_without_an_area(self):
        self.assertEqual(len(self.complaints("wire: " + "x" * 67)), 1)
        self.assertEqual(len(self.complaints("Fix the wire")), 1)
        self.assertEqual(len(self.complaints("wire:nothing")), 1)

    def test_accepts_area_verb_what(self):
        for subject in ("wire: bound gossip per packet", "node/executors: fork on one thread", "wire: " + "x" * 66):
            self.assertEqual(self.complaints(subject), [])

    def test_judges_the_history_after_the_rule(self):
        found = list(commit_subjects.check(Tree(REPOSITORY)))
        self.assertEqual([violation.message for violation in found], [])


class FileNames(PlantedTreeTest):
    rule = file_names

    def test_flags_empty_words_in_files_and_folders(self):
        for path in ("src/base/string_util.h", "src/common/x.h", "test/unit/base/helpers.h", "docs/misc.md"):
            with self.subTest(path):
                self.plant(path)
                self.assert_flags(path)
                (self.root / path).unlink()

    def test_accepts_ideas(self):
        self.plant("src/base/utilization.h")
        self.plant("src/base/commonality.h")
        self.assert_clean()


class HeaderContracts(PlantedTreeTest):
    rule = header_contracts

    def test_accepts_a_contract(self):
        self.plant("src/base/x.h", "// What it is for.\n#pragma once\n")
        self.plant("src/base/x.cpp", "#include <vector>\n")
        self.assert_clean()

    def test_flags_a_bare_header(self):
        self.plant("src/base/x.h", "#pragma once\n// What it is for.\n")
        self.assert_flags("src/base/x.h", 1, "opens without a comment")


class RequirementIds(PlantedTreeTest):
    rule = requirement_ids
    claim = "prov" "es:"

    def test_accepts_claims(self):
        for ids in ("AA-BB-1", "AA-BB-1, AA2-CC-12, DD-3a"):
            self.plant("test/unit/x_test.cpp", f"  // {self.claim} {ids}\n// proves nothing, in words\n")
            self.plant("test/e2e/x.py", f"# {self.claim} {ids}\n")
            self.plant("models/x.pml", f"/* {self.claim} {ids} */\n")
            self.assert_clean()

    def test_flags_malformed_claims(self):
        for text in ("aa-1", "AA-BB", "AA-1,AA-2", "AA-1 AA-2", "AA-1,", "AA-1 and AA-2", "AA-1, AA-1", "F-3", "all"):
            with self.subTest(text):
                self.plant("test/unit/x_test.cpp", f"\n// {self.claim} {text}\n")
                self.assertEqual({("test/unit/x_test.cpp", 2)}, {(v.path, v.line) for v in self.violations()})

    def test_accepts_claims_of_a_part(self):
        part = "prov" "es part:"
        self.plant("test/unit/x_test.cpp", f"  // {part} AA-BB-1 (the first sentence)\n")
        self.plant("test/e2e/x.py", f"# {part} AA-1 (p99, not the maximum (of 8))\n")
        self.plant("models/x.pml", f"/* {part} AA-1 (safety) */\n")
        self.assert_clean()

    def test_flags_claims_of_an_unnamed_part(self):
        for text in ("AA-1", "AA-1 ()", "AA-1, AA-2 (half)", "aa-1 (half)", "F-3 (half)", "AA-1 half"):
            with self.subTest(text):
                self.plant("test/unit/x_test.cpp", "// prov" f"es part: {text}\n")
                self.assert_flags("test/unit/x_test.cpp")

    def test_flags_other_spellings(self):
        for text in ("//prov" "es: AA-1", "// Prov" "es: AA-1", "// prov" "es AA-1"):
            with self.subTest(text):
                self.plant("test/unit/x_test.cpp", text + "\n")
                self.assert_flags("test/unit/x_test.cpp")


class DecisionRecords(PlantedTreeTest):
    rule = decision_records

    def test_accepts_a_gapless_list(self):
        self.plant("docs/decisions/0001-first.md")
        self.plant("docs/decisions/0002-second-one.md")
        self.plant("docs/decisions/README.md", "[1](0001-first.md) [2](0002-second-one.md)\n")
        self.assert_clean()

    def test_flags_gaps_doubles_and_bad_names(self):
        for name in ("0003-gap.md", "0001-double.md", "second.md"):
            with self.subTest(name):
                self.plant("docs/decisions/0001-a.md")
                self.plant(f"docs/decisions/{name}")
                self.plant("docs/decisions/README.md", f"[1](0001-a.md) [2]({name})\n")
                self.assert_flags(f"docs/decisions/{name}")
                (self.root / "docs/decisions" / name).unlink()

    def test_flags_a_record_that_the_index_forgot(self):
        self.plant("docs/decisions/0001-first.md")
        self.assert_flags("docs/decisions/README.md", 1, "does not list")


class Links(PlantedTreeTest):
    rule = links

    def test_accepts_links_that_resolve(self):
        self.plant("docs/x.md", "[a](y.md#top) [b](../src) [c](https://example.org) [d](#here) `[e](no.md)`\n[f]: y.md\n")
        self.plant("docs/y.md", "```\n[a](no.md)\n```\n")
        self.plant("src/base/x.h")
        self.assert_clean()

    def test_flags_dead_links(self):
        for text in ("[a](no.md)", "[a](../../x.md)", "[a]: no.md", "[![a](no.svg)](https://example.org)"):
            with self.subTest(text):
                self.plant("docs/x.md", f"\n{text}\n")
                self.assert_flags("docs/x.md", 2, "no such file")


class ScriptReference(PlantedTreeTest):
    rule = script_reference
    PAGE = "docs/reference/javascript.md"
    DECLARED = (
        "declare module 'hyperscale' {",
        "  export type Duration = string;",
        "  export class Workflow {",
        "    /** Users. */",
        "    static vus?: number;",
        "    static rate?: number;",
        "  }",
        "  export interface MetricOptions {",
        "    kind?: 'counter';",
        "  }",
        "  export interface Step {",
        "    readonly kind: 'step';",
        "  }",
        "  export function step(hook: () => void): Step;",
        "  export const random: {",
        "    (): number;",
        "    pick<T>(list: T[]): T;",
        "  };",
        "}",
    )
    DOCUMENTED = (
        "# Static fields of `Workflow`",
        "| `vus` | users |",
        "| `rate` | a rate |",
        "# `step`, `MetricOptions`",
        "| `kind` | which |",
        "| `'counter'` | a sum |",
        "# `random`",
        "| `random()` | a number |",
        "| `random.pick(list)` | one |",
        "# Types",
        "| `Duration`, `Step` | types |",
        "# Globals",
        "| `URL` | not of the module |",
    )

    def setUp(self):
        super().setUp()
        self.plant(script_reference.TYPES, "\n".join(self.DECLARED) + "\n")

    def document(self, lines):
        self.plant(self.PAGE, "\n".join(lines) + "\n")

    def test_accepts_a_page_with_all_of_it(self):
        self.document(self.DOCUMENTED)
        self.assert_clean()

    def test_flags_a_missing_page(self):
        self.assert_flags(self.PAGE, 1, "missing")

    def test_flags_what_is_left_out(self):
        for line, heading, text in ((2, 1, "Workflow.vus"), (3, 1, "Workflow.rate"), (5, 4, "MetricOptions.kind"),
                                    (9, 7, "random.pick")):
            with self.subTest(text):
                self.document(self.DOCUMENTED[:line - 1] + self.DOCUMENTED[line:])
                self.assert_flags(self.PAGE, heading, f"{text} of")

    def test_flags_an_export_without_a_place(self):
        for line, with_less, text in ((4, "# `MetricOptions`", "step"), (11, "| `Step` | types |", "Duration")):
            with self.subTest(text):
                self.document(self.DOCUMENTED[:line - 1] + (with_less,) + self.DOCUMENTED[line:])
                self.assert_flags(self.PAGE, 1, f"{text} of")

    def test_flags_what_is_not_declared(self):
        for after, more in ((2, "| `vuss` | users |"), (5, "| `rate` | of another |"), (11, "| `Time` | a type |"), (13, "# `steps`")):
            with self.subTest(more):
                self.document(self.DOCUMENTED[:after] + (more,) + self.DOCUMENTED[after:])
                self.assert_flags(self.PAGE, after + 1)

    def test_ignores_examples(self):
        self.document(self.DOCUMENTED + ("# `step`", "```", "| `nothing` |", "```"))
        self.assert_clean()


class TestNames(PlantedTreeTest):
    rule = test_names
    MACROS = ("TEST", "TEST_F", "TEST_P", "TYPED_TEST", "TYPED_TEST_P", "RC_GTEST_PROP", "RC_GTEST_FIXTURE_PROP")

    def test_accepts_named_cases(self):
        self.plant("test/unit/x_test.cpp", "INSTANTIATE_TEST_SUITE_P(All, X, Values(Case{1, 2}, Case{3, 4}), [](const auto& i) { return f(i, 1); });\n")
        self.assert_clean()

    def test_flags_cases_without_names(self):
        self.plant("test/unit/x_test.cpp", "\nINSTANTIATE_TEST_SUITE_P(All, X,\n  testing::Combine(Values(1, 2), Values(3)));\n")
        self.assert_flags("test/unit/x_test.cpp", 2)

    def test_accepts_a_name_of_the_limit(self):
        tests = "".join(f"{macro}(LongNameOfASuite, {'N' * 45}) {{}}\n" for macro in self.MACROS)
        self.plant("test/unit/x_test.cpp", tests + f"// TEST(X, {'N' * 46})\n")
        self.assert_clean()

    def test_flags_a_name_that_is_too_long(self):
        for macro in self.MACROS:
            with self.subTest(macro):
                self.plant("test/unit/x_test.cpp", f"\n{macro}(X,\n  {'N' * 46}) {{}}\n")
                self.assert_flags("test/unit/x_test.cpp", 3, "46 characters, at most 45")


class CheckSteps(PlantedTreeTest):
    rule = check_steps
    FILES = (".ci/run", "Makefile", "scripts/run-tests", "scripts/check-all", ".clang-tidy", "CMakePresets.json",
             "models/relacy/model_run.h")

    def setUp(self):
        super().setUp()
        for name in self.FILES:
            self.plant(name, (REPOSITORY / name).read_text())

    def test_accepts_the_projects_own(self):
        self.assert_clean()

    def test_flags_an_integration_that_runs_no_test(self):
        for path, cut in ((".ci/run", "make test"), ("Makefile", "\t@scripts/run-tests"), ("scripts/run-tests", "ctest")):
            with self.subTest(path):
                self.setUp()
                text = (REPOSITORY / path).read_text()
                self.plant(path, text.replace(cut, "true"))
                self.assert_flags(path)
                self.plant(path, "")
                self.assert_flags(path)

    def test_flags_checks_that_look_for_nothing(self):
        for path, cut, instead in (
            ("CMakePresets.json", '"HYPERSCALE_SANITIZE": "thread"', '"HYPERSCALE_SANITIZE": ""'),
            ("CMakePresets.json", '"HYPERSCALE_SANITIZE": "address,undefined" }', '"HYPERSCALE_SANITIZE": "" }'),
            ("models/relacy/model_run.h", "rl::sched_full", "rl::sched_random"),
        ):
            with self.subTest(cut):
                self.setUp()
                self.plant(path, (REPOSITORY / path).read_text().replace(cut, instead))
                self.assert_flags(path)

    def test_flags_each_step_that_is_left_out(self):
        text = (REPOSITORY / "scripts/check-all").read_text()
        steps = text.split("steps=(", 1)[1].split(")", 1)[0].split()
        for step in steps:
            if step != "test":
                with self.subTest(step):
                    self.plant("scripts/check-all", text.replace("steps=(" + " ".join(steps), "steps=(" + " ".join(s for s in steps if s != step)))
                    self.assert_flags("scripts/check-all")


class UnusedHeaders(PlantedTreeTest):
    rule = unused_headers

    def test_accepts_headers_that_the_program_includes(self):
        self.plant("src/x/part.h")
        self.plant("src/x/part.cpp", '#include "x/part.h"\n')
        self.plant("src/x/whole.cpp", '#include "x/part.h"\n#include <vector>\n')
        self.plant("sim/engine/clock.h")
        self.plant("sim/run/run.cpp", '#include "sim/engine/clock.h"\n')
        self.plant("apps/hyperscale/command.h")
        self.plant("apps/hyperscale/main.cpp", '#include "command.h"\n')
        self.assert_clean()

    def test_flags_a_header_that_only_its_source_and_tests_include(self):
        self.plant("src/x/part.h")
        self.plant("src/x/part.cpp", '#include "x/part.h"\n// #include "x/other.h"\n')
        self.plant("test/unit/x/part_test.cpp", '#include "x/part.h"\n')
        self.assert_flags("src/x/part.h", 1, "no file of the program")

    def test_an_exception_has_a_reason_and_is_needed(self):
        self.plant("src/x/part.h")
        self.plant("test/tidy/unused_headers_allowed.txt", "src/x/part.h: for a part to come\n")
        self.assert_clean()
        self.plant("test/tidy/unused_headers_allowed.txt", "src/x/part.h:\n")
        self.assert_flags("test/tidy/unused_headers_allowed.txt", 1, "no reason")
        self.plant("test/tidy/unused_headers_allowed.txt", "src/x/part.h: for a part to come\n")
        self.plant("src/x/whole.cpp", '#include "x/part.h"\n')
        self.assert_flags("test/tidy/unused_headers_allowed.txt", 1, "remove the entry")


class Longest(PlantedTreeTest):
    rule = longest

    def test_measures_functions_and_never_fails(self):
        body = "  x();\n" * 20
        self.plant("src/base/x.cpp", f"namespace a {{\nstruct B {{\n  int c = 0;\n}};\n\nvoid run(int n) {{\n{body}}}\n}}\n")
        self.assertEqual([(22, "src/base/x.cpp:6 run")], list(longest.longest_functions(Tree(self.root), "src/base/x.cpp")))
        with contextlib.redirect_stdout(io.StringIO()) as output:
            self.assert_clean()
        self.assertIn("22 lines  src/base/x.cpp:6 run", output.getvalue())


if __name__ == "__main__":
    unittest.main()
