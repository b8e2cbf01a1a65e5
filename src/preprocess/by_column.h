/* Work on one column at a time: its values gathered from the rows, sorted, searched for quantiles. */
#ifndef MN_PREPROCESS_BY_COLUMN_H
#define MN_PREPROCESS_BY_COLUMN_H
#include "../core/threads.h"
#include "../model/data.h"

/* The values of a column that are there, in the order of the rows. Belongs to the task: sort it, change it. */
struct mn_sorted_column {
  double *at, *weight; /* size; weight NULL: all 1 */
  size_t size;
  double missing;        /* weight of the missing values */
  mn_cancel_token token; /* asked between passes over a long column; one that was being sorted is left as it is */
};

typedef void (*mn_column_task)(void *work, size_t column, struct mn_sorted_column *values);

/* What follows a task on the calling thread, in the order of the columns; it may take
 * memory, scratch too. */
typedef mn_status (*mn_column_sequel)(mn_context *ctx, void *work, size_t column, struct mn_sorted_column *values);

/* Run the task for each column, over the threads, and then the sequel, which may be NULL. Takes scratch for a few
 * columns at a time. A code of -1 (a level that is not known) is passed over like a missing value where the column is a
 * factor. */
mn_status mn_each_column(mn_context *ctx, const mn_data *data, mn_column_task task, mn_column_sequel sequel,
                         void *work);

/* Ascending, weights with their values. Any order among equal values. */
void mn_sort_column(struct mn_sorted_column *c);

/* The same, for those who go on with mn_next_distinct: where few values are distinct they are merged, with the sum of
 * their weights. */
void mn_group_column(struct mn_sorted_column *c);

/* Sum of the weights. */
double mn_column_weight(const struct mn_sorted_column *c);

/* Walk over a sorted column by distinct values: *i is where to look, 0 at first. False at the end; else the next value
 * with the sum of its weights. -0 and 0 are one value. */
bool mn_next_distinct(const struct mn_sorted_column *c, size_t *i, double *value, double *weight);

/* Weights as numbers of rows, for what depends on how many there are: those of `given`, or, where their mean is below
 * 1, as many times as much as makes it 1. A small weight does not make the others count for more than a row each. */
mn_status mn_count_by_weight(mn_context *ctx, const mn_data *given, mn_data *data);

/* As mn_quantiles (stats/quantile.h), in the column itself, so that a task may call it: linear interpolation between
 * order statistics, as R's type 7 and NumPy's default: with n values the quantile q lies at position q (n - 1), counted
 * from 0. Weights are frequencies: weight k is the value k times, in units of mn_value_weight (quantile.h).
 *
 * quantile[i] of q[i] in [0, 1], for n of them; NaN for an empty column. Reorders the column. */
void mn_column_quantiles(struct mn_sorted_column *c, size_t n, const double *q, double *quantile);

/* The same for type 2 of Hyndman & Fan: the smallest value with at least the share q of the weight up to it, averaged
 * with the next one where that share is met exactly. All weights times a factor mean the same. */
void mn_column_inverted_quantiles(struct mn_sorted_column *c, size_t n, const double *q, double *quantile);

#endif
