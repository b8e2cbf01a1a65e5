/* Tasks on one column at a time: gather its values from the rows, sort them, find quantiles. */
#ifndef MN_PREPROCESS_COLUMN_VALUES_H
#define MN_PREPROCESS_COLUMN_VALUES_H
#include "../core/threads.h"
#include "../model/data.h"

/* The values of a column that are not missing, initially in the order of the rows. They belong to the task, which may
 * sort or change them. */
struct mn_column_values {
  double *at, *weight; /* size each; weight is NULL if all weights are 1 */
  size_t size;
  double missing;        /* sample weight of the missing values */
  mn_cancel_token token; /* polled between passes over a long column; a cancelled sort leaves the column as it is */
};

typedef void (*mn_column_task)(void *work, size_t column, struct mn_column_values *values);

/* Called on the calling thread after the task of a column, in the order of the columns; may allocate. */
typedef mn_status (*mn_column_finish)(mn_context *ctx, void *work, size_t column, struct mn_column_values *values);

/* Run `task` for each column in parallel, and then `finish`, which may be NULL. Uses scratch for a few columns at a
 * time. In a factor column a code of -1 (an unknown level) is treated as a missing value. */
mn_status mn_for_each_column(mn_context *ctx, const mn_data *data, mn_column_task task, mn_column_finish finish,
                             void *work);

/* Sort the values and their weights in ascending order; equal values in any order. */
void mn_sort_column(struct mn_column_values *c);

/* The same for use with mn_next_distinct: if there are few distinct values, equal ones are merged and their weights
 * summed. */
void mn_group_column(struct mn_column_values *c);

/* Sum of the weights. */
double mn_column_weight(const struct mn_column_values *c);

/* Iterate over the distinct values of a sorted column. *i is the position, initially 0. Returns false at the end, else
 * sets the next value and the sum of its weights. -0 and 0 are the same value. */
bool mn_next_distinct(const struct mn_column_values *c, size_t *i, double *value, double *weight);

/* Scale weights to frequencies, for results that depend on the number of rows: weights whose mean is below 1 are
 * divided by their mean. */
mn_status mn_frequency_weights(mn_context *ctx, const mn_data *given, mn_data *data);

/* Quantiles as computed by mn_quantiles (stats/quantile.h), in place, for use in a task: linear interpolation between
 * order statistics (R's type 7, NumPy's default), where with n values the quantile q is at position q (n - 1), counted
 * from 0. Weights are frequencies: weight k is the value k times, in units of mn_weight_unit (quantile.h).
 *
 *   q         n levels in [0, 1]
 *   quantile  out: n; NaN for an empty column
 *
 * Reorders the column. */
void mn_column_quantiles(struct mn_column_values *c, size_t n, const double *q, double *quantile);

/* The same for type 2 of Hyndman & Fan: the smallest value with at least the fraction q of the weight up to it,
 * averaged with the next one if the fraction is met exactly. Does not depend on the scale of the weights. */
void mn_column_inverted_quantiles(struct mn_column_values *c, size_t n, const double *q, double *quantile);

#endif
