/* Forces of the layout of PaCMAP. Positions are stored by column: value c of point i is at [c * n + i]. No argument is
 * checked. */
#ifndef MN_NEIGHBOR_EMBEDDING_PACMAP_KERNEL_H
#define MN_NEIGHBOR_EMBEDDING_PACMAP_KERNEL_H
#include <stddef.h>
#include <stdint.h>

/* The pairs of one kind, as lists of the tails of each head. With z = 1 + |y_i - y_j|^2 a pair has the
 *
 *     loss weight z / (offset + z),  or weight / (1 + z) if it repels (offset 1). */
typedef struct mn_pacmap_kind {
  const size_t *start; /* heads + 1 */
  const int32_t *tail;
  float weight, offset;
  int repels;
} mn_pacmap_kind;

typedef struct mn_pacmap_field {
  size_t heads, tails, columns;
  const float *head, *tail; /* columns x heads, columns x tails */
  size_t kinds;
  const mn_pacmap_kind *kind;
} mn_pacmap_field;

/* force (columns x heads, out), the negative gradient, and loss (heads, out) of the heads begin .. end - 1. */
void mn_pacmap_forces(const mn_pacmap_field *f, size_t begin, size_t end, float *force, float *loss);

#endif
