/* The proxy of a split is its gain without the terms that are the same for every split of the node; larger is better.
 *
 *     gini      sum_c L_c^2 / w_L + sum_c R_c^2 / w_R                      L_c, R_c: weight of class c on each side
 *     squared   L^2 / w_L + R^2 / w_R                                      L, R: sums of w y
 *     friedman  (w_R L - w_L R)^2 / (w_L w_R)
 *     entropy   sum_c L_c log L_c - w_L log w_L + the same of the right side
 *     poisson   L log (L / w_L) + R log (R / w_R)                          y is not centered; no side may have
 *                                                                          only y = 0
 *     absolute  - sum w |y - median of its side|
 *
 * The first three are compared as fractions with denominator w_L w_R, without a division. */
#include "scan.h"
#include <math.h>
#include <string.h>

static double x_log_x(const mn_split_settings *settings, double x)
{
  if (!(x > 0)) return 0;
  if (settings->x_log_x && x < (double)settings->x_log_x_size) return settings->x_log_x[(size_t)x];
  return x * log(x);
}

double mn_side_proxy(const mn_split_settings *settings, const double *sum, double weight)
{
  double all = 0;
  if (!(weight > 0)) return 0;
  switch (settings->criterion) {
  case MN_CRITERION_ENTROPY:
    for (size_t c = 0; c < settings->width; c++) all += x_log_x(settings, sum[c]);
    return all - x_log_x(settings, weight);
  case MN_CRITERION_POISSON:
    for (size_t t = 0; t < settings->width; t++) all += sum[t] > 0 ? sum[t] * log(sum[t] / weight) : -INFINITY;
    return all;
  case MN_CRITERION_FRIEDMAN_MSE:
  case MN_CRITERION_GINI:
  case MN_CRITERION_SQUARED_ERROR:
  case MN_CRITERION_ABSOLUTE_ERROR: break;
  }
  for (size_t c = 0; c < settings->width; c++) all += sum[c] * sum[c];
  return all / weight;
}

/* The two sides during a scan. */
struct sides {
  double left_weight, right_weight, left_count, right_count;
  double left_square, right_square; /* sum of L_c^2 (gini) or of L_c log L_c (entropy) */
};

/* Move a row from the right side to the left. */
static inline void move_row(const mn_scan *s, struct sides *d, uint32_t row, mn_criterion criterion)
{
  const mn_training_view *view = s->view;
  const double w = view->weight ? view->weight[row] : 1;
  d->left_weight += w;
  d->right_weight -= w;
  if (criterion == MN_CRITERION_GINI || criterion == MN_CRITERION_ENTROPY) {
    double *l = &s->left[view->code[row]], *r = &s->right[view->code[row]];
    if (criterion == MN_CRITERION_GINI) {
      d->left_square += w * (2 * *l + w);
      d->right_square += w * (w - 2 * *r);
      *l += w;
      *r -= w;
    } else {
      d->left_square -= x_log_x(s->settings, *l);
      d->right_square -= x_log_x(s->settings, *r);
      *l += w;
      *r -= w;
      d->left_square += x_log_x(s->settings, *l);
      d->right_square += x_log_x(s->settings, *r);
    }
    return;
  }
  const size_t width = s->settings->width;
  for (size_t t = 0; t < width; t++) {
    const double wy = w * view->y[row * width + t];
    s->left[t] += wy;
    s->right[t] -= wy;
  }
}

