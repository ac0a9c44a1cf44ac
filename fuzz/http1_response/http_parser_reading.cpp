#include "peer_reading.h"

#include <http_parser.h>

namespace hyperscale::load::fuzz {
namespace {

struct Message {
  Expect expect;
  bool complete = false;
  PeerReading reading;
};

Message& message_of(http_parser* parser) {
  return *static_cast<Message*>(parser->data);
}

int on_headers_complete(http_parser* parser) {
  const Message& message = message_of(parser);
  if (parser->status_code / 100 == 1) return 0;
  if (message.expect == Expect::kTunnel && parser->status_code / 100 == 2) return 2;
  return message.expect == Expect::kNoBody ? 1 : 0;
}

int on_body(http_parser* parser, const char* at, std::size_t length) {
  message_of(parser).reading.body.append(at, length);
  return 0;
}

int on_message_complete(http_parser* parser) {
  Message& message = message_of(parser);
  message.complete = true;
  message.reading.status = static_cast<int>(parser->status_code);
  message.reading.keep_alive = http_should_keep_alive(parser) != 0 && parser->upgrade == 0;
  http_parser_pause(parser, 1);
  return 0;
}

http_parser_settings make_settings() {
  http_parser_settings settings;
  http_parser_settings_init(&settings);
  settings.on_headers_complete = on_headers_complete;
  settings.on_body = on_body;
  settings.on_message_complete = on_message_complete;
  return settings;
}

PeerReading read_message(ByteView stream, Expect expect) {
  static const http_parser_settings settings = make_settings();
  Message message{.expect = expect, .reading = {}};
  http_parser parser;
  http_parser_init(&parser, HTTP_RESPONSE);
  parser.data = &message;
  const auto* const begin = reinterpret_cast<const char*>(stream.data());
  // A length of 0 is how the end of the stream is said.
  message.reading.consumed = stream.empty() ? 0 : http_parser_execute(&parser, &settings, begin, stream.size());
  if (!message.complete && HTTP_PARSER_ERRNO(&parser) == HPE_OK) http_parser_execute(&parser, &settings, begin, 0);
  message.reading.accepted = message.complete;
  if (!message.complete) message.reading.error = http_errno_name(HTTP_PARSER_ERRNO(&parser));
  return message.reading;
}

}  // namespace

PeerReading read_with_http_parser(ByteView stream, Expect expect) {
  std::size_t before = 0;
  for (;;) {
    PeerReading reading = read_message(stream.subspan(before), expect);
    reading.consumed += before;
    if (!reading.accepted || reading.status / 100 != 1 || reading.status == 101) return reading;
    before = reading.consumed;
  }
}

}  // namespace hyperscale::load::fuzz
