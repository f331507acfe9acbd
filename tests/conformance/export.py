#!/usr/bin/env python3
"""Compares what `marrow export` writes with `marrow sample`, on every model of a folder: export.py FOLDER MARROW OUT.tsv

Reads the JSON with nothing of marrow's: it walks the bones, samples the frames (matrices taken apart, rotations along the
shorter arc) and skins the packed vertices by itself. Checked of each file:

- weights sum to 255, bones are within the list, parents come before their children, every joint of a skin is a bone, and the
  mesh and all animations have the same bones;
- bones at rest and at frames are where the nodes are, to KEY of the model's size;
- bones and vertices are nowhere farther off than the error that the export states, but for what packing lost;
- of several skins, the same for one of them alone (--skin).

Prints a table and, last, "N passed, N failed". Its columns are parts of the model's size: bones at rest, vertices at rest and
at frames with what packing lost, bones at frames, bones between them, and the largest error that an export of the file states. A file that is refused passes if the reason is one of REFUSALS.
"""
import array, bisect, concurrent.futures, glob, json, math, os, random, struct, subprocess, sys, tempfile

KEY = 1e-5
VERTICES = 60  # of each part
FRAMES = 4
BETWEEN = 6
REFUSALS = ("meshopt coding version", "more than the 256", "more than the 65,535", "there are no triangles")


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=900)
    return done.stdout if done.returncode == 0 else None, done.stderr.strip()


def multiply(a, b):
    out = []
    for r in range(3):
        x, y, z, t = a[4 * r:4 * r + 4]
        out += [x * b[0] + y * b[4] + z * b[8], x * b[1] + y * b[5] + z * b[9], x * b[2] + y * b[6] + z * b[10],
                x * b[3] + y * b[7] + z * b[11] + t]
    return out


def apply(m, p):
    return [m[4 * r] * p[0] + m[4 * r + 1] * p[1] + m[4 * r + 2] * p[2] + m[4 * r + 3] for r in range(3)]


def determinant(m):
    return (m[0] * (m[5] * m[10] - m[6] * m[9]) - m[1] * (m[4] * m[10] - m[6] * m[8]) + m[2] * (m[4] * m[9] - m[5] * m[8]))


def norm(m):
    return math.sqrt(sum(m[4 * r + c] ** 2 for r in range(3) for c in range(3)))


def quaternion(c):
    """Of a rotation given by its columns."""
    (m00, m10, m20), (m01, m11, m21), (m02, m12, m22) = c
    candidates = [1 + m00 + m11 + m22, 1 + m00 - m11 - m22, 1 - m00 + m11 - m22, 1 - m00 - m11 + m22]
    k = candidates.index(max(candidates))
    s = math.sqrt(candidates[k]) * 2
    if k == 0:
        return [(m21 - m12) / s, (m02 - m20) / s, (m10 - m01) / s, s / 4]
    if k == 1:
        return [s / 4, (m01 + m10) / s, (m02 + m20) / s, (m21 - m12) / s]
    if k == 2:
        return [(m01 + m10) / s, s / 4, (m12 + m21) / s, (m02 - m20) / s]
    return [(m02 + m20) / s, (m12 + m21) / s, s / 4, (m10 - m01) / s]


def apart(m):
    """Translation, rotation, scale of a matrix: columns made orthogonal one after the other."""
    columns = [[m[c], m[4 + c], m[8 + c]] for c in range(3)]
    scales, units = [], []
    for i, v in enumerate(columns):
        for u in units:
            d = sum(a * b for a, b in zip(u, v))
            v = [a - d * b for a, b in zip(v, u)]
        length = math.sqrt(sum(a * a for a in v))
        whole = math.sqrt(sum(a * a for a in columns[i]))
        scales.append(length if length > 1e-7 * whole else 0.0)
        if length > 1e-7 * whole:
            units.append([a / length for a in v])
        else:
            for axis in ([1, 0, 0], [0, 1, 0], [0, 0, 1]):
                v = axis
                for u in units:
                    d = sum(a * b for a, b in zip(u, v))
                    v = [a - d * b for a, b in zip(v, u)]
                length = math.sqrt(sum(a * a for a in v))
                if length > 0.5:
                    break
            units.append([a / length for a in v])
    (a, b, c) = units
    if a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0]) < 0:
        units[0] = [-x for x in units[0]]
        scales[0] = -scales[0]
    return [m[3], m[7], m[11]], quaternion(units), scales


