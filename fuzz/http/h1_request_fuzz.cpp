// Any bytes as an HTTP/1.1 connection: limits hold, and how the bytes were cut into reads makes no difference to what
// an accepted request says.
#include "base/check.h"
#include "runtime/http/h1_parser.h"
#include "runtime/http/http_target.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace {

using namespace hyperscale::runtime;
using Progress = H1Parser::Progress;

constexpr std::uint64_t kHeadBytesMax = 512;
constexpr std::uint64_t kBodyBytesMax = 64;

struct Outcome {
  bool complete = false;
  std::string method;
  std::string target;
  std::string body;
  std::size_t headers = 0;
};

Outcome parse(std::string_view text, std::size_t piece) {
  H1Parser parser(kHeadBytesMax);
  BodyBuffer body(kBodyBytesMax);
  Outcome outcome;
  std::string pending;
  bool head_seen = false;
  for (std::size_t at = 0; at < text.size(); at += piece) {
    pending += text.substr(at, piece);
    Progress progress = Progress::kNeedMore;
    do {
      const H1Parser::Fed fed = parser.feed(pending);
      CHECK(fed.used <= pending.size());
      pending.erase(0, fed.used);
      progress = fed.progress;
      if (!head_seen && (progress == Progress::kHeadDone || progress == Progress::kDone)) {
        head_seen = true;
        outcome.method = parser.head().method;
        outcome.target = parser.head().target;
        outcome.headers = parser.head().headers.size();
        parser.take_body(body);
      }
    } while (progress == Progress::kHeadDone);
    if (progress == Progress::kDone) {
      outcome.complete = true;
      break;
    }
    if (progress != Progress::kNeedMore) break;
  }
  outcome.body = body.take();
  CHECK(outcome.body.size() <= kBodyBytesMax);
  return outcome;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
  const Outcome whole = parse(text, text.size());
  const Outcome pieces = parse(text, 1 + data[0] % 64);
  if (whole.complete && pieces.complete) {
    CHECK(whole.method == pieces.method && whole.target == pieces.target && whole.headers == pieces.headers);
    CHECK(whole.body == pieces.body);
  }
  if (const auto path = path_of_target(whole.target)) CHECK(path->starts_with('/'));
  query_parameter(whole.target, "a");
  return 0;
}
