#include "realtime/observe/obs_plan.h"

#include "base/check.h"

#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace hyperscale::realtime {

class Epoch;  // would clash with the one of epoch.h: a plan's headers know of none

namespace {

constexpr Grid kGrid{4, 5};

// Stands in for a world: field 0 has the number of each cell, field 1 two components, 100 + cell and 200 + cell.
class MockSnapshot final : public SnapshotAccess {
 public:
  MockSnapshot() {
    for (int cell = 0; cell < 20; ++cell) {
      scalar_.push_back(cell);
      vector_.push_back(100 + cell);
      vector_.push_back(200 + cell);
    }
  }
  tl::expected<std::span<const double>, ArenaError> read(FieldId field) const override {
    ++reads;
    if (evict_after && reads > *evict_after) return tl::unexpected(ArenaError::kGenerationEvicted);
    return std::span<const double>(field == 0 ? scalar_ : vector_);
  }
  std::uint64_t tick() const override {
    ++ticks;
    return 7;
  }
  std::uint64_t world_generation() const override { return generation; }
  std::uint64_t parameter_version() const override { return 3; }

  mutable int reads = 0;
  mutable int ticks = 0;
  std::optional<int> evict_after;
  std::uint64_t generation = 1;

 private:
  std::vector<double> scalar_, vector_;
};

class CountingCancellation final : public Cancellation {
 public:
  bool cancelled() const override { return ++asked > cancel_after; }
  mutable int asked = 0;
  int cancel_after = 1'000'000;
};

Result<ObsPlan> compile(const ObsSpec& spec) {
  static const std::vector<std::uint32_t> components{1, 2};
  return ObsPlan::compile(spec, kGrid, components, 1);
}

struct Executed {
  tl::expected<void, PlanFailure> result;
  std::vector<double> values;
  std::vector<std::uint8_t> mask;
};

Executed execute(const ObsPlan& plan, const MockSnapshot& snapshot, const CountingCancellation& cancellation) {
  Executed done{{}, std::vector<double>(plan.size()), std::vector<std::uint8_t>(plan.size())};
  done.result = plan.execute(snapshot, cancellation, done.values, done.mask);
  return done;
}

Executed execute(const ObsSpec& spec) {
  const auto plan = compile(spec);
  CHECK(plan, "{}", plan.error().to_string());
  return execute(*plan, MockSnapshot(), CountingCancellation());
}

std::vector<double> valid_values(const Executed& done) {
  std::vector<double> valid;
  for (std::size_t i = 0; i < done.values.size(); ++i) {
    if (done.mask[i] == 1) valid.push_back(done.values[i]);
  }
  return valid;
}

TEST(ObsPlan, AllCellsRowByRow) {
  const Executed done = execute({{.field = 0}});
  ASSERT_EQ(done.values.size(), 20u);
  for (int cell = 0; cell < 20; ++cell) EXPECT_EQ(done.values[cell], cell);
}

TEST(ObsPlan, RectanglesHaveInclusiveCorners) {
  EXPECT_EQ(execute({{.field = 0, .region = Region::rectangle({1, 1}, {2, 3})}}).values,
            (std::vector<double>{6, 7, 8, 11, 12, 13}));
}

TEST(ObsPlan, DisksAreMeasuredInStepsAndPadded) {
  const Executed done = execute({{.field = 0, .region = Region::disk({1, 1}, 1)}});
  EXPECT_EQ(done.mask, (std::vector<std::uint8_t>{0, 1, 0, 1, 1, 1, 0, 1, 0}));
  EXPECT_EQ(valid_values(done), (std::vector<double>{1, 5, 6, 7, 11}));
  EXPECT_EQ(valid_values(execute({{.field = 0, .region = Region::disk({0, 0}, 1)}})), (std::vector<double>{0, 1, 5}))
      << "the box ends at the edge";
  EXPECT_EQ(valid_values(execute({{.field = 0, .region = Region::neighbours({1, 1}, 1)}})),
            (std::vector<double>{1, 5, 7, 11}));
}

TEST(ObsPlan, ListedCellsKeepTheirOrder) {
  EXPECT_EQ(execute({{.field = 0, .region = Region::cells({{3, 4}, {0, 0}, {2, 2}})}}).values,
            (std::vector<double>{19, 0, 12}));
}

TEST(ObsPlan, ComponentsAreAdjacentEntriesInSequence) {
  const Executed done =
      execute({{.field = 1, .region = Region::cells({{0, 1}})}, {.field = 0, .region = Region::cells({{0, 2}})}});
  EXPECT_EQ(done.values, (std::vector<double>{101, 201, 2}));
}

TEST(ObsPlan, NormaliseClampsAndSurvivesEqualBounds) {
  EXPECT_EQ(
      execute(
          {{.field = 0, .region = Region::cells({{0, 0}, {1, 0}, {2, 0}}), .transform = Transform::normalise(2, 6)}})
          .values,
      (std::vector<double>{0, 0.75, 1}));
  EXPECT_EQ(execute({{.field = 0, .region = Region::cells({{1, 0}}), .transform = Transform::normalise(5, 5)}}).values,
            (std::vector<double>{0}));
}

TEST(ObsPlan, PoolingFoldsSquares) {
  const Region top = Region::rectangle({0, 0}, {1, 3});
  const auto pooled = [&](Pooling::Kind kind) {
    return execute({{.field = 0, .region = top, .pooling = Pooling{kind, 2, 2}}}).values;
  };
  EXPECT_EQ(pooled(Pooling::Kind::kMean), (std::vector<double>{3, 5}));
  EXPECT_EQ(pooled(Pooling::Kind::kMax), (std::vector<double>{6, 8}));
  EXPECT_EQ(pooled(Pooling::Kind::kMin), (std::vector<double>{0, 2}));
  EXPECT_EQ(pooled(Pooling::Kind::kSum), (std::vector<double>{12, 20}));
}

TEST(ObsPlan, ALargeStrideTakesTheFirstSquareOnly) {
  const Pooling far{Pooling::Kind::kSum, 2, ~std::uint32_t{0}};
  EXPECT_EQ(execute({{.field = 0, .pooling = far}}).values, (std::vector<double>{0 + 1 + 5 + 6}));
}

TEST(ObsPlan, AFieldThatIsShorterThanItsRegionIsNotRead) {
  const auto wide = ObsPlan::compile({{.field = 0}}, Grid{5, 5}, std::vector<std::uint32_t>{1}, 1);
  ASSERT_TRUE(wide);
  const auto seen = execute(*wide, MockSnapshot(), CountingCancellation());
  ASSERT_FALSE(seen.result);
  EXPECT_EQ(seen.result.error(), PlanFailure::kInvalidated);
}

TEST(ObsPlan, RefusesWhatCannotBe) {
  EXPECT_FALSE(compile({}));
  EXPECT_FALSE(compile({{.field = 2}}));
  EXPECT_FALSE(compile({{.field = 0, .region = Region::rectangle({0, 0}, {4, 0})}}));
  EXPECT_FALSE(compile({{.field = 0, .region = Region::rectangle({1, 0}, {0, 0})}}));
  EXPECT_FALSE(compile({{.field = 0, .region = Region::disk({9, 9}, 1)}}));
  EXPECT_FALSE(compile({{.field = 0, .region = Region::cells({})}}));
  EXPECT_FALSE(compile({{.field = 0, .region = Region::neighbours({0, 0}, 0)}}));
  EXPECT_FALSE(compile({{.field = 0, .pooling = Pooling{Pooling::Kind::kMean, 6, 1}}}));
  EXPECT_FALSE(compile({{.field = 0, .pooling = Pooling{Pooling::Kind::kMean, 1, 0}}}));
}

// proves: MURK-TEST-9
// proves part: MURK-STALL-9 (between regions, never per cell; not that the inner loop has no branch)
TEST(ObsPlan, CancellationIsAskedBetweenRegionsNeverPerCell) {
  const auto plan = compile({{.field = 0}, {.field = 1}, {.field = 0}});
  const MockSnapshot snapshot;
  const CountingCancellation never;
  EXPECT_TRUE(execute(*plan, snapshot, never).result);
  EXPECT_EQ(never.asked, 4) << "before each of three regions and once at the end";
  EXPECT_EQ(snapshot.reads, 3) << "a field is resolved once per region";
  CountingCancellation after_one;
  after_one.cancel_after = 1;
  const MockSnapshot second;
  const Executed done = execute(*plan, second, after_one);
  ASSERT_FALSE(done.result);
  EXPECT_EQ(done.result.error(), PlanFailure::kCancelled);
  EXPECT_EQ(second.reads, 1) << "the second region was not begun";
}

// proves: MURK-WRK-5, MURK-INT-1
TEST(ObsPlan, KnowsASnapshotOnlyThroughItsInterface) {
  const auto plan = compile({{.field = 0}, {.field = 0}});
  const MockSnapshot mock;
  const Executed read = execute(*plan, mock, CountingCancellation());
  ASSERT_TRUE(read.result);
  EXPECT_EQ(mock.reads, 2);
  for (std::size_t i = 0; i < read.values.size(); ++i) EXPECT_EQ(read.values[i], static_cast<double>(i % 20));
  MockSnapshot evicted;
  evicted.evict_after = 1;
  const Executed done = execute(*plan, evicted, CountingCancellation());
  ASSERT_FALSE(done.result);
  EXPECT_EQ(done.result.error(), PlanFailure::kInvalidated);
  MockSnapshot other_layout;
  other_layout.generation = 2;
  EXPECT_EQ(execute(*plan, other_layout, CountingCancellation()).result.error(), PlanFailure::kInvalidated);
  EXPECT_EQ(other_layout.reads, 0);
}

// proves: MURK-WRK-5
TEST(ObsPlan, AsksNoSnapshotForItsTick) {
  const MockSnapshot mock;
  ASSERT_TRUE(execute(*compile({{.field = 0}, {.field = 1}}), mock, CountingCancellation()).result);
  EXPECT_EQ(mock.reads, 2);
  EXPECT_EQ(mock.ticks, 0) << "which is its epoch";
}

}  // namespace
}  // namespace hyperscale::realtime
