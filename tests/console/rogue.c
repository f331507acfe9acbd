/* A guest that gets everything wrong: in each frame one thing that a host must not believe, and then it draws its
 * triangle as if nothing had happened. rogue_test.cpp knows what is said of each. */
#define IMPORT(name) __attribute__((import_module("env"), import_name(#name)))
#define EXPORT(name) __attribute__((export_name(#name)))

typedef unsigned int u32;

/* Addresses are numbers here: most of those that are passed are none. */
IMPORT(load_skeleton) u32 load_skeleton(u32 matrices, u32 count);
IMPORT(skeleton_bind) void skeleton_bind(u32 skeleton);
IMPORT(set_bones) void set_bones(u32 matrices, u32 count);
IMPORT(load_mesh) u32 load_mesh(u32 vertices, u32 count, u32 format);
IMPORT(load_mesh_indexed) u32 load_mesh_indexed(u32 vertices, u32 count, u32 indices, u32 index_count, u32 format);
IMPORT(load_mesh_packed) u32 load_mesh_packed(u32 vertices, u32 count, u32 format);
IMPORT(load_mesh_packed_indexed)
u32 load_mesh_packed_indexed(u32 vertices, u32 count, u32 indices, u32 index_count, u32 format);
IMPORT(transform_identity) void transform_identity(void);
IMPORT(transform_set) void transform_set(u32 matrix);
IMPORT(transform_set_position) void transform_set_position(float x, float y, float z);
IMPORT(draw_mesh) void draw_mesh(u32 mesh);
IMPORT(buttons) u32 buttons(u32 player);

#define AT(object) ((u32) & (object))
#define END 131072u /* of the memory; the linker is told so */
#define LOW 16u /* somewhere in it, the same for every compiler */
#define HUGE 0x80000000u
#define MOST 0xffffffffu
#define UV 1u
#define NORMAL 4u
#define SKINNED 8u

static const float kNan = __builtin_nanf(""), kInfinity = __builtin_inff();

