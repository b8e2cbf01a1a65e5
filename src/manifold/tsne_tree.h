/* The repulsion of t-SNE by the algorithm of Barnes & Hut, Nature 324 (1986), in up to three dimensions: distant groups
 * of points act as if they were in their center. Van der Maaten, JMLR 15 (2014). */
#ifndef MN_MANIFOLD_TSNE_TREE_H
#define MN_MANIFOLD_TSNE_TREE_H
#include "../core/context.h"

/* In depth-first order: what follows a node before `next` is inside of it. */
typedef struct mn_tsne_node {
  double center[3], count;
  double width2; /* squared longest side of the box of its points; -1 for a leaf, whose points act one by one */
  size_t next, begin, end;
} mn_tsne_node;

typedef struct mn_tsne_tree {
  size_t n, dims, size;
  mn_tsne_node *node;           /* 2 n, of which `size` are used             */
  double *points;               /* n x dims, those of a node contiguous      */
  int32_t *index;               /* n: their rows                             */
  double *spare;                /* n x dims, of the partition                */
  int32_t *spare_index, *child; /* n                                         */
} mn_tsne_tree;

/* Allocate for n points (1 to 3 dims); fill. */
mn_status mn_tsne_tree_init(mn_context *ctx, size_t n, size_t dims, mn_tsne_tree *t);
void mn_tsne_tree_fill(mn_tsne_tree *t, const double *y);

/* Repulsion (dims) of the point at y, and the sum of w, by groups whose width is below `angle` times their distance.
 * The point itself counts with w = 1. */
double mn_tsne_tree_repel(const mn_tsne_tree *t, const double *y, double angle, double dof, double *repulsion);

#endif
