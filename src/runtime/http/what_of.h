// The text of an exception, for the log. Any thread.
#pragma once

#include <exception>
#include <string>

namespace hyperscale::runtime {

inline std::string what_of(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "unknown exception";
  }
}

}  // namespace hyperscale::runtime
