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
