/* Statistics of the rows of a node: sums, impurity, and the gain of a split. */
#include "node_stats.h"
#include "node_kernel.h"
#include "scan.h"
#include <math.h>
#include <string.h>

enum { MAX_COUNTED_CLASSES = 32 };

/* Integer counts of unweighted classes, in two halves that do not depend on each other. */
static void count_left(const int32_t *code, const uint32_t *id, const uint32_t *left, size_t n, size_t width,
                       double *sum, double *weight)
{
  uint32_t count[2][MAX_COUNTED_CLASSES] = { { 0 } };
  size_t i = 0;
  for (; i + 1 < n; i += 2) {
    count[0][code[id[i]]] += left[i];
    count[1][code[id[i + 1]]] += left[i + 1];
  }
  if (i < n) count[0][code[id[i]]] += left[i];
  for (size_t c = 0; c < width; c++) {
    sum[c] += (double)count[0][c] + (double)count[1][c];
    *weight += (double)count[0][c] + (double)count[1][c];
  }
}

void mn_add_rows(const mn_split_settings *settings, const mn_training_view *view, const uint32_t *id,
                 const uint32_t *left, size_t n, double *sum, double *weight, double *count)
{
  if (view->code && !view->weight && left && settings->width <= MAX_COUNTED_CLASSES) {
    count_left(view->code, id, left, n, settings->width, sum, weight);
    *count = *weight;
    return;
  }
  for (size_t i = 0; i < n; i++) {
    const uint32_t row = id[i];
    const double w = !left || left[i] ? view->weight ? view->weight[row] : 1 : 0;
    *weight += w;
    *count += w > 0 ? fmax(1, w) : 0;
    if (view->code)
      sum[view->code[row]] += w;
    else
      for (size_t t = 0; t < settings->width; t++) sum[t] += w * view->y[row * settings->width + t];
  }
}

/* Sort the rows by y. False: cancelled. */
static bool sort_by_y(const mn_training_view *view, const uint32_t *id, size_t n, mn_search_workspace *ws)
{
  uint32_t low = UINT32_MAX, high = 0;
  mn_chunk p = { 0 };
  while (mn_next_chunk(&ws->token, n, &p))
    for (size_t i = p.begin; i < p.end; i++) {
      const uint32_t key = ws->raw_key[i] = view->y_rank[id[i]];
      low = key < low ? key : low;
      high = key > high ? key : high;
    }
  if (p.end < n || !mn_sort_rows(ws, id, n, low, high)) return false;
  p = (mn_chunk){ 0 };
  while (mn_next_chunk(&ws->token, n, &p))
    for (size_t i = p.begin; i < p.end; i++) {
      ws->y.position[ws->id[i]] = (uint32_t)i;
      ws->y.sorted[i] = view->y[ws->id[i]];
    }
  return p.end == n;
}

/* The weighted median of the sorted rows, the midpoint where both sides have equal weight, and the sum of absolute
 * errors about it. */
static double weighted_median(const mn_training_view *view, size_t n, double total, const mn_search_workspace *ws,
                              double *error)
{
  double below = 0, median = 0;
  size_t i = 0;
  for (; i < n; i++) {
    below += view->weight ? view->weight[ws->id[i]] : 1;
    if (2 * below >= total) break;
  }
  if (i == n) i = n - 1;
  median = ws->y.sorted[i];
  if (!(2 * below > total) && i + 1 < n) median = median / 2 + ws->y.sorted[i + 1] / 2;
  *error = 0;
  for (i = 0; i < n; i++) *error += (view->weight ? view->weight[ws->id[i]] : 1) * fabs(ws->y.sorted[i] - median);
  return median;
}

static void add_classes(const mn_training_view *view, const uint32_t *id, size_t n, size_t width, mn_node_stats *stats)
{
  size_t present = 0;
  for (size_t i = 0; i < n; i++) stats->sum[view->code[id[i]]] += view->weight ? view->weight[id[i]] : 1;
  for (size_t c = 0; c < width; c++) present += stats->sum[c] > 0;
  stats->pure = present < 2;
}

/* True where random thresholds are scored by counts of few classes. The classes are then read once for all columns of
 * the node. */
static bool uses_class_words(const mn_split_settings *settings, const mn_training_view *view)
{
  return settings->random_thresholds && view->code && !view->weight && settings->width <= MN_CLASS_WORD_CLASSES;
}

static void add_class_words(const mn_training_view *view, const uint32_t *id, size_t n, size_t width,
                            mn_search_workspace *ws, mn_node_stats *stats)
{
  const size_t all = mn_padded_rows(n);
  size_t present = 0;
  for (size_t i = 0; i < n; i++) ws->class_word[i] = UINT64_C(1) << 8 * view->code[id[i]];
  for (size_t i = n; i < all; i++) ws->class_word[i] = 0;
  for (size_t i = 0; i < all; i += MN_MAX_CLASS_WORDS)
    mn_add_class_word(
        mn_sum_class_words(all - i < MN_MAX_CLASS_WORDS ? all - i : MN_MAX_CLASS_WORDS, ws->class_word + i), width,
        stats->sum);
  for (size_t c = 0; c < width; c++) present += stats->sum[c] > 0;
  stats->pure = present < 2;
  stats->class_word = ws->class_word;
}

