/* Self-organizing maps: the struct, the grid of units, and training.
 *
 * Units u have positions on a grid in the plane and vectors c_u in the space of X. With b(x) the unit nearest to x and
 * h(u, b) a neighborhood that shrinks from pass to pass,
 *
 *   batch   c_u = sum_i w_i h(u, b(x_i)) x_i / sum_i w_i h(u, b(x_i))
 *   online  c_u := c_u + rate h(u, b(x_i)) (x_i - c_u)   for one row after the other
 *
 * Kohonen, Self-Organizing Maps (2001). */
#ifndef MN_TOPOGRAPHIC_SOM_H
#define MN_TOPOGRAPHIC_SOM_H
#include "../model/class.h"

struct mn_som {
  mn_estimator base;
  int64_t grid_rows, grid_columns, topology, neighborhood, algorithm, init, max_iter; /* parameters */
  int64_t radius_schedule, rate_schedule, seed;
  bool toroidal, shuffle;
  double radius, final_radius, learning_rate, final_learning_rate;
  mn_matrix start;
  mn_matrix codebook;  /* learned fields: units x features */
  mn_matrix positions; /* units x 2                        */
  mn_vector hits;      /* units                            */
  mn_indexes labels;   /* rows                             */
  double quantization_error, topographic_error;
  int64_t n_passes;
};

enum { MN_SOM_RECTANGULAR, MN_SOM_HEXAGONAL };
enum { MN_SOM_GAUSSIAN, MN_SOM_BUBBLE };
enum { MN_SOM_BATCH, MN_SOM_ONLINE };
enum { MN_SOM_LINEAR, MN_SOM_EXPONENTIAL };
enum { MN_SOM_PCA, MN_SOM_RANDOM };

/* --- the grid: som_grid.c. Unit r * grid_columns + c is in row r, column c; both from 0. --- */

/* Columns are 1 apart. In a hexagonal grid rows are sqrt(3) / 2 apart, and odd ones are shifted by 1 / 2. */
void mn_som_position(const struct mn_som *m, size_t unit, double *position);

/* Squared distance of two positions, on a torus the shorter way. */
double mn_som_distance2(const struct mn_som *m, const double *a, const double *b);

/* Whether two units are neighbors: up to 8 in a rectangular grid, 6 in a hexagonal one. */
bool mn_som_adjacent(const struct mn_som *m, size_t a, size_t b);

/* h for all units about `center`. */
void mn_som_neighborhood(const struct mn_som *m, double radius, size_t center, double *h);

/* --- training: som_fit.c --- */
mn_status mn_som_fit(mn_context *ctx, void *self, const mn_data *data);
mn_status mn_som_partial_fit(mn_context *ctx, void *self, const mn_data *data);

/* The nearest unit of each row, the weighted mean distance from it, and the share of rows whose two nearest units are
 * not neighbors. label: n; hits: units, the weight of the rows of each. */
mn_status mn_som_quality(mn_context *ctx, const struct mn_som *m, const mn_data *data, int32_t *label, double *hits,
                         double *quantization, double *topographic);

#endif
