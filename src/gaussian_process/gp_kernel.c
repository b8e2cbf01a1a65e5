#include "gp_kernel.h"

static mn_status new_leaf(mn_context *ctx, mn_kernel_op op, double value, mn_kernel *k)
{
  MN_TRY(mn_kernel_init(ctx, k, 1, 1, 0, 0));
  k->node[0] = (mn_kernel_node){ .op = op, .count = 1 };
  k->hyper[0] = (mn_hyperparameter){ .value = value, .low = 1e-5, .high = 1e5 };
  return MN_OK;
}

/* *kernel becomes leaf op *kernel, or *kernel op leaf. */
static mn_status combine(mn_context *ctx, mn_kernel *kernel, mn_kernel_op op, mn_kernel_op leaf_op, double value)
{
  mn_kernel leaf = { 0 }, both = { 0 };
  const bool first = op == MN_KERNEL_PRODUCT;
  mn_status status = new_leaf(ctx, leaf_op, value, &leaf);
  if (status == MN_OK) status = mn_kernel_combine(ctx, op, first ? &leaf : kernel, first ? kernel : &leaf, &both);
  mn_kernel_free(mn_context_memory(ctx), &leaf);
  if (status != MN_OK) return status;
  mn_kernel_free(mn_context_memory(ctx), kernel);
  *kernel = both;
  return MN_OK;
}

static const double start_noise = 0.1;

mn_status mn_gp_kernel_add_white(mn_context *ctx, const mn_kernel *kernel, mn_kernel *both)
{
  MN_TRY(mn_kernel_copy(ctx, kernel, both));
  return combine(ctx, both, MN_KERNEL_SUM, MN_KERNEL_WHITE, start_noise);
}

mn_status mn_gp_kernel_resolve(mn_context *ctx, const mn_estimator *model, const mn_kernel *kernel, bool noise,
                               const mn_data *data, mn_kernel *resolved)
{
  static const double start_signal = 1;
  const mn_kernel_settings settings = { .gamma = (double)NAN, .gamma_auto = true, .degree = 3, .coef0 = 1 };
  MN_TRY(mn_kernel_resolve(ctx, model, kernel, &settings, data, resolved));
  if (mn_kernel_has(resolved, MN_KERNEL_PRECOMPUTED))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: kernel must not be precomputed", model->class->name);
  if (kernel->name == MN_KERNEL_NONE) return MN_OK;
  MN_TRY(combine(ctx, resolved, MN_KERNEL_PRODUCT, MN_KERNEL_CONSTANT, start_signal));
  return noise ? combine(ctx, resolved, MN_KERNEL_SUM, MN_KERNEL_WHITE, start_noise) : MN_OK;
}
