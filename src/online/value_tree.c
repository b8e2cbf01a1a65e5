#include "value_tree.h"
#include <string.h>

/* What the squared error of a row counts for at the next one; the least weight of either side of a split. */
static const double fading = 0.98, least_share = 0.01;

static double *sums_of(const mn_value_tree *t, int32_t node)
{
  return t->sums + (size_t)node * MN_NODE_SUMS;
}

static void make_leaf(const mn_value_tree *t, mn_rng *rng, int32_t node)
{
  const size_t first = (size_t)node * t->watched;
  mn_draw_watched(rng, t->features, t->watched, t->observed + first);
  t->child[2 * node] = t->child[2 * node + 1] = -1;
  t->feature[node] = 0;
  t->cut[node] = t->looked[node] = 0;
  memset(sums_of(t, node), 0, MN_NODE_SUMS * sizeof *t->sums);
  memset(t->slope + first, 0, t->watched * sizeof *t->slope);
  memset(t->column + first, 0, t->watched * sizeof *t->column);
}

void mn_value_begin(const mn_value_tree *t, mn_rng *rng)
{
  *t->used = 1;
  make_leaf(t, rng, 0);
}

static int32_t leaf_of(const mn_value_tree *t, const double *x)
{
  int32_t node = 0;
  while (t->child[2 * node] >= 0) node = t->child[2 * node + !(x[t->feature[node]] <= t->cut[node])];
  return node;
}

/* --- answers --- */

/* No further than y has been. */
static double line_at(const mn_value_tree *t, int32_t leaf, const double *x)
{
  const double *sums = sums_of(t, leaf);
  const size_t first = (size_t)leaf * t->watched;
  double value = sums[MN_NODE_MEAN];
  for (size_t j = 0; j < t->watched; j++)
    value += t->slope[first + j].slope * (x[t->observed[first + j]] - t->slope[first + j].mean);
  if (!(value >= sums[MN_NODE_LOW])) value = sums[MN_NODE_LOW];
  if (value > sums[MN_NODE_HIGH]) value = sums[MN_NODE_HIGH];
  return value;
}

bool mn_leaf_is_line(const mn_value_tree *t, int32_t leaf)
{
  const double *sums = sums_of(t, leaf);
  return t->adaptive && sums[MN_NODE_OFF_LINE] < sums[MN_NODE_OFF_MEAN];
}

bool mn_value_predict(const mn_value_tree *t, const double *x, double *value)
{
  const int32_t leaf = leaf_of(t, x);
  const double *sums = sums_of(t, leaf);
  *value = mn_leaf_is_line(t, leaf) ? line_at(t, leaf, x) : sums[MN_NODE_MEAN];
  return sums[MN_NODE_WEIGHT] > 0;
}

/* --- splits --- */

struct split {
  double gain, cut; /* by how much the sum of squares falls */
  size_t at;        /* among the columns watched            */
  double weight[2], mean[2];
};

static double halfway(double low, double high)
{
  const double middle = low / 2 + high / 2;
  return middle >= low && middle < high ? middle : low;
}

/* Squares between two parts whose sums of weight and of weight (y - center) are these. */
static double between(const double *weight, const double *sum)
{
  const double all = sum[0] + sum[1];
  return sum[0] / weight[0] * sum[0] + sum[1] / weight[1] * sum[1] - all / (weight[0] + weight[1]) * all;
}

static struct split best_of(const mn_value_histogram *h, double center, size_t at)
{
  const size_t used = (size_t)h->used;
  double weight[2] = { 0 }, sum[2] = { 0 };
  struct split best = { .at = at };
  for (size_t b = 0; b < used; b++) {
    weight[1] += h->bin[b].weight;
    sum[1] += h->bin[b].weight * (h->bin[b].mean - center);
  }
  const double least = least_share * weight[1];
  for (size_t b = 0; b + 1 < used; b++) {
    const double w = h->bin[b].weight, s = w * (h->bin[b].mean - center);
    weight[0] += w;
    weight[1] -= w;
    sum[0] += s;
    sum[1] -= s;
    if (!(weight[0] > least && weight[1] > least)) continue;
    const double gain = between(weight, sum);
    if (!(gain > best.gain)) continue;
    best.gain = gain;
    best.cut = halfway(h->bin[b].x, h->bin[b + 1].x);
    for (int side = 0; side < 2; side++) {
      best.weight[side] = weight[side];
      best.mean[side] = center + sum[side] / weight[side];
    }
  }
  return best;
}

