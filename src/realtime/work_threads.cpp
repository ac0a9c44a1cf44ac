#include "realtime/work_threads.h"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <pthread.h>

namespace hyperscale::realtime {

Result<std::thread> start_named_thread(const std::string& name, std::function<void()> body) {
  try {
    return std::thread([name, body = std::move(body)] {
      pthread_setname_np(pthread_self(), name.c_str());
      body();
    });
  } catch (const std::system_error& error) {
    return fail(ErrorCode::kInternal, fmt::format("thread {} cannot be started: {}", name, error.what()));
  }
}

Status WorkThreads::start(const std::string& name, std::shared_ptr<void> keep_alive, std::function<void()> body) {
  const std::lock_guard lock(mutex_);
  if (closed_) return fail(ErrorCode::kUnavailable, "no thread is started during shutdown");
  std::size_t index = 0;
  {
    const std::lock_guard board_lock(board_->mutex);
    index = board_->exited.size();
    board_->exited.push_back(false);
  }
  auto thread = factory_(name, [board = board_, index, body = std::move(body), kept = std::move(keep_alive)]() mutable {
    body();
    kept.reset();
    const std::lock_guard board_lock(board->mutex);
    board->exited[index] = true;
    ++board->changes;
    board->changed.notify_all();
  });
  if (!thread) {
    const std::lock_guard board_lock(board_->mutex);
    board_->exited[index] = true;
    return fail(std::move(thread.error()));
  }
  started_.push_back(Started{name, std::move(*thread)});
  return {};
}

void WorkThreads::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
}

bool WorkThreads::all_exited() const {
  const std::lock_guard lock(board_->mutex);
  return std::ranges::find(board_->exited, false) == board_->exited.end();
}

std::uint64_t WorkThreads::changes() const {
  const std::lock_guard lock(board_->mutex);
  return board_->changes;
}

void WorkThreads::wait_for_change(std::uint64_t seen, Duration at_most) const {
  std::unique_lock lock(board_->mutex);
  board_->changed.wait_for(lock, at_most, [&] { return board_->changes != seen; });
}

void WorkThreads::progress() const {
  const std::lock_guard lock(board_->mutex);
  ++board_->changes;
  board_->changed.notify_all();
}

std::vector<std::string> WorkThreads::join_or_detach() {
  std::vector<std::string> leaked;
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < started_.size(); ++i) {
    std::thread& thread = started_[i].thread;
    if (!thread.joinable()) continue;
    bool exited = false;
    {
      const std::lock_guard board_lock(board_->mutex);
      exited = board_->exited[i];
    }
    if (exited && thread.get_id() != std::this_thread::get_id()) {
      thread.join();
    } else {
      thread.detach();
      leaked.push_back(started_[i].name);
    }
  }
  return leaked;
}

}  // namespace hyperscale::realtime
