# src/simt/lanes/*.c are compiled twice: with everything else, for any host, and once more for hosts
# with wide vectors, under other names.  Which of them runs is found out at run time.

# Nobody reads errno or the exception flags, and they keep loops from becoming vectors.
set(heddle_lane_flags -fno-math-errno -fno-trapping-math)
if(CMAKE_C_COMPILER_ID MATCHES "Clang") # a loop that stays scalar is no error
    list(APPEND heddle_lane_flags -Wno-pass-failed)
endif()
file(GLOB lane_sources CONFIGURE_DEPENDS src/simt/lanes/*.c)
set_property(SOURCE ${lane_sources} APPEND PROPERTY COMPILE_OPTIONS ${heddle_lane_flags})

set(heddle_lane_objects)
set(heddle_lane_targets)

# heddle_add_lanes(target): `target` is the library that has the first compilation.
macro(heddle_add_lanes target)
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|amd64|AMD64")
        add_library(heddle_lanes_v3 OBJECT ${lane_sources})
        set_target_properties(heddle_lanes_v3 PROPERTIES POSITION_INDEPENDENT_CODE ON)
        target_include_directories(heddle_lanes_v3 PRIVATE src include)
        target_compile_definitions(heddle_lanes_v3 PRIVATE LANES_SUFFIX=v3)
        target_compile_options(heddle_lanes_v3 PRIVATE -fvisibility=hidden
            -mavx2 -mfma -mf16c -mbmi -mbmi2 -mlzcnt -mpopcnt)
        target_link_libraries(heddle_lanes_v3 PRIVATE heddle_flags)
        target_compile_definitions(${target} PRIVATE HEDDLE_LANES_V3)
        set(heddle_lane_objects $<TARGET_OBJECTS:heddle_lanes_v3>)
        set(heddle_lane_targets heddle_lanes_v3)
    endif()
endmacro()