/* Where the parent's line leads, the child's does until it knows more. */
static void pass_slopes(const mn_value_tree *t, int32_t parent, int32_t child)
{
  const size_t from = (size_t)parent * t->watched, to = (size_t)child * t->watched;
  for (size_t a = 0; a < t->watched; a++)
    for (size_t b = 0; b < t->watched; b++)
      if (t->observed[from + a] == t->observed[to + b]) t->slope[to + b].slope = t->slope[from + a].slope;
}

static void split_leaf(const mn_value_tree *t, mn_rng *rng, int32_t leaf, const struct split *s)
{
  const int32_t first = *t->used;
  const double *own = sums_of(t, leaf);
  *t->used += 2;
  for (int32_t side = 0; side < 2; side++) {
    double *sums = sums_of(t, first + side);
    make_leaf(t, rng, first + side);
    sums[MN_NODE_WEIGHT] = s->weight[side];
    sums[MN_NODE_MEAN] = s->mean[side];
    sums[MN_NODE_LOW] = own[MN_NODE_LOW];
    sums[MN_NODE_HIGH] = own[MN_NODE_HIGH];
    pass_slopes(t, leaf, first + side);
  }
  t->feature[leaf] = t->observed[(size_t)leaf * t->watched + s->at];
  t->cut[leaf] = s->cut;
  t->child[2 * leaf] = first;
  t->child[2 * leaf + 1] = first + 1;
}

/* The bound is on the ratio of the gains, which is from 0 to 1; not to split counts as a split without gain. Of noise,
 * a split takes away a share of the squares above 2 log(1 / delta) / rows with a probability of 2 delta at most. */
static void look(const mn_value_tree *t, mn_rng *rng, int32_t leaf)
{
  const double *sums = sums_of(t, leaf), unsure = log(1 / t->delta);
  struct split best = { 0 }, second = { 0 };
  for (size_t j = 0; j < t->watched; j++) {
    const struct split s = best_of(&t->column[(size_t)leaf * t->watched + j], sums[MN_NODE_CENTER], j);
    if (s.gain > best.gain) {
      second = best;
      best = s;
    } else if (s.gain > second.gain) {
      second = s;
    }
  }
  const double bound = sqrt(unsure / (2 * sums[MN_NODE_SEEN]));
  const double chance = 2 * (unsure + log((double)t->watched * (MN_VALUE_BINS - 1))) / sums[MN_NODE_ROWS];
  if (!(best.gain > chance * sums[MN_NODE_SQUARES])) return;
  if (second.gain / best.gain < 1 - bound || bound < t->tau) split_leaf(t, rng, leaf, &best);
}

/* --- learning --- */

static void join(mn_value_bin *into, const mn_value_bin *b)
{
  const double share = b->weight / (into->weight + b->weight);
  into->weight += b->weight;
  into->x += share * (b->x - into->x);
  into->mean += share * (b->mean - into->mean);
}

/* One place more, which is joined to its nearest, or the nearest two of the others are. */
static void add_bin(mn_value_histogram *h, const mn_value_bin *new)
{
  mn_value_bin list[MN_VALUE_BINS + 1];
  size_t used = (size_t)h->used, at = 0, close = 0;
  while (at < used && h->bin[at].x < new->x) at++;
  if (at < used && !(h->bin[at].x > new->x)) {
    join(&h->bin[at], new);
    return;
  }
  memcpy(list, h->bin, at * sizeof *list);
  list[at] = *new;
  memcpy(list + at + 1, h->bin + at, (used - at) * sizeof *list);
  if (++used > MN_VALUE_BINS) {
    for (size_t b = 1; b + 1 < used; b++)
      if (list[b + 1].x - list[b].x < list[close + 1].x - list[close].x) close = b;
    join(&list[close], &list[close + 1]);
    memmove(list + close + 1, list + close + 2, (used - close - 2) * sizeof *list);
    used--;
  }
  memcpy(h->bin, list, used * sizeof *list);
  h->used = (double)used;
}

