/* Argsort and ranks of rows by keys. A key is mapped to a 64-bit integer of the same order, missing values last, and
 * sorted by least-significant-digit radix sort. Digits that are equal in all keys are skipped, which is most of them
 * for integers, codes and rounded decimals. The time is linear in the number of rows. */
#include "../stats/number_key.h"
#include "frame.h"
#include <math.h>
#include <string.h>

enum { BITS = 11, BUCKETS = 1 << BITS, DIGITS = 6 }; /* 6 * 11 >= 64 */

static const uint64_t missing_key = UINT64_MAX;

static uint64_t key_of_number(double value)
{
  return isnan(value) ? missing_key : mn_sort_key(value);
}

static uint64_t key_at(const mn_view *view, size_t i)
{
  if (view->number) return key_of_number(view->number[i * view->step]);
  return view->code[i] < 0 ? missing_key : (uint64_t)(uint32_t)view->code[i];
}

/* A key and its row. A radix pass moves items between two such arrays. */
struct item {
  uint64_t key;
  int32_t row;
};

static unsigned digit_at(uint64_t key, int digit)
{
  return (unsigned)(key >> (digit * BITS)) & (BUCKETS - 1);
}

static void count_digits(const struct item *item, size_t n, uint32_t (*count)[BUCKETS])
{
  memset(count, 0, DIGITS * sizeof *count);
  for (size_t i = 0; i < n; i++)
    for (int d = 0; d < DIGITS; d++) count[d][digit_at(item[i].key, d)]++;
}

enum { PIECE = 1 << 20 }; /* rows between two polls */

/* One stable pass by digit d with known counts, from *item to *other, which are then swapped. */
static mn_status pass(mn_context *ctx, struct item **item, struct item **other, size_t n, int d, uint32_t *count)
{
  const struct item *from = *item;
  struct item *to = *other;
  uint32_t position = 0;
  for (size_t b = 0; b < BUCKETS; b++) {
    const uint32_t size = count[b];
    count[b] = position;
    position += size;
  }
  for (size_t i = 0; i < n; i++) {
    if (i % PIECE == 0) MN_TRY(mn_poll(ctx));
    to[count[digit_at(from[i].key, d)]++] = from[i];
  }
  *other = *item;
  *item = to;
  return MN_OK;
}

static bool varies(const struct item *item, size_t n, int d, uint32_t (*count)[BUCKETS])
{
  return count[d][digit_at(item[0].key, d)] != n;
}

/* Its own because its elements are pairs of a 64-bit key and a row. */
static void insertion_sort(struct item *item, size_t n)
{
  for (size_t i = 1; i < n; i++) {
    const struct item one = item[i];
    size_t j = i;
    for (; j > 0 && item[j - 1].key > one.key; j--) item[j] = item[j - 1];
    item[j] = one;
  }
}

/* Items are sorted by their upper digits: sort runs of equal upper digits. Returns false if a run is long. */
static bool sort_short_runs(struct item *item, size_t n, int shift)
{
  enum { LONGEST = 24 };
  for (size_t begin = 0, end; begin < n; begin = end) {
    bool sorted = true;
    for (end = begin + 1; end < n && item[end].key >> shift == item[begin].key >> shift; end++)
      sorted = sorted && item[end - 1].key <= item[end].key;
    if (sorted) continue;
    if (end - begin > LONGEST) return false;
    insertion_sort(item + begin, end - begin);
  }
  return true;
}

/* Sort; the result is in *item, which may have been swapped with *other. Measured doubles differ mostly in their upper
 * half, so that is sorted first and short runs are finished by insertion. If that fails, all digits are sorted; both
 * ways are stable. */
static mn_status sort_items(mn_context *ctx, struct item **item, struct item **other, size_t n,
                            uint32_t (*count)[BUCKETS])
{
  enum { UPPER = DIGITS / 2, MIN_ROWS_BY_HALVES = 1 << 12 };
  if (n < 2) return MN_OK;
  count_digits(*item, n, count);
  int lower = 0;
  for (int d = 0; d < UPPER; d++) lower += varies(*item, n, d, count);
  const bool attempt = n >= MIN_ROWS_BY_HALVES && lower > 1;
  for (int d = attempt ? UPPER : 0; d < DIGITS; d++)
    if (varies(*item, n, d, count)) MN_TRY(pass(ctx, item, other, n, d, count[d]));
  if (!attempt || sort_short_runs(*item, n, UPPER * BITS)) return MN_OK;
  count_digits(*item, n, count);
  for (int d = 0; d < DIGITS; d++)
    if (varies(*item, n, d, count)) MN_TRY(pass(ctx, item, other, n, d, count[d]));
  return MN_OK;
}

