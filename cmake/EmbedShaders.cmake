# Shaders: flattens the files of shaders/ and puts their texts into the library.
#
#   cmake -D SOURCE=<shaders> -D OUT=<folder> -P EmbedShaders.cmake
#
# writes each file with its #include "<file beside it>" lines replaced by those files to <OUT>/shaders/<language>/, and
# all of them to <OUT>/shader_texts.cpp. Included from a CMakeLists it has marrow_embed_shaders(<target>).

cmake_policy(VERSION 3.25)

# Sets <out> to the text of a file with its includes. No file may be included twice.
function(marrow_flatten path out)
  get_filename_component(folder ${path} DIRECTORY)
  file(READ ${path} text)
  set(seen "")
  while("${text}" MATCHES "#include \"([a-z0-9_.]+)\"\n")
    set(line "${CMAKE_MATCH_0}")
    set(name "${CMAKE_MATCH_1}")
    if(name IN_LIST seen)
      message(FATAL_ERROR "${path}: ${name} is included twice")
    endif()
    list(APPEND seen ${name})
    file(READ ${folder}/${name} included)
    string(REPLACE "${line}" "${included}" text "${text}")
  endwhile()
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

# Writes a file only if it changes.
function(marrow_write path text)
  if(EXISTS ${path})
    file(READ ${path} old)
    if("${old}" STREQUAL "${text}")
      return()
    endif()
  endif()
  file(WRITE ${path} "${text}")
endfunction()

if(CMAKE_SCRIPT_MODE_FILE)
  file(GLOB files RELATIVE ${SOURCE} ${SOURCE}/glsl/*.glsl ${SOURCE}/wgsl/*.wgsl)
  list(SORT files)
  set(table "// Made by cmake/EmbedShaders.cmake from shaders/.\n#include \"src/gpu/shader_texts.h\"\n\nnamespace marrow {\n\n")
  string(APPEND table "const ShaderFile kShaderFiles[] = {\n")
  foreach(file IN LISTS files)
    marrow_flatten(${SOURCE}/${file} text)
    marrow_write(${OUT}/shaders/${file} "${text}")
    string(APPEND table "    {\"${file}\",\n     R\"shader(${text})shader\"},\n")
  endforeach()
  string(APPEND table "};\nconst std::size_t kShaderFileCount = sizeof(kShaderFiles) / sizeof(kShaderFiles[0]);\n\n}  // namespace marrow\n")
  marrow_write(${OUT}/shader_texts.cpp "${table}")
  return()
endif()

# Adds the texts of the shaders to a target, made anew when one of them changes.
function(marrow_embed_shaders target)
  set(out ${PROJECT_BINARY_DIR}/generated)
  file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/shaders/*/*.glsl ${PROJECT_SOURCE_DIR}/shaders/*/*.wgsl)
  add_custom_command(OUTPUT ${out}/shader_texts.cpp
    COMMAND ${CMAKE_COMMAND} -D SOURCE=${PROJECT_SOURCE_DIR}/shaders -D OUT=${out}
            -P ${PROJECT_SOURCE_DIR}/cmake/EmbedShaders.cmake
    COMMAND ${CMAKE_COMMAND} -E touch ${out}/shader_texts.cpp
    DEPENDS ${files} ${PROJECT_SOURCE_DIR}/cmake/EmbedShaders.cmake
    COMMENT "Flattening shaders" VERBATIM)
  target_sources(${target} PRIVATE ${out}/shader_texts.cpp)
  set_source_files_properties(${out}/shader_texts.cpp TARGET_DIRECTORY ${target} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  if(MARROW_INSTALL)
    install(DIRECTORY ${out}/shaders DESTINATION ${CMAKE_INSTALL_DATADIR}/marrow)
  endif()
endfunction()
