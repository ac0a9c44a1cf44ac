#include "intake/raw_from_options.h"

#include "plan/byte_escapes.h"
#include "plan/limits.h"
#include "plan/option_values.h"
#include "plan/protocol.h"
#include "plan/raw_request.h"
#include "plan/url.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace hyperscale::intake {
namespace {

struct Given {
  std::string_view option;
  bool given;
};

std::vector<Given> http_options(const RunOptions& options) {
  const RequestOptions& request = options.request;
  const HttpOptions& http = options.http;
  return {{"--urls-from-file", !request.urls_file.empty()},
          {"--header", !request.headers.empty()},
          {"--method", !request.method.empty()},
          {"--body", request.body_given},
          {"--body-file", !request.body_file.empty()},
          {"--json-body", !request.json_body.empty()},
          {"--form", !request.form.empty()},
          {"--graphql", !request.graphql.empty()},
          {"--variables", !request.variables.empty()},
          {"--operation", !request.operation.empty()},
          {"--auth", !request.auth.empty()},
          {"--compressed", request.compressed},
          {"--expect-status", !request.expect_status.empty()},
          {"--http1", http.http1},
          {"--http2", http.http2},
          {"--pipeline", !http.pipeline.empty()},
          {"--streams", !http.streams.empty()},
          {"--redirects", !http.redirects.empty()},
          {"--no-cookies", http.no_cookies},
          {"--proxy", !options.network.proxy.empty()},
          {"--unix-socket", !options.network.unix_socket.empty()}};
}

std::vector<Given> tls_options(const RunOptions& options) {
  const TlsOptions& tls = options.tls;
  return {{"--insecure", tls.insecure},
          {"--cacert", !tls.ca_file.empty()},
          {"--cert", !tls.certificate_file.empty()},
          {"--key", !tls.key_file.empty()},
          {"--server-name", !tls.server_name.empty()},
          {"--no-tls-resume", tls.no_resume},
          {"--tls-timeout", !options.network.tls_timeout.empty()}};
}

std::vector<Given> raw_options(const RequestOptions& request) {
  return {{"--send", request.send_given}, {"--until", request.until_given}, {"--read", !request.read.empty()}};
}

Status refuse(const std::vector<Given>& options, std::string_view why) {
  const auto given = std::ranges::find_if(options, &Given::given);
  if (given == options.end()) return {};
  return plan::wrong_option(given->option, why);
}

Result<std::string> bytes_of(std::string_view option, const std::string& text) {
  auto bytes = plan::unescaped(text);
  if (!bytes) return plan::wrong_option(option, bytes.error().context);
  return bytes;
}

}  // namespace

Status check_protocol_options(const RunOptions& options) {
  const std::string& url = options.request.url;
  if (!plan::is_raw_url(url)) return refuse(raw_options(options.request), "is for tcp://, tls:// and udp://");
  if (Status fine = refuse(http_options(options), "is for http:// and https://"); !fine) return fine;
  const auto parsed = plan::parse_raw_url(url);
  if (!parsed || parsed->secure()) return {};
  return refuse(tls_options(options), "is for tls:// and https://");
}

Result<plan::Step> raw_step_of(const RequestOptions& options) {
  const auto url = plan::parse_raw_url(options.url);
  if (!url) return fail(url.error());
  if (!options.send_given)
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{} needs --send: what to send, such as --send 'PING\\r\\n'", url->text()));
  plan::Request request;
  request.method = url->secure() ? "TLS" : url->scheme == "udp" ? "UDP" : "TCP";
  request.url = url->text();
  auto send = bytes_of("--send", options.send);
  if (!send) return fail(send.error());
  request.body = std::move(*send);
  auto until = bytes_of("--until", options.until);
  if (!until) return fail(until.error());
  if (options.until_given && until->empty()) return plan::wrong_option("--until", "is empty; an answer ends with it");
  request.until = std::move(*until);
  if (!options.read.empty()) {
    const auto count = plan::read_count("--read", options.read, 1, plan::kRawAnswerBytesMax);
    if (!count) return fail(count.error());
    request.read_bytes = *count;
  }
  // The request's fields have the names of the options.
  if (const Status fine = plan::check_raw_request(request); !fine)
    return fail(ErrorCode::kInvalidArgument, "--" + fine.error().context);
  plan::Step step;
  step.name = plan::raw_name(request);
  step.expect.body_contains = options.expect_body;
  step.requests = {std::move(request)};
  return step;
}

}  // namespace hyperscale::intake
