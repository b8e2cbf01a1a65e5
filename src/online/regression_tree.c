#include "regression_tree.h"
#include <string.h>

/* Decay of squared errors per row; minimum fraction of the weight on each side of a split. */
static const double error_decay = 0.98, min_side_share = 0.01;

static double *stats_of(const mn_regression_tree *t, int32_t node)
{
  return t->stats + (size_t)node * MN_NODE_STATS;
}

static void make_leaf(const mn_regression_tree *t, mn_rng *rng, int32_t node)
{
  const size_t first = (size_t)node * t->n_observed;
  mn_draw_observed(rng, t->features, t->n_observed, t->observed + first);
  t->child[2 * node] = t->child[2 * node + 1] = -1;
  t->feature[node] = 0;
  t->threshold[node] = t->last_weight[node] = 0;
  memset(stats_of(t, node), 0, MN_NODE_STATS * sizeof *t->stats);
  memset(t->slope + first, 0, t->n_observed * sizeof *t->slope);
  memset(t->histogram + first, 0, t->n_observed * sizeof *t->histogram);
}

void mn_regression_tree_init(const mn_regression_tree *t, mn_rng *rng)
{
  *t->used = 1;
  make_leaf(t, rng, 0);
}

static int32_t find_leaf(const mn_regression_tree *t, const double *x)
{
  int32_t node = 0;
  while (t->child[2 * node] >= 0) node = t->child[2 * node + !(x[t->feature[node]] <= t->threshold[node])];
  return node;
}

/* --- predictions --- */

/* Prediction of the linear model, clipped to the range of y. */
static double linear_prediction(const mn_regression_tree *t, int32_t leaf, const double *x)
{
  const double *stats = stats_of(t, leaf);
  const size_t first = (size_t)leaf * t->n_observed;
  double value = stats[MN_NODE_MEAN];
  for (size_t j = 0; j < t->n_observed; j++)
    value += t->slope[first + j].slope * (x[t->observed[first + j]] - t->slope[first + j].mean);
  if (!(value >= stats[MN_NODE_MIN])) value = stats[MN_NODE_MIN];
  if (value > stats[MN_NODE_MAX]) value = stats[MN_NODE_MAX];
  return value;
}

bool mn_leaf_is_linear(const mn_regression_tree *t, int32_t leaf)
{
  const double *stats = stats_of(t, leaf);
  return t->adaptive && stats[MN_NODE_LINEAR_ERROR] < stats[MN_NODE_MEAN_ERROR];
}

bool mn_regression_tree_predict(const mn_regression_tree *t, const double *x, double *value)
{
  const int32_t leaf = find_leaf(t, x);
  const double *stats = stats_of(t, leaf);
  *value = mn_leaf_is_linear(t, leaf) ? linear_prediction(t, leaf, x) : stats[MN_NODE_MEAN];
  return stats[MN_NODE_WEIGHT] > 0;
}

/* --- splits --- */

struct split {
  double gain, threshold; /* gain: reduction of the sum of squares */
  size_t position;        /* among the observed features */
  double weight[2], mean[2];
};

static double midpoint(double low, double high)
{
  const double mid = low / 2 + high / 2;
  return mid >= low && mid < high ? mid : low;
}

/* Between-group sum of squares of two groups with these sums of weight and of weight (y - center). */
static double sum_of_squares(const double *weight, const double *sum)
{
  const double all = sum[0] + sum[1];
  return sum[0] / weight[0] * sum[0] + sum[1] / weight[1] * sum[1] - all / (weight[0] + weight[1]) * all;
}

static struct split best_threshold(const mn_streaming_histogram *h, double center, size_t position)
{
  const size_t used = (size_t)h->used;
  double weight[2] = { 0 }, sum[2] = { 0 };
  struct split best = { .position = position };
  for (size_t b = 0; b < used; b++) {
    weight[1] += h->bin[b].weight;
    sum[1] += h->bin[b].weight * (h->bin[b].mean - center);
  }
  const double min_weight = min_side_share * weight[1];
  for (size_t b = 0; b + 1 < used; b++) {
    const double w = h->bin[b].weight, s = w * (h->bin[b].mean - center);
    weight[0] += w;
    weight[1] -= w;
    sum[0] += s;
    sum[1] -= s;
    if (!(weight[0] > min_weight && weight[1] > min_weight)) continue;
    const double gain = sum_of_squares(weight, sum);
    if (!(gain > best.gain)) continue;
    best.gain = gain;
    best.threshold = midpoint(h->bin[b].x, h->bin[b + 1].x);
    for (int side = 0; side < 2; side++) {
      best.weight[side] = weight[side];
      best.mean[side] = center + sum[side] / weight[side];
    }
  }
  return best;
}

