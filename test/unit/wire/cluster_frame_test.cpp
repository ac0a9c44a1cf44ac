#include "wire/cluster_frame.h"

#include "base/endian.h"
#include "base/prng.h"
#include "wire/compression.h"
#include "wire/frame.h"
#include "wire/frame_decoder.h"
#include "wire/seeded_entropy.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace hyperscale::wire {
namespace {

const ClusterScope kScope{.cluster = "prod", .environment = "eu"};
const NodeAddress kSender = address_v4(10, 0, 0, 1, 7100);

class ClusterFrame : public testing::Test {
 protected:
  MessageSeal seal_ = MessageSeal(SealForm::kFrame, *Keyring::make("kT9#vLq2@xRw7!mZ"), kScope);
  SeededEntropy entropy_ = SeededEntropy(Prng(1));

  Result<SharedBytes> sealed(std::string_view action, SharedBytes data) {
    return seal_frame_payload(seal_, {.sender = kSender, .action = std::string(action), .data = std::move(data)},
                              SnowflakeId(42), entropy_);
  }
  Result<OpenedFrame> opened(ByteView payload) { return open_frame_payload(seal_, payload); }
};

SharedBytes random_data(std::size_t size) {
  Prng prng(size);
  std::vector<std::uint8_t> bytes(size);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(prng.next());
  return SharedBytes::adopt(std::move(bytes));
}

// proves part: ARCH-FRAME-2 (questions and answers between nodes; an error frame is not sealed)
TEST_F(ClusterFrame, CarriesSenderActionAndData) {
  const std::string data(5000, 'd');
  const SharedBytes payload = *sealed("job.submit", SharedBytes::copy_of(data));
  const Result<OpenedFrame> frame = opened(payload.view());
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->id, SnowflakeId(42));
  EXPECT_EQ(frame->content.sender, kSender);
  EXPECT_EQ(frame->content.action, "job.submit");
  EXPECT_EQ(frame->content.data.text(), data);
  // Compressed first, then encrypted: small, and nothing of the content shows.
  EXPECT_LT(payload.size(), 300u);
  EXPECT_EQ(payload.text().find("job.submit"), std::string_view::npos);
  const OpenResult inside = seal_.open(payload.view());
  ASSERT_TRUE(inside);
  EXPECT_TRUE(decompress(inside->plain.view()));
}

