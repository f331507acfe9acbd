#!/usr/bin/env python3
"""Compares `marrow sample` with other implementations on every model of a folder: compare.py FOLDER ORACLES MARROW OUT.tsv

ORACLES holds oracle.mjs (three.js) and refpose.py (double precision, plain Python). For each file the rest pose and five
times of every clip are compared, one before the first key and one after the last: node and joint matrices, morph weights,
skinned vertices. Differences are relative to the model's size (linear parts of matrices to their largest number). What
agrees with one of the two to TOLERANCE passes; where the two disagree the table says what sets them apart. A variant, a
file NAME.KIND.glb of which there is a NAME.glb elsewhere, is compared with its source too.

Prints the table and, last, "N passed, N failed". A file that is refused passes if the reason is one of REFUSALS.
"""
import base64, concurrent.futures, glob, json, math, os, struct, subprocess, sys, tempfile, urllib.parse

TOLERANCE = 1e-4
VERTICES = 300
REFUSALS = ("meshopt coding version",)
# Kinds of variants whose motion is that of the source, vertex by vertex.
SAME_VERTICES = ("revjoints", "revnodes", "dummies", "joints1", "meshxf", "sparse")
# Kinds that lie at the source's places to what they were rounded to, in whatever order.
ROUNDED = {"draco": 1e-3, "meshopt": 1e-3, "quantize": 1e-3, "gltfpack-quant": 1e-3, "gltfpack-noq": 1e-3, "gltfpack-c": 1e-3,
           "gltfpack-cc": 1e-3}


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    return done.stdout if done.returncode == 0 else None, done.stderr.strip()


def document(path):
    data = open(path, "rb").read()
    if data[:4] == b"glTF":
        data = data[20:20 + int.from_bytes(data[12:16], "little")]
    return json.loads(data.decode("utf-8-sig"))


def buffer_bytes(path, doc):
    data = open(path, "rb").read()
    buffers = []
    for buffer in doc.get("buffers", []):
        uri = buffer.get("uri")
        if uri is None:
            begin = 20 + int.from_bytes(data[12:16], "little")
            buffers.append(bytearray(data[begin + 8:]) if data[:4] == b"glTF" else bytearray())
        elif uri.startswith("data:"):
            buffers.append(bytearray(base64.b64decode(uri.split(",", 1)[1])))
        else:
            buffers.append(bytearray(open(os.path.join(os.path.dirname(path), urllib.parse.unquote(uri)), "rb").read()))
    return buffers


FORMS = {5120: ("b", 1, 127), 5121: ("B", 1, 255), 5122: ("h", 2, 32767), 5123: ("H", 2, 65535), 5125: ("I", 4, 1),
         5126: ("f", 4, 1)}


def elements(doc, buffers, at, component, size, count):
    """`count` elements of `size` numbers of a view, or a part of an accessor, that names one."""
    view = doc["bufferViews"][at["bufferView"]]
    form, each, _ = FORMS[component]
    begin = view.get("byteOffset", 0) + at.get("byteOffset", 0)
    step = view.get("byteStride", size * each)
    return [list(struct.unpack_from(f"<{size}{form}", buffers[view["buffer"]], begin + i * step)) for i in range(count)]


def unit_keys(doc, buffers, accessor):
    """The rotations of an accessor made unit; None if they are, or are compressed."""
    if any("extensions" in view for view in doc["bufferViews"]):
        return None
    component, count = accessor["componentType"], accessor["count"]
    keys = elements(doc, buffers, accessor, component, 4, count) if "bufferView" in accessor else [[0] * 4] * count
    if "sparse" in accessor:
        sparse = accessor["sparse"]
        places = elements(doc, buffers, sparse["indices"], sparse["indices"]["componentType"], 1, sparse["count"])
        for (place,), key in zip(places, elements(doc, buffers, sparse["values"], component, 4, sparse["count"])):
            keys[place] = key
    keys = [[max(-1.0, v / FORMS[component][2]) for v in q] for q in keys]
    if all(abs(math.hypot(*q) - 1) <= 1e-6 for q in keys):
        return None
    return [v / (math.hypot(*q) or 1) for q in keys for v in q]


