#include "node/run_api/run_api.h"

#include "base/duration_text.h"
#include "base/json_writer.h"
#include "node/executors/machine_limits.h"
#include "node/run_api/live_feed.h"
#include "runtime/clock/clock.h"
#include "runtime/facet/facet.h"
#include "runtime/http/await_token.h"
#include "runtime/http/http_server.h"
#include "runtime/secret/private_folder.h"
#include "runtime/secret/token_file.h"

#include <cstdint>
#include <map>
#include <string_view>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <fmt/format.h>
#include <simdjson.h>

namespace hyperscale::node {
namespace {

using runtime::Request;
using runtime::Response;
using RequestPtr = std::shared_ptr<const Request>;

constexpr std::uint32_t kFeedsPerCore = 4;
constexpr std::uint64_t kChangeBytesMax = 4096;

// Holds the facet's permit for the lifetime of the feed.
class AdmittedFeed final : public runtime::BodyFeed {
 public:
  AdmittedFeed(runtime::FacetPermit permit, std::unique_ptr<LiveFeed> feed)
      : permit_(std::move(permit)), feed_(std::move(feed)) {}
  asio::awaitable<std::optional<std::string>> next() override { return feed_->next(); }
  void stop() override { feed_->stop(); }

 private:
  runtime::FacetPermit permit_;
  std::unique_ptr<LiveFeed> feed_;
};

Result<Duration> interval_of(const Request& request) {
  const auto text = request.query("interval");
  if (!text) return kFeedIntervalDefault;
  const auto interval = parse_duration(*text);
  if (!interval || *interval < kFeedIntervalMin || *interval > kFeedIntervalMax) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("'interval' must be a time from {} to {}, such as 250ms", format_duration(kFeedIntervalMin),
                            format_duration(kFeedIntervalMax)));
  }
  return *interval;
}

Result<plan::LoadRequest> change_of(std::string_view body) {
  simdjson::dom::parser parser;
  simdjson::dom::object object;
  std::map<std::string_view, simdjson::dom::element> fields;
  if (parser.parse(body.data(), body.size()).get(object) == simdjson::SUCCESS)
    for (const auto& [key, value] : object) fields.insert_or_assign(key, value);  // of equal keys the last one counts
  const auto change = fields.find("change");
  std::string_view wanted;
  if (change == fields.end() || change->second.get(wanted) != simdjson::SUCCESS) {
    return fail(ErrorCode::kInvalidArgument, R"(the body must be an object such as {"change": "vus=200"})");
  }
  plan::LoadRequest request;
  for (const auto& [key, value] : fields) {
    std::string_view text;
    std::uint64_t number = 0;
    if (key == "workflow" && value.get(text) == simdjson::SUCCESS) {
      request.workflow = text;
    } else if (key == "basis_tick" && value.get(number) == simdjson::SUCCESS) {
      request.basis_tick = number;
    } else if (key != "change") {
      return fail(ErrorCode::kInvalidArgument,
                  "besides 'change' there may be 'workflow', a text, and 'basis_tick', a whole number");
    }
  }
  auto command = plan::read_load_command(wanted);
  if (!command) return fail(command.error());
  request.command = *command;
  return request;
}

Result<std::unique_ptr<runtime::TokenFile>> made_token(const std::string& path) {
  const std::string folder = path.substr(0, path.rfind('/'));
  if (Status opened = runtime::open_private_folder(folder); !opened) return fail(opened.error());
  return runtime::TokenFile::make(path);
}

}  // namespace

struct RunApi::Parts : std::enable_shared_from_this<RunApi::Parts> {
  Parts(asio::io_context& context, RunApiActions run_actions)
      : io(context),
        actions(std::move(run_actions)),
        feeds("feed", static_cast<std::uint32_t>(usable_cores().size()) * kFeedsPerCore,
              {.cost = runtime::PermitCost::kOne}, metrics) {}

  asio::io_context& io;
  RunApiActions actions;
  runtime::Metrics metrics;
  runtime::Facet feeds;
  std::shared_ptr<runtime::HttpServer> server;
  std::unique_ptr<runtime::TokenFile> token_file;
  std::string url;

  asio::awaitable<Response> moment(RequestPtr) { co_return Response::json(200, actions.live().json + "\n"); }

  asio::awaitable<Response> page(RequestPtr) {
    Response response = Response::text(200, actions.metrics() + metrics.expose());
    response.content_type = "text/plain; version=0.0.4; charset=utf-8";
    co_return response;
  }

