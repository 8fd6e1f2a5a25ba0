# The table of src/machine/sources.h: made anew when a file that it hashes changes, comes or goes.
#
# Sets heddle_sources_table, a C file for the library.

set(heddle_sources_table "${CMAKE_CURRENT_BINARY_DIR}/generated/sources_built.c")
set(sources_script "${CMAKE_CURRENT_SOURCE_DIR}/cmake/hash_sources.cmake")
file(GLOB_RECURSE hashed_sources CONFIGURE_DEPENDS
    src/*.[ch] src/*.def src/*.re src/*.y include/heddle/*.h workloads/*.[ch])
list(FILTER hashed_sources EXCLUDE REGEX "/src/(cli|explore|report|search)/")
add_custom_command(OUTPUT "${heddle_sources_table}" VERBATIM
    DEPENDS ${hashed_sources} "${sources_script}"
    COMMENT "Hashing the model's sources"
    COMMAND "${CMAKE_COMMAND}" "-DSOURCE=${CMAKE_CURRENT_SOURCE_DIR}"
        "-DOUT=${heddle_sources_table}" -P "${sources_script}")