static float matrices[300][12]; /* all of them the identity, but for what a frame puts in */
static unsigned char odd[1 + 2 * 48];
static float triangle[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
static float not_finite[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
static unsigned short packed[3][4] = {{0, 0, 0, 0x3c00}, {0x3c00, 0, 0, 0x3c00}, {0, 0x3c00, 0, 0x3c00}};
static unsigned short indices[] = {0, 1, 2, 0}, wild[] = {0, 1, 3};
static struct {
  float position[3];
  unsigned char bones[4], weights[4];
} skinned[3] = {{{0, 0, 0}, {0, 1, 0, 0}, {128, 127, 0, 0}},
                {{1, 0, 0}, {255, 0, 0, 0}, {255, 0, 0, 0}},
                {{0, 1, 0}, {1, 0, 0, 0}, {255, 0, 0, 0}}};
static u32 mesh, skeleton, frame;

/* What was refused must not have a handle; what was not, must. */
static void refused(u32 handle) {
  if (handle != 0) __builtin_trap();
}
static u32 accepted(u32 handle) {
  if (handle == 0) __builtin_trap();
  return handle;
}

EXPORT(init) void init(void) {
  for (u32 i = 0; i < 300; ++i) matrices[i][0] = matrices[i][5] = matrices[i][10] = 1;
  for (u32 i = 0; i < 2 * 48; ++i) odd[1 + i] = ((const unsigned char*)matrices)[i];
  mesh = accepted(load_mesh(AT(triangle), 3, 0));
  skeleton = accepted(load_skeleton(AT(matrices), 2));
}

EXPORT(update) void update(void) { ++frame; }

static void load_wrong_skeletons(void) {
  switch (frame) {
    case 1: return refused(load_skeleton(0, 2));
    case 2: return refused(load_skeleton(AT(matrices), 0));
    case 3: return refused(load_skeleton(AT(matrices), 300));
    case 4: return refused(load_skeleton(AT(matrices), HUGE));
    case 5: return refused(load_skeleton(AT(matrices), MOST));
    case 6: return refused(load_skeleton(END, 1));
    case 7: return refused(load_skeleton(END - 47, 1));
    case 8: return refused(load_skeleton(MOST, 256));
    case 9:
      matrices[1][7] = kNan;
      accepted(load_skeleton(AT(matrices), 2));
      matrices[1][7] = 0;
      return;
    case 10: accepted(load_skeleton(AT(odd) + 1, 2)); return;
    case 11: accepted(load_skeleton(END - 48, 1)); return;
  }
}

static void set_wrong_bones(void) {
  skeleton_bind(skeleton);
  switch (frame) {
    case 12: skeleton_bind(99); break;
    case 13: skeleton_bind(MOST); break;
    case 14: set_bones(AT(matrices), 300); break;
    case 15: set_bones(AT(matrices), HUGE); break;
    case 16: set_bones(AT(matrices), MOST); break;
    case 17: set_bones(0, 2); break;
    case 18: set_bones(END, 2); break;
    case 19: set_bones(END - 95, 2); break;
    case 20: set_bones(MOST, 1); break;
    case 21: set_bones(AT(matrices), 1); break;
    case 22: set_bones(AT(matrices), 3); break;
    case 23: set_bones(0, 0); break;
    case 24:
      matrices[0][3] = kInfinity;
      set_bones(AT(matrices), 2);
      matrices[0][3] = 0;
      break;
    case 25: set_bones(AT(odd) + 1, 2); break;
  }
}

static void load_wrong_meshes(void) {
  const u32 vertices = AT(triangle), halves = AT(packed), corners = AT(indices);
  switch (frame) {
    case 26: return refused(load_mesh(vertices, 3, 16));
    case 27: return refused(load_mesh(vertices, 3, MOST));
    case 28: return refused(load_mesh(vertices, 0, 0));
    case 29: return refused(load_mesh(0, 3, 0));
    case 30: return refused(load_mesh(END, 3, 0));
    case 31: return refused(load_mesh(END - 35, 3, 0));
    case 32: return refused(load_mesh(LOW, HUGE, 0));
    case 33: return refused(load_mesh(LOW, MOST, UV | NORMAL | SKINNED));
    case 34: return refused(load_mesh(vertices, 2, 0));
    case 35:
      not_finite[1][2] = kNan;
      return refused(load_mesh(AT(not_finite), 3, 0));
    case 36: return refused(load_mesh_indexed(vertices, 3, 0, 3, 0));
    case 37: return refused(load_mesh_indexed(vertices, 3, corners, 0, 0));
    case 38: return refused(load_mesh_indexed(vertices, 3, corners, 4, 0));
    case 39: return refused(load_mesh_indexed(vertices, 3, AT(wild), 3, 0));
    case 40: return refused(load_mesh_indexed(vertices, 3, END - 5, 3, 0));
    case 41: return refused(load_mesh_indexed(vertices, 3, LOW, HUGE, 0));
    case 42: return refused(load_mesh_indexed(vertices, 3, LOW, MOST, 0));
    case 43: return refused(load_mesh_indexed(0, 3, 0, 3, 0));
    case 44: return refused(load_mesh_packed(halves, 3, 32));
    case 45: return refused(load_mesh_packed(halves, 0, 0));
    case 46: return refused(load_mesh_packed(END - 23, 3, 0));
    case 47: return refused(load_mesh_packed(LOW, MOST, 0));
    case 48: return refused(load_mesh_packed_indexed(0, 3, corners, 3, 0));
    case 49: return refused(load_mesh_packed_indexed(halves, 3, MOST, 3, 0));
    case 50: return refused(load_mesh_packed_indexed(halves, 3, AT(wild), 3, 0));
    case 51: accepted(load_mesh_packed_indexed(halves, 3, corners, 3, 0)); return;
    case 52: accepted(load_mesh(AT(skinned), 3, SKINNED)); return;
    case 53:
      skinned[0].weights[0] = 100;
      skinned[2].weights[0] = 0;
      accepted(load_mesh(AT(skinned), 3, SKINNED));
      return;
  }
}

static void draw_wrong(void) {
  switch (frame) {
    case 54: transform_set(0); break;
    case 55: transform_set(END); break;
    case 56: transform_set(END - 47); break;
    case 57:
      matrices[2][0] = kNan;
      transform_set(AT(matrices[2]));
      matrices[2][0] = 1;
      break;
    case 58: transform_set(AT(odd) + 1); break;
    case 59: transform_set_position(0, kNan, 0); break;
    case 60: transform_set_position(0, 0, -kInfinity); break;
    case 61: draw_mesh(0); break;
    case 62: draw_mesh(99); break;
    case 63: draw_mesh(MOST); break;
    case 64:
      for (u32 i = 0; i < 16; ++i) draw_mesh(mesh); /* as many as a frame of this host may have */
      break;
    case 65: refused(buttons(2) | buttons(MOST)); break;
    case 66: /* until the host refuses more */
      while (load_skeleton(AT(matrices), 256) != 0) {
      }
      break;
    case 67:
      while (load_mesh(AT(triangle), 3, 0) != 0) {
      }
      break;
  }
}

EXPORT(render) void render(void) {
  load_wrong_skeletons();
  set_wrong_bones();
  load_wrong_meshes();
  draw_wrong();
  transform_identity();
  draw_mesh(mesh);
}