  asio::awaitable<Response> feed(RequestPtr request) {
    const auto interval = interval_of(*request);
    if (!interval) co_return Response::error(interval.error());
    auto permit = feeds.try_acquire({}, runtime::mono_now());
    if (!permit) co_return Response::error(permit.error());
    Response response;
    response.content_type = "text/event-stream";
    response.headers.push_back({"cache-control", "no-store"});
    const auto executor = co_await asio::this_coro::executor;
    response.feed = std::make_shared<AdmittedFeed>(std::move(*permit),
                                                   std::make_unique<LiveFeed>(executor, actions.live, *interval));
    co_return response;
  }

  asio::awaitable<Response> change(RequestPtr request) {
    auto asked = change_of(request->body.text());
    if (!asked) co_return Response::error(asked.error());
    const auto executor = co_await asio::this_coro::executor;
    const auto answered = std::make_shared<asio::steady_timer>(executor, asio::steady_timer::time_point::max());
    const auto answer = std::make_shared<std::optional<Result<std::string>>>();
    actions.change(*asked, [answered, answer](Result<std::string> result) {
      *answer = std::move(result);
      answered->cancel();
    });
    while (!answer->has_value()) co_await answered->async_wait(runtime::kAwait);
    if (**answer) co_return Response::json(200, ***answer + "\n");
    co_return Response::error((*answer)->error());
  }

  asio::awaitable<Response> stop(RequestPtr) {
    actions.stop();
    JsonWriter json;
    json.begin_object(JsonWriter::Layout::kCompact);
    json.field("accepted", true);
    json.end_object();
    co_return Response::json(202, json.take_text());
  }

  runtime::Router routes() {
    using Handler = asio::awaitable<Response> (Parts::*)(RequestPtr);
    const auto calls = [this](Handler handler) {
      return
          [self = shared_from_this(), handler](RequestPtr request) { return ((*self).*handler)(std::move(request)); };
    };
    runtime::Router router;
    router.add({.method = "GET", .path = "/healthz", .handler = [](RequestPtr) -> asio::awaitable<Response> {
                  co_return Response::text(200, "ok\n");
                }});
    router.add({.method = "GET", .path = "/metrics", .handler = calls(&Parts::page)});
    router.add({.method = "GET", .path = "/api/v1/run", .handler = calls(&Parts::moment), .admin = true});
    router.add({.method = "GET", .path = "/api/v1/feed", .handler = calls(&Parts::feed), .admin = true});
    router.add({.method = "POST",
                .path = "/api/v1/run/load",
                .handler = calls(&Parts::change),
                .body_bytes_max = kChangeBytesMax,
                .admin = true});
    router.add({.method = "POST", .path = "/api/v1/run/stop", .handler = calls(&Parts::stop), .admin = true});
    return router;
  }
};

RunApi::RunApi(std::shared_ptr<Parts> parts) : parts_(std::move(parts)) {}

// Breaks the reference cycle: handlers hold the parts, the server holds the handlers.
RunApi::~RunApi() {
  parts_->server.reset();
}

Result<std::unique_ptr<RunApi>> RunApi::open(asio::io_context& io, const RunApiSetup& setup, RunApiActions actions,
                                             const std::string& token_file) {
  auto parts = std::make_shared<Parts>(io, std::move(actions));
  auto access = std::make_shared<runtime::AccessRules>(
      runtime::AccessRules{.token = setup.token, .hosts = setup.hosts, .tls = setup.tls != nullptr});
  if (!access->token) {
    auto made = made_token(token_file);
    if (!made) return fail(made.error().code, "--api: " + made.error().context);
    parts->token_file = std::move(*made);
    access->token = parts->token_file->token();
  }
  runtime::HttpServerOptions options;
  options.access = std::move(access);
  options.tls = setup.tls;
  parts->server = std::make_shared<runtime::HttpServer>(io.get_executor(), "run", parts->routes(),
                                                        runtime::HttpLimits(), parts->metrics, std::move(options));
  const auto bound = parts->server->bind(setup.host, setup.port);
  if (!bound) return fail(bound.error().code, "--api: " + bound.error().context);
  const bool v6 = bound->address().is_v6();
  parts->url = fmt::format("{}://{}{}{}:{}", setup.tls ? "https" : "http", v6 ? "[" : "", bound->address().to_string(),
                           v6 ? "]" : "", bound->port());
  asio::co_spawn(io, parts->server->serve(), asio::detached);
  return std::unique_ptr<RunApi>(new RunApi(std::move(parts)));
}

std::optional<std::string> RunApi::token_file() const {
  if (!parts_->token_file) return std::nullopt;
  return parts_->token_file->path();
}

std::string RunApi::url() const {
  return parts_->url;
}

void RunApi::close(std::function<void()> done) {
  parts_->server->stop_accepting();
  asio::co_spawn(parts_->io, parts_->server->close(kRunApiPatience),
                 [parts = parts_, done = std::move(done)](const std::exception_ptr&) { done(); });
}

}  // namespace hyperscale::node
