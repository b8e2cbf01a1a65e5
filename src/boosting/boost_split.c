#include "boost_split.h"
#include <string.h>

/* Sums of the left child after each bin, in the order of `bin` (a categorical feature) or of the bins themselves. */
struct prefix {
  double g[MN_EDGE_CAPACITY], h[MN_EDGE_CAPACITY], c[MN_EDGE_CAPACITY];
  int64_t sum_g[MN_EDGE_CAPACITY], sum_hc[MN_EDGE_CAPACITY];
};

/* Gains below this fraction of the score are rounding noise. */
static const double rounding_noise = 1e-10;

mn_hist_split_params mn_boost_split_params(const mn_boost_settings *settings, const mn_boost_leaf *leaf,
                                           double direction)
{
  return (mn_hist_split_params){ .l1 = settings->l1,
                                 .l2 = settings->l2,
                                 .low = leaf->low,
                                 .high = leaf->high,
                                 .min_count = settings->min_count,
                                 .min_hessian = settings->min_hessian,
                                 .direction = direction };
}

static inline void accumulate_one(const mn_boost_gradients *u, int64_t g, int64_t hc, size_t k, struct prefix *p)
{
  p->sum_g[k] = g;
  p->sum_hc[k] = hc;
  p->g[k] = mn_boost_g(u, g);
  p->h[k] = mn_boost_h(u, hc);
  p->c[k] = mn_boost_count(u, hc);
}

static void accumulate(const mn_boost_split_search *search, size_t n, const uint8_t *bin, const int64_t *cells,
                       int64_t g, int64_t hc, struct prefix *p)
{
  const mn_boost_gradients u = *search->gradients;
  for (size_t k = 0; k < n; k++) {
    const int64_t *cell = cells + 2 * (bin ? bin[k] : k);
    g += cell[0];
    hc += cell[1];
    accumulate_one(&u, g, hc, k, p);
  }
}

/* If the best of n splits beats `best`, store it there, with its position. Returns whether it did. */
static bool choose_best(const mn_boost_split_search *search, const mn_boost_leaf *leaf, size_t n,
                        const struct prefix *p, const mn_hist_split_params *params, mn_boost_split *best,
                        size_t *position)
{
  double score[MN_EDGE_CAPACITY];
  const double g = mn_boost_g(search->gradients, leaf->g), h = mn_boost_h(search->gradients, leaf->hc);
  const double parent_score = mn_hist_node_score(g, h, mn_hist_node_value(g, h, params), params);
  size_t top = 0;
  if (n == 0) return false;
  mn_hist_split_scores(n, p->g, p->h, p->c, g, h, mn_boost_count(search->gradients, leaf->hc), params, score);
  for (size_t k = 1; k < n; k++)
    if (score[k] > score[top]) top = k;
  const double gain = score[top] - parent_score - search->settings->gamma;
  if (!(gain > rounding_noise * (fabs(score[top]) + fabs(parent_score))) || !(gain > best->gain)) return false;
  best->gain = gain;
  best->g = p->sum_g[top];
  best->hc = p->sum_hc[top];
  *position = top;
  return true;
}

/* --- histograms --- */

/* If no value is missing in the leaf, missing values follow the majority of the rows. */
static bool majority_goes_left(const mn_boost_split_search *search, const mn_boost_leaf *leaf,
                               const mn_boost_split *best)
{
  return 2 * (best->hc >> search->gradients->bits) > leaf->hc >> search->gradients->bits;
}

static void search_numeric(const mn_boost_split_search *search, const mn_boost_leaf *leaf, size_t f,
                           const int64_t *cells, mn_boost_split *best)
{
  struct prefix p;
  size_t position;
  const size_t n = search->bins->count[f];
  const int64_t *missing = cells + 2 * n;
  const double direction = search->settings->monotone ? search->settings->monotone[f] : 0;
  const mn_hist_split_params params = mn_boost_split_params(search->settings, leaf, direction);
  accumulate(search, n, NULL, cells, 0, 0, &p);
  const bool has_missing = missing[1] != 0;
  if (choose_best(search, leaf, has_missing ? n : n - 1, &p, &params, best, &position)) {
    best->bin = (uint32_t)position;
    best->missing_left = !has_missing && majority_goes_left(search, leaf, best);
  }
  if (!has_missing) return;
  accumulate(search, n - 1, NULL, cells, missing[0], missing[1], &p);
  if (choose_best(search, leaf, n - 1, &p, &params, best, &position)) {
    best->bin = (uint32_t)position;
    best->missing_left = true;
  }
}

