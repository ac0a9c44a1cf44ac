#include "election/fencing_token.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::election {
namespace {

// proves part: LEAD-6 (rising tokens of the term; not that who leads again asks with its newer one)
// proves part: AD10-1 (a token of each leadership's term; not that who leads again asks with its newer one)
RC_GTEST_PROP(FencingToken, RisesWithinATermAndFromTermToTerm, ()) {
  const auto term = *rc::gen::inRange<std::uint64_t>(0, kTermMax.value());
  FencingTokens tokens{wire::Term(term)};
  FencingTokens later{wire::Term(term + 1)};
  const auto drawn = *rc::gen::inRange(1, 100);
  FencingToken last = fencing_token(wire::Term(term), 0);
  for (int i = 0; i < drawn; ++i) {
    const FencingToken token = *tokens.next();
    RC_ASSERT(token > last);
    RC_ASSERT(term_of(token) == wire::Term(term));
    last = token;
  }
  RC_ASSERT(counter_of(last) == static_cast<std::uint32_t>(drawn));
  RC_ASSERT(*later.next() > last);
}

// proves part: AD10-2 (the guard, and state sync with the term it is given; not that a node gives the one it knows)
TEST(FenceGuard, RefusesTermsOlderThanTheNewestSeen) {
  FenceGuard guard;
  EXPECT_TRUE(guard.admit(fencing_token(wire::Term(5), 7)));
  EXPECT_TRUE(guard.admit(fencing_token(wire::Term(5), 3))) << "orders of one term may overtake each other";
  EXPECT_FALSE(guard.admit(fencing_token(wire::Term(4), UINT32_MAX)));
  EXPECT_TRUE(guard.admit(fencing_token(wire::Term(6), 1)));
  EXPECT_FALSE(guard.admit(fencing_token(wire::Term(5), 8)));
  guard.observe(wire::Term(9));
  guard.observe(wire::Term(8));
  EXPECT_FALSE(guard.admit(fencing_token(wire::Term(8), 1)));
  EXPECT_EQ(guard.term(), wire::Term(9));
}

}  // namespace
}  // namespace hyperscale::election
