/* Domingos & Hulten, Mining High-Speed Data Streams (KDD 2000). For splits and for naive Bayes, each class is assumed
 * normal in each feature of a leaf (Gama, Rocha & Medas, KDD 2003); a leaf predicts by naive Bayes or by its majority
 * class, whichever was correct more often. */
#include "../linalg/row_softmax.h"
#include "hoeffding_tree.h"
#include <string.h>

enum { N_THRESHOLDS = 10 }; /* thresholds tried between the minimum and maximum of a feature */

static double *moments_of(const mn_hoeffding_tree *t, int32_t node, size_t j)
{
  const size_t each = 2 + 3 * t->classes;
  return t->moments + ((size_t)node * t->n_observed + j) * each;
}

static void make_leaf(const mn_hoeffding_tree *t, mn_rng *rng, int32_t node)
{
  mn_draw_observed(rng, t->features, t->n_observed, t->observed + (size_t)node * t->n_observed);
  t->child[2 * node] = t->child[2 * node + 1] = -1;
  t->feature[node] = 0;
  t->threshold[node] = t->last_weight[node] = 0;
  memset(t->counts + (size_t)node * t->classes, 0, t->classes * sizeof *t->counts);
  memset(t->correct + 2 * (size_t)node, 0, 2 * sizeof *t->correct);
  memset(moments_of(t, node, 0), 0, mn_moments_per_leaf(t->n_observed, t->classes) * sizeof *t->moments);
}

void mn_hoeffding_init(const mn_hoeffding_tree *t, mn_rng *rng)
{
  *t->used = 1;
  make_leaf(t, rng, 0);
}

static int32_t leaf_of(const mn_hoeffding_tree *t, const double *x)
{
  int32_t node = 0;
  while (t->child[2 * node] >= 0) node = t->child[2 * node + !(x[t->feature[node]] <= t->threshold[node])];
  return node;
}

/* --- predictions --- */

mn_status mn_naive_bayes_make(mn_context *ctx, size_t n_observed, size_t classes, mn_naive_bayes *bayes, double **p)
{
  bayes->start = MN_RAW(ctx, double, classes, 2 + 2 * n_observed);
  MN_CHECK_ALLOC(bayes->start);
  bayes->mean = bayes->start + classes;
  bayes->scale = bayes->mean + n_observed * classes;
  *p = bayes->scale + n_observed * classes;
  return MN_OK;
}

bool mn_leaf_uses_naive_bayes(const mn_hoeffding_tree *t, int32_t leaf)
{
  const double *correct = t->correct + 2 * (size_t)leaf;
  return t->adaptive && correct[1] > correct[0];
}

/* Variance of a feature in a leaf over all classes. */
static double total_variance(const mn_hoeffding_tree *t, const double *o)
{
  double sum = 0, mean = 0, square = 0;
  for (size_t k = 0; k < t->classes; k++) {
    const double *c = o + 2 + 3 * k;
    if (!(c[0] > 0)) continue;
    const double d = c[1] - mean;
    sum += c[0];
    mean += c[0] / sum * d;
    square += c[2] + c[0] * d * (c[1] - mean);
  }
  return sum > 0 ? square / sum : 0;
}

/* The variance of a class is shrunk slightly towards that of the leaf, so that a class with one row has a positive
 * variance. */
void mn_naive_bayes_fit(const mn_hoeffding_tree *t, int32_t leaf, mn_naive_bayes *bayes)
{
  const size_t classes = t->classes;
  const double *o = moments_of(t, leaf, 0);
  double sum = 0;
  for (size_t k = 0; k < classes; k++) sum += o[2 + 3 * k] + 1;
  for (size_t k = 0; k < classes; k++) bayes->start[k] = log((o[2 + 3 * k] + 1) / sum);
  for (size_t j = 0; j < t->n_observed; j++) {
    o = moments_of(t, leaf, j);
    const double total = total_variance(t, o);
    for (size_t k = 0; k < classes; k++) {
      const double *c = o + 2 + 3 * k, variance = (c[2] + total) / (c[0] + 1);
      const bool usable = total > 0 && c[0] > 0 && variance >= DBL_MIN;
      bayes->mean[j * classes + k] = c[1];
      bayes->scale[j * classes + k] = usable ? 1 / (2 * variance) : 0;
      if (usable) bayes->start[k] -= log(variance / total) / 2;
    }
  }
}