def judges_copy(path, doc, folder):
    """Writes a copy of a file that the judges understand as marrow does the file itself; None if it need not differ.

    Rotation keys and rotations are made unit, as marrow makes them on the way in: three.js uses them as they are, and both
    interpolate between what is not unit. Channels of KHR_animation_pointer that move nodes become plain channels."""
    doc = json.loads(json.dumps(doc))
    buffers = buffer_bytes(path, doc)
    notes, made = set(), {}
    unit_note = "rotations that are not unit: the judges are given a copy where they are"
    for node in doc.get("nodes", []):
        length = math.hypot(*node.get("rotation", [1]))
        if abs(length - 1) > 1e-6 and length > 0:
            node["rotation"] = [v / length for v in node["rotation"]]
            notes.add(unit_note)
    for animation in doc.get("animations", []):
        for channel in animation["channels"]:
            target = channel["target"]
            pointer = target.get("extensions", {}).get("KHR_animation_pointer", {}).get("pointer", "").split("/")
            if len(pointer) == 4 and pointer[1] == "nodes" and pointer[3] in ("translation", "rotation", "scale", "weights"):
                channel["target"] = target = {"node": int(pointer[2]), "path": pointer[3]}
                notes.add("KHR_animation_pointer: the judges are given a copy with plain channels")
            sampler = animation["samplers"][channel["sampler"]]
            if target.get("path") != "rotation" or sampler.get("interpolation") == "CUBICSPLINE":
                continue
            number = sampler["output"]
            if number not in made:
                keys = unit_keys(doc, buffers, doc["accessors"][number])
                made[number] = number
                if keys:
                    made[number] = len(doc["accessors"])
                    data = bytearray(struct.pack(f"<{len(keys)}f", *keys))
                    doc["accessors"].append({"bufferView": len(doc["bufferViews"]), "componentType": 5126,
                                             "count": len(keys) // 4, "type": "VEC4"})
                    doc["bufferViews"].append({"buffer": len(buffers), "byteLength": len(data)})
                    doc["buffers"].append({"byteLength": len(data)})
                    buffers.append(data)
            if made[number] != number:
                sampler["output"] = made[number]
                notes.add(unit_note)
    if not notes:
        return None, []
    for buffer, contents in zip(doc["buffers"], buffers):
        buffer["uri"] = "data:application/octet-stream;base64," + base64.b64encode(contents).decode()
    copy = os.path.join(folder, "copy.gltf")
    with open(copy, "w") as out:
        json.dump(doc, out)
    return copy, sorted(notes)


class Difference:
    """The largest differences, by what was compared."""

    def __init__(self):
        self.of = {}

    def note(self, what, value):
        self.of[what] = max(self.of.get(what, 0.0), value if math.isfinite(value) else math.inf)

    def worst(self):
        return max(self.of.values(), default=0.0)


def compare_matrices(difference, what, a, b, size):
    for x, y in zip(a, b):
        largest = max([1.0] + [abs(v) for v in y[:3] + y[4:7] + y[8:11]])
        difference.note(what, max(abs(p - q) for p, q in zip(x[:3] + x[4:7] + x[8:11], y[:3] + y[4:7] + y[8:11])) / largest)
        difference.note(what, max(abs(p - q) for p, q in zip(x[12:15], y[12:15])) / size)
    if len(a) != len(b):
        difference.note(what, math.inf)


def compare(a, b, size):
    """Two lists of samples in the shape that marrow_samples makes."""
    difference = Difference()
    for x, y in zip(a, b):
        compare_matrices(difference, "nodes", x["world"], y["world"], size)
        for p, q in zip(x["joints"], y["joints"]):
            compare_matrices(difference, "joints", p, q, size)
        for node in set(x["weights"]) & set(y["weights"]):
            p, q = x["weights"][node], y["weights"][node]
            difference.note("morphs", max([abs(u - v) for u, v in zip(p, q)] or [0]) if len(p) == len(q) else math.inf)
        for part in set(x.get("verts", {})) & set(y.get("verts", {})):
            p, q = x["verts"][part], y["verts"][part]
            far = max([max(abs(u - v) for u, v in zip(s, t)) for s, t in zip(p, q)] or [0]) / size
            difference.note("vertices", far if len(p) == len(q) else math.inf)
    return difference


def marrow_samples(marrow, path, clip, times, vertices=VERTICES):
    out, error = run([marrow, "sample", path, "--clip", "none" if clip < 0 else str(clip), "--times=" + times, "--up", "y",
                      "--vertices", str(vertices), "--json"])
    if out is None:
        return None, error
    samples = []
    for s in json.loads(out)["samples"]:
        samples.append({"world": [n["world"] for n in s["nodes"]], "joints": [k["matrices"] for k in s["skins"]],
                        "weights": {str(m["node"]): m["weights"] for m in s["morphs"]},
                        "verts": {f'{v["node"]}/{v["part"]}': v["positions"] for v in s["vertices"]}})
    return samples, None


def oracle_samples(command):
    out, error = run(command)
    if out is None:
        return None
    samples = json.loads(out)["samples"]
    return samples if all(None not in w for s in samples for w in s["world"]) else None


def model_size(samples):
    points = [m[12:15] for m in samples["world"]] + [p for part in samples["verts"].values() for p in part]
    extent = max([max(p[i] for p in points) - min(p[i] for p in points) for i in range(3)] if points else [0])
    return extent if extent > 0 else 1.0


def peculiarities(doc):
    """What is known to set the judges apart from the standard, or from each other, and who is right."""
    text = json.dumps(doc)
    found = []
    if "JOINTS_1" in text:
        found.append("JOINTS_1 is read by marrow alone; three.js skins with the first four, so the source judges")
    if any("KHR_draco" in k for k in doc.get("extensionsUsed", [])):
        found.append("three.js is given no Draco decoder; the source judges")
    if any("matrix" in n for n in doc.get("nodes", [])):
        found.append("matrix nodes: taken apart by marrow and three.js, kept whole by refpose")
    if any(len({len(p.get("targets", [])) for p in m["primitives"]}) > 1 for m in doc.get("meshes", [])):
        found.append("primitives with different numbers of morph targets: three.js tells the weights of the first alone")
    return found


def clip_times(doc, clip):
    animation = doc["animations"][clip]
    first, last = math.inf, 0.0
    for sampler in animation.get("samplers", []):
        accessor = doc["accessors"][sampler["input"]]
        first = min(first, accessor.get("min", [0])[0])
        last = max(last, accessor.get("max", [1])[0])
    first = min(first, last)
    span = last - first
    return [first - 0.5, first + 0.21 * span, first + 0.503 * span, first + 0.87 * span, last + 0.5]


def nearest(a, b):
    """The farthest that a point of a is from the nearest of b."""
    cell, grid = max(1e-9, 1e-2 * model_extent(b)), {}
    for p in b:
        grid.setdefault(tuple(int(v // cell) for v in p), []).append(p)
    worst = 0.0
    for p in a:
        key = tuple(int(v // cell) for v in p)
        near = [q for i in (-1, 0, 1) for j in (-1, 0, 1) for k in (-1, 0, 1)
                for q in grid.get((key[0] + i, key[1] + j, key[2] + k), [])]
        worst = max(worst, min((math.dist(p, q) for q in near), default=math.inf))
    return worst


def model_extent(points):
    return max(max(p[i] for p in points) - min(p[i] for p in points) for i in range(3))


def source_of(path, files):
    stem = os.path.basename(path).split(".")
    if "/glTF-Draco/" in path:
        plain = path.replace("/glTF-Draco/", "/glTF-Binary/").replace(".gltf", ".glb")
        return (plain, "draco") if os.path.exists(plain) else (None, None)
    if len(stem) != 3:
        return None, None
    for other in files:
        if os.path.basename(other) == stem[0] + "." + stem[2]:
            return other, stem[1]
    return None, None


def compare_source(marrow, path, doc, files, row):
    source, kind = source_of(path, files)
    if source is None:
        return
    everything = 1000000
    for clip in [-1] + list(range(len(doc.get("animations", [])))):
        times = "0" if clip < 0 else ",".join(repr(t) for t in clip_times(doc, clip)[1:4])
        mine, _ = marrow_samples(marrow, path, clip, times, everything)
        other, _ = marrow_samples(marrow, source, clip, times, everything)
        size = model_size(other[0])
        limit = TOLERANCE
        for x, y in zip(mine, other):
            p = [v for part in sorted(x["verts"]) for v in x["verts"][part]]
            q = [v for part in sorted(y["verts"]) for v in y["verts"][part]]
            if kind in SAME_VERTICES:
                far = max([max(abs(u - v) for u, v in zip(s, t)) for s, t in zip(p, q)]) if len(p) == len(q) else math.inf
            elif kind in ROUNDED:
                # Their keys are resampled or rounded: the rest pose is what can be held to.
                if clip >= 0 and kind != "draco":
                    continue
                limit = ROUNDED[kind]
                far = max(nearest(p, q), nearest(q, p))
            elif clip < 0:
                far = max([max(abs(u - v) for u, v in zip(s, t)) for s, t in zip(p, q)]) if len(p) == len(q) else math.inf
            else:
                continue  # another curve, by intent
            row["source"] = max(row["source"] or 0.0, far / size)
            if far / size > limit:
                row["ok"] = False


def look_at(path, folder, oracles, marrow, files):
    row = {"file": os.path.relpath(path, folder), "ok": True, "clips": 0, "three": Difference(), "ref": Difference(),
           "best": Difference(), "source": None, "notes": []}
    rest, error = marrow_samples(marrow, path, -1, "0")
    if rest is None:
        row["notes"].append("refused: " + error.replace("marrow: " + path + ": ", ""))
        row["ok"] = any(reason in error for reason in REFUSALS)
        return row
    doc = document(path)
    size = model_size(rest[0])
    clips = len(doc.get("animations", []))
    row["clips"] = clips
    judged = True
    # three.js cannot judge these vertices: it reads no JOINTS_1, and is given no Draco decoder. Their sources can.
    unjudged = "JOINTS_1" in json.dumps(doc) or any("KHR_draco" in k for k in doc.get("extensionsUsed", []))
    scratch = tempfile.TemporaryDirectory()
    copy, notes = judges_copy(path, doc, scratch.name)
    row["notes"] += notes
    for clip in range(-1, clips):
        times = "0" if clip < 0 else ",".join(repr(t) for t in clip_times(doc, clip))
        mine, error = marrow_samples(marrow, path, clip, times)
        if mine is None:
            row["ok"] = False
            row["notes"].append(error)
            continue
        three = oracle_samples(["node", oracles + "/oracle.mjs", copy or path, str(clip), times, f"--verts={VERTICES}", "--quiet"])
        ref = oracle_samples(["python3", oracles + "/refpose.py", copy or path, str(clip), times])
        for sample in (three or []) if unjudged else []:
            del sample["verts"]
        best = None
        for name, judge in (("three", three), ("ref", ref)):
            if judge is None:
                continue
            difference = compare(mine, judge, size)
            for what, value in difference.of.items():
                row[name].note(what, value)
            best = best or {}
            for what, value in difference.of.items():
                best[what] = min(value, best.get(what, math.inf))
        if best is None:
            judged = False
            continue
        for what, value in best.items():
            row["best"].note(what, value)
    if not judged:
        row["notes"].append("no judge for some clips")
    if row["three"].worst() > TOLERANCE or row["ref"].worst() > TOLERANCE:
        row["notes"] += peculiarities(doc)
    if row["best"].worst() > TOLERANCE:
        row["ok"] = False
    compare_source(marrow, path, doc, files, row)
    return row


def show(value):
    return "" if value is None else f"{value:.1e}"


def main():
    folder, oracles, marrow, out = sys.argv[1:5]
    files = sorted(f for kind in ("glb", "gltf") for f in glob.glob(folder + "/**/*." + kind, recursive=True))
    if os.path.isfile(folder):
        files, folder = [folder], os.path.dirname(folder)
    columns = ["nodes", "joints", "morphs", "vertices"]
    passed = failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool, open(out, "w") as table:
        header = ["", "file", "clips"] + columns + ["three", "refpose", "source", "notes"]
        table.write("\t".join(header) + "\n")
        for row in pool.map(lambda f: look_at(f, folder, oracles, marrow, files), files):
            passed, failed = passed + row["ok"], failed + (not row["ok"])
            cells = ["ok" if row["ok"] else "FAIL", row["file"], str(row["clips"])]
            cells += [show(row["best"].of.get(c)) for c in columns]
            cells += [show(row["three"].worst() if row["three"].of else None),
                      show(row["ref"].worst() if row["ref"].of else None), show(row["source"]), "; ".join(row["notes"])]
            table.write("\t".join(cells) + "\n")
            table.flush()
            print(f"{cells[0]:4} {cells[1]:64} {cells[2]:>3} " + " ".join(f"{c:>8}" for c in cells[3:10]) + "  " + cells[10],
                  flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


sys.exit(main())
