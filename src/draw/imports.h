// What this module uses of other modules beyond their public headers, and what for. Internal.
#pragma once

#include "src/gpu/gl_context.h"  // functions of OpenGL, the context, programs, and their errors
