#include "stream/process_identity.h"

#include "driver_harness.h"

namespace hyperscale::stream {
namespace {

// F-7
// proves: SHM-SAFE-3
// proves part: SHM-DRV-8 (start times are compared)
TEST(ProcessIdentity, APidIsItsProcessOnlyWithTheSameStart) {
  TestProcess process;
  const auto start = process_start_ns(process.pid());
  ASSERT_TRUE(start);
  EXPECT_EQ(owner_state(process.pid(), *start), Owner::kAlive);
  EXPECT_EQ(owner_state(process.pid(), *start + 1), Owner::kDead) << "another one had the pid before";
  const std::uint64_t pid = process.pid();
  process.kill();
  EXPECT_EQ(owner_state(pid, *start), Owner::kDead);
  EXPECT_EQ(process_start_ns(pid), std::nullopt);
  EXPECT_EQ(owner_state(0, 0), Owner::kNone);
}

// proves: SHM-SAFE-3
// proves part: SHM-DRV-8 (EPERM means alive)
TEST(ProcessIdentity, OneThatMayNotBeLookedAtIsAlive) {
  EXPECT_EQ(owner_by({.error = EPERM}, 5), Owner::kAlive);
  EXPECT_EQ(owner_by({.error = EACCES}, 5), Owner::kAlive);
  EXPECT_EQ(owner_by({.error = EMFILE}, 5), Owner::kAlive) << "what is not known is not dead";
  EXPECT_EQ(owner_by({.error = ENOENT}, 5), Owner::kDead);
  EXPECT_EQ(owner_by({.error = ESRCH}, 5), Owner::kDead);
  EXPECT_EQ(owner_by({.state = 'S', .start_ns = 5}, 5), Owner::kAlive);
  EXPECT_EQ(owner_by({.state = 'S', .start_ns = 6}, 5), Owner::kDead) << "another process has the pid now";
  EXPECT_EQ(owner_by({.state = 'Z', .start_ns = 5}, 5), Owner::kDead);
}

// proves: SHM-SAFE-3
TEST(ProcessIdentity, OneOfWhichOnlyTheExitStatusIsLeftIsDead) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  siginfo_t info{};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT), 0);
  EXPECT_EQ(process_start_ns(static_cast<std::uint64_t>(child)), std::nullopt);
  EXPECT_EQ(owner_state(static_cast<std::uint64_t>(child), 1), Owner::kDead);
  ::waitpid(child, nullptr, 0);
}

TEST(ProcessIdentity, OneOfAnotherUserIsAlive) {
  const auto start = process_start_ns(1);
  ASSERT_TRUE(start);
  EXPECT_EQ(owner_state(1, *start), Owner::kAlive);
}

}  // namespace
}  // namespace hyperscale::stream
