// A device without a GPU: it keeps what is written to it, and counts.
#pragma once

#include <algorithm>
#include <cstring>
#include <map>
#include <vector>

#include "marrow/gpu/device.h"

namespace marrow::test {

class RecordingDevice {
 public:
  RecordingDevice() {
    device.context = std::shared_ptr<void>(std::shared_ptr<void>(), this);  // which it does not own
    device.create_buffer = [](void* self, BufferUse, std::size_t bytes) { return of(self).make(bytes, 0); };
    device.create_texture = [](void* self, std::uint32_t width, std::uint32_t height) {
      return of(self).make(std::size_t{width} * height * 16, width);
    };
    device.write_buffer = [](void* self, DeviceHandle handle, std::size_t offset, std::span<const std::byte> bytes) {
      of(self).write(handle, offset, bytes);
    };
    device.write_texture = [](void* self, DeviceHandle handle, std::uint32_t row, std::uint32_t rows,
                              std::span<const std::byte> bytes) {
      const std::size_t row_bytes = of(self).widths[handle] * std::size_t{16};
      of(self).well_formed = of(self).well_formed && bytes.size() == rows * row_bytes;
      of(self).write(handle, row * row_bytes, bytes);
    };
    device.destroy_buffer = device.destroy_texture = [](void* self, DeviceHandle handle) {
      of(self).well_formed = of(self).well_formed && of(self).memory.erase(handle) == 1;
    };
    device.is_lost = [](void* self) { return of(self).lost; };
  }
  RecordingDevice(const RecordingDevice&) = delete;
  RecordingDevice& operator=(const RecordingDevice&) = delete;

  Device device;
  std::map<DeviceHandle, std::vector<std::byte>> memory;
  std::map<DeviceHandle, std::uint32_t> widths;
  std::size_t max_bytes = std::size_t{1} << 30;  // of a buffer or texture
  bool lost = false;
  bool well_formed = true;  // no write outside of the memory, nothing freed twice
  int writes = 0, makes = 0;

  // The matrices of 3x4 at a binding.
  [[nodiscard]] std::vector<Affine> bones_at(const BufferBinding& binding, std::size_t count, bool texture) const {
    std::vector<Affine> bones(count);
    const std::size_t at = texture ? binding.first_bone * sizeof(Affine) : binding.offset;
    if (count > 0) std::memcpy(bones.data(), memory.at(binding.handle).data() + at, count * sizeof(Affine));
    return bones;
  }

 private:
  static RecordingDevice& of(void* self) { return *static_cast<RecordingDevice*>(self); }

  DeviceHandle make(std::size_t bytes, std::uint32_t width) {
    if (bytes > max_bytes) return 0;
    ++makes;
    const DeviceHandle handle = ++last_;
    memory[handle].resize(bytes);
    widths[handle] = width;
    return handle;
  }

  void write(DeviceHandle handle, std::size_t offset, std::span<const std::byte> bytes) {
    ++writes;
    std::vector<std::byte>& there = memory[handle];
    if (offset + bytes.size() > there.size()) {
      well_formed = false;
      return;
    }
    std::copy(bytes.begin(), bytes.end(), there.begin() + static_cast<std::ptrdiff_t>(offset));
  }

  DeviceHandle last_ = 0;
};

}  // namespace marrow::test