/* A step of normalised least mean squares in columns of unit variance, shorter with the rows. */
static void bend_line(const mn_value_tree *t, int32_t leaf, const double *x, double off, double rate)
{
  const size_t first = (size_t)leaf * t->watched;
  const double seen = sums_of(t, leaf)[MN_NODE_SEEN];
  double length = 1;
  for (int turn = 0; turn < 2; turn++) {
    for (size_t j = 0; j < t->watched; j++) {
      mn_slope *s = &t->slope[first + j];
      const double variance = s->squares / seen;
      if (!(variance >= 1e-300)) continue;
      const double z = (x[t->observed[first + j]] - s->mean) / sqrt(variance);
      if (turn == 0) length += z * z;
      if (turn == 1) s->slope += rate * off / length * z / sqrt(variance);
    }
  }
}

static void note_y(double *sums, double y, double weight)
{
  const bool first = !(sums[MN_NODE_WEIGHT] > 0);
  sums[MN_NODE_LOW] = first || y < sums[MN_NODE_LOW] ? y : sums[MN_NODE_LOW];
  sums[MN_NODE_HIGH] = first || y > sums[MN_NODE_HIGH] ? y : sums[MN_NODE_HIGH];
  sums[MN_NODE_WEIGHT] += weight;
  sums[MN_NODE_MEAN] += weight / sums[MN_NODE_WEIGHT] * (y - sums[MN_NODE_MEAN]);
  sums[MN_NODE_ROWS]++;
  sums[MN_NODE_SEEN] += weight;
  const double d = y - sums[MN_NODE_CENTER];
  sums[MN_NODE_CENTER] += weight / sums[MN_NODE_SEEN] * d;
  sums[MN_NODE_SQUARES] += weight * d * (y - sums[MN_NODE_CENTER]);
}

/* The line learns from how far it is off, before it knows the row. */
static void judge_leaf(const mn_value_tree *t, int32_t leaf, const double *x, double y, double weight)
{
  double *sums = sums_of(t, leaf);
  if (!(sums[MN_NODE_SEEN] > 0)) return;
  const double of_mean = y - sums[MN_NODE_MEAN], of_line = y - line_at(t, leaf, x);
  const double often = weight / sums[MN_NODE_SEEN] * sums[MN_NODE_ROWS];
  sums[MN_NODE_OFF_MEAN] = fading * sums[MN_NODE_OFF_MEAN] + of_mean * of_mean;
  sums[MN_NODE_OFF_LINE] = fading * sums[MN_NODE_OFF_LINE] + of_line * of_line;
  bend_line(t, leaf, x, of_line, fmin(1, often / sqrt(1 + sums[MN_NODE_ROWS])));
}

void mn_value_learn(const mn_value_tree *t, mn_rng *rng, const double *x, double y, double weight)
{
  const int32_t leaf = leaf_of(t, x);
  const size_t first = (size_t)leaf * t->watched;
  double *sums = sums_of(t, leaf);
  if (t->adaptive) judge_leaf(t, leaf, x, y, weight);
  note_y(sums, y, weight);
  for (size_t j = 0; j < t->watched; j++) {
    const double value = x[t->observed[first + j]];
    mn_slope *s = &t->slope[first + j];
    const double d = value - s->mean;
    s->mean += weight / sums[MN_NODE_SEEN] * d;
    s->squares += weight * d * (value - s->mean);
    add_bin(&t->column[first + j], &(mn_value_bin){ .x = value, .weight = weight, .mean = y });
  }
  if (sums[MN_NODE_SEEN] - t->looked[leaf] < t->grace) return;
  t->looked[leaf] = sums[MN_NODE_SEEN];
  look(t, rng, leaf);
}
