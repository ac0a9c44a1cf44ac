// Responses that are valid by construction are read as they were meant, however they are cut.
#include "response_properties.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace hyperscale::load {
namespace {

struct Sent {
  std::string stream;
  fuzz::Reading meant;
};

std::string random_text(Prng& prng, std::string_view alphabet, std::uint64_t longest) {
  std::string text;
  for (std::uint64_t i = prng.below(longest + 1); i > 0; --i) text += alphabet[prng.below(alphabet.size())];
  return text;
}

std::string random_bytes(Prng& prng, std::uint64_t longest) {
  std::string bytes(prng.below(longest + 1), '\0');
  for (char& byte : bytes) byte = static_cast<char>(prng.next());
  return bytes;
}

std::string random_case(Prng& prng, std::string text) {
  for (char& c : text) {
    if (c >= 'a' && c <= 'z' && prng.below(2) == 0) c = static_cast<char>(c - 'a' + 'A');
  }
  return text;
}

std::string line_end(Prng& prng) {
  return prng.below(5) == 0 ? "\n" : "\r\n";
}

void add_field(Prng& prng, Sent& sent, const std::string& name, const std::string& value) {
  sent.stream += name + ":" + random_text(prng, " \t", 3) + value + random_text(prng, " \t", 2) + line_end(prng);
  sent.meant.fields += name + ": " + value + "\n";
}

void add_unknown_fields(Prng& prng, Sent& sent) {
  for (std::uint64_t i = prng.below(5); i > 0; --i) {
    const std::string name = "X" + random_text(prng, "abcXYZ019-_.!#$%&'*+^`|~", 30);
    const std::string inner = random_text(prng, "abc XYZ,;=\"\\:\x80\xff", 40);
    add_field(prng, sent, name, inner.empty() ? "" : "<" + inner + ">");
  }
}

void add_chunks(Prng& prng, Sent& sent, const std::string& body) {
  for (std::size_t at = 0; at < body.size();) {
    const std::size_t count = 1 + prng.below(body.size() - at);
    sent.stream += std::string(prng.below(4), '0') + random_case(prng, fmt::format("{:x}", count));
    if (prng.below(3) == 0) sent.stream += random_text(prng, " \t", 2) + ";" + random_text(prng, "ab=\"; \xe9", 9);
    sent.stream += "\r\n" + body.substr(at, count) + "\r\n";
    at += count;
  }
  sent.stream += "0\r\n";
  add_unknown_fields(prng, sent);
  sent.stream += line_end(prng);
}

Sent random_response(Prng& prng) {
  Sent sent;
  fuzz::Reading& meant = sent.meant;
  if (prng.below(8) == 0) sent.stream = line_end(prng);
  for (std::uint64_t i = prng.below(3); i > 0; --i) sent.stream += "HTTP/1.1 102 x\r\nConnection: close\r\n\r\n";
  meant.accepted = meant.begun = meant.head_complete = true;
  meant.status = static_cast<std::uint16_t>(200 + prng.below(800));
  meant.minor_version = static_cast<std::uint8_t>(prng.below(2));
  sent.stream += fmt::format("HTTP/1.{} {}", meant.minor_version, meant.status);
  if (prng.below(2) == 0) sent.stream += " " + random_text(prng, "OK \t\xe9", 9);
  sent.stream += line_end(prng);
  const std::uint64_t option = prng.below(3);  // 1: close, 2: keep-alive
  if (option != 0) {
    add_field(prng, sent, random_case(prng, "connection"),
              random_case(prng, option == 1 ? "x, close" : "keep-alive ,y"));
  }
  const bool bodiless = meant.status == 204 || meant.status == 304;
  const std::string body = bodiless ? "" : random_bytes(prng, 200);
  const std::uint64_t framing = prng.below(3);  // 0: length, 1: chunked, 2: until the close
  if (framing == 0) add_field(prng, sent, random_case(prng, "content-length"), std::to_string(body.size()));
  if (framing == 1) add_field(prng, sent, random_case(prng, "transfer-encoding"), random_case(prng, "gzip, chunked"));
  add_unknown_fields(prng, sent);
  sent.stream += line_end(prng);
  meant.ended_by_close = framing == 2 && !bodiless;
  const bool persistent = meant.minor_version == 1 ? option != 1 : option == 2 && framing != 1;
  meant.keep_alive = persistent && !meant.ended_by_close;
  if (framing == 1 && !bodiless) {
    add_chunks(prng, sent, body);
  } else {
    sent.stream += body;
  }
  meant.body = body;
  meant.body_bytes = body.size();
  meant.consumed = sent.stream.size();
  return sent;
}

TEST(ResponseProperty, ValidResponsesAreReadAsTheyWereMeant) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    Prng prng(seed);
    const Sent sent = random_response(prng);
    const std::string next = sent.meant.ended_by_close ? "" : "HTTP/1.1 200 OK\r\n";
    const std::string stream = sent.stream + next;
    const fuzz::Reading whole = fuzz::read_whole(as_bytes(stream), Expect::kBody);
    RC_ASSERT(whole.error == "");
    RC_ASSERT(whole.fields == sent.meant.fields);
    RC_ASSERT(whole.body == sent.meant.body);
    RC_ASSERT(whole.keep_alive == sent.meant.keep_alive);
    RC_ASSERT(whole == sent.meant);
    RC_ASSERT(fuzz::read_split(as_bytes(stream), Expect::kBody, prng, 1 + prng.below(40)) == whole);
  }));
}

// Any one byte of a valid response is replaced: whatever it becomes, the cut makes no difference.
TEST(ResponseProperty, AChangedByteIsJudgedTheSameInAnySplit) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    Prng prng(seed);
    std::string stream = random_response(prng).stream;
    stream[prng.below(stream.size())] = "\r\n\0 :,;\x7f"[prng.below(8)];
    std::string input{static_cast<char>(prng.next()), static_cast<char>(prng.next())};
    fuzz::check_response_parser(as_bytes(input + stream));
  }));
}

}  // namespace
}  // namespace hyperscale::load
