# Modules: the parts of the library, each with the modules it may use.
#
# The public headers of a module are reached through a folder of links, which only the modules that name it in USES get
# on their include path. src/<module> is private to the module; OPENS are the headers that others may include, each module
# in one file, src/<module>/imports.h (scripts/imports.py checks that).
# Any other include across modules does not compile.

# Adds what every file of the project is compiled with.
function(marrow_compile_options target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON
    CXX_VISIBILITY_PRESET default UNITY_BUILD OFF)
  if(MSVC)
    target_compile_options(${target} PRIVATE /W4 $<$<BOOL:${MARROW_WERROR}>:/WX>)
  else()
    # g++ 12 sees strings overlap that do not (its bug 105651).
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wshadow -Wconversion $<$<BOOL:${MARROW_WERROR}>:-Werror>
                                             $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
  endif()
  if(MARROW_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${MARROW_SANITIZE} -fno-sanitize-recover=all
                                             -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=${MARROW_SANITIZE})
  endif()
endfunction()

# Lets the fuzz targets see which code of the library an input reaches.
function(marrow_fuzz_coverage target)
  if(MARROW_FUZZ)
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
endfunction()

# Compiles the files of a target together, at most 12 in a unit, where MARROW_FAST_BUILD is on.
function(marrow_unity target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${MARROW_FAST_BUILD} UNITY_BUILD_BATCH_SIZE 12)
endfunction()

# Adds what makes the results the same everywhere: no contraction of a * b + c, no relaxed arithmetic even where the
# project around this one asks for it (these come after CMAKE_CXX_FLAGS).
function(marrow_exact_arithmetic target)
  if(MSVC)
    target_compile_options(${target} PRIVATE /fp:precise)
  else()
    target_compile_options(${target} PRIVATE -fno-fast-math -ffp-contract=off -fno-math-errno)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 12.3 AND
       CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|amd64|i[3-6]86")
      # g++ 12.0 to 12.2 fuse when they vectorise, in spite of -ffp-contract=off (their bug 107647).
      target_compile_options(${target} PRIVATE -mno-fma -mno-fma4 -mno-avx512f)
    endif()
  endif()
endfunction()

# Sets <out> to the lane counts that kernels are compiled for on this target, e.g. "1;4;8".
function(marrow_kernel_lanes out)
  set(lanes 1)
  if(MARROW_SIMD STREQUAL "auto")
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|amd64")
      set(lanes 1 4 8)
    elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64|ARM64" OR EMSCRIPTEN)
      set(lanes 1 4)
    endif()
  endif()
  set(${out} ${lanes} PARENT_SCOPE)
endfunction()

# marrow_lane_sources(<target> <file>): compiles a file into the target once for each lane count, with MARROW_LANES set
# and the instruction set that it needs.
function(marrow_lane_sources target file)
  marrow_kernel_lanes(lane_counts)
  get_filename_component(stem ${file} NAME_WE)
  foreach(lanes IN LISTS lane_counts)
    set(wrapper ${PROJECT_BINARY_DIR}/lanes/${target}/${stem}_${lanes}.cpp)
    file(CONFIGURE OUTPUT ${wrapper} @ONLY CONTENT "#define MARROW_LANES ${lanes}\n#include \"${file}\"\n")
    target_sources(${target} PRIVATE ${wrapper})
    # Where in a cache line a short loop begins is up to a tenth of its time; let no other function decide that.
    set(options "$<$<CXX_COMPILER_ID:GNU>:-falign-functions=64>")
    if(lanes EQUAL 8)
      # AVX2 without FMA: g++ would fuse even intrinsics.
      list(APPEND options "$<IF:$<CXX_COMPILER_ID:MSVC>,/arch:AVX2,-mavx2;-mno-fma>")
    elseif(lanes EQUAL 4 AND EMSCRIPTEN)
      list(APPEND options -msimd128)
    endif()
    set_source_files_properties(${wrapper} TARGET_DIRECTORY ${target} PROPERTIES COMPILE_OPTIONS "${options}"
      SKIP_UNITY_BUILD_INCLUSION ON)
  endforeach()
endfunction()

# Links a file or folder of the project into a folder of the build tree.
function(marrow_link from to)
  get_filename_component(folder ${to} DIRECTORY)
  file(MAKE_DIRECTORY ${folder})
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${from} ${to} COPY_ON_ERROR SYMBOLIC)
endfunction()

