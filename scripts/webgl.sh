#!/usr/bin/env bash
# Builds the tests of OpenGL for browsers and runs them in Chromium, on WebGL 2.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
. scripts/packages.sh
. scripts/node_modules.sh
install_node_modules || exit 1
export NODE_PATH=/usr/share/nodejs  # where Debian's emscripten finds its modules

here=build/webgl
emcmake cmake -S . -B "$here" -G Ninja -DCMAKE_BUILD_TYPE=Release -DMARROW_GLTF=OFF \
  -DMARROW_OFFSCREEN=OFF -DMARROW_BUILD_EXAMPLES=OFF -DMARROW_BUILD_TESTS=OFF -DMARROW_BUILD_TOOLS=OFF \
  -DMARROW_INSTALL=OFF >/dev/null && cmake --build "$here" --target marrow || exit 1
mkdir -p "$here/headers"
ln -sfn /usr/include/doctest "$here/headers/doctest"  # and nothing else of the host's
sources=(support/main gpu/gl_frames_test gpu/gl_platform_webgl gpu/gl_refusals_test gpu/gl_runner gpu/gl_skinning_test
  gpu/skinning_case gpu/webgl_test)
files=("${sources[@]/#/tests/}")
files=("${files[@]/%/.cpp}")
em++ -std=c++20 -O1 -fexceptions -DDOCTEST_CONFIG_NO_POSIX_SIGNALS -I. -Iinclude -Itests -I"$here/headers" \
  "${files[@]}" "$here/libmarrow.a" -o "$here/test.html" -sSINGLE_FILE=1 -sMINIFY_HTML=0 -sALLOW_MEMORY_GROWTH=1 \
  -sMAX_WEBGL_VERSION=2 -sMIN_WEBGL_VERSION=2 -sEXIT_RUNTIME=1 -sDISABLE_EXCEPTION_CATCHING=0 || exit 1
node build/node/run_page.mjs "$here/test.html"
