# Finds any Emscripten (a distribution's package, or an emsdk on the PATH) and hands over to its own
# toolchain file, so that neither emcmake nor environment variables are needed.
find_program(EM_CONFIG em-config NO_CMAKE_FIND_ROOT_PATH)
if(NOT EM_CONFIG)
  message(FATAL_ERROR "Emscripten not found: install the package emscripten, "
    "or put an emsdk on the PATH (source emsdk_env.sh)")
endif()
execute_process(COMMAND "${EM_CONFIG}" EMSCRIPTEN_ROOT
  OUTPUT_VARIABLE EMSCRIPTEN_ROOT_PATH OUTPUT_STRIP_TRAILING_WHITESPACE)
include("${EMSCRIPTEN_ROOT_PATH}/cmake/Modules/Platform/Emscripten.cmake")
# Debian's emcc links with the help of acorn, which Debian keeps where only its own node looks.
set(CMAKE_CXX_LINKER_LAUNCHER "${CMAKE_COMMAND};-E;env;NODE_PATH=/usr/share/nodejs")
