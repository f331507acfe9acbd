#include "drawn_box.h"

#include <array>
#include <vector>

#include "marrow/math/affine.h"
#include "marrow/skin/skinning.h"

namespace marrow::console {

Box drawn_box(const GuestHost& host) {
  Box box;
  std::array<Affine, kMaxGuestBones> palette;
  std::vector<Vec3> positions;
  for (const GuestDraw& draw : host.draws()) {
    const Vertices& vertices = draw.mesh->vertices;
    positions.resize(vertices.positions.size());
    if ((draw.mesh->flags & kGuestSkinned) != 0) {
      guest_palette(host, draw, palette);
      skin_vertices(vertices, {}, palette, {positions, {}, {}});
    } else {
      skin_vertices(vertices, {}, std::span<const Affine>{}, {positions, {}, {}});
    }
    for (const Vec3 position : positions) box = enclose(box, transform_point(draw.transform, position));
  }
  return box;
}

}  // namespace marrow::console
