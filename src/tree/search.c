#include "search.h"
#include "scan.h"
#include "node_kernel.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

mn_status mn_bench_make(mn_context *ctx, const mn_rules *rules, size_t rows, size_t stride, mn_bench *b)
{
  const mn_columns *c = rules->columns;
  bool levels = false;
  for (size_t j = 0; j < c->features; j++) levels = levels || c->by_levels[j];
  *b = (mn_bench){ .key = MN_RAW(ctx, uint32_t, rows, 5), .left = MN_RAW(ctx, double, rules->width, 2) };
  b->pair[0] = MN_RAW(ctx, uint64_t, rows, 2);
  if (!b->key || !b->left || !b->pair[0]) return MN_NO_MEMORY;
  b->id = b->key + rows;
  b->raw_key = b->key + 2 * rows;
  b->raw_id = b->key + 3 * rows;
  b->levels = b->key + 4 * rows;
  b->right = b->left + rules->width;
  b->pair[1] = b->pair[0] + rows;
  b->value = (double *)b->pair[0]; /* where cuts are drawn, nothing is sorted meanwhile */
  if (levels) {
    b->level_score = MN_RAW(ctx, double, rows, 1);
    b->level_start = MN_RAW(ctx, uint32_t, rows + 1, 3);
    if (!b->level_score || !b->level_start) return MN_NO_MEMORY;
    b->level_order = b->level_start + rows + 1;
    b->level_id = b->level_order + rows + 1;
  }
  if (rules->criterion == MN_ABSOLUTE_ERROR) {
    b->tree_weight = MN_RAW(ctx, double, rows, 5);
    b->y_place = MN_RAW(ctx, uint32_t, stride, 1);
    if (!b->tree_weight || !b->y_place) return MN_NO_MEMORY;
    b->tree_sum = b->tree_weight + 2 * rows;
    b->y_sorted = b->tree_weight + 4 * rows;
  }
  return MN_OK;
}

/* --- sorting --- */

static unsigned bits_of(uint32_t range)
{
  unsigned bits = 0;
  while (range > 0) {
    bits++;
    range >>= 1;
  }
  return bits;
}

/* By digits of at most 11 bits, fewer for few rows: keys are below 2^bits. */
static const uint64_t *sort_pairs(mn_bench *b, size_t n, unsigned bits)
{
  const unsigned most = n > 4096 ? 11 : 7, passes = (bits + most - 1) / most, digit = (bits + passes - 1) / passes;
  const uint32_t mask = (1U << digit) - 1;
  uint64_t *from = b->pair[0], *to = b->pair[1];
  for (unsigned pass = 0; pass < passes; pass++) {
    const unsigned shift = 32 + pass * digit;
    uint32_t start[1 << 11];
    memset(start, 0, ((size_t)mask + 1) * sizeof *start);
    for (size_t i = 0; i < n; i++) start[from[i] >> shift & mask]++;
    for (uint32_t d = 0, sum = 0; d <= mask; d++) {
      const uint32_t count = start[d];
      start[d] = sum;
      sum += count;
    }
    for (size_t i = 0; i < n; i++) to[start[from[i] >> shift & mask]++] = from[i];
    uint64_t *swap = from;
    from = to;
    to = swap;
  }
  return from;
}

/* Rows raw_id by raw_key, which lie between low and high, into key and id. */
static void sort_rows(mn_bench *b, const uint32_t *raw_id, size_t n, uint32_t low, uint32_t high)
{
  if (n <= MN_SMALL_SORT) {
    mn_sort_small(n, b->raw_key, raw_id, b->key, b->id);
    return;
  }
  for (size_t i = 0; i < n; i++) b->pair[0][i] = (uint64_t)(b->raw_key[i] - low) << 32 | raw_id[i];
  const uint64_t *sorted = sort_pairs(b, n, bits_of(high - low));
  for (size_t i = 0; i < n; i++) {
    b->key[i] = (uint32_t)(sorted[i] >> 32) + low;
    b->id[i] = (uint32_t)sorted[i];
  }
}

/* The ranks of the rows of a node, and who has none. */
struct gathered {
  const uint32_t *id, *missing;
  size_t n, n_missing;
  uint32_t low, high;
};

