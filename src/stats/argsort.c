/* Keys are sorted by their upper half, with the place beside it in one word, so that a pass moves 8 bytes a number.
 * Runs of equal upper halves are then sorted by the lower one: there are few where numbers are continuous, and none to
 * look at where all lower halves are alike, as of whole numbers. */
#include "argsort.h"
#include "number_key.h"
#include <math.h>
#include <string.h>

enum { DIGIT_BITS = 11, DIGITS = 3, BUCKETS = 1 << DIGIT_BITS, FEW = 32 };

static uint64_t key_of(double value, bool down)
{
  return mn_key_of(down ? -value : value);
}

static uint64_t pair_of(uint32_t half, uint32_t place)
{
  return (uint64_t)half << 32 | place;
}

static uint32_t half_of(uint64_t pair)
{
  return (uint32_t)(pair >> 32);
}

static uint32_t place_of(uint64_t pair)
{
  return (uint32_t)pair;
}

static uint32_t digit_of(uint64_t pair, int digit)
{
  return half_of(pair) >> (digit * DIGIT_BITS) & (BUCKETS - 1);
}

static void insertion_sort(uint64_t *pair, size_t n)
{
  for (size_t i = 1; i < n; i++) {
    const uint64_t moved = pair[i];
    size_t j = i;
    for (; j > 0 && half_of(pair[j - 1]) > half_of(moved); j--) pair[j] = pair[j - 1];
    pair[j] = moved;
  }
}

static bool count_digits(const mn_cancel_token *token, const uint64_t *pair, size_t n, uint32_t count[DIGITS][BUCKETS])
{
  mn_chunk p = { 0 };
  while (mn_next_chunk(token, n, &p))
    for (size_t i = p.begin; i < p.end; i++)
      for (int digit = 0; digit < DIGITS; digit++) count[digit][digit_of(pair[i], digit)]++;
  return p.end == n;
}

/* start[v]: where the next pair with this value of the digit goes. */
static bool place_pairs(const mn_cancel_token *token, const uint64_t *pair, size_t n, int digit, uint32_t *start,
                        uint64_t *to)
{
  mn_chunk p = { 0 };
  while (mn_next_chunk(token, n, &p))
    for (size_t i = p.begin; i < p.end; i++) to[start[digit_of(pair[i], digit)]++] = pair[i];
  return p.end == n;
}

/* By half, stable, from the lowest digit up; the result is in the array returned, one of the two. NULL: cancelled. */
static uint64_t *sort_pairs(const mn_cancel_token *token, uint64_t *pair, uint64_t *other, size_t n)
{
  if (n <= FEW) {
    insertion_sort(pair, n);
    return pair;
  }
  uint32_t count[DIGITS][BUCKETS] = { { 0 } };
  if (!count_digits(token, pair, n, count)) return NULL;
  for (int digit = 0; digit < DIGITS; digit++) {
    uint32_t *start = count[digit], before = 0;
    if (start[digit_of(pair[0], digit)] == n) continue;
    for (int b = 0; b < BUCKETS; b++) {
      const uint32_t here = start[b];
      start[b] = before;
      before += here;
    }
    if (!place_pairs(token, pair, n, digit, start, other)) return NULL;
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
  bool down;
};

static void write_places(const uint64_t *pair, size_t n, uint32_t *order)
{
  for (size_t i = 0; i < n; i++)
    order[i] = place_of(pair[i]) | (i > 0 && half_of(pair[i]) == half_of(pair[i - 1]) ? MN_TIED : 0);
}

/* pair[0..n-1]: of one upper half. False: cancelled. */
static bool sort_run(const struct column *c, uint64_t *pair, uint64_t *other, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    const uint32_t place = place_of(pair[i]);
    pair[i] = pair_of((uint32_t)key_of(c->x[place * c->step], c->down), place);
  }
  const uint64_t *sorted = sort_pairs(&c->token, pair, other, n);
  if (sorted && sorted != pair) memcpy(pair, sorted, n * sizeof *pair);
  return sorted != NULL;
}

static uint32_t *order_column(const struct column *c, size_t n, uint64_t *room, size_t *numbers)
{
  uint64_t *pair = room, *other = room + n;
  uint32_t first = 0;
  size_t m = 0;
  bool by_upper = true; /* all lower halves are alike */
  mn_chunk p = { 0 };
  while (mn_next_chunk(&c->token, n, &p))
    for (size_t i = p.begin; i < p.end; i++) {
      const double value = c->x[i * c->step];
      if (isnan(value)) continue;
      const uint64_t key = key_of(value, c->down);
      if (m == 0) first = (uint32_t)key;
      by_upper = by_upper && (uint32_t)key == first;
      pair[m++] = pair_of((uint32_t)(key >> 32), (uint32_t)i);
    }
  uint64_t *sorted = p.end == n ? sort_pairs(&c->token, pair, other, m) : NULL;
  if (!sorted) return NULL;
  other = sorted == pair ? other : pair;
  /* what is written so far ends before other[at], where the next run may be sorted */
  uint32_t *order = (uint32_t *)(void *)other;
  size_t at = 0, end;
  p = (mn_chunk){ 0 };
  while (mn_next_chunk(&c->token, m, &p))
    for (; at < p.end; at = end) {
      for (end = at + 1; end < m && half_of(sorted[end]) == half_of(sorted[at]);) end++;
      if (end - at > 1 && !by_upper && !sort_run(c, sorted + at, other + at, end - at)) return NULL;
      write_places(sorted + at, end - at, order + at);
    }
  *numbers = m;
  return p.end == m ? order : NULL;
}

uint32_t *mn_argsort_numbers(const mn_cancel_token *token, size_t n, const double *x, size_t step, uint64_t *room,
                             size_t *numbers)
{
  return order_column(&(struct column){ .token = *token, .x = x, .step = step }, n, room, numbers);
}

static mn_status order_by(mn_context *ctx, size_t n, const struct column *c, size_t *order)
{
  if (n >= MN_TIED) return mn_fail(ctx, MN_BAD_DATA, "fewer than 2^31 numbers can be sorted, got %zu", n);
  const mn_mark mark = mn_scratch_mark(ctx);
  uint64_t *room = MN_RAW(ctx, uint64_t, n, 2);
  size_t numbers;
  MN_CHECK_ALLOC(room);
  const uint32_t *place = order_column(c, n, room, &numbers);
  if (!place) return mn_poll(ctx);
  mn_chunk p = { 0 };
  while (mn_next_chunk(&c->token, numbers, &p))
    for (size_t i = p.begin; i < p.end; i++) order[i] = place[i] & ~MN_TIED;
  MN_TRY(mn_error_status(ctx));
  for (size_t i = 0, at = numbers; at < n; i++)
    if (isnan(c->x[i * c->step])) order[at++] = i;
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

mn_status mn_argsort(mn_context *ctx, size_t n, const double *x, size_t step, size_t *order)
{
  return order_by(ctx, n, &(struct column){ .token = { .ctx = ctx }, .x = x, .step = step }, order);
}

mn_status mn_argsort_descending(mn_context *ctx, size_t n, const double *x, size_t step, size_t *order)
{
  const struct column column = { .token = { .ctx = ctx }, .x = x, .step = step, .down = true };
  return order_by(ctx, n, &column, order);
}
