# The library (all folders of src/ in one archive), the program, and what an installation consists of.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# A new commit configures anew, so that the version does not name an old one.
if(EXISTS ${PROJECT_SOURCE_DIR}/.git/logs/HEAD)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/.git/logs/HEAD)
endif()
execute_process(COMMAND git describe --always --dirty WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
                OUTPUT_VARIABLE SCRL_COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT SCRL_COMMIT)
  set(SCRL_COMMIT "no commit")
endif()
configure_file(${PROJECT_SOURCE_DIR}/cmake/version.h.in ${PROJECT_BINARY_DIR}/generated/version.h @ONLY)

get_property(modules GLOBAL PROPERTY SCRL_MODULES)
list(TRANSFORM modules PREPEND scrl_ OUTPUT_VARIABLE module_targets)
set(objects)
foreach(target ${module_targets})
  list(APPEND objects $<TARGET_OBJECTS:${target}>)
endforeach()
add_library(scrl STATIC ${objects})
add_library(scrl::scrl ALIAS scrl)
set_target_properties(scrl PROPERTIES LINKER_LANGUAGE CXX)
target_compile_features(scrl PUBLIC cxx_std_20)
target_include_directories(scrl PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                       $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(scrl PRIVATE Threads::Threads ZLIB::ZLIB hwy::hwy)
if(SCRL_SANITIZE)
  target_link_options(scrl INTERFACE $<BUILD_INTERFACE:-fsanitize=${SCRL_SANITIZE}>)
endif()

file(GLOB cli_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cli/*.cc)
add_executable(scrl_cli ${cli_sources})
set_target_properties(scrl_cli PROPERTIES OUTPUT_NAME scrl
                      RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
target_include_directories(scrl_cli PRIVATE ${PROJECT_SOURCE_DIR}/cli ${PROJECT_BINARY_DIR}/generated)
target_link_libraries(scrl_cli PRIVATE scrl_study scrl_flags nlohmann_json::nlohmann_json)

install(TARGETS scrl EXPORT scrlTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS scrl_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY include/scrl DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/scrl)
install(EXPORT scrlTargets NAMESPACE scrl:: DESTINATION ${package_dir})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/scrlConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/scrlConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/scrlConfigVersion.cmake
                                 COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/scrlConfig.cmake ${PROJECT_BINARY_DIR}/scrlConfigVersion.cmake
        DESTINATION ${package_dir})
