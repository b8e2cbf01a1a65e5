/* A step of the Adam optimizer: Kingma & Ba, ICLR 2015. */
#ifndef MN_NEIGHBOR_EMBEDDING_ADAM_KERNEL_H
#define MN_NEIGHBOR_EMBEDDING_ADAM_KERNEL_H
#include <stddef.h>

typedef struct mn_adam {
  float beta1, beta2; /* decay of the moments               */
  float rate;         /* of this step, moments corrected: see mn_adam_rate */
  float epsilon;
} mn_adam;

/* Values are processed in full blocks of this size, so that a result does not depend on the position of its value. */
enum { MN_ADAM_LANES = 16 };

/* y := y + rate mean / (sqrt(square) + epsilon), with the decaying means of the forces and of their squares. Arrays of
 * MN_ADAM_LANES blocks values, which must not overlap. */
void mn_adam_step(const mn_adam *adam, size_t blocks, const float *restrict force, float *restrict mean,
                  float *restrict square, float *restrict y);

#endif