static void predict_naive_bayes(const mn_hoeffding_tree *t, int32_t leaf, const double *x, mn_naive_bayes *bayes,
                                double *p)
{
  const int32_t *observed = t->observed + (size_t)leaf * t->n_observed;
  mn_naive_bayes_fit(t, leaf, bayes);
  for (size_t k = 0; k < t->classes; k++) {
    p[k] = bayes->start[k];
    for (size_t j = 0; j < t->n_observed; j++) {
      const double d = x[observed[j]] - bayes->mean[j * t->classes + k];
      p[k] -= d * d * bayes->scale[j * t->classes + k];
    }
  }
  mn_row_log_softmax(1, t->classes, p);
  for (size_t k = 0; k < t->classes; k++) p[k] = exp(p[k]);
}

void mn_leaf_probabilities(const mn_hoeffding_tree *t, int32_t leaf, double *p)
{
  const double *counts = t->counts + (size_t)leaf * t->classes;
  double sum = 0;
  for (size_t k = 0; k < t->classes; k++) sum += counts[k];
  for (size_t k = 0; k < t->classes; k++) p[k] = sum > 0 ? counts[k] / sum : 1 / (double)t->classes;
}

void mn_hoeffding_predict(const mn_hoeffding_tree *t, const double *x, mn_naive_bayes *bayes, double *p)
{
  const int32_t leaf = leaf_of(t, x);
  if (mn_leaf_uses_naive_bayes(t, leaf))
    predict_naive_bayes(t, leaf, x, bayes, p);
  else
    mn_leaf_probabilities(t, leaf, p);
}

/* --- splits --- */

static double entropy(size_t classes, const double *weight, double sum)
{
  double h = 0;
  for (size_t k = 0; k < classes; k++)
    if (weight[k] > 0) h -= weight[k] / sum * log2(weight[k] / sum);
  return h;
}

/* Class weights up to the threshold, by their normal distributions. */
static void left_weights(const mn_hoeffding_tree *t, const double *o, double threshold, double *left)
{
  for (size_t k = 0; k < t->classes; k++) {
    const double *c = o + 2 + 3 * k, sd = c[0] > 0 ? sqrt(c[2] / c[0]) : 0;
    const double share = sd > 0              ? erfc((c[1] - threshold) / sd * 0.70710678118654752440) / 2
                         : c[1] <= threshold ? 1
                                             : 0;
    left[k] = c[0] * share;
  }
}

/* Reduction of the entropy by a split, in bits; both sides need a hundredth of the weight. */
static double gain_of(const mn_hoeffding_tree *t, const double *o, double threshold, double *left, double *right)
{
  double l = 0, r = 0, sum;
  left_weights(t, o, threshold, left);
  for (size_t k = 0; k < t->classes; k++) {
    right[k] = o[2 + 3 * k] - left[k];
    l += left[k];
    r += right[k];
  }
  sum = l + r;
  if (!(l >= 0.01 * sum && r >= 0.01 * sum && sum > 0)) return 0;
  const double after = l / sum * entropy(t->classes, left, l) + r / sum * entropy(t->classes, right, r);
  for (size_t k = 0; k < t->classes; k++) right[k] = o[2 + 3 * k];
  return entropy(t->classes, right, sum) - after;
}

struct split {
  double gain, threshold;
  size_t position; /* among the observed features */
};

static struct split best_threshold(const mn_hoeffding_tree *t, int32_t leaf, size_t j, double *left, double *right)
{
  const double *o = moments_of(t, leaf, j);
  struct split best = { .position = j };
  for (int i = 1; i <= N_THRESHOLDS && o[0] < o[1]; i++) {
    const double threshold = o[0] + (o[1] - o[0]) * i / (N_THRESHOLDS + 1),
                 gain = gain_of(t, o, threshold, left, right);
    if (gain > best.gain) best = (struct split){ gain, threshold, j };
  }
  return best;
}

