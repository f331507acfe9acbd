// Prints the positions of all bones at a time as the sampler of docs/export.md has them. Compiled with the folder of
// mesh.h, animation.h and sampler.h on the path.
#include <stdio.h>
#include <stdlib.h>

#include "animation.h"
#include "mesh.h"
#include "sampler.h"

int main(int argc, char **argv) {
  static float model[ANIMATION_BONE_COUNT][12];
  sample((float)atof(argv[argc - 1]), model);
  for (unsigned i = 0; i < BONE_COUNT; ++i) {
    printf("%s %.5f %.5f %.5f\n", BONE_NAMES[i], (double)model[i][3], (double)model[i][7], (double)model[i][11]);
  }
  return 0;
}
