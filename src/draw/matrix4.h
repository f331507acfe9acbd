// Matrices of 4x4 of the renderer. Internal.
#pragma once

namespace marrow {

// Products of matrices of 4x4, column by column.
inline void multiply(const float a[16], const float b[16], float out[16]) {
  for (int column = 0; column < 4; ++column) {
    for (int row = 0; row < 4; ++row) {
      float sum = 0;
      for (int k = 0; k < 4; ++k) sum += a[4 * k + row] * b[4 * column + k];
      out[4 * column + row] = sum;
    }
  }
}

}  // namespace marrow
