#!/usr/bin/env python3
"""Checks the private headers that modules use of each other (CONTRIBUTING.md, "Private headers of other modules").

Prints each problem and returns 1 if there is one.
"""
import os
import re
import subprocess
import sys

# The files of a module that may include private headers of others; the second is for kernels, which are compiled once
# for each lane count.
DOORS = ("imports.h", "kernel_imports.h")
# Tests and fuzz targets can include every private header, so they do not count as users of an opened one.
SEES_EVERYTHING = ("tests/", "fuzz/")

INCLUDE = re.compile(r'#include "(src/(\w+)/(\w+\.h))"(.*)')
problems = []


def files():
    names = subprocess.check_output(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.h", "*.cpp", "*.inl"], text=True)
    return [name for name in names.split() if os.path.exists(name)]


def includes_of(name):
    """The private headers that a file includes: line, path, module, header, and the rest of the line."""
    with open(name, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if match := INCLUDE.match(line):
                yield number, *match.groups()


def module_of(name):
    return name.split("/")[1] if name.startswith("src/") else None


def check_include(name, number, path, module, header, rest):
    own = module_of(name)
    if own is None or own == module:
        return
    door = f"src/{own}/imports.h"
    if header in DOORS:
        problems.append(f"{name}:{number}: {path} is for {module} alone; include the header that is needed in {door}")
    elif name not in (f"src/{own}/{file}" for file in DOORS):
        problems.append(f"{name}:{number}: {path} is private to {module}; use its public headers, or include it in "
                        f"{door} with a comment that says what for")
    elif not re.match(r"\s*// \w", rest):
        problems.append(f"{name}:{number}: say in a comment what {own} uses {path} for")


def opened():
    """The headers that CMakeLists.txt lists under OPENS, as paths."""
    with open("CMakeLists.txt", encoding="utf-8") as file:
        modules = re.findall(r"marrow_module\((\w+)([^)]*)\)", file.read())
    for module, arguments in modules:
        if match := re.search(r"\bOPENS\s+((?:\w+\.h\s+)+)", arguments):
            for header in match.group(1).split():
                yield f"src/{module}/{header}"


def main():
    users = {}  # by header: the files that include it
    names = files()
    for name in names:
        for number, path, module, header, rest in includes_of(name):
            check_include(name, number, path, module, header, rest)
            if not name.startswith(SEES_EVERYTHING):
                users.setdefault(path, set()).add(name)
    for name in names:
        if module_of(name) and name.endswith(DOORS) and name not in users:
            problems.append(f"{name}: no file includes it; remove it")
    # A header is used if a file of another folder includes it, or one that is opened and used.
    opens = set(opened())
    used = {path for path in opens if any(module_of(user) != module_of(path) for user in users.get(path, ()))}
    while more := {path for path in opens - used if users.get(path, set()) & used}:
        used |= more
    for path in sorted(opens - used):
        _, module, header = path.split("/")
        problems.append(f"CMakeLists.txt: {module} opens {header}, but no other module includes it; "
                        "remove it from OPENS")
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0


sys.exit(main())