/* A child starts with the slopes of its parent, for features that both observe. */
static void inherit_slopes(const mn_regression_tree *t, int32_t parent, int32_t child)
{
  const size_t from = (size_t)parent * t->n_observed, to = (size_t)child * t->n_observed;
  for (size_t a = 0; a < t->n_observed; a++)
    for (size_t b = 0; b < t->n_observed; b++)
      if (t->observed[from + a] == t->observed[to + b]) t->slope[to + b].slope = t->slope[from + a].slope;
}

static void split_leaf(const mn_regression_tree *t, mn_rng *rng, int32_t leaf, const struct split *s)
{
  const int32_t first = *t->used;
  const double *parent = stats_of(t, leaf);
  *t->used += 2;
  for (int32_t side = 0; side < 2; side++) {
    double *stats = stats_of(t, first + side);
    make_leaf(t, rng, first + side);
    stats[MN_NODE_WEIGHT] = s->weight[side];
    stats[MN_NODE_MEAN] = s->mean[side];
    stats[MN_NODE_MIN] = parent[MN_NODE_MIN];
    stats[MN_NODE_MAX] = parent[MN_NODE_MAX];
    inherit_slopes(t, leaf, first + side);
  }
  t->feature[leaf] = t->observed[(size_t)leaf * t->n_observed + s->position];
  t->threshold[leaf] = s->threshold;
  t->child[2 * leaf] = first;
  t->child[2 * leaf + 1] = first + 1;
}

/* Split the leaf if the ratio of the second best gain to the best, in [0, 1], is below 1 by the Hoeffding bound, or the
 * bound is below tau. Not splitting counts as a split with gain 0. A split of pure noise reduces the squares by a
 * fraction above 2 log(1 / delta) / rows with probability at most 2 delta. */
static void try_split(const mn_regression_tree *t, mn_rng *rng, int32_t leaf)
{
  const double *stats = stats_of(t, leaf), log_term = log(1 / t->delta);
  struct split best = { 0 }, second = { 0 };
  for (size_t j = 0; j < t->n_observed; j++) {
    const struct split s = best_threshold(&t->histogram[(size_t)leaf * t->n_observed + j], stats[MN_NODE_OWN_MEAN], j);
    if (s.gain > best.gain) {
      second = best;
      best = s;
    } else if (s.gain > second.gain) {
      second = s;
    }
  }
  const double bound = sqrt(log_term / (2 * stats[MN_NODE_OWN_WEIGHT]));
  const double noise_bound =
      2 * (log_term + log((double)t->n_observed * (MN_HISTOGRAM_BINS - 1))) / stats[MN_NODE_ROWS];
  if (!(best.gain > noise_bound * stats[MN_NODE_SQUARES])) return;
  if (second.gain / best.gain < 1 - bound || bound < t->tau) split_leaf(t, rng, leaf, &best);
}

/* --- learning --- */

static void merge(mn_histogram_bin *into, const mn_histogram_bin *b)
{
  const double share = b->weight / (into->weight + b->weight);
  into->weight += b->weight;
  into->x += share * (b->x - into->x);
  into->mean += share * (b->mean - into->mean);
}

/* Insert a bin; if there are too many, merge the two closest ones. */
static void add_bin(mn_streaming_histogram *h, const mn_histogram_bin *new)
{
  mn_histogram_bin list[MN_HISTOGRAM_BINS + 1];
  size_t used = (size_t)h->used, position = 0, closest = 0;
  while (position < used && h->bin[position].x < new->x) position++;
  if (position < used && !(h->bin[position].x > new->x)) {
    merge(&h->bin[position], new);
    return;
  }
  memcpy(list, h->bin, position * sizeof *list);
  list[position] = *new;
  memcpy(list + position + 1, h->bin + position, (used - position) * sizeof *list);
  if (++used > MN_HISTOGRAM_BINS) {
    for (size_t b = 1; b + 1 < used; b++)
      if (list[b + 1].x - list[b].x < list[closest + 1].x - list[closest].x) closest = b;
    merge(&list[closest], &list[closest + 1]);
    memmove(list + closest + 1, list + closest + 2, (used - closest - 2) * sizeof *list);
    used--;
  }
  memcpy(h->bin, list, used * sizeof *list);
  h->used = (double)used;
}

