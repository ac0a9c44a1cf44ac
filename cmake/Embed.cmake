# hyperscale_embed(target namespace NAME file ...): the bytes of files inside the program. Each pair becomes a function
# `std::string_view namespace::NAME()`, declared in a header beside the sources. The text is followed by a zero byte.
function(hyperscale_embed target namespace)
  set(pairs ${ARGN})
  while(pairs)
    list(POP_FRONT pairs name file)
    get_filename_component(file ${file} ABSOLUTE)
    string(MAKE_C_IDENTIFIER embedded_${namespace}_${name} symbol)
    set(source ${CMAKE_CURRENT_BINARY_DIR}/embedded_${name}.cpp)
    file(CONFIGURE OUTPUT ${source} @ONLY CONTENT [[
#include <string_view>
__asm__(".pushsection .rodata\n.global @symbol@\n@symbol@:\n.incbin \"@file@\"\n"
        ".global @symbol@_end\n@symbol@_end:\n.byte 0\n.popsection\n");
extern "C" const char @symbol@[];
extern "C" const char @symbol@_end[];
namespace @namespace@ {
std::string_view @name@() { return {@symbol@, static_cast<std::size_t>(@symbol@_end - @symbol@)}; }
}  // namespace @namespace@
]])
    set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS ${file} SKIP_PRECOMPILE_HEADERS ON)
    target_sources(${target} PRIVATE ${source})
  endwhile()
endfunction()
