/* Partial least squares and canonical correlation: what PLSRegression, PLSCanonical, CCA and PLSSVD share.
 *
 * X and Y are centered, scaled if `scale` is set, and multiplied by sqrt(w_i). Each component has weights w, c and
 * scores t, u, loadings p, q:
 *
 *     t = X w,     u = Y c,     p = X't / t't,     q = Y't / t't or Y'u / u'u,
 *
 * after which t p' is subtracted from X, and t q' or u q' from Y. Rotations are the weights for the original X and Y:
 * R = W inv(P'W), so that T = X R.
 *
 * Wegelin, A Survey of Partial Least Squares Methods, University of Washington (2000). */
#ifndef MN_CROSS_DECOMPOSITION_PLS_H
#define MN_CROSS_DECOMPOSITION_PLS_H
#include "../linear/linear.h"
#include "../model/operation.h"

/* X or Y: what is learned of its columns. */
typedef struct mn_pls_side {
  mn_matrix weights, loadings, rotations; /* columns x components */
  mn_vector mean, scale;                  /* columns */
  mn_vector explained;                    /* components: fraction of the variance */
} mn_pls_side;

typedef struct mn_pls {
  mn_linear linear;     /* prediction of y; not of PLSSVD */
  int64_t n_components; /* parameters */
  bool scale;
  mn_pls_side x, y; /* learned */
  mn_vector vip;    /* features; of PLSRegression */
  mn_vector correlations, covariances;
  int64_t n_found;
} mn_pls;

/* X and Y as the algorithms change them. */
typedef struct mn_pls_block {
  size_t cols;
  double *at;    /* rows x cols */
  double square; /* |at|^2 before deflation */
  mn_pls_side *side;
} mn_pls_block;

typedef struct mn_pls_work {
  mn_pls *m;
  size_t rows, k; /* k: components wanted */
  double total;   /* sum of the sample weights */
  mn_pls_block x, y;
} mn_pls_work;

/* Check the data, prepare X and Y, and allocate what is learned, filled with zeros. More components than
 * max_components, which the shapes allow, are not computed. */
mn_status mn_pls_start(mn_context *ctx, mn_pls *m, const mn_data *data, size_t max_components, mn_pls_work *s);

/* coef and intercept from the rotations of X and the loadings of Y. */
mn_status mn_pls_predictor(mn_context *ctx, mn_pls *m);

/* Make the element of largest magnitude of each column of x.weights positive, by reversing whole components. */
void mn_pls_fix_signs(mn_pls *m);

/* The number of components that the shapes allow: min(rows, columns, targets). */
size_t mn_pls_shortest(const mn_data *data);

/* Members of the class tables. */
mn_status mn_pls_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);
mn_status mn_pls_inverse_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);
mn_status mn_pls_export(mn_context *ctx, const void *self, mn_action action, mn_program *program);
size_t mn_pls_outputs(const void *self);
void mn_pls_output_name(const void *self, size_t j, const char *const *inputs, char *text, size_t size);
void mn_pls_warning(const void *self, mn_text_buffer *text);

extern const mn_operation mn_pls_operations[];
extern const mn_param mn_pls_params[];

#define MN_PLS_SIDE_MATRIX(side, member, columns, text)                                                                \
  {                                                                                                                    \
    .name = #side "_" #member, .kind = MN_KIND_MATRIX, .offset = offsetof(mn_pls, side.member),                        \
    .shape = columns " x components", .brief = (text)                                                                  \
  }
#define MN_PLS_SIDE_VECTOR(side, field, member, columns, text)                                                         \
  {                                                                                                                    \
    .name = #side "_" field, .kind = MN_KIND_VECTOR, .offset = offsetof(mn_pls, side.member), .shape = columns,        \
    .brief = (text)                                                                                                    \
  }

/* The learned fields that all have. */
#define MN_PLS_COMMON_FIELDS                                                                                           \
  MN_PLS_SIDE_MATRIX(x, weights, "features", "weights of X in each component, of norm 1"),                             \
      MN_PLS_SIDE_MATRIX(y, weights, "targets", "weights of y in each component"),                                     \
      MN_PLS_SIDE_VECTOR(x, "mean", mean, "features", "mean of each column of X"),                                     \
      MN_PLS_SIDE_VECTOR(y, "mean", mean, "targets", "mean of each column of y"),                                      \
      MN_PLS_SIDE_VECTOR(x, "scale", scale, "features", "divisor of each column of X"),                                \
      MN_PLS_SIDE_VECTOR(y, "scale", scale, "targets", "divisor of each column of y")

/* Those of the models that deflate. */
#define MN_PLS_FIELDS                                                                                                  \
  MN_PLS_COMMON_FIELDS, MN_PLS_SIDE_MATRIX(x, loadings, "features", "loadings of X"),                                  \
      MN_PLS_SIDE_MATRIX(y, loadings, "targets", "loadings of y"),                                                     \
      MN_PLS_SIDE_MATRIX(x, rotations, "features", "weights for X itself: transform is scaled X times these"),         \
      MN_PLS_SIDE_MATRIX(y, rotations, "targets", "weights for y itself"),                                             \
      MN_PLS_SIDE_VECTOR(x, "explained_variance_ratio", explained, "components",                                       \
                         "fraction of the variance of X in each component"),                                           \
      MN_PLS_SIDE_VECTOR(y, "explained_variance_ratio", explained, "components",                                       \
                         "fraction of the variance of y in each component"),                                           \
      MN_INTEGER(mn_pls, n_found, "number of components found in the data; others are 0"),                             \
      MN_VECTOR(mn_pls, correlations, "components", "correlation of the scores of X and y in each component"),         \
      MN_LINEAR_FIELDS("targets")

/* Members that all class tables have, and those of the models that predict y. */
#define MN_PLS_TRANSFORMER                                                                                             \
  .size = sizeof(mn_pls), .params = mn_pls_params, .operations = mn_pls_operations, .transform = mn_pls_transform,     \
  .export = mn_pls_export, .outputs = mn_pls_outputs, .output_name = mn_pls_output_name, .warning = mn_pls_warning

#define MN_PLS_REGRESSOR                                                                                               \
  .capabilities = MN_REGRESS | MN_TRANSFORM, .accepts = MN_WEIGHTS | MN_MULTITARGET | MN_JOINT_TARGETS,                \
  MN_PLS_TRANSFORMER, .predict = mn_linear_predict, .inverse_transform = mn_pls_inverse_transform

#endif
