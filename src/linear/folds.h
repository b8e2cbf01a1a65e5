/* Cross-validation inside an estimator: folds by weight, and their fits in parallel. */
#ifndef MN_LINEAR_FOLDS_H
#define MN_LINEAR_FOLDS_H
#include "../model/data.h"

/* How much of the weight of each row belongs to a fold. A row of weight k counts as k rows, which may fall into
 * different folds: so weights mean the same as repeated rows.
 *
 *   test  folds x rows; a row of weights for each fold. What is left, weight - test, is for training
 *
 * Plain: runs of consecutive rows, the first ones longer by one where the sizes do not come out even, as scikit-learn's
 * KFold. Stratified (code not NULL): the same within each class, longer ones spread as in StratifiedKFold. */
typedef struct mn_folds {
  size_t count, rows;
  double *test;
} mn_folds;

/* `who` is for messages: too few rows for so many folds. Scratch. */
mn_status mn_folds_make(mn_context *ctx, const char *who, const mn_data *data, int64_t count, mn_folds *out);
mn_status mn_folds_stratified(mn_context *ctx, const char *who, const mn_data *data, int64_t count, mn_folds *out);

/* The data of a fold: all rows, those that are not its own with their weight, the others with 0. `weights` is of the
 * caller: rows. */
mn_data mn_fold_train(const mn_folds *folds, const mn_data *data, size_t fold, double *weights);

/* f(ctx, work, 0..count-1) in parallel, each with a context of its own. The first failure, by fold, is that of all. */
typedef mn_status (*mn_fold_function)(mn_context *ctx, void *work, size_t fold);
mn_status mn_folds_run(mn_context *ctx, size_t count, mn_fold_function f, void *work);

#endif
