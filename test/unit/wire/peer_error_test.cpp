#include "wire/peer_error.h"

#include "wire/frame.h"

#include <gtest/gtest.h>

namespace hyperscale::wire {
namespace {

std::string told(ErrorCode code, std::string context) {
  const Error error = sanitised_for_peer({code, std::move(context)});
  EXPECT_EQ(error.code, code);
  return error.context;
}

TEST(PeerError, KeepsWhatThePeerCanUse) {
  EXPECT_EQ(told(ErrorCode::kInvalidArgument, "vus: 0 is less than 1"), "vus: 0 is less than 1");
  EXPECT_EQ(told(ErrorCode::kBusy, "work queue is full (512)"), "work queue is full (512)");
  EXPECT_EQ(told(ErrorCode::kTooLarge, "data of 9 bytes, at most 8 and/or 3/s"),
            "data of 9 bytes, at most 8 and/or 3/s");
}

// proves part: SEC-8 (handlers that throw, frames that do not open; not other errors of state sync)
TEST(PeerError, TellsNothingFromInside) {
  const std::string nothing = told(ErrorCode::kInternal, "");
  for (const std::string& context :
       {std::string("#0 0x7f12 in hyperscale::wire::open src/wire/message_seal.cpp:12\n#1 main"),
        std::string("cannot open /etc/hyperscale/node.toml"), std::string("src/wire/frame.cpp"), std::string("/etc"),
        std::string("hyperscale::load::Executor died"), std::string("pointer 0x7ffd00"), std::string("two\nlines"),
        std::string("tab\there"), std::string("frame.h:12"), std::string("what(): std::bad_alloc"),
        std::string("exception of type x"), std::string("b\xc3\xa4"), std::string(kPeerErrorBytesMax + 1, 'x')}) {
    EXPECT_EQ(told(ErrorCode::kInvalidArgument, context), nothing) << context;
  }
  for (const ErrorCode code :
       {ErrorCode::kInternal, ErrorCode::kUnauthorized, ErrorCode::kBrokenPipe, ErrorCode::kDegraded,
        ErrorCode::kCanceled, ErrorCode::kLagging, ErrorCode::kOpenCircuit}) {
    EXPECT_EQ(told(code, "the disk of this machine is full"), nothing);
  }
}

TEST(PeerError, GoesIntoAnErrorFrame) {
  const Frame frame = error_frame(7, sanitised_for_peer({ErrorCode::kInternal, "at src/a/b.cpp:1"}));
  EXPECT_EQ(error_of(frame).to_string(), "Internal: the node's log says more");
}

}  // namespace
}  // namespace hyperscale::wire
