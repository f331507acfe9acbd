#include "marrow/gpu/gl_skinning.h"

#include <string>

#include "src/gpu/gl_functions.h"
#include "src/gpu/gl_program.h"

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

}  // namespace

Result<GlSkinning> GlSkinning::make(const GlDevice& device, unsigned int program, const GlBindings& bindings) {
  const gl::Functions& gl = device.functions();
  gl.UseProgram(program);
  place_block(gl, program, "MarrowFrame", bindings.frame_block);
  place_block(gl, program, "MarrowObject", bindings.object_block);

  GlSkinning made;
  made.gl_ = &gl;
  made.morph_block_bytes_ = place_block(gl, program, "MarrowMorphs", bindings.morphs_block);
  made.morphs_block_ = bindings.morphs_block;
  made.morph_unit_ = bindings.morph_unit;
  place_texture(gl, program, "marrow_morph_deltas", bindings.morph_unit);
  made.mode_location_ = gl.GetUniformLocation(program, "marrow_skinning_mode");
  made.can_be_bound_ = made.mode_location_ >= 0;
  made.bones_.block_bytes = place_block(gl, program, "MarrowBones", bindings.bones_block);
  if (made.bones_.block_bytes > 0) {
    made.storage_ = has_whole_matrices(gl, program) ? PaletteStorage::uniform_4x4 : PaletteStorage::uniform_3x4;
    made.bones_.point = bindings.bones_block;
    made.inverse_binds_ = {place_block(gl, program, "MarrowInverseBinds", bindings.inverse_binds_block), -1,
                           bindings.inverse_binds_block};
    return made;
  }
  if (place_texture(gl, program, "marrow_bone_texture", bindings.bone_unit)) {
    place_texture(gl, program, "marrow_inverse_bind_texture", bindings.inverse_bind_unit);
    made.storage_ = PaletteStorage::texture_3x4;
    made.bones_ = {0, gl.GetUniformLocation(program, "marrow_first_bone"), bindings.bone_unit};
    made.inverse_binds_ = {0, gl.GetUniformLocation(program, "marrow_first_inverse_bind"), bindings.inverse_bind_unit};
    return made;
  }
  return unsuitable(ErrorCode::invalid_argument,
                    "the program reads no bones: it has neither MarrowBones nor marrow_bone_texture in use");
}

SkinTechnique GlSkinning::technique() const { return {storage_, can_be_bound_}; }

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
  const PaletteStorage storage = palettes.storage();
  if (storage != storage_ && !(is_texture(storage) && is_texture(storage_))) {
    return unsuitable(ErrorCode::invalid_argument, std::string("the program reads its ") + what + " from " +
                                                       to_string(storage_) + ", and they are in " + to_string(storage));
  }
  if (largest_joint >= ref.bones) {
    return unsuitable(ErrorCode::invalid_argument, "the mesh has joint " + std::to_string(largest_joint) + ", and of " +
                                                       what + " there are " + std::to_string(ref.bones));
  }
  Result<BufferBinding> binding = palettes.binding(ref);
  if (!binding) return binding;
  if (const Result<void> fits = check_size(matrices.block_bytes, binding->bytes, what); !fits) return fits.error();
  return binding;
}

void GlSkinning::set(const Matrices& matrices, const BufferBinding& binding) const {
  const auto name = static_cast<gl::Uint>(binding.handle);
  if (matrices.block_bytes > 0) {
    gl_->BindBufferRange(gl::kUniformBuffer, matrices.point, name, static_cast<std::ptrdiff_t>(binding.offset),
                         static_cast<std::ptrdiff_t>(matrices.block_bytes));
    return;
  }
  gl_->ActiveTexture(gl::kTexture0 + matrices.point);
  gl_->BindTexture(gl::kTexture2d, name);
  gl_->Uniform1i(matrices.first_location, static_cast<gl::Int>(binding.first_bone));
}

Result<void> GlSkinning::bind(const PaletteBuffer& palettes, PaletteRef palette, std::uint32_t largest_joint) const {
  const Result<BufferBinding> bones = check(bones_, palettes, palette, largest_joint, "bones");
  if (!bones) return bones.error();
  set(bones_, *bones);
  if (!can_be_bound_) return {};
  gl_->Uniform1i(mode_location_, 0);
  // A block must be there even where the shader does not get to read it.
  set(inverse_binds_, *bones);
  return {};
}

Result<void> GlSkinning::bind(const PaletteBuffer& palettes, PaletteRef bones, const PaletteBuffer& inverse_binds,
                              PaletteRef skeleton, std::uint32_t largest_joint) const {
  if (!can_be_bound_) {
    return unsuitable(ErrorCode::invalid_argument,
                      "the program cannot be bound to a skeleton: it has no marrow_skinning_mode");
  }
  const Result<BufferBinding> moved = check(bones_, palettes, bones, largest_joint, "bones");
  if (!moved) return moved.error();
  const Result<BufferBinding> still = check(inverse_binds_, inverse_binds, skeleton, largest_joint, "inverse binds");
  if (!still) return still.error();
  set(bones_, *moved);
  set(inverse_binds_, *still);
  gl_->Uniform1i(mode_location_, 1);
  return {};
}

Result<void> GlSkinning::bind_morphs(const MorphTargets& targets, const MorphBuffer& weights, MorphRef ref) const {
  if (morph_block_bytes_ == 0) {
    return unsuitable(ErrorCode::invalid_argument, "the program has no morph targets: MarrowMorphs is not in use");
  }
  if (ref.targets != targets.targets()) {
    return unsuitable(ErrorCode::invalid_argument, "the weights are for " + std::to_string(ref.targets) +
                                                       " morph targets, and the mesh has " +
                                                       std::to_string(targets.targets()));
  }
  const Result<BufferBinding> block = weights.binding(ref);
  if (!block) return block.error();
  if (Result<void> fits = check_size(morph_block_bytes_, block->bytes, "morph weights"); !fits) return fits;
  gl_->BindBufferRange(gl::kUniformBuffer, morphs_block_, static_cast<gl::Uint>(block->handle),
                       static_cast<std::ptrdiff_t>(block->offset), static_cast<std::ptrdiff_t>(morph_block_bytes_));
  gl_->ActiveTexture(gl::kTexture0 + morph_unit_);
  gl_->BindTexture(gl::kTexture2d, static_cast<gl::Uint>(targets.texture()));
  return {};
}

}  // namespace marrow
