# hyperscale_proto(target file.proto ...): C++ for protobuf messages, as a library that a module names under LIBRARIES.
#
# The files are below src and are included from there: "wire/proto/cluster.pb.h". They are generated when the build is
# configured, and again when one changes: static analysis and the check of headers need them without a build. Generated
# code is not ours to warn about, so its headers count as system headers.
find_program(HYPERSCALE_PROTOC protoc REQUIRED)

function(hyperscale_proto target)
  set(generated ${CMAKE_BINARY_DIR}/generated)
  set(fresh ${CMAKE_BINARY_DIR}/generated.fresh)
  file(MAKE_DIRECTORY ${fresh})
  foreach(file ${ARGN})
    get_filename_component(path ${file} ABSOLUTE)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
    execute_process(COMMAND ${HYPERSCALE_PROTOC} --proto_path=${CMAKE_SOURCE_DIR}/src --cpp_out=${fresh} ${path}
                    COMMAND_ERROR_IS_FATAL ANY)
    file(RELATIVE_PATH name ${CMAKE_SOURCE_DIR}/src ${path})
    string(REGEX REPLACE "\\.proto$" ".pb" name ${name})
    foreach(output ${name}.h ${name}.cc)
      get_filename_component(folder ${generated}/${output} DIRECTORY)
      file(MAKE_DIRECTORY ${folder})
      # What did not change is not compiled again.
      file(COPY_FILE ${fresh}/${output} ${generated}/${output} ONLY_IF_DIFFERENT)
    endforeach()
    list(APPEND sources ${generated}/${name}.cc)
  endforeach()
  add_library(${target} STATIC ${sources})
  target_compile_options(${target} PRIVATE -w)
  target_include_directories(${target} SYSTEM PUBLIC ${generated})
  target_link_libraries(${target} PUBLIC protobuf::libprotobuf)
endfunction()
