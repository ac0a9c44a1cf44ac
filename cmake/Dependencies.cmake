# Every library comes from Debian 12; scripts/setup installs them.
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(ZLIB REQUIRED)
find_package(simdjson REQUIRED)
# One copy of the run-time for generated and for dynamic messages, and nothing to load at a start (decision 0011).
set(Protobuf_USE_STATIC_LIBS ON)
find_package(Protobuf REQUIRED)
find_package(prometheus-cpp REQUIRED COMPONENTS core)
# Debian's default headers are 1.74; the coroutine support we rely on is 1.81.
find_package(Boost 1.81 EXACT REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(nghttp2 REQUIRED IMPORTED_TARGET libnghttp2)
pkg_check_modules(uring REQUIRED IMPORTED_TARGET liburing)
pkg_check_modules(cares REQUIRED IMPORTED_TARGET libcares)
# The name under which the first library of a pkg-config module is loaded.
function(hyperscale_soname variable module)
  list(GET ${module}_LINK_LIBRARIES 0 library)
  execute_process(COMMAND ${CMAKE_READELF} -d ${library} OUTPUT_VARIABLE dynamic COMMAND_ERROR_IS_FATAL ANY)
  if(NOT dynamic MATCHES "soname: \\[([^]]+)\\]")
    message(FATAL_ERROR "${library} has no soname")
  endif()
  set(${variable} ${CMAKE_MATCH_1} PARENT_SCOPE)
endfunction()
# Only a process that is about to run a script needs it, so it is part of the program and costs no start a library (decision 0011).
pkg_check_modules(seccomp REQUIRED libseccomp)
find_library(HYPERSCALE_SECCOMP libseccomp.a HINTS ${seccomp_LIBRARY_DIRS} REQUIRED)
add_library(seccomp_static INTERFACE)
target_link_libraries(seccomp_static INTERFACE ${HYPERSCALE_SECCOMP})
# JavaScriptCore: headers only. The program loads the library by its name when the first script needs it (decision 0011).
pkg_check_modules(jsc REQUIRED javascriptcoregtk-4.1)
add_library(jsc_headers INTERFACE)
target_include_directories(jsc_headers SYSTEM INTERFACE ${jsc_INCLUDE_DIRS})
hyperscale_soname(HYPERSCALE_JSC_SONAME jsc)
# ICU: headers only, in the same way. Host names beyond ASCII are rare, and JavaScriptCore brings the library along.
pkg_check_modules(icu REQUIRED icu-uc)
add_library(icu_headers INTERFACE)
target_include_directories(icu_headers SYSTEM INTERFACE ${icu_INCLUDE_DIRS})
hyperscale_soname(HYPERSCALE_ICU_SONAME icu)
# libpsl brings libidn2 and libunistring: loaded in the same way, by runs that need public suffixes (decision 0024).
pkg_check_modules(psl REQUIRED libpsl)
hyperscale_soname(HYPERSCALE_PSL_SONAME psl)
# Decoders of compressed bodies are linked statically: a start does not pay for them.
function(hyperscale_static_libraries target)
  add_library(${target} INTERFACE)
  foreach(name ${ARGN})
    find_library(HYPERSCALE_${name} lib${name}.a REQUIRED)
    target_link_libraries(${target} INTERFACE ${HYPERSCALE_${name}})
  endforeach()
endfunction()
hyperscale_static_libraries(brotli_decoder brotlidec brotlicommon)
hyperscale_static_libraries(zstd_decoder zstd)
hyperscale_static_libraries(brotli_encoder brotlienc brotlicommon)  # tests
# Debian's node-acorn: the parser that links modules runs inside the script engine, so its text goes into the program.
find_file(HYPERSCALE_ACORN acorn.js PATHS /usr/share/nodejs/acorn/dist NO_DEFAULT_PATH REQUIRED)
