/* The rows of one node together: sums, impurity, and how much a split gains. */
#include "search_parts.h"
#include <math.h>
#include <string.h>

/* False: cancelled. */
static bool place_by_y(const mn_training_view *g, const uint32_t *id, size_t n, mn_search_workspace *b)
{
  uint32_t low = UINT32_MAX, high = 0;
  mn_chunk p = { 0 };
  while (mn_next_chunk(&b->token, n, &p))
    for (size_t i = p.begin; i < p.end; i++) {
      const uint32_t key = b->raw_key[i] = g->y_rank[id[i]];
      low = key < low ? key : low;
      high = key > high ? key : high;
    }
  if (p.end < n || !mn_sort_rows(b, id, n, low, high)) return false;
  p = (mn_chunk){ 0 };
  while (mn_next_chunk(&b->token, n, &p))
    for (size_t i = p.begin; i < p.end; i++) {
      b->y_place[b->id[i]] = (uint32_t)i;
      b->y_sorted[i] = g->y[b->id[i]];
    }
  return p.end == n;
}

/* The median of the sorted rows: halfway where both sides weigh the same. Also the sum of errors about it. */
static double median_of(const mn_training_view *g, size_t n, double total, const mn_search_workspace *b, double *error)
{
  double below = 0, median = 0;
  size_t i = 0;
  for (; i < n; i++) {
    below += g->weight ? g->weight[b->id[i]] : 1;
    if (2 * below >= total) break;
  }
  if (i == n) i = n - 1;
  median = b->y_sorted[i];
  if (!(2 * below > total) && i + 1 < n) median = median / 2 + b->y_sorted[i + 1] / 2;
  *error = 0;
  for (i = 0; i < n; i++) *error += (g->weight ? g->weight[b->id[i]] : 1) * fabs(b->y_sorted[i] - median);
  return median;
}

static void tally_classes(const mn_training_view *g, const uint32_t *id, size_t n, size_t width, mn_node_stats *t)
{
  size_t present = 0;
  for (size_t i = 0; i < n; i++) t->sum[g->code[id[i]]] += g->weight ? g->weight[id[i]] : 1;
  for (size_t c = 0; c < width; c++) present += t->sum[c] > 0;
  t->pure = present < 2;
}

/* Where drawn cuts are judged by counts of few classes: the classes are read once for all columns of the node. */
static bool has_votes(const mn_split_settings *rules, const mn_training_view *g)
{
  return rules->random && g->code && !g->weight && rules->width <= MN_CLASS_WORD_CLASSES;
}

static void tally_votes(const mn_training_view *g, const uint32_t *id, size_t n, size_t width, mn_search_workspace *b,
                        mn_node_stats *t)
{
  const size_t all = mn_padded_rows(n);
  size_t present = 0;
  for (size_t i = 0; i < n; i++) b->vote[i] = UINT64_C(1) << 8 * g->code[id[i]];
  for (size_t i = n; i < all; i++) b->vote[i] = 0;
  for (size_t i = 0; i < all; i += MN_MAX_CLASS_WORDS)
    mn_add_class_word(mn_sum_class_words(all - i < MN_MAX_CLASS_WORDS ? all - i : MN_MAX_CLASS_WORDS, b->vote + i),
                      width, t->sum);
  for (size_t c = 0; c < width; c++) present += t->sum[c] > 0;
  t->pure = present < 2;
  t->vote = b->vote;
}

static void tally_reals(const mn_training_view *g, const uint32_t *id, size_t n, size_t width,
                        const mn_cancel_token *token, mn_node_stats *t)
{
  t->pure = true;
  mn_chunk p = { 0 };
  while (mn_next_chunk(token, n, &p))
    for (size_t i = p.begin; i < p.end; i++) {
      const double w = g->weight ? g->weight[id[i]] : 1, *y = g->y + id[i] * width, *first = g->y + id[0] * width;
      for (size_t k = 0; k < width; k++) {
        t->sum[k] += w * y[k];
        t->square += w * y[k] * y[k];
        t->pure = t->pure && !(y[k] < first[k]) && !(y[k] > first[k]);
      }
    }
}

static double log_sum(const mn_training_view *g, const uint32_t *id, size_t n, size_t width)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < width; k++) {
      const double y = g->y[id[i] * width + k];
      if (y > 0) sum += (g->weight ? g->weight[id[i]] : 1) * y * log(y);
    }
  return sum;
}

