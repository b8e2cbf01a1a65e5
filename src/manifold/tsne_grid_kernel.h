/* Loops of tsne_grid.h over points. No argument is checked; arrays must not overlap. */
#ifndef MN_MANIFOLD_TSNE_GRID_KERNEL_H
#define MN_MANIFOLD_TSNE_GRID_KERNEL_H
#include <stddef.h>

/* Where points are on a grid: (y - origin) / spacing in each of 1 or 2 dimensions; rows of the grid have `cols` nodes.
 */
typedef struct mn_tsne_position {
  size_t dims, cols;
  const double *origin;
  double spacing;
} mn_tsne_position;

/* Add a charge of 1 for each of n points y (n x dims) to the grid. */
void mn_tsne_spread(size_t n, const double *y, const mn_tsne_position *place, double *grid);

/* Interpolate the grid at n points: its values, and its gradient (n x dims). */
void mn_tsne_gather(size_t n, const double *y, const mn_tsne_position *place, const double *grid, double *value,
                    double *slope);

/* Subtract what the charges of the points themselves contribute; self[6 a + b] is the potential of a charge on a node,
 * a and b nodes away along the axes. */
void mn_tsne_subtract_self(size_t n, const double *y, const mn_tsne_position *place, const double *self, double *value,
                           double *slope);

/* out[j] = (1 + (r2 + x_j^2) / dof)^(-(dof + 1) / 2), where x_j = j spacing for j <= n / 2, else (n - j) spacing. */
void mn_tsne_kernel_row(size_t n, double r2, double spacing, double dof, double *out);

#endif
