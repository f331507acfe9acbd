"""The character in Python: it stands, walks and runs through the world, waves and nods meanwhile, and has a sword in
its hand. The last second is played twice, from a snapshot.

    python3 character.py libmarrow.so assets

Needs nothing but the shared library and what comes with Python. examples/c and examples/rust do the same, and print the
same.
"""

import ctypes
import sys
from ctypes import (CFUNCTYPE, POINTER, Structure, byref, c_char_p, c_double, c_float, c_int32, c_uint32, c_uint64,
                    c_void_p)

ABI_VERSION = 5
EASE_SMOOTH = 1
STAGE_CHANGED = 1


class Error(Structure):
    _fields_ = [("status", c_int32), ("message", c_char_p), ("place", c_char_p)]


class Transform(Structure):
    _fields_ = [("translation", c_float * 3), ("rotation", c_float * 4), ("scale", c_float * 3)]


class Affine(Structure):
    _fields_ = [("m", c_float * 12)]


class PlayOptions(Structure):
    _fields_ = [("struct_size", c_uint32), ("set", c_uint32), ("speed", c_double), ("fade_in", c_double),
                ("loop", c_uint32), ("repetitions", c_uint32), ("weight", c_float), ("reserved", c_uint32)]


class LayerOptions(Structure):
    _fields_ = [("struct_size", c_uint32), ("mode", c_uint32), ("fill", c_uint32), ("weight", c_float),
                ("mask", POINTER(c_float)), ("mask_count", c_uint64)]


RUN_STAGE = CFUNCTYPE(c_uint32, c_void_p, c_void_p)


class PoseStage(Structure):
    _fields_ = [("struct_size", c_uint32), ("version", c_uint32), ("state_bytes", c_uint64), ("name", c_char_p),
                ("run", RUN_STAGE), ("context", c_void_p)]


# The arguments of what is called here; all return a status. Handles are numbers of 64 bits.
HANDLE, INDEX, NULL = c_uint64, c_uint32, None
FUNCTIONS = {
    "check_abi": [c_uint32],
    "model_load": [c_char_p, c_void_p, POINTER(HANDLE)],
    "model_destroy": [HANDLE],
    "model_find_clip": [HANDLE, c_char_p, POINTER(INDEX)],
    "model_find_joint": [HANDLE, c_char_p, POINTER(INDEX)],
    "model_branch_mask": [HANDLE, INDEX, INDEX, POINTER(c_float), c_uint64, POINTER(c_uint64)],
    "scene_create": [POINTER(HANDLE)],
    "scene_destroy": [HANDLE],
    "scene_update": [HANDLE, c_double, c_void_p],
    "instance_create": [HANDLE, HANDLE, c_void_p, POINTER(HANDLE)],
    "instance_node": [HANDLE, POINTER(HANDLE)],
    "instance_mixer": [HANDLE, POINTER(HANDLE)],
    "instance_attach": [HANDLE, HANDLE, c_char_p, c_void_p],
    "instance_palette": [HANDLE, INDEX, POINTER(Affine), c_uint64, POINTER(c_uint64)],
    "instance_snapshot_size": [HANDLE, POINTER(c_uint64)],
    "instance_save": [HANDLE, c_void_p, c_uint64, POINTER(c_uint64)],
    "instance_restore": [HANDLE, c_void_p, c_uint64],
    "instance_add_stage": [HANDLE, POINTER(PoseStage), POINTER(INDEX)],
    "pose_edit_dt": [c_void_p, POINTER(c_double)],
    "pose_edit_state": [c_void_p, POINTER(c_void_p), c_void_p],
    "pose_edit_local": [c_void_p, INDEX, POINTER(Transform)],
    "pose_edit_set_local": [c_void_p, INDEX, POINTER(Transform)],
    "node_world": [HANDLE, POINTER(Affine)],
    "node_set_local": [HANDLE, POINTER(Transform)],
    "mixer_play": [HANDLE, INDEX, INDEX, POINTER(PlayOptions), c_void_p],
    "mixer_cross_fade_to": [HANDLE, INDEX, INDEX, c_double, c_void_p, c_void_p],
    "mixer_add_layer": [HANDLE, POINTER(LayerOptions), POINTER(INDEX)],
    "mixer_fade_out_layer": [HANDLE, INDEX, c_double, c_uint32],
    "mixer_set_root_motion": [HANDLE, c_void_p],
    "mixer_root_motion": [HANDLE, POINTER(Transform)],
}


class Marrow:
    """The library: its functions without their prefix, which raise what it has to say where they fail."""

    def __init__(self, path):
        library = ctypes.CDLL(path)
        library.marrow_last_error.restype = POINTER(Error)
        for name, arguments in FUNCTIONS.items():
            function = getattr(library, "marrow_" + name)
            function.restype = c_int32
            function.argtypes = arguments
            setattr(self, name, self._checked(library, function))
        self.check_abi(ABI_VERSION)

    @staticmethod
    def _checked(library, function):
        def call(*arguments):
            if function(*arguments) != 0:
                error = library.marrow_last_error().contents
                raise RuntimeError(f"{error.message.decode()} {error.place.decode()}")
        return call

    def get(self, name, *arguments, kind=HANDLE):
        """Calls a function whose last argument is where its result goes, and returns that."""
        result = kind()
        getattr(self, name)(*arguments, byref(result))
        return result if issubclass(kind, Structure) else result.value


