// Texts that are part of the program; cmake/Embed.cmake defines one function for each. They live as long as the
// process.
#pragma once

#include <string_view>

namespace hyperscale::workflow::embedded {

std::string_view acorn_js();      // the parser, from Debian's node-acorn (MIT licence)
std::string_view linker_js();     // ES modules to plain functions
std::string_view lock_down_js();  // the last thing to run before users do

}  // namespace hyperscale::workflow::embedded
