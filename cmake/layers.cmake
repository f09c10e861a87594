# The architecture: data flows down this list. A folder includes itself and the folders it names here,
# no others: not those that they name in turn (tools/check_tree.py).
#
# io is large because a file is one layer of a format; data is large because each kind of input has
# its reader; kernels is large because each kernel has its file, and models is large because each
# method has; experiments is large because each table and figure has, run is large because each
# file of a run folder and each step of a training has.
scrl_module(base        LINK Threads::Threads)
target_include_directories(scrl_base PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
scrl_module(tensor      DEPENDS base)
scrl_module(io          DEPENDS base tensor LINK ZLIB::ZLIB EXPAT::EXPAT)
scrl_module(ranks       DEPENDS base tensor)
scrl_module(data        DEPENDS base tensor io)
scrl_module(convert     DEPENDS base tensor io data)
scrl_module(graph       DEPENDS base tensor data)
scrl_module(kernels     DEPENDS base tensor LINK hwy::hwy)
scrl_module(neighbors   DEPENDS base tensor data graph kernels)
scrl_module(embedding2d DEPENDS base tensor kernels neighbors)
scrl_module(walks       DEPENDS base tensor kernels)
scrl_module(linear      DEPENDS base tensor kernels)
scrl_module(autograd    DEPENDS base tensor kernels)
scrl_module(models      DEPENDS base tensor graph kernels walks linear autograd)
scrl_module(eval        DEPENDS base tensor)
scrl_module(train       DEPENDS base tensor io data graph kernels neighbors autograd models eval)
scrl_module(paper       DEPENDS base io)
scrl_module(config      DEPENDS base tensor io data models train paper LINK nlohmann_json::nlohmann_json)
scrl_module(plan        DEPENDS base tensor data graph kernels models eval train config LINK nlohmann_json::nlohmann_json hwy::hwy)
scrl_module(run         DEPENDS base tensor io data graph kernels neighbors linear models eval train config plan LINK nlohmann_json::nlohmann_json)
scrl_module(draw        DEPENDS base io)
scrl_module(trust       DEPENDS base tensor io data graph kernels neighbors linear autograd models eval train config run draw LINK nlohmann_json::nlohmann_json)
scrl_module(report      DEPENDS base tensor io data graph kernels neighbors embedding2d models eval train config run LINK nlohmann_json::nlohmann_json)
scrl_module(serve       DEPENDS base tensor io data config run trust report LINK nlohmann_json::nlohmann_json ${SCRL_MICROHTTPD})
target_compile_definitions(scrl_serve PRIVATE SCRL_HAS_MICROHTTPD=$<BOOL:${SCRL_MICROHTTPD}>)
scrl_module(experiments DEPENDS base io data kernels models eval train paper config plan run draw report LINK nlohmann_json::nlohmann_json)
scrl_module(tune        DEPENDS base io kernels models eval train paper config run experiments LINK nlohmann_json::nlohmann_json)
