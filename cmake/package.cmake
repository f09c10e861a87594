# The library (all folders of src/ in one archive), the program, and what an installation consists of.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# Looked at in every build: stored results are taken again for the same version alone.
add_custom_target(scrl_version
  COMMAND ${CMAKE_COMMAND} -DPROJECT_VERSION=${PROJECT_VERSION} -DSOURCE=${PROJECT_SOURCE_DIR}
          -DOUT=${PROJECT_BINARY_DIR}/generated/version.h -DCMAKE_BUILD_TYPE=${CMAKE_BUILD_TYPE}
          -DCMAKE_CXX_COMPILER_ID=${CMAKE_CXX_COMPILER_ID}
          -DCMAKE_CXX_COMPILER_VERSION=${CMAKE_CXX_COMPILER_VERSION}
          -P ${PROJECT_SOURCE_DIR}/cmake/version.cmake
  BYPRODUCTS ${PROJECT_BINARY_DIR}/generated/version.h
  COMMENT "What version is this" VERBATIM)

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
target_link_libraries(scrl PRIVATE Threads::Threads ZLIB::ZLIB EXPAT::EXPAT hwy::hwy)
if(SCRL_SANITIZE)
  target_link_options(scrl INTERFACE $<BUILD_INTERFACE:-fsanitize=${SCRL_SANITIZE}>)
endif()

file(GLOB cli_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cli/*.cc)
add_executable(scrl_cli ${cli_sources})
set_target_properties(scrl_cli PROPERTIES OUTPUT_NAME scrl
                      RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
target_include_directories(scrl_cli PRIVATE ${PROJECT_SOURCE_DIR}/cli ${PROJECT_BINARY_DIR}/generated)
target_link_libraries(scrl_cli PRIVATE scrl_tune scrl_trust scrl_convert scrl_serve scrl_flags nlohmann_json::nlohmann_json)
add_dependencies(scrl_cli scrl_version)

install(TARGETS scrl EXPORT scrlTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT devel)
install(TARGETS scrl_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
install(DIRECTORY include/scrl DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT devel)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/scrl)
install(EXPORT scrlTargets NAMESPACE scrl:: DESTINATION ${package_dir} COMPONENT devel)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/scrlConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/scrlConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/scrlConfigVersion.cmake
                                 COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/scrlConfig.cmake ${PROJECT_BINARY_DIR}/scrlConfigVersion.cmake
        DESTINATION ${package_dir} COMPONENT devel)

configure_file(${PROJECT_SOURCE_DIR}/cmake/scrl.pc.in ${PROJECT_BINARY_DIR}/scrl.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/scrl.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT devel)

# Manual pages and completions, which the program prints itself.
set(share ${PROJECT_BINARY_DIR}/share)
add_custom_command(OUTPUT ${share}/stamp DEPENDS scrl_cli VERBATIM
  COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:scrl_cli> -DOUT=${share}
          -P ${PROJECT_SOURCE_DIR}/cmake/share.cmake
  COMMENT "Manual pages and completions")
add_custom_target(scrl_share ALL DEPENDS ${share}/stamp)
install(DIRECTORY ${share}/man ${share}/bash-completion ${share}/zsh ${share}/fish
        DESTINATION ${CMAKE_INSTALL_DATADIR} COMPONENT program OPTIONAL)

include(${PROJECT_SOURCE_DIR}/cmake/debian.cmake)
