// Script: the functions of a workflow as data: the texts of its files, their variables, and which functions to run. A
// file is a blob named by the SHA-256 of its content, so that a fleet stores and sends it only once.
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
  std::string name;    // path by which the files of a script import it
  std::string sha256;  // of the content, 64 hexadecimal digits in lower case
  std::string content;
  bool operator==(const Blob&) const = default;
};
Blob make_blob(std::string name, std::string content);

// A function that judges answers.
struct Check {
  std::string name;
  std::vector<std::string> reads = {};  // steps; it runs when the last of them has ended
  bool operator==(const Check&) const = default;
};

enum class MetricKind : std::uint8_t { kCounter, kGauge, kRate, kTrend };

// A custom figure: the value of a function that reads answers, or values that functions add by its name.
struct Metric {
  std::string name;
  MetricKind kind = MetricKind::kTrend;
  std::vector<std::string> reads = {};  // steps; none: functions add to it
  bool operator==(const Metric&) const = default;
};

// A value that a completed workflow provides to others (CTX-API-2, CTX-API-4).
struct ProvidedKey {
  std::string key;
  std::vector<std::string> to = {};  // workflows
  bool operator==(const ProvidedKey&) const = default;
};

// A value passed between workflows, or from a setup to the users of its own workflow.
struct SharedValue {
  std::string source;  // workflow; empty: the setup
  std::string key;
  std::string json;
  bool operator==(const SharedValue&) const = default;
};

// Fails with one sentence if the value exceeds the limits.
Status check_shared_value(const std::string& key, const std::string& json);

// The functions that a process runs: those of the steps, for all users; or once, before the first or after the last.
enum class ScriptPart : std::uint8_t { kSteps, kSetup, kTeardown };

struct Script {
  std::string entry;     // name of the blob given by the user; empty: no script
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
// True if the workflow may receive the value of that key.
bool is_for(const Script& provider, const std::string& key, const std::string& workflow);
// Fails with kProtocol if a file's content does not match its name.
Status check_files(const Script& script);

}  // namespace hyperscale::plan
