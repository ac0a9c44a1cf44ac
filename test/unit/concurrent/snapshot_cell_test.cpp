#include "concurrent/snapshot_cell.h"

#include <atomic>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace hyperscale::concurrent {
namespace {

TEST(SnapshotCell, IsEmptyUntilTheFirstStore) {
  SnapshotCell<int> cell;
  EXPECT_EQ(cell.load(), nullptr);
  cell.store(1);
  EXPECT_EQ(*cell.load(), 1);
}

// proves part: NODE-SAFE-6 (a reader that keeps its snapshot; both sides share a lock for one pointer copy)
TEST(SnapshotCell, HeldSnapshotDoesNotBlockTheWriter) {
  SnapshotCell<int> cell(std::make_shared<const int>(1));
  const auto kept = cell.load();
  cell.store(2);
  EXPECT_EQ(*kept, 1);
  EXPECT_EQ(*cell.load(), 2);
}

// A snapshot whose destructor looks at its cell: it would deadlock if it ran under the cell's lock.
struct Curious {
  explicit Curious(SnapshotCell<Curious>& owner) : cell(owner) {}
  ~Curious() { cell.load(); }
  SnapshotCell<Curious>& cell;
};

TEST(SnapshotCell, TheOldSnapshotIsDestroyedOutsideTheLock) {
  SnapshotCell<Curious> cell;
  cell.store(std::make_shared<const Curious>(cell));
  cell.store(SnapshotCell<Curious>::Snapshot());
}

// proves part: NODE-SAFE-6 (a reader that keeps its snapshot; both sides share a lock for one pointer copy)
TEST(SnapshotCell, UnderLoadReadersSeeWholeSnapshotsInOrder) {
  struct Pair {
    int first;
    int second;
  };
  constexpr int kLast = 20'000;
  SnapshotCell<Pair> cell(std::make_shared<const Pair>(Pair{0, 0}));
  std::atomic<bool> broken{false};
  std::vector<std::thread> readers;
  for (int r = 0; r < 3; ++r) {
    readers.emplace_back([&] {
      for (int previous = 0; previous < kLast;) {
        const auto snapshot = cell.load();
        if (snapshot->first != snapshot->second || snapshot->first < previous) broken = true;
        previous = snapshot->first;
      }
    });
  }
  for (int i = 1; i <= kLast; ++i) cell.store(Pair{i, i});
  for (std::thread& thread : readers) thread.join();
  EXPECT_FALSE(broken);
}

}  // namespace
}  // namespace hyperscale::concurrent
