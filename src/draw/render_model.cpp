#include "src/draw/render_model.h"

#include <algorithm>
#include <utility>

#include "marrow/math/vec3.h"
#include "marrow/skin/influences.h"
#include "src/draw/imports.h"

namespace marrow {
namespace {

gl::Int wrap_of(Wrap wrap) {
  switch (wrap) {
    case Wrap::repeat: return static_cast<gl::Int>(gl::kRepeat);
    case Wrap::mirror: return static_cast<gl::Int>(gl::kMirroredRepeat);
    case Wrap::clamp: return static_cast<gl::Int>(gl::kClampToEdge);
  }
  return 0;
}

// The vertices as the shaders want them: at most four influences, and the set of texture coordinates that the material
// uses in the first place.
Vertices drawable(const Vertices& from, std::uint32_t uv_set) {
  Vertices out = from;
  if (uv_set > 0) {
    if (uv_set < out.uvs.size()) {
      std::swap(out.uvs[0], out.uvs[uv_set]);
    } else {
      out.uvs.clear();
    }
  }
  if (!out.uvs.empty() && out.uvs[0].empty()) out.uvs.clear();
  if (out.influences > 4) {
    Influences few = reduce_influences(out.joints, out.weights, out.influences, 4);
    out.influences = few.per_vertex;
    out.joints = std::move(few.joints);
    out.weights = std::move(few.weights);
  }
  return out;
}

VertexFormat format_of(const Vertices& vertices) {
  VertexFormat format;
  if (!vertices.uvs.empty()) format.uv = UvEncoding::f32x2;
  if (!vertices.colors.empty()) format.color = ColorEncoding::f32x4;
  if (!vertices.normals.empty()) format.normal = NormalEncoding::f32x3;
  if (vertices.influences > 0) format.joints = JointEncoding::u16x4;
  return format;
}

Vec3 middle_of(const Vertices& vertices) {
  Box box;
  for (const Vec3& position : vertices.positions) box = enclose(box, position);
  return is_empty(box) ? Vec3{} : (box.low + box.high) * 0.5f;
}

Result<RenderPart> make_part(const GlDevice& device, const Model& model, const MeshPart& part) {
  const std::uint32_t uv_set =
      part.material == kNone ? 0 : model.materials()[static_cast<std::size_t>(part.material)].base_color_texture.uv_set;
  const Vertices vertices = drawable(*part.vertices, uv_set);
  Result<GlMesh> mesh = GlMesh::create(device, vertices, part.indices, format_of(vertices), part.topology);
  if (!mesh) return mesh.error();
  RenderPart made{std::move(*mesh),        std::nullopt,       part.topology, part.material,
                  vertices.influences > 0, middle_of(vertices)};
  if (!vertices.targets.empty()) {
    Result<MorphTargets> targets = MorphTargets::create(device.device(), vertices);
    if (!targets) return targets.error();
    if (targets->texture() != 0) made.morphs = std::move(*targets);
  }
  return made;
}

}  // namespace

Result<RenderTexture> RenderTexture::create(const GlDevice& device, const Picture& picture) {
  gl::Context& context = *device.context();
  const gl::Functions& gl = context.functions;
  if (picture.width == 0 || picture.height == 0 || std::max(picture.width, picture.height) > context.max_picture_side ||
      picture.rgba.size() != std::size_t{picture.width} * picture.height * 4) {
    return Error{ErrorCode::limit_exceeded,
                 "a picture of " + std::to_string(picture.width) + " x " + std::to_string(picture.height) +
                     " pixels cannot be put on a surface",
                 {}};
  }
  RenderTexture made;
  made.context_ = device.context();
  context.drop_errors();
  gl.GenTextures(1, &made.name_);
  gl.ActiveTexture(context.upload_unit);
  gl.BindTexture(gl::kTexture2d, made.name_);
  gl.TexImage2D(gl::kTexture2d, 0, static_cast<gl::Int>(gl::kSrgb8Alpha8), static_cast<gl::Size>(picture.width),
                static_cast<gl::Size>(picture.height), 0, gl::kRgba, gl::kUnsignedByte, picture.rgba.data());
  gl.GenerateMipmap(gl::kTexture2d);
  if (!context.no_error()) return device_memory_error(picture.rgba.size());
  return made;
}

RenderTexture::RenderTexture(RenderTexture&& other) noexcept : RenderTexture() { *this = std::move(other); }

RenderTexture& RenderTexture::operator=(RenderTexture&& other) noexcept {
  std::swap(context_, other.context_);
  std::swap(name_, other.name_);
  return *this;
}

RenderTexture::~RenderTexture() {
  if (name_ != 0 && !context_->lost) context_->functions.DeleteTextures(1, &name_);
}

void RenderTexture::bind(unsigned int unit, const TextureUse& use) const {
  const gl::Functions& gl = context_->functions;
  gl.ActiveTexture(gl::kTexture0 + unit);
  gl.BindTexture(gl::kTexture2d, name_);
  gl.TexParameteri(gl::kTexture2d, gl::kTextureWrapS, wrap_of(use.wrap_u));
  gl.TexParameteri(gl::kTexture2d, gl::kTextureWrapT, wrap_of(use.wrap_v));
  gl.TexParameteri(gl::kTexture2d, gl::kTextureMinFilter, static_cast<gl::Int>(gl::kLinearMipmapLinear));
  gl.TexParameteri(gl::kTexture2d, gl::kTextureMagFilter,
                   static_cast<gl::Int>(use.nearest ? gl::kNearest : gl::kLinear));
}

Result<RenderModel> make_render_model(const GlDevice& device, const Model& model, const ImageDecoder& decode,
                                      std::vector<Warning>& warnings) {
  RenderModel made;
  made.model = model;
  for (std::size_t m = 0; m < model.meshes().size(); ++m) {
    made.meshes.emplace_back();
    for (std::size_t p = 0; p < model.meshes()[m].parts.size(); ++p) {
      const MeshPart& part = model.meshes()[m].parts[p];
      if (part.vertices->positions.empty() || part.indices.empty()) continue;
      Result<RenderPart> drawn = make_part(device, model, part);
      if (!drawn) {
        Error error = drawn.error();
        error.place = error.place.within(Place("meshes", m) / "parts" / p);
        return error;
      }
      made.meshes.back().push_back(std::move(*drawn));
    }
  }
  made.textures.resize(model.images().size());
  std::vector<bool> tried(model.images().size());
  for (const Material& material : model.materials()) {
    for (const TextureUse* use : {&material.base_color_texture, &material.emissive_texture}) {
      if (use->image == kNone || !decode) continue;
      const auto i = static_cast<std::size_t>(use->image);
      if (tried[i]) continue;
      tried[i] = true;
      const auto warn = [&](const Error& error) {
        warnings.push_back({error.message, error.place.within({"images", i})});
      };
      const Result<Picture> picture = decode(model.images()[i]);
      if (!picture) {
        warn(picture.error());
        continue;
      }
      Result<RenderTexture> texture = RenderTexture::create(device, *picture);
      if (!texture) {
        warn(texture.error());
        continue;
      }
      made.textures[i] = std::move(*texture);
    }
  }
  return made;
}

}  // namespace marrow
