/* Radix sort of 64-bit keys by their upper half, packed with the index into one word, so that a pass moves 8 bytes per
 * number. Runs of equal upper halves are then sorted by the lower half. Continuous data have few such runs; if all
 * lower halves are equal, as for whole numbers, this step is skipped. */
#include "argsort.h"
#include "number_key.h"
#include <math.h>
#include <string.h>

enum { DIGIT_BITS = 11, DIGITS = 3, BUCKETS = 1 << DIGIT_BITS, INSERTION_MAX = 32 };

static uint64_t make_key(double value, bool descending)
{
  return mn_sort_key(descending ? -value : value);
}

static uint64_t make_pair(uint32_t half, uint32_t index)
{
  return (uint64_t)half << 32 | index;
}

static uint32_t upper_half(uint64_t pair)
{
  return (uint32_t)(pair >> 32);
}

static uint32_t index_of(uint64_t pair)
{
  return (uint32_t)pair;
}

static uint32_t get_digit(uint64_t pair, int digit)
{
  return upper_half(pair) >> (digit * DIGIT_BITS) & (BUCKETS - 1);
}

/* Its own because its elements are packed pairs, compared by their upper halves. */
static void insertion_sort(uint64_t *pair, size_t n)
{
  for (size_t i = 1; i < n; i++) {
    const uint64_t pair_to_insert = pair[i];
    size_t j = i;
    for (; j > 0 && upper_half(pair[j - 1]) > upper_half(pair_to_insert); j--) pair[j] = pair[j - 1];
    pair[j] = pair_to_insert;
  }
}

static bool count_digits(const mn_cancel_token *token, const uint64_t *pair, size_t n, uint32_t count[DIGITS][BUCKETS])
{
  mn_chunk p = { 0 };
  while (mn_next_chunk(token, n, &p))
    for (size_t i = p.begin; i < p.end; i++)
      for (int digit = 0; digit < DIGITS; digit++) count[digit][get_digit(pair[i], digit)]++;
  return p.end == n;
}

/* start[v]: position of the next pair whose digit is v. */
static bool scatter_pairs(const mn_cancel_token *token, const uint64_t *pair, size_t n, int digit, uint32_t *start,
                          uint64_t *to)
{
  mn_chunk p = { 0 };
  while (mn_next_chunk(token, n, &p))
    for (size_t i = p.begin; i < p.end; i++) to[start[get_digit(pair[i], digit)]++] = pair[i];
  return p.end == n;
}

/* Stable sort by upper half, from the lowest digit up. Returns the array that holds the result, one of the two; NULL if
 * cancelled. */
static uint64_t *sort_pairs(const mn_cancel_token *token, uint64_t *pair, uint64_t *other, size_t n)
{
  if (n <= INSERTION_MAX) {
    insertion_sort(pair, n);
    return pair;
  }
  uint32_t count[DIGITS][BUCKETS] = { { 0 } };
  if (!count_digits(token, pair, n, count)) return NULL;
  for (int digit = 0; digit < DIGITS; digit++) {
    uint32_t *start = count[digit], before = 0;
    if (start[get_digit(pair[0], digit)] == n) continue;
    for (int b = 0; b < BUCKETS; b++) {
      const uint32_t here = start[b];
      start[b] = before;
      before += here;
    }
    if (!scatter_pairs(token, pair, n, digit, start, other)) return NULL;
    uint64_t *sorted = other;
    other = pair;
    pair = sorted;
  }
  return pair;
}

struct column {
  mn_cancel_token token;
  const double *x;
  size_t step;
  bool descending;
};

static void write_indexes(const uint64_t *pair, size_t n, uint32_t *order)
{
  for (size_t i = 0; i < n; i++)
    order[i] = index_of(pair[i]) | (i > 0 && upper_half(pair[i]) == upper_half(pair[i - 1]) ? MN_TIED : 0);
}