/* Sort the levels that occur in the leaf by gradient / Hessian; the best subset is then a prefix (Fisher 1958). */
static size_t order_levels(const mn_boost_split_search *search, size_t n, const int64_t *cells, uint8_t *bin)
{
  double key[MN_EDGE_CAPACITY];
  size_t size = 0;
  for (size_t b = 0; b < n; b++) {
    const int64_t *cell = cells + 2 * b;
    if (cell[1] == 0) continue;
    const double h = mn_boost_h(search->gradients, cell[1]) + search->settings->cat_smooth;
    const double mean = mn_boost_g(search->gradients, cell[0]) / (h > 0 ? h : 1e-300);
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

static void set_left_levels(mn_boost_split *best, const uint8_t *bin, size_t size)
{
  memset(best->left_levels, 0, sizeof best->left_levels);
  for (size_t k = 0; k < size; k++) best->left_levels[bin[k] / 32] |= UINT32_C(1) << bin[k] % 32;
}

static void search_categorical(const mn_boost_split_search *search, const mn_boost_leaf *leaf, size_t f,
                               const int64_t *cells, mn_boost_split *best)
{
  struct prefix p;
  uint8_t bin[MN_EDGE_CAPACITY];
  size_t position;
  const int64_t *missing = cells + 2 * (size_t)search->bins->count[f];
  const size_t n = order_levels(search, search->bins->count[f], cells, bin);
  const mn_hist_split_params params = mn_boost_split_params(search->settings, leaf, 0);
  const bool has_missing = missing[1] != 0;
  if (n == 0) return;
  accumulate(search, n, bin, cells, 0, 0, &p);
  if (choose_best(search, leaf, has_missing ? n : n - 1, &p, &params, best, &position)) {
    set_left_levels(best, bin, position + 1);
    best->missing_left = !has_missing && majority_goes_left(search, leaf, best);
  }
  if (!has_missing) return;
  accumulate(search, n - 1, bin, cells, missing[0], missing[1], &p);
  if (choose_best(search, leaf, n - 1, &p, &params, best, &position)) {
    set_left_levels(best, bin, position + 1);
    best->missing_left = true;
  }
}

static void search_histogram(const mn_boost_split_search *search, const mn_boost_leaf *leaf, size_t feature,
                             mn_boost_split *best)
{
  const int64_t *cells = leaf->hist + 2 * (size_t)search->bins->cell[feature];
  if (search->bins->categorical[feature]) {
    search_categorical(search, leaf, feature, cells, best);
  } else {
    search_numeric(search, leaf, feature, cells, best);
    best->threshold = search->bins->edge[feature * MN_EDGE_CAPACITY + best->bin];
  }
}

/* --- sorted columns --- */

/* Candidates between neighboring values of a leaf, evaluated when the arrays are full. */
struct candidates {
  struct prefix p;
  uint32_t below[MN_EDGE_CAPACITY], above[MN_EDGE_CAPACITY]; /* ranks of the values on both sides */
  size_t n;
};

static void add_candidate(const mn_boost_split_search *search, int64_t g, int64_t hc, uint32_t below, uint32_t above,
                          struct candidates *c)
{
  const size_t k = c->n++;
  c->below[k] = below;
  c->above[k] = above;
  accumulate_one(search->gradients, g, hc, k, &c->p);
}

static void evaluate_candidates(const mn_boost_split_search *search, const mn_boost_leaf *leaf, size_t f,
                                bool missing_left, struct candidates *c, mn_boost_split *best)
{
  const double direction = search->settings->monotone ? search->settings->monotone[f] : 0;
  const mn_hist_split_params params = mn_boost_split_params(search->settings, leaf, direction);
  const double *value = search->sorted->value[f];
  size_t position;
  if (choose_best(search, leaf, c->n, &c->p, &params, best, &position)) {
    best->bin = c->below[position];
    best->threshold = c->above[position] < search->bins->count[f]
                          ? mn_midpoint_below(value[best->bin], value[c->above[position]])
                          : INFINITY;
    best->missing_left = missing_left;
  }
  c->n = 0;
}

/* Evaluate the splits of a leaf with missing values on one side. Rows that are not used in the round have gradients of
 * 0 and are skipped. Returns whether values are missing. */
static bool scan_sorted(const mn_boost_split_search *search, const mn_boost_leaf *leaf, size_t f, bool missing_left,
                        int64_t missing[2], mn_boost_split *best)
{
  const mn_sorted_columns *s = search->sorted;
  const uint32_t *row = s->row + f * s->rows + leaf->begin, *rank = s->rank + f * s->rows;
  const uint32_t end = search->bins->count[f];
  const int64_t *gh = search->gradients->gh;
  struct candidates c = { .n = 0 };
  uint32_t last = end;
  int64_t g = missing_left ? missing[0] : 0, hc = missing_left ? missing[1] : 0;
  for (size_t i = 0; i < leaf->count && rank[row[i]] < end; i++) {
    const int64_t *cell = gh + 2 * (size_t)row[i];
    const uint32_t at = rank[row[i]];
    if (cell[0] == 0 && cell[1] == 0) continue;
    if (at != last && last != end) {
      add_candidate(search, g, hc, last, at, &c);
      if (c.n == MN_EDGE_CAPACITY) evaluate_candidates(search, leaf, f, missing_left, &c, best);
    }
    g += cell[0];
    hc += cell[1];
    last = at;
  }
  if (!missing_left) {
    missing[0] = leaf->g - g;
    missing[1] = leaf->hc - hc;
    if (missing[1] != 0 && last != end) add_candidate(search, g, hc, last, end, &c);
  }
  evaluate_candidates(search, leaf, f, missing_left, &c, best);
  return missing[1] != 0;
}

static void sum_levels(const mn_boost_split_search *search, const mn_boost_leaf *leaf, size_t f, int64_t *cells)
{
  const mn_sorted_columns *s = search->sorted;
  const uint32_t *row = s->row + f * s->rows + leaf->begin, *rank = s->rank + f * s->rows;
  memset(cells, 0, 2 * ((size_t)search->bins->count[f] + 1) * sizeof *cells);
  for (size_t i = 0; i < leaf->count; i++) {
    cells[2 * rank[row[i]]] += search->gradients->gh[2 * (size_t)row[i]];
    cells[2 * rank[row[i]] + 1] += search->gradients->gh[2 * (size_t)row[i] + 1];
  }
}

static void search_sorted(const mn_boost_split_search *search, const mn_boost_leaf *leaf, size_t f,
                          mn_boost_split *best)
{
  int64_t cells[2 * MN_EDGE_CAPACITY], missing[2] = { 0 };
  if (search->bins->categorical[f]) {
    sum_levels(search, leaf, f, cells);
    search_categorical(search, leaf, f, cells, best);
  } else if (scan_sorted(search, leaf, f, false, missing, best)) {
    (void)scan_sorted(search, leaf, f, true, missing, best);
  } else if (best->gain > 0) {
    best->missing_left = majority_goes_left(search, leaf, best);
  }
}

void mn_boost_search_feature(const mn_boost_split_search *search, const mn_boost_leaf *leaf, size_t feature,
                             mn_boost_split *best)
{
  *best = (mn_boost_split){ .feature = (uint32_t)feature, .categorical = search->bins->categorical[feature] };
  if (search->sorted)
    search_sorted(search, leaf, feature, best);
  else
    search_histogram(search, leaf, feature, best);
  if (!(best->gain > 0)) return;
  const double direction =
      search->settings->monotone && !search->bins->categorical[feature] ? search->settings->monotone[feature] : 0;
  const mn_hist_split_params params = mn_boost_split_params(search->settings, leaf, direction);
  const mn_boost_gradients *u = search->gradients;
  const int64_t g = leaf->g - best->g, hc = leaf->hc - best->hc;
  best->left_value = mn_hist_node_value(mn_boost_g(u, best->g), mn_boost_h(u, best->hc), &params);
  best->right_value = mn_hist_node_value(mn_boost_g(u, g), mn_boost_h(u, hc), &params);
}
