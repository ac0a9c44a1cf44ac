#include "load/protocols/http/content_decoding.h"

#include <functional>

#include <brotli/encode.h>
#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

namespace hyperscale::load {
namespace {

constexpr std::size_t kPlenty = 1 << 20;

std::string deflated(std::string_view text, int wrapping) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, wrapping, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(text.size() + 200, ' ');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string gzip(std::string_view text) {
  return deflated(text, 15 + 16);
}

std::string br(std::string_view text) {
  std::string out(text.size() + 200, ' ');
  std::size_t size = out.size();
  EXPECT_NE(BrotliEncoderCompress(5, BROTLI_DEFAULT_WINDOW, BROTLI_DEFAULT_MODE, text.size(),
                                  reinterpret_cast<const std::uint8_t*>(text.data()), &size,
                                  reinterpret_cast<std::uint8_t*>(out.data())),
            0);
  out.resize(size);
  return out;
}

std::string zstd(std::string_view text) {
  std::string out(ZSTD_compressBound(text.size()), ' ');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

const std::string kText = [] {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += std::to_string(i) + ' ';
  return text;
}();

TEST(ContentDecoding, EveryCodingInAnyCase) {
  EXPECT_EQ(decode_content(gzip(kText), "gzip", kPlenty), kText);
  EXPECT_EQ(decode_content(gzip(kText), "X-GZip", kPlenty), kText);
  EXPECT_EQ(decode_content(deflated(kText, 15), "Deflate", kPlenty), kText);
  EXPECT_EQ(decode_content(deflated(kText, -15), "deflate", kPlenty), kText) << "without its wrapping";
  EXPECT_EQ(decode_content(br(kText), "BR", kPlenty), kText);
  EXPECT_EQ(decode_content(zstd(kText), "zstd", kPlenty), kText);
}

TEST(ContentDecoding, AllMembersOfAGzipFile) {
  EXPECT_EQ(decode_content(gzip("one ") + gzip("two ") + gzip(kText), "gzip", kPlenty), "one two " + kText);
  EXPECT_EQ(decode_content(gzip("one ") + "rubbish", "gzip", kPlenty), "one ");
  EXPECT_EQ(decode_content(zstd("one ") + zstd("two"), "zstd", kPlenty), "one two");
}

TEST(ContentDecoding, SeveralInARowAreUndoneBackwards) {
  EXPECT_EQ(decode_content(br(gzip(kText)), "gzip, br", kPlenty), kText);
  EXPECT_EQ(decode_content(gzip(zstd(kText)), "zstd,identity ,GZIP", kPlenty), kText);
  EXPECT_FALSE(decode_content(gzip(kText), "gzip,gzip,gzip,gzip,gzip", kPlenty)) << "too many";
  EXPECT_FALSE(decode_content(br(gzip(kText)), "br, gzip", kPlenty));
}

TEST(ContentDecoding, OutputIsBounded) {
  const std::string bomb(8 << 20, 'x');
  for (const auto& [name, pack] :
       std::initializer_list<std::pair<std::string, std::function<std::string(std::string)>>>{
           {"gzip", gzip}, {"br", br}, {"zstd", zstd}}) {
    const auto out = decode_content(pack(bomb), name, 100'000);
    ASSERT_TRUE(out) << name;
    EXPECT_EQ(*out, bomb.substr(0, 100'000)) << name;
  }
}

TEST(ContentDecoding, WhatEndsEarlyIsKept) {
  for (const auto& [name, packed] : std::initializer_list<std::pair<std::string, std::string>>{
           {"gzip", gzip(kText)}, {"br", br(kText)}, {"zstd", zstd(kText)}}) {
    const auto out = decode_content(std::string_view(packed).substr(0, packed.size() / 2), name, kPlenty);
    ASSERT_TRUE(out) << name;
    EXPECT_TRUE(kText.starts_with(*out)) << name;
  }
}

TEST(ContentDecoding, OthersAreLeftAlone) {
  EXPECT_FALSE(decode_content("x", "", kPlenty));
  EXPECT_FALSE(decode_content("x", "identity", kPlenty));
  EXPECT_FALSE(decode_content("x", "compress", kPlenty));
  EXPECT_FALSE(decode_content("not packed", "gzip", kPlenty));
  EXPECT_FALSE(decode_content("not packed", "br", kPlenty));
  EXPECT_FALSE(decode_content("not packed", "zstd", kPlenty));
  EXPECT_EQ(decode_content("", "br", kPlenty), "");
  EXPECT_TRUE(is_decodable("gzip, br"));
  EXPECT_FALSE(is_decodable("identity"));
}

}  // namespace
}  // namespace hyperscale::load
