#include "wire/request_payload.h"

#include "base/prng.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace hyperscale::wire {
namespace {

TEST(RequestPayload, ReadsWhatWasWritten) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    Prng prng(seed);
    std::string method(1 + prng.below(kMethodNameBytesMax), 'm');
    for (char& c : method) c = static_cast<char>('!' + prng.below('~' - '!' + 1));
    const std::string body(prng.below(1000), 'b');
    const auto payload = encode_request(method, as_bytes(body));
    RC_ASSERT(payload);
    const auto request = parse_request(*payload);
    RC_ASSERT(request);
    RC_ASSERT(request->method_name() == method);
    RC_ASSERT(request->body.text() == body);
  }));
}

TEST(RequestPayload, MethodAndBodyShareTheBuffer) {
  const SharedBytes payload = *encode_request("echo", as_bytes("body"));
  const RequestPayload request = *parse_request(payload);
  EXPECT_EQ(request.method.data(), payload.data() + 1);
  EXPECT_EQ(request.body.data(), payload.data() + 5);
  EXPECT_EQ(payload.use_count(), 3);
}

TEST(RequestPayload, RefusesWhatDoesNotFit) {
  for (const std::string_view bad : {std::string_view(), std::string_view("\x00", 1),
                                     std::string_view("\x05"
                                                      "echo"),
                                     std::string_view("\x04"
                                                      "ec o"),
                                     std::string_view("\x02"
                                                      "e\n"),
                                     std::string_view("\x02"
                                                      "\xc3\xa4")}) {
    const auto request = parse_request(SharedBytes::copy_of(bad));
    ASSERT_FALSE(request);
    EXPECT_EQ(request.error().code, ErrorCode::kProtocol);
  }
}

TEST(RequestPayload, AnEmptyBodyIsFine) {
  const auto request =
      parse_request(SharedBytes::copy_of("\x04"
                                         "echo"));
  ASSERT_TRUE(request);
  EXPECT_EQ(request->method_name(), "echo");
  EXPECT_TRUE(request->body.empty());
}

TEST(RequestPayload, AMethodNameThatCannotBeSentIsRefused) {
  for (const std::string& bad :
       {std::string(), std::string(256, 'm'), std::string("two words"), std::string("line\n")}) {
    const auto payload = encode_request(bad, {});
    ASSERT_FALSE(payload);
    EXPECT_EQ(payload.error().code, ErrorCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace hyperscale::wire
