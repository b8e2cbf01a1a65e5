/* Kernels in exported programs (src/model/program.h). */
#ifndef MN_SMOOTHING_SHAPE_PROGRAM_H
#define MN_SMOOTHING_SHAPE_PROGRAM_H
#include "kernel_shape.h"

/* The statement that defines factor = K(u) for a compact kernel and u >= 0. */
const char *mn_shape_program(mn_kernel_shape shape);

#endif
