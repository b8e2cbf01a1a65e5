/* Forces of the layout of UMAP on some of its points. Positions are stored by column: value c of point i is at
 * [c * n + i]. No argument is checked. */
#ifndef MN_NEIGHBOR_EMBEDDING_UMAP_KERNEL_H
#define MN_NEIGHBOR_EMBEDDING_UMAP_KERNEL_H
#include <stddef.h>
#include <stdint.h>

/* Points that move, `heads`, and points that act on them, `tails`: the same ones in fit. Edge e leads from its head to
 * the tail col[e], and attracts with the weight rate[e]; `draws` tails, drawn again in each epoch, repel. */
typedef struct mn_umap_field {
  size_t heads, tails, columns;
  const float *head, *tail; /* columns x heads, columns x tails                             */
  const size_t *start;      /* heads + 1: edges of each head                                */
  const int32_t *col;
  const float *rate;
  const float *draws;   /* heads: mean number of repelling tails in an epoch                */
  float a, b;           /* of the curve                                                     */
  float pull, push;     /* factors of attraction and repulsion                              */
  uint64_t seed, epoch; /* of the draws; epochs count from 1                                */
  uint64_t spread;      /* 1: each head draws its own tails; 0: all the same                */
} mn_umap_field;

enum { MN_UMAP_CHUNK = 128 };

/* force (columns x heads, out) of the heads begin .. end - 1. `work`: (columns + 3) MN_UMAP_CHUNK values. */
void mn_umap_forces(const mn_umap_field *f, size_t begin, size_t end, float *work, float *force);

/* What densMAP adds to each head. */
typedef struct mn_umap_density {
  const float *membership, *spread; /* heads: P_i = sum_j q_ij, S_i = sum_j q_ij d_ij^2 */
  const float *slope;               /* heads: derivative of the objective by log(S_i / P_i) */
} mn_umap_density;

/* P and S of the heads begin .. end - 1. */
void mn_umap_radii(const mn_umap_field *f, size_t begin, size_t end, float *work, float *membership, float *spread);

/* Add the forces of the density to `force`. */
void mn_umap_density_forces(const mn_umap_field *f, const mn_umap_density *d, size_t begin, size_t end, float *work,
                            float *force);

#endif
