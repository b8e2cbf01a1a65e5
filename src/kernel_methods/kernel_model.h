/* What the methods over any kernel share: the parameters of the kernel, its fitted value, and the training rows that X
 * is compared with. */
#ifndef MN_KERNEL_METHODS_KERNEL_MODEL_H
#define MN_KERNEL_METHODS_KERNEL_MODEL_H
#include "../model/kernel_param.h"
#include "../model/program.h"

/* The struct of a kernel method begins with this. */
typedef struct mn_kernel_model {
  mn_estimator base;
  mn_kernel kernel; /* parameters */
  double gamma, degree, coef0;
  mn_kernel fitted_kernel; /* learned: the kernel with all its hyperparameters               */
  mn_matrix x;             /* the rows; empty if X was sparse or the kernel is precomputed   */
  mn_csr sparse_x;         /* or these                                                       */
  mn_indexes place;        /* of a precomputed kernel: their columns in X                    */
} mn_kernel_model;

/* The parameters of a struct that begins with mn_kernel_model; `start` is the kernel by default. */
#define MN_KERNEL_MODEL_PARAMS(start, gamma_text, coef0_start)                                                         \
  MN_KERNEL_PARAM(mn_kernel_model, kernel, start, "name of a kernel, or a kernel built with ml.kernel"),               \
      MN_REAL(mn_kernel_model, gamma, MN_UNSET_REAL, MN_GREATER_THAN(0), gamma_text),                                  \
      MN_REAL(mn_kernel_model, degree, 3, MN_AT_LEAST(0), "degree of the kernel poly"),                                \
      MN_REAL(mn_kernel_model, coef0, coef0_start, MN_NO_LIMITS(), "constant term of the kernels poly and sigmoid")
#define MN_GAMMA_TEXT "scale in the kernels rbf, poly, sigmoid, laplacian and chi2; nil: 1 / features, or 1 for chi2"

#define MN_KERNEL_MODEL_FIELDS                                                                                         \
  MN_LEARNED(MN_KIND_KERNEL, mn_kernel_model, fitted_kernel, "", "the kernel with all its hyperparameters"),           \
      MN_LEARNED(MN_KIND_MATRIX, mn_kernel_model, x, "rows? x features?", NULL),                                       \
      MN_LEARNED(MN_KIND_CSR, mn_kernel_model, sparse_x, "rows? x features?", NULL),                                   \
      MN_LEARNED(MN_KIND_INDEXES, mn_kernel_model, place, "rows? < features", NULL)

/* Resolve the kernel for the training data; gamma_auto as in mn_kernel_settings. */
mn_status mn_kernel_model_resolve(mn_context *ctx, mn_kernel_model *m, bool gamma_auto, const mn_data *data);

/* Store the rows row[0..n-1] of X; row NULL: all. */
mn_status mn_kernel_model_store(mn_context *ctx, mn_kernel_model *m, const mn_data *data, const size_t *row, size_t n);

/* The stored rows begin .. end-1, for use as right operand of the kernel. */
mn_status mn_kernel_model_rows(mn_context *ctx, const mn_kernel_model *m, size_t begin, size_t end,
                               mn_kernel_rows *rows);
size_t mn_kernel_model_count(const mn_kernel_model *m);

/* After loading: whether the kernel suits the stored rows. */
mn_status mn_kernel_model_check(mn_context *ctx, const void *self);

/* Some of the rows: index[0..n-1], in scratch. */
mn_status mn_kernel_select_rows(mn_context *ctx, const mn_kernel *k, const mn_kernel_rows *rows, size_t n,
                                const size_t *index, mn_kernel_rows *out);

/* In fit: out = the kernel matrix of these rows of the training data. */
mn_status mn_kernel_model_matrix(mn_context *ctx, const mn_kernel_model *m, const mn_data *data, const size_t *row,
                                 size_t n, double *out);

/* out = K(data, stored rows) coef, with coef rows x width, by blocks of rows. */
mn_status mn_kernel_model_product(mn_context *ctx, const mn_kernel_model *m, const mn_data *data, size_t width,
                                  const double *coef, double *out);

/* The same for any rows. */
mn_status mn_kernel_product(mn_context *ctx, const mn_kernel *k, const mn_kernel_rows *a, const mn_kernel_rows *b,
                            size_t width, const double *coef, double *out);

/* The product for one row as an exported program; `finish` are statements that follow, or NULL. */
mn_status mn_kernel_model_export(mn_context *ctx, const mn_kernel_model *m, size_t width, const double *coef,
                                 const char *finish, mn_program *program);

/* The same for any rows x. */
mn_status mn_kernel_export_product(mn_context *ctx, const mn_estimator *model, const mn_kernel *k, const mn_matrix *x,
                                   size_t width, const double *coef, const char *finish, mn_program *program);

#endif
