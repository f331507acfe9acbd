#include "marrow/gpu/gl_skinning.h"

#include <algorithm>
#include <string>

#include "src/gpu/gl_context.h"

namespace marrow {
namespace {

// Whether the matrices of a block are of 4x4.
bool has_whole_matrices(const gl::Functions& gl, unsigned int program) {
  const char* name = "marrow_bones[0]";
  gl::Uint index = gl::kInvalidIndex;
  gl.GetUniformIndices(program, 1, &name, &index);
  gl::Int type = 0;
  if (index != gl::kInvalidIndex) gl.GetActiveUniformsiv(program, 1, &index, gl::kUniformType, &type);
  return type == static_cast<gl::Int>(gl::kFloatMat4);
}

Error unsuitable(ErrorCode code, std::string message) { return {code, std::move(message), {}}; }

Result<void> check_points(const gl::Context& context, const GlBindings& at) {
  const std::uint32_t block =
      std::max({at.frame_block, at.object_block, at.bones_block, at.inverse_binds_block, at.morphs_block});
  const std::uint32_t unit = std::max({at.bone_unit, at.inverse_bind_unit, at.morph_unit});
  if (block >= context.block_points) {
    return unsuitable(ErrorCode::invalid_argument, "there is no binding point " + std::to_string(block) +
                                                       " for uniform buffers: this device has " +
                                                       std::to_string(context.block_points));
  }
  if (unit >= context.texture_units) {
    return unsuitable(ErrorCode::invalid_argument, "there is no texture unit " + std::to_string(unit) +
                                                       ": this device has " + std::to_string(context.texture_units));
  }
  return {};
}

}  // namespace

Result<GlSkinning> GlSkinning::create(const GlDevice& device, unsigned int program, const GlBindings& bindings) {
  if (device.is_lost()) return lost_error();
  const gl::Functions& gl = device.context()->functions;
  if (const Result<void> good = check_points(*device.context(), bindings); !good) return good.error();
  gl.UseProgram(program);
  place_block(gl, program, "MarrowFrame", bindings.frame_block);
  place_block(gl, program, "MarrowObject", bindings.object_block);

  GlSkinning made;
  made.context_ = device.context();
  made.morph_block_bytes_ = place_block(gl, program, "MarrowMorphs", bindings.morphs_block);
  made.morphs_block_ = bindings.morphs_block;
  made.morph_unit_ = bindings.morph_unit;
  place_texture(gl, program, "marrow_morph_deltas", bindings.morph_unit);
  made.mode_location_ = gl.GetUniformLocation(program, "marrow_skinning_mode");
  made.bones_.block_bytes = place_block(gl, program, "MarrowBones", bindings.bones_block);
  if (made.bones_.block_bytes > 0) {
    made.has_bones_ = true;
    made.storage_ = has_whole_matrices(gl, program) ? PaletteStorage::uniform_4x4 : PaletteStorage::uniform_3x4;
    made.bones_.point = bindings.bones_block;
    made.inverse_binds_ = {place_block(gl, program, "MarrowInverseBinds", bindings.inverse_binds_block), -1,
                           bindings.inverse_binds_block};
    return made;
  }
  if (place_texture(gl, program, "marrow_bone_texture", bindings.bone_unit)) {
    place_texture(gl, program, "marrow_inverse_bind_texture", bindings.inverse_bind_unit);
    made.has_bones_ = true;
    made.storage_ = PaletteStorage::texture_3x4;
    made.bones_ = {0, gl.GetUniformLocation(program, "marrow_first_bone"), bindings.bone_unit};
    made.inverse_binds_ = {0, gl.GetUniformLocation(program, "marrow_first_inverse_bind"), bindings.inverse_bind_unit};
    return made;
  }
  if (made.morph_block_bytes_ > 0) return made;
  return unsuitable(ErrorCode::invalid_argument,
                    "the program reads no bones: it has neither MarrowBones nor marrow_bone_texture in use");
}

SkinTechnique GlSkinning::technique() const { return {storage_, mode_location_ >= 0}; }

namespace {

// A block that is smaller than what the program declares would be read past its end.
Result<void> check_size(std::uint32_t declared, std::size_t bytes, const char* what) {
  if (bytes >= declared) return {};
  return unsuitable(ErrorCode::size_mismatch, std::string("the program's block of ") + what + " has " +
                                                  std::to_string(declared) + " bytes, and the buffer was made for " +
                                                  std::to_string(bytes) + ": make both for the same number of them");
}

}  // namespace

Result<BufferBinding> GlSkinning::check(const Matrices& matrices, const PaletteBuffer& palettes, PaletteRef ref,
                                        std::uint32_t largest_joint, const char* what) const {
  if (!has_bones_)
    return unsuitable(ErrorCode::invalid_argument, "the program reads no bones: it has morph targets alone");
  if (largest_joint == kNoJoints) {
    return unsuitable(ErrorCode::invalid_argument, "the mesh has no joints: it was packed without");
  }
  const PaletteStorage storage = palettes.storage();
  if (storage != storage_ && !(is_texture(storage) && is_texture(storage_))) {
    return unsuitable(ErrorCode::invalid_argument, std::string("the program reads its ") + what + " from " +
                                                       to_string(storage_) + ", and they are in " + to_string(storage));
  }
  if (largest_joint >= ref.bones) {
    return unsuitable(ErrorCode::invalid_argument, "the mesh has joint " + std::to_string(largest_joint) + ", and of " +
                                                       what + " there are " + std::to_string(ref.bones));
  }
  const std::uint32_t declared = matrices.block_bytes / bone_bytes(storage);
  if (matrices.block_bytes > 0 && largest_joint >= declared) {
    return unsuitable(ErrorCode::invalid_argument, "the mesh has joint " + std::to_string(largest_joint) +
                                                       ", and the program declares " + std::to_string(declared) + " " +
                                                       what);
  }
  Result<BufferBinding> binding = palettes.binding(ref);
  if (!binding) return binding;
  if (const Result<void> fits = check_size(matrices.block_bytes, binding->bytes, what); !fits) return fits.error();
  return binding;
}

void GlSkinning::set(const Matrices& matrices, const BufferBinding& binding) const {
  const auto name = static_cast<gl::Uint>(binding.handle);
  if (matrices.block_bytes > 0) {
    context_->functions.BindBufferRange(gl::kUniformBuffer, matrices.point, name,
                                        static_cast<std::ptrdiff_t>(binding.offset),
                                        static_cast<std::ptrdiff_t>(matrices.block_bytes));
    return;
  }
  context_->functions.ActiveTexture(gl::kTexture0 + matrices.point);
  context_->functions.BindTexture(gl::kTexture2d, name);
  context_->functions.Uniform1i(matrices.first_location, static_cast<gl::Int>(binding.first_bone));
}

Result<void> GlSkinning::bind(const PaletteBuffer& palettes, PaletteRef palette, std::uint32_t largest_joint) const {
  const Result<BufferBinding> bones = check(bones_, palettes, palette, largest_joint, "bones");
  if (!bones) return bones.error();
  set(bones_, *bones);
  if (mode_location_ < 0) return {};
  context_->functions.Uniform1i(mode_location_, 0);
  // A block must be there even where the shader does not get to read it.
  set(inverse_binds_, *bones);
  return {};
}

Result<void> GlSkinning::bind(const PaletteBuffer& palettes, PaletteRef bones, const PaletteBuffer& inverse_binds,
                              PaletteRef skeleton, std::uint32_t largest_joint) const {
  if (mode_location_ < 0) {
    return unsuitable(ErrorCode::invalid_argument,
                      "the program cannot be bound to a skeleton: it has no marrow_skinning_mode");
  }
  const Result<BufferBinding> moved = check(bones_, palettes, bones, largest_joint, "bones");
  if (!moved) return moved.error();
  const Result<BufferBinding> still = check(inverse_binds_, inverse_binds, skeleton, largest_joint, "inverse binds");
  if (!still) return still.error();
  set(bones_, *moved);
  set(inverse_binds_, *still);
  context_->functions.Uniform1i(mode_location_, 1);
  return {};
}

Result<void> GlSkinning::bind_morphs(const MorphTargets& targets, const MorphBuffer& weights, MorphRef ref,
                                     std::uint32_t vertices) const {
  if (morph_block_bytes_ == 0) {
    return unsuitable(ErrorCode::invalid_argument, "the program has no morph targets: MarrowMorphs is not in use");
  }
  if (ref.texture != targets.texture() || ref.targets != targets.targets()) {
    return unsuitable(ErrorCode::invalid_argument, "the weights are for other morph targets");
  }
  if (vertices > targets.vertices()) {
    return unsuitable(ErrorCode::invalid_argument, "the mesh has " + std::to_string(vertices) +
                                                       " vertices, and its morph targets have " +
                                                       std::to_string(targets.vertices()));
  }
  if (morph_block_bytes(ref.targets) > morph_block_bytes_) {
    return unsuitable(ErrorCode::invalid_argument,
                      "the mesh has " + std::to_string(ref.targets) + " morph targets, and the program declares fewer");
  }
  const Result<BufferBinding> block = weights.binding(ref);
  if (!block) return block.error();
  if (Result<void> fits = check_size(morph_block_bytes_, block->bytes, "morph weights"); !fits) return fits;
  context_->functions.BindBufferRange(gl::kUniformBuffer, morphs_block_, static_cast<gl::Uint>(block->handle),
                                      static_cast<std::ptrdiff_t>(block->offset),
                                      static_cast<std::ptrdiff_t>(morph_block_bytes_));
  context_->functions.ActiveTexture(gl::kTexture0 + morph_unit_);
  context_->functions.BindTexture(gl::kTexture2d, static_cast<gl::Uint>(targets.texture()));
  return {};
}

}  // namespace marrow
