/* The repulsion of t-SNE by fast Fourier transforms, in one or two dimensions. The potential
 *
 *     phi(y) = sum_j w(|y - y_j|),    w(r) = (1 + r^2 / nu)^(-(nu + 1) / 2),
 *
 * without the point itself gives the normalization, sum_i phi(y_i), and the repulsion by its gradient. w is
 * interpolated by quintic splines on a grid in both arguments, so that the sum is a convolution of the grid:
 *
 *     w(|y - y'|) ~ sum_ab B(y - a) B(y' - b) c(a - b),    hat c = hat w / hat B^4
 *
 * with the B-spline B of each axis. The grid is padded to twice its size, so nothing wraps around. Interpolation on a
 * grid is from Linderman et al., Nature Methods 16 (2019), and the splines from particle-mesh methods (Essmann et al.,
 * J. Chem. Phys. 103 (1995)): smooth forces need one potential, where pieces of polynomials need four. */
#ifndef MN_MANIFOLD_TSNE_GRID_H
#define MN_MANIFOLD_TSNE_GRID_H
#include "../core/threads.h"
#include "../linalg/fft.h"

typedef struct mn_tsne_grid {
  size_t dims;               /* 1 or 2; the first axis of one dimension has one node */
  double dof, limit, margin; /* nu; the largest spacing of nodes; free space around the points, in spans */
  double spacing, low[2], high[2], origin[2]; /* high, low: range of the points that the grid covers */
  size_t nodes[2], size[2];                   /* of the potential; padded */
  mn_fft along[2];
  double *potential; /* nodes[0] x nodes[1]                                                        */
  double *kernel;    /* transform of c: blocks of 8 columns x size[0] x 8                          */
  double *spectrum;  /* the same of the potential, 2 numbers for each                              */
  double *charges;   /* blocks of points x nodes[0] x nodes[1]                                     */
  double *workspace; /* for each worker                                                            */
  size_t potential_size, kernel_size, spectrum_size, charges_size, workspace_size; /* allocated    */
  double self[36];       /* the potential of a charge on a node, up to 5 nodes away along each axis */
  double kernel_spacing; /* of `kernel`, and its sizes */
} mn_tsne_grid;

mn_tsne_grid mn_tsne_grid_make(size_t dims, double dof, double spacing, double margin);

/* The potential of n points y (n x dims). */
mn_status mn_tsne_grid_fill(mn_context *ctx, mn_tsne_grid *g, size_t n, const double *y);

/* potential[i] = phi(y_i), and slope (n x dims) = its gradient, for n points that the grid covers. `others`: y are
 * among the points of the potential, and their own contributions, whose errors would tie them to the grid, are left
 * out. */
void mn_tsne_grid_read(const mn_tsne_grid *g, size_t n, const double *y, bool others, double *potential, double *slope);

#endif
