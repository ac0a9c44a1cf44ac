#include "node/executors/executor_messages.h"

#include "base/prng.h"
#include "plan/fleet/slots.h"
#include "plan/plan_codec.h"
#include "wire/frame_decoder.h"
#include "wire/request_payload.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace hyperscale::node {
namespace {

plan::Plan plan_with_body(std::size_t bytes) {
  plan::Plan plan;
  plan.name = "test";
  plan.steps.push_back(
      {.name = "step",
       .depends = {},
       .requests = {{.method = "POST", .url = "http://127.0.0.1/", .headers = {}, .body = std::string(bytes, 'b')}},
       .expect = {}});
  plan.load.duration = 1s;
  return plan;
}

std::vector<wire::Frame> frames_of(ByteView bytes) {
  wire::FrameDecoder decoder;
  EXPECT_TRUE(decoder.feed(bytes));
  std::vector<wire::Frame> frames;
  for (;;) {
    auto frame = decoder.next();
    EXPECT_TRUE(frame);
    if (!frame || !*frame) return frames;
    frames.push_back(std::move(**frame));
  }
}

template <typename Message>
Message round_trip(const Message& message) {
  const auto bytes = encode_message(message);
  const auto frames = frames_of(bytes);
  EXPECT_EQ(frames.size(), 1U);
  const auto back = decode_message(frames.front());
  EXPECT_TRUE(back) << back.error().context;
  EXPECT_TRUE(std::holds_alternative<Message>(*back));
  EXPECT_EQ(encode_message(*back), bytes) << "one form per message";
  return std::get<Message>(*back);
}

TEST(ExecutorMessages, EveryKindComesBackAsItWasSent) {
  EXPECT_EQ(round_trip(PlanPart{SharedBytes::copy_of("bytes")}).bytes.text(), "bytes");
  const auto slots = plan::slots_of(100, 4, {.index = 1, .count = 2});
  const plan::NumberSequence numbers = plan::numbers_of(std::span(slots).subspan(1, 2));
  const PlanEnd end = round_trip(PlanEnd{77, slots[2], numbers, load::LoopBackend::kEpoll});
  EXPECT_EQ(end.plan_bytes, 77U);
  EXPECT_EQ(end.segment, slots[2]);
  EXPECT_EQ(end.numbers, numbers);
  EXPECT_EQ(end.backend, load::LoopBackend::kEpoll);
  const Start start = round_trip(Start{MonoTime::from_ns(123'456'789'012), 42});
  EXPECT_EQ(start.at.ns(), 123'456'789'012);
  EXPECT_EQ(start.first_arrival, 42U);
  const plan::LoadChange change{plan::LoadChangeKind::kRate, 12.5, MonoTime::from_ns(77)};
  EXPECT_EQ(round_trip(Change{change}).change, change);
  round_trip(Stop{});
  round_trip(Ready{});
  EXPECT_EQ(round_trip(Refused{"no TLS here"}).sentence, "no TLS here");
  EXPECT_EQ(round_trip(Finished{1500ms}).cpu, 1500ms);
}

TEST(ExecutorMessages, ASegmentOfAnotherShareIsRefused) {
  const auto slots = plan::slots_of(100, 4, {.index = 1, .count = 2});
  const auto accepted = [&](const plan::NumberSequence& numbers) {
    return decode_message(frames_of(encode_message(PlanEnd{77, slots[2], numbers})).front()).has_value();
  };
  EXPECT_TRUE(accepted(plan::numbers_of(slots)));
  EXPECT_TRUE(accepted(plan::numbers_of(std::span(slots).subspan(2))));
  EXPECT_FALSE(accepted(plan::numbers_of(std::span(slots).first(2))));
  EXPECT_FALSE(accepted(plan::numbers_of(std::span(slots).subspan(3))));
  EXPECT_FALSE(accepted({.first = 1, .step = 2, .slots = 5, .count = 8})) << "more slots than there are";
  EXPECT_FALSE(accepted({.first = 0, .step = 2, .slots = 4, .count = 8})) << "those of the other datacenter";
  EXPECT_FALSE(accepted({.first = 5, .step = 2, .slots = 0, .count = 8}));
}

TEST(ExecutorMessages, ALongRefusalIsCut) {
  EXPECT_EQ(round_trip(Refused{std::string(kRefusalBytesMax + 1, 'x')}).sentence.size(), kRefusalBytesMax);
}

TEST(ExecutorMessages, NoPartOfAMessagePassesForOne) {
  const auto segments = plan::segments_of(10, 2);
  const std::vector<ExecutorMessage> messages = {PlanEnd{1000, segments[1], plan::numbers_of(segments)},
                                                 Start{MonoTime::from_ns(1'000'000), 300}, Finished{2s}};
  for (const ExecutorMessage& message : messages) {
    const auto frame = frames_of(encode_message(message)).front();
    for (std::size_t size = 0; size < frame.payload.size(); ++size) {
      wire::Frame cut = frame;
      cut.payload = frame.payload.slice(0, size);
      EXPECT_FALSE(decode_message(cut)) << size << " bytes of message " << message.index();
    }
    wire::Frame longer = frame;
    longer.payload = SharedBytes::copy_of(std::string(frame.payload.text()) + '\x01');
    EXPECT_FALSE(decode_message(longer)) << "message " << message.index();
  }
}

TEST(ExecutorMessages, ValuesAndLinesOfScriptsTravel) {
  const std::vector<plan::SharedValue> values{{.source = "Auth", .key = "token", .json = R"({"a":"\u0000"})"},
                                              {.source = "", .key = "base", .json = "7"}};
  EXPECT_EQ(round_trip(Start{MonoTime::from_ns(5), 1, 7, values}).values, values);
  EXPECT_EQ(round_trip(Start{MonoTime::from_ns(5), 1, 7, values}).first_round, 7U);
  const Finished finished = round_trip(Finished{2s, values, "setup failed: shop.js:3:1: no"});
  EXPECT_EQ(finished.values, values);
  EXPECT_EQ(finished.failure, "setup failed: shop.js:3:1: no");
  const Log log = round_trip(Log{load::LogLevel::kWarning, "line\nline"});
  EXPECT_EQ(log.level, load::LogLevel::kWarning);
  EXPECT_EQ(log.text, "line\nline");
  EXPECT_EQ(round_trip(Log{load::LogLevel::kInfo, std::string(kLogBytesMax + 9, 'x')}).text.size(), kLogBytesMax);
}

wire::Frame request(std::string_view method, std::string_view body) {
  wire::Frame frame;
  frame.payload = *wire::encode_request(method, as_bytes(body));
  return frame;
}

TEST(ExecutorMessages, RefusesWhatNobodyWouldSend) {
  EXPECT_FALSE(decode_message(request("stop", ""))) << "no version";
  EXPECT_FALSE(decode_message(request("stop", "\x01"))) << "another version";
  EXPECT_FALSE(decode_message(request("stop", "\x05x"))) << "more than nothing";
  EXPECT_FALSE(decode_message(request("stopp", "\x05"))) << "unknown";
  EXPECT_FALSE(decode_message(request("plan-part", "\x05"))) << "an empty part";
  wire::Frame pong = request("stop", "\x05");
  EXPECT_TRUE(decode_message(pong));
  pong.type = wire::FrameType::kPong;
  EXPECT_FALSE(decode_message(pong));
}

TEST(ExecutorMessages, RandomBytesNeverCrash) {
  EXPECT_TRUE(rc::check([](const std::vector<std::uint8_t>& bytes, std::uint8_t kind) {
    constexpr std::array kMethods = {"plan-part", "plan", "start", "stop", "ready", "refused", "finished"};
    std::string body(1, static_cast<char>(kExecutorProtocolVersion));
    body.append(bytes.begin(), bytes.end());
    const auto message = decode_message(request(kMethods.at(kind % kMethods.size()), body));
    if (!message) return;
    // What is understood has the one form that was read.
    RC_ASSERT(frames_of(encode_message(*message)).front().payload.text() ==
              request(kMethods.at(kind % kMethods.size()), body).payload.text());
  }));
}

TEST(PlanAssembly, APlanLargerThanAFrameArrivesInParts) {
  const plan::Plan plan = plan_with_body(3 * kPlanPartBytesMax);
  const auto encoded = plan::encode(plan);
  const auto frames = frames_of(encode_plan_parts(encoded));
  EXPECT_EQ(frames.size(), 4U);
  PlanAssembly assembly;
  for (const wire::Frame& frame : frames) {
    const auto message = decode_message(frame);
    ASSERT_TRUE(message);
    ASSERT_TRUE(assembly.add(std::get<PlanPart>(*message)));
  }
  const auto back = assembly.finish({encoded.size(), {}, {}, {}});
  ASSERT_TRUE(back) << back.error().context;
  EXPECT_EQ(*back, plan);
}

TEST(PlanAssembly, AMissingPartIsNoticed) {
  const auto encoded = plan::encode(plan_with_body(10));
  PlanAssembly assembly;
  ASSERT_TRUE(assembly.add({SharedBytes::copy_of(ByteView(encoded).first(10))}));
  EXPECT_FALSE(assembly.finish({encoded.size(), {}, {}, {}}));
}

}  // namespace
}  // namespace hyperscale::node
