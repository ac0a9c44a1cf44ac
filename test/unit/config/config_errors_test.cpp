#include "runtime/config/config_loader.h"
#include "runtime/config/toml_document.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::runtime {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string errors_of_file(std::string text) {
  return render_errors(load_config({.file_path = "node.toml", .file_text = std::move(text)}).errors);
}

std::string errors_of_variable(const std::string& name, const std::string& value) {
  return render_errors(load_config({.environment = {{name, value}}}).errors);
}

std::string errors_of_flag(const std::string& path, const std::string& value) {
  return render_errors(load_config({.flags = {{path, value}}}).errors);
}

TEST(ConfigErrors, UnknownKeyNamesThePlaceAndTheNearestKey) {
  EXPECT_EQ(errors_of_file("[api]\n# comment\n\ndedline = \"2s\"\n"),
            "unknown key 'api.dedline' at node.toml:4:1; did you mean 'api.deadline'?\n");
}

TEST(ConfigErrors, AKeyOfAnotherSectionIsFound) {
  EXPECT_THAT(errors_of_file("[api]\nmax_frame_bytes = 1\n"), HasSubstr("did you mean 'transport.max_frame_bytes'?"));
  EXPECT_THAT(errors_of_file("deadline = \"2s\"\n"), HasSubstr("did you mean 'api.deadline'?"));
}

// proves: NODE-CFG-1
TEST(ConfigErrors, AHopelessKeyPointsToTheReference) {
  EXPECT_EQ(errors_of_file("[api]\nzzzzzzzz = 1\n"),
            "unknown key 'api.zzzzzzzz' at node.toml:2:1; docs/configuration.md lists all keys\n");
}

TEST(ConfigErrors, AMisspeltSectionIsOneError) {
  EXPECT_EQ(errors_of_file("[transpotr]\nread_timeout = \"1s\"\nwrite_timeout = 5\n"),
            "unknown section 'transpotr' at node.toml:1:2; did you mean 'transport'?\n");
}

TEST(ConfigErrors, ASectionIsNotAValueAndAValueNotASection) {
  EXPECT_EQ(errors_of_file("api = 5\n"), "'api' is a section, not a key at node.toml:1:1; write [api]\n");
  EXPECT_THAT(errors_of_file("[[api]]\ndeadline = \"2s\"\n"), HasSubstr("'api' is a section"));
  EXPECT_THAT(errors_of_file("[api.deadline]\nx = 1\n"), HasSubstr("api.deadline must be a duration, not a section"));
}

TEST(ConfigErrors, AQuotedDotIsPartOfTheName) {
  EXPECT_THAT(errors_of_file("\"api.deadline\" = \"3s\"\n"),
              StartsWith("unknown key '\"api.deadline\"' at node.toml:1:1"));
}

TEST(ConfigErrors, UnknownVariableSuggestsTheNearest) {
  EXPECT_EQ(errors_of_variable("HYPERSCALE_API_DEDLINE", "2s"),
            "unknown variable 'HYPERSCALE_API_DEDLINE' in the environment; did you mean 'HYPERSCALE_API_DEADLINE'?\n");
}

TEST(ConfigErrors, UnknownFlagSuggestsTheNearest) {
  EXPECT_EQ(errors_of_flag("api.dedline", "2s"),
            "unknown key 'api.dedline' in the flags; did you mean 'api.deadline'?\n");
}

TEST(ConfigErrors, SecretsAreRefusedAndNotRepeated) {
  EXPECT_EQ(errors_of_file("[admin]\ntoken = \"hunter2\"\n"),
            "'admin.token': secrets are not written in the configuration at node.toml:2:1; "
            "use admin.token_file or HYPERSCALE_ADMIN_TOKEN\n");
  EXPECT_THAT(errors_of_flag("admin.token", "hunter2"), HasSubstr("secrets are not written in the configuration"));
  EXPECT_THAT(errors_of_flag("admin.token", "hunter2"), Not(HasSubstr("hunter2")));
  EXPECT_THAT(errors_of_file("[tls]\nkey = \"hunter2\"\n"), HasSubstr("use tls.key_file"));
  EXPECT_THAT(errors_of_file("[admin]\npassword = \"hunter2\"\n"), Not(HasSubstr("hunter2")));
}

TEST(ConfigErrors, ABareNumberForADurationNeedsAUnit) {
  EXPECT_EQ(errors_of_file("api.deadline = 2\n"),
            "api.deadline must be a duration, not a number at node.toml:1:16; write a unit, such as \"2s\"\n");
  EXPECT_THAT(errors_of_file("api.deadline = 1.5\n"), HasSubstr("write a unit, such as \"2s\""));
  EXPECT_THAT(errors_of_file("api.deadline = -9223372036854775808\n"), HasSubstr("write a unit, such as \"2s\""));
}

TEST(ConfigErrors, WrongTypesSayWhatToWrite) {
  EXPECT_EQ(errors_of_file("node.amnesia = \"yes\"\n"),
            "node.amnesia must be true or false, not text at node.toml:1:16; write true or false without quotes\n");
  EXPECT_EQ(errors_of_file("queues.work = \"512\"\n"),
            "queues.work must be a whole number, not text at node.toml:1:15; "
            "write a number from 1 to 1000000 without quotes\n");
  EXPECT_EQ(errors_of_file("api.body_bytes_max = true\n"),
            "api.body_bytes_max must be a size, not true or false at node.toml:1:22; "
            "write bytes or a unit, such as \"4MiB\"\n");
  EXPECT_EQ(errors_of_file("log.level = 3\n"),
            "log.level must be text, not a number at node.toml:1:13; write it in quotes, such as \"info\"\n");
  EXPECT_EQ(errors_of_file("log.file = []\n"),
            "log.file must be text, not a list at node.toml:1:12; write it in quotes\n");
  EXPECT_THAT(errors_of_file("log.file = 1979-05-27\n"), HasSubstr("not a date or time"));
}

