// The character's colours: which part of the skin has which, with sharp borders.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "maker/polygoniser.h"

namespace marrow::character {

// Linear, as glTF has the colours of vertices, red, green, blue and alpha from 0 to 255.
using Colour = std::array<std::uint8_t, 4>;

inline constexpr Colour kIvory{217, 201, 172, 255};
inline constexpr Colour kSlate{26, 58, 78, 255};
inline constexpr Colour kAccent{232, 78, 14, 255};
inline constexpr Colour kVisor{5, 8, 14, 255};
inline constexpr Colour kGlow{96, 226, 246, 255};
inline constexpr Colour kSteel{168, 178, 190, 255};
inline constexpr Colour kWood{88, 42, 17, 255};
inline constexpr Colour kGold{214, 148, 38, 255};

// Returns the body with edges along the borders of its colours and of the visor's slope.
[[nodiscard]] Surface cut_at_borders(const Surface& body);

// Returns the colour of each triangle of such a body.
[[nodiscard]] std::vector<Colour> paint(const Surface& body);

}  // namespace marrow::character
