# Compiler flags that every target shares. Presets choose the compiler and the sanitizer.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE OFF)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

set(HYPERSCALE_SANITIZE "" CACHE STRING "Value for -fsanitize, empty for none")
option(HYPERSCALE_COVERAGE "Instrument for llvm-cov" OFF)

find_program(CCACHE ccache)
if(CCACHE)
  # Precompiled headers are cacheable only when their own time stamps are left out of the comparison.
  set(launcher ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()

add_compile_options(-Wall -Wextra -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wno-unused-parameter -Werror=return-type
                    -fno-omit-frame-pointer)
option(HYPERSCALE_WERROR "Warnings are errors" ON)
if(HYPERSCALE_WERROR AND CMAKE_CXX_COMPILER_ID MATCHES Clang)
  add_compile_options(-Werror)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  add_compile_options(-Wthread-safety -fpch-instantiate-templates -Xclang -fno-pch-timestamp)
  add_link_options(-fuse-ld=lld-19)
else()
  add_compile_options(-Wno-maybe-uninitialized -Wno-dangling-pointer)
endif()
# A library that a program links and does not use would still be loaded at each of its starts (decision 0011).
add_link_options(-Wl,--as-needed)
if(HYPERSCALE_SANITIZE)
  # JavaScriptCore is built without type information and brings its own copies of the library's templates: objects of ours
  # that get their virtual table from there would be called damaged.
  add_compile_options(-fsanitize=${HYPERSCALE_SANITIZE} -fno-sanitize-recover=all -fno-sanitize=vptr)
  add_link_options(-fsanitize=${HYPERSCALE_SANITIZE})
endif()
if(HYPERSCALE_COVERAGE)
  add_compile_options(-fprofile-instr-generate -fcoverage-mapping)
  add_link_options(-fprofile-instr-generate -fcoverage-mapping)
endif()
