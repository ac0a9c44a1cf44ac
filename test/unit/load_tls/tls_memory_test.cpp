#include "tls_pair.h"

#include <gtest/gtest.h>
#include <malloc.h>

namespace hyperscale::load {
namespace {

constexpr std::size_t kIdleBytesMax = 40 << 10;

// Ten thousand idle connections have to fit beside everything else: 40 KiB each are 400 MB.
TEST(TlsMemory, AnIdleTransportHoldsLittle) {
  const TestAuthority authority;
  TestTlsContext server(authority.issue());
  const auto context = client_context(trusting(authority));
  constexpr std::size_t kCount = 64;
  std::vector<std::unique_ptr<TlsPair>> pairs;
  for (std::size_t i = 0; i < kCount; ++i) {
    pairs.push_back(std::make_unique<TlsPair>(server, context));
    TlsPair& pair = *pairs.back();
    pair.start();
    pair.transport->send(as_bytes("request"), Sending::kTracked);
    pair.server.send(std::string(50'000, 'x'));
    pair.run();
    ASSERT_EQ(pair.record.received.size(), 50'000u);
  }
  // The servers' ends stay; what closing the clients gives back is what they held.
  const std::size_t before = ::mallinfo2().uordblks;
  for (auto& pair : pairs) pair->transport.reset();
  const std::size_t clients = before - ::mallinfo2().uordblks;
  RecordProperty("bytes_per_idle_transport", static_cast<int>(clients / kCount));
  EXPECT_LT(clients / kCount, kIdleBytesMax);
}

}  // namespace
}  // namespace hyperscale::load