static double impurity_of(const mn_split_settings *rules, const mn_training_view *g, const uint32_t *id, size_t n,
                          mn_node_stats *t)
{
  const double targets = (double)rules->width;
  if (t->pure) return 0;
  switch (rules->criterion) {
  case MN_CRITERION_GINI: return fmax(0, 1 - t->proxy / t->weight);
  case MN_CRITERION_ENTROPY: return fmax(0, -t->proxy / t->weight / log(2));
  case MN_CRITERION_POISSON: return fmax(0, (log_sum(g, id, n, rules->width) - t->proxy) / t->weight / targets);
  case MN_CRITERION_SQUARED_ERROR:
  case MN_CRITERION_FRIEDMAN_MSE:
  case MN_CRITERION_ABSOLUTE_ERROR: break;
  }
  return fmax(0, (t->square - t->proxy) / t->weight / targets);
}

void mn_compute_node_stats(const mn_split_settings *rules, const mn_training_view *g, const uint32_t *id, size_t n,
                           mn_search_workspace *b, mn_node_stats *t)
{
  t->weight = t->count = (double)n;
  t->square = 0;
  memset(t->sum, 0, rules->width * sizeof *t->sum);
  if (g->weight) {
    t->weight = t->count = 0;
    for (size_t i = 0; i < n; i++) {
      t->weight += g->weight[id[i]];
      t->count += fmax(1, g->weight[id[i]]);
    }
  }
  if (has_votes(rules, g))
    tally_votes(g, id, n, rules->width, b, t);
  else if (g->code)
    tally_classes(g, id, n, rules->width, t);
  else
    tally_reals(g, id, n, rules->width, &b->token, t);
  t->proxy = mn_side_proxy(rules, t->sum, t->weight);
  t->value = g->code ? t->sum[rules->width > 1] / t->weight : t->sum[0] / t->weight;
  t->impurity = impurity_of(rules, g, id, n, t);
  if (rules->criterion == MN_CRITERION_ABSOLUTE_ERROR) {
    double error;
    if (!place_by_y(g, id, n, b)) return;
    t->y_place = b->y_place;
    t->y_sorted = b->y_sorted;
    t->value = median_of(g, n, t->weight, b, &error);
    t->impurity = t->pure ? 0 : error / t->weight;
    t->proxy = -error;
  }
}

/* What rounding may do to a proxy. */
double mn_proxy_tolerance(const mn_split_settings *rules, const mn_node_stats *t)
{
  const double tiny = 1e-12;
  switch (rules->criterion) {
  case MN_CRITERION_GINI: return tiny * t->weight;
  case MN_CRITERION_ENTROPY: return tiny * t->weight * (1 + fabs(log(t->weight)));
  case MN_CRITERION_SQUARED_ERROR: return tiny * t->square;
  case MN_CRITERION_FRIEDMAN_MSE: return tiny * t->square * t->weight;
  case MN_CRITERION_POISSON: return tiny * (fabs(t->proxy) + t->weight);
  case MN_CRITERION_ABSOLUTE_ERROR: return tiny * fabs(t->proxy);
  }
  return 0;
}

bool mn_is_better(const mn_split_settings *rules, const mn_node_stats *tally, double a, double b)
{
  return a > b + mn_proxy_tolerance(rules, tally);
}

bool mn_is_perfect(const mn_split_settings *rules, const mn_node_stats *t, double proxy)
{
  double limit = 0; /* of entropy and absolute error */
  switch (rules->criterion) {
  case MN_CRITERION_GINI: limit = t->weight; break;
  case MN_CRITERION_SQUARED_ERROR: limit = t->square; break;
  case MN_CRITERION_ENTROPY:
  case MN_CRITERION_ABSOLUTE_ERROR: break;
  case MN_CRITERION_FRIEDMAN_MSE:
  case MN_CRITERION_POISSON: return false;
  }
  return !mn_is_better(rules, t, limit, proxy);
}

double mn_split_gain(const mn_split_settings *rules, const mn_node_stats *t, const mn_split *split)
{
  const double targets = (double)rules->width;
  switch (rules->criterion) {
  case MN_CRITERION_GINI: return split->proxy - t->proxy;
  case MN_CRITERION_ENTROPY: return (split->proxy - t->proxy) / log(2);
  case MN_CRITERION_FRIEDMAN_MSE: return split->proxy / t->weight / targets; /* Friedman (2001), eq. 35 */
  case MN_CRITERION_SQUARED_ERROR:
  case MN_CRITERION_POISSON:
  case MN_CRITERION_ABSOLUTE_ERROR: break;
  }
  return (split->proxy - t->proxy) / targets;
}
