// Text put into HTML. Pure functions, any thread.
//
// Everything that was not written here goes through escaped(): whatever a server or a user put into a name, an address
// or a body stays text, in elements as well as in quoted attributes. Characters that hide or reorder text become
// visible.
#pragma once

#include <string>
#include <string_view>

namespace hyperscale::report {

std::string escaped(std::string_view text);

// <tag class="...">escaped text</tag>; no class attribute when `css_class` is empty.
std::string element(std::string_view tag, std::string_view css_class, std::string_view text);

}  // namespace hyperscale::report
