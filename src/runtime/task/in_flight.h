// InFlight: counts pending operations (connections, accepted requests) and lets a task wait until there are none. This
// is how short-lived coroutines are joined: each holds a guard for as long as it lives. Thread rule: any thread; guards
// may be moved between threads.
#pragma once

#include "base/time.h"
#include "concurrent/last_value.h"

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>

#include <boost/asio/awaitable.hpp>

namespace hyperscale::runtime {

namespace asio = boost::asio;

class InFlight {
  struct Shared {
    std::atomic<std::size_t> count{0};
    concurrent::LastValue<std::size_t> became_idle{0};  // only its version counts
  };

 public:
  class [[nodiscard]] Guard {
   public:
    Guard(Guard&& other) noexcept = default;
    Guard& operator=(Guard&&) = delete;
    ~Guard() {
      if (shared_ && --shared_->count == 0) shared_->became_idle.set(0);
    }

   private:
    friend class InFlight;
    explicit Guard(std::shared_ptr<Shared> shared) : shared_(std::move(shared)) { ++shared_->count; }
    std::shared_ptr<Shared> shared_;
  };

  Guard enter() { return Guard(shared_); }
  std::size_t count() const { return shared_->count; }
  // True once nothing is pending; false when the deadline passes first. Throws when the calling task is aborted.
  asio::awaitable<bool> wait_idle(MonoTime deadline) const;

 private:
  std::shared_ptr<Shared> shared_ = std::make_shared<Shared>();
};

}  // namespace hyperscale::runtime
