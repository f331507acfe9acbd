#!/usr/bin/env bash
# Runs the shaders in WGSL on WebGPU (Dawn, as Node has it) and holds them against the CPU; then sees that the test
# fails where it must.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
. scripts/packages.sh
. scripts/node_modules.sh
. scripts/common.sh
install_node_modules && release_tree marrow_wgsl_cases || exit 1

here=build/webgpu
mkdir -p "$here"
rm -rf "$here/cases"
build/release/tests/marrow_wgsl_cases "$here/cases" || exit 1

# Chromium brings a device in software and a Vulkan loader. Elsewhere the device is whichever Vulkan finds.
device=()
chromium=/usr/lib/chromium
if [ -f "$chromium/vk_swiftshader_icd.json" ]; then
  device=(env VK_ICD_FILENAMES="$chromium/vk_swiftshader_icd.json"
    LD_LIBRARY_PATH="$chromium${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}")
fi
run() { "${device[@]}" node build/node/wgsl_test.mjs "$here/cases" "$@" >"$here/log" 2>&1; }

run
status=$?
grep -vE '^[0-9]+ passed, ' "$here/log"
read -r passed failed < <(sed -nE 's/^([0-9]+) passed, ([0-9]+) failed$/\1 \2/p' "$here/log")
passed=${passed:-0} failed=${failed:-0}
if [ "$status" -ne 0 ] && [ "$failed" -eq 0 ]; then
  failed=1
  echo "FAIL  the test ended with status $status"
fi
# What is broken, and how many checks must see it: all techniques, those with a mode, those with several characters.
for change in rows:12 mode:6 offset:4; do
  run --break "${change%:*}"
  if grep -qE "^[0-9]+ passed, ${change#*:} failed$" "$here/log"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAIL  with --break ${change%:*} not ${change#*:} checks fail"
    tail -n 5 "$here/log"
  fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
