# What the program knows about itself: its version and where its data files are.

# The version is found at every build (not only when cmake runs) and written into a header that
# changes only when the version does; it is included by command line.
set(heddle_version_header "${CMAKE_CURRENT_BINARY_DIR}/generated/heddle_version.h")
add_custom_target(version_header
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${CMAKE_CURRENT_SOURCE_DIR} -DVERSION=${PROJECT_VERSION}
            -DHEADER=${heddle_version_header}
            -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/write_version.cmake
    BYPRODUCTS ${heddle_version_header}
    COMMENT "Finding the version" VERBATIM)

# The sources of `target` that match `pattern` get HEDDLE_VERSION, HEDDLE_SOURCE_DIR (data files
# of an uninstalled program; may be "") and HEDDLE_DATADIR (data files once installed).
function(heddle_knows_itself target pattern)
    get_target_property(files ${target} SOURCES)
    list(FILTER files INCLUDE REGEX "${pattern}")
    if(files)
        set_property(SOURCE ${files} APPEND PROPERTY COMPILE_OPTIONS -include ${heddle_version_header})
        set_property(SOURCE ${files} APPEND PROPERTY COMPILE_DEFINITIONS
            "HEDDLE_SOURCE_DIR=\"${HEDDLE_SOURCE_DIR}\""
            "HEDDLE_DATADIR=\"${CMAKE_INSTALL_FULL_DATADIR}/heddle\"")
        add_dependencies(${target} version_header)
    endif()
endfunction()
