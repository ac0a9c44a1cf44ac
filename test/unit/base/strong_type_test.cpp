#include "base/strong_type.h"

#include <type_traits>
#include <unordered_set>

#include <gtest/gtest.h>

namespace hyperscale {
namespace {

using JobId = StrongId<struct JobIdTag>;
using Term = StrongId<struct TermTag, std::uint32_t>;
using NodeName = StrongId<struct NodeNameTag, std::string>;

static_assert(!std::is_convertible_v<std::uint64_t, JobId>);
static_assert(!std::is_convertible_v<JobId, std::uint64_t>);
static_assert(!std::is_constructible_v<JobId, Term>);
static_assert(!std::is_convertible_v<std::uint64_t, ByteCount>);
static_assert(!std::is_convertible_v<ByteCount, std::uint64_t>);
static_assert(JobId() == JobId(0) && JobId(1) < JobId(2));

template <typename A, typename B>
concept Comparable = requires(A a, B b) { a == b; };
static_assert(Comparable<JobId, JobId> && !Comparable<JobId, Term>);

TEST(StrongId, OrdersHashesAndFormatsAsItsValue) {
  EXPECT_LT(NodeName("a"), NodeName("b"));
  const std::unordered_set<NodeName> names{NodeName("a"), NodeName("a"), NodeName("b")};
  EXPECT_EQ(names.size(), 2U);
  EXPECT_EQ(fmt::format("{} {} {:>4}", JobId(7), NodeName("worker"), Term(3)), "7 worker    3");
}

TEST(ByteCount, AddsSubtractsAndFormats) {
  ByteCount count(4096);
  count += ByteCount(4096);
  EXPECT_EQ(count, ByteCount(8192));
  count -= ByteCount(8192);
  EXPECT_EQ(count, ByteCount());
  EXPECT_EQ(fmt::format("{}", ByteCount(65536)), "64KiB");
  EXPECT_EQ(std::unordered_set<ByteCount>({ByteCount(1), ByteCount(1)}).size(), 1U);
}

TEST(ByteCountDeathTest, WrappingIsABug) {
  EXPECT_DEATH(ByteCount(1) - ByteCount(2), "1 - 2 bytes");
  EXPECT_DEATH(ByteCount(UINT64_MAX) + ByteCount(1), "CHECK failed");
}

}  // namespace
}  // namespace hyperscale
