/* Belief propagation on grids of pixels with one pairwise table: vectorized over the pixels of a row.
 *
 * Messages are stored relative to that for the first state, as ratios of probabilities in planes of rows x cols: with
 * two states one number for each pixel and direction. One sweep updates all messages from those before it. */
#ifndef MN_GRAPHICAL_GRID_H
#define MN_GRAPHICAL_GRID_H
#include "messages.h"

typedef struct mn_grid {
  size_t rows, cols, states;
  size_t neighbors;    /* 4 or 8                                                                      */
  const double *unary; /* rows * cols x states logarithms                                            */
  const double *table; /* states x states logarithms; the pixel above or to the left is the first    */
} mn_grid;

/* Whether ratios of messages stay within the range of doubles: the table spans at most a factor of exp(60). */
bool mn_grid_applicable(const mn_grid *g);

/* Marginals, rows * cols x states, and the Bethe approximation of the log partition function (may be NULL) by
 * sum-product, or with options->maximum max-marginals. Of the options, the schedule and rho are ignored. Unary
 * ratios are clipped at exp(200). */
mn_status mn_grid_propagate(mn_context *ctx, const mn_grid *g, const mn_message_options *options, double *marginals,
                            double *log_partition, mn_message_report *report);

#endif
