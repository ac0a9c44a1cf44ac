#include "target/filler.h"
#include "target/gzip_bodies.h"
#include "target/json_text.h"
#include "target/request_texts.h"

#include <vector>

#include <gtest/gtest.h>
#include <zlib.h>

namespace hyperscale::target {
namespace {

std::string json(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

TEST(JsonText, EscapesWhatJsonForbids) {
  EXPECT_EQ(json("plain"), R"("plain")");
  EXPECT_EQ(json("a\"b\\c\nd\te"), R"("a\"b\\c\nd\u0009e")");
  EXPECT_EQ(json(std::string_view("\0\x1f\x7f", 3)), R"("\u0000\u001f\u007f")");
}

TEST(JsonText, Utf8StaysAndOtherBytesBecomeCodePoints) {
  EXPECT_EQ(json("h\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"), "\"h\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"");
  EXPECT_EQ(json("h\xe9"), R"("h\u00e9")");
  for (const char* bad : {"\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82", "\x80", "\xf0\x80\x80\x80"}) {
    EXPECT_EQ(json(bad).find('\\'), 1u) << bad;
  }
}

TEST(RequestTexts, RepeatedHeadersAreJoinedAndNamesLowered) {
  const std::vector<Field> fields{
      {"Host", "a"}, {"X-One", "1"}, {"x-one", "2"}, {"Cookie", "a=1; b=x=y"}, {"cookie", "c=3"}};
  const Request request{.method = "POST", .target = "/echo", .fields = fields, .body = "hi \"you\""};
  std::string echo;
  append_echo(echo, request);
  EXPECT_EQ(echo,
            "{\"method\":\"POST\",\"target\":\"/echo\",\"headers\":{\"host\":\"a\",\"x-one\":\"1, 2\","
            "\"cookie\":\"a=1; b=x=y, c=3\"},\"body\":\"hi \\\"you\\\"\"}\n");
  std::string cookies;
  append_cookies(cookies, request);
  EXPECT_EQ(cookies, "{\"cookies\":{\"a\":\"1\",\"b\":\"x=y\",\"c\":\"3\"}}\n");
}

TEST(Filler, IsTheSameInPiecesAndAtOnce) {
  std::string whole;
  append_filler(whole, 0, 100'000);
  std::string pieces;
  while (pieces.size() < whole.size())
    append_filler(pieces, pieces.size(), std::min<std::size_t>(777, whole.size() - pieces.size()));
  EXPECT_EQ(pieces, whole);
  std::string copied(40'000, '\0');
  copy_filler(reinterpret_cast<std::uint8_t*>(copied.data()), 33, copied.size());
  EXPECT_EQ(copied, whole.substr(33, copied.size()));
  EXPECT_EQ(whole[12'345], filler_byte(12'345));
}

TEST(GzipBodies, UnpackToFillerAlsoAfterManySizes) {
  GzipBodies bodies;
  for (int round = 0; round < 2; ++round) {
    for (std::uint64_t size = 0; size < 20 * 1000; size += 1000) {
      std::string compressed = bodies.of_size(size);
      std::string text(size + 1, '\0');
      z_stream stream{};
      ASSERT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
      stream.next_in = reinterpret_cast<Bytef*>(compressed.data());
      stream.avail_in = static_cast<uInt>(compressed.size());
      stream.next_out = reinterpret_cast<Bytef*>(text.data());
      stream.avail_out = static_cast<uInt>(text.size());
      EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
      EXPECT_EQ(stream.total_out, size);
      inflateEnd(&stream);
      std::string expected;
      append_filler(expected, 0, size);
      EXPECT_EQ(text.substr(0, size), expected);
    }
  }
}

}  // namespace
}  // namespace hyperscale::target
