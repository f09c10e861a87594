# share.cmake -DPROGRAM=scrl -DOUT=FOLDER: what 'scrl manual' and 'scrl completion' print, laid out as below
# /usr/share. Pages are packed without a time, so that the same program gives the same bytes.
file(REMOVE_RECURSE ${OUT})
file(MAKE_DIRECTORY ${OUT}/man/man1 ${OUT}/bash-completion/completions ${OUT}/zsh/vendor-completions
     ${OUT}/fish/vendor_completions.d)
function(step)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()
step(${PROGRAM} manual -o ${OUT}/man/man1)
file(GLOB pages ${OUT}/man/man1/*.1)
step(gzip -9 -n ${pages})
step(${PROGRAM} completion bash OUTPUT_FILE ${OUT}/bash-completion/completions/scrl)
step(${PROGRAM} completion zsh OUTPUT_FILE ${OUT}/zsh/vendor-completions/_scrl)
step(${PROGRAM} completion fish OUTPUT_FILE ${OUT}/fish/vendor_completions.d/scrl.fish)
file(TOUCH ${OUT}/stamp)
