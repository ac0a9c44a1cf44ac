#include "intake/connection_from_options.h"

#include "intake/file_content.h"
#include "plan/host.h"
#include "plan/limits.h"
#include "plan/option_values.h"
#include "plan/url.h"

#include <algorithm>

#include <fmt/format.h>

namespace hyperscale::intake {
namespace {

constexpr std::uint64_t kInFlightMax = 1'000;

Status read_timeout(std::string_view option, const std::string& text, Duration& into) {
  if (text.empty()) return {};
  const auto duration = plan::read_duration(option, text);
  if (!duration) return fail(duration.error());
  if (*duration == Duration::zero()) return plan::wrong_option(option, "must be above zero");
  into = *duration;
  return {};
}

template <typename Number>
Status read_number(std::string_view option, const std::string& text, std::uint64_t min, std::uint64_t max,
                   Number& into) {
  if (text.empty()) return {};
  const auto count = plan::read_count(option, text, min, max);
  if (!count) return fail(count.error());
  into = static_cast<Number>(*count);
  return {};
}

// "5", "anywhere" or "5,anywhere".
Status read_redirects(std::string_view text, plan::Http& http) {
  constexpr std::string_view kAnywhere = "anywhere";
  if (text.ends_with(kAnywhere) &&
      (text.size() == kAnywhere.size() || text[text.size() - kAnywhere.size() - 1] == ',')) {
    http.redirects_anywhere = true;
    text.remove_suffix(std::min(text.size(), kAnywhere.size() + 1));
  }
  return read_number("--redirects", std::string(text), 0, plan::kRedirectsMax, http.redirects_max);
}

Status read_pem(std::string_view option, const std::string& path, std::string_view mark, std::string& into) {
  if (path.empty()) return {};
  auto content = read_whole_file(path, plan::kPemBytesMax);
  if (!content) return plan::wrong_option(option, content.error().context);
  if (content->find(mark) == std::string::npos) {
    return plan::wrong_option(option, fmt::format("{} has no PEM block with {}", path, mark));
  }
  into = std::move(*content);
  return {};
}

Status check_proxy(const NetworkOptions& options) {
  if (options.proxy.empty()) return {};
  const auto url = plan::parse_url(options.proxy);
  if (!url) return plan::wrong_option("--proxy", url.error().context);
  if (url->secure()) return plan::wrong_option("--proxy", "only proxies that are spoken to by http:// are supported");
  if (!options.unix_socket.empty()) return plan::wrong_option("--unix-socket", "cannot be reached through --proxy");
  return {};
}

}  // namespace

Result<plan::Network> network_of(const NetworkOptions& options) {
  plan::Network network;
  plan::Timeouts& timeouts = network.timeouts;
  for (const Status& read :
       {read_timeout("--timeout", options.timeout, timeouts.total),
        read_timeout("--connect-timeout", options.connect_timeout, timeouts.connect),
        read_timeout("--tls-timeout", options.tls_timeout, timeouts.tls),
        read_timeout("--first-byte-timeout", options.first_byte_timeout, timeouts.first_byte), check_proxy(options)}) {
    if (!read) return fail(read.error());
  }
  if (options.ipv4 && options.ipv6) return plan::wrong_option("-4", "contradicts -6");
  if (options.ipv4) network.family = plan::AddressFamily::kIpv4;
  if (options.ipv6) network.family = plan::AddressFamily::kIpv6;
  for (const std::string& source : options.sources) {
    if (!plan::is_ipv4_address(source) && !plan::is_ipv6_address(source)) {
      return plan::wrong_option("--source", fmt::format("{} is not an IP address", plan::shown(source)));
    }
  }
  if (options.unix_socket.size() > plan::kSocketPathBytesMax) {
    return plan::wrong_option("--unix-socket", fmt::format("a path has at most {} bytes", plan::kSocketPathBytesMax));
  }
  network.source_addresses = options.sources;
  network.unix_socket = options.unix_socket;
  network.proxy = options.proxy;
  return network;
}

Result<plan::Http> http_of(const HttpOptions& options) {
  plan::Http http;
  if (options.http1 && options.http2) return plan::wrong_option("--http1", "contradicts --http2");
  if (options.http1) http.version = plan::HttpVersion::kHttp1;
  if (options.http2) http.version = plan::HttpVersion::kHttp2;
  http.keep_alive = !options.no_keepalive;
  http.cookies = !options.no_cookies;
  http.new_user_per_iteration = options.new_user_per_iteration;
  for (const Status& read : {read_number("--pipeline", options.pipeline, 1, kInFlightMax, http.pipeline),
                             read_number("--streams", options.streams, 1, kInFlightMax, http.streams),
                             read_redirects(options.redirects, http),
                             read_number("--requests-per-connection", options.requests_per_connection, 1,
                                         UINT64_MAX >> 1, http.requests_per_connection)}) {
    if (!read) return fail(read.error());
  }
  if (http.pipeline > 1 && options.http2)
    return plan::wrong_option("--pipeline", "is for HTTP/1.1; use --streams with --http2");
  if (http.streams > 1 && options.http1)
    return plan::wrong_option("--streams", "is for HTTP/2; use --pipeline with --http1");
  if (!http.keep_alive && http.requests_per_connection > 1) {
    return plan::wrong_option("--requests-per-connection", "contradicts --no-keepalive");
  }
  if (http.new_user_per_iteration && (http.pipeline > 1 || http.streams > 1))
    return plan::wrong_option("--new-user-per-iteration",
                              "contradicts --pipeline and --streams: their requests share a user");
  if (!http.keep_alive && http.pipeline > 1) return plan::wrong_option("--pipeline", "contradicts --no-keepalive");
  return http;
}

Result<plan::Tls> tls_of(const TlsOptions& options) {
  plan::Tls tls;
  tls.insecure = options.insecure;
  tls.resume = !options.no_resume;
  tls.server_name = options.server_name;
  if (options.key_file.empty() != options.certificate_file.empty()) {
    return plan::wrong_option(options.key_file.empty() ? "--cert" : "--key", "--cert and --key go together");
  }
  for (const Status& read : {read_pem("--cacert", options.ca_file, "CERTIFICATE", tls.ca_pem),
                             read_pem("--cert", options.certificate_file, "CERTIFICATE", tls.certificate_pem),
                             read_pem("--key", options.key_file, "PRIVATE KEY", tls.key_pem)}) {
    if (!read) return fail(read.error());
  }
  return tls;
}

}  // namespace hyperscale::intake
