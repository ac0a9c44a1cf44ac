// Writes text into HTML. Pure functions, any thread.
//
// All untrusted text goes through escaped(): names, addresses and bodies stay text, in elements and in quoted
// attributes. Characters that hide or reorder text become visible.
#pragma once

#include <string>
#include <string_view>

namespace hyperscale::report {

std::string escaped(std::string_view text);

// <tag class="...">escaped text</tag>; no class attribute when `css_class` is empty.
std::string element(std::string_view tag, std::string_view css_class, std::string_view text);

}  // namespace hyperscale::report
