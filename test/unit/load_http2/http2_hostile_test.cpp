// Servers that break RFC 9113, flood, or do odd but legal things: one row each, with what becomes of three requests and
// of the connection. Streams 1 and 3 are GET, stream 5 uploads more than its window allows. Every row is read whole and
// byte by byte, and comes out the same.
#include "raw_peer.h"

#include <ostream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace hyperscale::load {
namespace {

using http2::kFlagEndHeaders;
using http2::kFlagEndStream;
using http2::kFlagPadded;
using http2::kFlagPriority;

constexpr std::size_t kUploadBytes = 200'000;

enum class Server : std::uint8_t {
  kGreets,      // SETTINGS came before the row's bytes
  kSaysItAll,   // they are all that the server says
  kDoesNotRead  // as kGreets, but nothing that the client sends goes out any more
};

struct Hostile {
  std::string name;
  std::string bytes;
  // Fates of the three requests ("-" open, a status, an outcome, "back" for one that may be sent again), then the
  // connection ("up", "draining", "over" with the reason of our GOAWAY), then streams that we reset.
  std::string outcome;
  Server server = Server::kGreets;
};

void PrintTo(const Hostile& row, std::ostream* out) {
  *out << row.name;
}

std::string repeated(std::size_t count, const std::string& text) {
  std::string out;
  out.reserve(count * text.size());
  for (std::size_t i = 0; i < count; ++i) out += text;
  return out;
}

std::string frame(FrameType type, std::uint32_t stream, std::string_view payload, std::uint8_t flags = 0) {
  return raw_frame(type, flags, stream, payload);
}

std::string goaway(std::uint32_t last_id, std::uint32_t code, std::string_view text = "") {
  return frame(FrameType::kGoAway, 0, u32_text(last_id) + u32_text(code) + std::string(text));
}

std::string reset(std::uint32_t stream, std::uint32_t code) {
  return frame(FrameType::kRstStream, stream, u32_text(code));
}

std::string window(std::uint32_t stream, std::uint32_t increment) {
  return frame(FrameType::kWindowUpdate, stream, u32_text(increment));
}

std::string continuation(std::uint32_t stream, std::string_view part, bool last = false) {
  return frame(FrameType::kContinuation, stream, part, last ? kFlagEndHeaders : std::uint8_t{0});
}

std::string ping() {
  return frame(FrameType::kPing, 0, "01234567");
}

std::string answer(std::uint32_t stream) {
  return last_head_frame(stream, kStatus200);
}

std::string all_answers() {
  return answer(1) + answer(3) + answer(5);
}

// HEADERS without a byte of the block, then a CONTINUATION per byte.
std::string in_single_bytes(std::uint32_t stream, std::string_view block) {
  std::string out = head_frame(stream, "", kFlagEndStream);
  for (std::size_t i = 0; i < block.size(); ++i) out += continuation(stream, block.substr(i, 1), i + 1 == block.size());
  return out;
}

// A literal with a long value: its length takes three bytes.
std::string long_field(std::size_t bytes) {
  const std::size_t rest = bytes - 127;
  return std::string("\0\x01k\x7f", 4) + static_cast<char>(0x80 | (rest & 0x7f)) +
         static_cast<char>(0x80 | ((rest >> 7) & 0x7f)) + static_cast<char>(rest >> 14) + std::string(bytes, 'v');
}

std::string broken(std::string_view code) {
  return fmt::format("protocol protocol protocol over {}", code);
}

void add_preface_rows(std::vector<Hostile>& rows) {
  const std::string protocol = broken("PROTOCOL_ERROR");
  rows.push_back({"PrefaceIsPing", ping(), protocol, Server::kSaysItAll});  // 3.4
  rows.push_back({"PrefaceIsAnAck", frame(FrameType::kSettings, 0, "", 1), protocol, Server::kSaysItAll});
  rows.push_back({"PrefaceIsAnAnswer", answer(1), protocol, Server::kSaysItAll});
  rows.push_back({"PrefaceIsHttp1", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", protocol, Server::kSaysItAll});
  rows.push_back({"PrefaceIsGoaway", goaway(0, 0), protocol, Server::kSaysItAll});
}

void add_settings_rows(std::vector<Hostile>& rows) {
  const std::string protocol = broken("PROTOCOL_ERROR"), size = broken("FRAME_SIZE_ERROR");
  const std::string flow = broken("FLOW_CONTROL_ERROR");
  rows.push_back({"SettingsOnAStream", frame(FrameType::kSettings, 1, ""), protocol});  // 6.5
  rows.push_back({"SettingsOfSevenBytes", settings_frame("1234567"), size});
  rows.push_back({"SettingsAckWithBytes", frame(FrameType::kSettings, 0, setting_text(3, 1), 1), size});
  rows.push_back({"SettingsAckedTwice", repeated(2, frame(FrameType::kSettings, 0, "", 1)), protocol});
  rows.push_back({"SettingsAllowPush", settings_frame(setting_text(2, 1)), protocol});  // 6.5.2
  rows.push_back({"SettingsPushIsTwo", settings_frame(setting_text(2, 2)), protocol});
  rows.push_back({"SettingsWindowOf32Bits", settings_frame(setting_text(4, 1u << 31)), flow});
  rows.push_back({"SettingsFrameTooSmall", settings_frame(setting_text(5, 16383)), protocol});
  rows.push_back({"SettingsFrameTooLarge", settings_frame(setting_text(5, 1u << 24)), protocol});
  rows.push_back(
      {"SettingsOverflowAWindow", window(5, INT32_MAX - 70'000) + settings_frame(setting_text(4, 1 << 20)), flow});
  rows.push_back(
      {"SettingsUnknown", settings_frame(setting_text(0xfafa, 7)) + all_answers(), "200 200 200 up 5=CANCEL"});
  rows.push_back({"SettingsNoStreams", settings_frame(setting_text(3, 0)) + all_answers(), "200 200 200 up 5=CANCEL"});
  rows.push_back({"SettingsWindowShrinks", settings_frame(setting_text(4, 0)) + answer(1), "200 - - up"});
  rows.push_back({"SettingsTableOfNothing", settings_frame(setting_text(1, 0)) + answer(1), "200 - - up"});
  rows.push_back({"SettingsFloodIsAnswered", repeated(3000, settings_frame()) + answer(1), "200 - - up"});
  rows.push_back({"SettingsFloodUnread", repeated(3000, settings_frame()), broken("ENHANCE_YOUR_CALM"),
                  Server::kDoesNotRead});  // 10.5
}

void add_ping_rows(std::vector<Hostile>& rows) {
  rows.push_back({"PingOnAStream", frame(FrameType::kPing, 1, "01234567"), broken("PROTOCOL_ERROR")});  // 6.7
  rows.push_back({"PingOfSevenBytes", frame(FrameType::kPing, 0, "0123456"), broken("FRAME_SIZE_ERROR")});
  rows.push_back({"PingAckUnasked", frame(FrameType::kPing, 0, "01234567", 1) + answer(1), "200 - - up"});
  rows.push_back({"PingFloodIsAnswered", repeated(3000, ping()) + answer(1), "200 - - up"});
  rows.push_back({"PingFloodUnread", repeated(3000, ping()), broken("ENHANCE_YOUR_CALM"), Server::kDoesNotRead});
}

void add_goaway_rows(std::vector<Hostile>& rows) {
  const std::string protocol = broken("PROTOCOL_ERROR");
  rows.push_back({"GoawayOnAStream", frame(FrameType::kGoAway, 1, u32_text(0) + u32_text(0)), protocol});  // 6.8
  rows.push_back({"GoawayOfSevenBytes", frame(FrameType::kGoAway, 0, "0123456"), broken("FRAME_SIZE_ERROR")});
  rows.push_back({"GoawayEvenStream", goaway(2, 0), protocol});
  rows.push_back({"GoawayOfNothing", goaway(0, 0), "back back back over"});
  rows.push_back({"GoawayLeavesTwoOut", goaway(1, 0) + answer(1), "200 back back over"});
  rows.push_back({"GoawayLeavesNoneOut", goaway(5, 0) + all_answers(), "200 200 200 over 5=CANCEL"});
  rows.push_back({"GoawayIsWaitedFor", goaway(5, 0) + answer(1), "200 - - draining"});
  rows.push_back({"GoawayInTwoSteps", goaway(INT32_MAX, 0) + goaway(3, 0) + answer(1), "200 - back draining"});
  rows.push_back({"GoawayTakesMoreBack", goaway(3, 0) + goaway(5, 0), "protocol protocol back over PROTOCOL_ERROR"});
  rows.push_back({"GoawayWithAnError", goaway(0, 11), "closed closed closed over"});
  rows.push_back({"GoawayWithALongText", goaway(1, 0, std::string(8000, 't')) + answer(1), "200 back back over"});
  rows.push_back({"GoawayAfterTheHead", head_frame(3, kStatus200) + goaway(1, 0), "- closed back draining"});
  rows.push_back({"GoawayFlood", repeated(1000, goaway(5, 0)) + answer(1), "200 - - draining"});
}

void add_reset_rows(std::vector<Hostile>& rows) {
  const std::string protocol = broken("PROTOCOL_ERROR");
  rows.push_back({"ResetOfStream0", reset(0, 8), protocol});  // 6.4
  rows.push_back({"ResetOfAnIdleStream", reset(9, 8), protocol});
  rows.push_back({"ResetOfThreeBytes", frame(FrameType::kRstStream, 1, "123"), broken("FRAME_SIZE_ERROR")});
  rows.push_back({"ResetCancels", reset(1, 8), "reset - - up"});
  rows.push_back({"ResetRefuses", reset(1, 7), "back - - up"});  // 8.7
  rows.push_back({"ResetRefusesAllThree", reset(1, 7) + reset(3, 7) + reset(5, 7), "back back back up"});
  rows.push_back({"ResetRefusesAfterTheHead", head_frame(1, kStatus200) + reset(1, 7), "reset - - up"});
  rows.push_back({"ResetRefusesAfterInterim", head_frame(1, literal(":status", "103")) + reset(1, 7), "reset - - up"});
  rows.push_back({"ResetInsideTheBody", head_frame(1, kStatus200) + data_frame(1, "x") + reset(1, 0), "reset - - up"});
  rows.push_back({"ResetOfUnknownCode", reset(1, 0xdead), "reset - - up"});
  rows.push_back({"ResetTwice", reset(1, 8) + reset(1, 8) + answer(3), "reset 200 - up"});
  rows.push_back({"ResetAfterAnEarlyAnswer", answer(5) + reset(5, 0), "- - 200 up 5=CANCEL"});  // 8.1
  rows.push_back({"ResetFlood", repeated(10'000, reset(1, 8)) + answer(3), "reset 200 - up"});
}

void add_window_rows(std::vector<Hostile>& rows) {
  const std::string protocol = broken("PROTOCOL_ERROR");
  rows.push_back({"WindowOfThreeBytes", frame(FrameType::kWindowUpdate, 0, "123"), broken("FRAME_SIZE_ERROR")});  // 6.9
  rows.push_back({"WindowByNothing", window(0, 0), protocol});
  rows.push_back({"WindowOfAStreamByNothing", window(1, 0), "protocol - - up 1=PROTOCOL_ERROR"});
  rows.push_back({"WindowTooLarge", window(0, INT32_MAX) + window(0, 1), broken("FLOW_CONTROL_ERROR")});
  rows.push_back({"WindowOfAStreamTooLarge", window(1, INT32_MAX), "protocol - - up 1=FLOW_CONTROL_ERROR"});
  rows.push_back({"WindowOfAnIdleStream", window(9, 1), protocol});
  rows.push_back({"WindowOfAStreamThatIsOver", answer(1) + window(1, 1) + window(1, 0), "200 - - up"});
  rows.push_back({"WindowByOneOverAndOver", repeated(5000, window(5, 1)) + answer(1), "200 - - up"});
  rows.push_back({"WindowOpensForTheUpload", window(0, 500'000) + window(5, 500'000) + answer(1), "200 - - up"});
}

void add_data_rows(std::vector<Hostile>& rows) {
  const std::string protocol = broken("PROTOCOL_ERROR"), open = head_frame(1, kStatus200);
  rows.push_back({"DataOnStream0", data_frame(0, "x"), protocol});  // 6.1
  rows.push_back({"DataOnAnIdleStream", data_frame(9, "x"), protocol});
  rows.push_back({"DataOnAnEvenStream", data_frame(2, "x"), protocol});
  rows.push_back({"DataBeforeTheHead", data_frame(1, "x"), protocol});
  rows.push_back({"DataAllPaddingAndMore", open + data_frame(1, "\x05hi", kFlagPadded), protocol});
  rows.push_back({"DataWithoutItsPadding", open + data_frame(1, "", kFlagPadded), broken("FRAME_SIZE_ERROR")});
  rows.push_back({"DataTooLarge", open + std::string("\x00\x40\x01\x00\x00\x00\x00\x00\x01", 9),
                  broken("FRAME_SIZE_ERROR")});  // 4.2
  rows.push_back({"DataBeyondItsLength",
                  head_frame(1, kStatus200 + literal("content-length", "2")) + data_frame(1, "abc"),
                  "protocol - - up 1=PROTOCOL_ERROR"});  // 8.1.1
  rows.push_back({"DataShortOfItsLength",
                  head_frame(1, kStatus200 + literal("content-length", "5")) + last_data_frame(1, "abc"),
                  "protocol - - up 1=PROTOCOL_ERROR"});
  rows.push_back({"DataAfterNoContent", head_frame(1, literal(":status", "204")) + data_frame(1, "x"),
                  "protocol - - up 1=PROTOCOL_ERROR"});
  rows.push_back({"DataAfterTheEnd", answer(1) + data_frame(1, "late") + answer(3), "200 200 - up"});
  rows.push_back(
      {"DataInSingleBytes", open + repeated(5000, data_frame(1, "x")) + last_data_frame(1, "y"), "200 - - up"});
  rows.push_back({"DataOfNothingAFew",
                  open + repeated(kHttp2EmptyFramesMax, data_frame(1, "")) + last_data_frame(1, ""), "200 - - up"});
  rows.push_back({"DataOfNothingFlood", open + repeated(kHttp2EmptyFramesMax + 1, data_frame(1, "")),
                  broken("ENHANCE_YOUR_CALM")});  // 10.5
}

void add_head_rows(std::vector<Hostile>& rows) {
  const std::string protocol = broken("PROTOCOL_ERROR"), size = broken("FRAME_SIZE_ERROR");
  const std::string malformed = "protocol - - up 1=PROTOCOL_ERROR";
  const std::string interim = head_frame(1, literal(":status", "103"));
  rows.push_back({"HeadOnStream0", head_frame(0, kStatus200), protocol});  // 6.2
  rows.push_back({"HeadOnAnIdleStream", head_frame(11, kStatus200), protocol});
  rows.push_back({"HeadOnAnEvenStream", head_frame(2, kStatus200), protocol});
  rows.push_back({"HeadWithTooMuchPadding", head_frame(1, "\x09\x88", kFlagPadded | kFlagEndHeaders), protocol});
  rows.push_back({"HeadWithoutItsPadding", head_frame(1, "", kFlagPadded | kFlagEndHeaders), size});
  rows.push_back({"HeadWithoutItsPriority", head_frame(1, "\x88", kFlagPriority | kFlagEndHeaders), size});
  rows.push_back({"HeadWithoutAStatus", last_head_frame(1, literal("a", "b")), malformed});  // 8.3.2
  rows.push_back({"HeadWithTwoStatuses", last_head_frame(1, kStatus200 + kStatus200), malformed});
  rows.push_back({"HeadWithABadStatus", last_head_frame(1, literal(":status", "2x0")), malformed});
  rows.push_back({"HeadOfARequest", last_head_frame(1, "\x88\x82"), malformed});
  rows.push_back({"HeadWithStatusLast", last_head_frame(1, literal("a", "b") + kStatus200), malformed});
  rows.push_back({"HeadInCapitals", last_head_frame(1, kStatus200 + literal("A", "b")), malformed});  // 8.2.1
  rows.push_back({"HeadWithALineBreak", last_head_frame(1, kStatus200 + literal("a", "b\r\nc: d")), malformed});
  rows.push_back({"HeadWithANul", last_head_frame(1, kStatus200 + literal("a", std::string("b\0c", 3))), malformed});
  rows.push_back(
      {"HeadWithConnection", last_head_frame(1, kStatus200 + literal("connection", "close")), malformed});  // 8.2.2
  rows.push_back(
      {"HeadWithChunks", last_head_frame(1, kStatus200 + literal("transfer-encoding", "chunked")), malformed});
  rows.push_back({"HeadWithTwoLengths",
                  last_head_frame(1, kStatus200 + literal("content-length", "0") + literal("content-length", "1")),
                  malformed});
  rows.push_back({"HeadSwitchesProtocols", head_frame(1, literal(":status", "101")), malformed});  // 8.6
  rows.push_back({"HeadIsInterimAndEnds", last_head_frame(1, literal(":status", "103")), malformed});
  rows.push_back({"HeadAfterManyInterim", repeated(500, interim) + answer(1), "200 - - up"});
}

void add_hpack_rows(std::vector<Hostile>& rows) {
  const std::string compression = broken("COMPRESSION_ERROR"), calm = broken("ENHANCE_YOUR_CALM");
  rows.push_back({"HpackEndlessNumber", head_frame(1, "\xff\xff\xff\xff\xff\xff\xff\xff"), compression});  // 4.3
  rows.push_back({"HpackIndexZero", head_frame(1, "\x80"), compression});
  rows.push_back({"HpackIndexBeyondTheTable", head_frame(1, "\xff\x20"), compression});
  rows.push_back({"HpackStringBeyondTheBlock",
                  head_frame(1, std::string("\0\x05"
                                            "ab",
                                            4)),
                  compression});
  rows.push_back({"HpackBadHuffman",
                  head_frame(1, std::string("\0\x84\xff\xff\xff\xff\x01"
                                            "b",
                                            8)),
                  compression});
  rows.push_back({"HpackTableTooLarge", head_frame(1, "\x3f\xe2\x1f\x88"), compression});
  rows.push_back({"HpackTableSizeLate", head_frame(1, "\x88\x20"), compression});
  rows.push_back({"HpackBombOfReferences",
                  head_frame(1, kStatus200 + "\x40\x01k\x7f\xa1\x1e" + std::string(4000, 'v')) +
                      head_frame(3, kStatus200 + std::string(10'000, '\xbe')),
                  calm});  // 10.5.1
  rows.push_back({"HpackOfAStreamThatIsOver",
                  answer(1) + head_frame(1, "\x88\x40\x01k\x01v") + last_head_frame(3, "\x88\xbe"), "200 200 - up"});
}

void add_continuation_rows(std::vector<Hostile>& rows) {
  const std::string protocol = broken("PROTOCOL_ERROR"), calm = broken("ENHANCE_YOUR_CALM");
  const std::string begun = head_frame(1, kStatus200, kFlagEndStream);
  rows.push_back({"ContinuationOfNothing", continuation(1, "\x88", true), protocol});  // 6.10
  rows.push_back({"ContinuationOnStream0", begun + continuation(0, "", true), protocol});
  rows.push_back({"ContinuationOfAnother", begun + continuation(3, "", true), protocol});
  rows.push_back({"ContinuationInterrupted", begun + ping(), protocol});
  rows.push_back({"ContinuationCutByUnknown", begun + frame(static_cast<FrameType>(0x50), 1, "x"), protocol});
  rows.push_back({"ContinuationAfterTheEnd", answer(1) + continuation(1, "\x88", true),
                  "200 protocol protocol over PROTOCOL_ERROR"});
  rows.push_back(
      {"ContinuationsOfOneByte", in_single_bytes(1, kStatus200 + literal("name", std::string(40, 'v'))), "200 - - up"});
  rows.push_back({"ContinuationsOfOneByteLong", in_single_bytes(1, kStatus200 + long_field(30'000)), "200 - - up"});
  rows.push_back(
      {"ContinuationsEmptyAFew",
       begun + repeated(kHttp2EmptyFramesMax - 1, continuation(1, "")) + continuation(1, "", true) + answer(3),
       "200 200 - up"});
  rows.push_back({"ContinuationsEmptyFlood", begun + repeated(kHttp2EmptyFramesMax + 1, continuation(1, "")), calm});
  rows.push_back({"ContinuationsWithoutEnd", begun + repeated(70'000, continuation(1, "\x88")), calm});
  rows.push_back({"ContinuationsLarge", begun + repeated(5, continuation(1, std::string(16'000, '\x88'))), calm});
}

void add_other_rows(std::vector<Hostile>& rows) {
  const std::string protocol = broken("PROTOCOL_ERROR");
  const std::string malformed = "protocol - - up 1=PROTOCOL_ERROR";
  const std::string body = head_frame(1, kStatus200) + data_frame(1, "x");
  rows.push_back(
      {"PushPromise", frame(FrameType::kPushPromise, 1, u32_text(2) + "\x82", kFlagEndHeaders), protocol});  // 8.4
  rows.push_back({"PushPromiseOnStream0", frame(FrameType::kPushPromise, 0, u32_text(2) + "\x82", 4), protocol});
  rows.push_back({"PushedAnswer", head_frame(4, kStatus200), protocol});
  rows.push_back({"TrailersEndTheAnswer", body + last_head_frame(1, literal("sum", "1")), "200 - - up"});  // 8.1
  rows.push_back({"TrailersThatDoNotEnd", body + head_frame(1, literal("sum", "1")), malformed});
  rows.push_back({"TrailersWithAStatus", body + last_head_frame(1, kStatus200), malformed});
  rows.push_back({"TrailersWithALength",
                  head_frame(1, kStatus200 + literal("content-length", "9")) + data_frame(1, "x") +
                      last_head_frame(1, literal("sum", "1")),
                  malformed});
  rows.push_back({"TrailersInSingleBytes", body + in_single_bytes(1, literal("sum", "1")), "200 - - up"});
  rows.push_back({"PriorityOnStream0", frame(FrameType::kPriority, 0, "12345"), protocol});  // 6.3
  rows.push_back({"PriorityOfFourBytes", frame(FrameType::kPriority, 1, "1234"), broken("FRAME_SIZE_ERROR")});
  rows.push_back({"PriorityFlood", repeated(5000, frame(FrameType::kPriority, 7, "12345")) + answer(1), "200 - - up"});
  rows.push_back(
      {"UnknownFrames", repeated(500, frame(static_cast<FrameType>(0xfa), 99, "x")) + answer(1), "200 - - up"});
}

std::vector<Hostile> all_rows() {
  std::vector<Hostile> rows;
  add_preface_rows(rows);
  add_settings_rows(rows);
  add_ping_rows(rows);
  add_goaway_rows(rows);
  add_reset_rows(rows);
  add_window_rows(rows);
  add_data_rows(rows);
  add_head_rows(rows);
  add_hpack_rows(rows);
  add_continuation_rows(rows);
  add_other_rows(rows);
  return rows;
}

// Three requests opposite the row's server.
class Conversation {
 public:
  explicit Conversation(const Hostile& row) : session_(transport_, record_, memory_, {.streams_max = 100}) {
    session_.send_request(0, get_);
    session_.send_request(1, get_);
    session_.send_request(2, upload_);
    session_.flush();
    if (row.server != Server::kSaysItAll) hear(settings_frame());
    transport_.busy = row.server == Server::kDoesNotRead;
  }
  void hear(std::string_view bytes) { session_.on_bytes(as_bytes(bytes)); }
  void hear_bytewise(const std::string& bytes) {
    for (const char& byte : bytes) hear({&byte, 1});
  }

  std::string outcome() {
    const std::string connection = record_.overs > 0 ? "over" : session_.usable() ? "up" : "draining";
    const std::string goodbye = transport_.busy ? "" : sent_of(FrameType::kGoAway);
    const std::string hidden = transport_.busy && record_.overs > 0 ? reason_told() : "";
    return fmt::format("{} {} {} {}{}{}{}", fate(0), fate(1), fate(2), connection, goodbye, hidden,
                       transport_.busy ? "" : sent_of(FrameType::kRstStream));
  }
  // What every request ends with is told once, also when the connection then ends.
  void end() {
    session_.on_end();
    for (std::uint32_t slot = 0; slot < 3; ++slot) {
      const Seen& seen = record_.seen[slot];
      EXPECT_EQ(seen.completed + seen.unprocessed + (seen.failure ? 1 : 0), 1) << "request " << slot;
    }
    EXPECT_EQ(record_.overs, 1);
  }
  const SessionRecord& record() const { return record_; }

 private:
  std::string fate(std::uint32_t slot) {
    const Seen& seen = record_.seen[slot];
    if (seen.completed > 0) return fmt::format("{}", seen.status);
    if (seen.unprocessed > 0) return "back";
    return seen.failure ? std::string(results::name(*seen.failure)) : "-";
  }
  // Of a peer that does not read, the reason is in what the exchanges were told.
  std::string reason_told() { return " " + record_.seen[0].detail.substr(0, record_.seen[0].detail.find(':')); }

  std::string sent_of(FrameType type) const {
    std::string text;
    ByteView rest = ByteView(transport_.out).subspan(http2::kPreface.size());
    while (!rest.empty()) {
      const auto head = http2::read_frame_head(rest.data());
      const std::uint8_t* payload = rest.data() + http2::kFrameHeadBytes;
      if (head.type == type && type == FrameType::kGoAway)
        text += fmt::format(" {}", http2::error_name(http2::read_u32(payload + 4)));
      if (head.type == type && type == FrameType::kRstStream)
        text += fmt::format(" {}={}", head.stream_id, http2::error_name(http2::read_u32(payload)));
      rest = rest.subspan(http2::kFrameHeadBytes + head.length);
    }
    return text;
  }

  const PreparedRequest get_ = make_request();
  const PreparedRequest upload_ = make_request("POST", std::string(kUploadBytes, 'u'));
  FreeListMemory memory_;
  QueueTransport transport_;
  SessionRecord record_;
  Http2Session session_;
};

class Http2Hostile : public testing::TestWithParam<Hostile> {};

TEST_P(Http2Hostile, EndsAsTheRfcAsks) {
  const Hostile& row = GetParam();
  Conversation whole(row);
  whole.hear(row.bytes);
  EXPECT_EQ(whole.outcome(), row.outcome);
  Conversation bytewise(row);
  bytewise.hear_bytewise(row.bytes);
  EXPECT_EQ(bytewise.outcome(), row.outcome) << "byte by byte";
  whole.end();
  bytewise.end();
  for (const auto& [slot, seen] : whole.record().seen) {
    const Seen& other = bytewise.record().seen.at(slot);
    EXPECT_EQ(seen.detail, other.detail);
    if (seen.completed > 0) EXPECT_TRUE(seen.body == other.body && seen.fields == other.fields);
  }
}

INSTANTIATE_TEST_SUITE_P(Rows, Http2Hostile, testing::ValuesIn(all_rows()),
                         [](const auto& info) { return info.param.name; });

TEST(Http2HostileTable, HasEnoughRows) {
  EXPECT_GE(all_rows().size(), 60u);
}

}  // namespace
}  // namespace hyperscale::load
