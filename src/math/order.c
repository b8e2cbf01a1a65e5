#include "order.h"
#include <math.h>
#include <string.h>

enum { DIGIT_BITS = 8, DIGITS = 64 / DIGIT_BITS, BUCKETS = 1 << DIGIT_BITS, FEW = 48 };

struct item {
  uint64_t key;
  size_t place;
};

/* Bits that compare as unsigned integers the way the numbers do. */
static uint64_t key_of(double value, bool down)
{
  if (isnan(value)) return UINT64_MAX;
  value += 0.0; /* -0 becomes 0 */
  if (down) value = 0.0 - value;
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static void insertion_sort(struct item *item, size_t n)
{
  for (size_t i = 1; i < n; i++) {
    const struct item moved = item[i];
    size_t j = i;
    for (; j > 0 && item[j - 1].key > moved.key; j--) item[j] = item[j - 1];
    item[j] = moved;
  }
}

/* Stable, from the lowest digit up; the result is in the array returned, one of the two. */
static struct item *radix_sort(struct item *item, struct item *other, size_t n, size_t (*count)[BUCKETS])
{
  for (size_t i = 0; i < n; i++)
    for (int digit = 0; digit < DIGITS; digit++) count[digit][item[i].key >> (digit * DIGIT_BITS) & (BUCKETS - 1)]++;
  for (int digit = 0; digit < DIGITS; digit++) {
    const int shift = digit * DIGIT_BITS;
    size_t *start = count[digit], before = 0;
    if (start[item[0].key >> shift & (BUCKETS - 1)] == n) continue;
    for (int b = 0; b < BUCKETS; b++) {
      const size_t here = start[b];
      start[b] = before;
      before += here;
    }
    for (size_t i = 0; i < n; i++) other[start[item[i].key >> shift & (BUCKETS - 1)]++] = item[i];
    struct item *sorted = other;
    other = item;
    item = sorted;
  }
  return item;
}

static mn_status order_by(mn_context *ctx, size_t n, const double *x, size_t step, bool down, size_t *order)
{
  struct item *item = MN_RAW(ctx, struct item, n, 1);
  MN_NEED(item);
  for (size_t i = 0; i < n; i++) item[i] = (struct item){ .key = key_of(x[i * step], down), .place = i };
  if (n <= FEW) {
    insertion_sort(item, n);
  } else {
    struct item *other = MN_RAW(ctx, struct item, n, 1);
    MN_NEED(other);
    size_t(*count)[BUCKETS] = mn_scratch(ctx, sizeof *count, DIGITS, 1);
    MN_NEED(count);
    item = radix_sort(item, other, n, count);
  }
  for (size_t i = 0; i < n; i++) order[i] = item[i].place;
  return MN_OK;
}

mn_status mn_order(mn_context *ctx, size_t n, const double *x, size_t step, size_t *order)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const mn_status status = order_by(ctx, n, x, step, false, order);
  mn_scratch_release(ctx, mark);
  return status;
}

mn_status mn_order_down(mn_context *ctx, size_t n, const double *x, size_t step, size_t *order)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const mn_status status = order_by(ctx, n, x, step, true, order);
  mn_scratch_release(ctx, mark);
  return status;
}
