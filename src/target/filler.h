// The content of bodies of a given size: byte i of every such body is the same, so a reader can check it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace hyperscale::target {

// Lines of 64 characters, the line feed included.
char filler_byte(std::uint64_t at);
void append_filler(std::string& out, std::uint64_t at, std::size_t count);
void copy_filler(std::uint8_t* out, std::uint64_t at, std::size_t count);

}  // namespace hyperscale::target