struct sort_workspace {
  struct item *item, *other;
  uint32_t (*count)[BUCKETS];
};

static mn_status alloc_sort_workspace(mn_context *ctx, size_t n, struct sort_workspace *r)
{
  r->item = MN_RAW(ctx, struct item, n, 1);
  r->other = MN_RAW(ctx, struct item, n, 1);
  r->count = mn_scratch_raw(ctx, sizeof *r->count, DIGITS, 1);
  return r->item && r->other && r->count ? MN_OK : MN_NO_MEMORY;
}

static mn_status order_rows(mn_context *ctx, size_t keys, const mn_view *key, const bool *down, size_t n, int32_t *row)
{
  struct sort_workspace r;
  MN_TRY(alloc_sort_workspace(ctx, n, &r));
  for (size_t i = 0; i < n; i++) r.item[i].row = (int32_t)i;
  for (size_t j = keys; j-- > 0;) { /* stable, so the primary key comes last */
    for (size_t i = 0; i < n; i++) {
      const uint64_t k = key_at(&key[j], (size_t)r.item[i].row);
      r.item[i].key = down && down[j] && k != missing_key ? missing_key - 1 - k : k;
    }
    MN_TRY(sort_items(ctx, &r.item, &r.other, n, r.count));
    MN_TRY(mn_poll(ctx));
  }
  for (size_t i = 0; i < n; i++) row[i] = r.item[i].row;
  return MN_OK;
}

mn_status mn_frame_argsort(mn_context *ctx, size_t keys, const mn_view *key, const bool *down, size_t n, int32_t *row)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const mn_status status = order_rows(ctx, keys, key, down, n, row);
  mn_scratch_release(ctx, mark);
  return status;
}

/* --- ranks: equal keys get equal numbers --- */

static mn_status rank_by_sorting(mn_context *ctx, const uint64_t *key, size_t n, int32_t *of, size_t *count)
{
  struct sort_workspace r;
  MN_TRY(alloc_sort_workspace(ctx, n, &r));
  for (size_t i = 0; i < n; i++) r.item[i] = (struct item){ .key = key[i], .row = (int32_t)i };
  MN_TRY(sort_items(ctx, &r.item, &r.other, n, r.count));
  int32_t rank = -1;
  for (size_t i = 0; i < n; i++) {
    if (i == 0 || r.item[i].key != r.item[i - 1].key) rank++;
    of[r.item[i].row] = rank;
    if (i % PIECE == 0) MN_TRY(mn_poll(ctx));
  }
  *count = (size_t)rank + 1;
  return mn_poll(ctx);
}

/* With few distinct keys, found by hashing, only those are sorted. */
enum { MAX_DISTINCT = 1 << 15, SLOTS = 4 * MAX_DISTINCT };

static size_t slot_of(uint64_t key)
{
  key ^= key >> 32;
  key *= 0x9e3779b97f4a7c15u;
  return (size_t)(key >> (64 - 17)) & (SLOTS - 1);
}

/* of[i] = number of the key in order of appearance; false when there are more than MAX_DISTINCT. */
static bool number_by_hashing(const uint64_t *key, size_t n, uint64_t *known, int32_t *slot, int32_t *of, size_t *count)
{
  size_t size = 0;
  for (size_t i = 0; i < n; i++) {
    size_t s = slot_of(key[i]);
    while (slot[s] && known[slot[s] - 1] != key[i]) s = (s + 1) & (SLOTS - 1);
    if (!slot[s]) {
      if (size == MAX_DISTINCT) return false;
      known[size++] = key[i];
      slot[s] = (int32_t)size;
    }
    of[i] = slot[s] - 1;
  }
  *count = size;
  return true;
}

static mn_status rank_keys(mn_context *ctx, const uint64_t *key, size_t n, int32_t *of, size_t *count)
{
  uint64_t *known = MN_RAW(ctx, uint64_t, MAX_DISTINCT, 1);
  int32_t *slot = MN_NEW(ctx, int32_t, SLOTS, 1);
  if (!known || !slot) return MN_NO_MEMORY;
  MN_TRY(mn_poll(ctx));
  if (!number_by_hashing(key, n, known, slot, of, count)) return rank_by_sorting(ctx, key, n, of, count);
  int32_t *rank = MN_RAW(ctx, int32_t, *count, 1);
  MN_CHECK_ALLOC(rank);
  MN_TRY(rank_by_sorting(ctx, known, *count, rank, count));
  for (size_t i = 0; i < n; i++) of[i] = rank[of[i]];
  return MN_OK;
}

