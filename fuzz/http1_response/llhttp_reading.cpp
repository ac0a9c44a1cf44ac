#include "peer_reading.h"

#include <llhttp.h>

namespace hyperscale::load::fuzz {
namespace {

struct Message {
  llhttp_t parser;  // first: callbacks get a pointer to it
  Expect expect;
  bool complete = false;
  PeerReading reading;
};

Message& message_of(llhttp_t* parser) {
  return *reinterpret_cast<Message*>(parser);
}

int on_headers_complete(llhttp_t* parser) {
  const Message& message = message_of(parser);
  if (parser->status_code / 100 == 1) return 0;
  if (message.expect == Expect::kTunnel && parser->status_code / 100 == 2) return 2;
  return message.expect == Expect::kNoBody ? 1 : 0;
}

int on_body(llhttp_t* parser, const char* at, std::size_t length) {
  message_of(parser).reading.body.append(at, length);
  return 0;
}

int on_message_complete(llhttp_t* parser) {
  Message& message = message_of(parser);
  message.complete = true;
  message.reading.status = parser->status_code;
  const bool tunnel = message.expect == Expect::kTunnel && parser->status_code / 100 == 2;
  message.reading.keep_alive = llhttp_should_keep_alive(parser) != 0 && parser->upgrade == 0 && !tunnel;
  return HPE_PAUSED;
}

llhttp_settings_t make_settings() {
  llhttp_settings_t settings;
  llhttp_settings_init(&settings);
  settings.on_headers_complete = on_headers_complete;
  settings.on_body = on_body;
  settings.on_message_complete = on_message_complete;
  return settings;
}

PeerReading read_message(ByteView stream, Expect expect) {
  static const llhttp_settings_t settings = make_settings();
  Message message{.parser = {}, .expect = expect, .reading = {}};
  llhttp_init(&message.parser, HTTP_RESPONSE, &settings);
  const auto* const begin = reinterpret_cast<const char*>(stream.data());
  llhttp_errno_t code = llhttp_execute(&message.parser, begin, stream.size());
  if (code == HPE_OK) {
    code = llhttp_finish(&message.parser);
    message.reading.consumed = stream.size();
  } else if (message.complete) {
    message.reading.consumed = static_cast<std::size_t>(llhttp_get_error_pos(&message.parser) - begin);
  }
  message.reading.accepted = message.complete;
  if (!message.complete) message.reading.error = llhttp_errno_name(code);
  return message.reading;
}

}  // namespace

PeerReading read_with_llhttp(ByteView stream, Expect expect) {
  std::size_t before = 0;
  for (;;) {
    PeerReading reading = read_message(stream.subspan(before), expect);
    reading.consumed += before;
    if (!reading.accepted || reading.status / 100 != 1 || reading.status == 101) return reading;
    before = reading.consumed;
  }
}

}  // namespace hyperscale::load::fuzz
