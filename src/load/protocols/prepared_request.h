// PreparedRequest: the Prepared of HTTP.
//
// HTTP/1.1: `h1` is the whole request, ready to be written; headers that differ per user (cookies) are patched in at
// `h1_patch`, the offset of the empty line that ends the head. HTTP/2: names and values in lower case, pseudo headers
// first.
#pragma once

#include "load/protocols/prepared.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace hyperscale::load {

struct HeaderPair {
  std::string name;
  std::string value;
};

// How all requests of a plan are encoded.
struct RequestShape {
  std::uint32_t pipeline = 1;
  bool keep_alive = true;
  bool through_proxy =
      false;  // clear text: absolute target, Proxy-Authorization; TLS: a tunnel, the proxy sees neither
  std::string proxy_authorization;
  bool wants_headers = false;
  bool wants_body = false;
};

struct PreparedRequest final : Prepared {
  PreparedRequest() : Prepared(Protocol::kHttp) {}

  void want_all() override {
    Prepared::want_all();
    RequestShape all = *shape;
    all.wants_headers = all.wants_body = true;
    shape = std::make_shared<const RequestShape>(std::move(all));
  }

  std::string h1;
  std::size_t h1_patch = 0;
  std::string h1_pipelined;  // h1 repeated as often as the plan pipelines
  std::vector<HeaderPair> h2;
  std::string body;
  bool is_head = false;
  bool idempotent = false;    // RFC 9110, section 9.2.2: repeating it has the effect of sending it once
  bool asks_upgrade = false;  // has an Upgrade field: a 101 is a valid answer
  bool has_cookies = false;   // the user's own, or the jar's
  std::string path;           // with query; for cookies and redirects
  std::shared_ptr<const RequestShape> shape;
};

}  // namespace hyperscale::load
