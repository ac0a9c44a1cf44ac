// Services that a script needs from its host: sending requests, timers, log, metrics and cookies. All calls come on the
// engine's thread, during a resume: an implementation records the call and returns; it never calls back.
#pragma once

#include "base/result.h"
#include "base/time.h"
#include "load/script_cookies.h"
#include "load/step_script.h"
#include "plan/plan.h"
#include "workflow/description.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::workflow {

using CallId = std::uint64_t;
using TimerId = std::uint64_t;
using UserSlot = std::uint32_t;

// Ids of the prepared arguments of a request; 0 for parts that are not prepared.
struct PreparedParts {
  std::uint32_t url = 0, headers = 0, params = 0, cookies = 0, auth = 0, data = 0;
};

struct ScriptRequest {
  UserSlot user = 0;
  std::shared_ptr<const load::ScriptedRequest> what;
  PreparedParts prepared = {};
};

using ScriptResponse = load::ScriptAnswer;

class ScriptClient {
 public:
  virtual ~ScriptClient() = default;
  virtual void start(CallId call, ScriptRequest request) = 0;
  virtual void cancel(CallId call) = 0;  // its result is no longer needed
  // Answered calls that the script can no longer reach.
  virtual void forget(UserSlot user, std::span<const CallId> calls) = 0;
};

class ScriptTimers {
 public:
  virtual ~ScriptTimers() = default;
  virtual void arm(TimerId timer, Duration after) = 0;
  virtual void disarm(TimerId timer) = 0;
};

using load::LogLevel;

class ScriptLog {
 public:
  virtual ~ScriptLog() = default;
  virtual void write(LogLevel level, std::string_view text) = 0;
};

class ScriptMetrics {
 public:
  virtual ~ScriptMetrics() = default;
  virtual void record(UserSlot user, MetricKind kind, std::string_view name, double value) = 0;
};

class ScriptCookies {
 public:
  virtual ~ScriptCookies() = default;
  virtual Result<std::vector<load::ScriptCookie>> use_cookies(UserSlot user, const load::CookieRequest& request) = 0;
};

// All must live as long as the runtime.
struct ScriptHost {
  ScriptClient* client = nullptr;
  ScriptTimers* timers = nullptr;
  ScriptLog* log = nullptr;
  ScriptMetrics* metrics = nullptr;
  ScriptCookies* cookies = nullptr;
};

}  // namespace hyperscale::workflow