/* Numerator and denominator of the proxy. */
static inline void compute_proxy(const mn_scan *s, const struct sides *d, mn_criterion criterion, double *num,
                                 double *den)
{
  const size_t width = s->settings->width;
  const double l = d->left_weight, r = d->right_weight;
  *num = 0;
  *den = l * r;
  if (criterion == MN_CRITERION_GINI) {
    *num = d->left_square * r + d->right_square * l;
  } else if (criterion == MN_CRITERION_ENTROPY) {
    *num = d->left_square + d->right_square - x_log_x(s->settings, l) - x_log_x(s->settings, r);
    *den = 1;
  } else if (criterion == MN_CRITERION_SQUARED_ERROR) {
    for (size_t t = 0; t < width; t++) *num += s->left[t] * s->left[t] * r + s->right[t] * s->right[t] * l;
  } else if (criterion == MN_CRITERION_FRIEDMAN_MSE) {
    for (size_t t = 0; t < width; t++) {
      const double d_t = r * s->left[t] - l * s->right[t];
      *num += d_t * d_t;
    }
  } else {
    *num = mn_side_proxy(s->settings, s->left, l) + mn_side_proxy(s->settings, s->right, r);
    *den = 1;
  }
}

/* True if leaves of these values satisfy the monotone constraint, within the bounds of the node. A split by an
 * unconstrained column may exceed the bounds: leaf values are clipped to them in the end, and a node that is not split
 * here could not be split further down. */
static bool satisfies_constraint(const mn_scan *s, double left, double right)
{
  const double low = fmin(left, right), high = fmax(left, right);
  if (s->monotone == 0) return true;
  return (left - right) * s->monotone <= 0 && low >= s->stats->low && high <= s->stats->high;
}

/* For leaves that hold means or shares of the second class. */
static bool is_monotone(const mn_scan *s, const struct sides *d)
{
  const bool classes = s->view->code != NULL;
  return satisfies_constraint(s, s->left[classes] / d->left_weight, s->right[classes] / d->right_weight);
}

static inline bool is_large_enough(const mn_scan *s, const struct sides *d)
{
  const mn_split_settings *u = s->settings;
  return d->left_count >= u->min_leaf_rows && d->right_count >= u->min_leaf_rows &&
         d->left_weight >= u->min_leaf_weight && d->right_weight >= u->min_leaf_weight;
}

/* All rows on the right side. */
static void init_sides(mn_scan *s, struct sides *d, mn_criterion criterion)
{
  const mn_node_stats *stats = s->stats;
  *d = (struct sides){ .right_weight = stats->weight, .right_count = stats->count };
  for (size_t c = 0; c < s->settings->width; c++) {
    s->left[c] = 0;
    s->right[c] = stats->sum[c];
    if (criterion == MN_CRITERION_GINI) d->right_square += stats->sum[c] * stats->sum[c];
    if (criterion == MN_CRITERION_ENTROPY) d->right_square += x_log_x(s->settings, stats->sum[c]);
  }
}

/* Count of a row for min_samples_leaf. */
static inline double row_count(const mn_training_view *view, uint32_t row)
{
  return view->weight ? fmax(1, view->weight[row]) : 1;
}

static inline __attribute__((always_inline)) void scan(mn_scan *s, const mn_cancel_token *token, mn_criterion criterion)
{
  struct sides d;
  init_sides(s, &d, criterion);
  const bool plain = !(s->settings->min_leaf_rows > 1) && !(s->settings->min_leaf_weight > 0) && !s->settings->monotone;
  const size_t stop = s->n_missing > 0 && !s->missing_left ? s->n : s->n - 1;
  double best = s->best, needed = best + s->tolerance, num, den;
  for (size_t i = 0; s->missing_left && i < s->n_missing; i++) {
    move_row(s, &d, s->missing[i], criterion);
    d.left_count += row_count(s->view, s->missing[i]);
    d.right_count -= row_count(s->view, s->missing[i]);
  }
  mn_chunk p = { 0 };
  while (mn_next_chunk(token, stop, &p))
    for (size_t i = p.begin; i < p.end; i++) {
      const uint32_t row = s->id[i];
      move_row(s, &d, row, criterion);
      if (!plain) {
        d.left_count += row_count(s->view, row);
        d.right_count -= row_count(s->view, row);
      }
      if (i + 1 < s->n && s->key[i + 1] == s->key[i]) continue;
      compute_proxy(s, &d, criterion, &num, &den);
      if (!(num > needed * den)) continue;
      if (!plain && !(is_large_enough(s, &d) && (!s->settings->monotone || is_monotone(s, &d)))) continue;
      best = num / den;
      needed = best + s->tolerance;
      s->n_left = i + 1;
    }
  s->best = best;
}

