#include "discriminant.h"
#include "../covariance/shrinkage.h"
#include "../linalg/product.h"
#include <string.h>

const char *const mn_covariance_estimators[] = { "empirical", "ledoit_wolf", NULL };

mn_status mn_sort_by_class(mn_context *ctx, const mn_data *data, mn_class_rows *g)
{
  const size_t k = data->classes, p = data->features;
  *g = (mn_class_rows){ .data = data, .classes = k };
  g->row = MN_RAW(ctx, size_t, data->rows, 1);
  g->first = MN_NEW(ctx, size_t, k + 1, 1);
  g->count = MN_NEW(ctx, double, k, 1);
  g->mean = MN_NEW(ctx, double, k, p);
  size_t *next = MN_RAW(ctx, size_t, k, 1);
  if (!g->row || !g->first || !g->count || !g->mean || !next) return MN_NO_MEMORY;
  for (size_t i = 0; i < data->rows; i++) g->first[data->code[i] + 1]++;
  for (size_t c = 0; c < k; c++) g->first[c + 1] += g->first[c];
  memcpy(next, g->first, k * sizeof *next);
  for (size_t i = 0; i < data->rows; i++) {
    const size_t c = (size_t)data->code[i];
    const double w = mn_weight(data, i), *x = mn_row(&data->x, i);
    double *mean = g->mean + c * p;
    g->row[next[c]++] = i;
    g->count[c] += w;
    g->total += w;
    for (size_t j = 0; j < p; j++) mean[j] += w / g->count[c] * (x[j] - mean[j]);
  }
  return MN_OK;
}

/* Ledoit-Wolf shrinkage of s for centered rows z, on the scale of unit variances. */
static mn_status ledoit_wolf(mn_context *ctx, size_t n, size_t p, double *z, const double *w, double total, double *s)
{
  double *scale = MN_RAW(ctx, double, p, 1);
  MN_CHECK_ALLOC(scale);
  for (size_t j = 0; j < p; j++) scale[j] = s[j * p + j] > 0 ? sqrt(s[j * p + j]) : 1;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < p; j++) z[i * p + j] /= scale[j];
  for (size_t i = 0; i < p; i++)
    for (size_t j = 0; j < p; j++) s[i * p + j] /= scale[i] * scale[j];
  mn_shrink_covariance(p, mn_ledoit_wolf_shrinkage(n, p, z, NULL, w, total, s), s);
  for (size_t i = 0; i < p; i++)
    for (size_t j = 0; j < p; j++) s[i * p + j] *= scale[i] * scale[j];
  return MN_OK;
}

mn_status mn_class_covariance(mn_context *ctx, const mn_data *data, size_t n, const size_t *row, const double *mean,
                              const mn_covariance_rule *rule, double *out)
{
  const size_t p = data->features;
  const mn_mark mark = mn_scratch_mark(ctx);
  double *z = MN_RAW(ctx, double, n, p), *w = MN_RAW(ctx, double, n, 1), total = 0;
  if (!z || !w) return MN_NO_MEMORY;
  for (size_t i = 0; i < n; i++) {
    const double *x = mn_row(&data->x, row[i]);
    w[i] = mn_weight(data, row[i]);
    total += w[i];
    for (size_t j = 0; j < p; j++) z[i * p + j] = x[j] - mean[j];
  }
  MN_TRY(mn_syrk(ctx, n, p, z, p, w, NULL, out, p));
  for (size_t i = 0; i < p * p; i++) out[i] /= total;
  if (rule->estimator == MN_LEDOIT_WOLF)
    MN_TRY(ledoit_wolf(ctx, n, p, z, w, total, out));
  else if (rule->shrinkage > 0)
    mn_shrink_covariance(p, rule->shrinkage, out);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

void mn_fix_column_signs(size_t rows, size_t cols, double *v)
{
  for (size_t c = 0; c < cols; c++) {
    size_t largest = 0;
    for (size_t i = 1; i < rows; i++)
      if (fabs(v[i * cols + c]) > fabs(v[largest * cols + c])) largest = i;
    if (!(v[largest * cols + c] < 0)) continue;
    for (size_t i = 0; i < rows; i++) v[i * cols + c] = -v[i * cols + c];
  }
}
