#!/usr/bin/env python3
"""Runs clang-tidy over the library, the tools and the examples: tidy.py TREE CACHE

TREE is a build tree configured with clang and unity units: the files of a module are analysed as one. The tests are left
out; the analyser takes minutes for the macros of their framework. A unit whose files and flags are those of an earlier
clean run is not analysed again; CACHE holds what was clean.
"""
import hashlib
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

tree, cache = sys.argv[1:3]
os.makedirs(cache, exist_ok=True)
version = subprocess.run(["clang-tidy", "--version"], capture_output=True, check=True).stdout
config = open(".clang-tidy", "rb").read()
# The analyser follows calls only a little way; more takes most of the time and has found nothing.
ANALYSER = ["-analyzer-config", "mode=shallow", "-analyzer-opt-analyze-headers"]
OPTIONS = ["--quiet", "-p", tree, "--warnings-as-errors=*"] + [
    f"--extra-arg={word}" for option in ANALYSER for word in ("-Xclang", option)]
# A unity unit includes .cpp files by design.
UNITY = ["--checks=-bugprone-suspicious-include"]


def digest(*parts):
    total = hashlib.sha256()
    for part in parts:
        total.update(hashlib.sha256(part).digest())
    return total.hexdigest()


def files_digest(files):
    try:
        return digest(*(open(file, "rb").read() for file in files))
    except OSError:
        return None


def sources_of(unit):
    """The project's files that a unit stands for."""
    if "/Unity/" not in unit:
        return [unit]
    return re.findall(r'#include "(.+)"', open(unit).read())


def check(entry):
    unit = entry["file"]
    key = digest(version, config, entry["command"].encode(), " ".join(OPTIONS + UNITY).encode())
    record = os.path.join(cache, digest(unit.encode())[:24] + ".json")
    if os.path.exists(record):
        clean = json.load(open(record))
        if clean["key"] == key and clean["digest"] == files_digest(clean["files"]):
            return unit, True, ""
    command = re.sub(r" -o \S+ -c ", " -M ", entry["command"])
    listed = subprocess.run(command, shell=True, cwd=entry["directory"], capture_output=True, text=True)
    files = re.sub(r"\\\n", " ", listed.stdout).split()[1:]
    files = [os.path.join(entry["directory"], file) for file in files]
    before = files_digest(files)
    options = OPTIONS + (UNITY if "/Unity/" in unit else [])
    found = subprocess.run(["clang-tidy", *options, unit], capture_output=True, text=True)
    if found.returncode == 0 and files and before == files_digest(files):
        json.dump({"key": key, "files": files, "digest": before}, open(record, "w"))
    return unit, found.returncode == 0, found.stdout or found.stderr


# Guests cannot be parsed without the arrays that a build makes, nor can the console in C without its guest.
skipped = re.compile(r"/examples/(guests/.*|c/console)\.c$|cmake_pch")
entries = {entry["file"]: entry for entry in json.load(open(os.path.join(tree, "compile_commands.json")))
           if not skipped.search(entry["file"]) and os.path.exists(entry["file"])}
good = bad = 0
# Long units first, so that no processor waits for the last one.
order = sorted(entries.values(), key=lambda entry: -sum(os.path.getsize(f) for f in sources_of(entry["file"])))
with ThreadPoolExecutor(os.cpu_count()) as pool:
    for unit, clean, text in pool.map(check, order):
        count = len(sources_of(unit))
        if clean:
            good += count
            continue
        named = {f for f in sources_of(unit) if f + ":" in text}
        bad += max(1, len(named))
        good += count - max(1, len(named))
        print(f"{unit}\n{text}", flush=True)
print(f"{good} passed, {bad} failed")
sys.exit(bad != 0 or good == 0)
