/* Steps of the search for counterfactuals, which are rows near a given row: costs of changes, permitted values,
 * children of candidates, and the nearest point of a linearized boundary.
 *
 * Wachter, Mittelstadt & Russell, Harvard Journal of Law & Technology 31 (2018): the distance; Schleich, Geng, Zhang &
 * Suciu, VLDB 14 (2021), "GeCo": the genetic search that starts from changes of single columns */
#ifndef MN_EXPLAIN_COUNTERFACTUAL_H
#define MN_EXPLAIN_COUNTERFACTUAL_H
#include "../core/matrix.h"
#include <stdint.h>

enum mn_change_kind { MN_CHANGE_NONE, MN_CHANGE_REAL, MN_CHANGE_WHOLE, MN_CHANGE_LEVEL };

/* The row and what may change. Levels of factors are codes from 1. */
typedef struct mn_changes {
  size_t p;
  const double *row;        /* p                                                                       */
  const double *kind;       /* p: enum mn_change_kind                                                  */
  const double *scale;      /* p: the change of a number that costs 1; a change of level costs 1       */
  const double *low, *high; /* p: limits of changed numbers; the value of the row is always permitted  */
  bool squared;             /* the square root of the sum of squares in place of the sum               */
  double per_change;        /* cost of each changed column                                             */
} mn_changes;

/* The cost of each of the n candidates and the columns that it changes.
 *
 *   candidate  n x p
 *   cost       out, n
 *   count      out, n: the number of changed columns
 *   key        out, n: equal for equal sets of columns (for more than 52 columns with high probability only) */
void mn_change_costs(const mn_changes *c, size_t n, const double *candidate, double *cost, double *count, double *key);

/* Replace changed numbers by the nearest permitted ones: within the limits, whole where they must be, and not changed
 * by less than 1e-9 of the scale. */
void mn_permit_changes(const mn_changes *c, size_t n, double *candidate);

/* Children of a population that is sorted by fitness, best first: of two parents, each the better of two random ones,
 * or of one, with changes of some columns: to a value of the pool, part of the way back, or back.
 *
 *   population  n x p, n >= 1
 *   pool        permitted values, pool_rows x p, pool_rows >= 1
 *   child       out, children x p */
void mn_breed_changes(const mn_changes *c, const mn_matrix *population, const mn_matrix *pool, int64_t seed,
                      uint64_t generation, mn_matrix *child);

/* The nearest point to the row, with the levels of the candidate, whose numbers x satisfy
 *
 *     sum_j gradient_j (x_j - candidate_j) <= 0      x_j within the limits, x_j = row_j unless free_j
 *
 * for the distance of `c` without the cost per change; the point of least excess if none does. For the sum the columns
 * of the greatest effect |gradient_j| scale_j are used up first; for squares x_j - row_j = -t gradient_j scale_j^2.
 *
 *   gradient, free, out  p */
void mn_nearest_on_plane(const mn_changes *c, const double *candidate, const double *gradient, const double *free,
                         double *out);

#endif
