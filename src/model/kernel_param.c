#include "kernel_param.h"
#include "../core/nearest_name.h"
#include "../kernel/function.h"
#include "model.h"
#include <stdio.h>
#include <string.h>

mn_status mn_set_kernel(mn_context *ctx, const char *who, void *base, const mn_param *p, const mn_kernel *value)
{
  if (p->kind != MN_KIND_KERNEL) return mn_wrong_type(ctx, who, p, "a kernel");
  if (value->nodes > 0) MN_TRY(mn_kernel_validate(ctx, who, value));
  mn_kernel copy = { 0 };
  MN_TRY(mn_kernel_copy(ctx, value, &copy));
  mn_kernel *slot = mn_member(base, p->offset);
  mn_kernel_free(mn_context_memory(ctx), slot);
  *slot = copy;
  return MN_OK;
}

mn_status mn_set_kernel_name(mn_context *ctx, const char *who, void *base, const mn_param *p, const char *name)
{
  const mn_kernel named = { .name = mn_kernel_named(name) };
  if (named.name != MN_KERNEL_NONE) return mn_set_kernel(ctx, who, base, p, &named);
  char expected[256], hint[64] = "";
  size_t n = 0;
  while (p->choices[n]) n++;
  const char *near = mn_nearest_name(name, p->choices, n);
  if (near) snprintf(hint, sizeof hint, "; did you mean '%s'?", near);
  return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s must be %s, got '%.40s'%s", who, p->name,
                 mn_param_expected(p, expected, sizeof expected), name, hint);
}

/* Weighted mean and variance of all values of X, zeros of sparse rows included. */
static double variance_of(const mn_data *data)
{
  const mn_csr *s = data->sparse;
  double total = 0, mean = 0, sum = 0;
  for (size_t i = 0; i < data->rows; i++) {
    const size_t n = s ? s->start[i + 1] - s->start[i] : data->features;
    const double *v = s ? s->at + s->start[i] : mn_row(&data->x, i), w = mn_weight(data, i);
    for (size_t j = 0; j < n; j++) mean += w * v[j];
    total += w * (double)data->features;
  }
  mean /= total;
  for (size_t i = 0; i < data->rows; i++) {
    const size_t n = s ? s->start[i + 1] - s->start[i] : data->features;
    const double *v = s ? s->at + s->start[i] : mn_row(&data->x, i), w = mn_weight(data, i);
    for (size_t j = 0; j < n; j++) sum += w * (v[j] - mean) * (v[j] - mean);
    sum += w * (double)(data->features - n) * mean * mean;
  }
  return sum / total;
}

static double gamma_of(const mn_kernel_settings *settings, mn_kernel_op op, const mn_data *data)
{
  if (!isnan(settings->gamma)) return settings->gamma;
  if (op == MN_KERNEL_CHI2) return 1;
  if (settings->gamma_auto) return 1 / (double)data->features;
  const double variance = variance_of(data);
  return variance > 0 && variance < 1e300 ? 1 / ((double)data->features * variance) : 1;
}

static bool uses_gamma(mn_kernel_op op)
{
  return op == MN_KERNEL_POLYNOMIAL || op == MN_KERNEL_RBF || op == MN_KERNEL_SIGMOID || op == MN_KERNEL_LAPLACIAN ||
         op == MN_KERNEL_CHI2;
}

static mn_status asymmetric(mn_context *ctx, const char *who, size_t i, size_t j, double upper, double lower)
{
  char one[MN_NUMBER_SIZE], other[MN_NUMBER_SIZE];
  return mn_fail(ctx, MN_BAD_ARGUMENT,
                 "%s: kernel must be symmetric, but its value is %s for rows %zu and %zu, and %s for rows %zu and %zu",
                 who, mn_format_number(one, upper), i + 1, j + 1, mn_format_number(other, lower), j + 1, i + 1);
}

/* A precomputed matrix may differ from its transpose by the rounding of the sums it was computed from. */
static mn_status check_matrix(mn_context *ctx, const char *who, const mn_data *data)
{
  static const double rounding = 1e-8;
  const size_t *place = data->kept_rows;
  double largest = 0;
  for (size_t i = 0; i < data->rows; i++)
    for (size_t j = 0; j < data->features; j++) largest = fmax(largest, fabs(mn_row(&data->x, i)[j]));
  for (size_t i = 0; i < data->rows; i++)
    for (size_t j = 0; j < i; j++) {
      const size_t row = place ? place[i] : i, col = place ? place[j] : j;
      const double lower = mn_row(&data->x, i)[col], upper = mn_row(&data->x, j)[row];
      if (fabs(lower - upper) > rounding * largest) return asymmetric(ctx, who, col, row, upper, lower);
    }
  return MN_OK;
}

/* A function of the host may not be symmetric: it is tried on the first rows. */
static mn_status check_function(mn_context *ctx, const char *who, const mn_kernel *k, const mn_data *data)
{
  enum { TRIED = 5 };
  static const double rounding = 1e-8;
  double value[TRIED * TRIED];
  const size_t n = data->rows < TRIED ? data->rows : TRIED;
  if (!mn_kernel_has(k, MN_KERNEL_FUNCTION) || data->sparse) return MN_OK;
  const mn_kernel_rows rows = { .n = n, .d = data->features, .x = data->x.at };
  MN_TRY(mn_kernel_cross(ctx, k, &rows, &rows, value, n));
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < i; j++) {
      const double a = value[i * n + j], b = value[j * n + i];
      if (fabs(a - b) > rounding * fmax(fabs(a), fabs(b))) return asymmetric(ctx, who, j, i, b, a);
    }
  return MN_OK;
}

mn_status mn_kernel_resolve(mn_context *ctx, const mn_estimator *model, const mn_kernel *kernel,
                            const mn_kernel_settings *settings, const mn_data *data, mn_kernel *resolved)
{
  const char *who = model->class->name;
  const char *const *names = (const char *const *)model->feature_names.at;
  const size_t columns = data->unfiltered ? data->unfiltered->rows : data->rows;
  if (kernel->name != MN_KERNEL_NONE) {
    const double gamma = uses_gamma(kernel->name) ? gamma_of(settings, kernel->name, data) : 1;
    MN_TRY(mn_kernel_from_name(ctx, kernel->name, gamma, settings->degree, settings->coef0, resolved));
  } else
    MN_TRY(mn_kernel_copy(ctx, kernel, resolved));
  MN_TRY(mn_kernel_find_columns(ctx, who, resolved, names, model->feature_names.size));
  if (mn_kernel_has(resolved, MN_KERNEL_PRECOMPUTED) && (data->sparse || data->features != columns))
    return mn_fail(
        ctx, MN_BAD_DATA,
        "%s: with a precomputed kernel X must be a square matrix, a row and a column for each sample, got %zu "
        "x %zu%s",
        who, columns, data->features, data->sparse ? " and sparse" : "");
  MN_TRY(mn_kernel_check(ctx, who, resolved, data->features));
  if (mn_kernel_has(resolved, MN_KERNEL_PRECOMPUTED)) return check_matrix(ctx, who, data);
  return check_function(ctx, who, resolved, data);
}

mn_kernel_rows mn_kernel_rows_of(const mn_data *data)
{
  return (mn_kernel_rows){
    .n = data->rows, .d = data->features, .x = data->x.at, .sparse = data->sparse, .place = data->kept_rows
  };
}