static void add_numbers(const mn_training_view *view, const uint32_t *id, size_t n, size_t width,
                        const mn_cancel_token *token, mn_node_stats *stats)
{
  stats->pure = true;
  mn_chunk p = { 0 };
  while (mn_next_chunk(token, n, &p))
    for (size_t i = p.begin; i < p.end; i++) {
      const double w = view->weight ? view->weight[id[i]] : 1, *y = view->y + id[i] * width,
                   *first = view->y + id[0] * width;
      for (size_t k = 0; k < width; k++) {
        stats->sum[k] += w * y[k];
        stats->sum_squares += w * y[k] * y[k];
        stats->pure = stats->pure && !(y[k] < first[k]) && !(y[k] > first[k]);
      }
    }
}

/* sum of w y log y */
static double sum_y_log_y(const mn_training_view *view, const uint32_t *id, size_t n, size_t width)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < width; k++) {
      const double y = view->y[id[i] * width + k];
      if (y > 0) sum += (view->weight ? view->weight[id[i]] : 1) * y * log(y);
    }
  return sum;
}

static double node_impurity(const mn_split_settings *settings, const mn_training_view *view, const uint32_t *id,
                            size_t n, mn_node_stats *stats)
{
  const double targets = (double)settings->width;
  if (stats->pure) return 0;
  switch (settings->criterion) {
  case MN_CRITERION_GINI: return fmax(0, 1 - stats->proxy / stats->weight);
  case MN_CRITERION_ENTROPY: return fmax(0, -stats->proxy / stats->weight / log(2));
  case MN_CRITERION_POISSON:
    return fmax(0, (sum_y_log_y(view, id, n, settings->width) - stats->proxy) / stats->weight / targets);
  case MN_CRITERION_SQUARED_ERROR:
  case MN_CRITERION_FRIEDMAN_MSE:
  case MN_CRITERION_ABSOLUTE_ERROR: break;
  }
  return fmax(0, (stats->sum_squares - stats->proxy) / stats->weight / targets);
}

void mn_compute_node_stats(const mn_split_settings *settings, const mn_training_view *view, const uint32_t *id,
                           size_t n, mn_search_workspace *ws, mn_node_stats *stats)
{
  stats->weight = stats->count = (double)n;
  stats->sum_squares = 0;
  memset(stats->sum, 0, settings->width * sizeof *stats->sum);
  if (view->weight) {
    stats->weight = stats->count = 0;
    for (size_t i = 0; i < n; i++) {
      stats->weight += view->weight[id[i]];
      stats->count += fmax(1, view->weight[id[i]]);
    }
  }
  if (uses_class_words(settings, view))
    add_class_words(view, id, n, settings->width, ws, stats);
  else if (view->code)
    add_classes(view, id, n, settings->width, stats);
  else
    add_numbers(view, id, n, settings->width, &ws->token, stats);
  stats->proxy = mn_side_proxy(settings, stats->sum, stats->weight);
  stats->value = view->code ? stats->sum[settings->width > 1] / stats->weight : stats->sum[0] / stats->weight;
  stats->impurity = node_impurity(settings, view, id, n, stats);
  if (settings->criterion == MN_CRITERION_ABSOLUTE_ERROR) {
    double error;
    if (!sort_by_y(view, id, n, ws)) return;
    stats->y_position = ws->y.position;
    stats->y_sorted = ws->y.sorted;
    stats->value = weighted_median(view, n, stats->weight, ws, &error);
    stats->impurity = stats->pure ? 0 : error / stats->weight;
    stats->proxy = -error;
  }
}

double mn_proxy_tolerance(const mn_split_settings *settings, const mn_node_stats *stats)
{
  const double tiny = 1e-12;
  switch (settings->criterion) {
  case MN_CRITERION_GINI: return tiny * stats->weight;
  case MN_CRITERION_ENTROPY: return tiny * stats->weight * (1 + fabs(log(stats->weight)));
  case MN_CRITERION_SQUARED_ERROR: return tiny * stats->sum_squares;
  case MN_CRITERION_FRIEDMAN_MSE: return tiny * stats->sum_squares * stats->weight;
  case MN_CRITERION_POISSON: return tiny * (fabs(stats->proxy) + stats->weight);
  case MN_CRITERION_ABSOLUTE_ERROR: return tiny * fabs(stats->proxy);
  }
  return 0;
}

bool mn_is_better(const mn_split_settings *settings, const mn_node_stats *stats, double a, double b)
{
  return a > b + mn_proxy_tolerance(settings, stats);
}

bool mn_is_perfect(const mn_split_settings *settings, const mn_node_stats *stats, double proxy)
{
  double bound = 0; /* for entropy and absolute error */
  switch (settings->criterion) {
  case MN_CRITERION_GINI: bound = stats->weight; break;
  case MN_CRITERION_SQUARED_ERROR: bound = stats->sum_squares; break;
  case MN_CRITERION_ENTROPY:
  case MN_CRITERION_ABSOLUTE_ERROR: break;
  case MN_CRITERION_FRIEDMAN_MSE:
  case MN_CRITERION_POISSON: return false;
  }
  return !mn_is_better(settings, stats, bound, proxy);
}

double mn_split_gain(const mn_split_settings *settings, const mn_node_stats *stats, const mn_split *split)
{
  const double targets = (double)settings->width;
  switch (settings->criterion) {
  case MN_CRITERION_GINI: return split->proxy - stats->proxy;
  case MN_CRITERION_ENTROPY: return (split->proxy - stats->proxy) / log(2);
  case MN_CRITERION_FRIEDMAN_MSE: return split->proxy / stats->weight / targets; /* Friedman (2001), eq. 35 */
  case MN_CRITERION_SQUARED_ERROR:
  case MN_CRITERION_POISSON:
  case MN_CRITERION_ABSOLUTE_ERROR: break;
  }
  return (split->proxy - stats->proxy) / targets;
}
