# asio: Boost.Asio and Beast compiled once. pch_KIND: the heavy headers of one kind of target, compiled once and reused.
set(precompiled ${CMAKE_SOURCE_DIR}/cmake/precompiled)

add_library(asio STATIC ${precompiled}/asio.cpp)
target_compile_definitions(asio PUBLIC BOOST_ASIO_SEPARATE_COMPILATION BOOST_BEAST_SEPARATE_COMPILATION BOOST_ASIO_NO_DEPRECATED)
target_link_libraries(asio PUBLIC Boost::headers OpenSSL::SSL OpenSSL::Crypto Threads::Threads)

# Headers of base are among them: every module may use it, and most files do.
hyperscale_include_dir(base base)
function(hyperscale_precompiled_kind kind)
  add_library(pch_${kind} STATIC ${precompiled}/anchor.cpp)
  target_link_libraries(pch_${kind} PRIVATE fmt::fmt ${ARGN})
  target_include_directories(pch_${kind} PRIVATE ${include_dir_of_base})
  target_precompile_headers(pch_${kind} PRIVATE ${precompiled}/${kind}.h)
endfunction()

hyperscale_precompiled_kind(std)
hyperscale_precompiled_kind(asio asio)
if(HYPERSCALE_TESTS)
  hyperscale_precompiled_kind(gtest GTest::gmock GTest::gtest rapidcheck)
  hyperscale_precompiled_kind(asio_gtest asio GTest::gmock GTest::gtest rapidcheck)
  # Test code is compiled once and run for seconds: optimising it would cost more than it gains.
  target_compile_options(pch_gtest PRIVATE -O0)
  target_compile_options(pch_asio_gtest PRIVATE -O0)
endif()
