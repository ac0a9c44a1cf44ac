#include "realtime/work_threads.h"

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
  join_exited();
  const std::uint64_t number = next_number_++;
  {
    const std::lock_guard board_lock(board_->mutex);
    board_->running.insert(number);
  }
  auto thread =
      factory_(name, [board = board_, number, body = std::move(body), kept = std::move(keep_alive)]() mutable {
        body();
        kept.reset();
        const std::lock_guard board_lock(board->mutex);
        board->running.erase(number);
        ++board->changes;
        board->changed.notify_all();
      });
  if (!thread) {
    const std::lock_guard board_lock(board_->mutex);
    board_->running.erase(number);
    return fail(std::move(thread.error()));
  }
  started_.push_back(Started{name, number, std::move(*thread)});
  return {};
}

bool WorkThreads::has_exited(const Started& started) const {
  const std::lock_guard lock(board_->mutex);
  return !board_->running.contains(started.number);
}

void WorkThreads::join_exited() {
  std::erase_if(started_, [this](Started& started) {
    if (!has_exited(started)) return false;
    started.thread.join();
    return true;
  });
}

void WorkThreads::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
}

bool WorkThreads::all_exited() const {
  const std::lock_guard lock(board_->mutex);
  return board_->running.empty();
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
  for (Started& started : started_) {
    if (has_exited(started) && started.thread.get_id() != std::this_thread::get_id()) {
      started.thread.join();
    } else {
      started.thread.detach();
      leaked.push_back(started.name);
    }
  }
  started_.clear();
  return leaked;
}

std::size_t WorkThreads::kept() const {
  const std::lock_guard lock(mutex_);
  return started_.size();
}

}  // namespace hyperscale::realtime
