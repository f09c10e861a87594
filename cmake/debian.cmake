# The Debian packages: scrl (program, manual pages, completions) and libscrl-dev (headers, library, files for
# CMake and pkg-config). './dev package' makes them by CPack; dpkg-shlibdeps finds what the program needs.
set(SCRL_MAINTAINER "scrl developers <scrl@example.org>" CACHE STRING "who answers for the Debian packages")

# The time of the last commit, or that of the builder's choice, so that packages can be made again.
set(date $ENV{SOURCE_DATE_EPOCH})
if(NOT date)
  execute_process(COMMAND git log -1 --format=%ct WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
                  OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT date)
  string(TIMESTAMP date %s UTC)
endif()
set(ENV{SOURCE_DATE_EPOCH} ${date})
string(TIMESTAMP rfc_date "%a, %d %b %Y %H:%M:%S +0000" UTC)
string(TIMESTAMP year "%Y" UTC)

set(doc ${PROJECT_BINARY_DIR}/debian)
file(READ ${PROJECT_SOURCE_DIR}/LICENSE license)
string(REGEX REPLACE "^MIT License\n\nCopyright[^\n]*\n\n" "" license "${license}")
string(REGEX REPLACE "\n$" "" license "${license}")
string(REPLACE "\n\n" "\n.\n" license "${license}")
string(REPLACE "\n" "\n " license "${license}")
file(WRITE ${doc}/copyright "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: scrl

Files: *
Copyright: ${year} the scrl authors
License: Expat

License: Expat
 ${license}
")
file(WRITE ${doc}/changelog.Debian "scrl (${PROJECT_VERSION}-1) unstable; urgency=medium

  * Built from version ${PROJECT_VERSION}; changelog.gz says what changed.

 -- ${SCRL_MAINTAINER}  ${rfc_date}
")
configure_file(${PROJECT_SOURCE_DIR}/CHANGELOG.md ${doc}/changelog COPYONLY)
find_program(SCRL_GZIP gzip REQUIRED)
foreach(name changelog changelog.Debian)
  execute_process(COMMAND ${SCRL_GZIP} -9 -n -f ${doc}/${name} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
foreach(package scrl:program libscrl-dev:devel)
  string(REGEX MATCH "^[^:]+" name ${package})
  string(REGEX MATCH "[^:]+$" component ${package})
  install(FILES ${doc}/copyright ${doc}/changelog.gz ${doc}/changelog.Debian.gz
          DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name} COMPONENT ${component} EXCLUDE_FROM_ALL)
endforeach()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME scrl)
set(CPACK_PACKAGE_CONTACT "${SCRL_MAINTAINER}")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL program devel)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
    WORLD_READ WORLD_EXECUTE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME scrl)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_DEVEL_PACKAGE_NAME libscrl-dev)
set(CPACK_DEBIAN_DEVEL_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVEL_PACKAGE_DEPENDS "libhwy-dev, zlib1g-dev, libexpat1-dev")
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION "node classification on attributed graphs with few labels
 Trains models that predict the classes of the nodes of a graph from features,
 edges and few labels, on the processor. Says how sure a prediction is, why it
 was made, what to label next, and which labels are probably wrong.")
set(CPACK_DEBIAN_DEVEL_DESCRIPTION "C++ library of scrl, for node classification on graphs
 Headers, the static library, and files for CMake and pkg-config: training,
 prediction and embeddings of attributed graphs from C++20 programs.")
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "${CPACK_DEBIAN_PROGRAM_DESCRIPTION}")
set(CPACK_COMPONENT_DEVEL_DESCRIPTION "${CPACK_DEBIAN_DEVEL_DESCRIPTION}")
include(CPack)
