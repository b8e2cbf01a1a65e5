/* Domingos & Hulten, Mining High-Speed Data Streams (KDD 2000). Classes are taken as normal in each column of a leaf
 * (Gama, Rocha & Medas, KDD 2003), for splits and for naive Bayes; a leaf answers by whichever of that and its counts
 * has guessed more rows right so far. */
#include "../linalg/row_softmax.h"
#include "hoeffding_tree.h"
#include <string.h>

enum { CUTS = 10 }; /* places tried between the ends of a column */

static double *observer(const mn_hoeffding_tree *t, int32_t node, size_t j)
{
  const size_t each = 2 + 3 * t->classes;
  return t->moments + ((size_t)node * t->watched + j) * each;
}

static void make_leaf(const mn_hoeffding_tree *t, mn_rng *rng, int32_t node)
{
  mn_draw_watched(rng, t->features, t->watched, t->observed + (size_t)node * t->watched);
  t->child[2 * node] = t->child[2 * node + 1] = -1;
  t->feature[node] = 0;
  t->cut[node] = t->looked[node] = 0;
  memset(t->tally + (size_t)node * t->classes, 0, t->classes * sizeof *t->tally);
  memset(t->right + 2 * (size_t)node, 0, 2 * sizeof *t->right);
  memset(observer(t, node, 0), 0, mn_moments(t->watched, t->classes) * sizeof *t->moments);
}

void mn_hoeffding_begin(const mn_hoeffding_tree *t, mn_rng *rng)
{
  *t->used = 1;
  make_leaf(t, rng, 0);
}

int32_t mn_hoeffding_leaf(const mn_hoeffding_tree *t, const double *x)
{
  int32_t node = 0;
  while (t->child[2 * node] >= 0) node = t->child[2 * node + !(x[t->feature[node]] <= t->cut[node])];
  return node;
}

/* --- answers --- */

mn_status mn_leaf_scores_make(mn_context *ctx, size_t watched, size_t classes, mn_leaf_scores *scores, double **p)
{
  scores->start = MN_RAW(ctx, double, classes, 2 + 2 * watched);
  MN_CHECK_ALLOC(scores->start);
  scores->mean = scores->start + classes;
  scores->scale = scores->mean + watched * classes;
  *p = scores->scale + watched * classes;
  return MN_OK;
}

bool mn_leaf_is_bayes(const mn_hoeffding_tree *t, int32_t leaf)
{
  const double *right = t->right + 2 * (size_t)leaf;
  return t->adaptive && right[1] > right[0];
}

/* Mean square within a leaf about the mean of all classes. */
static double spread_of(const mn_hoeffding_tree *t, const double *o)
{
  double all = 0, mean = 0, square = 0;
  for (size_t k = 0; k < t->classes; k++) {
    const double *c = o + 2 + 3 * k;
    if (!(c[0] > 0)) continue;
    const double d = c[1] - mean;
    all += c[0];
    mean += c[0] / all * d;
    square += c[2] + c[0] * d * (c[1] - mean);
  }
  return all > 0 ? square / all : 0;
}

/* The variance of a class is drawn a little towards that of the leaf, so that a class of one row has one, too. */
void mn_leaf_scores_of(const mn_hoeffding_tree *t, int32_t leaf, mn_leaf_scores *scores)
{
  const size_t classes = t->classes;
  const double *o = observer(t, leaf, 0);
  double all = 0;
  for (size_t k = 0; k < classes; k++) all += o[2 + 3 * k] + 1;
  for (size_t k = 0; k < classes; k++) scores->start[k] = log((o[2 + 3 * k] + 1) / all);
  for (size_t j = 0; j < t->watched; j++) {
    o = observer(t, leaf, j);
    const double spread = spread_of(t, o);
    for (size_t k = 0; k < classes; k++) {
      const double *c = o + 2 + 3 * k, variance = (c[2] + spread) / (c[0] + 1);
      const bool known = spread > 0 && c[0] > 0 && variance >= DBL_MIN;
      scores->mean[j * classes + k] = c[1];
      scores->scale[j * classes + k] = known ? 1 / (2 * variance) : 0;
      if (known) scores->start[k] -= log(variance / spread) / 2;
    }
  }
}

static void bayes(const mn_hoeffding_tree *t, int32_t leaf, const double *x, mn_leaf_scores *scores, double *p)
{
  const int32_t *observed = t->observed + (size_t)leaf * t->watched;
  mn_leaf_scores_of(t, leaf, scores);
  for (size_t k = 0; k < t->classes; k++) {
    p[k] = scores->start[k];
    for (size_t j = 0; j < t->watched; j++) {
      const double d = x[observed[j]] - scores->mean[j * t->classes + k];
      p[k] -= d * d * scores->scale[j * t->classes + k];
    }
  }
  mn_row_log_softmax(1, t->classes, p);
  for (size_t k = 0; k < t->classes; k++) p[k] = exp(p[k]);
}

void mn_leaf_shares(const mn_hoeffding_tree *t, int32_t leaf, double *p)
{
  const double *tally = t->tally + (size_t)leaf * t->classes;
  double sum = 0;
  for (size_t k = 0; k < t->classes; k++) sum += tally[k];
  for (size_t k = 0; k < t->classes; k++) p[k] = sum > 0 ? tally[k] / sum : 1 / (double)t->classes;
}

void mn_hoeffding_predict(const mn_hoeffding_tree *t, const double *x, mn_leaf_scores *scores, double *p)
{
  const int32_t leaf = mn_hoeffding_leaf(t, x);
  if (mn_leaf_is_bayes(t, leaf))
    bayes(t, leaf, x, scores, p);
  else
    mn_leaf_shares(t, leaf, p);
}

