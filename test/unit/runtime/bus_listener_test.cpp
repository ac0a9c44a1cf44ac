#include "loop_test.h"
#include "runtime/channel/bus.h"
#include "runtime/log/log.h"
#include "runtime/metrics/metrics.h"

#include <atomic>
#include <stdexcept>
#include <vector>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

namespace hyperscale::runtime {
namespace {

constexpr std::size_t kBusCapacity = 1024;

class BusListenerTest : public LoopTest {
 protected:
  BusListenerTest() {
    LogOptions options;
    options.capture = capture;
    log = std::move(*Log::open(options));
  }

  BusListener listener() {
    BusListener made;
    made.service = "index";
    made.on_event = [this](const BusEvent& event) {
      versions.push_back(std::get<ConfigUpdatedEvent>(event).version);
      ++received;
    };
    made.reconcile = [this] {
      ++reconciled;
      if (reconcile_breaks) throw std::runtime_error("the snapshot is gone");
    };
    return made;
  }
  void publish(std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t version = first; version <= last; ++version) bus.publish(ConfigUpdatedEvent{version});
  }

  std::shared_ptr<LogCapture> capture = std::make_shared<LogCapture>();
  std::unique_ptr<Log> log;
  Metrics metrics;
  Bus bus{kBusCapacity};
  std::vector<std::uint64_t> versions;  // touched by the listener alone until it has ended
  std::atomic<std::size_t> received{0};
  std::atomic<int> reconciled{0};
  bool reconcile_breaks = false;
};
BOTH_FLAVOURS(BusListenerTest);

// proves: NODE-CH-1
// proves part: NODE-CH-4 (the loop, counts and warnings; not: what the node's own listener pulls)
// proves part: NODE-CH-5 (reconciles after a loss; not periodically)
TEST_P(BusListenerTest, StalledReceiverReconcilesAfterExactLoss) {
  auto receiver = bus.subscribe();
  publish(1, kBusCapacity + 1);  // it stalls for 1025 events: exactly one too many
  auto ended = spawn(listen_to_bus(std::move(receiver), listener(), metrics, *log));
  ASSERT_TRUE(eventually([&] { return received == kBusCapacity; }));
  EXPECT_EQ(metrics.value(Counter::kBusLagged, "index"), 1);
  EXPECT_EQ(reconciled, 1);
  EXPECT_TRUE(capture->wait_for(" warn  bus: index lagged and missed 1 events", kTestBound));
  publish(2000, 2009);
  ASSERT_TRUE(eventually([&] { return received == kBusCapacity + 10; }));
  EXPECT_EQ(reconciled, 1);
  bus.close();
  ended.get();
  EXPECT_EQ(versions.front(), 2u);
  EXPECT_EQ(versions.back(), 2009u);
}

// proves part: NODE-CH-4 (the loop, counts and warnings; not: what the node's own listener pulls)
TEST_P(BusListenerTest, AFailedReconcileIsLoggedAndTheLoopGoesOn) {
  reconcile_breaks = true;
  auto receiver = bus.subscribe();
  publish(1, kBusCapacity + 100);
  auto ended = spawn(listen_to_bus(std::move(receiver), listener(), metrics, *log));
  ASSERT_TRUE(eventually([&] { return received == kBusCapacity; }));
  EXPECT_EQ(metrics.value(Counter::kBusLagged, "index"), 100);
  EXPECT_TRUE(capture->wait_for("index could not reconcile: the snapshot is gone", kTestBound));
  publish(1, 1);
  EXPECT_TRUE(eventually([&] { return received == kBusCapacity + 1; }));
  bus.close();
  ended.get();
}

// The listener falls behind twice, each time because of what it publishes itself.
// proves part: NODE-CH-4 (the loop, counts and warnings; not: what the node's own listener pulls)
TEST_P(BusListenerTest, EachLagIsAddedAndReconciled) {
  BusListener behind = listener();
  behind.on_event = [this](const BusEvent&) {
    if (++received <= 2) publish(1, kBusCapacity + 7);
  };
  auto ended = spawn(listen_to_bus(bus.subscribe(), behind, metrics, *log));
  publish(1, 1);
  ASSERT_TRUE(eventually([&] { return received == kBusCapacity + 2; }));
  // Seven, and then also what it had not read of the first flood: all of it but one.
  EXPECT_EQ(metrics.value(Counter::kBusLagged, "index"), static_cast<double>(7 + 7 + kBusCapacity - 1));
  EXPECT_EQ(reconciled, 2);
  bus.close();
  ended.get();
}

// proves part: NODE-CH-4 (the loop, counts and warnings; not: what the node's own listener pulls)
TEST_P(BusListenerTest, AClosedBusEndsTheLoopAfterWhatIsLeft) {
  auto receiver = bus.subscribe();
  publish(1, 5);
  bus.close();
  run(listen_to_bus(std::move(receiver), listener(), metrics, *log));
  EXPECT_EQ(versions.size(), 5u);
  EXPECT_EQ(reconciled, 0);
}

// proves part: NODE-CH-4 (the loop, counts and warnings; not: what the node's own listener pulls)
TEST_P(BusListenerTest, ACloseWakesAListenerThatWaits) {
  auto ended = spawn(listen_to_bus(bus.subscribe(), listener(), metrics, *log));
  publish(1, 1);
  ASSERT_TRUE(eventually([&] { return received == 1; }));
  bus.close();
  ASSERT_EQ(ended.wait_for(kTestBound), std::future_status::ready);
}

// proves part: NODE-INV-5 (waits for queues and the bus; not those for sockets and timers)
TEST(BusListenerCancelTest, ListenerWokenAndCancelledLeavesTheBus) {
  asio::io_context context;
  Metrics metrics;
  LogOptions options;
  options.capture = std::make_shared<LogCapture>();
  const auto log = std::move(*Log::open(options));
  Bus bus(4);
  asio::cancellation_signal signal;
  bool failed = false;
  BusListener listener{"index", [](const BusEvent&) {}, [] {}};
  auto ended = [&failed](const std::exception_ptr& failure) { failed = failure != nullptr; };
  asio::co_spawn(asio::make_strand(context), listen_to_bus(bus.subscribe(), listener, metrics, *log),
                 asio::bind_cancellation_slot(signal.slot(), ended));
  context.poll();
  bus.publish(ConfigUpdatedEvent{1});
  signal.emit(asio::cancellation_type::terminal);
  context.restart();
  context.poll();
  EXPECT_TRUE(failed);
  bus.publish(ConfigUpdatedEvent{2});  // would wake a waiter that was left behind
  EXPECT_EQ(bus.receivers(), 0u);
}

// proves part: NODE-INV-5 (waits for queues and the bus; not those for sockets and timers)
TEST(BusListenerCancelTest, ListenerCancelledAsleepLeavesTheBus) {
  asio::io_context context;
  Metrics metrics;
  LogOptions options;
  options.capture = std::make_shared<LogCapture>();
  const auto log = std::move(*Log::open(options));
  auto bus = std::make_unique<Bus>(4);
  asio::cancellation_signal signal;
  int seen = 0;
  BusListener listener{"index", [&seen](const BusEvent&) { ++seen; }, [] {}};
  asio::co_spawn(asio::make_strand(context), listen_to_bus(bus->subscribe(), listener, metrics, *log),
                 asio::bind_cancellation_slot(signal.slot(), [](const std::exception_ptr&) {}));
  context.poll();
  signal.emit(asio::cancellation_type::terminal);
  context.restart();
  context.poll();
  EXPECT_EQ(bus->receivers(), 0u) << "the listener, or a waiter of its, is still there";
  bus->publish(ConfigUpdatedEvent{1});
  context.restart();
  EXPECT_EQ(context.poll(), 0u) << "a waiter that was left behind was woken";
  EXPECT_EQ(seen, 0);
}

}  // namespace
}  // namespace hyperscale::runtime
