#!/usr/bin/env bash
# Builds the tests of OpenGL for browsers and runs them in Chromium, on WebGL 2.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
. scripts/packages.sh
. scripts/node_modules.sh
. scripts/common.sh
install_node_modules && wasm_tree marrow_webgl_test || exit 1
node build/node/run_page.mjs build/wasm/tests/marrow_webgl_test.html
