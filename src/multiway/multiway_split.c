/* Evaluate the split of a node by one feature: Quinlan, C4.5: Programs for Machine Learning (1993), chapters 2 and 3.
 *
 *     gain = known (H(S) - sum_v W_v / W H(S_v)),     H(S) = - sum_c p_c log2 p_c
 *     ratio = gain / - sum_v s_v log2 s_v,            s_v: shares of the branches and of the missing values
 *
 * known is the fraction of the weight whose value is not missing, over which W and H are computed. C4.5 subtracts
 * log2(thresholds) / weight from the gain of the best threshold. */
#include "multiway_grow.h"

enum { MAX_TABLE_SIZE = 1 << 20 };

/* Gains that differ by less are ties, broken by the lowest feature index. */
static const double TOLERANCE = 1e-9;

mn_status mn_feature_search_make(mn_context *ctx, size_t worker, size_t rows, size_t classes, mn_feature_search *out)
{
  out->token = (mn_cancel_token){ ctx, worker };
  out->sorted = MN_RAW(ctx, mn_weighted_row, rows, 2);
  out->key = MN_RAW(ctx, uint32_t, rows, 2);
  out->left = MN_RAW(ctx, double, classes, 3);
  if (!out->sorted || !out->key || !out->left) return MN_NO_MEMORY;
  out->sort_buffer = out->sorted + rows;
  out->key_buffer = out->key + rows;
  out->right = out->left + classes;
  out->side_terms = out->right + classes;
  return MN_OK;
}

/* --- sums of x log2 x --- */

static double compute_x_log2_x(double x)
{
  return x > 0 ? x * log2(x) : 0;
}

/* x log2 x of all integers that counts of unweighted rows can reach, so that a threshold costs no logarithm. In a
 * chain, where each node has nearly all rows of its parent, logarithms would dominate the time. */
mn_status mn_growing_tree_tabulate_logs(mn_context *ctx, mn_multiway_growth *tree)
{
  const size_t n = (size_t)fmin(tree->total, MAX_TABLE_SIZE - 1) + 1;
  double *known = MN_RAW(ctx, double, n, 1);
  MN_CHECK_ALLOC(known);
  known[0] = 0;
  for (size_t k = 1; k < n; k++) known[k] = compute_x_log2_x((double)k);
  tree->x_log2_x = known;
  tree->table_size = (double)n;
  return MN_OK;
}

static inline double x_log2_x(const mn_multiway_growth *tree, double x)
{
  if (x >= 0 && x < tree->table_size) {
    const uint32_t unsplit_term = (uint32_t)x;
    if (!((double)unsplit_term < x)) return tree->x_log2_x[unsplit_term];
  }
  return compute_x_log2_x(x);
}

static double sum_x_log2_x(const mn_multiway_growth *tree, const double *x)
{
  double sum = 0;
  for (size_t c = 0; c < tree->classes; c++) sum += x_log2_x(tree, x[c]);
  return sum;
}

/* Sort the cases whose value is known, and sum their class weights in search->right. Returns their number, or 0 if the
 * operation was cancelled. */
static size_t sort_known_cases(const mn_multiway_growth *tree, mn_feature_search *search, const mn_weighted_row *cases,
                               size_t n, size_t j, double *weight)
{
  const uint32_t missing = tree->columns->distinct[j];
  size_t known = 0;
  *weight = 0;
  memset(search->left, 0, tree->classes * sizeof *search->left);
  memset(search->right, 0, tree->classes * sizeof *search->right);
  const mn_packed ranks = tree->columns->rank[j];
  mn_chunk p = { 0 };
  while (mn_next_chunk(&search->token, n, &p))
    for (size_t i = p.begin; i < p.end; i++) {
      const uint32_t rank = mn_packed_get(ranks, cases[i].row);
      if (rank == missing) continue;
      search->sorted[known] = cases[i];
      search->key[known++] = rank;
      search->right[tree->code[cases[i].row]] += cases[i].weight;
      *weight += cases[i].weight;
    }
  if (p.end < n) return 0;
  return mn_sort_weighted_rows(&search->token, known, search->sorted, search->key, search->sort_buffer,
                               search->key_buffer)
             ? known
             : 0;
}

/* --- factors --- */

static void evaluate_factor(const mn_multiway_growth *tree, mn_feature_search *search, size_t known, double weight,
                            double total, mn_feature_split *split)
{
  double class_sum = 0, branch_sum = 0, best[2] = { 0, 0 };
  size_t branches = 0;
  for (size_t begin = 0, end; begin < known; begin = end) {
    double sum = 0;
    for (end = begin; end < known && search->key[end] == search->key[begin]; end++) {
      search->left[tree->code[search->sorted[end].row]] += search->sorted[end].weight;
      sum += search->sorted[end].weight;
    }
    for (size_t i = begin; i < end; i++) { /* each class once, so that levels with few rows are cheap */
      double *count = &search->left[tree->code[search->sorted[i].row]];
      class_sum += x_log2_x(tree, *count);
      *count = 0;
    }
    branch_sum += x_log2_x(tree, sum);
    best[1] = sum > best[1] ? sum : best[1];
    if (best[1] > best[0]) {
      const double swap = best[0];
      best[0] = best[1];
      best[1] = swap;
    }
    branches++;
  }
  const double split_info = x_log2_x(tree, total) - branch_sum - x_log2_x(tree, total - weight);
  split->gain = (x_log2_x(tree, weight) - sum_x_log2_x(tree, search->right) - branch_sum + class_sum) / total;
  split->ratio = split_info > 0 ? split->gain / (split_info / total) : 0;
  split->valid = branches > 1 && best[1] >= tree->settings->min_cases;
}

