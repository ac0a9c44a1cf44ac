#include "node/executors/stream_keeper.h"

#include "temporary_folder.h"

#include <csignal>

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hyperscale::node {
namespace {

class StreamKeeperTest : public testing::Test {
 protected:
  stream::DriverSetup setup(const std::string& name_space) {
    stream::DriverSetup setup{.shm_base_dir = folder_.path(), .name_space = name_space};
    setup.policies.cleanup_shm_on_exit = true;
    setup.clock = [this] { return now_; };
    return setup;
  }
  // A run that was killed; without an executor of its own its driver is the producer, too.
  void kill_run(const std::string& name_space, int streams = 1, pid_t executor = 0) {
    const pid_t child = ::fork();
    if (child == 0) {
      const auto driver = stream::Driver::start(setup(name_space));
      for (int i = 0; driver && i < streams; ++i)
        (void)(*driver)->attach_producer(stream::StreamNumber(1),
                                         static_cast<std::uint64_t>(executor != 0 ? executor : ::getpid()),
                                         {.counters_reserved_bytes = 64, .counters_bytes = 64});
      ::kill(::getpid(), SIGKILL);
    }
    ::waitpid(child, nullptr, 0);
  }
  std::string path(const std::string& name_space) const {
    return folder_.path() + "/" + stream::user_folder_name() + "/" + name_space;
  }
  bool exists(const std::string& name_space) const { return std::filesystem::exists(path(name_space)); }
  void collect(const std::string& name_space, const std::function<void()>& look = [] {}) {
    collect_after_runner(setup(name_space), [&] {
      look();
      now_ += 50ms;
    });
  }

  test::TemporaryFolder folder_;
  MonoTime now_ = stream::boot_now();
};

// proves: SHM-SAFE-3
TEST_F(StreamKeeperTest, StreamsOfKilledRunGoWithItsLastExecutor) {
  const pid_t executor = ::fork();
  if (executor == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (;;) ::pause();
  }
  kill_run("mine", 1, executor);
  int looks = 0;
  collect("mine", [&] {
    EXPECT_TRUE(exists("mine")) << "its executor lives";
    if (++looks < 3) return;
    ::kill(executor, SIGKILL);
    ::waitpid(executor, nullptr, 0);
  });
  EXPECT_EQ(looks, 3);
  EXPECT_FALSE(exists("mine"));
}

TEST_F(StreamKeeperTest, OtherRunsAreNoneOfItsBusiness) {
  kill_run("mine");
  kill_run("other");
  collect("mine");
  EXPECT_FALSE(exists("mine"));
  EXPECT_TRUE(exists("other"));
}

TEST_F(StreamKeeperTest, RunKilledBeforeItsFirstStreamLeavesNothing) {
  kill_run("mine", 0);
  ASSERT_TRUE(exists("mine"));
  collect("mine");
  EXPECT_FALSE(exists("mine"));
}

TEST_F(StreamKeeperTest, ItDoesNotWaitForEver) {
  kill_run("mine");
  ASSERT_TRUE(std::filesystem::create_directory(path("mine") + "/of somebody else"));
  const MonoTime killed = now_;
  collect("mine");
  EXPECT_TRUE(exists("mine"));
  EXPECT_GT(now_ - killed, 5s);
  EXPECT_LT(now_ - killed, 6s);
}

}  // namespace
}  // namespace hyperscale::node
