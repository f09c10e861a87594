# scrl_mpi_openmpi.so and scrl_mpi_mpich.so: how ranks talk to each other, one for each MPI whose compiler
# wrapper is there. They are loaded at run time (src/ranks/mpi_transport.h); nothing else knows MPI.
set(SCRL_MPI_PLUGINS "")
foreach(library openmpi mpich)
  find_program(SCRL_MPICXX_${library} mpicxx.${library})
  if(SCRL_MPICXX_${library})
    set(plugin ${PROJECT_BINARY_DIR}/scrl_mpi_${library}.so)
    add_custom_command(OUTPUT ${plugin} VERBATIM
      COMMAND ${SCRL_MPICXX_${library}} -shared -fPIC -O2 -std=c++20 -Wall -Wextra -fvisibility=hidden
              -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX -I${PROJECT_SOURCE_DIR}/src
              ${PROJECT_SOURCE_DIR}/plugins/mpi/scrl_mpi.cc -o ${plugin}
      DEPENDS ${PROJECT_SOURCE_DIR}/plugins/mpi/scrl_mpi.cc ${PROJECT_SOURCE_DIR}/src/ranks/mpi_plugin.h)
    list(APPEND SCRL_MPI_PLUGINS ${plugin})
  endif()
endforeach()
add_custom_target(scrl_mpi_plugins ALL DEPENDS ${SCRL_MPI_PLUGINS})