/* One step of normalized least mean squares in standardized features, with a step size that decreases with the number
 * of rows. */
static void update_slopes(const mn_regression_tree *t, int32_t leaf, const double *x, double error, double rate)
{
  const size_t first = (size_t)leaf * t->n_observed;
  const double own_weight = stats_of(t, leaf)[MN_NODE_OWN_WEIGHT];
  double length = 1;
  for (int pass = 0; pass < 2; pass++) {
    for (size_t j = 0; j < t->n_observed; j++) {
      mn_leaf_slope *s = &t->slope[first + j];
      const double variance = s->squares / own_weight;
      if (!(variance >= 1e-300)) continue;
      const double z = (x[t->observed[first + j]] - s->mean) / sqrt(variance);
      if (pass == 0) length += z * z;
      if (pass == 1) s->slope += rate * error / length * z / sqrt(variance);
    }
  }
}

static void update_stats(double *stats, double y, double weight)
{
  const bool first = !(stats[MN_NODE_WEIGHT] > 0);
  stats[MN_NODE_MIN] = first || y < stats[MN_NODE_MIN] ? y : stats[MN_NODE_MIN];
  stats[MN_NODE_MAX] = first || y > stats[MN_NODE_MAX] ? y : stats[MN_NODE_MAX];
  stats[MN_NODE_WEIGHT] += weight;
  stats[MN_NODE_MEAN] += weight / stats[MN_NODE_WEIGHT] * (y - stats[MN_NODE_MEAN]);
  stats[MN_NODE_ROWS]++;
  stats[MN_NODE_OWN_WEIGHT] += weight;
  const double d = y - stats[MN_NODE_OWN_MEAN];
  stats[MN_NODE_OWN_MEAN] += weight / stats[MN_NODE_OWN_WEIGHT] * d;
  stats[MN_NODE_SQUARES] += weight * d * (y - stats[MN_NODE_OWN_MEAN]);
}

/* Update the squared errors of mean and linear model, and the slopes, before the statistics include the row. */
static void update_errors(const mn_regression_tree *t, int32_t leaf, const double *x, double y, double weight)
{
  double *stats = stats_of(t, leaf);
  if (!(stats[MN_NODE_OWN_WEIGHT] > 0)) return;
  const double mean_error = y - stats[MN_NODE_MEAN], linear_error = y - linear_prediction(t, leaf, x);
  const double relative_weight = weight / stats[MN_NODE_OWN_WEIGHT] * stats[MN_NODE_ROWS];
  stats[MN_NODE_MEAN_ERROR] = error_decay * stats[MN_NODE_MEAN_ERROR] + mean_error * mean_error;
  stats[MN_NODE_LINEAR_ERROR] = error_decay * stats[MN_NODE_LINEAR_ERROR] + linear_error * linear_error;
  update_slopes(t, leaf, x, linear_error, fmin(1, relative_weight / sqrt(1 + stats[MN_NODE_ROWS])));
}

void mn_regression_tree_learn(const mn_regression_tree *t, mn_rng *rng, const double *x, double y, double weight)
{
  const int32_t leaf = find_leaf(t, x);
  const size_t first = (size_t)leaf * t->n_observed;
  double *stats = stats_of(t, leaf);
  if (t->adaptive) update_errors(t, leaf, x, y, weight);
  update_stats(stats, y, weight);
  for (size_t j = 0; j < t->n_observed; j++) {
    const double value = x[t->observed[first + j]];
    mn_leaf_slope *s = &t->slope[first + j];
    const double d = value - s->mean;
    s->mean += weight / stats[MN_NODE_OWN_WEIGHT] * d;
    s->squares += weight * d * (value - s->mean);
    add_bin(&t->histogram[first + j], &(mn_histogram_bin){ .x = value, .weight = weight, .mean = y });
  }
  if (stats[MN_NODE_OWN_WEIGHT] - t->last_weight[leaf] < t->grace) return;
  t->last_weight[leaf] = stats[MN_NODE_OWN_WEIGHT];
  try_split(t, rng, leaf);
}
