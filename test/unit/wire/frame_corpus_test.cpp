// Replays the seeds of the frame fuzzer, with every truncation of each, in an ordinary test run.
#include "base/endian.h"
#include "base/prng.h"
#include "frame_properties.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

namespace hyperscale::wire {
namespace {

using Bytes = std::vector<std::uint8_t>;

std::vector<Bytes> corpus() {
  std::vector<Bytes> seeds;
  for (const auto& entry : std::filesystem::directory_iterator(FRAME_CORPUS_DIR)) {
    std::ifstream file(entry.path(), std::ios::binary);
    seeds.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return seeds;
}

// proves: NODE-TEST-5
TEST(FrameCorpus, EverySeedAndPrefixKeepsTheProperties) {
  const std::vector<Bytes> seeds = corpus();
  ASSERT_GE(seeds.size(), 10u);
  for (const Bytes& seed : seeds) {
    for (std::size_t kept = 0; kept <= seed.size(); ++kept) fuzz::check_frame_decoder(ByteView(seed).first(kept));
  }
}

// proves: NODE-TEST-5
TEST(FrameCorpus, SeedsWithAMutatedByteKeepTheProperties) {
  Prng prng(2024);
  for (const Bytes& seed : corpus()) {
    for (int round = 0; round < 200 && !seed.empty(); ++round) {
      Bytes mutated = seed;
      mutated[prng.below(mutated.size())] = static_cast<std::uint8_t>(prng.next());
      fuzz::check_frame_decoder(mutated);
    }
  }
}

// proves: NODE-TEST-5
TEST(FrameCorpus, BoundarySizesOfTheLengthField) {
  for (const std::uint32_t length : {0u, 1u, 15u, 16u, 17u, 63u, 64u, 65u, (1u << 20) - 1, 1u << 20, (1u << 20) + 1,
                                     0x7fffffffu, 0x80000000u, 0xffffffffu}) {
    for (const std::uint8_t flags : {0, 1, 2, 3}) {
      Bytes input{1, flags, 0, 0, 0, 0, 1, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0};
      store_be32(input.data() + fuzz::kControlBytes, length);
      // Enough payload for every length that any limit accepts, and none at all.
      fuzz::check_frame_decoder(input);
      input.resize(input.size() + (1u << 20) - 16, 'p');
      fuzz::check_frame_decoder(input);
    }
  }
}

Bytes ping_of(std::size_t payload_bytes) {
  return encode_frame({.type = FrameType::kPing,
                       .correlation = 9,
                       .payload = SharedBytes::adopt(std::vector<std::uint8_t>(payload_bytes, 'p'))});
}

fuzz::Outcome decoded(const Bytes& stream) {
  return fuzz::decode(stream, {.max_frame_bytes = kMaxFrameBytesDefault}, nullptr);
}

// The properties allow a decoder that refuses too much; here each bound is met from both sides.
// proves: NODE-TEST-5
TEST(FrameCorpus, TheBoundsAreAcceptedAndNothingBeyond) {
  constexpr std::size_t kLargest = kMaxFrameBytesDefault - kFrameLengthMin;
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, kLargest - 1, kLargest}) {
    const fuzz::Outcome outcome = decoded(ping_of(size));
    ASSERT_EQ(outcome.frames.size(), 1U) << size;
    EXPECT_EQ(outcome.frames[0].payload.view().size(), size);
    EXPECT_FALSE(outcome.error) << size;
  }
  const fuzz::Outcome beyond = decoded(ping_of(kLargest + 1));
  EXPECT_TRUE(beyond.frames.empty());
  ASSERT_TRUE(beyond.error);
  EXPECT_EQ(beyond.error->code, ErrorCode::kTooLarge);
  Bytes below = ping_of(0);
  store_be32(below.data(), kFrameLengthMin - 1);
  ASSERT_TRUE(decoded(below).error);
  EXPECT_EQ(decoded(below).error->code, ErrorCode::kProtocol);
}

// proves: NODE-TEST-5
TEST(FrameCorpus, EveryMalformedHeaderAndEveryPrefixIsAnError) {
  struct Malformed {
    std::size_t at;
    std::uint8_t value;
  };
  const Malformed kVersion{4, 2}, kVersionZero{4, 0}, kTypeZero{5, 0}, kTypeSeven{5, 7}, kCodeHigh{6, 1},
      kCodeLow{7, 1};
  for (const Malformed& each : {kVersion, kVersionZero, kTypeZero, kTypeSeven, kCodeHigh, kCodeLow}) {
    Bytes frame = ping_of(3);
    frame[each.at] = each.value;
    fuzz::fix_checksums(frame);
    const fuzz::Outcome outcome = decoded(frame);
    EXPECT_TRUE(outcome.frames.empty()) << each.at;
    ASSERT_TRUE(outcome.error) << each.at;
    EXPECT_EQ(outcome.error->code, ErrorCode::kProtocol) << each.at;
  }
  const Bytes whole = ping_of(3);
  for (const std::size_t at : {std::size_t{8}, std::size_t{16}, std::size_t{19}, whole.size() - 1}) {
    Bytes frame = whole;
    frame[at] ^= 1;
    EXPECT_TRUE(decoded(frame).error) << "the checksum covers byte " << at;
  }
  for (std::size_t kept = 1; kept < whole.size(); ++kept) {
    const fuzz::Outcome outcome = decoded(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(kept)));
    EXPECT_TRUE(outcome.frames.empty()) << kept;
    EXPECT_TRUE(outcome.error) << kept;
  }
}

}  // namespace
}  // namespace hyperscale::wire
