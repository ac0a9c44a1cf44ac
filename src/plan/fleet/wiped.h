// Memory of jobs that is overwritten when it is released: their bytes, and jobs as values. A job contains passwords and
// private keys.
//
// Values that can be moved, not copied; one owner. Bytes that a container left behind when it grew are not covered:
// encode() of manifest_codec.h therefore sets all memory aside before it writes.
#pragma once

#include "plan/job.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace hyperscale::plan {

// Overwrites and empties the text, or all texts of the job.
void wipe(std::string& text);
void wipe(Job& job);

// For SharedBytes::adopt().
class WipedBytes {
 public:
  explicit WipedBytes(std::vector<std::uint8_t> bytes) : bytes_(std::move(bytes)) {}
  ~WipedBytes();
  WipedBytes(WipedBytes&&) noexcept = default;
  WipedBytes& operator=(WipedBytes&&) = delete;

  const std::uint8_t* data() const { return bytes_.data(); }
  std::size_t size() const { return bytes_.size(); }

 private:
  std::vector<std::uint8_t> bytes_;
};

class WipedJob {
 public:
  WipedJob() = default;
  explicit WipedJob(Job job) : job_(std::move(job)) {}
  ~WipedJob() { wipe(job_); }
  WipedJob(WipedJob&& other) noexcept : job_(std::exchange(other.job_, {})) {}
  WipedJob& operator=(WipedJob&& other) noexcept {
    std::swap(job_, other.job_);
    return *this;
  }

  Job& operator*() { return job_; }
  const Job& operator*() const { return job_; }
  Job* operator->() { return &job_; }
  const Job* operator->() const { return &job_; }

 private:
  Job job_;
};

}  // namespace hyperscale::plan
