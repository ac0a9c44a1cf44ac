// A runtime with files in memory and a host that writes down what it is asked for.
#pragma once

#include "workflow/describe.h"
#include "workflow/script/jsc.h"
#include "workflow/script/runtime.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace hyperscale::workflow {

class MemoryFiles : public SourceProvider {
 public:
  explicit MemoryFiles(std::map<std::string, std::string> files) : files_(std::move(files)) {}
  std::optional<std::string> read(const std::string& path) override {
    const auto found = files_.find(path);
    return found == files_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  std::map<std::string, std::string> files_;
};

class NotedHost : public ScriptClient, public ScriptTimers, public ScriptLog, public ScriptMetrics {
 public:
  void start(CallId call, ScriptRequest request) override { calls.emplace_back(call, std::move(request)); }
  void cancel(CallId call) override { cancelled.push_back(call); }
  void forget(UserSlot, std::span<const CallId> gone) override { forgotten += gone.size(); }
  void arm(TimerId timer, Duration after) override { timers.emplace_back(timer, after); }
  void disarm(TimerId timer) override { disarmed.push_back(timer); }
  void write(LogLevel, std::string_view text) override { log += std::string(text) + "\n"; }
  void record(UserSlot, MetricKind, std::string_view name, double value) override {
    figures += fmt::format("{}={};", name, value);
  }

  std::vector<std::pair<CallId, ScriptRequest>> calls;
  std::vector<CallId> cancelled;
  std::size_t forgotten = 0;
  std::vector<std::pair<TimerId, Duration>> timers;
  std::vector<TimerId> disarmed;
  std::string log, figures;
};

class ScriptWorld : public testing::Test {
 protected:
  // The text of the errors, or nothing.
  std::string open(const std::string& text, std::map<std::string, std::string> more = {}, RuntimeOptions options = {}) {
    runtime_.reset();
    host_ = {};
    auto runtime =
        Runtime::create(std::move(options), {.client = &host_, .timers = &host_, .log = &host_, .metrics = &host_});
    if (!runtime) return runtime.error().to_string();
    runtime_ = std::move(*runtime);
    more["shop.js"] = text;
    MemoryFiles files(std::move(more));
    if (const auto loaded = runtime_->load(files, "shop.js"); !loaded) return format_errors(loaded.error());
    auto description = describe(*runtime_);
    if (!description) return format_errors(description.error());
    description_ = std::move(*description);
    return "";
  }

  // A file with one workflow whose body is given.
  std::string open_shop(const std::string& body, RuntimeOptions options = {}) {
    return open(
        "import * as h from 'hyperscale'; const { Workflow, step, action, check, metric, state, http, url, headers, "
        "data, params, "
        "cookies, auth, csv, jsonl, env, secret, fail, group, random, sequence, sleep, counter, gauge, rate, trend, "
        "multipart } = h;\n"
        "export class Shop extends Workflow {\n" +
            body + "\n}\n",
        {}, std::move(options));
  }

  const Workflow& shop() const { return description_.workflows.at(0); }
  std::uint32_t hook(const std::string& name, std::size_t workflow = 0) const {
    const auto& hooks = description_.workflows.at(workflow).hooks;
    for (std::uint32_t i = 0; i < hooks.size(); ++i)
      if (hooks[i].name == name) return i;
    ADD_FAILURE() << "no hook " << name;
    return 0;
  }
  UserSlot user(std::uint32_t vu = 0, std::uint32_t total = 1, std::size_t workflow = 0) {
    const ScriptResult<UserSlot> slot = runtime_->add_user(description_.workflows.at(workflow), vu, total);
    if (!slot) {
      ADD_FAILURE() << format_error(slot.error());
      return 0;
    }
    const ScriptResult<bool> begun = runtime_->begin_iteration(*slot, 0, vu);
    EXPECT_TRUE(begun) << (begun ? "" : format_error(begun.error()));
    return *slot;
  }

  static std::string shown(const Outcome& outcome) {
    switch (outcome.kind) {
      case OutcomeKind::kFailed:
        return format_error(outcome.error);
      case OutcomeKind::kResponse:
        return fmt::format("response {}", outcome.call);
      case OutcomeKind::kCustom:
        return fmt::format("custom {}", outcome.flag);
      case OutcomeKind::kPlain:
        return "plain";
      case OutcomeKind::kText:
        return "text " + outcome.text;
      case OutcomeKind::kFlag:
        return outcome.flag ? "true" : "false";
      case OutcomeKind::kNumber:
        return fmt::format("{}", outcome.number);
    }
    return "?";
  }
  static std::string shown(const std::vector<Outcome>& outcomes) {
    std::string text;
    for (const Outcome& outcome : outcomes) text += (text.empty() ? "" : " | ") + shown(outcome);
    return text.empty() ? "waiting" : text;
  }
  std::string begin(UserSlot slot, const std::string& name) {
    const Turn turn = runtime_->begin(slot, hook(name));
    return turn.outcome ? shown(*turn.outcome) : "waiting";
  }
  // Answers the last call.
  std::string answer(std::uint16_t status, std::string body = "") {
    ScriptResponse response;
    response.status = status;
    response.head = "Content-Type\ntext/x\nX-A\n1\nx-a\n2\n";
    response.body = std::move(body);
    response.request = std::make_shared<const plan::Request>(
        plan::Request{.method = "GET", .url = "http://t/final", .headers = {}, .body = {}});
    response.duration = 12ms;
    return shown(runtime_->settle(host_.calls.back().first, std::move(response)));
  }

  NotedHost host_;
  std::unique_ptr<Runtime> runtime_;
  Description description_;
};

}  // namespace hyperscale::workflow