// proves: ARCH-FRAME-1
// proves part: ARCH-FRAME-3 (a server and the decoder; not answers that reach a client together)
// proves part: ARCH-FRAME-4 (a server and the decoder; not answers that reach a client together)
// proves part: ARCH-FRAME-2 (questions and answers between nodes; an error frame is not sealed)
TEST_F(ClusterFrame, ManyFramesSurviveAnyCutOfTheStream) {
  EXPECT_TRUE(rc::check("fragmentation and coalescing", [this](std::uint64_t seed) {
    Prng prng(seed);
    std::vector<std::size_t> sizes;
    std::vector<std::uint8_t> stream;
    for (int i = 0; i < 8; ++i) {
      sizes.push_back(prng.below(i == 3 ? 60'000 : 400));
      const Frame frame{.type = FrameType::kRequest,
                        .code = 0,
                        .correlation = static_cast<std::uint64_t>(i),
                        .payload = *sealed("a", random_data(sizes.back()))};
      const std::vector<std::uint8_t> bytes = encode_frame(frame);
      // The length comes first, four bytes, big-endian, and counts what follows.
      RC_ASSERT(load_be32(bytes.data()) == bytes.size() - 4);
      stream.insert(stream.end(), bytes.begin(), bytes.end());
    }
    FrameDecoder decoder(FrameLimits{});
    std::size_t read = 0;
    ByteView left = stream;
    while (!left.empty()) {
      const std::size_t count = std::min<std::size_t>(left.size(), 1 + prng.below(prng.below(2) == 0 ? 10 : 30'000));
      RC_ASSERT(decoder.feed(left.first(count)).has_value());
      left = left.subspan(count);
      for (;;) {
        auto frame = decoder.next();
        RC_ASSERT(frame.has_value());
        if (!*frame) break;
        const Result<OpenedFrame> content = opened((*frame)->payload.view());
        RC_ASSERT(content.has_value());
        RC_ASSERT((*frame)->correlation == read);
        RC_ASSERT(content->content.data.text() == random_data(sizes.at(read)).text());
        ++read;
      }
    }
    RC_ASSERT(read == sizes.size());
    RC_ASSERT(decoder.finish().has_value());
  }));
}

// proves: SEC-6
// proves part: ARCH-FRAME-5 (a server, the decoder, unpacking; not that a client stops at a megabyte)
// proves part: ARCH-FRAME-3 (a server and the decoder; not answers that reach a client together)
// proves part: ARCH-FRAME-4 (a server and the decoder; not answers that reach a client together)
TEST_F(ClusterFrame, LargestPayloadFitsAndOneByteMoreIsRefused) {
  const std::size_t envelope = 18 + 1 + 1 + 1;  // sender, length of the action, the action, the form of compression
  const std::size_t largest = kCompressedBytesMax - envelope;
  const Result<SharedBytes> payload = sealed("a", random_data(largest));
  ASSERT_TRUE(payload);
  EXPECT_EQ(payload->size(), kSealedFrameBytesMax);
  const std::vector<std::uint8_t> stream =
      encode_frame({.type = FrameType::kRequest, .code = 0, .correlation = 1, .payload = *payload});
  FrameDecoder decoder(FrameLimits{});
  ASSERT_TRUE(decoder.feed(ByteView(stream).first(700'000)));
  const auto early = decoder.next();
  ASSERT_TRUE(early && !*early) << "not before it is whole";
  ASSERT_TRUE(decoder.feed(ByteView(stream).subspan(700'000)));
  const auto frame = decoder.next();
  ASSERT_TRUE(frame && *frame);
  const Result<OpenedFrame> content = opened((*frame)->payload.view());
  ASSERT_TRUE(content);
  EXPECT_TRUE(content->content.data.text() == random_data(largest).text());

  const Result<SharedBytes> larger = sealed("a", random_data(largest + 1));
  ASSERT_FALSE(larger);
  EXPECT_EQ(larger.error().code, ErrorCode::kTooLarge);
  const std::vector<std::uint8_t> huge(kSealedFrameBytesMax + 1, 0xF1);
  EXPECT_EQ(opened(huge).error().code, ErrorCode::kTooLarge);
}

// proves: SEC-6
// proves part: ARCH-FRAME-5 (a server, the decoder, unpacking; not that a client stops at a megabyte)
TEST_F(ClusterFrame, ABombThatKnowsTheSecretIsRefusedToo) {
  std::vector<std::uint8_t> bomb{1, 0x02, 0xfa, 0xf0, 0x80};  // claims 50,000,000 bytes
  bomb.resize(1000);
  const SharedBytes payload = seal_.seal(bomb, SnowflakeId(1), entropy_);
  EXPECT_EQ(opened(payload.view()).error().code, ErrorCode::kTooLarge);
  // Within the ratio, and a byte too large.
  store_be32(bomb.data() + 1, (50u << 20) + 1);
  bomb.resize((50u << 20) / 100 + 1);
  const SharedBytes larger = seal_.seal(bomb, SnowflakeId(2), entropy_);
  EXPECT_EQ(opened(larger.view()).error().code, ErrorCode::kTooLarge);
  store_be32(bomb.data() + 1, 50u << 20);
  const SharedBytes within = seal_.seal(bomb, SnowflakeId(3), entropy_);
  EXPECT_EQ(opened(within.view()).error().code, ErrorCode::kProtocol) << "allowed, but not what its header says";
}

TEST_F(ClusterFrame, WhatDoesNotOpenIsUnauthorized) {
  const SharedBytes payload = *sealed("a", {});
  std::vector<std::uint8_t> changed(payload.view().begin(), payload.view().end());
  changed.back() ^= 1;
  EXPECT_EQ(opened(changed).error().code, ErrorCode::kUnauthorized);
  MessageSeal other(SealForm::kFrame, *Keyring::make("kT9#vLq2@xRw7!mZ"), {.cluster = "prod", .environment = "us"});
  EXPECT_EQ(open_frame_payload(other, payload.view()).error().code, ErrorCode::kUnauthorized);
  EXPECT_EQ(opened({}).error().code, ErrorCode::kProtocol);
}

TEST_F(ClusterFrame, AnActionIsVisibleAscii) {
  EXPECT_FALSE(sealed("", {}));
  EXPECT_FALSE(sealed("two words", {}));
  const SharedBytes short_one = seal_.seal(*compress(std::vector<std::uint8_t>(10)), SnowflakeId(1), entropy_);
  EXPECT_EQ(opened(short_one.view()).error().code, ErrorCode::kProtocol);
  const SharedBytes nameless = seal_.seal(*compress(std::vector<std::uint8_t>(30)), SnowflakeId(1), entropy_);
  EXPECT_EQ(opened(nameless.view()).error().code, ErrorCode::kProtocol);
}

}  // namespace
}  // namespace hyperscale::wire
