#include "plan/raw_request.h"

#include "plan/limits.h"
#include "plan/protocol.h"
#include "plan/url.h"

#include <algorithm>

#include <fmt/format.h>

namespace hyperscale::plan {
namespace {}  // namespace

bool is_raw_request(const Request& request) {
  const std::string& method = request.method;
  return is_raw_url(request.url) && (method == "TCP" || method == "TLS" || method == "UDP");
}

Status check_raw_request(const Request& request) {
  if (const auto url = parse_raw_url(request.url); !url) return fail(url.error());
  const bool datagram = protocol_of(request.url) == Protocol::kUdp;
  if (request.body.empty())
    return invalid("send: there is nothing to send; an answer comes to something that was sent");
  const std::size_t most = datagram ? kDatagramBytesMax : kBodyBytesMax;
  if (request.body.size() > most)
    return invalid(fmt::format("send: {} bytes, at most {} {}", request.body.size(), most,
                               datagram ? "fit into a datagram" : "are sent"));
  if (request.until.size() > kUntilBytesMax)
    return invalid(fmt::format("until: {} bytes, at most {} are looked for", request.until.size(), kUntilBytesMax));
  if (request.read_bytes == 0) return {};
  if (datagram)
    return invalid("read: is for tcp:// and tls://; an answer over UDP is a datagram, which comes as a whole");
  if (!request.until.empty()) return invalid("read: contradicts until; give one of them");
  if (request.read_bytes > kRawAnswerBytesMax)
    return invalid(fmt::format("read: {} bytes, an answer has at most {}", request.read_bytes, kRawAnswerBytesMax));
  return {};
}

std::string raw_name(const Request& request) {
  std::string name = request.url;
  if (name.size() > kNameBytesMax) name.resize(kNameBytesMax);
  return name;
}

bool uses_datagrams(const Plan& plan) {
  const auto is_datagram = [](const Request& request) { return protocol_of(request.url) == Protocol::kUdp; };
  const auto sends_some = [&](const Step& step) { return std::ranges::any_of(step.requests, is_datagram); };
  // A function that sends datagrams contains `udp`, wherever its URL comes from.
  const auto may_send = [](const Blob& file) { return file.content.find("udp") != std::string::npos; };
  return std::ranges::any_of(plan.steps, sends_some) || std::ranges::any_of(plan.script.files, may_send);
}

}  // namespace hyperscale::plan
