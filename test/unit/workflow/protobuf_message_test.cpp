#include "workflow/protobuf_message.h"

#include "plan/limits.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::workflow {
namespace {

using testing::HasSubstr;

constexpr const char* kShop = R"(syntax = "proto3";
package shop;
import "shop/money.proto";
import "google/protobuf/timestamp.proto";
message Order {
  int32 id = 1;
  string note = 2;
  repeated int64 items = 3;
  Money price = 4;
  enum State { NEW = 0; PAID = 1; }
  State state = 5;
  map<string, int32> counts = 6;
  oneof who { string user = 7; bytes key = 8; }
  google.protobuf.Timestamp at = 9;
  message Inner { bool on = 1; }
  Inner inner = 10;
}
)";
constexpr const char* kMoney = "syntax = \"proto3\"; package shop; message Money { uint64 cents = 1; }";
constexpr const char* kOld = "syntax = \"proto2\"; message Old { required int32 id = 1; optional Old next = 2; }";

ProtobufValue order(std::string json) {
  return {.sources = {{"shop/order.proto", kShop}, {"shop/money.proto", kMoney}},
          .type = "shop.Order",
          .json = std::move(json)};
}

std::string outcome(const ProtobufValue& value) {
  Protobuf argument(value);
  const Status optimised = argument.optimise();
  if (optimised) return "bytes " + argument.prepared().bytes;
  EXPECT_EQ(optimised.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(optimised.error().context.find('\n'), std::string::npos) << "one line";
  return optimised.error().context;
}

// The bytes are those of the encoding guide: field number and kind, then the value.
TEST(Protobuf, ValuesBecomeBytes) {
  EXPECT_EQ(outcome(order("{}")), "bytes ");
  EXPECT_EQ(outcome(order("{\"id\": 150}")), "bytes \x08\x96\x01");
  EXPECT_EQ(outcome(order("{\"note\": \"testing\"}")), "bytes \x12\x07testing");
  EXPECT_EQ(outcome(order("{\"items\": [3, 270, 86942]}")), "bytes \x1a\x06\x03\x8e\x02\x9e\xa7\x05");
  EXPECT_EQ(outcome(order("{\"price\": {\"cents\": \"7\"}}")), "bytes \x22\x02\x08\x07");
  EXPECT_EQ(outcome(order("{\"state\": \"PAID\"}")), "bytes \x28\x01");
  EXPECT_EQ(outcome(order("{\"key\": \"AQI=\"}")), "bytes \x42\x02\x01\x02");
  EXPECT_EQ(outcome(order("{\"at\": \"1970-01-01T00:00:01Z\"}")), "bytes \x4a\x02\x08\x01");
  EXPECT_EQ(outcome(order("{\"inner\": {\"on\": true}}")), "bytes \x52\x02\x08\x01");
  EXPECT_EQ(outcome(order("{\"state\": 1, \"id\": 150}")), "bytes \x08\x96\x01\x28\x01") << "fields in order";
}

TEST(Protobuf, EqualMapsHaveEqualBytes) {
  const std::string bytes = outcome(order("{\"counts\": {\"a\": 1, \"b\": 2, \"c\": 3, \"d\": 4}}"));
  EXPECT_EQ(bytes, std::string("bytes \x32\x05\x0a\x01") + "a\x10\x01\x32\x05\x0a\x01" + "b\x10\x02\x32\x05\x0a\x01" +
                       "c\x10\x03\x32\x05\x0a\x01" + "d\x10\x04");
  EXPECT_EQ(outcome(order("{\"counts\": {\"d\": 4, \"b\": 2, \"a\": 1, \"c\": 3}}")), bytes);
}

TEST(Protobuf, JsonMustFitTheType) {
  EXPECT_THAT(outcome(order("{\"colour\": 1}")), HasSubstr("JSON of shop.Order: colour: Cannot find field"));
  EXPECT_THAT(outcome(order("{\"price\": {\"euros\": 1}}")), HasSubstr("euros"));
  EXPECT_THAT(outcome(order("{\"id\": \"ten\"}")), HasSubstr("(id)"));
  EXPECT_THAT(outcome(order("{\"id\": 3000000000}")), HasSubstr("(id)"));
  EXPECT_THAT(outcome(order("{\"id\": 1.5}")), HasSubstr("(id)"));
  EXPECT_THAT(outcome(order("{\"note\": {}}")), HasSubstr("note"));
  EXPECT_THAT(outcome(order("{\"items\": [\"x\"]}")), HasSubstr("items"));
  EXPECT_THAT(outcome(order("{\"state\": \"LOST\"}")), HasSubstr("state"));
  EXPECT_THAT(outcome(order("{\"user\": \"a\", \"key\": \"AQI=\"}")), HasSubstr("oneof"));
  EXPECT_THAT(outcome(order("[]")), HasSubstr("JSON of shop.Order: not an object"));
  EXPECT_THAT(outcome(order("{\"id\": 1")), HasSubstr("JSON 1:9"));
  EXPECT_THAT(outcome(order("{id: 1}")), HasSubstr("JSON 1:2: a name in double quotes"));
  EXPECT_THAT(outcome(order("")), HasSubstr("JSON 1:1"));
}

TEST(Protobuf, RequiredFieldsHaveAValue) {
  const auto old = [](std::string json) {
    return outcome({.sources = {{"old.proto", kOld}}, .type = "Old", .json = std::move(json)});
  };
  EXPECT_EQ(old("{\"id\": 1}"), "bytes \x08\x01");
  EXPECT_EQ(old("{}"), "JSON of Old: missing field id");
  EXPECT_EQ(old("{\"id\": 1, \"next\": {}}"), "JSON of Old: (next): missing field id");
}

TEST(Protobuf, TypesAreFoundAmongTheSources) {
  ProtobufValue value = order("{\"on\": true}");
  value.type = "shop.Order.Inner";
  EXPECT_EQ(outcome(value), "bytes \x08\x01");
  value.type = "Order";
  EXPECT_EQ(outcome(value), "no message type \"Order\" in the .proto files");
  value.type = "shop.Order.State";
  EXPECT_THAT(outcome(value), HasSubstr("no message type"));
  value.type = "";
  EXPECT_THAT(outcome(value), HasSubstr("no message type \"\""));
}

TEST(Protobuf, SourcesMustBeRight) {
  const auto with = [](std::vector<ProtoSource> sources) {
    return outcome({.sources = std::move(sources), .type = "A", .json = "{}"});
  };
  EXPECT_THAT(with({{"a.proto", "syntax = \"proto3\";\nmessage A {\n  int32 id 1;\n}"}}), HasSubstr("a.proto:3:12: "));
  EXPECT_THAT(with({{"a.proto", "syntax = \"proto3\";\nmessage A { Missing b = 1; }"}}),
              HasSubstr("a.proto:2:13: \"Missing\" is not defined"));
  EXPECT_THAT(with({{"a.proto", "syntax = \"proto3\"; message A { int32 b = 1; int32 c = 1; }"}}),
              HasSubstr("Field number 1 has already been used"));
  EXPECT_THAT(with({{"a.proto", "syntax = \"proto3\"; import \"b.proto\"; message A {}"}}),
              HasSubstr("b.proto: it is not among the given files"));
  EXPECT_THAT(with({{"a.proto", "syntax = \"proto3\"; import \"b.proto\"; message A {}"},
                    {"b.proto", "syntax = \"proto3\"; import \"a.proto\"; message B {}"}}),
              HasSubstr("recursively imports itself"));
  EXPECT_EQ(with({}), "no .proto file is given");
  EXPECT_EQ(with({{"", ""}}), "a .proto file has no path");
  EXPECT_EQ(with({{"a.proto", ""}, {"a.proto", ""}}), "a.proto is given twice");
  EXPECT_THAT(with({{"a.proto", std::string(kProtoBytesMax + 1, ' ')}}), HasSubstr("more than 4194304 bytes"));
  EXPECT_THAT(with(std::vector<ProtoSource>(kProtoFilesMax + 1)), HasSubstr("more than 1000 .proto files"));
}

RC_GTEST_PROP(Protobuf, AnyTextIsBytesOrARefusal, ()) {
  const auto source = *rc::gen::arbitrary<std::string>();
  const auto json =
      *rc::gen::container<std::string>(rc::gen::element('{', '}', '"', 'i', 'd', ':', '1', ',', '[', ']'));
  const auto wild = prepare_protobuf({.sources = {{"a.proto", source}}, .type = "A", .json = json});
  RC_ASSERT((wild.has_value() || !wild.error().context.empty()));
  const auto tame = prepare_protobuf(order(json));
  RC_ASSERT((tame.has_value() || !tame.error().context.empty()));
}

// proves part: HOOK-ARG-6 (all but URL)
TEST(Protobuf, ASecondOptimisationDoesNothing) {
  Protobuf argument(order("{\"note\": \"long enough to live on the heap, so that its address tells\"}"));
  ASSERT_TRUE(argument.optimise());
  const void* first = argument.prepared().bytes.data();
  ASSERT_TRUE(argument.optimise());
  EXPECT_EQ(argument.prepared().bytes.data(), first);
}

}  // namespace
}  // namespace hyperscale::workflow
