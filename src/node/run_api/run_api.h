// RunApi: the HTTP API of a running run (`hyperscale run --api 127.0.0.1:7070`).
//
//   GET  /healthz           "ok"
//   GET  /metrics           Prometheus text
//   GET  /api/v1/run        the moment as JSON
//   GET  /api/v1/feed       the moments as server-sent events; ?interval=250ms
//   POST /api/v1/run/load   {"change": "vus=200", "workflow": "shop", "basis_tick": 1234}
//   POST /api/v1/run/stop
//
// Everything under /api needs the token (runtime/http/access_rules.h). Without a given token, open() generates one in a
// file that the destructor removes. Thread rule: the thread of `io`, which also runs the actions. A facet limits the
// feeds; a feed above the limit is answered 429.
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
  // `token_file`: path of the token that is generated if the setup has none; creates its folder if it is missing.
  static Result<std::unique_ptr<RunApi>> open(asio::io_context& io, const RunApiSetup& setup, RunApiActions actions,
                                              const std::string& token_file);
  ~RunApi();
  RunApi(const RunApi&) = delete;
  RunApi& operator=(const RunApi&) = delete;

  std::string url() const;
  // Empty if the token was given.
  std::optional<std::string> token_file() const;
  // Ends feeds with their last event, answers pending requests, then calls `done`, after at most kRunApiPatience.
  void close(std::function<void()> done);

 private:
  struct Parts;
  explicit RunApi(std::shared_ptr<Parts> parts);
  std::shared_ptr<Parts> parts_;
};

inline constexpr Duration kRunApiPatience = 1s;

}  // namespace hyperscale::node