def hash_of(data):
    """FNV-1a: the same number on every machine."""
    value = 14695981039346656037
    for byte in data:
        value = (value ^ byte) * 1099511628211 & 0xFFFFFFFFFFFFFFFF
    return value


def make_nod(marrow, head):
    """Makes a pose stage that nods every two seconds. Its state bytes, which snapshots contain, are a double: the phase
    of the nod, from 0 to 1."""

    @RUN_STAGE
    def nod(_context, edit):
        dt = marrow.get("pose_edit_dt", edit, kind=c_double)
        state = c_void_p()
        marrow.pose_edit_state(edit, byref(state), NULL)
        phase = c_double.from_address(state.value)
        local = marrow.get("pose_edit_local", edit, head, kind=Transform)
        phase.value += dt / 2
        if phase.value >= 1:
            phase.value -= 1

        # The rotation times (tilt, 0, 0, 1), which set_local normalises. Products of floats are exact in double, so all
        # languages and machines get the same bits.
        tilt = c_float(0.3 * (phase.value if phase.value < 0.5 else 1 - phase.value)).value
        x, y, z, w = local.rotation
        local.rotation[:] = x + w * tilt, y + z * tilt, z - y * tilt, w - x * tilt
        marrow.pose_edit_set_local(edit, head, byref(local))
        return STAGE_CHANGED

    return nod


def main():
    marrow = Marrow(sys.argv[1])
    folder = sys.argv[2]
    model = marrow.get("model_load", f"{folder}/character.glb".encode(), NULL)
    sword_model = marrow.get("model_load", f"{folder}/sword.glb".encode(), NULL)
    idle, walk, run, wave = (marrow.get("model_find_clip", model, name, kind=INDEX)
                             for name in (b"idle", b"walk", b"run", b"wave"))

    scene = marrow.get("scene_create")
    hero = marrow.get("instance_create", scene, model, NULL)
    body = marrow.get("instance_node", hero)
    blade = marrow.get("instance_node", marrow.get("instance_create", scene, sword_model, NULL))
    marrow.instance_attach(hero, blade, b"grip_R", NULL)

    # The base layer moves everything; the one above it the chest and what is on it, alone.
    mixer = marrow.get("instance_mixer", hero)
    marrow.mixer_set_root_motion(mixer, NULL)
    marrow.mixer_play(mixer, 0, idle, NULL, NULL)
    chest = marrow.get("model_find_joint", model, b"chest", kind=INDEX)
    count = c_uint64()
    marrow.model_branch_mask(model, chest, 1, NULL, 0, byref(count))
    mask = (c_float * count.value)()
    marrow.model_branch_mask(model, chest, 1, mask, count, NULL)
    arms = LayerOptions(ctypes.sizeof(LayerOptions), 0, 0, 1, mask, count)
    layer = marrow.get("mixer_add_layer", mixer, byref(arms), kind=INDEX)
    waving = PlayOptions(ctypes.sizeof(PlayOptions), fade_in=0.2)

    # The function must live as long as the stage.
    nod = make_nod(marrow, marrow.get("model_find_joint", model, b"head", kind=INDEX))
    nodding = PoseStage(ctypes.sizeof(PoseStage), 1, ctypes.sizeof(c_double), b"nod", nod, NULL)
    marrow.get("instance_add_stage", hero, byref(nodding), kind=INDEX)

    marrow.instance_palette(hero, 0, NULL, 0, byref(count))
    palette = (Affine * count.value)()
    place = Transform((0, 0, 0), (0, 0, 0, 1), (1, 1, 1))

    def play(first, last):
        for frame in range(first, last + 1):
            if frame == 61:
                marrow.mixer_cross_fade_to(mixer, 0, walk, 0.3, NULL, NULL)
            if frame == 121:
                marrow.mixer_play(mixer, layer, wave, byref(waving), NULL)
            if frame == 181:
                marrow.mixer_cross_fade_to(mixer, 0, run, 0.4, NULL, NULL)
            if frame == 241:
                marrow.mixer_fade_out_layer(mixer, layer, 0.5, EASE_SMOOTH)
            if frame == 301:
                marrow.mixer_cross_fade_to(mixer, 0, idle, 0.3, NULL, NULL)
            marrow.scene_update(scene, 1 / 60, NULL)

            # The root motion of the clips moves the place in the world. None of them turns.
            step = marrow.get("mixer_root_motion", mixer, kind=Transform)
            for i in range(3):
                place.translation[i] += step.translation[i]
            marrow.node_set_local(body, byref(place))

            if frame % 60 == 0:
                marrow.instance_palette(hero, 0, palette, len(palette), NULL)
                m = marrow.get("node_world", blade, kind=Affine).m
                print(f"{frame // 60} s: palette {hash_of(bytes(palette)):016x}, "
                      f"sword at {m[3]:.6f} {m[7]:.6f} {m[11]:.6f}")

    play(1, 300)
    block = (ctypes.c_char * marrow.get("instance_snapshot_size", hero, kind=c_uint64))()
    marrow.instance_save(hero, block, len(block), byref(count))
    at = tuple(place.translation)
    play(301, 360)

    # The same second again.
    marrow.instance_restore(hero, block, count)
    place.translation[:] = at
    play(301, 360)

    marrow.scene_destroy(scene)
    marrow.model_destroy(sword_model)
    marrow.model_destroy(model)


main()
