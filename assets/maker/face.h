// The lights on the character's visor that are its eyes and its mouth.
#pragma once

#include "maker/mesh.h"

namespace marrow::character {

// Adds them to the mesh of the body, moved by the head, with the morph targets blink and smile.
void add_face(MeshData& body);

}  // namespace marrow::character
