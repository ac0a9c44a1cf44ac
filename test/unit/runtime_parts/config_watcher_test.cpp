#include "runtime/config_watch/config_watcher.h"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/strand.hpp>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hyperscale::runtime {
namespace {

namespace fs = std::filesystem;

constexpr Duration kPatience = 20s;
constexpr Duration kNever = 1h;  // a stat interval that plays no part

// Runs a watcher on this thread and lets the test wait for what it observes.
class Watch {
 public:
  Watch(const std::string& path, Duration stat_interval, WatchMode mode = WatchMode::kInotifyAndStat)
      : strand_(asio::make_strand(io_)), watcher_(strand_, path, stat_interval, [this] { ++changes_; }, mode) {
    asio::co_spawn(strand_, watcher_.run(), [this](std::exception_ptr error) {
      failed_ = error != nullptr;
      ended_ = true;
    });
    io_.poll();
  }
  ~Watch() {
    watcher_.stop();
    EXPECT_TRUE(run_until([this] { return ended_; })) << "run() did not end after stop()";
    EXPECT_FALSE(failed_);
  }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  ConfigWatcher& watcher() { return watcher_; }
  int changes() const { return changes_; }
  bool ended() const { return ended_; }

  bool run_until(const std::function<bool()>& done, Duration limit = kPatience) {
    const auto give_up = std::chrono::steady_clock::now() + limit;
    while (!done() && std::chrono::steady_clock::now() < give_up) {
      if (io_.stopped()) io_.restart();
      io_.run_one_for(std::chrono::milliseconds(20));
    }
    return done();
  }
  bool sees(int changes) {
    return run_until([this, changes] { return changes_ >= changes; });
  }
  // Long enough for a change to have settled; what is not reported by then is not on its way.
  bool stays_quiet() {
    const int before = changes_;
    return !run_until([this, before] { return changes_ > before; }, 4 * kConfigSettle);
  }

 private:
  asio::io_context io_;
  asio::strand<asio::io_context::executor_type> strand_;
  int changes_ = 0;
  bool ended_ = false;
  bool failed_ = false;
  ConfigWatcher watcher_;
};

class ConfigWatcherTest : public testing::Test {
 protected:
  ConfigWatcherTest() {
    static std::atomic<int> number = 0;
    folder_ = fs::path(testing::TempDir()) / fmt::format("watch-{}-{}", ::getpid(), ++number);
    fs::create_directories(folder_);
    write("node.toml", "a = 1\n");
  }
  ~ConfigWatcherTest() override { fs::remove_all(folder_); }

  std::string path(const std::string& name = "node.toml") const { return folder_ / name; }
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }
  void replace(const std::string& name, const std::string& text) const {
    write(name + ".new", text);
    fs::rename(folder_ / (name + ".new"), folder_ / name);
  }
  // What Kubernetes does to publish a new version of a ConfigMap: node.toml -> ..data/node.toml, ..data -> ..version.
  void publish(const std::string& version, const std::string& text) const {
    fs::create_directory(folder_ / version);
    write(version + "/node.toml", text);
    fs::create_symlink(version, folder_ / "..data_tmp");
    fs::rename(folder_ / "..data_tmp", folder_ / "..data");
  }

  fs::path folder_;
};

TEST_F(ConfigWatcherTest, ReportsAWriteInPlaceOnce) {
  Watch watch(path(), kNever);
  ASSERT_TRUE(watch.watcher().notified());
  EXPECT_TRUE(watch.stays_quiet());
  write("node.toml", "a = 22\n");
  EXPECT_TRUE(watch.sees(1));
  EXPECT_TRUE(watch.stays_quiet());
  write("node.toml", "a = 333\n");
  EXPECT_TRUE(watch.sees(2));
}

TEST_F(ConfigWatcherTest, ReportsAChangeThatKeepsTheSize) {
  Watch watch(path(), kNever);
  write("node.toml", "a = 2\n");
  EXPECT_TRUE(watch.sees(1));
  write("node.toml", "a = 3\n");
  EXPECT_TRUE(watch.sees(2));
}

TEST_F(ConfigWatcherTest, ReportsAReplacementByRename) {
  Watch watch(path(), kNever);
  replace("node.toml", "a = 2\n");
  EXPECT_TRUE(watch.sees(1));
  replace("node.toml", "a = 3\n");
  EXPECT_TRUE(watch.sees(2));
  EXPECT_TRUE(watch.stays_quiet());
}

TEST_F(ConfigWatcherTest, ReportsASwappedLinkAsKubernetesDoesIt) {
  fs::remove(folder_ / "node.toml");
  publish("..v1", "a = 1\n");
  fs::create_symlink("..data/node.toml", folder_ / "node.toml");
  Watch watch(path(), kNever);
  publish("..v2", "a = 2\n");
  EXPECT_TRUE(watch.sees(1));
  fs::remove_all(folder_ / "..v1");
  EXPECT_TRUE(watch.stays_quiet());
  publish("..v3", "a = 3\n");
  EXPECT_TRUE(watch.sees(2));
}

TEST_F(ConfigWatcherTest, ReportsAWriteBehindALinkIntoAnotherFolder) {
  fs::create_directory(folder_ / "elsewhere");
  fs::create_directory(folder_ / "links");
  write("elsewhere/real.toml", "a = 1\n");
  fs::create_symlink("../elsewhere/real.toml", folder_ / "links" / "node.toml");
  Watch watch(path("links/node.toml"), kNever);
  write("elsewhere/real.toml", "a = 22\n");
  EXPECT_TRUE(watch.sees(1));
}