# marrow_module(<name> [HEADERS <file>...] [USES <module>...] [OPENS <header>...] SOURCES <file>... [KERNELS <file>])
#
# The files are relative to src/<name>; KERNELS is compiled for each lane count. The public headers are those of
# include/marrow/<name>, and HEADERS of include/marrow. The include folders that others get are <build>/modules/<name>.
function(marrow_module name)
  cmake_parse_arguments(MODULE "" "KERNELS" "HEADERS;USES;OPENS;SOURCES" ${ARGN})
  set(target marrow_${name})
  list(TRANSFORM MODULE_SOURCES PREPEND ${PROJECT_SOURCE_DIR}/src/${name}/)
  add_library(${target} OBJECT ${MODULE_SOURCES})
  marrow_compile_options(${target})
  marrow_exact_arithmetic(${target})
  marrow_unity(${target})
  marrow_fuzz_coverage(${target})
  if(MARROW_NO_ASSERT)
    target_compile_definitions(${target} PUBLIC MARROW_NO_ASSERT)
  endif()

  marrow_kernel_lanes(lane_counts)
  list(LENGTH lane_counts choices)
  target_compile_definitions(${target} PRIVATE MARROW_LANE_CHOICES=${choices})

  set(open ${PROJECT_BINARY_DIR}/modules/${name})
  set(own ${PROJECT_BINARY_DIR}/private/${name})
  file(REMOVE_RECURSE ${open})  # a header that is no longer open must not stay
  file(MAKE_DIRECTORY ${open})
  foreach(headers ${name} ${MODULE_HEADERS})
    if(EXISTS ${PROJECT_SOURCE_DIR}/include/marrow/${headers})
      marrow_link(include/marrow/${headers} ${open}/marrow/${headers})
    endif()
  endforeach()
  foreach(header ${MODULE_OPENS})
    marrow_link(src/${name}/${header} ${open}/src/${name}/${header})
  endforeach()
  marrow_link(src/${name} ${own}/src/${name})
  target_include_directories(${target} PRIVATE ${own} PUBLIC ${open})
  foreach(used IN LISTS MODULE_USES)
    target_link_libraries(${target} PUBLIC marrow_${used})
  endforeach()
  if(MODULE_KERNELS)
    marrow_lane_sources(${target} ${PROJECT_SOURCE_DIR}/src/${name}/${MODULE_KERNELS})
  endif()
  set_property(GLOBAL APPEND PROPERTY MARROW_MODULES ${name})
endfunction()

