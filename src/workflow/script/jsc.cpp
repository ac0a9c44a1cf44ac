#include "workflow/script/jsc.h"

#include <algorithm>
#include <span>
#include <vector>

namespace hyperscale::workflow::jsc {
namespace {

bool plain_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c > 0; });
}

// RFC 3629, with U+FFFD for each byte that begins nothing valid.
std::vector<JSChar> to_utf16(std::string_view text) {
  std::vector<JSChar> units;
  units.reserve(text.size());
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  for (std::size_t i = 0; i < text.size();) {
    const unsigned lead = byte(i);
    const std::size_t length = lead < 0x80   ? 1
                               : lead < 0xC2 ? 0
                               : lead < 0xE0 ? 2
                               : lead < 0xF0 ? 3
                               : lead < 0xF5 ? 4
                                             : 0;
    bool valid = length > 0 && i + length <= text.size();
    unsigned code = length == 1 ? lead : lead & (0x7FU >> length);
    for (std::size_t k = 1; valid && k < length; ++k) {
      valid = (byte(i + k) & 0xC0U) == 0x80;
      code = code << 6 | (byte(i + k) & 0x3FU);
    }
    valid = valid && !(length == 3 && (code < 0x800 || (code >= 0xD800 && code < 0xE000))) &&
            !(length == 4 && (code < 0x10000 || code > 0x10FFFF));
    if (!valid) {
      units.push_back(0xFFFD);
      ++i;
      continue;
    }
    if (code >= 0x10000) {
      units.push_back(static_cast<JSChar>(0xD800 + ((code - 0x10000) >> 10)));
      units.push_back(static_cast<JSChar>(0xDC00 + ((code - 0x10000) & 0x3FF)));
    } else {
      units.push_back(static_cast<JSChar>(code));
    }
    i += length;
  }
  return units;
}

void append_utf8(std::string& text, unsigned code) {
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += {static_cast<char>(0xC0 | code >> 6), static_cast<char>(0x80 | (code & 0x3F))};
  } else if (code < 0x10000) {
    text += {static_cast<char>(0xE0 | code >> 12), static_cast<char>(0x80 | (code >> 6 & 0x3F)),
             static_cast<char>(0x80 | (code & 0x3F))};
  } else {
    text += {static_cast<char>(0xF0 | code >> 18), static_cast<char>(0x80 | (code >> 12 & 0x3F)),
             static_cast<char>(0x80 | (code >> 6 & 0x3F)), static_cast<char>(0x80 | (code & 0x3F))};
  }
}

// With U+FFFD for each half of a surrogate pair that stands alone.
std::string to_utf8(std::span<const JSChar> units) {
  std::string text;
  text.reserve(units.size());
  for (std::size_t i = 0; i < units.size(); ++i) {
    unsigned code = units[i];
    const bool high = code >= 0xD800 && code < 0xDC00;
    const bool pair = high && i + 1 < units.size() && units[i + 1] >= 0xDC00 && units[i + 1] < 0xE000;
    if (pair) code = 0x10000 + ((code - 0xD800) << 10) + (units[++i] - 0xDC00U);
    if (!pair && code >= 0xD800 && code < 0xE000) code = 0xFFFD;
    append_utf8(text, code);
  }
  return text;
}

}  // namespace

Text::Text(std::string_view utf8) {
  if (plain_ascii(utf8)) {
    string_ = JSStringCreateWithUTF8CString(std::string(utf8).c_str());
  } else {
    const std::vector<JSChar> units = to_utf16(utf8);
    string_ = JSStringCreateWithCharacters(units.data(), units.size());
  }
}

Text::~Text() {
  if (string_ != nullptr) JSStringRelease(string_);
}

std::string Text::utf8() const {
  if (string_ == nullptr || JSStringGetLength(string_) == 0) return {};
  // The library's own conversion is fast, but it ends at half a surrogate pair. What came out as plain ASCII of the
  // full length is whole.
  const std::size_t length = JSStringGetLength(string_);
  std::string text(JSStringGetMaximumUTF8CStringSize(string_), '\0');
  const std::size_t size = JSStringGetUTF8CString(string_, text.data(), text.size());
  text.resize(size == 0 ? 0 : size - 1);
  if (text.size() == length && std::ranges::all_of(text, [](char c) { return c >= 0; })) return text;
  return to_utf8({JSStringGetCharactersPtr(string_), length});
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
  // The pointer is that of the buffer: a view may begin later in it.
  return begin == nullptr ? std::string_view()
                          : std::string_view(begin + JSObjectGetTypedArrayByteOffset(context, array, nullptr),
                                             JSObjectGetTypedArrayByteLength(context, array, nullptr));
}

JSValueRef make_text(JSContextRef context, std::string_view utf8) {
  return JSValueMakeString(context, Text(utf8).get());
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
