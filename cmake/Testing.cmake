find_package(GTest REQUIRED)
find_package(benchmark REQUIRED)
find_package(rapidcheck REQUIRED)
include(GoogleTest)

# hyperscale_unit_test(module SOURCES ... USES ... [LIBRARIES ...] [PCH gtest|asio_gtest] [SERIAL]): one binary per module, one
# ctest entry per test. SERIAL: the tests have deadlines that a busy neighbour would break.
function(hyperscale_unit_test module)
  cmake_parse_arguments(arg "SERIAL" "PCH" "SOURCES;USES;LIBRARIES" ${ARGN})
  if(NOT arg_PCH)
    set(arg_PCH gtest)
  endif()
  hyperscale_program(${module}_test SOURCES ${arg_SOURCES} USES ${arg_USES}
                     LIBRARIES ${arg_LIBRARIES} GTest::gtest_main PCH ${arg_PCH})
  target_compile_options(${module}_test PRIVATE -O0)
  gtest_discover_tests(${module}_test TEST_PREFIX ${module}. DISCOVERY_MODE PRE_TEST PROPERTIES TIMEOUT 120 LABELS unit RUN_SERIAL ${arg_SERIAL})
endfunction()
