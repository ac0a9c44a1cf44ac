#include "node/local/standstill_beat.h"

#include "load/loop/event_loop.h"

#include <csignal>
#include <utility>

namespace hyperscale::node {

using boost::system::error_code;
using load::EventLoop;

StandstillBeat::StandstillBeat(boost::asio::io_context& io, Calls calls)
    : calls_(std::move(calls)), signals_(io, SIGCONT), timer_(io), watch_(EventLoop::now()) {}

void StandstillBeat::start() {
  await_signal();
  watch_ = jobs::SuspensionWatch(EventLoop::now());
  beat();
}

void StandstillBeat::look() {
  const Duration still = watch_.beat(EventLoop::now());
  if (still > Duration::zero()) calls_.stood_still(still);
}

void StandstillBeat::await_signal() {
  signals_.async_wait([this](error_code error, int) {
    if (error) return;
    look();
    const auto suspended = calls_.counts() ? watch_.continued(EventLoop::now()) : std::nullopt;
    if (suspended) calls_.was_suspended(*suspended);
    await_signal();
  });
}

void StandstillBeat::beat() {
  look();
  timer_.expires_after(jobs::kBeatInterval);
  timer_.async_wait([this](error_code error) {
    if (!error) beat();
  });
}

}  // namespace hyperscale::node
