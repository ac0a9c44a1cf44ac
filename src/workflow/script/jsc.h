// The C interface of JavaScriptCore, with texts and properties as std::string. For the sources of this module only: no
// public header includes it.
//
// Thread rule: as the engine that owns the context. The collector finds values on the stack, but not on the heap: keep
// those reachable from the global object or protect them.
#pragma once

#include "workflow/script/jsc_functions.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace hyperscale::workflow::jsc {

// Owns one engine string.
class Text {
 public:
  // Bytes that are not UTF-8 become U+FFFD.
  explicit Text(std::string_view utf8);
  explicit Text(JSStringRef taken) : string_(taken) {}
  Text(const Text&) = delete;
  Text& operator=(const Text&) = delete;
  ~Text();

  JSStringRef get() const { return string_; }
  std::string utf8() const;

 private:
  JSStringRef string_ = nullptr;
};

// These never throw: if a getter or toString throws, the result is an undefined value, an empty text or 0.
std::string text_of(JSContextRef context, JSValueRef value);
double number_of(JSContextRef context, JSValueRef value);
JSValueRef property(JSContextRef context, JSValueRef object, const char* name);
std::string text_property(JSContextRef context, JSValueRef object, const char* name);
std::size_t length_of(JSContextRef context, JSValueRef array);
JSValueRef element(JSContextRef context, JSValueRef array, std::size_t index);

// The bytes of a Uint8Array, valid while it lives; empty for other values.
std::string_view bytes_of(JSContextRef context, JSValueRef value);

JSValueRef make_text(JSContextRef context, std::string_view utf8);
JSValueRef make_text(JSContextRef context, std::span<const char16_t> units);
JSValueRef make_error(JSContextRef context, std::string_view message);
void set_property(JSContextRef context, JSObjectRef object, std::string_view name, JSValueRef value);
bool is_nothing(JSContextRef context, JSValueRef value);  // undefined or null

}  // namespace hyperscale::workflow::jsc
