#!/usr/bin/env python3
"""Runs clang-tidy over the library, the tools and the examples: tidy.py [--deep] TREE CACHE

TREE is a build tree configured with clang and unity units. The files of a unit are joined into one, and checked as one.
The tests are left out; the analyser takes minutes for the macros of their framework. A unit whose files and flags are
those of an earlier clean run is not checked again; CACHE holds the clean ones. The analyser follows few calls; with
--deep it follows as many as it does by default, which takes five times as long.
"""
import hashlib
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

deep = sys.argv[1] == "--deep"
tree, cache = sys.argv[1 + deep :]
os.makedirs(cache, exist_ok=True)
version = subprocess.run(["clang-tidy", "--version"], capture_output=True, check=True).stdout
config = open(".clang-tidy", "rb").read()
ANALYSER = [] if deep else ["-analyzer-config", "mode=shallow"]
OPTIONS = ["--quiet", "--warnings-as-errors=*"] + [
    f"--extra-arg={word}" for option in ANALYSER for word in ("-Xclang", option)]


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


def join(sources, joined):
    """Writes the text of the sources to one file; returns where each line of it is from."""
    lines, places, included = [], [], set()
    for source in sources:
        depth, own = 0, set()
        for number, line in enumerate(open(source).read().split("\n"), 1):
            if re.match(r"\s*#\s*if", line):
                depth += 1
            elif re.match(r"\s*#\s*endif", line):
                depth -= 1
            elif depth == 0 and line.startswith("#include"):
                own.add(line)
                if line in included:  # by an earlier file; a file that includes twice is still found
                    line = ""
            lines.append(line)
            places.append(f"{source}:{number}")
        included |= own
    text = "\n".join(lines)
    if not os.path.exists(joined) or open(joined).read() != text:
        open(joined, "w").write(text)
    return places


def check(entry):
    unit, command, options = entry["file"], entry["command"], list(OPTIONS)
    name = digest(unit.encode())[:24]
    folder = os.path.abspath(os.path.join(tree, "tidy", name))
    os.makedirs(folder, exist_ok=True)
    places = None
    if "/Unity/" in unit:
        joined = os.path.join(folder, "joined.cpp")
        places = join(sources_of(unit), joined)
        command = command.replace(unit, joined)
        for path in sorted({os.path.dirname(source) for source in sources_of(unit)}):
            command += f" -iquote {path}"
        unit = joined
    json.dump([{**entry, "file": unit, "command": command}], open(os.path.join(folder, "compile_commands.json"), "w"))
    key = digest(version, config, command.encode(), " ".join(options).encode())
    record = os.path.join(cache, name + ("-deep" if deep else "") + ".json")
    if os.path.exists(record):
        clean = json.load(open(record))
        if clean["key"] == key and clean["digest"] == files_digest(clean["files"]):
            return entry["file"], True, ""
    listed = subprocess.run(re.sub(r" -o \S+ -c ", " -M ", command), shell=True, cwd=entry["directory"],
                            capture_output=True, text=True)
    files = re.sub(r"\\\n", " ", listed.stdout).split()[1:]
    files = [os.path.join(entry["directory"], file) for file in files]
    before = files_digest(files)
    found = subprocess.run(["clang-tidy", *options, "-p", folder, unit], capture_output=True, text=True)
    if found.returncode == 0 and files and before == files_digest(files):
        json.dump({"key": key, "files": files, "digest": before}, open(record, "w"))
    text = found.stdout or found.stderr
    if places:
        text = re.sub(re.escape(unit) + r":(\d+)", lambda at: places[min(int(at[1]), len(places)) - 1], text)
    return entry["file"], found.returncode == 0, text


# Guests cannot be parsed without the arrays that a build makes, nor can the console in C without its guest.
skipped = re.compile(r"/examples/(guests/.*|c/console)\.c$")
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
