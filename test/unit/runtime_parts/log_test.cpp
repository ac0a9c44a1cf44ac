#include "runtime/log/log.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hyperscale::runtime {
namespace {

using Clock = std::chrono::steady_clock;
using testing::ElementsAre;
using testing::EndsWith;

constexpr Duration kPatience = 20s;

class Pipe {
 public:
  Pipe() {
    int ends[2];
    EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    reader_ = ends[0];
    writer_ = ends[1];
  }
  ~Pipe() {
    close_reader();
    ::close(writer_);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int writer() const { return writer_; }
  void close_reader() {
    if (reader_ >= 0) ::close(reader_);
    reader_ = -1;
  }
  // Until no more byte can be written.
  void fill() const {
    ::fcntl(writer_, F_SETFL, O_NONBLOCK);
    const std::string chunk(4096, '.');
    while (::write(writer_, chunk.data(), chunk.size()) > 0) {
    }
    ::fcntl(writer_, F_SETFL, 0);
  }
  // What is in it now.
  std::string read_available() const {
    std::string text;
    pollfd wait{.fd = reader_, .events = POLLIN, .revents = 0};
    while (::poll(&wait, 1, 0) == 1 && (wait.revents & POLLIN) != 0) {
      char buffer[4096];
      const ssize_t got = ::read(reader_, buffer, sizeof(buffer));
      if (got <= 0) break;
      text.append(buffer, static_cast<std::size_t>(got));
    }
    return text;
  }

 private:
  int reader_ = -1;
  int writer_ = -1;
};

std::unique_ptr<Log> open_log(const LogOptions& options) {
  auto log = Log::open(options);
  EXPECT_TRUE(log) << log.error().to_string();
  return std::move(*log);
}

TEST(Log, WritesLinesInOrder) {
  auto capture = std::make_shared<LogCapture>();
  const auto log = open_log({.capture = capture});
  log->info("api", "listening on {}:{}", "127.0.0.1", 80);
  log->warn("bus", "lag");
  log->error("bus", "{} failed", 7);
  log->log(LogLevel::kInfo, "bus", "with fields", {{"missed", 3}, {"service", std::string("index")}});
  ASSERT_TRUE(log->flush(kPatience));
  EXPECT_THAT(capture->lines(), ElementsAre(EndsWith(" info  api: listening on 127.0.0.1:80"),
                                            EndsWith(" warn  bus: lag"), EndsWith(" error bus: 7 failed"),
                                            EndsWith(" info  bus: with fields missed=3 service=index")));
  EXPECT_EQ(log->dropped(), 0U);
}

TEST(Log, WritesJson) {
  auto capture = std::make_shared<LogCapture>();
  const auto log = open_log({.format = LogFormat::kJson, .capture = capture});
  log->log(LogLevel::kInfo, "bus", "x", {{"missed", 3}});
  ASSERT_TRUE(log->flush(kPatience));
  EXPECT_THAT(capture->lines(), ElementsAre(EndsWith(R"("level":"info","component":"bus","msg":"x","missed":3})")));
}

TEST(Log, LevelChangesLive) {
  auto capture = std::make_shared<LogCapture>();
  const auto log = open_log({.capture = capture});
  log->debug("a", "hidden");
  EXPECT_FALSE(log->enabled(LogLevel::kDebug));
  log->set_level(LogLevel::kDebug);
  EXPECT_EQ(log->level(), LogLevel::kDebug);
  log->debug("a", "shown");
  log->set_level(LogLevel::kError);
  log->warn("a", "hidden too");
  ASSERT_TRUE(log->flush(kPatience));
  EXPECT_THAT(capture->lines(), ElementsAre(EndsWith("shown")));
}

TEST(Log, CaptureCanBeWaitedFor) {
  auto capture = std::make_shared<LogCapture>();
  const auto log = open_log({.capture = capture});
  std::thread writer([&] { log->info("a", "needle {}", 1); });
  EXPECT_TRUE(capture->wait_for("needle 1", kPatience));
  EXPECT_TRUE(capture->contains("needle"));
  EXPECT_FALSE(capture->wait_for("hay", 1ms));
  writer.join();
}

TEST(Log, WritesPlainTextAndKeepsDescriptorFlags) {
  const Pipe pipe;
  const int flags = ::fcntl(pipe.writer(), F_GETFL);
  const auto log = open_log({.descriptor = pipe.writer()});
  log->info("a", "one");
  log->info("a", "long {}", std::string(6000, 'x'));
  ASSERT_TRUE(log->flush(kPatience));
  const std::string text = pipe.read_available();
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_THAT(text, EndsWith(std::string(6000, 'x') + "\n"));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2);
  EXPECT_EQ(::fcntl(pipe.writer(), F_GETFL), flags);
}

TEST(Log, ColoursATerminal) {
  const int master = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (master < 0 || ::grantpt(master) != 0 || ::unlockpt(master) != 0) GTEST_SKIP() << "no pseudo-terminals here";
  const int terminal = ::open(::ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
  ASSERT_GE(terminal, 0);
  ::setenv("TERM", "xterm", 1);
  ::unsetenv("NO_COLOR");
  {
    const auto log = open_log({.descriptor = terminal});
    log->warn("a", "one");
    ASSERT_TRUE(log->flush(kPatience));
  }
  char buffer[512];
  const ssize_t got = ::read(master, buffer, sizeof(buffer));
  ASSERT_GT(got, 0);
  EXPECT_NE(std::string_view(buffer, static_cast<std::size_t>(got)).find("\x1b[33m warn"), std::string_view::npos);
  ::close(terminal);
  ::close(master);
}

// proves part: NODE-INV-9 (work queue, connections and log; a full blocking pool refuses without a count)
TEST(Log, BlockedReaderDropsOldLinesNotTheCaller) {
  constexpr int kLines = 500;
  constexpr std::size_t kQueue = 64;
  const Pipe pipe;
  pipe.fill();
  const auto log = open_log({.descriptor = pipe.writer(), .queue_max = kQueue});
  for (int i = 0; i < kLines; ++i) log->info("a", "line {} end", i);
  EXPECT_FALSE(log->flush(10ms));
  // One line may be with the thread already; the queue holds as many as it may.
  EXPECT_GE(log->dropped(), kLines - kQueue - 2);
  std::string text;
  const auto give_up = Clock::now() + kPatience;
  while (text.find("line 499 end") == std::string::npos && Clock::now() < give_up) {
    text += pipe.read_available();
    log->flush(10ms);
  }
  EXPECT_NE(text.find("line 499 end"), std::string::npos) << "the newest are kept";
  std::size_t written = 0;
  for (auto at = text.find(" end\n"); at != std::string::npos; at = text.find(" end\n", at + 1)) ++written;
  EXPECT_LE(written, kQueue + 2);
  EXPECT_EQ(written + log->dropped(), static_cast<std::uint64_t>(kLines));
}

TEST(Log, FlushAndCloseAreBoundedWhenTheReaderIsBlocked) {
  const Pipe pipe;
  pipe.fill();
  const auto log = open_log({.descriptor = pipe.writer()});
  log->info("a", "one");
  const auto start = Clock::now();
  EXPECT_FALSE(log->flush());
  EXPECT_GE(Clock::now() - start, kLogFlushLimit);
  log->close(10ms);
  log->close(10ms);
  EXPECT_LT(Clock::now() - start, kPatience);
  log->info("a", "after the end");
  EXPECT_TRUE(log->flush(kPatience)) << "the line that waited was given up";
  EXPECT_EQ(log->dropped(), 1U);
}

// proves part: NODE-INV-13 (the log does not block; not other objects, nor the message in the debug log)
TEST(Log, DestructorDoesNotWaitForABlockedReader) {
  const Pipe pipe;
  pipe.fill();
  auto log = open_log({.descriptor = pipe.writer(), .queue_max = 16});
  for (int i = 0; i < 100; ++i) log->info("a", "line {}", i);
  log.reset();
}

TEST(Log, CloseWritesOutWhatIsQueued) {
  const Pipe pipe;
  {
    const auto log = open_log({.descriptor = pipe.writer()});
    for (int i = 0; i < 100; ++i) log->info("a", "line {}", i);
    log->close(kPatience);
  }
  EXPECT_THAT(pipe.read_available(), EndsWith("line 99\n"));
}

TEST(Log, ClosedReaderCountsDropsWithoutSigpipe) {
  Pipe pipe;
  const auto log = open_log({.descriptor = pipe.writer()});
  pipe.close_reader();
  log->info("a", "one");
  ASSERT_TRUE(log->flush(kPatience));
  EXPECT_EQ(log->dropped(), 1U);
}

TEST(Log, AppendsToAPrivateFile) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / fmt::format("log-{}", ::getpid());
  std::filesystem::create_directories(folder);
  const std::string file = folder / "node.log";
  for (const char* text : {"first", "second"}) {
    const auto log = open_log({.file = file});
    log->info("a", "{}", text);
    log->close(kPatience);
  }
  std::ifstream in(file);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  EXPECT_NE(text.find("a: first\n"), std::string::npos);
  EXPECT_THAT(text, EndsWith("a: second\n"));
  struct stat info{};
  ASSERT_EQ(::stat(file.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & (S_IRWXO | S_IWGRP), 0U);

  const auto refused = Log::open({.file = folder / "missing" / "node.log"});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
  EXPECT_NE(refused.error().context.find("node.log"), std::string::npos);
  std::filesystem::remove_all(folder);
}

TEST(Log, ManyThreadsLoseNothingWhileTheQueueHolds) {
  auto capture = std::make_shared<LogCapture>();
  const auto log = open_log({.queue_max = 4096, .capture = capture});
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 500; ++i) {
        log->info("t", "{} {}", t, i);
        if (i % 100 == 0) log->set_level(i % 200 == 0 ? LogLevel::kInfo : LogLevel::kDebug);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  ASSERT_TRUE(log->flush(kPatience));
  EXPECT_EQ(capture->lines().size(), 2000U);
  EXPECT_EQ(log->dropped(), 0U);
}

}  // namespace
}  // namespace hyperscale::runtime
