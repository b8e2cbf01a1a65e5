/* The parameter `kernel` of estimators: a name, whose hyperparameters are parameters of the estimator, or a kernel
 * value (src/kernel). */
#ifndef MN_MODEL_KERNEL_PARAM_H
#define MN_MODEL_KERNEL_PARAM_H
#include "../kernel/kernel.h"
#include "../archive/archive.h"
#include "class.h"

/* An estimator declares
 *
 *   MN_KERNEL_PARAM(struct svc, kernel, MN_KERNEL_RBF, "kernel: a name, or a value of ml.kernel")
 *
 * with a member mn_kernel kernel, and the learned field
 *
 *   MN_LEARNED(MN_KIND_KERNEL, struct svc, fitted_kernel, "", "kernel with its hyperparameters")
 *
 * for what mn_kernel_resolve makes of it. */
#define MN_KERNEL_PARAM(type, member, start, text) MN_KERNEL_PARAM_OF(type, member, start, mn_kernel_names, text)

/* The same, if fit refuses some kernels: help and errors list `names`, which ends with NULL. */
#define MN_KERNEL_PARAM_OF(type, member, start, names, text)                                                           \
  {                                                                                                                    \
    .name = #member, .kind = MN_KIND_KERNEL, .offset = offsetof(type, member), .initial = (start), .choices = (names), \
    MN_NO_LIMITS(), .brief = (text)                                                                                    \
  }

/* Parameters that the kernels with a name use. */
typedef struct mn_kernel_settings {
  double gamma;    /* NaN: by `gamma_auto`; 1 for chi2                                                  */
  bool gamma_auto; /* an unset gamma is 1 / features, else 1 / (features * variance of the values of X) */
  double degree, coef0;
} mn_kernel_settings;

/* The kernel to use on `data`, as a value without names of kernels or columns, checked against the columns of X: the
 * empty *resolved becomes a copy. A precomputed kernel needs a square X. Sample weights count rows in the variance. */
mn_status mn_kernel_resolve(mn_context *ctx, const mn_estimator *model, const mn_kernel *kernel,
                            const mn_kernel_settings *settings, const mn_data *data, mn_kernel *resolved);

/* The rows of data. In fit, after rows of weight 0 were removed, a precomputed kernel uses the columns of the rest. */
mn_kernel_rows mn_kernel_rows_of(const mn_data *data);

/* Setters, as in model.h. */
mn_status mn_set_kernel(mn_context *ctx, const char *who, void *base, const mn_param *p, const mn_kernel *value);
mn_status mn_set_kernel_name(mn_context *ctx, const char *who, void *base, const mn_param *p, const char *name);

/* In archives a kernel with a name is a text, any other a group. A kernel that is a Lua function cannot be saved. */
void mn_write_kernel(mn_writer *w, const char *name, const mn_kernel *k);
mn_status mn_record_kernel(const mn_reader *r, const mn_record *record, mn_kernel *out); /* valid on success */

#endif