/* --- absolute error --- */

/* Weights and sums of one side by the position of y, in Fenwick trees: the median is found in log n steps. */
struct median_side {
  double *weight, *sum; /* 1-based Fenwick trees */
  double total, total_sum;
};

static void fenwick_add(struct median_side *m, size_t n, size_t position, double w, double y)
{
  m->total += w;
  m->total_sum += w * y;
  for (size_t i = position + 1; i <= n; i += i & (~i + 1)) {
    m->weight[i - 1] += w;
    m->sum[i - 1] += w * y;
  }
}

/* min over m of sum w |y - m|. */
static double min_absolute_error(const struct median_side *m, size_t n, const double *y_sorted)
{
  size_t at = 0, step = 1;
  double weight = 0, sum = 0;
  while (2 * step <= n) step *= 2;
  for (; step > 0; step /= 2) {
    if (at + step > n || weight + m->weight[at + step - 1] > m->total / 2) continue;
    at += step;
    weight += m->weight[at - 1];
    sum += m->sum[at - 1];
  }
  const double median = y_sorted[at < n ? at : n - 1];
  return median * (2 * weight - m->total) + m->total_sum - 2 * sum;
}

/* The weighted median, the midpoint where both sides have equal weight, as in the leaf. */
static double side_median(const struct median_side *m, size_t n, const double *y_sorted)
{
  size_t low = 0, high = 0, step = 1;
  double below_low = 0, below_high = 0;
  while (2 * step <= n) step *= 2;
  for (; step > 0; step /= 2) {
    if (low + step <= n && below_low + m->weight[low + step - 1] < m->total / 2)
      below_low += m->weight[(low += step) - 1];
    if (high + step <= n && below_high + m->weight[high + step - 1] <= m->total / 2)
      below_high += m->weight[(high += step) - 1];
  }
  return y_sorted[low < n ? low : n - 1] / 2 + y_sorted[high < n ? high : n - 1] / 2;
}

static bool is_monotone_absolute(const mn_scan *s, const struct median_side *left, const struct median_side *right,
                                 size_t n, const double *y_sorted)
{
  return s->monotone == 0 || satisfies_constraint(s, side_median(left, n, y_sorted), side_median(right, n, y_sorted));
}

static void init_side(const mn_cancel_token *token, double *weight, double *sum, size_t n, struct median_side *m)
{
  mn_chunk p = { 0 };
  while (mn_next_chunk(token, n, &p)) {
    memset(weight + p.begin, 0, (p.end - p.begin) * sizeof *weight);
    memset(sum + p.begin, 0, (p.end - p.begin) * sizeof *sum);
  }
  *m = (struct median_side){ .weight = weight, .sum = sum };
}

static void move_row_absolute(const mn_scan *s, struct sides *d, struct median_side *from, struct median_side *to,
                              size_t all, uint32_t row)
{
  const mn_training_view *view = s->view;
  const double w = view->weight ? view->weight[row] : 1, count = row_count(view, row);
  fenwick_add(from, all, s->stats->y_position[row], -w, view->y[row]);
  fenwick_add(to, all, s->stats->y_position[row], w, view->y[row]);
  d->left_weight += w;
  d->right_weight -= w;
  d->left_count += count;
  d->right_count -= count;
  s->left[0] += w * view->y[row];
  s->right[0] -= w * view->y[row];
}