# marrow_parse(<target> <name> <file> <option>...): adds a parse of a file by itself, with the include folders of the
# target, to the target marrow_alone. Unity units hide an include that a file lacks; this finds it.
function(marrow_parse target name file)
  set(out ${PROJECT_BINARY_DIR}/alone/${name})
  get_filename_component(folder ${out} DIRECTORY)
  file(MAKE_DIRECTORY ${folder})
  set(includes "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
  set(definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
  add_custom_command(OUTPUT ${out}.ok
    COMMAND ${CMAKE_CXX_COMPILER} -std=c++20 -fsyntax-only ${ARGN} "$<$<BOOL:${includes}>:-I$<JOIN:${includes},;-I>>"
      -isystem ${PROJECT_BINARY_DIR}/headers "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>"
      -MD -MF ${out}.d -MT ${out}.ok ${file}
    COMMAND ${CMAKE_COMMAND} -E touch ${out}.ok
    DEPENDS ${file} DEPFILE ${out}.d COMMENT "Parsing ${name}" COMMAND_EXPAND_LISTS VERBATIM)
  set_property(GLOBAL APPEND PROPERTY MARROW_ALONE ${out}.ok)
endfunction()

# Makes the target marrow_alone: each file of the modules by itself, each public header by itself with the stricter
# warnings of a user.
function(marrow_alone)
  get_property(modules GLOBAL PROPERTY MARROW_MODULES)
  foreach(module IN LISTS modules)
    get_target_property(sources marrow_${module} SOURCES)
    foreach(source IN LISTS sources)
      file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${source})
      if(name MATCHES "^src/")
        marrow_parse(marrow_${module} ${name} ${source})
      endif()
    endforeach()
  endforeach()
  file(GLOB_RECURSE headers RELATIVE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/include/*.h)
  foreach(header IN LISTS headers)
    set(file ${PROJECT_BINARY_DIR}/alone/include/${header}.cpp)
    file(CONFIGURE OUTPUT ${file} CONTENT "#include <${header}>\n")
    marrow_parse(marrow include/${header} ${file} -I${PROJECT_SOURCE_DIR}/include
      -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Werror)
  endforeach()
  get_property(parsed GLOBAL PROPERTY MARROW_ALONE)
  add_custom_target(marrow_alone DEPENDS ${parsed})
endfunction()

# marrow_include_opened(<target> <module>...): lets a program of the project include what modules open to each other.
function(marrow_include_opened target)
  foreach(name ${ARGN})
    target_include_directories(${target} PUBLIC ${PROJECT_BINARY_DIR}/modules/${name})
  endforeach()
endfunction()

# marrow_use_header(<name> <header> <package>): lets the target marrow_<name> include a header-only library of the system. Its folder is
# linked, so that compilers for other targets see it and nothing else of the host's.
function(marrow_use_header name header package)
  get_filename_component(folder ${header} DIRECTORY)
  find_path(MARROW_${folder}_DIR ${header} PATHS /usr/include /usr/local/include NO_CMAKE_FIND_ROOT_PATH)
  if(NOT MARROW_${folder}_DIR)
    message(FATAL_ERROR "marrow needs ${header} (Debian and Ubuntu: ${package})")
  endif()
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/headers)
  file(CREATE_LINK ${MARROW_${folder}_DIR}/${folder} ${PROJECT_BINARY_DIR}/headers/${folder} COPY_ON_ERROR SYMBOLIC)
  target_include_directories(marrow_${name} SYSTEM PRIVATE ${PROJECT_BINARY_DIR}/headers)
endfunction()

# marrow_component(<name> <source> <header> <library> <package>): the library marrow::<name>, what marrow has over a
# library of the system, in one file of src/.
function(marrow_component name source header library package)
  set(target marrow_${name})
  find_path(MARROW_${name}_INCLUDE ${header})
  find_library(MARROW_${name}_LIBRARY ${library})
  if(NOT MARROW_${name}_INCLUDE OR NOT MARROW_${name}_LIBRARY)
    string(TOUPPER ${name} option)
    message(FATAL_ERROR "marrow::${name} needs ${header} and lib${library} (Debian and Ubuntu: ${package}); "
                        "-DMARROW_${option}=OFF leaves it out")
  endif()
  add_library(${target} STATIC ${PROJECT_SOURCE_DIR}/src/${source})
  add_library(marrow::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  marrow_compile_options(${target})
  marrow_fuzz_coverage(${target})
  target_include_directories(${target} SYSTEM PRIVATE ${MARROW_${name}_INCLUDE})
  target_link_libraries(${target} PUBLIC marrow PRIVATE ${MARROW_${name}_LIBRARY})
  if(MARROW_INSTALL)
    install(TARGETS ${target} EXPORT marrow-targets)
  endif()
endfunction()

# Makes the library out of all modules, and its install rules.
function(marrow_library)
  get_property(modules GLOBAL PROPERTY MARROW_MODULES)
  list(TRANSFORM modules REPLACE "(.+)" "$<TARGET_OBJECTS:marrow_\\1>" OUTPUT_VARIABLE objects)
  add_library(marrow ${objects})
  add_library(marrow::marrow ALIAS marrow)
  set_target_properties(marrow PROPERTIES LINKER_LANGUAGE CXX VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} WINDOWS_EXPORT_ALL_SYMBOLS ON)
  target_compile_features(marrow PUBLIC cxx_std_20)
  target_include_directories(marrow INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  if(MARROW_SANITIZE)
    target_link_options(marrow PUBLIC -fsanitize=${MARROW_SANITIZE})
  endif()
  if(MARROW_NO_ASSERT)
    target_compile_definitions(marrow PUBLIC MARROW_NO_ASSERT)  # the headers check too
  endif()
  if(NOT MARROW_INSTALL)
    return()
  endif()

  install(TARGETS marrow EXPORT marrow-targets)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/marrow DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/marrow)
  install(EXPORT marrow-targets NAMESPACE marrow:: DESTINATION ${package_dir} FILE marrow-config.cmake)
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/marrow-config-version.cmake COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/marrow-config-version.cmake DESTINATION ${package_dir})
  marrow_pkg_config()
endfunction()

# Installs marrow.pc, by which programs in C and other languages are linked without CMake. The prefix is told from where
# the file is. An archive brings no libraries along, so that whoever links it needs C++'s.
function(marrow_pkg_config)
  set(needs " -lstdc++ -lm")
  if("c++" IN_LIST CMAKE_CXX_IMPLICIT_LINK_LIBRARIES)
    set(needs " -lc++ -lm")
  endif()
  get_target_property(type marrow TYPE)
  if(type STREQUAL "STATIC_LIBRARY")
    set(MARROW_PC_LIBS ${needs})
  else()
    set(MARROW_PC_PRIVATE_LIBS ${needs})
  endif()
  set(folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  file(RELATIVE_PATH MARROW_PC_PREFIX /${folder} /)
  string(REGEX REPLACE "/$" "" MARROW_PC_PREFIX "${MARROW_PC_PREFIX}")
  configure_file(${PROJECT_SOURCE_DIR}/cmake/marrow.pc.in ${PROJECT_BINARY_DIR}/marrow.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/marrow.pc DESTINATION ${folder})
endfunction()
