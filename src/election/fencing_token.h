// Fencing tokens: numbers on the orders of a leader, by which a receiver refuses orders of a former leader. The upper
// half is the term, the lower counts within it: a repeated order of one term gets a higher token.
//
//   FencingTokens tokens(term);        // in the leader, made anew when it wins a term
//   order.fence = *tokens.next();
//   if (!guard.admit(order.fence)) refuse(order);   // in the receiver
//
// Plain values for one thread each. Terms beyond kTermMax do not fit a token and are never reached (term_bounds.h).
#pragma once

#include "base/check.h"
#include "base/strong_type.h"
#include "election/term_bounds.h"
#include "wire/node_identity.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace hyperscale::election {

using FencingToken = StrongId<struct FencingTokenTag>;

constexpr wire::Term term_of(FencingToken token) {
  return wire::Term(token.value() >> 32);
}
constexpr std::uint32_t counter_of(FencingToken token) {
  return static_cast<std::uint32_t>(token.value());
}

constexpr FencingToken fencing_token(wire::Term term, std::uint32_t counter) {
  CHECK(term <= kTermMax, "term {}", term.value());
  return FencingToken((term.value() << 32) | counter);
}

class FencingTokens {
 public:
  explicit constexpr FencingTokens(wire::Term term) : term_(term) {}

  // Strictly rising, from fencing_token(term, 1). None when the numbers of the term are exhausted: a new term is
  // needed.
  constexpr std::optional<FencingToken> next() {
    if (last_ == UINT32_MAX) return std::nullopt;
    return fencing_token(term_, ++last_);
  }

 private:
  wire::Term term_;
  std::uint32_t last_ = 0;
};

class FenceGuard {
 public:
  // A term received otherwise, for example in a heartbeat.
  constexpr void observe(wire::Term term) { term_ = std::max(term_, term); }

  // True iff the token's term is not older than any seen (AD10-2). Orders within one term may arrive in any order; a
  // receiver that must not repeat one stores its last token and requires a greater one.
  constexpr bool admit(FencingToken token) {
    if (term_of(token) < term_) return false;
    term_ = term_of(token);
    return true;
  }
  constexpr wire::Term term() const { return term_; }

 private:
  wire::Term term_;
};

}  // namespace hyperscale::election
