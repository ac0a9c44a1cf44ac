// Script: the functions of a workflow as data: the texts of its files, what they may know, and which of them are to
// run. A file is a blob that is named by its content (SHA-256), so that a fleet needs to keep and send it only once.
//
// Plain values; any thread.
#pragma once

#include "base/result.h"
#include "plan/tag.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hyperscale::plan {

struct Blob {
  std::string name;    // path as the files of a script know each other
  std::string sha256;  // of the content, 64 hexadecimal digits in lower case
  std::string content;
  bool operator==(const Blob&) const = default;
};
Blob make_blob(std::string name, std::string content);

// A function that says of answers whether they are right.
struct Check {
  std::string name;
  std::vector<std::string> reads = {};  // steps; it runs when the last of them has ended
  bool operator==(const Check&) const = default;
};

enum class MetricKind : std::uint8_t { kCounter, kGauge, kRate, kTrend };

// A figure of the user's own: the value of a function that reads answers, or what functions add to by its name.
struct Metric {
  std::string name;
  MetricKind kind = MetricKind::kTrend;
  std::vector<std::string> reads = {};  // steps; none: functions add to it
  bool operator==(const Metric&) const = default;
};

// A value that a workflow gives to others when it has completed (CTX-API-2, CTX-API-4).
struct ProvidedKey {
  std::string key;
  std::vector<std::string> to = {};  // workflows
  bool operator==(const ProvidedKey&) const = default;
};

// A value on its way between workflows, or from a setup to the users of its own workflow.
struct SharedValue {
  std::string source;  // workflow; empty: the setup
  std::string key;
  std::string json;
  bool operator==(const SharedValue&) const = default;
};

// Fails with one sentence when that is more than a value on its way may be.
Status check_shared_value(const std::string& key, const std::string& json);

// Which functions a process runs: those of the steps, for all users; or once, before the first or after the last.
enum class ScriptPart : std::uint8_t { kSteps, kSetup, kTeardown };

struct Script {
  std::string entry;     // name of the blob that was given; empty: there is no script
  std::string workflow;  // name of the class in it
  ScriptPart part = ScriptPart::kSteps;
  bool has_setup = false;
  bool has_teardown = false;
  std::vector<ProvidedKey> provides;
  std::vector<Blob> files;  // the entry, what it imports, data
  std::vector<Tag> env;
  std::vector<Tag> secrets;  // never printed, never part of a result
  bool exists() const { return !entry.empty(); }
  bool operator==(const Script&) const = default;
};
// Whether that key is meant for that workflow.
bool is_for(const Script& provider, const std::string& key, const std::string& workflow);
// Fails with kProtocol when the content of a file is not the one that it is named by.
Status check_files(const Script& script);

}  // namespace hyperscale::plan
