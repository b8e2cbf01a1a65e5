#include "boost_split.h"
#include <string.h>

/* The left child after each bin, in the order of `bin` (a factor column) or of the bins themselves. */
struct prefix {
  double g[MN_EDGE_CAPACITY], h[MN_EDGE_CAPACITY], c[MN_EDGE_CAPACITY];
  int64_t sum_g[MN_EDGE_CAPACITY], sum_hc[MN_EDGE_CAPACITY];
};

/* A share of the worth below which a gain is noise of rounding. */
static const double noise = 1e-10;

mn_hist_split_params mn_boost_rules_of(const mn_boost_rules *rules, const mn_boost_leaf_rows *leaf, double direction)
{
  return (mn_hist_split_params){ .l1 = rules->l1,
                                 .l2 = rules->l2,
                                 .low = leaf->low,
                                 .high = leaf->high,
                                 .least_count = rules->least_count,
                                 .least_hessian = rules->least_hessian,
                                 .direction = direction };
}

static void fill(const mn_boost_scan *scan, size_t n, const uint8_t *bin, const int64_t *cells, int64_t g, int64_t hc,
                 struct prefix *p)
{
  const mn_boost_gradients u = *scan->unit;
  for (size_t k = 0; k < n; k++) {
    const int64_t *cell = cells + 2 * (bin ? bin[k] : k);
    p->sum_g[k] = g += cell[0];
    p->sum_hc[k] = hc += cell[1];
    p->g[k] = mn_boost_g(&u, g);
    p->h[k] = mn_boost_h(&u, hc);
    p->c[k] = mn_boost_count(&u, hc);
  }
}

/* Better than what is there already: then it is noted. Returns whether it is. */
static bool choose(const mn_boost_scan *scan, const mn_boost_leaf_rows *leaf, size_t n, const struct prefix *p,
                   const mn_hist_split_params *rules, mn_boost_split *best, size_t *place)
{
  double worth[MN_EDGE_CAPACITY];
  const double g = mn_boost_g(scan->unit, leaf->g), h = mn_boost_h(scan->unit, leaf->hc);
  const double now = mn_hist_node_score(g, h, mn_hist_node_value(g, h, rules), rules);
  size_t top = 0;
  if (n == 0) return false;
  mn_hist_split_scores(n, p->g, p->h, p->c, g, h, mn_boost_count(scan->unit, leaf->hc), rules, worth);
  for (size_t k = 1; k < n; k++)
    if (worth[k] > worth[top]) top = k;
  const double gain = worth[top] - now - scan->rules->gamma;
  if (!(gain > noise * (fabs(worth[top]) + fabs(now))) || !(gain > best->gain)) return false;
  best->gain = gain;
  best->g = p->sum_g[top];
  best->hc = p->sum_hc[top];
  *place = top;
  return true;
}

/* Where none was missing in the fit, a missing value goes with the more rows. */
static bool mostly_left(const mn_boost_scan *scan, const mn_boost_leaf_rows *leaf, const mn_boost_split *best)
{
  return 2 * (best->hc >> scan->unit->bits) > leaf->hc >> scan->unit->bits;
}

static void scan_numbers(const mn_boost_scan *scan, const mn_boost_leaf_rows *leaf, size_t f, const int64_t *cells,
                         mn_boost_split *best)
{
  struct prefix p;
  size_t place;
  const size_t n = scan->bins->count[f];
  const int64_t *missing = cells + 2 * n;
  const double direction = scan->rules->monotone ? scan->rules->monotone[f] : 0;
  const mn_hist_split_params rules = mn_boost_rules_of(scan->rules, leaf, direction);
  fill(scan, n, NULL, cells, 0, 0, &p);
  const bool some = missing[1] != 0;
  if (choose(scan, leaf, some ? n : n - 1, &p, &rules, best, &place)) {
    best->bin = (uint32_t)place;
    best->missing_left = !some && mostly_left(scan, leaf, best);
  }
  if (!some) return;
  fill(scan, n - 1, NULL, cells, missing[0], missing[1], &p);
  if (choose(scan, leaf, n - 1, &p, &rules, best, &place)) {
    best->bin = (uint32_t)place;
    best->missing_left = true;
  }
}

