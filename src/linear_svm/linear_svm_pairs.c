#include "linear_svm_pairs.h"
#include "../stats/argsort.h"
#include <math.h>

static mn_status find_groups(mn_context *ctx, const mn_data *data, mn_svm_pairs *pairs)
{
  pairs->rows = data->rows;
  pairs->groups = data->lengths ? data->n_lengths : 1;
  pairs->begin = MN_NEW(ctx, size_t, pairs->groups + 1, 1);
  MN_CHECK_ALLOC(pairs->begin);
  for (size_t q = 0; q < pairs->groups; q++)
    pairs->begin[q + 1] = pairs->begin[q] + (data->lengths ? (size_t)data->lengths[q] : data->rows);
  return MN_OK;
}

static mn_status set_levels(mn_context *ctx, const double *y, mn_svm_pairs *pairs, size_t *largest)
{
  for (size_t q = 0; q < pairs->groups; q++) {
    const size_t begin = pairs->begin[q], n = pairs->begin[q + 1] - begin;
    size_t level = 0, *order = pairs->order + begin;
    MN_TRY(mn_argsort(ctx, n, y + begin, 1, order));
    for (size_t k = 0; k < n; k++) {
      if (k > 0 && y[begin + order[k]] > y[begin + order[k - 1]]) level++;
      pairs->level[begin + order[k]] = level;
    }
    pairs->levels[q] = level + 1;
    if (level + 1 > *largest) *largest = level + 1;
  }
  return MN_OK;
}

mn_status mn_svm_pairs_init(mn_context *ctx, const mn_data *data, double C, mn_svm_pairs *out)
{
  const size_t n = data->rows;
  size_t largest = 0;
  *out = (mn_svm_pairs){ .rows = n };
  MN_TRY(find_groups(ctx, data, out));
  out->level = MN_RAW(ctx, size_t, n, 1);
  out->levels = MN_RAW(ctx, size_t, out->groups, 1);
  out->order = MN_RAW(ctx, size_t, n, 1);
  out->v = MN_RAW(ctx, double, n, 1);
  out->z = MN_RAW(ctx, double, n, 1);
  out->partners = MN_RAW(ctx, double, n, 1);
  out->sum = MN_RAW(ctx, double, n, 2);
  if (!out->level || !out->levels || !out->order || !out->v || !out->z || !out->partners || !out->sum)
    return MN_NO_MEMORY;
  MN_TRY(set_levels(ctx, data->y.at, out, &largest));
  out->tree = MN_RAW(ctx, double, largest + 1, 2);
  MN_CHECK_ALLOC(out->tree);
  for (size_t i = 0; i < n; i++) out->v[i] = sqrt(C * mn_weight(data, i));
  return MN_OK;
}

double mn_svm_pairs_count(const mn_svm_pairs *pairs)
{
  double count = 0, *of_level = pairs->tree;
  for (size_t q = 0; q < pairs->groups; q++) {
    double below = 0;
    for (size_t l = 0; l < pairs->levels[q]; l++) of_level[l] = 0;
    for (size_t i = pairs->begin[q]; i < pairs->begin[q + 1]; i++) of_level[pairs->level[i]]++;
    for (size_t l = 0; l < pairs->levels[q]; below += of_level[l++]) count += below * of_level[l];
  }
  return count;
}

/* The Fenwick tree of two sums for each level. */
static void add(double *tree, size_t levels, size_t level, double first, double second)
{
  for (size_t k = level + 1; k <= levels; k += k & -k) {
    tree[2 * k] += first;
    tree[2 * k + 1] += second;
  }
}

/* Sums over the levels below this one. */
static void sum_below(const double *tree, size_t level, double *sum)
{
  sum[0] = sum[1] = 0;
  for (size_t k = level; k > 0; k -= k & -k) {
    sum[0] += tree[2 * k];
    sum[1] += tree[2 * k + 1];
  }
}

static bool is_active(const mn_svm_pairs *pairs, size_t better, size_t worse)
{
  return 1 - (pairs->z[better] - pairs->z[worse]) > 0;
}

static void clear(mn_svm_pairs *pairs, size_t group)
{
  for (size_t k = 0; k < 2 * pairs->levels[group] + 2; k++) pairs->tree[k] = 0;
}

