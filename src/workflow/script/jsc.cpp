#include "workflow/script/jsc.h"

#include "workflow/script/utf16.h"

#include <algorithm>

namespace hyperscale::workflow::jsc {
namespace {

bool plain_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c > 0; });
}

static_assert(sizeof(JSChar) == sizeof(char16_t));

JSStringRef make_string(std::span<const char16_t> units) {
  return JSStringCreateWithCharacters(reinterpret_cast<const JSChar*>(units.data()), units.size());
}

}  // namespace

Text::Text(std::string_view utf8) {
  if (plain_ascii(utf8)) {
    string_ = JSStringCreateWithUTF8CString(std::string(utf8).c_str());
  } else {
    string_ = make_string(decode_utf8(utf8).units);
  }
}

Text::~Text() {
  if (string_ != nullptr) JSStringRelease(string_);
}

std::string Text::utf8() const {
  if (string_ == nullptr || JSStringGetLength(string_) == 0) return {};
  // The library's own conversion is fast, but it stops at an unpaired surrogate. Plain ASCII output of full length is
  // complete.
  const std::size_t length = JSStringGetLength(string_);
  std::string text(JSStringGetMaximumUTF8CStringSize(string_), '\0');
  const std::size_t size = JSStringGetUTF8CString(string_, text.data(), text.size());
  text.resize(size == 0 ? 0 : size - 1);
  if (text.size() == length && std::ranges::all_of(text, [](char c) { return c >= 0; })) return text;
  return encode_utf8({reinterpret_cast<const char16_t*>(JSStringGetCharactersPtr(string_)), length});
}

std::string text_of(JSContextRef context, JSValueRef value) {
  JSValueRef exception = nullptr;
  return Text(JSValueToStringCopy(context, value, &exception)).utf8();
}

double number_of(JSContextRef context, JSValueRef value) {
  JSValueRef exception = nullptr;
  const double number = JSValueToNumber(context, value, &exception);
  return exception == nullptr ? number : 0;
}

JSValueRef property(JSContextRef context, JSValueRef object, const char* name) {
  if (!JSValueIsObject(context, object)) return JSValueMakeUndefined(context);
  JSValueRef exception = nullptr;
  const Text key{std::string_view(name)};
  JSValueRef value = JSObjectGetProperty(context, const_cast<JSObjectRef>(object), key.get(), &exception);
  return exception == nullptr && value != nullptr ? value : JSValueMakeUndefined(context);
}

std::string text_property(JSContextRef context, JSValueRef object, const char* name) {
  JSValueRef value = property(context, object, name);
  return is_nothing(context, value) ? std::string() : text_of(context, value);
}

std::size_t length_of(JSContextRef context, JSValueRef array) {
  const double length = number_of(context, property(context, array, "length"));
  return length > 0 ? static_cast<std::size_t>(length) : 0;
}

JSValueRef element(JSContextRef context, JSValueRef array, std::size_t index) {
  JSValueRef exception = nullptr;
  JSValueRef value =
      JSObjectGetPropertyAtIndex(context, const_cast<JSObjectRef>(array), static_cast<unsigned>(index), &exception);
  return exception == nullptr && value != nullptr ? value : JSValueMakeUndefined(context);
}

std::string_view bytes_of(JSContextRef context, JSValueRef value) {
  if (JSValueGetTypedArrayType(context, value, nullptr) != kJSTypedArrayTypeUint8Array) return {};
  auto* array = const_cast<JSObjectRef>(value);
  const auto* begin = static_cast<const char*>(JSObjectGetTypedArrayBytesPtr(context, array, nullptr));
  // The pointer is the start of the buffer: a view may begin later in it.
  return begin == nullptr ? std::string_view()
                          : std::string_view(begin + JSObjectGetTypedArrayByteOffset(context, array, nullptr),
                                             JSObjectGetTypedArrayByteLength(context, array, nullptr));
}

JSValueRef make_text(JSContextRef context, std::string_view utf8) {
  return JSValueMakeString(context, Text(utf8).get());
}

JSValueRef make_text(JSContextRef context, std::span<const char16_t> units) {
  return JSValueMakeString(context, Text(make_string(units)).get());
}

JSValueRef make_error(JSContextRef context, std::string_view message) {
  JSValueRef argument = make_text(context, message);
  JSValueRef exception = nullptr;
  JSObjectRef error = JSObjectMakeError(context, 1, &argument, &exception);
  return error != nullptr ? error : argument;
}

void set_property(JSContextRef context, JSObjectRef object, std::string_view name, JSValueRef value) {
  JSValueRef exception = nullptr;
  JSObjectSetProperty(context, object, Text(name).get(), value, kJSPropertyAttributeNone, &exception);
}

bool is_nothing(JSContextRef context, JSValueRef value) {
  return value == nullptr || JSValueIsUndefined(context, value) || JSValueIsNull(context, value);
}

}  // namespace hyperscale::workflow::jsc
