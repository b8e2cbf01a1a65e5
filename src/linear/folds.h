/* Cross-validation inside an estimator: folds by sample weight, and their fits in parallel. */
#ifndef MN_LINEAR_FOLDS_H
#define MN_LINEAR_FOLDS_H
#include "../model/data.h"

/* The part of the weight of each row that belongs to each fold. A row of weight k counts as k rows, which may fall into
 * different folds, so weights are equivalent to repeated rows.
 *
 *   test  folds x rows: the weight of each row in the test set of each fold; weight - test is used for training
 *
 * Plain folds are runs of consecutive rows, the first ones longer by one if the rows do not divide evenly, as in
 * scikit-learn's KFold. Stratified folds (code not NULL) do the same within each class, as StratifiedKFold. data->folds
 * replaces both. */
typedef struct mn_folds {
  size_t count, rows;
  double *test;
} mn_folds;

/* Scratch memory. `who` names the estimator in the error message about too few rows. */
mn_status mn_folds_make(mn_context *ctx, const char *who, const mn_data *data, int64_t count, mn_folds *out);
mn_status mn_folds_stratified(mn_context *ctx, const char *who, const mn_data *data, int64_t count, mn_folds *out);

/* The training data of a fold: all rows, with their weight less that of the test set. `weights` (rows) is a buffer of
 * the caller. */
mn_data mn_fold_train(const mn_folds *folds, const mn_data *data, size_t fold, double *weights);

/* Call f(ctx, work, 0..count-1) in parallel, each with its own context. Returns the failure of the lowest fold. */
typedef mn_status (*mn_fold_function)(mn_context *ctx, void *work, size_t fold);
mn_status mn_folds_run(mn_context *ctx, size_t count, mn_fold_function f, void *work);

#endif
