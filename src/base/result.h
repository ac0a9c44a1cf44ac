// Result<T>: a value or an Error. Expected failures are results; bugs are CHECKs; no exception crosses a module border.
//
//   Result<Config> load(...);
//   if (auto config = load(path); !config) return fail(config.error());
#pragma once

#include "base/error.h"

#include <utility>

#include <tl/expected.hpp>

namespace hyperscale {

template <typename T>
using Result = tl::expected<T, Error>;
using Status = Result<void>;

inline tl::unexpected<Error> fail(Error error) {
  return tl::unexpected<Error>(std::move(error));
}

inline tl::unexpected<Error> fail(ErrorCode code, std::string context) {
  return tl::unexpected<Error>(Error{code, std::move(context)});
}

// The caller, a file or an option asked for what cannot be.
inline tl::unexpected<Error> invalid(std::string why) {
  return fail(ErrorCode::kInvalidArgument, std::move(why));
}

}  // namespace hyperscale