/* Split a leaf; its children inherit their estimated class weights. */
static void split_leaf(const mn_hoeffding_tree *t, mn_rng *rng, int32_t leaf, const struct split *s, double *left)
{
  const double *o = moments_of(t, leaf, s->position);
  const int32_t first = *t->used;
  left_weights(t, o, s->threshold, left);
  *t->used += 2;
  for (int32_t side = 0; side < 2; side++) make_leaf(t, rng, first + side);
  for (size_t k = 0; k < t->classes; k++) {
    t->counts[(size_t)first * t->classes + k] = left[k];
    t->counts[((size_t)first + 1) * t->classes + k] = fmax(o[2 + 3 * k] - left[k], 0);
  }
  t->feature[leaf] = t->observed[(size_t)leaf * t->n_observed + s->position];
  t->threshold[leaf] = s->threshold;
  t->child[2 * leaf] = first;
  t->child[2 * leaf + 1] = first + 1;
}

/* Split the leaf if the best split is better than the second best by the Hoeffding bound, or the bound is below tau.
 * Not splitting counts as a split with gain 0. */
static void try_split(const mn_hoeffding_tree *t, mn_rng *rng, int32_t leaf, double weight, double *left, double *right)
{
  struct split best = { 0 }, second = { 0 };
  for (size_t j = 0; j < t->n_observed; j++) {
    const struct split s = best_threshold(t, leaf, j, left, right);
    if (s.gain > best.gain) {
      second = best;
      best = s;
    } else if (s.gain > second.gain) {
      second = s;
    }
  }
  const double range = log2((double)t->classes), bound = sqrt(range * range * log(1 / t->delta) / (2 * weight));
  if (best.gain > 0 && (best.gain - second.gain > bound || bound < t->tau)) split_leaf(t, rng, leaf, &best, left);
}

/* --- learning --- */

static size_t argmax(size_t n, const double *p)
{
  size_t best = 0;
  for (size_t k = 1; k < n; k++)
    if (p[k] > p[best]) best = k;
  return best;
}

static void update_moments(const mn_hoeffding_tree *t, int32_t leaf, const double *x, size_t code, double weight)
{
  const int32_t *observed = t->observed + (size_t)leaf * t->n_observed;
  double sum = 0;
  for (size_t k = 0; k < t->classes; k++) sum += moments_of(t, leaf, 0)[2 + 3 * k];
  for (size_t j = 0; j < t->n_observed; j++) {
    double *o = moments_of(t, leaf, j), *c = o + 2 + 3 * code;
    const double value = x[observed[j]], d = value - c[1];
    o[0] = sum > 0 && o[0] < value ? o[0] : value;
    o[1] = sum > 0 && o[1] > value ? o[1] : value;
    c[0] += weight;
    c[1] += weight / c[0] * d;
    c[2] += weight * d * (value - c[1]);
  }
}

void mn_hoeffding_learn(const mn_hoeffding_tree *t, mn_rng *rng, const double *x, size_t code, double weight,
                        mn_naive_bayes *bayes, double *p)
{
  const int32_t leaf = leaf_of(t, x);
  double *correct = t->correct + 2 * (size_t)leaf, sum = 0;
  const double *o = moments_of(t, leaf, 0);
  mn_leaf_probabilities(t, leaf, p);
  if (argmax(t->classes, p) == code) correct[0] += weight;
  if (t->adaptive) {
    predict_naive_bayes(t, leaf, x, bayes, p);
    if (argmax(t->classes, p) == code) correct[1] += weight;
  }
  t->counts[(size_t)leaf * t->classes + code] += weight;
  update_moments(t, leaf, x, code, weight);
  for (size_t k = 0; k < t->classes; k++) sum += o[2 + 3 * k];
  if (sum - t->last_weight[leaf] < t->grace) return;
  t->last_weight[leaf] = sum;
  try_split(t, rng, leaf, sum, p, bayes->start);
}