/* --- splits --- */

static double entropy(size_t classes, const double *weight, double sum)
{
  double h = 0;
  for (size_t k = 0; k < classes; k++)
    if (weight[k] > 0) h -= weight[k] / sum * log2(weight[k] / sum);
  return h;
}

/* Weights of the classes up to the cut, by their normals. */
static void weights_left(const mn_hoeffding_tree *t, const double *o, double cut, double *left)
{
  for (size_t k = 0; k < t->classes; k++) {
    const double *c = o + 2 + 3 * k, sd = c[0] > 0 ? sqrt(c[2] / c[0]) : 0;
    const double share = sd > 0 ? erfc((c[1] - cut) / sd * 0.70710678118654752440) / 2 : c[1] <= cut ? 1 : 0;
    left[k] = c[0] * share;
  }
}

/* How much less the entropy is, in bits, with the rows parted there; both sides need a hundredth of the weight. */
static double gain_of(const mn_hoeffding_tree *t, const double *o, double cut, double *left, double *rest)
{
  double l = 0, r = 0, sum;
  weights_left(t, o, cut, left);
  for (size_t k = 0; k < t->classes; k++) {
    rest[k] = o[2 + 3 * k] - left[k];
    l += left[k];
    r += rest[k];
  }
  sum = l + r;
  if (!(l >= 0.01 * sum && r >= 0.01 * sum && sum > 0)) return 0;
  const double after = l / sum * entropy(t->classes, left, l) + r / sum * entropy(t->classes, rest, r);
  for (size_t k = 0; k < t->classes; k++) rest[k] = o[2 + 3 * k];
  return entropy(t->classes, rest, sum) - after;
}

struct split {
  double gain, cut;
  size_t at; /* among the columns watched */
};

static struct split best_of(const mn_hoeffding_tree *t, int32_t leaf, size_t j, double *left, double *rest)
{
  const double *o = observer(t, leaf, j);
  struct split best = { .at = j };
  for (int i = 1; i <= CUTS && o[0] < o[1]; i++) {
    const double cut = o[0] + (o[1] - o[0]) * i / (CUTS + 1), gain = gain_of(t, o, cut, left, rest);
    if (gain > best.gain) best = (struct split){ gain, cut, j };
  }
  return best;
}

/* New leaves begin with the counts that they would have had. */
static void split_leaf(const mn_hoeffding_tree *t, mn_rng *rng, int32_t leaf, const struct split *s, double *left)
{
  const double *o = observer(t, leaf, s->at);
  const int32_t first = *t->used;
  weights_left(t, o, s->cut, left);
  *t->used += 2;
  for (int32_t side = 0; side < 2; side++) make_leaf(t, rng, first + side);
  for (size_t k = 0; k < t->classes; k++) {
    t->tally[(size_t)first * t->classes + k] = left[k];
    t->tally[((size_t)first + 1) * t->classes + k] = fmax(o[2 + 3 * k] - left[k], 0);
  }
  t->feature[leaf] = t->observed[(size_t)leaf * t->watched + s->at];
  t->cut[leaf] = s->cut;
  t->child[2 * leaf] = first;
  t->child[2 * leaf + 1] = first + 1;
}

/* Not to split counts as a split without gain. */
static void look(const mn_hoeffding_tree *t, mn_rng *rng, int32_t leaf, double weight, double *left, double *rest)
{
  struct split best = { 0 }, second = { 0 };
  for (size_t j = 0; j < t->watched; j++) {
    const struct split s = best_of(t, leaf, j, left, rest);
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

static size_t largest(size_t n, const double *p)
{
  size_t best = 0;
  for (size_t k = 1; k < n; k++)
    if (p[k] > p[best]) best = k;
  return best;
}

static void observe(const mn_hoeffding_tree *t, int32_t leaf, const double *x, size_t code, double weight)
{
  const int32_t *observed = t->observed + (size_t)leaf * t->watched;
  double all = 0;
  for (size_t k = 0; k < t->classes; k++) all += observer(t, leaf, 0)[2 + 3 * k];
  for (size_t j = 0; j < t->watched; j++) {
    double *o = observer(t, leaf, j), *c = o + 2 + 3 * code;
    const double value = x[observed[j]], d = value - c[1];
    o[0] = all > 0 && o[0] < value ? o[0] : value;
    o[1] = all > 0 && o[1] > value ? o[1] : value;
    c[0] += weight;
    c[1] += weight / c[0] * d;
    c[2] += weight * d * (value - c[1]);
  }
}

void mn_hoeffding_learn(const mn_hoeffding_tree *t, mn_rng *rng, const double *x, size_t code, double weight,
                        mn_leaf_scores *scores, double *p)
{
  const int32_t leaf = mn_hoeffding_leaf(t, x);
  double *right = t->right + 2 * (size_t)leaf, all = 0;
  const double *o = observer(t, leaf, 0);
  mn_leaf_shares(t, leaf, p);
  if (largest(t->classes, p) == code) right[0] += weight;
  if (t->adaptive) {
    bayes(t, leaf, x, scores, p);
    if (largest(t->classes, p) == code) right[1] += weight;
  }
  t->tally[(size_t)leaf * t->classes + code] += weight;
  observe(t, leaf, x, code, weight);
  for (size_t k = 0; k < t->classes; k++) all += o[2 + 3 * k];
  if (all - t->looked[leaf] < t->grace) return;
  t->looked[leaf] = all;
  look(t, rng, leaf, all, p, scores->start);
}
