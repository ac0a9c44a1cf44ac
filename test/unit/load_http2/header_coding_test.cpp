// RequestEncoder against nghttp2's decoder, and HeaderDecoder against nghttp2's encoder.
#include "base/prng.h"
#include "load/protocols/http2/header_decoder.h"
#include "load/protocols/http2/hpack_walk.h"
#include "load/protocols/http2/request_encoder.h"
#include "raw_peer.h"

#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::load::http2 {
namespace {

using testing::ElementsAre;
using testing::Pair;

class Inflater {
 public:
  Inflater() { nghttp2_hd_inflate_new(&raw_); }
  ~Inflater() { nghttp2_hd_inflate_del(raw_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  void limit(std::size_t bytes) { nghttp2_hd_inflate_change_table_size(raw_, bytes); }
  Fields read(ByteView block) {
    Fields fields;
    for (int flags = 0; (flags & NGHTTP2_HD_INFLATE_FINAL) == 0;) {
      nghttp2_nv field;
      const ssize_t used = nghttp2_hd_inflate_hd2(raw_, &field, &flags, block.data(), block.size(), 1);
      EXPECT_GE(used, 0) << nghttp2_strerror(static_cast<int>(used));
      if (used < 0) return {};
      block = block.subspan(static_cast<std::size_t>(used));
      if ((flags & NGHTTP2_HD_INFLATE_EMIT) != 0)
        fields.emplace_back(std::string(field.name, field.name + field.namelen),
                            std::string(field.value, field.value + field.valuelen));
    }
    nghttp2_hd_inflate_end_headers(raw_);
    return fields;
  }

 private:
  nghttp2_hd_inflater* raw_ = nullptr;
};

Fields fields_of(const PreparedRequest& request) {
  Fields fields;
  for (const HeaderPair& pair : request.h2) fields.emplace_back(pair.name, pair.value);
  return fields;
}

TEST(RequestEncoder, SecondBlockShrinksAndThirdIsReused) {
  RequestEncoder encoder;
  Inflater inflater;
  PreparedRequest request = make_request();
  request.lasting = true;
  std::vector<std::size_t> sizes;
  for (int i = 0; i < 4; ++i) {
    const ByteView block = encoder.encode(request);
    sizes.push_back(block.size());
    EXPECT_EQ(inflater.read(block), fields_of(request));
  }
  EXPECT_LT(sizes[1], sizes[0]);
  EXPECT_EQ(sizes[2], sizes[1]);
  EXPECT_EQ(encoder.blocks_made(), 2u);
}

// Requests that do not last come and go at the same place in memory.
TEST(RequestEncoder, ARequestForOneExchangeIsNeverTakenForAnother) {
  RequestEncoder encoder;
  Inflater inflater;
  PreparedRequest request;
  for (int i = 0; i < 10; ++i) {
    request = make_request();
    request.h2[3].value = "/" + std::to_string(i);
    if (i % 3 == 0) request.h2.push_back({"cookie", "session=" + std::to_string(i)});
    EXPECT_EQ(inflater.read(encoder.encode(request)), fields_of(request));
  }
}

TEST(RequestEncoder, AnyRequestsUnderAnyLimitsAreUnderstood) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Prng prng(seed);
    RequestEncoder encoder;
    Inflater inflater;
    std::vector<PreparedRequest> requests(20);
    for (PreparedRequest& request : requests) {
      request = make_request();
      request.lasting = prng.below(4) != 0;
      for (std::uint64_t more = prng.below(8); more > 0; --more)
        request.h2.push_back({"x-" + std::to_string(prng.below(40)), std::string(prng.below(300), 'v')});
      request.h2.push_back({"content-length", std::to_string(prng.below(1000))});
      if (prng.below(5) == 0) request.h2.push_back({"authorization", std::string(3000, 'a')});
    }
    for (int step = 0; step < 200; ++step) {
      for (std::uint64_t changes = prng.below(20) == 0 ? 1 + prng.below(3) : 0; changes > 0; --changes) {
        const auto limit = static_cast<std::uint32_t>(prng.below(3) == 0 ? 0 : prng.below(6000));
        encoder.limit_table(limit);
        inflater.limit(limit);
      }
      const PreparedRequest& request = requests[prng.below(requests.size())];
      ASSERT_EQ(inflater.read(encoder.encode(request)), fields_of(request)) << "seed " << seed << " step " << step;
      ASSERT_LE(encoder.table_bytes(), RequestEncoder::kTableBytesMax);
    }
  }
}

class Sink final : public FieldSink {
 public:
  void on_status(std::uint16_t given) override { status = given; }
  void on_field(std::string_view name, std::string_view value) override { fields.emplace_back(name, value); }
  std::uint16_t status = 0;
  Fields fields;
};

struct Decoding {
  Decoding() : decoder(memory) {}
  BlockReading read(std::string_view block, bool all_fields = false) {
    sink = {};
    return decoder.decode(as_bytes(block), {.sink = &sink, .all_fields = all_fields});
  }
  FreeListMemory memory;
  HeaderDecoder decoder;
  Sink sink;
};

const std::string kPlain = kStatus200 + literal("a", "b") + std::string("\x0f\x0d\x01", 3) + "7";

TEST(HeaderDecoder, ABlockThatComesAgainIsNotUndoneAgain) {
  Decoding decoding;
  for (int i = 0; i < 10; ++i) {
    const BlockReading reading = decoding.read(kPlain);
    EXPECT_EQ(reading.status, 200);
    EXPECT_EQ(reading.content_length, 7);
    EXPECT_EQ(decoding.sink.status, 200);
  }
  EXPECT_EQ(decoding.decoder.blocks_undone(), 1u);
  decoding.decoder.decode(as_bytes(kPlain), {});  // a late one
  EXPECT_EQ(decoding.decoder.blocks_undone(), 1u);
  decoding.read(kPlain, true);
  EXPECT_THAT(decoding.sink.fields, ElementsAre(Pair("a", "b"), Pair("content-length", "7")));
  EXPECT_EQ(decoding.decoder.blocks_undone(), 2u);
}

TEST(HeaderDecoder, FieldsThatAreAlwaysToldAreToldEachTime) {
  Decoding decoding;
  const std::string block = std::string("\x88\x00\x0a", 3) + "set-cookie" + "\x03" + "a=b";
  for (int i = 0; i < 3; ++i) {
    decoding.read(block);
    EXPECT_THAT(decoding.sink.fields, ElementsAre(Pair("set-cookie", "a=b")));
  }
}

// The same bytes mean something else when the table has changed in between.
TEST(HeaderDecoder, AChangedTableIsNoticed) {
  Decoding decoding;
  const auto add = [](const std::string& value) {
    return "\x88\x40\x08"
           "location" +
           std::string("\x01") + value;
  };
  const std::string indexed = "\x88\xbe";
  decoding.read(add("1"));
  for (int i = 0; i < 2; ++i) {
    decoding.read(indexed);
    EXPECT_THAT(decoding.sink.fields, ElementsAre(Pair("location", "1")));
  }
  decoding.decoder.decode(as_bytes(add("2")), {});  // of a stream that is over
  decoding.read(indexed);
  EXPECT_THAT(decoding.sink.fields, ElementsAre(Pair("location", "2")));
  decoding.read("\x20\x88");  // a table of no size
  EXPECT_EQ(decoding.read(indexed).result, BlockReading::Result::kBroken);
}

// As nginx does it: every field is added to the table, every time, and none is ever taken from it.
TEST(HeaderDecoder, TableCatchesUpAfterRepeatedBlocks) {
  for (const int times : {0, 1, 2, 50, 127, 128, 129, 1000}) {
    Decoding decoding;
    decoding.read(kStatus200 +
                  "\x40\x01k\x01"
                  "o");
    const std::string seven = kStatus200 +
                              "\x5c\x01"
                              "7";
    const std::string eight = kStatus200 +
                              "\x5c\x01"
                              "8";
    decoding.read(seven);
    decoding.read(eight);
    for (int i = 0; i < times; ++i) {
      EXPECT_EQ(decoding.read(seven).content_length, 7);
      EXPECT_EQ(decoding.read(eight).content_length, 8);
    }
    EXPECT_EQ(decoding.decoder.blocks_undone(), 3u);
    // Entries of 47 bytes, 87 of them in 4096: the youngest, the one before it, and the oldest of all.
    EXPECT_EQ(decoding.read(kStatus200 + "\xbe").content_length, 8) << times;
    EXPECT_EQ(decoding.read(kStatus200 + "\xbf").content_length, 7) << times;
    const int entries = std::min(2 * times + 3, 87);
    const int last = 61 + entries - 127;  // behind the prefix of seven bits
    const std::string oldest = last < 0 ? std::string(1, static_cast<char>(0x80 | (61 + entries)))
                                        : std::string("\xff") + static_cast<char>(last);
    const BlockReading reading = decoding.read(kStatus200 + oldest, true);
    EXPECT_EQ(reading.result, BlockReading::Result::kFine) << times;
    EXPECT_EQ(decoding.sink.fields.at(0).first, 2 * times + 3 < 87 ? "k" : "content-length") << times;
  }
}

TEST(HeaderDecoder, ALengthThatDependsOnTheTableIsNoticed) {
  Decoding decoding;
  const auto add = [](const std::string& digit) { return "\x88\x5c\x01" + digit; };
  decoding.read(add("1"));
  EXPECT_EQ(decoding.read("\x88\xbe").content_length, 1);
  EXPECT_EQ(decoding.read("\x88\xbe").content_length, 1);
  decoding.read(add("2"));
  EXPECT_EQ(decoding.read("\x88\xbe").content_length, 2);
}

TEST(HeaderDecoder, ReadsWhatNghttp2Writes) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Prng prng(seed);
    nghttp2_hd_deflater* raw = nullptr;
    ASSERT_EQ(nghttp2_hd_deflate_new(&raw, 4096), 0);
    const std::unique_ptr<nghttp2_hd_deflater, decltype(&nghttp2_hd_deflate_del)> deflater(raw, nghttp2_hd_deflate_del);
    Decoding decoding;
    for (int step = 0; step < 300; ++step) {
      Fields fields{{":status", std::to_string(200 + prng.below(3))}};
      for (std::uint64_t more = prng.below(4); more > 0; --more)
        fields.emplace_back("x-" + std::to_string(prng.below(5)), std::string(prng.below(3) * 100, 'v'));
      fields.emplace_back("content-length", std::to_string(prng.below(3)));
      std::vector<nghttp2_nv> list;
      for (auto& [name, value] : fields)
        list.push_back({reinterpret_cast<std::uint8_t*>(name.data()), reinterpret_cast<std::uint8_t*>(value.data()),
                        name.size(), value.size(), 0});
      std::string block(4096, '\0');
      const ssize_t size = nghttp2_hd_deflate_hd(raw, reinterpret_cast<std::uint8_t*>(block.data()), block.size(),
                                                 list.data(), list.size());
      ASSERT_GT(size, 0);
      block.resize(static_cast<std::size_t>(size));
      const bool all = prng.below(3) == 0;
      const BlockReading reading = decoding.read(block, all);
      ASSERT_EQ(reading.result, BlockReading::Result::kFine);
      ASSERT_EQ(std::to_string(reading.status), fields.front().second);
      ASSERT_EQ(std::to_string(reading.content_length), fields.back().second);
      fields.erase(fields.begin());
      if (all) {
        ASSERT_EQ(decoding.sink.fields, fields);
      }
    }
    EXPECT_LT(decoding.decoder.blocks_undone(), 300u) << "some came again";
  }
}