/* Sort pairs with equal upper halves by their lower halves. Returns false if cancelled. */
static bool sort_run(const struct column *c, uint64_t *pair, uint64_t *other, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    const uint32_t index = index_of(pair[i]);
    pair[i] = make_pair((uint32_t)make_key(c->x[index * c->step], c->descending), index);
  }
  const uint64_t *sorted = sort_pairs(&c->token, pair, other, n);
  if (sorted && sorted != pair) memcpy(pair, sorted, n * sizeof *pair);
  return sorted != NULL;
}

static uint32_t *order_column(const struct column *c, size_t n, uint64_t *workspace, size_t *count)
{
  uint64_t *pair = workspace, *other = workspace + n;
  uint32_t first = 0;
  size_t m = 0;
  bool equal_lower_halves = true; /* all lower halves are equal */
  mn_chunk p = { 0 };
  while (mn_next_chunk(&c->token, n, &p))
    for (size_t i = p.begin; i < p.end; i++) {
      const double value = c->x[i * c->step];
      if (isnan(value)) continue;
      const uint64_t key = make_key(value, c->descending);
      if (m == 0) first = (uint32_t)key;
      equal_lower_halves = equal_lower_halves && (uint32_t)key == first;
      pair[m++] = make_pair((uint32_t)(key >> 32), (uint32_t)i);
    }
  uint64_t *sorted = p.end == n ? sort_pairs(&c->token, pair, other, m) : NULL;
  if (!sorted) return NULL;
  other = sorted == pair ? other : pair;
  /* the indexes written so far end before other[at], so the next run can be sorted there */
  uint32_t *order = (uint32_t *)(void *)other;
  size_t at = 0, end;
  p = (mn_chunk){ 0 };
  while (mn_next_chunk(&c->token, m, &p))
    for (; at < p.end; at = end) {
      for (end = at + 1; end < m && upper_half(sorted[end]) == upper_half(sorted[at]);) end++;
      if (end - at > 1 && !equal_lower_halves && !sort_run(c, sorted + at, other + at, end - at)) return NULL;
      write_indexes(sorted + at, end - at, order + at);
    }
  *count = m;
  return p.end == m ? order : NULL;
}

uint32_t *mn_argsort_numbers(const mn_cancel_token *token, size_t n, const double *x, size_t step, uint64_t *workspace,
                             size_t *count)
{
  return order_column(&(struct column){ .token = *token, .x = x, .step = step }, n, workspace, count);
}

static mn_status argsort_all(mn_context *ctx, size_t n, const struct column *c, size_t *order)
{
  if (n >= MN_TIED)
    return mn_fail(ctx, MN_BAD_DATA, "sorting: the number of values must be at most 2^31 - 1, got %zu", n);
  const mn_mark mark = mn_scratch_mark(ctx);
  uint64_t *workspace = MN_RAW(ctx, uint64_t, n, 2);
  size_t count;
  MN_CHECK_ALLOC(workspace);
  const uint32_t *index = order_column(c, n, workspace, &count);
  if (!index) return mn_poll(ctx);
  mn_chunk p = { 0 };
  while (mn_next_chunk(&c->token, count, &p))
    for (size_t i = p.begin; i < p.end; i++) order[i] = index[i] & ~MN_TIED;
  MN_TRY(mn_error_status(ctx));
  for (size_t i = 0, at = count; at < n; i++)
    if (isnan(c->x[i * c->step])) order[at++] = i;
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

mn_status mn_argsort(mn_context *ctx, size_t n, const double *x, size_t step, size_t *order)
{
  return argsort_all(ctx, n, &(struct column){ .token = { .ctx = ctx }, .x = x, .step = step }, order);
}

mn_status mn_argsort_descending(mn_context *ctx, size_t n, const double *x, size_t step, size_t *order)
{
  const struct column column = { .token = { .ctx = ctx }, .x = x, .step = step, .descending = true };
  return argsort_all(ctx, n, &column, order);
}
