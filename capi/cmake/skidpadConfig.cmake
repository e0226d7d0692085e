# The target skidpad::skidpad: library and headers of the C API, in the folder above this one.
#
#     find_package(skidpad CONFIG REQUIRED)     # CMAKE_PREFIX_PATH names that folder
#     target_link_libraries(program PRIVATE skidpad::skidpad)
get_filename_component(_skidpad_folder "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)
if(NOT TARGET skidpad::skidpad)
    add_library(skidpad::skidpad SHARED IMPORTED)
    set_target_properties(skidpad::skidpad PROPERTIES
        IMPORTED_LOCATION "${_skidpad_folder}/libskidpad.so"
        IMPORTED_SONAME "@SONAME@"
        INTERFACE_INCLUDE_DIRECTORIES "${_skidpad_folder}")
endif()
unset(_skidpad_folder)
