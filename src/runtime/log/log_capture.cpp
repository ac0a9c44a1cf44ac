#include "runtime/log/log_capture.h"

#include <algorithm>

namespace hyperscale::runtime {

std::vector<std::string> LogCapture::lines() const {
  const std::lock_guard lock(mutex_);
  return {lines_.begin(), lines_.end()};
}

bool LogCapture::contains_locked(std::string_view text) const {
  return std::any_of(lines_.begin(), lines_.end(),
                     [text](const std::string& line) { return line.find(text) != std::string::npos; });
}

bool LogCapture::contains(std::string_view text) const {
  const std::lock_guard lock(mutex_);
  return contains_locked(text);
}

bool LogCapture::wait_for(std::string_view text, Duration limit) const {
  std::unique_lock lock(mutex_);
  return arrived_.wait_for(lock, limit, [&] { return contains_locked(text); });
}

void LogCapture::clear() {
  const std::lock_guard lock(mutex_);
  lines_.clear();
}

void LogCapture::write(std::string_view line) {
  {
    const std::lock_guard lock(mutex_);
    if (line.ends_with('\n')) line.remove_suffix(1);
    lines_.emplace_back(line);
    if (lines_.size() > kLogCaptureLinesMax) lines_.pop_front();
  }
  arrived_.notify_all();
}

}  // namespace hyperscale::runtime