static struct gathered gather(const mn_rules *rules, const mn_ground *g, const uint32_t *id, size_t n, size_t j,
                              mn_bench *b)
{
  const uint32_t *rank = g->rank + j * g->stride, none = rules->columns->distinct[j];
  struct gathered r = { .id = id, .n = n, .low = UINT32_MAX };
  if (!rules->columns->missing[j]) {
    for (size_t i = 0; i < n; i++) {
      const uint32_t key = rank[id[i]];
      b->raw_key[i] = key;
      r.low = key < r.low ? key : r.low;
      r.high = key > r.high ? key : r.high;
    }
    return r;
  }
  r.n = 0;
  for (size_t i = 0; i < n; i++) {
    const uint32_t key = rank[id[i]];
    if (key == none) {
      b->raw_id[n - ++r.n_missing] = id[i];
      continue;
    }
    b->raw_key[r.n] = key;
    b->raw_id[r.n++] = id[i];
    r.low = key < r.low ? key : r.low;
    r.high = key > r.high ? key : r.high;
  }
  r.id = b->raw_id;
  r.missing = b->raw_id + r.n;
  return r;
}

/* --- the rows of a node together --- */

static void place_by_y(const mn_ground *g, const uint32_t *id, size_t n, mn_bench *b)
{
  uint32_t low = UINT32_MAX, high = 0;
  for (size_t i = 0; i < n; i++) {
    const uint32_t key = b->raw_key[i] = g->y_rank[id[i]];
    low = key < low ? key : low;
    high = key > high ? key : high;
  }
  if (low == high)
    memcpy(b->id, id, n * sizeof *id);
  else
    sort_rows(b, id, n, low, high);
  for (size_t i = 0; i < n; i++) {
    b->y_place[b->id[i]] = (uint32_t)i;
    b->y_sorted[i] = g->y[b->id[i]];
  }
}

/* The median of the sorted rows: halfway where both sides weigh the same. Also the sum of errors about it. */
static double median_of(const mn_ground *g, size_t n, double total, const mn_bench *b, double *error)
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

static void tally_classes(const mn_ground *g, const uint32_t *id, size_t n, size_t width, mn_tally *t)
{
  size_t present = 0;
  for (size_t i = 0; i < n; i++) t->sum[g->code[id[i]]] += g->weight ? g->weight[id[i]] : 1;
  for (size_t c = 0; c < width; c++) present += t->sum[c] > 0;
  t->pure = present < 2;
}

static void tally_reals(const mn_ground *g, const uint32_t *id, size_t n, size_t width, mn_tally *t)
{
  t->pure = true;
  for (size_t i = 0; i < n; i++) {
    const double w = g->weight ? g->weight[id[i]] : 1, *y = g->y + id[i] * width, *first = g->y + id[0] * width;
    for (size_t k = 0; k < width; k++) {
      t->sum[k] += w * y[k];
      t->square += w * y[k] * y[k];
      t->pure = t->pure && !(y[k] < first[k]) && !(y[k] > first[k]);
    }
  }
}

static double log_sum(const mn_ground *g, const uint32_t *id, size_t n, size_t width)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < width; k++) {
      const double y = g->y[id[i] * width + k];
      if (y > 0) sum += (g->weight ? g->weight[id[i]] : 1) * y * log(y);
    }
  return sum;
}

static double impurity_of(const mn_rules *rules, const mn_ground *g, const uint32_t *id, size_t n, mn_tally *t)
{
  const double targets = (double)rules->width;
  if (t->pure) return 0;
  switch (rules->criterion) {
  case MN_GINI: return fmax(0, 1 - t->proxy / t->weight);
  case MN_ENTROPY: return fmax(0, -t->proxy / t->weight / log(2));
  case MN_POISSON: return fmax(0, (log_sum(g, id, n, rules->width) - t->proxy) / t->weight / targets);
  case MN_SQUARED_ERROR:
  case MN_FRIEDMAN_MSE:
  case MN_ABSOLUTE_ERROR: break;
  }
  return fmax(0, (t->square - t->proxy) / t->weight / targets);
}

void mn_tally_rows(const mn_rules *rules, const mn_ground *g, const uint32_t *id, size_t n, mn_bench *b, mn_tally *t)
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
  if (g->code)
    tally_classes(g, id, n, rules->width, t);
  else
    tally_reals(g, id, n, rules->width, t);
  t->proxy = mn_side_proxy(rules, t->sum, t->weight);
  t->value = g->code ? t->sum[rules->width > 1] / t->weight : t->sum[0] / t->weight;
  t->impurity = impurity_of(rules, g, id, n, t);
  if (rules->criterion == MN_ABSOLUTE_ERROR) {
    double error;
    place_by_y(g, id, n, b);
    t->value = median_of(g, n, t->weight, b, &error);
    t->impurity = t->pure ? 0 : error / t->weight;
    t->proxy = -error;
  }
}

