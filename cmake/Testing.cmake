find_package(GTest REQUIRED)
find_package(benchmark REQUIRED)
find_package(rapidcheck REQUIRED)
include(GoogleTest)

# hyperscale_unit_test(module SOURCES ... USES ... [LIBRARIES ...] [PCH gtest|asio_gtest] [TIMEOUT seconds] [SERIAL]
# [SLOW patterns]): one binary per module, one ctest entry per test. TIMEOUT: of each [120]. SERIAL: the tests have deadlines that a busy
# neighbour would break. SLOW: tests that take more than a minute and run in `make check` only.
function(hyperscale_unit_test module)
  cmake_parse_arguments(arg "SERIAL" "PCH;TIMEOUT" "SOURCES;USES;LIBRARIES;SLOW" ${ARGN})
  if(NOT arg_PCH)
    set(arg_PCH gtest)
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  hyperscale_program(${module}_test SOURCES ${arg_SOURCES} USES ${arg_USES}
                     LIBRARIES ${arg_LIBRARIES} GTest::gtest_main PCH ${arg_PCH})
  target_compile_options(${module}_test PRIVATE -O0)
  set(properties TIMEOUT ${arg_TIMEOUT} RUN_SERIAL ${arg_SERIAL})
  list(JOIN arg_SLOW ":" slow)
  gtest_discover_tests(${module}_test TEST_PREFIX ${module}. TEST_FILTER "*-${slow}" TEST_LIST ${module}_quick
                       DISCOVERY_MODE PRE_TEST NO_PRETTY_VALUES PROPERTIES ${properties} LABELS unit)
  if(arg_SLOW)
    gtest_discover_tests(${module}_test TEST_PREFIX ${module}. TEST_FILTER "${slow}" TEST_LIST ${module}_slow
                         DISCOVERY_MODE PRE_TEST NO_PRETTY_VALUES PROPERTIES ${properties} LABELS slow)
  endif()
endfunction()
