#include "runtime/config/config_rules.h"

#include "runtime/config/config_loader.h"

#include <gtest/gtest.h>

namespace hyperscale::runtime {
namespace {

std::string errors_of(std::string text) {
  return render_errors(load_config({.file_path = "node.toml", .file_text = std::move(text)}).errors);
}

TEST(ConfigRules, FieldsOfARuleExistAndAreEquallyLive) {
  for (const ConfigRule& rule : config_rules()) {
    for (const std::string& path : rule.fields) {
      ASSERT_NE(find_field(path), nullptr) << path;
      EXPECT_EQ(find_field(path)->live, find_field(rule.fields.front())->live) << path;
    }
  }
}

TEST(ConfigRules, RestartDelaysAreOrdered) {
  EXPECT_EQ(errors_of("restart.first_delay_min = \"1s\"\n"),
            "restart.first_delay_min (1s) is longer than restart.first_delay_max (500ms) at node.toml:1:27; "
            "raise restart.first_delay_max or lower restart.first_delay_min\n");
  EXPECT_NE(errors_of("restart.first_delay_max = \"6s\"\n"), "");
  EXPECT_NE(errors_of("restart.delay_cap = \"400ms\"\n"), "");
  EXPECT_EQ(errors_of("[restart]\nfirst_delay_min = \"6s\"\nfirst_delay_max = \"6s\"\ndelay_cap = \"6s\"\n"), "");
}

TEST(ConfigRules, RetryDelaysAreOrdered) {
  EXPECT_NE(errors_of("retry.initial_min = \"101ms\"\n"), "");
  EXPECT_NE(errors_of("retry.initial_max = \"3s\"\n"), "");
  EXPECT_NE(errors_of("retry.cap = \"99ms\"\n"), "");
  EXPECT_EQ(errors_of("retry.initial_min = \"100ms\"\n"), "");
}

TEST(ConfigRules, AmnesiaRefusesALogFile) {
  EXPECT_EQ(errors_of("[node]\namnesia = true\n[log]\nfile = \"node.log\"\n"),
            "log.file is set although node.amnesia forbids writing to disk at node.toml:4:8; "
            "remove log.file to log to standard error, or turn node.amnesia off\n");
  EXPECT_EQ(errors_of("[log]\nfile = \"node.log\"\n"), "");
  EXPECT_EQ(errors_of("[node]\namnesia = true\n"), "");
}

TEST(ConfigRules, TlsNeedsBothFiles) {
  EXPECT_NE(errors_of("tls.enabled = true\n").find("tls.cert_file is empty"), std::string::npos);
  EXPECT_NE(errors_of("[tls]\nenabled = true\ncert_file = \"c\"\n").find("tls.key_file is empty"), std::string::npos);
  EXPECT_NE(errors_of("[tls]\nenabled = true\nkey_file = \"k\"\n").find("tls.cert_file is empty"), std::string::npos);
  EXPECT_EQ(errors_of("[tls]\nenabled = true\ncert_file = \"c\"\nkey_file = \"k\"\n"), "");
}

TEST(ConfigRules, AnApiThatOthersReachNeedsTls) {
  const std::string tls = "tls.enabled = true\ntls.cert_file = \"c\"\ntls.key_file = \"k\"\n";
  for (const char* open : {"0.0.0.0:8080", "[::]:8080", "10.0.0.7:8080"}) {
    const std::string listen = std::string("api.listen = \"") + open + "\"\n";
    EXPECT_NE(errors_of(listen).find("would travel in clear text"), std::string::npos) << open;
    EXPECT_EQ(errors_of(listen + tls), "") << open;
  }
  for (const char* own : {"127.0.0.1:8080", "127.9.9.9:8080", "[::1]:8080", "localhost:8080"})
    EXPECT_EQ(errors_of(std::string("api.listen = \"") + own + "\"\n"), "") << own;
}

TEST(ConfigRules, TlsBetweenNodesNeedsThreeFilesOrNone) {
  const std::string cert = "cluster.tls_cert_file = \"c\"\n";
  const std::string key = "cluster.tls_key_file = \"k\"\n";
  const std::string authority = "cluster.tls_ca_file = \"a\"\n";
  EXPECT_NE(errors_of(key + authority).find("cluster.tls_cert_file is empty"), std::string::npos);
  EXPECT_NE(errors_of(cert + authority).find("cluster.tls_key_file is empty"), std::string::npos);
  EXPECT_NE(errors_of(cert + key).find("cluster.tls_ca_file is empty"), std::string::npos);
  EXPECT_NE(errors_of(cert), "");
  EXPECT_EQ(errors_of(cert + key + authority), "");
  EXPECT_EQ(errors_of("cluster.tls_verify_hostname = false\n"), "");
}

TEST(ConfigRules, ABodyFitsItsExpansion) {
  EXPECT_NE(errors_of("api.body_bytes_max = \"33MiB\"\n"), "");
  EXPECT_EQ(errors_of("api.body_bytes_max = \"32MiB\"\n"), "");
}

TEST(ConfigRules, OneThreadIsOne) {
  EXPECT_NE(errors_of("[node]\nsingle_thread = true\nthreads = 2\n"), "");
  EXPECT_EQ(errors_of("[node]\nsingle_thread = true\nthreads = 1\n"), "");
}

TEST(ConfigRules, ListenersDoNotShareAPort) {
  EXPECT_EQ(
      errors_of("api.listen = \"127.0.0.1:9600\"\n"),
      "api.listen and metrics.listen are both 127.0.0.1:9600 at node.toml:1:14; give each listener its own port\n");
  EXPECT_NE(errors_of("api.listen = \"127.0.0.1:7600\"\n"), "");
  EXPECT_NE(errors_of("metrics.listen = \"127.0.0.1:7600\"\n"), "");
  EXPECT_EQ(errors_of("api.listen = \"127.0.0.1:0\"\nmetrics.listen = \"127.0.0.1:0\"\n"), "");
}

TEST(ConfigRules, TheStrongestSourceIsBlamed) {
  const ConfigLoad load = load_config(
      {.file_path = "node.toml", .file_text = "log.file = \"node.log\"\n", .environment = {{"AMNESIA", "1"}}});
  ASSERT_EQ(load.errors.size(), 1u);
  EXPECT_EQ(load.errors[0].field, "node.amnesia");
  EXPECT_EQ(load.errors[0].file, "AMNESIA");
}

TEST(ConfigRules, AnUnreadableFieldIsNotReportedTwice) {
  const ConfigLoad load = load_config(
      {.file_path = "node.toml", .file_text = "[restart]\nfirst_delay_min = \"1s\"\nfirst_delay_max = 2\n"});
  ASSERT_EQ(load.errors.size(), 1u) << render_errors(load.errors);
  EXPECT_EQ(load.errors[0].field, "restart.first_delay_max");
}

}  // namespace
}  // namespace hyperscale::runtime
