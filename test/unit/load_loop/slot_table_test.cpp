#include "load/loop/slot_table.h"

#include <gtest/gtest.h>

namespace hyperscale::load {
namespace {

struct Id {
  std::uint32_t slot;
  std::uint32_t generation;
};

TEST(SlotTable, AnOldIdDoesNotFindTheNewOwnerOfItsSlot) {
  SlotTable<int> table;
  const std::uint32_t slot = table.take();
  const std::uint32_t first = table.generation(slot);
  *table.find(slot, first) = 7;
  table.release(slot);
  EXPECT_EQ(table.find(slot, first), nullptr);
  EXPECT_EQ(table.take(), slot) << "slots are used again";
  EXPECT_EQ(table.find(slot, first), nullptr);
  EXPECT_EQ(*table.find(slot, table.generation(slot)), 0) << "and start afresh";
}

TEST(SlotTable, ReferencesStayWhileItGrows) {
  SlotTable<int> table;
  const std::uint32_t slot = table.take();
  int* first = table.find(slot, table.generation(slot));
  for (int i = 0; i < 10'000; ++i) table.take();
  EXPECT_EQ(table.find(slot, table.generation(slot)), first);
  EXPECT_EQ(table.used(), 10'001U);
}

TEST(SlotTable, ARecentIdIsFoundByTheLowBitsOfItsGeneration) {
  SlotTable<int> table;
  const std::uint32_t slot = table.take();
  const std::uint32_t generation = table.generation(slot);
  EXPECT_EQ((table.recent<Id>(slot, generation & 0xff, 0xff).generation), generation);
  EXPECT_EQ((table.recent<Id>(slot, (generation + 1) & 0xff, 0xff).generation), 0U);
  EXPECT_EQ((table.recent<Id>(99, generation & 0xff, 0xff).generation), 0U);
}

}  // namespace
}  // namespace hyperscale::load
