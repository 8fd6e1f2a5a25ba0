# cmake -DSOURCE= -DVERSION= -DHEADER= -P write_version.cmake
#
# HEDDLE_VERSION is VERSION alone where the commit is tagged v<VERSION> and clean, or where there
# is no git; otherwise "+g<commit>" follows, and ".dirty" when there are uncommitted changes.

set(suffix "")
# An empty prefix says that SOURCE is the top of its repository, not a copy inside another one.
execute_process(COMMAND git -C "${SOURCE}" rev-parse --show-prefix
    RESULT_VARIABLE failed OUTPUT_VARIABLE prefix ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
if(failed EQUAL 0 AND "${prefix}" STREQUAL "")
    execute_process(COMMAND git -C "${SOURCE}" describe --tags --exact-match --dirty
        OUTPUT_VARIABLE tag ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
    execute_process(COMMAND git -C "${SOURCE}" describe --always --exclude=* --dirty=.dirty
        RESULT_VARIABLE failed OUTPUT_VARIABLE commit ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(failed EQUAL 0 AND NOT "${tag}" STREQUAL "v${VERSION}")
        set(suffix "+g${commit}")
    endif()
endif()

set(text "#define HEDDLE_VERSION \"${VERSION}${suffix}\"\n")
set(old "")
if(EXISTS "${HEADER}")
    file(READ "${HEADER}" old)
endif()
if(NOT "${old}" STREQUAL "${text}")
    file(WRITE "${HEADER}" "${text}")
endif()
