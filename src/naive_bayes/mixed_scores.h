/* Log densities of columns of several types, summed over the columns of a row. */
#ifndef MN_NAIVE_BAYES_MIXED_SCORES_H
#define MN_NAIVE_BAYES_MIXED_SCORES_H
#include "../model/columns.h"
#include "category_table.h"
#include "number_columns.h"

enum mn_mixed_type { MN_MIXED_NUMBER, MN_MIXED_COUNT, MN_MIXED_FLAG, MN_MIXED_FACTOR };

typedef struct mn_mixed_rule {
  const int32_t *type; /* features */
  const mn_column_moments *moments;
  const mn_column_points *points;
  const mn_vector *class_count;
  double var_smoothing, adjust; /* added share of the variance; factor of bandwidths        */
  double pseudo_rows;           /* that pull a Poisson rate to the rate of all classes       */
} mn_mixed_rule;

/* Tables for prediction, features x classes; scratch. By type:
 *
 *   number   -z^2 / 2 + level, z = (x - center) / width = (x - center) scale
 *   kernel   log sum_i weight_i exp(-z_i^2 / 2) + level, z_i = (x - at_i) / width, if width > 0
 *   count    x level - center: level is the logarithm of the rate, center the rate
 *
 * A column that says nothing has scale 0 and level 0. */
typedef struct mn_mixed_scores {
  size_t features, classes;
  const int32_t *type;
  const double *start; /* classes */
  double *center, *scale, *level, *width;
  int32_t *first; /* features x classes + 1: where the points of the column in the class begin */
  const double *at, *weight;
  mn_category_scores categories;
} mn_mixed_scores;

/* All but start and categories. */
mn_status mn_make_mixed_scores(mn_context *ctx, const mn_mixed_rule *rule, mn_mixed_scores *s);

mn_status mn_mixed_log_proba(mn_context *ctx, const mn_mixed_scores *s, const mn_data *data, mn_matrix *out);

/* The same as a program, which has the table log_prob of the categories already. */
mn_status mn_mixed_program(mn_context *ctx, const mn_mixed_scores *s, bool refuses_unknown, mn_program *program);

#endif
