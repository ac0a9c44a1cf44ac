#include "stream/namespace_folder.h"

#include "driver_harness.h"
#include "stream/abandoned.h"

#include <atomic>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>

namespace hyperscale::stream {
namespace {

class NamespaceFolderTest : public DriverTest {
 protected:
  Result<NamespaceFolder> acquire(const Nap& nap = [] {}) {
    return NamespaceFolder::acquire(base_, "test", {.cleanup_on_exit = true, .pid_namespace = {}}, nap);
  }
  std::string lock_path() const { return namespace_path() + "/driver"; }
  // As somebody who collects holds it.
  OwnedFd hold_lock() const {
    OwnedFd file(::open(lock_path().c_str(), O_RDWR));
    EXPECT_EQ(::flock(file.get(), LOCK_EX | LOCK_NB), 0);
    return file;
  }
};

TEST_F(NamespaceFolderTest, ALockThatSomebodyHoldsWhoCollectsIsWaitedFor) {
  ASSERT_TRUE(acquire());
  std::optional<OwnedFd> held = hold_lock();
  int naps = 0;
  const auto acquired = acquire([&] {
    if (++naps == 1500) held.reset();
  });
  ASSERT_TRUE(acquired) << acquired.error().context;
  EXPECT_EQ(naps, 1500);
}

TEST_F(NamespaceFolderTest, WaitingHasAnEnd) {
  ASSERT_TRUE(acquire());
  const OwnedFd held = hold_lock();
  int naps = 0;
  EXPECT_EQ(acquire([&] { ++naps; }).error().code, ErrorCode::kBusy);
  EXPECT_EQ(naps, 2000);
  naps = 0;
  EXPECT_EQ(NamespaceFolder::take_over(base_, "test", [&] { ++naps; }).error().code, ErrorCode::kBusy);
  EXPECT_EQ(naps, 20);
}

TEST_F(NamespaceFolderTest, NobodyWaitsForADriver) {
  const auto first = acquire();
  ASSERT_TRUE(first);
  const auto nap = [] { ADD_FAILURE() << "waited"; };
  EXPECT_EQ(acquire(nap).error().code, ErrorCode::kConflict);
  EXPECT_EQ(NamespaceFolder::take_over(base_, "test", nap).error().code, ErrorCode::kConflict);
}

TEST_F(NamespaceFolderTest, OneThatLooksIsNotTakenForADriver) {
  ASSERT_TRUE(acquire());
  EXPECT_FALSE(namespaces_in(base_)->at(0).has_driver);
  const OwnedFd held = hold_lock();
  EXPECT_FALSE(namespaces_in(base_)->at(0).has_driver) << "only collects";
  OwnedFd folder(::open(namespace_path().c_str(), O_RDONLY | O_DIRECTORY));
  ASSERT_EQ(::flock(folder.get(), LOCK_SH | LOCK_NB), 0);
  EXPECT_FALSE(namespaces_in(base_)->at(0).has_driver) << "only looks";
}

// Somebody removes the folder once per start, as soon as it is there: mostly between its making and its opening.
TEST_F(NamespaceFolderTest, FolderThatVanishesDuringStartIsRemade) {
  constexpr int kStarts = 100;
  std::atomic<int> started{0};
  std::thread remover([&] {
    for (int removed = 0, now = 0; now <= kStarts; now = started.load())
      if (now > removed && ::rmdir(namespace_path().c_str()) == 0) removed = now;
  });
  std::vector<std::string> failures;
  for (int i = 1; i <= kStarts; ++i) {
    started.store(i);
    if (const auto acquired = acquire(); !acquired) failures.push_back(acquired.error().context);
    ::unlink(lock_path().c_str());
    ::rmdir(namespace_path().c_str());
  }
  started.store(kStarts + 1);
  remover.join();
  EXPECT_EQ(failures, std::vector<std::string>());
}

}  // namespace
}  // namespace hyperscale::stream
