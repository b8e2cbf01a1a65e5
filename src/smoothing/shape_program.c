#include "shape_program.h"

const char *mn_shape_program(mn_kernel_shape shape)
{
  switch (shape) {
  case MN_SHAPE_EPANECHNIKOV: return "real factor = u < 1 ? 1.0 - u * u : 0.0";
  case MN_SHAPE_LINEAR: return "real factor = u < 1 ? 1.0 - u : 0.0";
  case MN_SHAPE_COSINE: return "real factor = u < 1 ? cos(1.57079632679489661923 * u) : 0.0";
  case MN_SHAPE_BIWEIGHT: return "real v = u < 1 ? 1.0 - u * u : 0.0 real factor = v * v";
  case MN_SHAPE_TRIWEIGHT: return "real v = u < 1 ? 1.0 - u * u : 0.0 real factor = v * v * v";
  case MN_SHAPE_TRICUBE: return "real v = u < 1 ? 1.0 - u * u * u : 0.0 real factor = v * v * v";
  default: return "real factor = u < 1 ? 1.0 : 0.0";
  }
}