TEST(HpackWalk, SeesWhatBecomesOfTheTable) {
  const auto walk = [](std::string_view block) { return walk_hpack(as_bytes(block)); };
  EXPECT_TRUE(walk("").intact);
  EXPECT_TRUE(walk(kPlain).intact);
  EXPECT_FALSE(walk(kPlain).refers || walk(kPlain).resizes || walk(kPlain).added > 0);
  EXPECT_TRUE(walk(std::string("\x10\x01"
                               "a\x81\x07",
                               5))
                  .intact)
      << "never indexed, Huffman";
  EXPECT_FALSE(walk("\xbd").refers);
  EXPECT_TRUE(walk("\xbe").refers);
  EXPECT_TRUE(walk("\x7e\x01v").refers) << "by its name";
  EXPECT_TRUE(walk(std::string("\x0f\x2f\x01v", 4)).refers) << "15 and 47 are 62";
  EXPECT_EQ(walk("\x88\x40\x01"
                 "a\x01"
                 "b\x5c\x01"
                 "7")
                .added,
            2u);
  EXPECT_TRUE(walk("\x20\x88").resizes);
  EXPECT_FALSE(walk(std::string("\x00\x01"
                                "a\x05"
                                "b",
                                5))
                   .intact)
      << "cut";
  EXPECT_FALSE(walk("\xff\xff\xff\xff\xff\xff\xff\xff").intact);
}

}  // namespace
}  // namespace hyperscale::load::http2
