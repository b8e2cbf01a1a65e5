#include "../core/clones.h"
#include "tsne_tree.h"
#include <math.h>

#define INLINE static inline __attribute__((always_inline))

/* Add the repulsion of `count` points at `from`; returns their w. */
INLINE double add(size_t dims, const double *y, const double *from, double count, double per_dof, double power,
                  double *sum)
{
  double gap[3], square = 0;
  for (size_t c = 0; c < dims; c++) {
    gap[c] = y[c] - from[c];
    square += gap[c] * gap[c];
  }
  const double u = 1 / (1 + square * per_dof), w = count * (power == 1 ? u : pow(u, power));
  for (size_t c = 0; c < dims; c++) sum[c] += w * u * gap[c];
  return w;
}

INLINE double repel(const mn_tsne_tree *t, size_t dims, const double *y, double angle, double dof, double *out)
{
  const double per_dof = 1 / dof, power = (dof + 1) / 2, narrow = angle * angle;
  double sum[3] = { 0 }, similarity = 0;
  for (size_t at = 0; at < t->size;) {
    const mn_tsne_node *node = t->node + at;
    double square = 0;
    for (size_t c = 0; c < dims; c++) square += (y[c] - node->center[c]) * (y[c] - node->center[c]);
    if (node->width2 < 0) {
      for (size_t j = node->begin; j < node->end; j++)
        similarity += add(dims, y, t->points + j * dims, 1, per_dof, power, sum);
    } else if (node->width2 < narrow * square) {
      similarity += add(dims, y, node->center, node->count, per_dof, power, sum);
    } else {
      at++;
      continue;
    }
    at = node->next;
  }
  for (size_t c = 0; c < dims; c++) out[c] = sum[c];
  return similarity;
}

MN_CLONES(double, mn_tsne_tree_repel,
          (const mn_tsne_tree *t, const double *y, double angle, double dof, double *repulsion),
          (t, y, angle, dof, repulsion))
{
  if (t->dims == 1) return repel(t, 1, y, angle, dof, repulsion);
  if (t->dims == 2) return repel(t, 2, y, angle, dof, repulsion);
  return repel(t, 3, y, angle, dof, repulsion);
}
