/* The rows of large classes that are near the smallest class, or far from it.
 *
 * Version 1 keeps the rows with the smallest mean distance to their k nearest rows of the smallest class; version 2 to
 * their k farthest ones. Version 3 takes the nearest rows of each row of the smallest class, and keeps those with the
 * largest mean distance to their k nearest rows of the smallest class. */
#include "../core/threads.h"
#include "../linalg/ordered.h"
#include "../stats/argsort.h"
#include "row_subset.h"
#include <string.h>

enum { BLOCK_VALUES = 1 << 16 };

struct near_miss {
  mn_resampler resampler;
  int64_t version, n_neighbors, n_neighbors_ver3;
};

static mn_status check_class(mn_context *ctx, const struct near_miss *m, size_t c, const char *param, int64_t k)
{
  const mn_resampler *r = &m->resampler;
  char text[64];
  if (r->class_counts.at[c] >= (double)k) return MN_OK;
  return mn_fail(ctx, MN_BAD_DATA, "%s: class %s has %g row%s, but %s = %lld requires at least %lld; lower %s",
                 r->base.class->name, mn_class_text(r, c, text, sizeof text), r->class_counts.at[c],
                 r->class_counts.at[c] == 1 ? "" : "s", param, (long long)k, (long long)k, param);
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  const struct near_miss *m = self;
  MN_TRY(mn_undersampler_fit(ctx, self, data));
  MN_TRY(check_class(ctx, m, mn_smallest_class(&m->resampler), "n_neighbors", m->n_neighbors));
  for (size_t c = 0; m->version == 3 && c < data->classes; c++)
    if (m->resampler.target_counts.at[c] < m->resampler.class_counts.at[c])
      MN_TRY(check_class(ctx, m, c, "n_neighbors_ver3", m->n_neighbors_ver3));
  return MN_OK;
}

/* mean[i]: mean distance from row i of x to its k nearest rows of `small`. */
static mn_status mean_nearest(mn_context *ctx, const mn_matrix *x, const mn_matrix *small, size_t k, double *mean)
{
  int32_t *nearest;
  double *distance;
  MN_TRY(mn_nearest_of(ctx, small, x, k, &nearest, &distance));
  for (size_t i = 0; i < x->rows; i++) {
    mean[i] = 0;
    for (size_t s = 0; s < k; s++) mean[i] += distance[i * k + s] / (double)k;
  }
  return MN_OK;
}

struct farthest {
  const mn_matrix *x, *small;
  size_t k;
  double *mean, *work; /* work: for each worker, small->rows distances and k of them */
  mn_blocks blocks;
};

/* The mean root of the k largest of n values. largest: k, descending. */
static double mean_root_of_largest(const double *value, size_t n, size_t k, double *largest)
{
  double sum = 0;
  size_t kept = 0;
  for (size_t i = 0; i < n; i++) {
    if (kept == k && !(value[i] > largest[k - 1])) continue;
    size_t at = kept < k ? kept++ : k - 1;
    for (; at > 0 && largest[at - 1] < value[i]; at--) largest[at] = largest[at - 1];
    largest[at] = value[i];
  }
  for (size_t s = 0; s < k; s++) sum += sqrt(largest[s]) / (double)k;
  return sum;
}

static void mean_farthest_block(void *work, size_t block, size_t worker)
{
  const struct farthest *w = work;
  const size_t n = w->small->rows;
  double *distance2 = w->work + worker * (n + w->k);
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    mn_ordered_distances2(n, w->x->cols, w->small->at, mn_row(w->x, i), distance2);
    w->mean[i] = mean_root_of_largest(distance2, n, w->k, distance2 + n);
  }
}

static mn_status mean_farthest(mn_context *ctx, const mn_matrix *x, const mn_matrix *small, size_t k, double *mean)
{
  struct farthest w = { .x = x, .small = small, .k = k, .mean = mean };
  w.work = MN_RAW(ctx, double, mn_threads(ctx), small->rows + k);
  MN_CHECK_ALLOC(w.work);
  w.blocks = mn_make_blocks(x->rows, BLOCK_VALUES / (small->rows * x->cols) + 1, SIZE_MAX);
  return mn_parallel(ctx, w.blocks.count, mean_farthest_block, &w);
}

/* The `wanted` rows with the smallest values, or the largest; ties keep their order. */
static mn_status keep_extreme(mn_context *ctx, const mn_row_subset *rows, const double *value, bool largest,
                              size_t wanted, bool *keep)
{
  size_t *order = MN_RAW(ctx, size_t, rows->n, 1);
  MN_CHECK_ALLOC(order);
  MN_TRY((largest ? mn_argsort_descending : mn_argsort)(ctx, rows->n, value, 1, order));
  for (size_t s = 0; s < wanted && s < rows->n; s++) keep[rows->row[order[s]]] = true;
  return MN_OK;
}

