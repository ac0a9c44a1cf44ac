#include "runtime/http/cancel_token.h"

#include <atomic>
#include <map>
#include <mutex>
#include <utility>

namespace hyperscale::runtime {

struct CancelState {
  std::atomic<bool> canceled{false};
  std::mutex mutex;
  std::uint64_t next_id = 1;
  std::map<std::uint64_t, std::function<void()>> callbacks;
};

bool CancelToken::canceled() const {
  return state_ && state_->canceled.load(std::memory_order_acquire);
}

CancelToken::Registration CancelToken::on_cancel(std::function<void()> callback) const {
  Registration registration;
  if (!state_) return registration;
  {
    const std::lock_guard lock(state_->mutex);
    if (!state_->canceled.load(std::memory_order_relaxed)) {
      registration.state_ = state_;
      registration.id_ = state_->next_id++;
      state_->callbacks.emplace(registration.id_, std::move(callback));
      return registration;
    }
  }
  callback();
  return registration;
}

CancelToken::Registration::Registration(Registration&& other) noexcept
    : state_(std::exchange(other.state_, nullptr)), id_(std::exchange(other.id_, 0)) {}

CancelToken::Registration& CancelToken::Registration::operator=(Registration&& other) noexcept {
  if (this == &other) return *this;
  reset();
  state_ = std::exchange(other.state_, nullptr);
  id_ = std::exchange(other.id_, 0);
  return *this;
}

CancelToken::Registration::~Registration() {
  reset();
}

void CancelToken::Registration::reset() {
  if (!state_) return;
  std::function<void()> removed;  // destroyed after the lock is released: its captures may run any code
  {
    const std::lock_guard lock(state_->mutex);
    if (const auto found = state_->callbacks.find(id_); found != state_->callbacks.end()) {
      removed = std::move(found->second);
      state_->callbacks.erase(found);
    }
  }
  state_.reset();
}

CancelSource::CancelSource() : state_(std::make_shared<CancelState>()) {}

CancelToken CancelSource::token() const {
  CancelToken token;
  token.state_ = state_;
  return token;
}

void CancelSource::cancel() const {
  std::map<std::uint64_t, std::function<void()>> callbacks;
  {
    const std::lock_guard lock(state_->mutex);
    if (state_->canceled.exchange(true, std::memory_order_acq_rel)) return;
    callbacks.swap(state_->callbacks);
  }
  for (auto& [id, callback] : callbacks) callback();
}

}  // namespace hyperscale::runtime
