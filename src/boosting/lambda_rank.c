#include "lambda_rank.h"
#include "lambda_rank_kernel.h"
#include <math.h>
#include <stdlib.h>

struct mn_ranked {
  double score, gain;
  size_t row;
};

/* Descending score; ties by ascending row. */
static int by_score(const void *a, const void *b)
{
  const struct mn_ranked *x = a, *y = b;
  if (x->score > y->score || x->score < y->score) return x->score > y->score ? -1 : 1;
  return (x->row > y->row) - (x->row < y->row);
}

static double dcg(const mn_lambda_rank *rank, const struct mn_ranked *order, size_t n)
{
  double sum = 0;
  for (size_t r = 0; r < n && r < rank->k; r++) sum += order[r].gain * rank->discount[r];
  return sum;
}

static void compute_gains(mn_lambda_rank *rank, size_t group, const double *y)
{
  const size_t begin = rank->begin[group], n = rank->begin[group + 1] - begin;
  struct mn_ranked *order = rank->order;
  double max = 0, min = INFINITY;
  for (size_t i = 0; i < n; i++) {
    max = fmax(max, y[begin + i]);
    min = fmin(min, y[begin + i]);
  }
  for (size_t i = 0; i < n; i++) {
    const double gain = rank->gain[begin + i] = exp2(y[begin + i] - max) - exp2(-max);
    order[i] = (struct mn_ranked){ gain, gain, i };
  }
  qsort(order, n, sizeof *order, by_score);
  rank->ideal[group] = max > min ? dcg(rank, order, n) : 0;
}

static mn_status find_groups(mn_context *ctx, const mn_data *data, mn_lambda_rank *rank)
{
  rank->groups = data->lengths ? data->n_lengths : 1;
  rank->begin = MN_NEW(ctx, size_t, rank->groups + 1, 1);
  MN_CHECK_ALLOC(rank->begin);
  for (size_t q = 0; q < rank->groups; q++) {
    const size_t n = data->lengths ? (size_t)data->lengths[q] : data->rows;
    rank->begin[q + 1] = rank->begin[q] + n;
    if (n > rank->largest) rank->largest = n;
  }
  return MN_OK;
}

static mn_status average_weights(mn_context *ctx, const mn_data *data, mn_lambda_rank *rank)
{
  if (!data->weights) return MN_OK;
  rank->weight = MN_NEW(ctx, double, rank->groups, 1);
  MN_CHECK_ALLOC(rank->weight);
  for (size_t q = 0; q < rank->groups; q++)
    for (size_t k = 0, i = rank->begin[q]; i < rank->begin[q + 1]; i++, k++)
      rank->weight[q] +=
          (data->weights[i] - rank->weight[q]) / (double)(k + 1); /* running mean: exact if all are equal */
  return MN_OK;
}

mn_status mn_lambda_rank_check(mn_context *ctx, const char *who, const mn_data *data)
{
  char number[MN_NUMBER_SIZE];
  for (size_t i = 0; i < data->rows; i++)
    if (!(data->y.at[i] >= 0))
      return mn_fail(ctx, MN_BAD_DATA, "%s: y must be >= 0, got %s in row %zu", who,
                     mn_format_number(number, data->y.at[i]), i + 1);
  return data->eval ? mn_lambda_rank_check(ctx, who, data->eval) : MN_OK;
}

mn_status mn_lambda_rank_make(mn_context *ctx, const mn_data *data, size_t k, bool norm, mn_lambda_rank **out)
{
  mn_lambda_rank *rank = *out = MN_NEW(ctx, mn_lambda_rank, 1, 1);
  MN_CHECK_ALLOC(rank);
  rank->k = k;
  rank->norm = norm;
  MN_TRY(find_groups(ctx, data, rank));
  MN_TRY(average_weights(ctx, data, rank));
  rank->gain = MN_RAW(ctx, double, data->rows, 1);
  rank->ideal = MN_RAW(ctx, double, rank->groups, 1);
  rank->loss = MN_NEW(ctx, double, rank->groups, 1);
  rank->discount = MN_RAW(ctx, double, rank->largest, 1);
  rank->order = MN_RAW(ctx, struct mn_ranked, mn_threads(ctx), rank->largest);
  rank->workspace = MN_RAW(ctx, double, mn_threads(ctx) * 4, rank->largest);
  if (!rank->gain || !rank->ideal || !rank->loss || !rank->discount || !rank->order || !rank->workspace)
    return MN_NO_MEMORY;
  for (size_t r = 0; r < rank->largest; r++) rank->discount[r] = r < k ? 1 / log2(2 + (double)r) : 0;
  for (size_t q = 0; q < rank->groups; q++) compute_gains(rank, q, data->y.at);
  return MN_OK;
}

