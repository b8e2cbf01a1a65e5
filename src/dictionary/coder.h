/* What SparseCoder, DictionaryLearning and MiniBatchDictionaryLearning share: transform to sparse codes over the
 * learned atoms, and back. */
#ifndef MN_DICTIONARY_CODER_H
#define MN_DICTIONARY_CODER_H
#include "../model/class.h"
#include "../model/program.h"
#include "sparse_code.h"

/* The struct of a model begins with this. */
typedef struct mn_coder {
  mn_estimator base;
  int64_t transform_algorithm, transform_n_nonzero_coefs, transform_max_iter; /* parameters */
  double transform_alpha, alpha; /* transform_alpha NaN: alpha, the penalty of fit */
  bool split_sign, positive_code;
  mn_matrix components; /* learned: atoms x features */
} mn_coder;

/* MN_BAD_ARGUMENT if positive codes are asked of an algorithm that does not have them. */
mn_status mn_coder_check(mn_context *ctx, const mn_coder *m);

mn_status mn_coder_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);
mn_status mn_coder_inverse_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);
mn_status mn_coder_export(mn_context *ctx, const void *self, mn_action action, mn_program *program);
size_t mn_coder_outputs(const void *self);
void mn_coder_output_name(const void *self, size_t j, const char *const *inputs, char *text, size_t size);

extern const char *const mn_coder_algorithms[];

#define MN_CODER_PARAMS(alpha_default, alpha_when_nil)                                                                 \
  MN_CHOICE(mn_coder, transform_algorithm, MN_CODE_OMP, mn_coder_algorithms,                                           \
            "codes of transform: omp and lars by number of atoms, the others by transform_alpha"),                     \
      MN_COUNT(mn_coder, transform_n_nonzero_coefs, MN_UNSET, MN_AT_LEAST(1),                                          \
               "number of atoms in a code of omp and lars; nil: a tenth of the columns, at least 1"),                  \
      MN_REAL(mn_coder, transform_alpha, alpha_default, MN_AT_LEAST(0),                                                \
              "L1 penalty of lasso_lars and lasso_cd, or the threshold" alpha_when_nil),                               \
      MN_FLAG(mn_coder, split_sign, false, "transform to the positive parts of codes, then to the negative ones"),     \
      MN_FLAG(mn_coder, positive_code, false, "codes >= 0; not with omp and lars"),                                    \
      MN_COUNT(mn_coder, transform_max_iter, 1000, MN_AT_LEAST(1),                                                     \
               "maximum number of steps of lars and lasso_lars, or sweeps of lasso_cd, for a row")

#define MN_CODER_MEMBERS                                                                                               \
  .transform = mn_coder_transform, .inverse_transform = mn_coder_inverse_transform, .export = mn_coder_export,         \
  .outputs = mn_coder_outputs, .output_name = mn_coder_output_name

#endif
