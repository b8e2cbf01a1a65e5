/* Cuts drawn at random: Geurts, Ernst & Wehenkel, Machine Learning 63 (2006). */
#include "quantized_columns.h"
#include "sparse_column.h"
#include "search_parts.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t mix(uint64_t x)
{
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
  x = (x ^ x >> 27) * 0x94D049BB133111EB;
  return x ^ x >> 31;
}

double mn_hash_uniform(uint64_t key)
{
  return (double)(mix(key + 0x9E3779B97F4A7C15) >> 11) * 0x1p-53;
}

/* Levels go left by chance, drawn again while all those of the node are on one side. The caller says that there are two
 * or more; should chance never part them, the first of them goes left. */
void mn_draw_levels(const struct mn_gathered_rows *rows, uint64_t key, mn_search_workspace *b)
{
  enum { MOST_DRAWS = 64 };
  uint32_t *left = b->key; /* nothing is sorted meanwhile */
  size_t n = 0;
  for (int draw = 0; draw < MOST_DRAWS && (n == 0 || n == rows->n); draw++, key = mix(key + 1)) {
    n = 0;
    for (size_t i = 0; i < rows->n; i++) n += left[i] = mix(key ^ mix((uint64_t)b->raw_key[i] + 1)) & 1;
  }
  for (size_t i = 0; (n == 0 || n == rows->n) && i < rows->n; i++) left[i] = b->raw_key[i] == rows->low;
  memcpy(b->raw_key, left, rows->n * sizeof *left);
}

/* A cut between the least and the largest of the values of column j. Those are then in b->value, unless coarse ones are
 * in b->step. False: all are alike. */
static bool draw_cut(const mn_split_settings *rules, const mn_training_view *g, const uint32_t *id, size_t n, size_t j,
                     uint64_t key, mn_search_workspace *b, mn_split *split)
{
  const mn_sparse_column *few = mn_sparse_column_of(rules->columns, j);
  double low, high, *to = b->value;
  split->step = b->step;
  if (b->step)
    return mn_draw_quantized_threshold(rules->columns, j, id, n, mn_hash_uniform(key), b->step, &split->threshold,
                                       &split->last_step);
  if (few) {
    if (!mn_sparse_values(few, g, id, n, b, to)) return false;
  } else {
    const double *value = g->value[j];
#pragma GCC unroll 4
    for (size_t i = 0; i < n; i++) to[i] = value[id[i]];
  }
  for (size_t i = n; i < mn_padded_rows(n); i++) to[i] = to[0];
  mn_min_max(mn_padded_rows(n), to, &low, &high);
  split->threshold = mn_threshold_between(low, high, mn_hash_uniform(key));
  return low < high;
}

bool mn_draw_threshold(const mn_split_settings *rules, const mn_training_view *g, const struct mn_gathered_rows *rows,
                       size_t j, uint64_t key, mn_search_workspace *b, mn_split *split)
{
  if (!draw_cut(rules, g, rows->id, rows->n, j, key, b, split)) return false;
  if (split->step)
    mn_mark_quantized_left(rows->n, split->step, split->last_step, b->raw_key);
  else
    mn_mark_left(rows->n, b->value, split->threshold, b->raw_key);
  return true;
}

bool mn_search_class_words(const mn_split_settings *rules, const mn_training_view *g, const uint32_t *id, size_t n,
                           const mn_node_stats *t, size_t j, uint64_t key, mn_search_workspace *b, mn_split *split)
{
  const size_t all = mn_padded_rows(n), width = rules->width;
  mn_scan s = { .rules = rules, .ground = g, .tally = t, .left = b->left, .right = b->right };
  double weight = 0;
  s.monotone = rules->monotone ? rules->monotone[j] : 0;
  if (!draw_cut(rules, g, id, n, j, key, b, split)) return false;
  for (size_t c = 0; c < width; c++) s.left[c] = 0;
  for (size_t i = 0; i < all; i += MN_MAX_CLASS_WORDS) {
    const size_t some = all - i < MN_MAX_CLASS_WORDS ? all - i : MN_MAX_CLASS_WORDS;
    const uint64_t *vote = t->vote + i;
    mn_add_class_word(split->step ? mn_sum_class_words_quantized_left(some, split->step + i, split->last_step, vote)
                                  : mn_sum_class_words_left(some, b->value + i, split->threshold, vote),
                      width, s.left);
  }
  for (size_t c = 0; c < width; c++) weight += s.left[c];
  split->proxy = mn_scan_split_proxy(&s, weight, weight);
  split->found = split->proxy > -INFINITY;
  return true;
}

/* Classes without weights: whole counts, in two halves that do not wait for each other. */
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

void mn_add_rows(const mn_split_settings *rules, const mn_training_view *g, const uint32_t *id, const uint32_t *left,
                 size_t n, double *sum, double *weight, double *count)
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

static void left_levels(const struct mn_gathered_rows *rows, mn_packed rank, mn_search_workspace *b, mn_split *split)
{
  size_t n = 0, kept = 0;
  for (size_t i = 0; i < rows->n; i++)
    if (b->raw_key[i]) b->levels[n++] = mn_packed_get(rank, rows->id[i]);
  qsort(b->levels, n, sizeof *b->levels, mn_compare_codes);
  for (size_t i = 0; i < n; i++)
    if (i == 0 || b->levels[i] != b->levels[i - 1]) b->levels[kept++] = b->levels[i];
  split->by_levels = true;
  split->levels = kept;
}

/* The absolute error of a drawn cut: rows left first, and one cut between. */
static void scan_drawn(mn_scan *s, const struct mn_gathered_rows *rows, mn_search_workspace *b)
{
  size_t at = 0;
  for (uint32_t side = 0; side < 2; side++)
    for (size_t i = 0; i < rows->n; i++)
      if (b->raw_key[i] != side) {
        b->key[at] = side;
        b->id[at++] = rows->id[i];
      }
  mn_scan_thresholds(s, b);
}

void mn_score_drawn_split(mn_scan *s, const struct mn_gathered_rows *rows, size_t j, mn_search_workspace *b,
                          mn_split *split)
{
  const mn_training_view *g = s->ground;
  for (int side = 0; side < (rows->n_missing > 0 ? 2 : 1); side++) {
    double weight = 0, count = 0, proxy;
    s->missing_left = side == 1;
    if (s->rules->criterion == MN_CRITERION_ABSOLUTE_ERROR) {
      s->best = -INFINITY;
      scan_drawn(s, rows, b);
      proxy = s->best;
    } else {
      memset(s->left, 0, s->rules->width * sizeof *s->left);
      mn_chunk p = { 0 };
      while (mn_next_chunk(&b->token, rows->n, &p))
        mn_add_rows(s->rules, g, rows->id + p.begin, b->raw_key + p.begin, p.end - p.begin, s->left, &weight, &count);
      if (s->missing_left) mn_add_rows(s->rules, g, rows->missing, NULL, rows->n_missing, s->left, &weight, &count);
      proxy = mn_scan_split_proxy(s, weight, count);
    }
    if (!(proxy > (split->found ? split->proxy + s->tolerance : -INFINITY))) continue;
    split->found = true;
    split->proxy = proxy;
    split->missing_left = s->missing_left;
  }
  if (split->found && s->rules->columns->by_levels[j]) left_levels(rows, g->rank[j], b, split);
}
