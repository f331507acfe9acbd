# Files in a program: marrow_embed_files(<target> <function> <file>...) adds a source to the target that has the bytes of
# the files and a function to ask for them by name, which <function>.h of the target's own declares:
#
#   std::span<const std::byte> marrow::tool::<function>(std::string_view name);   // empty if there is none
#
#   cmake -D FUNCTION=<function> -D FILES=<file>;... -D OUT=<source> -P EmbedFiles.cmake

cmake_policy(VERSION 3.25)

if(CMAKE_SCRIPT_MODE_FILE)
  set(text "// Made by cmake/EmbedFiles.cmake.\n#include \"${FUNCTION}.h\"\n\nnamespace marrow::tool {\nnamespace {\n\n")
  set(cases "")
  set(number 0)
  foreach(file IN LISTS FILES)
    file(READ ${file} bytes HEX)
    string(REGEX REPLACE "(..)(..)(..)(..)(..)(..)(..)(..)" "0x\\1,0x\\2,0x\\3,0x\\4,0x\\5,0x\\6,0x\\7,0x\\8,\n" bytes "${bytes}")
    string(REGEX REPLACE "\n(..)(..)(..)(..)$" "\n0x\\1,0x\\2,0x\\3,0x\\4" bytes "${bytes}")
    get_filename_component(name ${file} NAME)
    string(APPEND text "alignas(16) const unsigned char kFile${number}[] = {\n${bytes}};\n\n")
    string(APPEND cases "  if (name == \"${name}\") return std::as_bytes(std::span(kFile${number}));\n")
    math(EXPR number "${number} + 1")
  endforeach()
  string(APPEND text "}  // namespace\n\nstd::span<const std::byte> ${FUNCTION}(std::string_view name) {\n${cases}  return {};\n}\n\n}  // namespace marrow::tool\n")
  file(WRITE ${OUT} "${text}")
  return()
endif()

# The sizes of the files must be multiples of four, as those of .glb files are.
function(marrow_embed_files target function)
  set(out ${CMAKE_CURRENT_BINARY_DIR}/${function}_bytes.cpp)
  add_custom_command(OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -D FUNCTION=${function} "-D FILES=${ARGN}" -D OUT=${out}
            -P ${PROJECT_SOURCE_DIR}/cmake/EmbedFiles.cmake
    DEPENDS ${ARGN} ${PROJECT_SOURCE_DIR}/cmake/EmbedFiles.cmake
    COMMENT "Embedding files" VERBATIM)
  target_sources(${target} PRIVATE ${out})
endfunction()