/* Counting sort of keys below `limit`. */
static mn_status rank_by_counting(mn_context *ctx, const uint64_t *key, size_t n, size_t limit, int32_t *of,
                                  size_t *count)
{
  int32_t *rank = MN_NEW(ctx, int32_t, limit, 1);
  MN_CHECK_ALLOC(rank);
  for (size_t i = 0; i < n; i++) rank[key[i]] = 1;
  MN_TRY(mn_poll(ctx));
  int32_t size = 0;
  for (size_t k = 0; k < limit; k++)
    if (rank[k]) rank[k] = size++;
  for (size_t i = 0; i < n; i++) of[i] = rank[key[i]];
  *count = (size_t)size;
  return mn_poll(ctx);
}

static bool is_small(uint64_t limit, size_t n)
{
  return limit <= 4 * (uint64_t)n + 65536;
}

/* Integers in a small range: their offset from the minimum, missing values last. Returns false for other values. */
static bool small_integer_keys(const mn_view *view, size_t n, uint64_t *key, size_t *key_limit)
{
  const double max_integer = 1e15, max_span = 4 * (double)n + 65536;
  double min = INFINITY, max = -INFINITY;
  for (size_t i = 0; i < n; i++) {
    const double x = view->number[i * view->step];
    if (isnan(x)) continue;
    if (!(x >= -max_integer && x <= max_integer) || x != (double)(int64_t)x) return false;
    min = x < min ? x : min;
    max = x > max ? x : max;
  }
  const double span = max >= min ? max - min + 1 : 0;
  if (!(span < max_span)) return false;
  for (size_t i = 0; i < n; i++) {
    const double x = view->number[i * view->step];
    key[i] = (uint64_t)(isnan(x) ? span : x - min);
  }
  *key_limit = (size_t)span + 1;
  return true;
}

static mn_status rank_view(mn_context *ctx, const mn_view *view, size_t n, uint64_t *key, int32_t *of, size_t *count)
{
  if (view->number) {
    size_t size;
    if (small_integer_keys(view, n, key, &size)) return rank_by_counting(ctx, key, n, size, of, count);
    for (size_t i = 0; i < n; i++) key[i] = key_of_number(view->number[i * view->step]);
    return rank_keys(ctx, key, n, of, count);
  }
  int32_t max = 0;
  for (size_t i = 0; i < n; i++)
    if (view->code[i] > max) max = view->code[i];
  for (size_t i = 0; i < n; i++) key[i] = view->code[i] < 0 ? (uint64_t)max + 1 : (uint64_t)view->code[i];
  if (is_small((uint64_t)max + 2, n)) return rank_by_counting(ctx, key, n, (size_t)max + 2, of, count);
  return rank_keys(ctx, key, n, of, count);
}

/* Combine the ranks `of` (*count of them) and `next` (next_count) into `of`. */
static mn_status combine(mn_context *ctx, size_t n, uint64_t *key, int32_t *of, size_t *count, const int32_t *next,
                         size_t next_count)
{
  const uint64_t limit = (uint64_t)*count * next_count; /* both are below 2^31 */
  for (size_t i = 0; i < n; i++) key[i] = (uint64_t)of[i] * next_count + (uint64_t)next[i];
  if (is_small(limit, n)) return rank_by_counting(ctx, key, n, (size_t)limit, of, count);
  return rank_keys(ctx, key, n, of, count);
}

static mn_status rank_rows(mn_context *ctx, size_t keys, const mn_view *key, size_t n, int32_t *of, size_t *count)
{
  uint64_t *workspace = MN_RAW(ctx, uint64_t, n, 1);
  int32_t *next = MN_RAW(ctx, int32_t, n, 1);
  if (!workspace || !next) return MN_NO_MEMORY;
  *count = 0;
  for (size_t j = 0; j < keys; j++) {
    const mn_mark mark = mn_scratch_mark(ctx);
    size_t next_count = 0;
    mn_status status = rank_view(ctx, &key[j], n, workspace, j == 0 ? of : next, j == 0 ? count : &next_count);
    if (status == MN_OK && j > 0) status = combine(ctx, n, workspace, of, count, next, next_count);
    mn_scratch_release(ctx, mark);
    MN_TRY(status);
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

mn_status mn_frame_rank(mn_context *ctx, size_t keys, const mn_view *key, size_t n, int32_t *of, size_t *count)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const mn_status status = rank_rows(ctx, keys, key, n, of, count);
  mn_scratch_release(ctx, mark);
  return status;
}