static void scan_absolute(mn_scan *s, mn_search_workspace *ws)
{
  const size_t all = s->n + s->n_missing, stop = s->n_missing > 0 && !s->missing_left ? s->n : s->n - 1;
  struct sides d;
  struct median_side left, right;
  init_sides(s, &d, MN_CRITERION_ABSOLUTE_ERROR);
  init_side(&ws->token, ws->y.fenwick_weight, ws->y.fenwick_sum, all, &left);
  init_side(&ws->token, ws->y.fenwick_weight + all, ws->y.fenwick_sum + all, all, &right);
  mn_chunk p = { 0 };
  while (mn_next_chunk(&ws->token, all, &p))
    for (size_t i = p.begin; i < p.end; i++) {
      const uint32_t row = i < s->n ? s->id[i] : s->missing[i - s->n];
      fenwick_add(&right, all, s->stats->y_position[row], s->view->weight ? s->view->weight[row] : 1, s->view->y[row]);
    }
  if (p.end < all) return;
  p = (mn_chunk){ 0 };
  while (s->missing_left && mn_next_chunk(&ws->token, s->n_missing, &p))
    for (size_t i = p.begin; i < p.end; i++) move_row_absolute(s, &d, &right, &left, all, s->missing[i]);
  p = (mn_chunk){ 0 };
  while (mn_next_chunk(&ws->token, stop, &p))
    for (size_t i = p.begin; i < p.end; i++) {
      move_row_absolute(s, &d, &right, &left, all, s->id[i]);
      if (i + 1 < s->n && s->key[i + 1] == s->key[i]) continue;
      const double proxy =
          -min_absolute_error(&left, all, s->stats->y_sorted) - min_absolute_error(&right, all, s->stats->y_sorted);
      if (!(proxy > s->best + s->tolerance) || !is_large_enough(s, &d)) continue;
      if (!is_monotone_absolute(s, &left, &right, all, s->stats->y_sorted)) continue;
      s->best = proxy;
      s->n_left = i + 1;
    }
}

void mn_scan_thresholds(mn_scan *s, mn_search_workspace *ws)
{
  s->n_left = 0;
  if (s->n == 0) return;
  switch (s->settings->criterion) {
  case MN_CRITERION_GINI: scan(s, &ws->token, MN_CRITERION_GINI); break;
  case MN_CRITERION_ENTROPY: scan(s, &ws->token, MN_CRITERION_ENTROPY); break;
  case MN_CRITERION_SQUARED_ERROR: scan(s, &ws->token, MN_CRITERION_SQUARED_ERROR); break;
  case MN_CRITERION_FRIEDMAN_MSE: scan(s, &ws->token, MN_CRITERION_FRIEDMAN_MSE); break;
  case MN_CRITERION_POISSON: scan(s, &ws->token, MN_CRITERION_POISSON); break;
  case MN_CRITERION_ABSOLUTE_ERROR: scan_absolute(s, ws); break;
  }
}

double mn_scan_split_proxy(mn_scan *s, double left_weight, double left_count)
{
  const mn_split_settings *u = s->settings;
  const mn_node_stats *stats = s->stats;
  struct sides d = { .left_weight = left_weight,
                     .right_weight = stats->weight - left_weight,
                     .left_count = left_count,
                     .right_count = stats->count - left_count };
  double num, den;
  for (size_t c = 0; c < u->width; c++) {
    const bool entropy = u->criterion == MN_CRITERION_ENTROPY;
    s->right[c] = stats->sum[c] - s->left[c];
    d.left_square += entropy ? x_log_x(u, s->left[c]) : s->left[c] * s->left[c];
    d.right_square += entropy ? x_log_x(u, s->right[c]) : s->right[c] * s->right[c];
  }
  if (!(d.left_weight > 0) || !(d.right_weight > 0) || !is_large_enough(s, &d)) return -INFINITY;
  if (u->monotone && !is_monotone(s, &d)) return -INFINITY;
  compute_proxy(s, &d, u->criterion, &num, &den);
  return num / den;
}
