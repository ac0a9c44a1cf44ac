// Texts embedded in the program; cmake/Embed.cmake defines one function for each. They live as long as the process.
#pragma once

#include <string_view>

namespace hyperscale::workflow::embedded {

std::string_view acorn_js();         // the parser, from Debian's node-acorn (MIT licence)
std::string_view linker_js();        // ES modules to plain functions
std::string_view encoding_js();      // TextEncoder, TextDecoder, base64
std::string_view url_parser_js();    // the parser of the URL Standard
std::string_view url_js();           // URL, URLSearchParams
std::string_view web_js();           // console, crypto and other globals
std::string_view declare_js();       // the built-in module: declarations of a file
std::string_view cookies_js();       // the built-in module: cookies of a user
std::string_view run_js();           // the built-in module: virtual users
std::string_view lock_down_js();     // runs last before users
std::string_view starter_js();       // written by `hyperscale new`
std::string_view hyperscale_d_ts();  // types for editors

}  // namespace hyperscale::workflow::embedded
