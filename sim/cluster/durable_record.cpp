#include "sim/cluster/durable_record.h"

#include "base/crc32c.h"
#include "base/endian.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace hyperscale::sim {
namespace {

constexpr std::array<std::string_view, 2> kCopies{"state.0", "state.1"};
constexpr std::size_t kWords = 4;  // sequence, incarnation, term, heard until
constexpr std::size_t kChecksumBytes = 4;
constexpr std::size_t kFixedBytes = kChecksumBytes + kWords * 8;

std::vector<std::uint8_t> encode(const SavedState& saved) {
  std::vector<std::uint8_t> bytes(kFixedBytes);
  std::uint8_t* word = bytes.data() + kChecksumBytes;
  for (const std::uint64_t value : {saved.sequence, saved.state.incarnation.value(), saved.state.term.value(),
                                    static_cast<std::uint64_t>(saved.state.heard_until.ns())}) {
    store_le64(word, value);
    word += 8;
  }
  bytes.insert(bytes.end(), saved.state.voted_for.begin(), saved.state.voted_for.end());
  store_le32(bytes.data(), crc32c(ByteView(bytes).subspan(kChecksumBytes)));
  return bytes;
}

std::optional<SavedState> decode(ByteView bytes) {
  if (bytes.size() < kFixedBytes) return std::nullopt;
  if (load_le32(bytes.data()) != crc32c(bytes.subspan(kChecksumBytes))) return std::nullopt;
  const std::uint8_t* words = bytes.data() + kChecksumBytes;
  const ByteView name = bytes.subspan(kFixedBytes);
  return SavedState{.sequence = load_le64(words),
                    .state = {.incarnation = wire::Incarnation(load_le64(words + 8)),
                              .term = wire::Term(load_le64(words + 16)),
                              .voted_for = std::string(name.begin(), name.end()),
                              .heard_until = WallTime::from_ns(static_cast<std::int64_t>(load_le64(words + 24)))}};
}

}  // namespace

// A damaged first copy beside a sound second one was torn before it was confirmed; or it rotted, and the second is
// equal. A damaged second copy is older than a sound first one, or equal.
Result<SavedState> load_state(ProcessContext& context) {
  std::array<std::optional<SavedState>, kCopies.size()> copies;
  const SavedState* newest = nullptr;
  for (std::size_t i = 0; i < kCopies.size(); ++i) {
    const auto bytes = context.read(kCopies[i]);
    if (bytes) copies[i] = decode(*bytes);
    if (copies[i] && (newest == nullptr || copies[i]->sequence > newest->sequence)) newest = &*copies[i];
  }
  if (newest == nullptr) {
    // A torn first save was never confirmed; the second copy exists only once the first was safe.
    if (context.read(kCopies[1])) return fail(ErrorCode::kInternal, "no copy of the state is sound");
    return SavedState();
  }
  for (std::size_t i = 0; i < kCopies.size(); ++i) {
    if (copies[i] && copies[i]->sequence == newest->sequence) continue;
    if (!context.write(kCopies[i], encode(*newest))) return fail(ErrorCode::kUnavailable, "the disk is full");
    if (!context.sync()) return fail(ErrorCode::kUnavailable, "died in a sync of its disk");
  }
  return *newest;
}

SaveResult save_state(ProcessContext& context, const SavedState& saved) {
  const std::vector<std::uint8_t> bytes = encode(saved);
  for (const std::string_view copy : kCopies) {
    if (!context.write(copy, bytes)) return SaveResult::kDiskFull;
    if (!context.sync()) return SaveResult::kDied;
  }
  return SaveResult::kSafe;
}

}  // namespace hyperscale::sim
