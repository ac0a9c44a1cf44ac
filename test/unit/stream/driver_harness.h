// A driver over real files in a folder of its own, with a clock that the test moves, and processes that it starts and
// kills.
#pragma once

#include "stream/driver.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hyperscale::stream {

// A process that waits until it is killed, or does `body` first.
class TestProcess {
 public:
  explicit TestProcess(const std::function<void()>& body = [] {}) {
    pid_ = ::fork();
    if (pid_ != 0) return;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    body();
    for (;;) ::pause();
  }
  ~TestProcess() { kill(); }
  TestProcess(const TestProcess&) = delete;
  TestProcess& operator=(const TestProcess&) = delete;

  std::uint64_t pid() const { return static_cast<std::uint64_t>(pid_); }
  void kill() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }

 private:
  pid_t pid_ = 0;
};

class DriverTest : public testing::Test {
 protected:
  DriverTest() { base_ = ::mkdtemp(base_.data()); }
  ~DriverTest() override {
    driver_.reset();
    std::error_code ignored;
    std::filesystem::remove_all(base_, ignored);
  }

  DriverSetup setup() {
    return {.shm_base_dir = base_, .name_space = "test", .policies = policies_, .clock = [this] { return now_; }};
  }
  Driver& start() {
    driver_.reset();
    auto started = Driver::start(setup());
    EXPECT_TRUE(started) << started.error().context;
    driver_ = std::move(*started);
    return *driver_;
  }
  // Ends the driver as a crash does: nothing is removed, nobody is told. The lock goes with its process.
  void crash_driver(const std::function<void(Driver&)>& before) {
    driver_.reset();
    const pid_t child = ::fork();
    if (child == 0) {
      auto started = Driver::start(setup());
      if (started) before(**started);
      ::kill(::getpid(), SIGKILL);
    }
    ::waitpid(child, nullptr, 0);
  }

  std::string namespace_path() const { return fmt::format("{}/{}/test", base_, user_folder_name()); }
  std::string stream_path(std::uint32_t stream) const { return fmt::format("{}/{}", namespace_path(), stream); }
  std::vector<std::uint64_t> epochs(std::uint32_t stream) const {
    std::vector<std::uint64_t> out;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(stream_path(stream), error)) {
      if (const auto number = number_of(entry.path().filename().string())) out.push_back(*number);
    }
    std::ranges::sort(out);
    return out;
  }
  // A tick after each quarter of a second, as an owner of a driver does it.
  void pass(Duration time, const std::function<void()>& each = [] {}) {
    for (const MonoTime end = now_ + time; now_ < end;) {
      now_ += 250ms;
      each();
      if (driver_) driver_->tick();
    }
  }

  static constexpr StreamNumber kStream{7};
  static constexpr RegionLayout kSmall{
      .nslots = 4, .stride_bytes = 256, .counters_reserved_bytes = 4096, .counters_bytes = 1 << 20};
  std::string base_ = "/tmp/hs-stream-XXXXXX";
  DriverPolicies policies_;
  MonoTime now_ = boot_now();
  std::unique_ptr<Driver> driver_;
};

}  // namespace hyperscale::stream
