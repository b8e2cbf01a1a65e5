/* Actions that all maps share: models whose field `embedding` has the coordinates of the training rows. For class
 * tables. */
#ifndef MN_ACTIONS_EMBEDDING_H
#define MN_ACTIONS_EMBEDDING_H
#include "../model/class.h"

/* .training_transform: a copy of the embedding. */
mn_status mn_training_embedding(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);

/* .outputs: the number of coordinates. */
size_t mn_embedding_columns(const void *self);

#endif