TEST_F(ConfigWatcherTest, ReportsReturnOfFileButNotItsDeletion) {
  Watch watch(path(), kNever);
  fs::remove(folder_ / "node.toml");
  EXPECT_TRUE(watch.stays_quiet());
  write("node.toml", "a = 2\n");
  EXPECT_TRUE(watch.sees(1));
  EXPECT_TRUE(watch.stays_quiet());
}

TEST_F(ConfigWatcherTest, FindsAFileThatDidNotExistAtFirst) {
  Watch watch(path("later.toml"), kNever);
  write("later.toml", "a = 1\n");
  EXPECT_TRUE(watch.sees(1));
}

TEST_F(ConfigWatcherTest, FollowsAFolderThatIsReplaced) {
  fs::create_directory(folder_ / "etc");
  write("etc/node.toml", "a = 1\n");
  Watch watch(path("etc/node.toml"), 20ms);
  fs::rename(folder_ / "etc", folder_ / "old");
  fs::create_directory(folder_ / "etc");
  write("etc/node.toml", "a = 22\n");
  EXPECT_TRUE(watch.sees(1));
}

TEST_F(ConfigWatcherTest, IgnoresOtherFiles) {
  Watch watch(path(), kNever);
  write("other.toml", "b = 1\n");
  EXPECT_TRUE(watch.stays_quiet());
}

TEST_F(ConfigWatcherTest, ReportsATouchAtMostOnce) {
  Watch watch(path(), 20ms);
  ASSERT_EQ(::utimensat(AT_FDCWD, path().c_str(), nullptr, 0), 0);
  watch.sees(1);
  EXPECT_TRUE(watch.stays_quiet());
  EXPECT_LE(watch.changes(), 1);
}

TEST_F(ConfigWatcherTest, ChangesThatFollowCloselyAreOne) {
  Watch watch(path(), kNever);
  for (int i = 0; i < 20; ++i) replace("node.toml", std::string(static_cast<std::size_t>(i + 1), '#'));
  EXPECT_TRUE(watch.sees(1));
  EXPECT_TRUE(watch.stays_quiet());
}

TEST_F(ConfigWatcherTest, SeesAChangeMadeBetweenConstructionAndRun) {
  asio::io_context io;
  const auto strand = asio::make_strand(io);
  int changes = 0;
  std::unique_ptr<ConfigWatcher> watcher;
  watcher = std::make_unique<ConfigWatcher>(strand, path(), kNever, [&] {
    ++changes;
    watcher->stop();
  });
  replace("node.toml", "a = 2\n");
  asio::co_spawn(strand, watcher->run(), asio::detached);
  io.run_for(std::chrono::nanoseconds(kPatience));
  EXPECT_EQ(changes, 1);
}

TEST_F(ConfigWatcherTest, WorksWithoutInotify) {
  Watch watch(path(), 20ms, WatchMode::kStatOnly);
  EXPECT_FALSE(watch.watcher().notified());
  write("node.toml", "a = 22\n");
  EXPECT_TRUE(watch.sees(1));
  replace("node.toml", "a = 333\n");
  EXPECT_TRUE(watch.sees(2));
  fs::remove(folder_ / "node.toml");
  EXPECT_TRUE(watch.stays_quiet());
  write("node.toml", "a = 4\n");
  EXPECT_TRUE(watch.sees(3));
}

TEST_F(ConfigWatcherTest, EndsWhenTheCoroutineIsCancelled) {
  asio::io_context io;
  const auto strand = asio::make_strand(io);
  ConfigWatcher watcher(strand, path(), kNever, [] {});
  asio::cancellation_signal signal;
  bool ended = false;
  asio::co_spawn(strand, watcher.run(),
                 asio::bind_cancellation_slot(signal.slot(), [&](std::exception_ptr) { ended = true; }));
  io.poll();
  EXPECT_TRUE(watcher.notified());
  signal.emit(asio::cancellation_type::all);
  io.run_for(std::chrono::nanoseconds(kPatience));
  EXPECT_TRUE(ended);
  EXPECT_FALSE(watcher.notified());
}

TEST_F(ConfigWatcherTest, MayBeDestroyedWhileRunning) {
  asio::io_context io;
  const auto strand = asio::make_strand(io);
  auto watcher = std::make_unique<ConfigWatcher>(strand, path(), kNever, [] {});
  bool ended = false;
  asio::co_spawn(strand, watcher->run(), [&](std::exception_ptr) { ended = true; });
  io.poll();
  watcher->stop();
  watcher.reset();
  io.run_for(std::chrono::nanoseconds(kPatience));
  EXPECT_TRUE(ended);
}

TEST_F(ConfigWatcherTest, EventLoopMayEndWhileItRuns) {
  asio::io_context io;
  const auto strand = asio::make_strand(io);
  ConfigWatcher watcher(strand, path(), kNever, [] {});
  asio::co_spawn(strand, watcher.run(), asio::detached);
  io.poll();
  EXPECT_TRUE(watcher.notified());
}

}  // namespace
}  // namespace hyperscale::runtime