/* What rounding may do to a proxy. */
static double tolerance(const mn_rules *rules, const mn_tally *t)
{
  const double tiny = 1e-12;
  switch (rules->criterion) {
  case MN_GINI: return tiny * t->weight;
  case MN_ENTROPY: return tiny * t->weight * (1 + fabs(log(t->weight)));
  case MN_SQUARED_ERROR: return tiny * t->square;
  case MN_FRIEDMAN_MSE: return tiny * t->square * t->weight;
  case MN_POISSON: return tiny * (fabs(t->proxy) + t->weight);
  case MN_ABSOLUTE_ERROR: return tiny * fabs(t->proxy);
  }
  return 0;
}

bool mn_is_better(const mn_rules *rules, const mn_tally *tally, double a, double b)
{
  return a > b + tolerance(rules, tally);
}

double mn_split_gain(const mn_rules *rules, const mn_tally *t, const mn_split *split)
{
  const double targets = (double)rules->width;
  switch (rules->criterion) {
  case MN_GINI: return split->proxy - t->proxy;
  case MN_ENTROPY: return (split->proxy - t->proxy) / log(2);
  case MN_FRIEDMAN_MSE: return split->proxy / targets;
  case MN_SQUARED_ERROR:
  case MN_POISSON:
  case MN_ABSOLUTE_ERROR: break;
  }
  return (split->proxy - t->proxy) / targets;
}

/* --- cuts --- */

static mn_scan scan_of(const mn_rules *rules, const mn_ground *g, const mn_tally *t, size_t j,
                       const struct gathered *rows, mn_bench *b)
{
  return (mn_scan){ .rules = rules,
                    .ground = g,
                    .tally = t,
                    .key = b->key,
                    .id = b->id,
                    .n = rows->n,
                    .missing = rows->missing,
                    .n_missing = rows->n_missing,
                    .monotone = rules->monotone ? rules->monotone[j] : 0,
                    .left = b->left,
                    .right = b->right,
                    .tolerance = tolerance(rules, t),
                    .best = -INFINITY };
}

/* Both places for the missing rows. True when a better cut than s->best was found. */
static bool scan_both(mn_scan *s, mn_bench *b, size_t *at, bool *missing_left)
{
  bool found = false;
  for (int left = 0; left < (s->n_missing > 0 ? 2 : 1); left++) {
    s->missing_left = left == 1;
    mn_scan_cuts(s, b);
    if (s->at == 0) continue;
    found = true;
    *at = s->at;
    *missing_left = s->missing_left;
  }
  return found;
}

/* Halfway, but below the next value. */
static double between(double low, double high)
{
  const double middle = low / 2 + high / 2;
  return middle < high && middle >= low ? middle : low;
}

static void search_numbers(mn_scan *s, mn_bench *b, const double *sorted, mn_split *split)
{
  size_t at = 0;
  if (!scan_both(s, b, &at, &split->missing_left)) return;
  split->found = true;
  split->proxy = s->best;
  split->rank = s->key[at - 1];
  split->threshold = at < s->n ? between(sorted[s->key[at - 1]], sorted[s->key[at]]) : INFINITY;
}

/* --- factors: levels ordered by their mean of y (or share of a class), then cut like numbers. For one target and for
 * two classes no other division of the levels is better (Fisher, JASA 53, 1958; Breiman et al. 1984, section 4.2); for
 * more classes the shares of each class are tried in turn. --- */

static size_t find_levels(mn_bench *b, size_t n)
{
  size_t levels = 0;
  for (size_t i = 0; i < n; i++)
    if (i == 0 || b->key[i] != b->key[i - 1]) b->level_start[levels++] = (uint32_t)i;
  b->level_start[levels] = (uint32_t)n;
  return levels;
}

static void score_levels(const mn_rules *rules, const mn_ground *g, mn_bench *b, size_t levels, size_t way)
{
  for (size_t l = 0; l < levels; l++) {
    double weight = 0, sum = 0;
    for (size_t i = b->level_start[l]; i < b->level_start[l + 1]; i++) {
      const uint32_t row = b->level_id[i];
      const double w = g->weight ? g->weight[row] : 1;
      weight += w;
      sum += w * (g->code ? (double)((size_t)g->code[row] == way) : g->y[row * rules->width + way]);
    }
    b->level_score[l] = sum / weight;
  }
}

