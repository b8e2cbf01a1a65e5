#include "row_subset.h"
#include "../search/neighbor_index.h"

enum { LEAF_SIZE = 30 };

static mn_status gather(mn_context *ctx, const mn_data *data, mn_row_subset *out)
{
  out->x = (mn_matrix){ .at = MN_RAW(ctx, double, out->n, data->features), .rows = out->n, .cols = data->features };
  MN_CHECK_ALLOC(out->x.at);
  mn_gather_rows(&data->x, out->row, out->n, &out->x);
  return MN_OK;
}

mn_status mn_subset_of_class(mn_context *ctx, const mn_data *data, size_t c, mn_row_subset *out)
{
  MN_TRY(mn_rows_of_class(ctx, data, c, &out->row, &out->n));
  return gather(ctx, data, out);
}

mn_status mn_subset_kept(mn_context *ctx, const mn_data *data, const bool *keep, mn_row_subset *out)
{
  *out = (mn_row_subset){ .row = MN_RAW(ctx, size_t, data->rows, 1) };
  MN_CHECK_ALLOC(out->row);
  for (size_t i = 0; i < data->rows; i++)
    if (keep[i]) out->row[out->n++] = i;
  return gather(ctx, data, out);
}

mn_status mn_all_rows(mn_context *ctx, const mn_data *data, mn_row_subset *out, bool **keep)
{
  *out = (mn_row_subset){ .n = data->rows, .row = MN_RAW(ctx, size_t, data->rows, 1), .x = data->x };
  *keep = MN_RAW(ctx, bool, data->rows, 1);
  if (!out->row || !*keep) return MN_NO_MEMORY;
  for (size_t i = 0; i < data->rows; i++) {
    out->row[i] = i;
    (*keep)[i] = true;
  }
  return MN_OK;
}

mn_status mn_nearest_of(mn_context *ctx, const mn_matrix *x, const mn_matrix *queries, size_t k, int32_t **found,
                        double **distance)
{
  const mn_points rows = { .n = x->rows, .d = x->cols, .x = x->at };
  const mn_points asked = { .n = queries ? queries->rows : 0, .d = x->cols, .x = queries ? queries->at : NULL };
  const mn_index_options options = { .leaf_size = LEAF_SIZE, .scratch = true };
  const size_t n = queries ? queries->rows : x->rows;
  mn_neighbor_index index;
  double *unused;
  *found = MN_RAW(ctx, int32_t, n, k);
  if (!distance) distance = &unused;
  *distance = MN_RAW(ctx, double, n, k);
  if (!*found || !*distance) return MN_NO_MEMORY;
  MN_TRY(mn_neighbor_index_init(ctx, "resampling", &index, &rows, options));
  return mn_neighbor_nearest(ctx, &index, &rows, queries ? &asked : NULL, k, *found, *distance);
}

/* Among duplicates a row may not be the first of its own neighbors, or not among them. */
static void remove_self(const int32_t *near, size_t k, size_t self, int32_t *out)
{
  size_t kept = 0;
  for (size_t s = 0; kept < k; s++)
    if ((size_t)near[s] != self) out[kept++] = near[s];
}

mn_status mn_nearest_others(mn_context *ctx, const mn_matrix *x, const size_t *row, size_t n, size_t k, int32_t **found)
{
  mn_matrix queries = { .at = MN_RAW(ctx, double, n, x->cols), .rows = n, .cols = x->cols };
  int32_t *near;
  *found = MN_RAW(ctx, int32_t, n, k);
  if (!*found || !queries.at) return MN_NO_MEMORY;
  mn_gather_rows(x, row, n, &queries);
  MN_TRY(mn_nearest_of(ctx, x, &queries, k + 1, &near, NULL));
  for (size_t i = 0; i < n; i++) remove_self(near + i * (k + 1), k, row[i], *found + i * k);
  return MN_OK;
}

mn_status mn_count_others(mn_context *ctx, const mn_data *data, size_t c, const size_t *row, size_t n, size_t k,
                          size_t **others)
{
  int32_t *nearest;
  *others = MN_NEW(ctx, size_t, n, 1);
  MN_CHECK_ALLOC(*others);
  MN_TRY(mn_nearest_others(ctx, &data->x, row, n, k, &nearest));
  for (size_t s = 0; s < n * k; s++) (*others)[s / k] += (size_t)data->code[nearest[s]] != c;
  return MN_OK;
}

mn_status mn_check_class_neighbors(mn_context *ctx, const mn_resampler *m, const char *param, int64_t k)
{
  char text[64];
  for (size_t c = 0; c < m->class_counts.size; c++) {
    const double n = m->class_counts.at[c];
    if (m->target_counts.at[c] <= n || n > (double)k) continue;
    return mn_fail(ctx, MN_BAD_DATA, "%s: class %s has %g row%s, but %s = %lld requires at least %lld; %s%s%s",
                   m->base.class->name, mn_class_text(m, c, text, sizeof text), n, n == 1 ? "" : "s", param,
                   (long long)k, (long long)k + 1, n > 1 ? "lower " : "", n > 1 ? param : "",
                   n > 1 ? " or use RandomOverSampler" : "use RandomOverSampler");
  }
  return MN_OK;
}

mn_status mn_check_neighbors(mn_context *ctx, const mn_resampler *m, const mn_data *data, const char *param, int64_t k)
{
  if ((double)data->rows > (double)k) return MN_OK;
  return mn_fail(ctx, MN_BAD_DATA, "%s: %s = %lld requires at least %lld rows, got %zu; lower %s", m->base.class->name,
                 param, (long long)k, (long long)k + 1, data->rows, param);
}
