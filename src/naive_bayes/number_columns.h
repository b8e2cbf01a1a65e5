/* Numeric columns of mixed data in each class: moments, and the rows themselves for kernel densities. NaN is a missing
 * value, which is left out. */
#ifndef MN_NAIVE_BAYES_NUMBER_COLUMNS_H
#define MN_NAIVE_BAYES_NUMBER_COLUMNS_H
#include "../model/class.h"

/* All are 0 in columns of another type. */
typedef struct mn_column_moments {
  mn_matrix seen, mean, var; /* classes x features: sum of the weights, mean, and variance (divisor: seen) */
} mn_column_moments;

/* Merge the rows of `data`; columns: features. */
mn_status mn_add_moments(mn_context *ctx, const mn_data *data, const bool *columns, mn_column_moments *t);

/* Moments of column j with the weights w (classes); all 0 if there is no value. */
typedef struct mn_number_moments {
  double seen, mean, var;
} mn_number_moments;
mn_number_moments mn_pool_moments(const mn_column_moments *t, size_t j, const double *w);

/* The distinct values of each column in each class, ascending, with the sums of their weights. */
typedef struct mn_column_points {
  mn_vector at, weight; /* feature after feature, class after class            */
  mn_matrix count;      /* features x classes: number of values; empty: unused */
} mn_column_points;

mn_status mn_add_points(mn_context *ctx, const mn_data *data, const bool *columns, mn_column_points *t);

/* R's rule bw.nrd0 for n sorted values: 0.9 min(sd, IQR / 1.34) N^(-1/5), N the number of rows that the weights stand
 * for. 0 if the values are equal. Silverman, Density Estimation (1986), equation (3.31). */
mn_status mn_rule_of_thumb(mn_context *ctx, size_t n, const double *x, const double *weight, double *width);

#endif