/* level_order: by score, the lower code among equals (heap sort: no recursion, no worst case). */
static bool comes_later(const mn_bench *b, uint32_t x, uint32_t y)
{
  const double p = b->level_score[x], q = b->level_score[y];
  return p > q || (!(p < q) && x > y);
}

static void sink(mn_bench *b, size_t at, size_t n)
{
  uint32_t *o = b->level_order;
  for (size_t child; (child = 2 * at + 1) < n; at = child) {
    if (child + 1 < n && comes_later(b, o[child + 1], o[child])) child++;
    if (!comes_later(b, o[child], o[at])) return;
    const uint32_t swap = o[at];
    o[at] = o[child];
    o[child] = swap;
  }
}

static void order_levels(mn_bench *b, size_t levels)
{
  for (size_t l = 0; l < levels; l++) b->level_order[l] = (uint32_t)l;
  for (size_t l = levels / 2; l-- > 0;) sink(b, l, levels);
  for (size_t n = levels; n-- > 1;) {
    const uint32_t swap = b->level_order[0];
    b->level_order[0] = b->level_order[n];
    b->level_order[n] = swap;
    sink(b, 0, n);
  }
}

static int by_code(const void *a, const void *b)
{
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* Rows by the order of their levels; key is the place in that order. code: of each level. */
static void lay_out(mn_bench *b, size_t levels)
{
  size_t at = 0;
  for (size_t o = 0; o < levels; o++)
    for (size_t l = b->level_order[o], i = b->level_start[l]; i < b->level_start[l + 1]; i++) {
      b->key[at] = (uint32_t)o;
      b->id[at++] = b->level_id[i];
    }
}

static void search_levels(mn_scan *s, mn_bench *b, const uint32_t *rank, mn_split *split)
{
  const size_t levels = find_levels(b, s->n), width = s->rules->width;
  const bool classes = s->ground->code != NULL;
  memcpy(b->level_id, b->id, s->n * sizeof *b->id);
  for (size_t way = classes && width == 2; way < width; way++) {
    size_t at = 0;
    score_levels(s->rules, s->ground, b, levels, way);
    order_levels(b, levels);
    lay_out(b, levels);
    if (!scan_both(s, b, &at, &split->missing_left)) continue;
    split->found = split->by_levels = true;
    split->proxy = s->best;
    split->levels = b->key[at - 1] + 1;
    for (size_t o = 0; o < split->levels; o++) b->levels[o] = rank[b->level_id[b->level_start[b->level_order[o]]]];
    qsort(b->levels, split->levels, sizeof *b->levels, by_code);
  }
}

/* --- random cuts --- */

static uint64_t mix(uint64_t x)
{
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
  x = (x ^ x >> 27) * 0x94D049BB133111EB;
  return x ^ x >> 31;
}

static double uniform_of(uint64_t key)
{
  return (double)(mix(key + 0x9E3779B97F4A7C15) >> 11) * 0x1p-53;
}

/* Levels go left by chance. False: all on one side. */
static bool draw_levels(const struct gathered *rows, uint64_t key, mn_bench *b)
{
  size_t left = 0;
  for (size_t i = 0; i < rows->n; i++) left += b->raw_key[i] = mix(key ^ mix((uint64_t)b->raw_key[i] + 1)) & 1;
  return left > 0 && left < rows->n;
}

/* A cut between the least and the largest value; raw_key[i]: does row i go left. False: all values are alike. */
static bool draw_cut(const struct gathered *rows, const double *value, uint64_t key, mn_bench *b, mn_split *split)
{
  double low, high;
  for (size_t i = 0; i < rows->n; i++) b->value[i] = value[rows->id[i]];
  mn_range_of(rows->n, b->value, &low, &high);
  split->threshold = low + uniform_of(key) * (high - low);
  if (!(split->threshold < high)) split->threshold = low;
  mn_mark_left(rows->n, b->value, split->threshold, b->raw_key);
  return low < high;
}

/* Classes without weights, the commonest case: whole counts, in two halves that do not wait for each other. */
static void count_left(const int32_t *code, const uint32_t *id, const uint32_t *left, size_t n, size_t width,
                       double *sum, double *weight)
{
  enum { FEW = 32 };
  uint32_t count[2][FEW] = { { 0 } };
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

static void add_left(const mn_rules *rules, const mn_ground *g, const uint32_t *id, const uint32_t *left, size_t n,
                     double *sum, double *weight, double *count)
{
  if (g->code && !g->weight && left && rules->width <= 32) {
    count_left(g->code, id, left, n, rules->width, sum, weight);
    *count = *weight;
    return;
  }
  for (size_t i = 0; i < n; i++) {
    const uint32_t row = id[i];
    const double w = !left || left[i] ? g->weight ? g->weight[row] : 1 : 0;
    *weight += w;
    *count += w > 0 ? fmax(1, w) : 0;
    if (g->code)
      sum[g->code[row]] += w;
    else
      for (size_t t = 0; t < rules->width; t++) sum[t] += w * g->y[row * rules->width + t];
  }
}

static void left_levels(const struct gathered *rows, const uint32_t *rank, mn_bench *b, mn_split *split)
{
  size_t n = 0, kept = 0;
  for (size_t i = 0; i < rows->n; i++)
    if (b->raw_key[i]) b->levels[n++] = rank[rows->id[i]];
  qsort(b->levels, n, sizeof *b->levels, by_code);
  for (size_t i = 0; i < n; i++)
    if (i == 0 || b->levels[i] != b->levels[i - 1]) b->levels[kept++] = b->levels[i];
  split->by_levels = true;
  split->levels = kept;
}

/* The absolute error of a drawn cut: rows left first, and one cut between. */
static void scan_drawn(mn_scan *s, const struct gathered *rows, mn_bench *b)
{
  size_t at = 0;
  for (uint32_t side = 0; side < 2; side++)
    for (size_t i = 0; i < rows->n; i++)
      if (b->raw_key[i] != side) {
        b->key[at] = side;
        b->id[at++] = rows->id[i];
      }
  mn_scan_cuts(s, b);
}

static void search_drawn(mn_scan *s, const struct gathered *rows, size_t j, mn_bench *b, mn_split *split)
{
  const mn_ground *g = s->ground;
  for (int side = 0; side < (rows->n_missing > 0 ? 2 : 1); side++) {
    double weight = 0, count = 0, proxy;
    s->missing_left = side == 1;
    if (s->rules->criterion == MN_ABSOLUTE_ERROR) {
      s->best = -INFINITY;
      scan_drawn(s, rows, b);
      proxy = s->best;
    } else {
      memset(s->left, 0, s->rules->width * sizeof *s->left);
      add_left(s->rules, g, rows->id, b->raw_key, rows->n, s->left, &weight, &count);
      if (s->missing_left) add_left(s->rules, g, rows->missing, NULL, rows->n_missing, s->left, &weight, &count);
      proxy = mn_scan_one(s, weight, count);
    }
    if (!(proxy > (split->found ? split->proxy + s->tolerance : -INFINITY))) continue;
    split->found = true;
    split->proxy = proxy;
    split->missing_left = s->missing_left;
  }
  if (split->found && s->rules->columns->by_levels[j]) left_levels(rows, g->rank + j * g->stride, b, split);
}

static struct gathered all_rows(const uint32_t *id, size_t n)
{
  return (struct gathered){ .id = id, .n = n };
}

void mn_search(const mn_rules *rules, const mn_ground *g, const uint32_t *id, size_t n, const mn_tally *t, size_t j,
               uint64_t key, mn_bench *b, mn_split *split, bool *constant)
{
  const bool levels = rules->columns->by_levels[j], missing = rules->columns->missing[j];
  const bool plain_draw = rules->random && !levels && !missing; /* ranks are not read */
  *split = (mn_split){ .feature = j, .proxy = -INFINITY };
  const struct gathered rows = plain_draw ? all_rows(id, n) : gather(rules, g, id, n, j, b);
  mn_scan s = scan_of(rules, g, t, j, &rows, b);
  *constant = !plain_draw && (rows.n == 0 || (rows.low == rows.high && rows.n_missing == 0));
  if (*constant) return;
  if (rules->random && (plain_draw || rows.low < rows.high)) {
    const bool drawn = levels ? draw_levels(&rows, key, b) : draw_cut(&rows, g->value + j * g->stride, key, b, split);
    *constant = !drawn && !levels;
    if (drawn) search_drawn(&s, &rows, j, b, split);
    return;
  }
  if (rows.low == rows.high) {
    memcpy(b->key, b->raw_key, rows.n * sizeof *b->key);
    memcpy(b->id, rows.id, rows.n * sizeof *b->id);
  } else {
    sort_rows(b, rows.id, rows.n, rows.low, rows.high);
  }
  if (levels)
    search_levels(&s, b, g->rank + j * g->stride, split);
  else
    search_numbers(&s, b, rules->columns->sorted[j], split);
}
