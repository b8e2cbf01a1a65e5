#include "tsne_tree.h"
#include <string.h>

enum { LEAF = 8 };

mn_status mn_tsne_tree_init(mn_context *ctx, size_t n, size_t dims, mn_tsne_tree *t)
{
  *t = (mn_tsne_tree){ .n = n,
                       .dims = dims,
                       .node = MN_RAW(ctx, mn_tsne_node, n, 2),
                       .points = MN_RAW(ctx, double, n, dims),
                       .index = MN_RAW(ctx, int32_t, n, 1),
                       .spare = MN_RAW(ctx, double, n, dims),
                       .spare_index = MN_RAW(ctx, int32_t, n, 1),
                       .child = MN_RAW(ctx, int32_t, n, 1) };
  return t->node && t->points && t->index && t->spare && t->spare_index && t->child ? MN_OK : MN_NO_MEMORY;
}

/* The center of points begin .. end - 1, and the middle of their box. Returns its longest side. */
static double summarize(const mn_tsne_tree *t, size_t begin, size_t end, double *center, double *middle)
{
  double widest = 0;
  for (size_t c = 0; c < t->dims; c++) {
    double low = t->points[begin * t->dims + c], high = low, sum = 0;
    for (size_t i = begin; i < end; i++) {
      const double y = t->points[i * t->dims + c];
      low = y < low ? y : low;
      high = y > high ? y : high;
      sum += y;
    }
    center[c] = sum / (double)(end - begin);
    middle[c] = low + (high - low) / 2;
    if (high - low > widest) widest = high - low;
  }
  return widest;
}

/* Order points begin .. end - 1 by the part of the box they are in; `bound` gets the ends of the parts. */
static void partition(mn_tsne_tree *t, size_t begin, size_t end, const double *middle, size_t *bound)
{
  const size_t dims = t->dims, parts = (size_t)1 << dims;
  size_t place[9] = { 0 };
  for (size_t i = begin; i < end; i++) {
    int32_t part = 0;
    for (size_t c = 0; c < dims; c++) part |= (t->points[i * dims + c] > middle[c]) << c;
    t->child[i] = part;
    place[part + 1]++;
  }
  for (size_t part = 0; part < parts; part++) {
    place[part + 1] += place[part];
    bound[part] = begin + place[part + 1];
  }
  memcpy(t->spare + begin * dims, t->points + begin * dims, (end - begin) * dims * sizeof *t->points);
  memcpy(t->spare_index + begin, t->index + begin, (end - begin) * sizeof *t->index);
  for (size_t i = begin; i < end; i++) {
    const size_t to = begin + place[t->child[i]]++;
    memcpy(t->points + to * dims, t->spare + i * dims, dims * sizeof *t->points);
    t->index[to] = t->spare_index[i];
  }
}

/* Each side of a box is halved, so every split separates points and the depth is that of the exponents of a double. */
static void build(mn_tsne_tree *t, size_t begin, size_t end)
{
  const size_t self = t->size++;
  double middle[3];
  size_t bound[8];
  mn_tsne_node *node = t->node + self;
  *node = (mn_tsne_node){ .count = (double)(end - begin), .begin = begin, .end = end };
  const double widest = summarize(t, begin, end, node->center, middle);
  node->width2 = end - begin <= LEAF || !(widest > 0) ? -1 : widest * widest;
  if (node->width2 >= 0) {
    partition(t, begin, end, middle, bound);
    for (size_t part = 0, from = begin; part < (size_t)1 << t->dims; from = bound[part++])
      if (bound[part] > from) build(t, from, bound[part]);
  }
  node->next = t->size;
}

void mn_tsne_tree_fill(mn_tsne_tree *t, const double *y)
{
  t->size = 0;
  memcpy(t->points, y, t->n * t->dims * sizeof *y);
  for (size_t i = 0; i < t->n; i++) t->index[i] = (int32_t)i;
  build(t, 0, t->n);
}
