#include "wire/frame_decoder.h"

#include "base/crc32c.h"
#include "base/endian.h"
#include "base/prng.h"

#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace hyperscale::wire {
namespace {

using Bytes = std::vector<std::uint8_t>;

Frame frame_with(std::string_view payload, std::uint64_t correlation = 1) {
  return {
      .type = FrameType::kResponse, .code = 0, .correlation = correlation, .payload = SharedBytes::copy_of(payload)};
}

Bytes encoded(std::string_view payload) {
  return encode_frame(frame_with(payload));
}

// The checksum made right again after a change, so that a test meets the check it is about and not this one.
Bytes with_valid_checksum(Bytes bytes) {
  Bytes covered(bytes.begin() + 4, bytes.begin() + 16);
  covered.insert(covered.end(), bytes.begin() + 20, bytes.end());
  store_be32(bytes.data() + 16, crc32c(covered));
  return bytes;
}

Bytes changed(std::string_view payload, const std::function<void(Bytes&)>& change) {
  Bytes bytes = encoded(payload);
  change(bytes);
  return with_valid_checksum(std::move(bytes));
}

ErrorCode first_error(FrameDecoder& decoder, ByteView bytes) {
  EXPECT_TRUE(decoder.feed(bytes));
  for (;;) {
    auto frame = decoder.next();
    if (!frame) return frame.error().code;
    if (!*frame) {
      ADD_FAILURE() << "no error";
      return ErrorCode::kInternal;
    }
  }
}

ErrorCode error_of_bytes(const Bytes& bytes) {
  FrameDecoder decoder;
  return first_error(decoder, bytes);
}

TEST(FrameDecoder, DecodesFramesThatArriveTogether) {
  Bytes stream = encoded("first");
  const Bytes second = encode_frame({.type = FrameType::kPing, .code = 0, .correlation = 9, .payload = {}});
  stream.insert(stream.end(), second.begin(), second.end());
  FrameDecoder decoder;
  ASSERT_TRUE(decoder.feed(stream));
  const auto a = decoder.next();
  ASSERT_TRUE(a && *a);
  EXPECT_EQ((*a)->payload.text(), "first");
  const auto b = decoder.next();
  ASSERT_TRUE(b && *b);
  EXPECT_EQ((*b)->type, FrameType::kPing);
  EXPECT_EQ((*b)->correlation, 9u);
  EXPECT_TRUE((*b)->payload.empty());
  const auto none = decoder.next();
  ASSERT_TRUE(none);
  EXPECT_FALSE(*none);
  EXPECT_TRUE(decoder.finish());
}

// proves part: ARCH-FRAME-3 (a server and the decoder; not answers that reach a client together)
TEST(FrameDecoder, DecodesFrameThatArrivesByteByByte) {
  const Bytes stream = encoded("byte by byte");
  FrameDecoder decoder;
  int frames = 0;
  for (const std::uint8_t& byte : stream) {
    ASSERT_TRUE(decoder.feed(ByteView(&byte, 1)));
    for (;;) {
      auto frame = decoder.next();
      ASSERT_TRUE(frame);
      if (!*frame) break;
      ++frames;
      EXPECT_EQ((*frame)->payload.text(), "byte by byte");
      EXPECT_EQ(&byte, &stream.back()) << "not before the last byte";
    }
  }
  EXPECT_EQ(frames, 1);
}

// Announces 2 MiB with a limit of 1 MiB: refused by the fourth byte, and nothing was set aside for it.
// proves part: NODE-INV-10 (what a node accepts; not: what it reads as the client of another)
// proves part: NODE-IO-1 (what a node accepts; not: what it reads as the client of another)
// proves part: ARCH-FRAME-5 (a server, the decoder, unpacking; not that a client stops at a megabyte)
TEST(FrameDecoder, RefusesALengthAboveTheLimitBeforeItAllocates) {
  FrameDecoder decoder;
  Bytes length(4);
  store_be32(length.data(), 2u << 20);
  ASSERT_TRUE(decoder.feed(ByteView(length).first(3)));
  ASSERT_TRUE(decoder.next());
  EXPECT_EQ(decoder.buffered_bytes(), 3u);
  EXPECT_EQ(first_error(decoder, ByteView(length).subspan(3)), ErrorCode::kTooLarge);
  EXPECT_EQ(decoder.buffered_bytes(), 0u);
  EXPECT_EQ(decoder.capacity_bytes(), 0u);
}

// proves part: NODE-IO-1 (what a node accepts; not: what it reads as the client of another)
// proves part: ARCH-FRAME-5 (a server, the decoder, unpacking; not that a client stops at a megabyte)
TEST(FrameDecoder, TheLimitItselfIsAcceptedAndOneByteMoreIsNot) {
  const FrameLimits limits{.max_frame_bytes = 1000};
  FrameDecoder decoder(limits);
  const Bytes largest = encoded(std::string(1000 - kFrameLengthMin, 'x'));
  ASSERT_TRUE(decoder.feed(largest));
  const auto frame = decoder.next();
  ASSERT_TRUE(frame && *frame);
  EXPECT_EQ((*frame)->payload.size(), 1000 - kFrameLengthMin);
  EXPECT_EQ(first_error(decoder, encoded(std::string(1001 - kFrameLengthMin, 'x'))), ErrorCode::kTooLarge);
}

// proves: SEC-6
// proves part: NODE-IO-1 (what a node accepts; not: what it reads as the client of another)
// proves part: ARCH-FRAME-5 (a server, the decoder, unpacking; not that a client stops at a megabyte)
TEST(FrameDecoder, TheDefaultLimitIsOneMebibyte) {
  EXPECT_EQ(FrameLimits{}.max_frame_bytes, 1u << 20);
}

// proves part: SEC-7 (kinds, values and methods; not the action inside a sealed frame, nor bundles of workflows)
TEST(FrameDecoder, RefusesWhatIsNotAFrame) {
  EXPECT_EQ(error_of_bytes(changed("x", [](Bytes& b) { store_be32(b.data(), 15); })), ErrorCode::kProtocol);
  EXPECT_EQ(error_of_bytes(changed("x", [](Bytes& b) { store_be32(b.data(), 0); })), ErrorCode::kProtocol);
  EXPECT_EQ(error_of_bytes(changed("x", [](Bytes& b) { b[4] = 0; })), ErrorCode::kProtocol);
  EXPECT_EQ(error_of_bytes(changed("x", [](Bytes& b) { b[4] = 2; })), ErrorCode::kProtocol);
  EXPECT_EQ(error_of_bytes(changed("x", [](Bytes& b) { b[5] = 0; })), ErrorCode::kProtocol);
  EXPECT_EQ(error_of_bytes(changed("x", [](Bytes& b) { b[5] = 7; })), ErrorCode::kProtocol);
  EXPECT_EQ(error_of_bytes(changed("x", [](Bytes& b) { b[7] = 1; })), ErrorCode::kProtocol) << "a code in a response";
  EXPECT_EQ(error_of_bytes(changed("x", [](Bytes& b) { b[5] = 3; })), ErrorCode::kProtocol)
      << "an error without a code";
}

TEST(FrameDecoder, AnErrorCodeOfALaterVersionIsNotAnError) {
  const Bytes stream = changed("x", [](Bytes& b) {
    b[5] = 3;
    store_be16(b.data() + 6, 60'000);
  });
  FrameDecoder decoder;
  ASSERT_TRUE(decoder.feed(stream));
  const auto frame = decoder.next();
  ASSERT_TRUE(frame && *frame);
  EXPECT_EQ((*frame)->code, 60'000);
}

TEST(FrameDecoder, AnyFlippedBitAfterTheLengthIsFound) {
  const Bytes good = encoded("checksummed");
  for (std::size_t at = kLengthFieldBytes; at < good.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      Bytes bad = good;
      bad[at] ^= static_cast<std::uint8_t>(1 << bit);
      EXPECT_EQ(error_of_bytes(bad), ErrorCode::kProtocol) << "byte " << at << " bit " << bit;
    }
  }
}

TEST(FrameDecoder, DeliversFramesBeforeErrorAndErrorIsFinal) {
  Bytes stream = encoded("good");
  Bytes bad = encoded("bad");
  bad.back() ^= 1;
  stream.insert(stream.end(), bad.begin(), bad.end());
  const Bytes after = encoded("after");
  stream.insert(stream.end(), after.begin(), after.end());
  FrameDecoder decoder;
  ASSERT_TRUE(decoder.feed(stream));
  const auto good = decoder.next();
  ASSERT_TRUE(good && *good);
  EXPECT_EQ((*good)->payload.text(), "good");
  const auto error = decoder.next();
  ASSERT_FALSE(error);
  EXPECT_TRUE(decoder.failed());
  EXPECT_EQ(decoder.buffered_bytes(), 0u);
  EXPECT_EQ(decoder.capacity_bytes(), 0u);
  EXPECT_EQ(decoder.next().error().context, error.error().context);
  EXPECT_EQ(decoder.feed(after).error().context, error.error().context);
  EXPECT_EQ(decoder.finish().error().context, error.error().context);
}

TEST(FrameDecoder, ATruncatedStreamIsAnErrorAtItsEndAndNotBefore) {
  const Bytes whole = encoded("truncated");
  for (std::size_t kept = 0; kept < whole.size(); ++kept) {
    FrameDecoder decoder;
    ASSERT_TRUE(decoder.feed(ByteView(whole).first(kept)));
    const auto frame = decoder.next();
    ASSERT_TRUE(frame);
    EXPECT_FALSE(*frame);
    EXPECT_EQ(decoder.buffered_bytes(), kept);
    const Status finished = decoder.finish();
    EXPECT_EQ(finished.has_value(), kept == 0);
    if (!finished) EXPECT_EQ(finished.error().code, ErrorCode::kProtocol);
  }
}

// The buffer that the bytes were assembled in is the one that the frame carries and that slices share.
// proves part: NODE-INV-12 (payloads of frames that arrive; not answers and bodies of HTTP)
TEST(FrameDecoder, ThePayloadIsHandedOverNotCopied) {
  const std::string text(100'000, 'p');
  const Bytes stream = encoded(text);
  FrameDecoder decoder;
  ASSERT_TRUE(decoder.feed(ByteView(stream).first(50'000)));
  ASSERT_TRUE(decoder.next());
  EXPECT_EQ(decoder.capacity_bytes(), text.size());
  ASSERT_TRUE(decoder.feed(ByteView(stream).subspan(50'000)));
  const auto frame = decoder.next();
  ASSERT_TRUE(frame && *frame);
  EXPECT_EQ(decoder.capacity_bytes(), 0u);
  EXPECT_EQ((*frame)->payload.use_count(), 1);
  const SharedBytes part = (*frame)->payload.slice(10, 20);
  EXPECT_EQ(part.data(), (*frame)->payload.data() + 10);
  EXPECT_EQ((*frame)->payload.use_count(), 2);
}

Frame random_frame(Prng& prng) {
  Frame frame{.type = static_cast<FrameType>(1 + prng.below(6)), .code = 0, .correlation = prng.next(), .payload = {}};
  if (frame.type == FrameType::kError) frame.code = static_cast<std::uint16_t>(1 + prng.below(15));
  Bytes payload(prng.below(4) == 0 ? 0 : prng.below(300));
  for (std::uint8_t& byte : payload) byte = static_cast<std::uint8_t>(prng.next());
  frame.payload = SharedBytes::adopt(std::move(payload));
  return frame;
}

// proves part: NODE-INV-10 (what a node accepts; not: what it reads as the client of another)
// proves part: NODE-IO-1 (what a node accepts; not: what it reads as the client of another)
TEST(FrameDecoder, RandomSplitsGiveTheFramesThatWereSent) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    Prng prng(seed);
    std::vector<Frame> sent;
    Bytes stream;
    for (std::uint64_t i = prng.below(8); i > 0; --i) {
      sent.push_back(random_frame(prng));
      const Bytes bytes = encode_frame(sent.back());
      stream.insert(stream.end(), bytes.begin(), bytes.end());
    }
    FrameDecoder decoder;
    std::size_t received = 0;
    for (ByteView rest(stream); !rest.empty();) {
      const std::size_t count = std::min<std::size_t>(rest.size(), 1 + prng.below(60));
      RC_ASSERT(decoder.feed(rest.first(count)));
      rest = rest.subspan(count);
      for (;;) {
        const auto frame = decoder.next();
        RC_ASSERT(frame);
        if (!*frame) break;
        RC_ASSERT(received < sent.size());
        RC_ASSERT((*frame)->type == sent[received].type);
        RC_ASSERT((*frame)->code == sent[received].code);
        RC_ASSERT((*frame)->correlation == sent[received].correlation);
        RC_ASSERT((*frame)->payload.text() == sent[received].payload.text());
        ++received;
      }
      RC_ASSERT(decoder.buffered_bytes() <= kFrameHeaderBytes + 300);
    }
    RC_ASSERT(received == sent.size());
    RC_ASSERT(decoder.finish());
  }));
}

TEST(FrameDecoderDeathTest, MisuseIsABug) {
  const Bytes stream = encoded("unread");
  FrameDecoder decoder;
  ASSERT_TRUE(decoder.feed(stream));
  EXPECT_DEATH((void)decoder.feed(stream), "unread");
  EXPECT_DEATH(FrameDecoder({.max_frame_bytes = 15}), "max_frame_bytes");
  EXPECT_DEATH(FrameDecoder({.max_frame_bytes = kMaxFrameBytesCeiling + 1}), "max_frame_bytes");
}

}  // namespace
}  // namespace hyperscale::wire
