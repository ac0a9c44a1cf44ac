// What holds for a user's cookies and redirects whatever a target sends. The input is a conversation, a line each:
//
//   1st byte  "c": a Set-Cookie field follows; anything else: a Location field
//   2nd byte  which host of kHosts it comes from, by its low bits
//   3rd byte  bit 0: over TLS; the other bits: which status of a redirect, which path
//   the rest  the value of the field
//
// Violations are CHECKs. For the fuzzer and for the unit test that replays its seeds.
#pragma once

#include "base/check.h"
#include "load/protocols/http/cookie_jar.h"
#include "load/protocols/http/http_origin.h"
#include "load/protocols/http/public_suffixes.h"
#include "load/protocols/http/request_preparation.h"
#include "plan/ascii.h"
#include "plan/host.h"
#include "plan/url.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace hyperscale::load {

class CookieRedirectCheck {
 public:
  CookieRedirectCheck() {
    auto origin = std::make_unique<HttpOrigin>();
    origin->host = kHosts[0];
    origin->port = 8080;
    environment_.origins.push_back(std::move(origin));
    const auto suffixes = PublicSuffixes::load();
    CHECK(suffixes, "{}", suffixes.error().context);
    suffixes_ = *suffixes;
  }

  void run(std::string_view input) {
    jar_.clear();
    now_ = WallTime() + kStart;
    for (std::size_t lines = 0; !input.empty() && lines < kLinesMax; ++lines) {
      const std::size_t end = std::min(input.find('\n'), input.size());
      const std::string_view line = input.substr(0, end);
      input.remove_prefix(std::min(end + 1, input.size()));
      if (line.size() < 3) continue;
      const auto choice = static_cast<unsigned char>(line[2]);
      const std::string_view host = kHosts[static_cast<unsigned char>(line[1]) % kHosts.size()];
      if (line[0] == 'c') {
        set_cookie(line.substr(3),
                   {.host = host, .path = kPaths[(choice >> 1) % kPaths.size()], .secure = (choice & 1) != 0});
      } else {
        redirect(std::string(line.substr(3)), std::string(host), (choice & 1) != 0,
                 kStatuses[(choice >> 1) % kStatuses.size()]);
      }
    }
  }

 private:
  static constexpr std::size_t kLinesMax = 300;
  static constexpr Duration kStart = std::chrono::hours(24 * 15'000);  // in 2011
  static constexpr std::array<std::string_view, 8> kHosts = {
      "home.example.org", "sibling.home.example.org", "example.org", "127.0.0.1",
      "localhost",        "www.example.co.uk",        "co.uk",       "::1"};
  static constexpr std::array<std::string_view, 4> kPaths = {"/", "/cookie-parser?x", "/a/b/c", "/a/b/"};
  static constexpr std::array<std::uint16_t, 5> kStatuses = {301, 302, 303, 307, 308};

  void set_cookie(std::string_view field, const CookieScope& from) {
    now_ += std::chrono::seconds(1);
    jar_.store(field, from, now_, suffixes_);
    CHECK(jar_.size() <= kCookiesMax && jar_.bytes() <= kJarBytesMax, "{} cookies, {} bytes", jar_.size(),
          jar_.bytes());
    for (const std::string_view host : kHosts)
      for (const std::string_view path : kPaths)
        for (const bool secure : {false, true}) check_sent({.host = host, .path = path, .secure = secure});
  }

  void check_sent(const CookieScope& to) const {
    std::string header;
    std::size_t path_bytes = SIZE_MAX;
    for (const Cookie* cookie : jar_.cookies_for(to, now_)) {
      check_cookie(*cookie, to);
      CHECK(cookie->path.size() <= path_bytes, "a longer path comes later");
      path_bytes = cookie->path.size();
      header.append(header.empty() ? "" : "; ").append(cookie->text);
    }
    CHECK(jar_.header_for(to, now_) == header);
  }

  void check_cookie(const Cookie& cookie, const CookieScope& to) const {
    CHECK(!cookie.name().empty() && cookie.expires > now_);
    CHECK(std::ranges::none_of(cookie.text, [](char c) { return (plan::is_control(c) && c != '\t') || c == ';'; }));
    CHECK(!cookie.secure || to.secure);
    CHECK(to.path.starts_with(cookie.path) && cookie.path.starts_with('/'));
    if (to.host == cookie.domain) return;
    CHECK(!cookie.host_only && to.host.ends_with("." + cookie.domain), "{} gets a cookie of {}", to.host,
          cookie.domain);
    CHECK(!plan::is_ipv4_address(to.host) && !suffixes_->contains(cookie.domain));
  }

  void redirect(const std::string& location, const std::string& host, bool secure, std::uint16_t status) {
    const bool v6 = host.find(':') != std::string::npos;
    const plan::Request asked{
        .method = "POST",
        .url = fmt::format("http{}://{}{}{}:8080/a/b?c", secure ? "s" : "", v6 ? "[" : "", host, v6 ? "]" : ""),
        .headers = {{"Authorization", "Basic eDp5"}, {"Cookie", "own=1"}},
        .body = "body"};
    const auto sent = prepare_request(asked, {});
    CHECK(sent, "{}", sent.error().context);
    const auto next = redirected_request(*sent, status, location);
    if (!next) return;
    const auto from = plan::parse_url(asked.url);
    const auto to = plan::parse_url(next->source->url);
    CHECK(to && to->text() == next->source->url, "{}", next->source->url);
    CHECK(to->host == next->host && to->port == next->port && to->secure() == next->secure);
    const auto again = plan::resolve_reference(*to, to->text());
    CHECK(again && again->text() == to->text(), "{} leads on to itself", to->text());
    const bool same = to->host == from->host && to->port == from->port && to->secure() == from->secure();
    CHECK((next->h1.find("\r\nAuthorization: Basic eDp5\r\n") != std::string::npos) == same);
    CHECK((next->h1.find("\r\nCookie: own=1\r\n") != std::string::npos) == same);
    const std::string_view head = std::string_view(next->h1).substr(0, next->h1.find("\r\n\r\n"));
    CHECK(next->h1.size() == head.size() + 4 + next->body.size(), "the head ends once");
    for (std::size_t i = 0; i < head.size(); ++i)
      CHECK(!plan::is_control(head[i]) || head[i] == '\r' || (head[i] == '\n' && i > 0 && head[i - 1] == '\r'));
    const bool named = to->host == kHosts[0] && (to->port == 8080 || to->port == (to->secure() ? 443 : 80));
    CHECK(environment_.may_redirect_to(to->host, to->port, to->secure()) == named);
  }

  std::unique_ptr<EventLoop> loop_ = std::move(*make_event_loop(LoopBackend::kEpoll));
  HttpEnvironment environment_{*loop_};
  const PublicSuffixes* suffixes_ = nullptr;
  CookieJar jar_;
  WallTime now_;
};

}  // namespace hyperscale::load
