// RunApi: a run on HTTP while it goes on (`hyperscale run --api 127.0.0.1:7070`).
//
//   GET  /healthz           "ok"
//   GET  /metrics           Prometheus text
//   GET  /api/v1/run        the moment as JSON
//   GET  /api/v1/feed       the moments as server-sent events; ?interval=250ms
//   POST /api/v1/run/load   {"change": "vus=200", "workflow": "shop", "basis_tick": 1234}
//   POST /api/v1/run/stop
//
// Everything under /api needs the token (runtime/http/access_rules.h). Unless one was given, open() makes it in a file
// that is removed with the RunApi. Thread rule: the thread of `io`, which also runs the actions. Feeds are admitted by
// a facet; one more is answered 429.
#pragma once

#include "base/result.h"
#include "live/live_line.h"
#include "node/control/control_socket.h"
#include "node/run_api/run_api_setup.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <boost/asio/io_context.hpp>

namespace hyperscale::node {

struct RunApiActions {
  live::LiveSource live;
  std::function<std::string()> metrics;
  std::function<void()> stop;
  std::function<void(const plan::LoadRequest&, ChangeAnswer)> change;
};

class RunApi {
 public:
  // `token_file` is where a token is made when the setup has none; its folder is made when it is missing.
  static Result<std::unique_ptr<RunApi>> open(asio::io_context& io, const RunApiSetup& setup, RunApiActions actions,
                                              const std::string& token_file);
  ~RunApi();
  RunApi(const RunApi&) = delete;
  RunApi& operator=(const RunApi&) = delete;

  std::string url() const;
  // Nothing when the token was given.
  std::optional<std::string> token_file() const;
  // Ends feeds with their last event, answers what is under way, then calls `done`; after kRunApiPatience at the
  // latest.
  void close(std::function<void()> done);

 private:
  struct Parts;
  explicit RunApi(std::shared_ptr<Parts> parts);
  std::shared_ptr<Parts> parts_;
};

inline constexpr Duration kRunApiPatience = 1s;

}  // namespace hyperscale::node
