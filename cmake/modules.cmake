# scrl_module(NAME [DEPENDS folder...] [LINK library...])
#
# One target per folder of src/. Its sources see their own folder and the folders named in DEPENDS,
# and nothing else: each folder is reachable only through an include directory of its own, so an
# #include against the layering does not compile.
function(scrl_module name)
  cmake_parse_arguments(MODULE "" "" "DEPENDS;LINK" ${ARGN})
  set(root ${PROJECT_BINARY_DIR}/include-${name})
  file(MAKE_DIRECTORY ${root})
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/src/${name} ${root}/${name} SYMBOLIC)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cc)
  add_library(scrl_${name} STATIC ${sources})
  target_include_directories(scrl_${name} PUBLIC $<BUILD_INTERFACE:${root}>)
  list(TRANSFORM MODULE_DEPENDS PREPEND scrl_ OUTPUT_VARIABLE depends)
  target_link_libraries(scrl_${name} PUBLIC ${depends} PRIVATE ${MODULE_LINK} scrl_flags)
  set_property(GLOBAL APPEND PROPERTY SCRL_MODULES ${name})
endfunction()
