// The functions and names of OpenGL that marrow uses, found at run time, so that neither its headers nor a library of
// it are needed to build. Internal.
#pragma once

#include <cstddef>
#include <cstdint>

// How functions of OpenGL are called.
#if defined(_WIN32) && !defined(_WIN64)
#define MARROW_GL_CALL __stdcall
#else
#define MARROW_GL_CALL
#endif

namespace marrow::gl {

using Enum = unsigned int;
using Uint = unsigned int;
using Int = int;
using Size = int;
using Bool = unsigned char;

inline constexpr Enum kNoError = 0, kContextLost = 0x0507, kContextLostWebGl = 0x9242;
inline constexpr Enum kVersion = 0x1F02, kExtensions = 0x1F03, kNumExtensions = 0x821D;
inline constexpr Enum kMaxTextureSize = 0x0D33, kMaxVertexTextureUnits = 0x8B4C, kMaxUniformBlockSize = 0x8A30;
inline constexpr Enum kUniformBufferOffsetAlignment = 0x8A34, kMaxUniformBufferBindings = 0x8A2F;
inline constexpr Enum kMaxTextureUnits = 0x8B4D;
inline constexpr Enum kArrayBuffer = 0x8892, kElementArrayBuffer = 0x8893, kUniformBuffer = 0x8A11;
inline constexpr Enum kCopyWriteBuffer = 0x8F37, kStaticDraw = 0x88E4, kDynamicDraw = 0x88E8;
inline constexpr Enum kTexture2d = 0x0DE1, kTexture0 = 0x84C0, kRgba = 0x1908, kRgba32f = 0x8814, kNearest = 0x2600;
inline constexpr Enum kTextureMagFilter = 0x2800, kTextureMinFilter = 0x2801, kTextureMaxLevel = 0x813D;
inline constexpr Enum kUnsignedByte = 0x1401, kShort = 0x1402, kUnsignedShort = 0x1403;
inline constexpr Enum kUnsignedInt = 0x1405, kFloat = 0x1406, kHalfFloat = 0x140B, kPoints = 0, kLines = 1,
                      kTriangles = 4;
inline constexpr Enum kFloatMat4 = 0x8B5C;
inline constexpr Enum kVertexShader = 0x8B31, kFragmentShader = 0x8B30, kCompileStatus = 0x8B81, kLinkStatus = 0x8B82;
inline constexpr Enum kUniformBlockDataSize = 0x8A40, kUniformType = 0x8A37;
inline constexpr Enum kFramebuffer = 0x8D40, kReadFramebuffer = 0x8CA8, kDrawFramebuffer = 0x8CA9;
inline constexpr Enum kRenderbuffer = 0x8D41, kFramebufferComplete = 0x8CD5, kMaxSamples = 0x8D57;
inline constexpr Enum kMaxRenderbufferSize = 0x84E8;
inline constexpr Enum kColorAttachment0 = 0x8CE0, kDepthAttachment = 0x8D00, kNoBuffer = 0;
inline constexpr Enum kRgba8 = 0x8058, kSrgb8Alpha8 = 0x8C43, kDepthComponent24 = 0x81A6, kDepthComponent = 0x1902;
inline constexpr Enum kColorBufferBit = 0x4000, kDepthBufferBit = 0x0100;
inline constexpr Enum kBlend = 0x0BE2, kCullFace = 0x0B44, kDepthTest = 0x0B71, kScissorTest = 0x0C11;
inline constexpr Enum kPolygonOffsetFill = 0x8037, kStencilTest = 0x0B90, kDither = 0x0BD0;
inline constexpr Enum kProgramPointSize = 0x8642, kBack = 0x0405, kCounterclockwise = 0x0901, kClockwise = 0x0900;
inline constexpr Enum kOne = 1, kOneMinusSrcAlpha = 0x0303, kLess = 0x0201, kLequal = 0x0203, kTriangleStrip = 5;
inline constexpr Enum kLinear = 0x2601, kLinearMipmapLinear = 0x2703, kTextureWrapS = 0x2802, kTextureWrapT = 0x2803;
inline constexpr Enum kRepeat = 0x2901, kMirroredRepeat = 0x8370, kClampToEdge = 0x812F;
inline constexpr Enum kTextureCompareMode = 0x884C, kTextureCompareFunc = 0x884D, kCompareRefToTexture = 0x884E;
inline constexpr Enum kStreamDraw = 0x88E0;
inline constexpr Uint kInvalidIndex = 0xFFFFFFFFu;

// clang-format off
#define MARROW_GL_FUNCTIONS(X)                                                                       \
  X(void, ActiveTexture, (Enum unit))                                                                \
  X(void, AttachShader, (Uint program, Uint shader))                                                 \
  X(void, BindBuffer, (Enum target, Uint buffer))                                                    \
  X(void, BindBufferRange, (Enum target, Uint index, Uint buffer, std::ptrdiff_t offset, std::ptrdiff_t size)) \
  X(void, BindFramebuffer, (Enum target, Uint framebuffer))                                          \
  X(void, BindRenderbuffer, (Enum target, Uint renderbuffer))                                        \
  X(void, BindTexture, (Enum target, Uint texture))                                                  \
  X(void, BindVertexArray, (Uint array))                                                             \
  X(void, BlendFunc, (Enum source, Enum destination))                                                \
  X(void, BlitFramebuffer, (Int x0, Int y0, Int x1, Int y1, Int to_x0, Int to_y0, Int to_x1, Int to_y1, Uint mask, Enum filter)) \
  X(void, BufferData, (Enum target, std::ptrdiff_t size, const void* data, Enum usage))              \
  X(void, BufferSubData, (Enum target, std::ptrdiff_t offset, std::ptrdiff_t size, const void* data))\
  X(Enum, CheckFramebufferStatus, (Enum target))                                                     \
  X(void, Clear, (Uint mask))                                                                        \
  X(void, ClearColor, (float red, float green, float blue, float alpha))                             \
  X(void, ColorMask, (Bool red, Bool green, Bool blue, Bool alpha))                                  \
  X(void, CompileShader, (Uint shader))                                                              \
  X(Uint, CreateProgram, ())                                                                         \
  X(Uint, CreateShader, (Enum type))                                                                 \
  X(void, CullFace, (Enum face))                                                                     \
  X(void, DeleteBuffers, (Size count, const Uint* buffers))                                          \
  X(void, DeleteFramebuffers, (Size count, const Uint* framebuffers))                                \
  X(void, DeleteProgram, (Uint program))                                                             \
  X(void, DeleteRenderbuffers, (Size count, const Uint* renderbuffers))                              \
  X(void, DeleteShader, (Uint shader))                                                               \
  X(void, DeleteTextures, (Size count, const Uint* textures))                                        \
  X(void, DeleteVertexArrays, (Size count, const Uint* arrays))                                      \
  X(void, DepthFunc, (Enum function))                                                                \
  X(void, DepthMask, (Bool on))                                                                      \
  X(void, Disable, (Enum what))                                                                      \
  X(void, DrawArrays, (Enum mode, Int first, Size count))                                            \
  X(void, DrawBuffers, (Size count, const Enum* buffers))                                            \
  X(void, DrawElements, (Enum mode, Size count, Enum type, const void* offset))                      \
  X(void, Enable, (Enum what))                                                                       \
  X(void, EnableVertexAttribArray, (Uint index))                                                     \
  X(void, FramebufferRenderbuffer, (Enum target, Enum attachment, Enum kind, Uint renderbuffer))     \
  X(void, FramebufferTexture2D, (Enum target, Enum attachment, Enum kind, Uint texture, Int level))  \
  X(void, FrontFace, (Enum direction))                                                               \
  X(void, GenBuffers, (Size count, Uint* buffers))                                                   \
  X(void, GenFramebuffers, (Size count, Uint* framebuffers))                                         \
  X(void, GenRenderbuffers, (Size count, Uint* renderbuffers))                                       \
  X(void, GenTextures, (Size count, Uint* textures))                                                 \
  X(void, GenVertexArrays, (Size count, Uint* arrays))                                               \
  X(void, GenerateMipmap, (Enum target))                                                             \
  X(void, GetActiveUniformBlockiv, (Uint program, Uint block, Enum name, Int* value))                \
  X(void, GetActiveUniformsiv, (Uint program, Size count, const Uint* indices, Enum name, Int* values)) \
  X(Enum, GetError, ())                                                                              \
  X(void, GetIntegerv, (Enum name, Int* value))                                                      \
  X(void, GetProgramInfoLog, (Uint program, Size size, Size* length, char* log))                     \
  X(void, GetProgramiv, (Uint program, Enum name, Int* value))                                       \
  X(void, GetShaderInfoLog, (Uint shader, Size size, Size* length, char* log))                       \
  X(void, GetShaderiv, (Uint shader, Enum name, Int* value))                                         \
  X(const unsigned char*, GetString, (Enum name))                                                    \
  X(const unsigned char*, GetStringi, (Enum name, Uint index))                                       \
  X(Uint, GetUniformBlockIndex, (Uint program, const char* name))                                    \
  X(void, GetUniformIndices, (Uint program, Size count, const char* const* names, Uint* indices))    \
  X(Int, GetUniformLocation, (Uint program, const char* name))                                       \
  X(void, LinkProgram, (Uint program))                                                               \
  X(void, PolygonOffset, (float factor, float units))                                                \
  X(void, ReadBuffer, (Enum buffer))                                                                 \
  X(void, ReadPixels, (Int x, Int y, Size width, Size height, Enum pixel_format, Enum type, void* pixels)) \
  X(void, RenderbufferStorageMultisample, (Enum target, Size samples, Enum format, Size width, Size height)) \
  X(void, Scissor, (Int x, Int y, Size width, Size height))                                          \
  X(void, ShaderSource, (Uint shader, Size count, const char* const* texts, const Int* lengths))     \
  X(void, TexImage2D, (Enum target, Int level, Int format, Size width, Size height, Int border, Enum pixel_format, Enum type, const void* pixels)) \
  X(void, TexParameteri, (Enum target, Enum name, Int value))                                        \
  X(void, TexSubImage2D, (Enum target, Int level, Int x, Int y, Size width, Size height, Enum pixel_format, Enum type, const void* pixels)) \
  X(void, TransformFeedbackVaryings, (Uint program, Size count, const char* const* names, Enum mode))\
  X(void, Uniform1i, (Int location, Int value))                                                      \
  X(void, Uniform4fv, (Int location, Size count, const float* values))                               \
  X(void, UniformBlockBinding, (Uint program, Uint block, Uint binding))                             \
  X(void, UniformMatrix4fv, (Int location, Size count, Bool transpose, const float* values))         \
  X(void, UseProgram, (Uint program))                                                                \
  X(void, VertexAttrib4f, (Uint index, float x, float y, float z, float w))                          \
  X(void, VertexAttribIPointer, (Uint index, Int size, Enum type, Size stride, const void* offset))  \
  X(void, VertexAttribPointer, (Uint index, Int size, Enum type, Bool normalized, Size stride, const void* offset)) \
  X(void, Viewport, (Int x, Int y, Size width, Size height))
// clang-format on

struct Functions {
#define MARROW_GL_MEMBER(Return, Name, Arguments) Return(MARROW_GL_CALL* Name) Arguments = nullptr;
  MARROW_GL_FUNCTIONS(MARROW_GL_MEMBER)
#undef MARROW_GL_MEMBER
  Enum(MARROW_GL_CALL* GetGraphicsResetStatus)() = nullptr;  // null where there is none
};

}  // namespace marrow::gl
