# hyperscale_module(name SOURCES a.cpp ... [ASIO b.cpp ...] [ALONE c.cpp ...] [USES module ...]
#   [LIBRARIES target ...] [PCH std|asio])
#
# ASIO: sources that include Boost.Asio, where others do not. Only they pay for its precompiled header.
#
# ALONE: those of them that a test replaces by its own; they are never compiled together with others.
#
# With HYPERSCALE_UNITY the sources of a module are compiled four at a time, which halves the work of a whole build: names in
# unnamed namespaces are unique in a folder. Static analysis and the preset `dev` compile each file alone.
#
# One static library per src/ folder (or top-level one: sim). A module sees the headers of the modules named under USES and of no other: each
# module's headers are reachable only through an include directory of its own, and every link is private. A forbidden
# #include therefore does not compile. Link order is left to the linker's own group. Without SOURCES it is headers only.
option(HYPERSCALE_UNITY "Compile the sources of a module four at a time" OFF)

function(hyperscale_unity target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${HYPERSCALE_UNITY} UNITY_BUILD_BATCH_SIZE 4)
endfunction()

function(hyperscale_include_dir name folder)
  set(dir ${CMAKE_BINARY_DIR}/include/${name})
  get_filename_component(parent ${dir}/${folder} DIRECTORY)
  file(MAKE_DIRECTORY ${parent})
  if(NOT EXISTS ${dir}/${folder})
    set(source ${CMAKE_SOURCE_DIR}/src/${folder})
    if(NOT EXISTS ${source})
      set(source ${CMAKE_SOURCE_DIR}/${folder})
    endif()
    file(CREATE_LINK ${source} ${dir}/${folder} SYMBOLIC)
  endif()
  set(include_dir_of_${name} ${dir} PARENT_SCOPE)
endfunction()

function(hyperscale_module name)
  cmake_parse_arguments(arg "" "PCH;FOLDER" "SOURCES;ASIO;ALONE;USES;LIBRARIES" ${ARGN})
  set_source_files_properties(${arg_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  if(NOT arg_FOLDER)
    set(arg_FOLDER ${name})
  endif()
  hyperscale_include_dir(${name} ${arg_FOLDER})
  if(NOT arg_SOURCES)
    add_library(${name} INTERFACE)
    target_include_directories(${name} INTERFACE ${include_dir_of_${name}})
    return()
  endif()
  add_library(${name} STATIC ${arg_SOURCES})
  target_include_directories(${name} PUBLIC ${include_dir_of_${name}})
  target_link_libraries(${name} PRIVATE ${arg_USES} ${arg_LIBRARIES})
  if(NOT arg_PCH)
    set(arg_PCH std)
  endif()
  hyperscale_precompile(${name} ${arg_PCH})
  hyperscale_unity(${name})
  if(arg_ASIO)
    add_library(${name}_asio OBJECT ${arg_ASIO})
    target_include_directories(${name}_asio PRIVATE ${include_dir_of_${name}})
    target_link_libraries(${name}_asio PRIVATE ${arg_USES} ${arg_LIBRARIES})
    hyperscale_precompile(${name}_asio asio)
    hyperscale_unity(${name}_asio)
    target_sources(${name} PRIVATE $<TARGET_OBJECTS:${name}_asio>)
    target_link_libraries(${name} PRIVATE asio)
  endif()
endfunction()

# hyperscale_program(name SOURCES ... USES module ... [LIBRARIES ...] [PCH asio|gtest])
function(hyperscale_program name)
  cmake_parse_arguments(arg "" "PCH" "SOURCES;USES;LIBRARIES" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_USES} ${arg_LIBRARIES})
  hyperscale_precompile(${name} ${arg_PCH})
endfunction()

# Heavy headers are compiled once per kind and reused; see src/runtime/README.md for what is in each.
function(hyperscale_precompile target)
  set(kind ${ARGN})
  if(NOT kind)
    return()
  endif()
  if(NOT HYPERSCALE_NO_PCH)
    target_precompile_headers(${target} REUSE_FROM pch_${kind})
  endif()
  if(kind STREQUAL asio OR kind STREQUAL asio_gtest)
    target_link_libraries(${target} PRIVATE asio)
  endif()
  if(kind STREQUAL gtest OR kind STREQUAL asio_gtest)
    target_link_libraries(${target} PRIVATE GTest::gmock GTest::gtest rapidcheck)
  endif()
endfunction()
