// Destination of log lines: a descriptor, or the memory of a test.
//
// Thread rule: write() from one thread at a time (the log's own); everything else from any thread.
#pragma once

#include "base/owned_fd.h"
#include "base/result.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace hyperscale::runtime {

class LineWriter {
 public:
  virtual ~LineWriter() = default;
  // `line` ends with a line end.
  virtual void write(std::string_view line) = 0;
  // Ends a write() that waits for a full pipe, and makes all later ones return at once.
  virtual void abandon() = 0;
  // Lines that could not be written.
  virtual std::uint64_t lost() const = 0;
};

// Writes to a descriptor and waits while it is full, but never beyond abandon(). Lines of up to 4 KiB reach a pipe
// whole, also when other processes write to it.
class DescriptorWriter final : public LineWriter {
 public:
  // Borrows the descriptor. A pipe or terminal is opened a second time, so that O_NONBLOCK does not affect other users
  // of it; where the system refuses that, readiness is polled before each write.
  static Result<std::unique_ptr<DescriptorWriter>> borrow(int descriptor);
  // Appends to a file, created readable by its owner and group only.
  static Result<std::unique_ptr<DescriptorWriter>> open_file(const std::string& path);

  DescriptorWriter(const DescriptorWriter&) = delete;
  DescriptorWriter& operator=(const DescriptorWriter&) = delete;

  void write(std::string_view line) override;
  void abandon() override;
  std::uint64_t lost() const override { return lost_.load(); }

 private:
  DescriptorWriter(int borrowed, OwnedFd own, OwnedFd wake);
  bool wait_writable();

  const OwnedFd own_;  // none: writes to what it borrowed
  const int descriptor_;
  const OwnedFd wake_;  // an eventfd, readable after abandon()
  std::atomic<std::uint64_t> lost_ = 0;
};

}  // namespace hyperscale::runtime