/* The rows of a class that are among the k nearest of a row of the smallest class. */
static mn_status find_candidates(mn_context *ctx, const mn_data *data, const mn_matrix *small, size_t k,
                                 const mn_row_subset *rows, mn_row_subset *out)
{
  bool *near = MN_NEW(ctx, bool, data->rows, 1);
  int32_t *nearest;
  MN_CHECK_ALLOC(near);
  MN_TRY(mn_nearest_of(ctx, &rows->x, small, k, &nearest, NULL));
  for (size_t s = 0; s < small->rows * k; s++) near[rows->row[nearest[s]]] = true;
  return mn_subset_kept(ctx, data, near, out);
}

static mn_status keep_of_class(mn_context *ctx, const struct near_miss *m, const mn_data *data, const mn_matrix *small,
                               size_t c, bool *keep)
{
  const mn_resampler *r = &m->resampler;
  const size_t wanted = (size_t)r->target_counts.at[c], k = (size_t)m->n_neighbors;
  const bool last = m->version == 3;
  mn_row_subset rows;
  MN_TRY(mn_subset_of_class(ctx, data, c, &rows));
  if (wanted == rows.n) {
    for (size_t i = 0; i < rows.n; i++) keep[rows.row[i]] = true;
    return MN_OK;
  }
  if (last) MN_TRY(find_candidates(ctx, data, small, (size_t)m->n_neighbors_ver3, &rows, &rows));
  double *mean = MN_RAW(ctx, double, rows.n, 1);
  MN_CHECK_ALLOC(mean);
  MN_TRY((m->version == 2 ? mean_farthest : mean_nearest)(ctx, &rows.x, small, k, mean));
  return keep_extreme(ctx, &rows, mean, last, wanted, keep);
}

static mn_status resample(mn_context *ctx, const void *self, const mn_data *data, mn_resampled *out)
{
  const struct near_miss *m = self;
  mn_row_subset small;
  bool *keep = MN_NEW(ctx, bool, data->rows, 1);
  MN_CHECK_ALLOC(keep);
  MN_TRY(mn_subset_of_class(ctx, data, mn_smallest_class(&m->resampler), &small));
  for (size_t c = 0; c < data->classes; c++) MN_TRY(keep_of_class(ctx, m, data, &small.x, c, keep));
  return mn_keep_rows(ctx, data, keep, out);
}

static const mn_param params[] = {
  MN_UNDERSAMPLER_PARAMS(struct near_miss),
  MN_COUNT(
      struct near_miss, version, 1, MN_CLOSED(1, 3),
      "rows to keep: 1, with the smallest mean distance to their nearest rows of the smallest class; 2, to their farthest; 3, near the boundary"),
  MN_COUNT(struct near_miss, n_neighbors, 3, MN_CLOSED(1, INT32_MAX),
           "number of rows of the smallest class in the mean distance"),
  MN_COUNT(struct near_miss, n_neighbors_ver3, 3, MN_CLOSED(1, INT32_MAX),
           "version 3: number of candidates for each row of the smallest class, its nearest rows"),
  MN_END,
};

static const mn_field fields[] = {
  MN_RESAMPLER_FIELDS(struct near_miss),
  MN_END,
};

const mn_class mn_near_miss = {
  .name = "NearMiss",
  .brief = "Reduces large classes to the rows near the smallest class.",
  .objective = "n'_c rows of class c by their mean distance to k rows of the smallest class",
  .source = "Mani & Zhang, Workshop on Learning from Imbalanced Datasets (2003)",
  .notes = MN_RESAMPLER_NOTE "Rows keep their order. Version 3 keeps fewer rows than target_counts if it has too few "
                             "candidates. Distances depend on the scale of the columns.",
  .example = "local X, y = { {1}, {2}, {3}, {8}, {8.5}, {9} }, { \"a\", \"a\", \"a\", \"a\", \"b\", \"b\" }\n"
             "print(ml.NearMiss{ n_neighbors = 1 }:fit_resample(X, y))",
  .capabilities = MN_TRANSFORM,
  .accepts = MN_Y_LABELS | MN_SPARSE,
  .size = sizeof(struct near_miss),
  .params = params,
  .fields = fields,
  .fit = fit,
  .resample = resample,
  MN_RESAMPLER_CLASS,
};
