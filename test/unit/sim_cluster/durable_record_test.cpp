#include "sim/cluster/durable_record.h"

#include "sim/engine/disk.h"

#include <functional>
#include <string>

#include <gtest/gtest.h>

namespace hyperscale::sim {
namespace {

// A disk and nothing else.
class DiskContext final : public ProcessContext {
 public:
  explicit DiskContext(Disk& disk) : disk_(disk) {}
  MonoTime mono() const override { return {}; }
  WallTime wall() const override { return {}; }
  void send(HostId, SharedBytes) override {}
  bool write(std::string_view record, ByteView bytes) override { return disk_.write(record, bytes); }
  bool sync() override { return syncs_left-- > 0 && disk_.sync(); }
  std::optional<std::vector<std::uint8_t>> read(std::string_view record) const override { return disk_.read(record); }
  void exit(std::string_view, bool) override {}
  void note(std::string_view) override {}

  int syncs_left = 1'000;

 private:
  Disk& disk_;
};

SavedState state(std::uint64_t sequence) {
  return {.sequence = sequence,
          .state = {.incarnation = wire::Incarnation(sequence),
                    .term = wire::Term(10 * sequence),
                    .voted_for = "gate" + std::to_string(sequence)}};
}

TEST(DurableRecord, AnEmptyDiskIsANewNode) {
  Disk disk{Prng(1)};
  DiskContext context(disk);
  EXPECT_EQ(load_state(context)->sequence, 0);
}

TEST(DurableRecord, WhatWasSavedIsLoaded) {
  Disk disk{Prng(1)};
  DiskContext context(disk);
  EXPECT_EQ(save_state(context, state(1)), SaveResult::kSafe);
  EXPECT_EQ(save_state(context, state(2)), SaveResult::kSafe);
  disk.crash();
  EXPECT_EQ(load_state(context)->sequence, 2);
  EXPECT_EQ(load_state(context)->state, state(2).state);
}

TEST(DurableRecord, CrashInSaveLeavesOldOrNewState) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Disk disk{Prng(seed)};
    disk.faults.torn_in_crash = 0.5;
    DiskContext context(disk);
    std::uint64_t safe = 0;
    for (std::uint64_t next = 1; next <= 10; ++next) {
      context.syncs_left = static_cast<int>(disk.prng().below(4));
      if (save_state(context, state(next)) == SaveResult::kSafe) safe = next;
      disk.crash();
      // It may die on the way up as well; it saves nothing before it has loaded.
      Result<SavedState> loaded = fail(ErrorCode::kUnavailable, "not tried");
      for (int tries = 0; tries < 100 && !loaded; ++tries) {
        context.syncs_left = static_cast<int>(disk.prng().below(3));
        loaded = load_state(context);
        disk.crash();
      }
      ASSERT_TRUE(loaded.has_value()) << "seed " << seed;
      ASSERT_GE(loaded->sequence, safe) << "seed " << seed << ": what was promised is gone";
      ASSERT_LE(loaded->sequence, next);
      if (loaded->sequence > 0) {
        EXPECT_EQ(loaded->state, state(loaded->sequence).state);
      }
      safe = loaded->sequence;  // the node goes on from here, and may have told somebody
    }
  }
}

TEST(DurableRecord, OneRottenBitDestroysNothing) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Disk disk{Prng(seed)};
    DiskContext context(disk);
    ASSERT_EQ(save_state(context, state(3)), SaveResult::kSafe);
    ASSERT_TRUE(disk.rot());
    ASSERT_TRUE(load_state(context).has_value());
    EXPECT_EQ(load_state(context)->state, state(3).state);
  }
}

TEST(DurableRecord, WithoutASoundCopyNothingIsGuessed) {
  Disk disk{Prng(1)};
  DiskContext context(disk);
  ASSERT_EQ(save_state(context, state(3)), SaveResult::kSafe);
  for (const char* copy : {"state.0", "state.1"}) {
    auto bytes = *context.read(copy);
    bytes.back() ^= 1;
    ASSERT_TRUE(disk.write(copy, bytes));
  }
  EXPECT_FALSE(load_state(context).has_value());
}

TEST(DurableRecord, AFullDiskIsTold) {
  Disk disk{Prng(1)};
  disk.faults.full = true;
  DiskContext context(disk);
  EXPECT_EQ(save_state(context, state(1)), SaveResult::kDiskFull);
}

}  // namespace
}  // namespace hyperscale::sim
