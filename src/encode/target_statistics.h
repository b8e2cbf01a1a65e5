/* Statistics of the target in each category, and what encoders based on them share.
 *
 * A slot is a category of a column; the slots of the columns follow each other, and the last slot, that of unknown
 * categories, counts all rows. The target is y for regression, the second of two classes as 0 or 1, or one such
 * indicator for each of more than two classes. Without y only sample weights are summed. */
#ifndef MN_ENCODE_TARGET_STATISTICS_H
#define MN_ENCODE_TARGET_STATISTICS_H
#include "categories.h"
#include "cross_fitting.h"

struct mn_target_statistics {
  size_t slots, targets;
  int exponent;   /* y is in units of 2^exponent, 0 unless squares would overflow or underflow            */
  double *weight; /* slots: sum of the sample weights                                                    */
  double *mean;   /* slots x targets; 0 for an empty slot                                                */
  double *square; /* slots x targets: weighted sum of squared deviations from the mean                   */
};

/* An encoder that replaces each category by `targets` numbers. The struct of the estimator begins with it. */
typedef struct mn_category_encoder {
  mn_estimator base;
  struct mn_categories categories;
  mn_matrix encodings; /* slots x targets */
} mn_category_encoder;

/* Compute the encodings, slots x targets, from the statistics and in their unit. */
typedef void (*mn_encode_function)(const void *self, const struct mn_target_statistics *s, double *encoding);

#define MN_TARGET_ENCODER_FIELDS(type)                                                                                 \
  MN_CATEGORY_FIELDS(type, encoder.categories),                                                                        \
  {                                                                                                                    \
    .name = "encodings", .kind = MN_KIND_MATRIX, .offset = offsetof(type, encoder.encodings),                          \
    .shape = "encoded x values",                                                                                       \
    .brief = "encoding of each category, column after column; the last row is for unknown categories"                  \
  }

/* Number of targets: 1, or the number of classes if there are more than two. */
size_t mn_encoder_targets(const mn_estimator *model, const mn_data *data);

/* Statistics of the rows of each fold: `folds` structs, in scratch. fold[i] < folds; NULL: one fold. */
mn_status mn_target_statistics_init(mn_context *ctx, const mn_category_encoder *m, const mn_data *data,
                                    const int32_t *fold, size_t folds, struct mn_target_statistics **out);

/* Learn categories and encodings. */
mn_status mn_fit_target_encoder(mn_context *ctx, mn_category_encoder *m, const mn_data *data,
                                mn_encode_function encode);

/* Encode the training rows, each by the statistics of the other folds. */
mn_status mn_cross_fit(mn_context *ctx, const mn_category_encoder *m, const mn_data *data, struct mn_cross_fitting how,
                       mn_encode_function encode, mn_matrix *out);

/* slot[i * features + j]: the slot of feature j of row i; in scratch. */
mn_status mn_row_slots(mn_context *ctx, const mn_category_encoder *m, const mn_data *data, int32_t **slot);

/* Members of a class table. */
mn_status mn_target_encoder_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);
size_t mn_target_encoder_outputs(const void *self);
void mn_target_encoder_output_name(const void *self, size_t j, const char *const *inputs, char *text, size_t size);
mn_status mn_target_encoder_check(mn_context *ctx, const void *self);
mn_status mn_target_encoder_export(mn_context *ctx, const void *self, mn_action action, mn_program *program);

#define MN_TARGET_ENCODER_CLASS                                                                                        \
  .transform = mn_target_encoder_transform, .overwrites = true, .outputs = mn_target_encoder_outputs,                  \
  .output_name = mn_target_encoder_output_name, .check = mn_target_encoder_check, .export = mn_target_encoder_export

#endif
