# Every library comes from Debian 12; scripts/setup installs them.
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(ZLIB REQUIRED)
find_package(simdjson REQUIRED)
find_package(prometheus-cpp REQUIRED COMPONENTS core)
# Debian's default headers are 1.74; the coroutine support we rely on is 1.81.
find_package(Boost 1.81 EXACT REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(nghttp2 REQUIRED IMPORTED_TARGET libnghttp2)
pkg_check_modules(uring REQUIRED IMPORTED_TARGET liburing)
pkg_check_modules(cares REQUIRED IMPORTED_TARGET libcares)
pkg_check_modules(jsc REQUIRED IMPORTED_TARGET javascriptcoregtk-4.1)
# Debian's node-acorn: the parser that links modules runs inside the script engine, so its text goes into the program.
find_file(HYPERSCALE_ACORN acorn.js PATHS /usr/share/nodejs/acorn/dist NO_DEFAULT_PATH REQUIRED)
