// TlsPair: a TlsTransport on a MemoryLoop and a TestTlsServer, with a record of what the transport told.
#pragma once

#include "load/protocols/tls/tls_transport.h"
#include "memory_loop.h"
#include "test_authority.h"
#include "test_tls_server.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace hyperscale::load {

class TransportRecord final : public TransportEvents {
 public:
  void on_transport_ready() override {
    ++readies;
    if (on_ready) on_ready();
  }
  void on_transport_data(ByteView bytes) override {
    EXPECT_FALSE(bytes.empty());
    received.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (on_data) on_data();
  }
  void on_transport_sent() override { ++sents; }
  void on_transport_end() override { ++ends; }
  void on_transport_failed(const TransportFailure& why) override {
    EXPECT_FALSE(failure) << "failed twice";
    failure = why.outcome;
    detail = why.detail;
  }

  int readies = 0;
  int sents = 0;
  int ends = 0;
  std::string received;
  std::optional<results::Outcome> failure;
  std::string detail;
  std::function<void()> on_ready;
  std::function<void()> on_data;
};

inline std::shared_ptr<TlsContext> client_context(const plan::Tls& tls,
                                                  plan::HttpVersion version = plan::HttpVersion::kAuto) {
  auto context = TlsContext::make(tls, version);
  EXPECT_TRUE(context) << context.error().to_string();
  return context ? *context : nullptr;
}

inline plan::Tls trusting(const TestAuthority& authority) {
  plan::Tls tls;
  tls.ca_pem = authority.pem();
  return tls;
}

struct TlsPair {
  TlsPair(TestTlsContext& server_context, std::shared_ptr<TlsContext> client, const std::string& host = "a.example")
      : context(std::move(client)),
        server(server_context),
        transport(std::make_unique<TlsTransport>(loop, *context, context->server(host, 443), record)) {}

  void start() {
    transport->start(MemoryLoop::kStream);
    run();
  }
  // Carries bytes both ways, to the client in pieces of at most `piece`, until both ends are silent.
  void run() {
    for (;;) {
      const std::vector<std::uint8_t> to_server = std::exchange(loop.out, {});
      if (!to_server.empty()) server.feed(to_server);
      const std::vector<std::uint8_t> to_client = server.wire();
      if (to_server.empty() && to_client.empty()) return;
      deliver(to_client);
    }
  }
  void deliver(ByteView bytes) {
    while (!bytes.empty() && !loop.closed) {
      const std::size_t size = std::min(piece, bytes.size());
      loop.events->on_data(bytes.first(size));
      bytes = bytes.subspan(size);
    }
  }
  void expect_tls_failure(const std::string& sentence) const {
    EXPECT_EQ(record.failure, results::Outcome::kTls);
    EXPECT_EQ(record.detail, sentence);
    EXPECT_TRUE(loop.closed);
  }

  std::shared_ptr<TlsContext> context;
  MemoryLoop loop;
  TransportRecord record;
  TestTlsServer server;
  std::unique_ptr<TlsTransport> transport;
  std::size_t piece = SIZE_MAX;
};

}  // namespace hyperscale::load