struct gradient_task {
  mn_lambda_rank *rank;
  const double *s;
  double *g, *h;
};

/* Sum over all pairs with at least one row among the first k. Polls for cancellation if there is a context. */
static mn_status group_gradients(const struct gradient_task *w, mn_context *ctx, size_t group, size_t worker)
{
  mn_lambda_rank *rank = w->rank;
  const size_t begin = rank->begin[group], n = rank->begin[group + 1] - begin, largest = rank->largest;
  struct mn_ranked *order = rank->order + worker * largest;
  double *score = rank->workspace + worker * 4 * largest, *gain = score + largest, *g = gain + largest,
         *h = g + largest;
  double sum = 0;
  for (size_t i = 0; i < n; i++) {
    order[i] = (struct mn_ranked){ w->s[begin + i], rank->gain[begin + i], i };
    w->g[begin + i] = w->h[begin + i] = 0;
  }
  if (!(rank->ideal[group] > 0)) return MN_OK;
  qsort(order, n, sizeof *order, by_score);
  rank->loss[group] = 1 - dcg(rank, order, n) / rank->ideal[group];
  for (size_t r = 0; r < n; r++) {
    score[r] = order[r].score;
    gain[r] = order[r].gain;
    g[r] = h[r] = 0;
  }
  const double damping = rank->norm && score[0] > score[n - 1] ? 0.01 : 0;
  for (size_t a = 0; a < n && a < rank->k; a++) {
    if (ctx && a % 16 == 0) MN_TRY(mn_poll(ctx));
    sum += mn_lambda_pairs(a, n, score, gain, rank->discount, rank->ideal[group], damping, g, h);
  }
  const double scale = rank->norm && sum > 0 ? log2(1 + sum) / sum : 1;
  for (size_t r = 0; r < n; r++) {
    w->g[begin + order[r].row] = g[r] * scale;
    w->h[begin + order[r].row] = h[r] * scale;
  }
  return MN_OK;
}

/* Groups of this size have millions of pairs: they are processed on the calling thread, which can be cancelled. */
enum { LARGE_GROUP = 2000 };

static bool is_large(const mn_lambda_rank *rank, size_t group)
{
  return rank->begin[group + 1] - rank->begin[group] >= LARGE_GROUP;
}

static void gradient_block(void *work, size_t group, size_t worker)
{
  const struct gradient_task *w = work;
  if (!is_large(w->rank, group)) group_gradients(w, NULL, group, worker);
}

mn_status mn_lambda_rank_gradients(mn_context *ctx, mn_lambda_rank *rank, const double *s, double *g, double *h)
{
  struct gradient_task w = { .rank = rank, .s = s, .g = g, .h = h };
  MN_TRY(mn_parallel(ctx, rank->groups, gradient_block, &w));
  for (size_t q = 0; q < rank->groups && rank->largest >= LARGE_GROUP; q++)
    if (is_large(rank, q)) MN_TRY(group_gradients(&w, ctx, q, 0));
  return MN_OK;
}

double mn_lambda_rank_loss(const mn_lambda_rank *rank, const uint8_t *in_training, uint8_t which)
{
  double sum = 0, n = 0;
  for (size_t q = 0; q < rank->groups; q++) {
    if (!(rank->ideal[q] > 0) || (in_training && in_training[rank->begin[q]] != which)) continue;
    const double weight = rank->weight ? rank->weight[q] : 1;
    sum += weight * rank->loss[q];
    n += weight;
  }
  return n > 0 ? sum / n : 0;
}