/* Levels that occur in the leaf, in the order of their best values: the best set is one of the first k (Fisher 1958).
 */
static size_t order_levels(const mn_boost_scan *scan, size_t n, const int64_t *cells, uint8_t *bin)
{
  double key[MN_EDGE_CAPACITY];
  size_t size = 0;
  for (size_t b = 0; b < n; b++) {
    const int64_t *cell = cells + 2 * b;
    if (cell[1] == 0) continue;
    const double h = mn_boost_h(scan->unit, cell[1]) + scan->rules->smooth;
    const double mean = mn_boost_g(scan->unit, cell[0]) / (h > 0 ? h : 1e-300);
    size_t at = size++;
    for (; at > 0 && key[at - 1] > mean; at--) {
      key[at] = key[at - 1];
      bin[at] = bin[at - 1];
    }
    key[at] = mean;
    bin[at] = (uint8_t)b;
  }
  return size;
}

static void note_set(mn_boost_split *best, const uint8_t *bin, size_t size)
{
  memset(best->set, 0, sizeof best->set);
  for (size_t k = 0; k < size; k++) best->set[bin[k] / 32] |= UINT32_C(1) << bin[k] % 32;
}

static void scan_levels(const mn_boost_scan *scan, const mn_boost_leaf_rows *leaf, size_t f, const int64_t *cells,
                        mn_boost_split *best)
{
  struct prefix p;
  uint8_t bin[MN_EDGE_CAPACITY];
  size_t place;
  const int64_t *missing = cells + 2 * (size_t)scan->bins->count[f];
  const size_t n = order_levels(scan, scan->bins->count[f], cells, bin);
  const mn_hist_split_params rules = mn_boost_rules_of(scan->rules, leaf, 0);
  const bool some = missing[1] != 0;
  if (n == 0) return;
  fill(scan, n, bin, cells, 0, 0, &p);
  if (choose(scan, leaf, some ? n : n - 1, &p, &rules, best, &place)) {
    note_set(best, bin, place + 1);
    best->missing_left = !some && mostly_left(scan, leaf, best);
  }
  if (!some) return;
  fill(scan, n - 1, bin, cells, missing[0], missing[1], &p);
  if (choose(scan, leaf, n - 1, &p, &rules, best, &place)) {
    note_set(best, bin, place + 1);
    best->missing_left = true;
  }
}

void mn_boost_scan_feature(const mn_boost_scan *scan, const mn_boost_leaf_rows *leaf, size_t feature,
                           mn_boost_split *best)
{
  const int64_t *cells = leaf->hist + 2 * (size_t)scan->bins->cell[feature];
  *best = (mn_boost_split){ .feature = (uint32_t)feature, .levels = scan->bins->categorical[feature] };
  if (scan->bins->categorical[feature])
    scan_levels(scan, leaf, feature, cells, best);
  else
    scan_numbers(scan, leaf, feature, cells, best);
  if (!(best->gain > 0)) return;
  const double direction =
      scan->rules->monotone && !scan->bins->categorical[feature] ? scan->rules->monotone[feature] : 0;
  const mn_hist_split_params rules = mn_boost_rules_of(scan->rules, leaf, direction);
  const mn_boost_gradients *u = scan->unit;
  const int64_t g = leaf->g - best->g, hc = leaf->hc - best->hc;
  best->left_value = mn_hist_node_value(mn_boost_g(u, best->g), mn_boost_h(u, best->hc), &rules);
  best->right_value = mn_hist_node_value(mn_boost_g(u, g), mn_boost_h(u, hc), &rules);
}
