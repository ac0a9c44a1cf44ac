// A table of responses with what is to be told about each, whole, in every two pieces, and byte by byte.
#include "response_properties.h"

#include <gtest/gtest.h>

namespace hyperscale::load {
namespace {

using fuzz::Reading;

struct Entry {
  const char* name;
  std::string stream;
  Expect expect = Expect::kBody;
  std::uint16_t status = 0;
  bool keep_alive = false;
  std::string body;
  std::string rest;   // what belongs to the next response
  std::string error;  // of a response that is refused
};

Entry accepted(const char* name, std::string stream, std::uint16_t status, bool keep_alive, std::string body = "",
               std::string rest = "", Expect expect = Expect::kBody) {
  return {name, std::move(stream), expect, status, keep_alive, std::move(body), std::move(rest), ""};
}

Entry refused(const char* name, std::string stream, std::string error) {
  return {name, std::move(stream), Expect::kBody, 0, false, "", "", std::move(error)};
}

const std::string kOk = "HTTP/1.1 200 OK\r\n";
const std::string kChunkedHead = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

std::vector<Entry> accepted_heads() {
  using std::string_literals::operator""s;
  return {
      accepted("length", kOk + "Content-Length: 5\r\n\r\nhelloHTTP", 200, true, "hello", "HTTP"),
      accepted("length zero", kOk + "Content-Length: 0\r\n\r\nHTTP", 200, true, "", "HTTP"),
      accepted("name in any case", kOk + "cOnTeNt-LeNgTh:5\r\n\r\nhello", 200, true, "hello"),
      accepted("white space around a value", kOk + "Content-Length: \t 5\t \r\n\r\nhello", 200, true, "hello"),
      accepted("the same length twice", kOk + "Content-Length: 2\r\nContent-Length: 02\r\n\r\nhi", 200, true, "hi"),
      accepted("the same length in a list", kOk + "Content-Length: 2, 2\r\n\r\nhi", 200, true, "hi"),
      accepted("until the close", kOk + "\r\nall\r\n\r\nof it", 200, false, "all\r\n\r\nof it"),
      accepted("until the close, nothing", kOk + "\r\n", 200, false),
      accepted("no reason", "HTTP/1.1 404\r\nContent-Length: 0\r\n\r\n", 404, true),
      accepted("empty reason", "HTTP/1.1 404 \r\nContent-Length: 0\r\n\r\n", 404, true),
      accepted("reason of obs-text", "HTTP/1.1 500 \xe9\xff\tx\r\nContent-Length: 0\r\n\r\n", 500, true),
      accepted("status 999", "HTTP/1.1 999 x\r\nContent-Length: 0\r\n\r\n", 999, true),
      accepted("LF alone", "HTTP/1.1 200 OK\nContent-Length: 2\n\nhi", 200, true, "hi"),
      accepted("one empty line", "\r\n" + kOk + "Content-Length: 0\r\n\r\n", 200, true),
      accepted("one empty line of LF", "\n" + kOk + "Content-Length: 0\r\n\r\n", 200, true),
      accepted("obs-text and empty values",
               kOk + "A: \x80\xff\r\nB:\r\n!#$%&'*+-.^_`|~9: x\r\nContent-Length: 0\r\n\r\n", 200, true),
      accepted("a later minor version", "HTTP/1.9 200 OK\r\nContent-Length: 0\r\n\r\n", 200, true),
      accepted("HEAD", kOk + "Content-Length: 5\r\n\r\nHTTP", 200, true, "", "HTTP", Expect::kNoBody),
      accepted("HEAD, chunked", kChunkedHead + "HTTP", 200, true, "", "HTTP", Expect::kNoBody),
      accepted("204", "HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nHTTP", 204, true, "", "HTTP"),
      accepted("304", "HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked\r\n\r\nHTTP", 304, true, "", "HTTP"),
      accepted("1xx",
               "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 x\r\nConnection: close\r\nContent-Length: 9\r\n\r\n\r\n" +
                   kOk + "Content-Length: 2\r\n\r\nhi",
               200, true, "hi"),
      accepted("a bad length in a 1xx",
               "HTTP/1.1 100 x\r\nContent-Length: x\r\n\r\n" + kOk + "Content-Length: 0\r\n\r\n", 200, true),
      accepted("bad lengths after HEAD", kOk + "Content-Length: 5, 6\r\nTransfer-Encoding: chunked\r\n\r\nHTTP", 200,
               true, "", "HTTP", Expect::kNoBody),
      accepted("obs-fold", kOk + "A: b\r\n c\r\nContent-Length:\r\n\t2\r\n\r\nhi", 200, true, "hi"),
      accepted("obs-fold in the trailers", kChunkedHead + "0\r\nA: b\r\n c\r\n\r\nHTTP", 200, true, "", "HTTP"),
      accepted("CONNECT", kOk + "Content-Length: x\r\nTransfer-Encoding: chunked\r\n\r\n\x16\x03", 200, false, "",
               "\x16\x03", Expect::kTunnel),
      accepted("CONNECT, refused", "HTTP/1.1 407 x\r\nContent-Length: 2\r\n\r\nno", 407, true, "no", "",
               Expect::kTunnel),
  };
}

std::vector<Entry> accepted_persistence() {
  const std::string empty = "Content-Length: 0\r\n\r\n";
  return {
      accepted("close", kOk + "Connection: close\r\n" + empty, 200, false),
      accepted("close in a list", kOk + "Connection: upgrade,\tCLOSE , x\r\n" + empty, 200, false),
      accepted("close in a second field", kOk + "Connection: keep-alive\r\nConnection: close\r\n" + empty, 200, false),
      accepted("closed is not close", kOk + "Connection: closed\r\n" + empty, 200, true),
      accepted("1.0", "HTTP/1.0 200 OK\r\n" + empty, 200, false),
      accepted("1.0 keep-alive", "HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\n" + empty, 200, true),
      accepted("1.0 keep-alive and close", "HTTP/1.0 200 OK\r\nConnection: close, keep-alive\r\n" + empty, 200, false),
      accepted("1.0 chunked",
               "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n",
               200, false, "x"),
  };
}

std::vector<Entry> accepted_codings() {
  const std::string last = "0\r\n\r\n";
  return {
      accepted("chunked", kChunkedHead + "5\r\nhello\r\n00a\r\n0123456789\r\n" + last + "HTTP", 200, true,
               "hello0123456789", "HTTP"),
      accepted("chunk sizes in both cases", kChunkedHead + "A\r\n0123456789\r\nb\r\n0123456789a\r\n" + last, 200, true,
               "01234567890123456789a"),
      accepted("chunk extensions", kChunkedHead + "1;a=b;c=\"d;\xe9 \"\r\nx\r\n1 \t;\r\ny\r\n0;z\r\n\r\n", 200, true,
               "xy"),
      accepted("CRLF in a chunk", kChunkedHead + "4\r\n\r\n\r\n\r\n" + last, 200, true, "\r\n\r\n"),
      accepted("trailers", kChunkedHead + "0\r\nA: b\r\nConnection: close\r\nContent-Length: 7\n\r\nHTTP", 200, true,
               "", "HTTP"),
      accepted("gzip, chunked", kOk + "Transfer-Encoding: gzip, chunked\r\n\r\n" + last, 200, true),
      accepted("gzip, then chunked", kOk + "Transfer-Encoding: gzip\r\nTransfer-Encoding: Chunked\r\n\r\n" + last, 200,
               true),
      accepted("empty elements", kOk + "Transfer-Encoding: , chunked ,\r\n\r\n" + last, 200, true),
      accepted("a comma in quotes", kOk + "Transfer-Encoding: x;a=\"\\\",\", chunked\r\n\r\n" + last, 200, true),
      accepted("gzip alone", kOk + "Transfer-Encoding: gzip\r\n\r\n" + last, 200, false, last),
      accepted("chunked, gzip", kOk + "Transfer-Encoding: chunked, gzip\r\n\r\n" + last, 200, false, last),
      accepted("chunked in quotes", kOk + "Transfer-Encoding: x;a=\",chunked\"\r\n\r\n" + last, 200, false, last),
  };
}

std::vector<Entry> refused_heads() {
  using std::string_literals::operator""s;
  return {
      refused("nothing", "", "closed before the response"),
      refused("an empty line only", "\r\n", "closed before the response"),
      refused("half a status line", "HTTP/1.1 20", "closed inside the head"),
      refused("half a head", kOk + "A: b\r\n", "closed inside the head"),
      refused("half a body", kOk + "Content-Length: 5\r\n\r\nhell", "closed inside the body"),
      refused("two empty lines", "\r\n\r\n" + kOk + "\r\n", "more than one empty line before the status line"),
      refused("another protocol", "SSH-2.0-OpenSSH_9.2\r\n", "not an HTTP/1.x status line"),
      refused("a TLS alert, no LF", "\x15\x03\x03\x00\x02\x02\x28"s, "not an HTTP/1.x status line"),
      refused("HTTP/2", "HTTP/2 200\r\n\r\n", "not an HTTP/1.x status line"),
      refused("no minor version", "HTTP/1.x 200\r\n\r\n", "not an HTTP/1.x status line"),
      refused("lower case", "http/1.1 200 OK\r\n\r\n", "not an HTTP/1.x status line"),
      refused("no status", "HTTP/1.1 \r\n\r\n", "a status line without a status"),
      refused("status 099", "HTTP/1.1 099 x\r\n\r\n", "a status that is not a number from 100 to 999"),
      refused("four digits", "HTTP/1.1 2000 x\r\n\r\n", "a status that is not a number from 100 to 999"),
      refused("two spaces", "HTTP/1.1  200 x\r\n\r\n", "a status that is not a number from 100 to 999"),
      refused("NUL", kOk + "A: b\0c\r\n\r\n"s, "a NUL in the head"),
      refused("bare CR in a value", kOk + "A: b\rc\r\n\r\n", "a CR that no LF follows"),
      refused("bare CR before CRLF", kOk + "A: b\r\r\n\r\n", "a CR that no LF follows"),
      refused("control character in the reason", "HTTP/1.1 200 O\x7fK\r\n\r\n", "a control character in the head"),
      refused("space first", kOk + " A: b\r\n\r\n", "white space before the first field"),
      refused("101", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n",
              "101 Switching Protocols without a request for it"),
      refused("no colon", kOk + "Content-Length 5\r\n\r\n", "a field line without a colon"),
      refused("no name", kOk + ": 5\r\n\r\n", "a field without a name"),
      refused("space before the colon", kOk + "Content-Length\t : 5\r\n\r\n",
              "white space between a field name and its colon"),
      refused("space in a name", kOk + "Content Length: 5\r\n\r\n",
              "a field name with a character that may not be in it"),
      refused("obs-text in a name", kOk + "A-very-long-n\xe4me: 5\r\n\r\n",
              "a field name with a character that may not be in it"),
  };
}

std::vector<Entry> refused_framing() {
  const auto length = [](const std::string& value) { return kOk + "Content-Length: " + value + "\r\n\r\nhello"; };
  const auto coding = [](const std::string& value) {
    return kOk + "Transfer-Encoding: " + value + "\r\n\r\n0\r\n\r\n";
  };
  const std::string not_a_number = "a Content-Length that is not a number";
  const std::string not_hex = "a chunk size that is not a hexadecimal number";
  return {
      refused("both lengths", kOk + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
              "both Transfer-Encoding and Content-Length"),
      refused("both lengths, the other way round", kOk + "Transfer-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello",
              "both Transfer-Encoding and Content-Length"),
      refused("two lengths", kOk + "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
              "two different Content-Length fields"),
      refused("two lengths in a list", length("5,6"), "two different Content-Length fields"),
      refused("no length", length(""), not_a_number),
      refused("half a list", length("5,"), not_a_number),
      refused("a sign", length("+5"), not_a_number),
      refused("a fraction", length("5.0"), not_a_number),
      refused("hexadecimal", length("0x5"), not_a_number),
      refused("space inside", length("5 5"), not_a_number),
      refused("a length above 64 bits", length("18446744073709551616"), "a Content-Length above 64 bits"),
      refused("no coding", coding(""), "a Transfer-Encoding that names no coding"),
      refused("commas only", coding(", ,"), "a Transfer-Encoding that names no coding"),
      refused("chunked twice", coding("chunked, chunked"), "a Transfer-Encoding that is chunked twice"),
      refused("parameters", coding("chunked;a=b"), "a chunked Transfer-Encoding with parameters"),
      refused("two words", coding("gzip chunked"), "a malformed Transfer-Encoding"),
      refused("an open quote", coding("x;a=\"b, chunked"), "a malformed Transfer-Encoding"),
      refused("an open escape", coding("x;a=\"b\\"), "a malformed Transfer-Encoding"),
      refused("no chunk size", kChunkedHead + "\r\n", not_hex),
      refused("a chunk size of letters", kChunkedHead + "g\r\n", not_hex),
      refused("space before a chunk size", kChunkedHead + " 1\r\nx\r\n", not_hex),
      refused("space after a chunk size", kChunkedHead + "1 \r\nx\r\n", not_hex),
      refused("0x", kChunkedHead + "0x1\r\nx\r\n", not_hex),
      refused("a chunk above 64 bits", kChunkedHead + "10000000000000000\r\n", "a chunk size above 64 bits"),
      refused("LF after a chunk size", kChunkedHead + "1\nx\r\n", "a chunk line that does not end in CRLF"),
      refused("CR in an extension", kChunkedHead + "1;a\rb\r\nx\r\n", "a CR that no LF follows"),
      refused("LF after a chunk", kChunkedHead + "1\r\nx\n0\r\n\r\n", "a chunk that is not followed by CRLF"),
      refused("a chunk too long", kChunkedHead + "1\r\nxy\r\n", "a chunk that is not followed by CRLF"),
      refused("CR and no LF after a chunk", kChunkedHead + "1\r\nx\ry", "a chunk that is not followed by CRLF"),
      refused("no last chunk", kChunkedHead + "1\r\nx\r\n", "closed inside the body"),
      refused("no end of the trailers", kChunkedHead + "0\r\nA: b\r\n", "closed inside the body"),
      refused("space first in the trailers", kChunkedHead + "0\r\n A: b\r\n\r\n", "white space before the first field"),
      refused("two lengths over a fold", length("5,\r\n 6"), "two different Content-Length fields"),
  };
}

std::vector<Entry> all_entries() {
  std::vector<Entry> all;
  for (const auto& part :
       {accepted_heads(), accepted_persistence(), accepted_codings(), refused_heads(), refused_framing()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

TEST(ResponseTable, EveryEntryIsReadAsItShouldBe) {
  for (const Entry& entry : all_entries()) {
    SCOPED_TRACE(entry.name);
    const Reading reading = fuzz::read_whole(as_bytes(entry.stream), entry.expect);
    EXPECT_EQ(reading.error, entry.error);
    EXPECT_EQ(reading.accepted, entry.error.empty());
    if (!reading.accepted) continue;
    EXPECT_EQ(reading.status, entry.status);
    EXPECT_EQ(reading.keep_alive, entry.keep_alive);
    EXPECT_EQ(reading.body, entry.body);
    EXPECT_EQ(entry.stream.substr(reading.consumed), entry.rest);
  }
}

TEST(ResponseTable, EverySplitIntoTwoTellsTheSame) {
  for (const Entry& entry : all_entries()) {
    SCOPED_TRACE(entry.name);
    const ByteView stream = as_bytes(entry.stream);
    const Reading whole = fuzz::read_whole(stream, entry.expect);
    for (std::size_t cut = 1; cut < stream.size(); ++cut) {
      int pieces = 0;
      fuzz::check_same(whole, fuzz::read_pieces(entry.expect, [&] {
                         ++pieces;
                         return pieces == 1 ? stream.first(cut) : pieces == 2 ? stream.subspan(cut) : ByteView();
                       }));
    }
  }
}

TEST(ResponseTable, ByteByByteTellsTheSame) {
  for (const Entry& entry : all_entries()) {
    SCOPED_TRACE(entry.name);
    fuzz::Pieces pieces(as_bytes(entry.stream));
    fuzz::check_same(fuzz::read_whole(as_bytes(entry.stream), entry.expect),
                     fuzz::read_pieces(entry.expect, [&] { return pieces.next(1); }));
  }
}

// Two responses behind each other are what each is alone, as far as the first leaves the connection open.
TEST(ResponseTable, PipelinedPairsAreReadOneAfterTheOther) {
  const std::string second = "HTTP/1.1 201 Created\r\nContent-Length: 6\r\n\r\nsecond";
  int pairs = 0;
  for (const Entry& entry : all_entries()) {
    if (!entry.error.empty() || !entry.keep_alive) continue;
    SCOPED_TRACE(entry.name);
    const std::string stream = entry.stream.substr(0, entry.stream.size() - entry.rest.size()) + second;
    const Reading first = fuzz::read_whole(as_bytes(stream), entry.expect);
    EXPECT_TRUE(first.accepted && first.body == entry.body);
    const Reading next = fuzz::read_whole(as_bytes(stream).subspan(first.consumed), Expect::kBody);
    EXPECT_EQ(next.status, 201);
    EXPECT_EQ(next.body, "second");
    ++pairs;
  }
  EXPECT_GT(pairs, 20);
}

}  // namespace
}  // namespace hyperscale::load