/* sum (rows x 2): sums of v and of v a over the less relevant partners of each row's active pairs. */
static void sum_worse(mn_svm_pairs *pairs, size_t group, const double *a)
{
  const size_t begin = pairs->begin[group], n = pairs->begin[group + 1] - begin, *order = pairs->order + begin;
  clear(pairs, group);
  for (size_t k = n, next = n; k-- > 0;) {
    const size_t i = begin + order[k];
    while (next > 0 && is_active(pairs, i, begin + order[next - 1])) {
      const size_t j = begin + order[--next];
      add(pairs->tree, pairs->levels[group], pairs->level[j], pairs->v[j], pairs->v[j] * a[j]);
    }
    sum_below(pairs->tree, pairs->level[i], pairs->sum + 2 * i);
  }
}

/* The same for the more relevant partners. */
static void sum_better(mn_svm_pairs *pairs, size_t group, const double *a)
{
  const size_t begin = pairs->begin[group], n = pairs->begin[group + 1] - begin, *order = pairs->order + begin;
  const size_t levels = pairs->levels[group];
  clear(pairs, group);
  for (size_t k = 0, next = 0; k < n; k++) {
    const size_t i = begin + order[k];
    while (next < n && is_active(pairs, begin + order[next], i)) {
      const size_t j = begin + order[next++];
      add(pairs->tree, levels, levels - 1 - pairs->level[j], pairs->v[j], pairs->v[j] * a[j]);
    }
    sum_below(pairs->tree, levels - 1 - pairs->level[i], pairs->sum + 2 * i);
  }
}

/* Scores about the mean of each group, against cancellation, and their order. */
static mn_status sort_scores(mn_context *ctx, mn_svm_pairs *pairs, const double *z)
{
  for (size_t q = 0; q < pairs->groups; q++) {
    const size_t begin = pairs->begin[q], end = pairs->begin[q + 1];
    double mean = 0;
    for (size_t i = begin; i < end; i++) mean += z[i] / (double)(end - begin);
    for (size_t i = begin; i < end; i++) pairs->z[i] = z[i] - mean;
    MN_TRY(mn_argsort(ctx, end - begin, pairs->z + begin, 1, pairs->order + begin));
  }
  return MN_OK;
}

/* With e_i = v_i sum_j v_j (1 - z_i + z_j) over the partners, the loss is the sum of e over the more relevant rows of
 * the pairs plus half of z'slope. */
mn_status mn_svm_pairs_loss(mn_context *ctx, mn_svm_pairs *pairs, const double *z, double *value, double *slope,
                            double *diagonal)
{
  MN_TRY(sort_scores(ctx, pairs, z));
  *value = 0;
  for (size_t q = 0; q < pairs->groups; q++) {
    const size_t begin = pairs->begin[q], end = pairs->begin[q + 1];
    MN_TRY(mn_poll(ctx));
    sum_worse(pairs, q, pairs->z);
    for (size_t i = begin; i < end; i++) {
      const double *sum = pairs->sum + 2 * i, e = pairs->v[i] * ((1 - pairs->z[i]) * sum[0] + sum[1]);
      *value += e;
      slope[i] = -2 * e;
      pairs->partners[i] = sum[0];
    }
    sum_better(pairs, q, pairs->z);
    for (size_t i = begin; i < end; i++) {
      const double *sum = pairs->sum + 2 * i;
      slope[i] += 2 * pairs->v[i] * ((1 + pairs->z[i]) * sum[0] - sum[1]);
      pairs->partners[i] += sum[0];
      diagonal[i] = 2 * pairs->v[i] * pairs->partners[i];
      *value += pairs->z[i] * slope[i] / 2;
    }
  }
  *value = fmax(*value, 0);
  return MN_OK;
}

void mn_svm_pairs_multiply(mn_svm_pairs *pairs, const double *u, double *out)
{
  for (size_t q = 0; q < pairs->groups; q++) {
    const size_t begin = pairs->begin[q], end = pairs->begin[q + 1];
    sum_worse(pairs, q, u);
    for (size_t i = begin; i < end; i++) out[i] = pairs->partners[i] * u[i] - pairs->sum[2 * i + 1];
    sum_better(pairs, q, u);
    for (size_t i = begin; i < end; i++) out[i] = 2 * pairs->v[i] * (out[i] - pairs->sum[2 * i + 1]);
  }
}