TEST(ConfigErrors, BadValuesNameTheirSource) {
  EXPECT_EQ(errors_of_file("[api]\ndeadline = \"2 parsecs\"\n"),
            "api.deadline: \"2 parsecs\" is not a duration at node.toml:2:12; "
            "\" parsecs\" is not a unit, use h, m, s, ms, us or ns\n");
  EXPECT_THAT(errors_of_variable("HYPERSCALE_API_DEADLINE", "2"), HasSubstr("in HYPERSCALE_API_DEADLINE; add a unit"));
  EXPECT_THAT(errors_of_variable("AMNESIA", "perhaps"), HasSubstr("in AMNESIA; write true or false"));
  EXPECT_THAT(errors_of_flag("drain.deadline", "6s"), HasSubstr("in the flags; write a value from 1ms to 5s"));
}

TEST(ConfigErrors, AWrongValueIsAnErrorEvenWhenOverridden) {
  const ConfigLoad load = load_config({.file_text = "api.deadline = 2\n", .flags = {{"api.deadline", "3s"}}});
  EXPECT_EQ(load.errors.size(), 1u);
}

TEST(ConfigErrors, SyntaxErrorsHaveLineAndColumn) {
  const ConfigLoad load = load_config({.file_path = "node.toml", .file_text = "[api]\ndeadline = 2s\n"});
  ASSERT_EQ(load.errors.size(), 1u);
  EXPECT_EQ(load.errors[0].line, 2u);
  EXPECT_GT(load.errors[0].column, 1u);
  EXPECT_THAT(load.errors[0].to_string(), StartsWith("syntax error"));
  EXPECT_THAT(errors_of_file("[api]\ndeadline = \"2s\"\ndeadline = \"3s\"\n"), HasSubstr("node.toml:3:"));
}

TEST(ConfigErrors, AllErrorsOfAllSourcesAreReported) {
  const ConfigLoad load =
      load_config({.file_path = "node.toml",
                   .file_text = "[queues]\nwork = 0\n[api]\ndeadline = 2\nnope = 1\n[tls]\nenabled = true\n",
                   .environment = {{"HYPERSCALE_NOPE", "1"}},
                   .flags = {{"log.level", "loud"}}});
  std::vector<std::string> fields;
  for (const ConfigError& error : load.errors) fields.push_back(error.field);
  EXPECT_THAT(fields, testing::ElementsAre("queues.work", "api.deadline", "api.nope", "HYPERSCALE_NOPE", "log.level",
                                           "tls.enabled"));
}

TEST(ConfigErrors, TheirNumberIsBounded) {
  std::string text;
  for (int i = 0; i < 250; ++i) text += fmt::format("key{} = 1\n", i);
  const ConfigLoad load = load_config({.file_text = text, .flags = {{"nope", "1"}}});
  ASSERT_EQ(load.errors.size(), kConfigErrorsMax + 1);
  EXPECT_EQ(load.errors.back().to_string(), "and 151 more errors");
}

TEST(ConfigErrors, HostileNestingIsRefusedNotFollowed) {
  std::string dots = "a";
  for (int i = 0; i < 400'000; ++i) dots += ".a";
  EXPECT_THAT(errors_of_file("\n" + dots + " = 1\n"),
              HasSubstr("too many dots to be a key or a value at node.toml:2:1"));
  EXPECT_THAT(errors_of_file("a = " + std::string(100'000, '[')), StartsWith("syntax error"));
  EXPECT_EQ(errors_of_file("# " + std::string(1000, '.') + "\n"), "");
}

TEST(ConfigErrors, TextThatCrashesTheParserIsASyntaxError) {
  EXPECT_THAT(errors_of_file("[\x01"), HasSubstr("at node.toml:1:2"));
  EXPECT_THAT(errors_of_file("\u00e9t\u00e9 = 1\n"), HasSubstr("at node.toml:1:1"));
  EXPECT_THAT(errors_of_file("[api]\ndeadline \u02a9= \"2s\"\n"), HasSubstr("at node.toml:2:10"));
}

TEST(ConfigErrors, HugeKeysAreCutInMessages) {
  const std::string message = errors_of_file(std::string(500'000, 'k') + " = 1\n");
  EXPECT_LT(message.size(), 400u);
}

TEST(ConfigErrors, EachIsOneLine) {
  const std::string text = errors_of_file("\"a\\nb\" = 1\n[log]\nlevel = \"x\\ny\"\n\"\\u001b[31m\" = 1\n");
  EXPECT_EQ(std::ranges::count(text, '\n'), 3);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

TEST(ConfigErrors, AFileWithoutANameIsCalledConfiguration) {
  EXPECT_THAT(render_errors(load_config({.file_text = "x = 1\n"}).errors), HasSubstr("at configuration:1:1"));
}

}  // namespace
}  // namespace hyperscale::runtime
