/* Folds of cross-fitted encoders. */
#ifndef MN_ENCODE_CROSS_FITTING_H
#define MN_ENCODE_CROSS_FITTING_H
#include "../model/data.h"

/* How to split rows into folds: consecutive or shuffled, stratified by class. Ignored if data->folds is given. */
struct mn_cross_fitting {
  int64_t folds, seed;
  bool shuffle;
};

/* (*fold)[i]: the fold of row i, 0..*folds-1. At most one fold for each row; fails for a single row. */
mn_status mn_assign_folds(mn_context *ctx, const char *who, const mn_data *data, struct mn_cross_fitting how,
                          int32_t **fold, size_t *folds);

#endif
