// Argument: a value of a request that is prepared once, before the loop, and only read in it (HOOK-ARG-1, HOOK-ARG-2).
//
// optimise() prepares it; a second call does nothing (HOOK-ARG-6), also after a copy. One thread optimises; afterwards
// any number may read. A value that cannot be prepared is kInvalidArgument with a sentence that states why.
#pragma once

#include "base/check.h"
#include "base/result.h"

#include <optional>
#include <utility>

namespace hyperscale::plan {

template <typename Value, typename Prepared, Result<Prepared> (*prepare)(const Value&)>
class Argument {
 public:
  explicit Argument(Value value) : value_(std::move(value)) {}

  Status optimise() {
    if (prepared_) return {};
    Result<Prepared> prepared = prepare(value_);
    if (!prepared) return fail(prepared.error());
    prepared_ = std::move(*prepared);
    return {};
  }

  bool optimised() const { return prepared_.has_value(); }
  const Value& value() const { return value_; }
  // REQUIRES: optimised().
  const Prepared& prepared() const {
    CHECK(optimised(), "an argument is used before it was optimised");
    return *prepared_;
  }

 private:
  Value value_;
  std::optional<Prepared> prepared_;
};

}  // namespace hyperscale::plan
