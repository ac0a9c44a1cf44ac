// Shared parts of native functions that scripts call: arguments, results, and registration in the engine. For the
// sources of this folder only.
#pragma once

#include "workflow/script/jsc.h"

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

namespace hyperscale::workflow {

// The arguments of one call; missing ones are undefined.
class Arguments {
 public:
  Arguments(JSContextRef context, std::size_t count, const JSValueRef* values)
      : context_(context), count_(count), values_(values) {}

  JSContextRef context() const { return context_; }
  JSValueRef operator[](std::size_t i) const { return i < count_ ? values_[i] : JSValueMakeUndefined(context_); }
  bool given(std::size_t i) const { return !jsc::is_nothing(context_, (*this)[i]); }
  std::string text(std::size_t i) const { return jsc::text_of(context_, (*this)[i]); }
  std::string text_if_given(std::size_t i) const { return given(i) ? text(i) : std::string(); }
  double number(std::size_t i) const { return jsc::number_of(context_, (*this)[i]); }
  bool flag(std::size_t i) const { return JSValueToBoolean(context_, (*this)[i]); }
  std::vector<std::string> texts(std::size_t i) const {
    std::vector<std::string> list;
    if (!given(i)) return list;
    const std::size_t count = jsc::length_of(context_, (*this)[i]);
    for (std::size_t k = 0; k < count; ++k)
      list.push_back(jsc::text_of(context_, jsc::element(context_, (*this)[i], k)));
    return list;
  }
  std::string_view bytes(std::size_t i) const { return jsc::bytes_of(context_, (*this)[i]); }

 private:
  JSContextRef context_;
  std::size_t count_;
  const JSValueRef* values_;
};

// Result of a native function: a value, or the message of the error that the script sees.
using Answer = tl::expected<JSValueRef, std::string>;

inline Answer refuse(std::string message) {
  return tl::unexpected<std::string>(std::move(message));
}

inline JSValueRef make_bytes(JSContextRef context, std::string_view bytes) {
  JSObjectRef array = JSObjectMakeTypedArray(context, kJSTypedArrayTypeUint8Array, bytes.size(), nullptr);
  if (array != nullptr && !bytes.empty())
    std::memcpy(JSObjectGetTypedArrayBytesPtr(context, array, nullptr), bytes.data(), bytes.size());
  return array;
}

// Returns the result to the engine, or sets the exception.
inline JSValueRef give(JSContextRef context, const Answer& answer, JSValueRef* exception) {
  if (answer) return *answer;
  *exception = jsc::make_error(context, answer.error());
  return JSValueMakeUndefined(context);
}

inline void add_native(JSContextRef context, JSObjectRef natives, const char* name,
                       JSObjectCallAsFunctionCallback callback) {
  const jsc::Text text{std::string_view(name)};
  jsc::set_property(context, natives, name, JSObjectMakeFunctionWithCallback(context, text.get(), callback));
}

}  // namespace hyperscale::workflow
