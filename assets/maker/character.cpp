#include "maker/character.h"

#include "maker/body.h"
#include "maker/face.h"
#include "maker/glb_writer.h"
#include "maker/motions.h"
#include "maker/remesher.h"
#include "maker/weapons.h"

namespace marrow::character {
namespace {

std::vector<Vec3> normals_on(const Surface& body) {
  std::vector<Vec3> normals;
  normals.reserve(body.points.size());
  for (const Point& p : body.points) normals.push_back(to_vec3(slope_of(body_distance, p, 1e-4)));
  return normals;
}

MeshData make_body() {
  RemeshOptions options;
  options.distance = body_distance;
  options.edge_length = body_edge_length;
  const Surface body = cut_at_borders(remesh(polygonise(body_distance, kBodyGrid), options));
  MeshData mesh;
  mesh.name = "body";
  add_surface(mesh, body, paint(body), normals_on(body), body_influences(body));
  add_face(mesh);
  return mesh;
}

}  // namespace

Result<std::vector<AssetFile>> make_assets() {
  const Skeleton skeleton = make_skeleton();
  std::vector<Clip> clips;
  for (const Motion& motion : make_motions()) {
    const Result<Clip> clip = to_clip(motion, skeleton);
    if (!clip) return clip.error();
    clips.push_back(*clip);
  }
  std::vector<AssetFile> files;
  files.push_back({"character.glb", write_character(make_body(), skeleton, clips)});
  files.push_back({"sword.glb", write_thing(make_sword())});
  files.push_back({"axe.glb", write_thing(make_axe())});
  return files;
}

}  // namespace marrow::character
