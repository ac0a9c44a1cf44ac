// Any bytes as an HTTP/1.1 response: this parser, llhttp and http-parser, all strict, say the same, or the difference
// is one of those that explained_difference() lists.
#include "explained_difference.h"
#include "peer_reading.h"
#include "response_properties.h"

namespace hyperscale::load::fuzz {
namespace {

bool same(const Reading& ours, const PeerReading& theirs) {
  if (ours.accepted != theirs.accepted) return false;
  return !ours.accepted || (ours.status == theirs.status && ours.keep_alive == theirs.keep_alive &&
                            ours.consumed == theirs.consumed && ours.body == theirs.body);
}

void compare(Peer peer, Expect expect, std::string_view name, const Reading& ours, const PeerReading& theirs,
             std::string_view stream) {
  if (same(ours, theirs) || explained_difference(peer, expect, ours, theirs, stream) != nullptr) return;
  UNREACHABLE(
      "{} differs: accepted {} / {}, status {} / {}, keep-alive {} / {}, consumed {} / {}, body {} / {}, error {} / {}",
      name, ours.accepted, theirs.accepted, ours.status, theirs.status, ours.keep_alive, theirs.keep_alive,
      ours.consumed, theirs.consumed, ours.body.size(), theirs.body.size(), ours.error, theirs.error);
}

}  // namespace
}  // namespace hyperscale::load::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hyperscale::load::fuzz;
  if (size < kControlBytes) return 0;
  const auto expect = expect_of(data[1]);
  const hyperscale::ByteView bytes(data + kControlBytes, size - kControlBytes);
  const std::string_view stream(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const Reading ours = read_whole(bytes, expect);
  compare(Peer::kLlhttp, expect, "llhttp", ours, read_with_llhttp(bytes, expect), stream);
  compare(Peer::kHttpParser, expect, "http-parser", ours, read_with_http_parser(bytes, expect), stream);
  return 0;
}