def together(t, q, s):
    x, y, z, w = q
    r = [[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
         [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
         [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]
    return [v for i in range(3) for v in (r[i][0] * s[0], r[i][1] * s[1], r[i][2] * s[2], t[i])]


def slerp(a, b, u):
    d = sum(x * y for x, y in zip(a, b))
    if d < 0:
        b, d = [-x for x in b], -d
    angle = math.acos(min(1.0, d))
    if angle < 1e-6:
        q = [x + (y - x) * u for x, y in zip(a, b)]
    else:
        q = [(math.sin((1 - u) * angle) * x + math.sin(u * angle) * y) / math.sin(angle) for x, y in zip(a, b)]
    n = math.sqrt(sum(x * x for x in q))
    return [x / n for x in q]


def frame_bone(clip, frame, bone):
    size = 10 if clip["keyframe"] == "trs" else 12
    at = (frame * clip["bone_count"] + bone) * size
    v = clip["keyframes"][at:at + size]
    return (v[0:3], v[3:7], v[7:10]) if size == 10 else v


def sample_clip(clip, time):
    times = clip["times"]
    a = max(bisect.bisect_right(times, time) - 1, 0)
    exact = times[a] == time or a + 1 == len(times)
    out = []
    for bone in range(clip["bone_count"]):
        first = frame_bone(clip, a, bone)
        trs = clip["keyframe"] == "trs"
        if exact or clip["interpolation"][bone] == 0:
            out.append(together(*first) if trs else first)
            continue
        u = (time - times[a]) / (times[a + 1] - times[a])
        p, q = (first, frame_bone(clip, a + 1, bone))
        if not trs:
            p, q = apart(p), apart(q)
        out.append(together([x + (y - x) * u for x, y in zip(p[0], q[0])], slerp(p[1], q[1], u),
                            [x + (y - x) * u for x, y in zip(p[2], q[2])]))
    return out


def to_model(bones, local):
    out = []
    for bone, m in zip(bones, local):
        out.append(m if bone["parent"] < 0 else multiply(out[bone["parent"]], m))
    return out


def from_columns(m):
    return [m[4 * c + r] for r in range(3) for c in range(4)]


class Mesh:
    def __init__(self, mesh):
        self.mesh = mesh
        self.offsets = {a["name"]: a for a in mesh["attributes"]}
        self.bytes = bytes(mesh["vertices"])

    def vertex(self, v):
        at = v * self.mesh["vertex_stride"]
        kind = self.offsets["position"]["type"]
        position = struct.unpack_from("<4e" if kind == "f16x4" else "<3f", self.bytes, at)[:3]
        if "bones" not in self.offsets:
            return position, [], []
        joints = struct.unpack_from("4B", self.bytes, at + self.offsets["bones"]["offset"])
        weights = struct.unpack_from("4B", self.bytes, at + self.offsets["weights"]["offset"])
        return position, joints, weights

    def off(self, v, palette, there):
        """How far a vertex is from where it should be, and how far beyond what packing can have done."""
        position, joints, weights = self.vertex(v)
        lost = self.mesh["packing_error"]
        if not joints:
            far = math.dist(position, there)
            return far, far - lost["position"]
        used = [(w, palette[j], apply(palette[j], position)) for j, w in zip(joints, weights) if w > 0]
        at = [sum(w / 255 * p[i] for w, _, p in used) for i in range(3)]
        far = math.dist(at, there)
        slack = lost["position"] * max(norm(m) for _, m, _ in used) + 4 * lost["weight"] * max(math.dist(p, at) for _, _, p in used)
        if far > slack and len(used) < 4 and lost["weight"] > 1e-5:
            # A weight that was rounded to nothing, so by half a step at most, may have been of any bone.
            slack += (4 - len(used)) * 0.5 / 255 * max(math.dist(apply(m, position), at) for m in palette)
        return far, far - slack


def check_structure(mesh, row):
    view = Mesh(mesh)
    bones = mesh["bones"]
    for v in range(mesh["vertex_count"]):
        _, joints, weights = view.vertex(v)
        if joints and (sum(weights) != 255 or max(joints) >= len(bones)):
            row["bad"].append(f"vertex {v}: bones {joints} weights {weights}")
            break
    for i, bone in enumerate(bones):
        if not -1 <= bone["parent"] < i:
            row["bad"].append(f"the parent of bone {i} is {bone['parent']}")
    if mesh["bone_count"] != len(bones) or len(mesh["indices"]) != mesh["index_count"] or \
            len(mesh["vertices"]) != mesh["vertex_count"] * mesh["vertex_stride"]:
        row["bad"].append("counts that do not agree")
    if mesh["indices"] and max(mesh["indices"]) >= mesh["vertex_count"]:
        row["bad"].append("an index beyond the vertices")
    if sum(p["index_count"] for p in mesh["parts"]) != mesh["index_count"]:
        row["bad"].append("parts that are not all of the indices")


def samples(marrow, path, clip, times, vertices):
    out, error = run([marrow, "sample", path, "--outside", "--clip", "none" if clip < 0 else str(clip), "--times",
                      ",".join(repr(t) for t in times), "--vertices", str(vertices), "--json"])
    return json.loads(out)["samples"] if out else None


def compare(bones, model, mesh, sample, rest_morphs, size, stated):
    """The worst distances of bones and of vertices, in parts of the size; the last beyond what packing lost."""
    worlds = {n["node"]: from_columns(n["world"]) for n in sample["nodes"]}
    worst_bone = worst_vertex = worst_beyond = 0.0
    for bone, m in zip(bones, model):
        w = worlds[bone["node"]]
        off = math.dist([m[3], m[7], m[11]], [w[3], w[7], w[11]]) / size
        scale = max(norm(w), 1e-30)
        linear = max(abs(m[4 * r + c] - w[4 * r + c]) for r in range(3) for c in range(3)) / max(scale, 1e-3)
        worst_bone = max(worst_bone, off, 0.0 if stated > 0 else linear)
    if mesh is None:
        return worst_bone, worst_vertex, worst_beyond
    palette = [multiply(m, b["inverse_bind"]) for b, m in zip(bones, model)] if mesh.mesh["bones"] else []
    places = {(v["node"], v["part"]): v["positions"] for v in sample["vertices"]}
    morphs = {m["node"]: m["weights"] for m in sample["morphs"]}
    for part in mesh.mesh["parts"]:
        if morphs.get(part["node_index"]) != rest_morphs.get(part["node_index"]):
            continue
        for i, there in enumerate(places[(part["node_index"], part["part_index"])]):
            off, beyond = mesh.off(part["first_vertex"] + i, palette, there)
            worst_vertex = max(worst_vertex, off / size)
            worst_beyond = max(worst_beyond, beyond / size)
    return worst_bone, worst_vertex, worst_beyond


def look_at(path, folder, marrow):
    row = {"file": os.path.relpath(path, folder), "bones": 0, "joints": 0, "vertices": 0, "clips": 0, "rest": None, "key": None,
           "between": None, "vertex": None, "stated": None, "bad": [], "notes": [], "skinned": False}
    with tempfile.TemporaryDirectory() as scratch:
        try:
            check_file(path, marrow, scratch, row)
        except Exception as error:  # a table with the other files is of more use
            row["bad"].append(f"{type(error).__name__}: {error}")
    return row


def as_floats(numbers):
    """The floats that numbers stand for: the double nearest to their digits may lie before a step that they are at."""
    return array.array("f", numbers).tolist()


def export(marrow, kind, path, out, *options):
    if os.path.exists(out):
        os.remove(out)
    _, error = run([marrow, "export", kind, path, "--outside", "--format", "json", "-o", out, *options])
    if not os.path.exists(out):
        return None, error
    with open(out) as file:
        exported = json.load(file)
    for clip in exported.get("animations", []):
        clip["duration"] = as_floats([clip["duration"]])[0]
        clip["times"], clip["keyframes"] = as_floats(clip["times"]), as_floats(clip["keyframes"])
    for bone in exported.get("bones", []) + [b for c in exported.get("animations", []) for b in c["bones"]]:
        bone["rest_local"], bone["inverse_bind"] = as_floats(bone["rest_local"]), as_floats(bone["inverse_bind"])
    return exported, error


def check_file(path, marrow, scratch, row):
    rest = samples(marrow, path, -1, [0], VERTICES)
    check_export(path, marrow, scratch, row, rest and rest[0], [])
    if rest and len(rest[0]["skins"]) > 1:
        tell = random.Random(row["file"])
        check_export(path, marrow, scratch, row, rest[0], ["--skin", str(tell.randrange(len(rest[0]["skins"])))])


def check_export(path, marrow, scratch, row, rest, skin):
    options = skin
    exported, error = export(marrow, "mesh", path, scratch + "/mesh.json", *options)
    if exported is None and "--float" in error:
        row["notes"].append("--float: " + error.split(": ")[-2][-60:])
        options = skin + ["--float"]
        exported, error = export(marrow, "mesh", path, scratch + "/mesh.json", *options)
    if exported is None:
        row["notes"].append("refused: " + error.split(": ", 2)[-1][:100])
        if not any(reason in error for reason in REFUSALS):
            row["bad"].append("refused")
        if "no triangles" not in error:
            return
    if exported and not exported["bones"]:
        # What follows nodes alone is compared in motion too, with the nodes as bones.
        rigid, _ = export(marrow, "mesh", path, scratch + "/rigid.json", "--rigid", *options)
        exported = rigid or exported
    mesh = Mesh(exported) if exported else None
    rest_morphs = {m["node"]: m["weights"] for m in rest["morphs"]}
    points = [p for v in rest["vertices"] for p in v["positions"]] or [n["world"][12:15] for n in rest["nodes"]]
    size = math.sqrt(sum((max(p[i] for p in points) - min(p[i] for p in points)) ** 2 for i in range(3))) or 1.0
    reduced = False
    if exported:
        check_structure(exported, row)
        row["bones"], row["vertices"] = exported["bone_count"], exported["vertex_count"]
        row["skinned"] = bool(exported["vertex_format"] & 8)
        reduced = any("more than four joints" in n for n in exported["notes"])
        listed = {b["node"] for b in exported["bones"]}
        used = {s["skin"]: set(s["joints"]) for s in rest["skins"]}
        row["joints"] = len(set().union(*used.values())) if used else 0
        if len(used) == 1 and row["skinned"] and not used[0] <= listed:
            row["bad"].append(f"joints that are no bones: {sorted(used[0] - listed)[:5]}")
        names = {n["node"]: n["name"] for n in rest["nodes"]}
        for bone in exported["bones"]:
            if names[bone["node"]] and not bone["name"].startswith(names[bone["node"]]):
                row["bad"].append(f"bone {bone['name']} is node {names[bone['node']]}")
        local = [b["rest_local"] for b in exported["bones"]]
        off, vertex, beyond = compare(exported["bones"], to_model(exported["bones"], local), mesh, rest, rest_morphs, size, 0)
        row["rest"] = max(row["rest"] or 0, off)
        row["vertex"] = row["vertex"] if reduced else max(row["vertex"] or 0, vertex)
        if off > KEY or (beyond > KEY and not reduced):
            row["bad"].append(f"at rest off by {off:.1e}, vertices beyond packing by {beyond:.1e}")
    tell = random.Random(row["file"])
    clips = 0
    for kind in ([],) if skin else ([], ["--trs"], ["--fps", "30"]):
        # Of all clips one way, of two the others.
        some = [o for index in range(min(clips, 2)) for o in ("--clip", str(index))] if kind else []
        animations, error = export(marrow, "animation", path, scratch + "/clips.json", *kind, *some, *skin)
        if animations is None:
            if "no clips" not in error and "no bones" not in error:
                row["bad"].append("animation refused: " + error[-80:])
            return
        clips = clips or len(animations["animations"])
        for index, clip in enumerate(animations["animations"]):
            check_clip(path, marrow, row, index, clip, exported, mesh, rest_morphs, size, reduced, tell)
    row["clips"] = clips


def check_clip(path, marrow, row, index, clip, exported, mesh, rest_morphs, size, reduced, tell):
    if exported and row["skinned"] and exported["skeleton_id"] != clip["skeleton_id"]:
        row["bad"].append(f"clip {index}: other bones than the mesh")
    times, frames = clip["times"], clip["frame_count"]
    if len(times) != frames or times[0] != 0 or abs(times[-1] - clip["duration"]) > 0 or sorted(set(times)) != times:
        row["bad"].append(f"clip {index}: times that are not right")
    if len(clip["keyframes"]) != frames * clip["bone_count"] * (10 if clip["keyframe"] == "trs" else 12):
        row["bad"].append(f"clip {index}: keyframes that do not agree with the counts")
    keys = sorted({times[i] for i in [0, frames - 1] + [tell.randrange(frames) for _ in range(FRAMES)]})
    between = []
    for _ in range(BETWEEN if frames > 1 else 0):
        i = tell.randrange(frames - 1)
        if times[i + 1] - times[i] > 1e-5:
            between.append(times[i] + (times[i + 1] - times[i]) * tell.random())
    seen = samples(marrow, path, index, keys + between, VERTICES)
    bones = clip["bones"]
    skinned = mesh if exported and row["skinned"] else None
    stated = clip["error"] / size
    row["stated"] = max(row["stated"] or 0, clip["relative_error"])
    for i, (time, sample) in enumerate(zip(keys + between, seen)):
        on_frame = i < len(keys)
        model = to_model(bones, sample_clip(clip, time))
        off, vertex, beyond = compare(bones, model, skinned, sample, rest_morphs, size, 0 if on_frame else stated)
        what = "key" if on_frame else "between"
        row[what] = max(row[what] or 0, off)
        if on_frame and skinned and not reduced:
            row["vertex"] = max(row["vertex"] or 0, vertex)
        # At frames, bones are compared by their rotations and scales too.
        limit = max(KEY, stated) if on_frame else stated
        if off > limit or (skinned and not reduced and beyond > stated):
            row["bad"].append(f"clip {index} {clip['keyframe']} at {time}: bones off by {off:.1e}, vertices beyond packing by "
                              f"{beyond:.1e}, stated {stated:.1e}")


def show(value):
    return "" if value is None else f"{value:.1e}"


def main():
    folder, marrow, out = sys.argv[1:4]
    files = sorted(f for kind in ("glb", "gltf") for f in glob.glob(folder + "/**/*." + kind, recursive=True))
    if os.path.isfile(folder):
        files, folder = [folder], os.path.dirname(folder)
    passed = failed = 0
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool, open(out, "w") as table:
        header = ["", "file", "bones", "joints", "vertices", "clips", "rest", "vertex", "key", "between", "stated", "notes"]
        table.write("\t".join(header) + "\n")
        for row in pool.map(look_at, files, [folder] * len(files), [marrow] * len(files)):
            ok = not row["bad"]
            passed, failed = passed + ok, failed + (not ok)
            cells = ["ok" if ok else "FAIL", row["file"]] + [str(row[c]) for c in ("bones", "joints", "vertices", "clips")]
            cells += [show(row[c]) for c in ("rest", "vertex", "key", "between", "stated")] + ["; ".join(row["bad"][:3] + row["notes"])]
            table.write("\t".join(cells) + "\n")
            table.flush()
            print(f"{cells[0]:4} {cells[1]:64} " + " ".join(f"{c:>8}" for c in cells[2:11]) + "  " + cells[11], flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