/* --- numbers --- */

/* Minimum weight on each side of a threshold: for C4.5 a tenth of the mean class weight, between min_cases and 25. */
static double min_side_weight(const mn_multiway_growth *tree, double weight)
{
  if (!tree->settings->by_gain_ratio) return 0;
  return fmax(tree->settings->min_cases, fmin(25, 0.1 * weight / (double)tree->classes));
}

/* Move a case to the left side; returns the change of side_terms, which affects only its class. */
static double move_to_left(const mn_multiway_growth *tree, mn_feature_search *search, const mn_weighted_row *c)
{
  const int32_t class = tree->code[c->row];
  double *left = &search->left[class], *right = &search->right[class];
  const double before = search->side_terms[class];
  *left += c->weight;
  *right -= c->weight;
  search->side_terms[class] = x_log2_x(tree, *left) + x_log2_x(tree, *right);
  return search->side_terms[class] - before;
}

/* The midpoint of two values of the node; for C4.5 the largest value of X up to there. */
static void set_threshold(const mn_multiway_growth *tree, size_t j, uint32_t low, uint32_t high,
                          mn_feature_split *split)
{
  const double *sorted = tree->columns->sorted[j];
  split->threshold = (sorted[low] + sorted[high]) / 2;
  if (isinf(split->threshold)) split->threshold = sorted[low] / 2 + sorted[high] / 2;
  if (!(split->threshold < sorted[high])) split->threshold = sorted[low];
  const double midpoint = split->threshold + 1e-9 * (sorted[high] / 2 - sorted[low] / 2); /* tolerance for rounding */
  while (low + 1 < high) { /* binary search among the values of other nodes between them */
    const uint32_t mid = low + (high - low) / 2;
    if (sorted[mid] <= midpoint)
      low = mid;
    else
      high = mid;
  }
  split->threshold_rank = low;
  if (tree->settings->by_gain_ratio || sorted[low] > split->threshold) split->threshold = sorted[low];
}

static void evaluate_numbers(const mn_multiway_growth *tree, mn_feature_search *search, size_t known, double weight,
                             double total, size_t j, mn_feature_split *split)
{
  const double min_side = min_side_weight(tree, weight),
               unsplit_term = x_log2_x(tree, weight) - sum_x_log2_x(tree, search->right);
  double side_terms = sum_x_log2_x(tree, search->right), left = 0, best_left = 0;
  double max_gain = -INFINITY; /* gain of the best threshold, times total */
  size_t n_thresholds = 0, best = 0;
  split->gain = -INFINITY;
  if (weight < 2 * min_side) return;
  for (size_t c = 0; c < tree->classes; c++) search->side_terms[c] = x_log2_x(tree, search->right[c]);
  mn_chunk p = { 0 };
  while (mn_next_chunk(&search->token, known - 1, &p))
    for (size_t i = p.begin; i < p.end; i++) {
      side_terms += move_to_left(tree, search, &search->sorted[i]);
      left += search->sorted[i].weight;
      if (search->key[i] == search->key[i + 1] || left < min_side - TOLERANCE || weight - left < min_side - TOLERANCE)
        continue;
      const double gain = unsplit_term - x_log2_x(tree, left) - x_log2_x(tree, weight - left) + side_terms;
      n_thresholds++;
      if (!(gain > max_gain && gain / total > split->gain + TOLERANCE)) continue;
      max_gain = gain;
      split->gain = gain / total;
      best = i;
      best_left = left;
    }
  if (n_thresholds == 0) return;
  if (tree->settings->by_gain_ratio) split->gain -= log2((double)n_thresholds) / total;
  const double split_info = x_log2_x(tree, total) - x_log2_x(tree, best_left) - x_log2_x(tree, weight - best_left) -
                            x_log2_x(tree, total - weight);
  split->ratio = split_info > 0 ? split->gain / (split_info / total) : 0;
  split->valid = !tree->settings->by_gain_ratio || split->gain > TOLERANCE;
  set_threshold(tree, j, search->key[best], search->key[best + 1], split);
}

void mn_evaluate_feature(const mn_multiway_growth *tree, mn_feature_search *search, const mn_weighted_row *cases,
                         size_t n, const double *class_counts, size_t j, mn_feature_split *split)
{
  double weight, total = 0;
  for (size_t c = 0; c < tree->classes; c++) total += class_counts[c];
  const size_t known = sort_known_cases(tree, search, cases, n, j, &weight);
  if (known == n) weight = total;
  *split = (mn_feature_split){ .valid = false };
  if (known < 2) return;
  if (tree->columns->is_factor[j])
    evaluate_factor(tree, search, known, weight, total, split);
  else
    evaluate_numbers(tree, search, known, weight, total, j, split);
}
