/* What the estimators KModes and KPrototypes have in common: all but their parameters. */
#ifndef MN_CLUSTER_PROTOTYPE_MODEL_H
#define MN_CLUSTER_PROTOTYPE_MODEL_H
#include "../model/operation.h"
#include "../model/program.h"
#include "prototypes.h"

typedef struct mn_prototype_model {
  mn_estimator base;
  int64_t n_clusters, init, n_init, max_iter, seed; /* parameters */
  double gamma;                                     /* KPrototypes */
  mn_feature_list categorical;                      /* KPrototypes; of KModes all columns are */
  mn_matrix cluster_centers;                        /* learned fields */
  mn_indexes labels;
  mn_vector counts;
  double inertia, mismatch_cost;
} mn_prototype_model;

extern const mn_class mn_kmodes;

mn_status mn_prototype_model_fit(mn_context *ctx, void *self, const mn_data *data);
mn_status mn_prototype_model_predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);
mn_status mn_prototype_model_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);
mn_status mn_prototype_model_summary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                     mn_results *results);
mn_status mn_prototype_model_export(mn_context *ctx, const void *self, mn_action action, mn_program *program);
mn_status mn_prototype_model_check(mn_context *ctx, const void *self);
void mn_prototype_model_warning(const void *self, mn_text_buffer *text);
size_t mn_prototype_model_outputs(const void *self);

#endif
