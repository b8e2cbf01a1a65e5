#include "../stats/quantile.h"
#include "by_column.h"
#include <math.h>
#include <string.h>

enum { INSERTION = 24, LONG = 1 << 15 };

/* --- sorting: quicksort into less, equal and greater, so that few distinct values are fast; heapsort when the depth
 * says that the pivots are bad --- */

static void swap(struct mn_sorted_column *c, size_t a, size_t b)
{
  const double x = c->at[a];
  c->at[a] = c->at[b];
  c->at[b] = x;
  if (!c->weight) return;
  const double w = c->weight[a];
  c->weight[a] = c->weight[b];
  c->weight[b] = w;
}

static double median3(double a, double b, double c)
{
  return a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b);
}

/* Of a few values spread over begin..end-1: their middle one. */
static double pivot_of(const struct mn_sorted_column *c, size_t begin, size_t end)
{
  const double *x = c->at + begin;
  const size_t n = end - begin, step = n / 8;
  if (n < 64) return median3(x[0], x[n / 2], x[n - 1]);
  return median3(median3(x[0], x[step], x[2 * step]), median3(x[3 * step], x[4 * step], x[5 * step]),
                 median3(x[6 * step], x[7 * step], x[n - 1]));
}

/* Dijkstra: begin..low-1 < pivot, low..high-1 equal to it, high..end-1 greater. */
static void partition(struct mn_sorted_column *c, size_t begin, size_t end, size_t *low, size_t *high)
{
  const double pivot = pivot_of(c, begin, end);
  size_t lt = begin, i = begin, gt = end;
  while (i < gt) {
    if (c->at[i] < pivot)
      swap(c, lt++, i++);
    else if (c->at[i] > pivot)
      swap(c, i, --gt);
    else
      i++;
  }
  *low = lt;
  *high = gt;
}

static void insertion_sort(struct mn_sorted_column *c, size_t begin, size_t end)
{
  for (size_t i = begin + 1; i < end; i++)
    for (size_t k = i; k > begin && c->at[k - 1] > c->at[k]; k--) swap(c, k - 1, k);
}

static void sift_down(struct mn_sorted_column *c, size_t begin, size_t root, size_t n)
{
  for (size_t child; (child = 2 * root + 1) < n; root = child) {
    if (child + 1 < n && c->at[begin + child] < c->at[begin + child + 1]) child++;
    if (!(c->at[begin + root] < c->at[begin + child])) return;
    swap(c, begin + root, begin + child);
  }
}

static void heap_sort(struct mn_sorted_column *c, size_t begin, size_t end)
{
  const size_t n = end - begin;
  for (size_t root = n / 2; root-- > 0;) sift_down(c, begin, root, n);
  for (size_t last = n; last-- > 1;) {
    if (last % LONG == 0 && !mn_task_should_continue(&c->token)) return;
    swap(c, begin, begin + last);
    sift_down(c, begin, 0, last);
  }
}

static int depth_for(size_t n)
{
  int depth = 8;
  for (; n > 0; n >>= 1) depth += 2;
  return depth;
}

static void sort_range(struct mn_sorted_column *c, size_t begin, size_t end, int depth)
{
  while (end - begin > INSERTION) {
    size_t low, high;
    if (end - begin > LONG && !mn_task_should_continue(&c->token)) return;
    if (depth-- == 0) {
      heap_sort(c, begin, end);
      return;
    }
    partition(c, begin, end, &low, &high);
    if (low - begin < end - high) { /* recursion on the smaller side: the stack stays small */
      sort_range(c, begin, low, depth);
      begin = high;
    } else {
      sort_range(c, high, end, depth);
      end = low;
    }
  }
  insertion_sort(c, begin, end);
}

void mn_sort_column(struct mn_sorted_column *c)
{
  sort_range(c, 0, c->size, depth_for(c->size));
}

/* --- few distinct values: counted in a small table first --- */

enum { TABLE_SLOTS = 1024, MOST_DISTINCT = TABLE_SLOTS / 2 };

struct table {
  double value[TABLE_SLOTS], weight[TABLE_SLOTS]; /* weight 0: a free slot */
  size_t used;
};

static size_t slot_of(const struct table *t, double value)
{
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  size_t s = (size_t)((bits * UINT64_C(0x9e3779b97f4a7c15)) >> 54);
  while (t->weight[s] > 0 && (t->value[s] < value || t->value[s] > value)) s = (s + 1) % TABLE_SLOTS;
  return s;
}

/* False when there are too many distinct values for it to pay. */
static bool count_values(const struct mn_sorted_column *c, struct table *t)
{
  for (size_t i = 0; i < c->size; i++) {
    const double value = c->at[i] + 0.0; /* -0 becomes 0 */
    const size_t s = slot_of(t, value);
    if (!(t->weight[s] > 0)) {
      if (t->used++ == MOST_DISTINCT || 2 * t->used > c->size) return false;
      t->value[s] = value;
    }
    t->weight[s] += c->weight ? c->weight[i] : 1;
  }
  return true;
}

void mn_group_column(struct mn_sorted_column *c)
{
  struct table t = { .used = 0 };
  if (count_values(c, &t)) {
    if (!c->weight) c->weight = c->at + t.used; /* at most half of the column is used */
    c->size = 0;
    for (size_t s = 0; s < TABLE_SLOTS; s++) {
      if (!(t.weight[s] > 0)) continue;
      c->at[c->size] = t.value[s];
      c->weight[c->size++] = t.weight[s];
    }
  }
  mn_sort_column(c);
}

double mn_column_weight(const struct mn_sorted_column *c)
{
  if (!c->weight) return (double)c->size;
  double sum = 0;
  for (size_t i = 0; i < c->size; i++) sum += c->weight[i];
  return sum;
}

bool mn_next_distinct(const struct mn_sorted_column *c, size_t *i, double *value, double *weight)
{
  if (*i >= c->size) return false;
  *value = c->at[*i] + 0.0; /* -0 becomes 0 */
  *weight = 0;
  for (; *i < c->size && c->at[*i] <= *value; ++*i) *weight += c->weight ? c->weight[*i] : 1;
  return true;
}

/* --- quantiles --- */

static double smallest(const double *x, size_t n)
{
  double least = x[0];
  for (size_t i = 1; i < n; i++) least = x[i] < least ? x[i] : least;
  return least;
}

/* a where the fraction is 0, without overflow of b - a. */
static double between(double a, double b, double fraction)
{
  if (!(fraction > 1e-9) || !(b > a)) return a;
  return isfinite(b - a) ? a + (b - a) * fraction : a * (1 - fraction) + b * fraction;
}

enum { SAMPLE = 4096, LEAST_TO_SAMPLE = 8 * SAMPLE };

/* Brings the values within low..high to the front. Returns how many; *below: how many are smaller. */
static size_t bring_forward(struct mn_sorted_column *c, double low, double high, size_t *below)
{
  size_t n = 0, less = 0;
  for (size_t i = 0; i < c->size; i++) { /* no branch on the data */
    const double x = c->at[i];
    c->at[i] = c->at[n];
    c->at[n] = x;
    n += (size_t)((x >= low) & (x <= high));
    less += (size_t)(x < low);
  }
  *below = less;
  return n;
}

/* Ranks k and k + 1 where a sample says that they are likely to be; false when they are not there. */
static bool select_near(struct mn_sorted_column *c, const double *sample, double q, size_t k, double *a, double *b)
{
  const double center = q * (SAMPLE - 1), margin = 4 * sqrt(SAMPLE * q * (1 - q)) + 4;
  const double low = center - margin >= 0 ? sample[(size_t)(center - margin)] : -INFINITY;
  const double high = center + margin <= SAMPLE - 1 ? sample[(size_t)(center + margin)] : INFINITY;
  size_t below;
  const size_t n = bring_forward(c, low, high, &below);
  if (k < below || k + 2 > below + n) return false;
  mn_select(&c->token, n, c->at, k - below);
  *a = c->at[k - below];
  *b = smallest(c->at + k - below + 1, n - (k - below) - 1);
  return true;
}

/* Values of rank k and k + 1, or k twice where it is the last. */
static void two_ranks(struct mn_sorted_column *c, const double *sample, double q, size_t k, double *a, double *b)
{
  if (sample && select_near(c, sample, q, k, a, b)) return;
  mn_select(&c->token, c->size, c->at, k);
  *a = *b = c->at[k];
  if (k + 1 < c->size) *b = smallest(c->at + k + 1, c->size - k - 1);
}

/* Where a quantile lies among n values: between rank `rank` and the next. */
struct place {
  size_t rank;
  double fraction;
};

static struct place interpolated(double q, size_t n)
{
  const double position = q * (double)(n - 1), near = nearbyint(position); /* (1 / 13) 13 is a whole number */
  const double whole = fabs(position - near) < 1e-9 ? near : floor(position);
  return (struct place){ .rank = (size_t)whole, .fraction = position > whole ? position - whole : 0 };
}

static struct place inverted(double q, size_t n)
{
  const double share = q * (double)n, whole = nearbyint(share);
  const bool exact = fabs(share - whole) < 1e-9; /* products round */
  if (!exact) return (struct place){ .rank = (size_t)share };
  const size_t rank = whole >= 1 ? (size_t)whole - 1 : 0;
  return (struct place){ .rank = rank, .fraction = whole >= 1 && whole < (double)n ? 0.5 : 0 };
}

enum { FEW_QUANTILES = 16 };

static void plain_quantiles(struct mn_sorted_column *c, struct place (*place_of)(double, size_t), size_t n,
                            const double *q, double *quantile)
{
  double sample[SAMPLE];
  const bool sampled = c->size >= LEAST_TO_SAMPLE && n <= FEW_QUANTILES;
  for (size_t i = 0; sampled && i < SAMPLE; i++) sample[i] = c->at[i * (c->size / SAMPLE)];
  if (sampled) mn_sort_column(&(struct mn_sorted_column){ .at = sample, .size = SAMPLE });
  if (n > FEW_QUANTILES) mn_sort_column(c);
  for (size_t i = 0; i < n; i++) {
    const struct place at = place_of(q[i], c->size);
    double a = c->at[at.rank], b = at.rank + 1 < c->size ? c->at[at.rank + 1] : a;
    if (n <= FEW_QUANTILES && mn_task_should_continue(&c->token))
      two_ranks(c, sampled ? sample : NULL, q[i], at.rank, &a, &b);
    quantile[i] = between(a, b, at.fraction);
  }
}

/* Of a sorted column whose weights are cumulative: the first value with more than `weight` up to it, or the last. */
static double first_above(const struct mn_sorted_column *c, double weight)
{
  size_t low = 0, high = c->size - 1;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (c->weight[middle] > weight)
      high = middle;
    else
      low = middle + 1;
  }
  return c->at[low];
}

/* Sorts, and makes the weights cumulative, in units of one value. Each is as exact as a double can be (Neumaier, ZAMM
 * 54, 1974): ranks are compared with them. */
static void accumulate(struct mn_sorted_column *c)
{
  const double unit = mn_value_weight(c->size, c->weight);
  double sum = 0, lost = 0;
  mn_sort_column(c);
  for (size_t i = 0; i < c->size; i++) {
    const double w = c->weight[i] / unit, next = sum + w;
    lost += sum >= w ? (sum - next) + w : (w - next) + sum;
    sum = next;
    c->weight[i] = sum + lost;
  }
}

static void weighted_quantiles(struct mn_sorted_column *c, size_t n, const double *q, double *quantile)
{
  const double slack = 1e-9; /* sums round */
  accumulate(c);
  const double values = c->weight[c->size - 1];
  for (size_t i = 0; i < n; i++) {
    const double position = q[i] * (values > 1 ? values - 1 : 0), rank = floor(position + slack);
    const double fraction = position > rank ? position - rank : 0;
    quantile[i] = between(first_above(c, rank + slack), first_above(c, rank + 1 + slack), fraction);
  }
}

void mn_column_quantiles(struct mn_sorted_column *c, size_t n, const double *q, double *quantile)
{
  if (c->size > 0 && c->weight)
    weighted_quantiles(c, n, q, quantile);
  else if (c->size > 0)
    plain_quantiles(c, interpolated, n, q, quantile);
  else
    for (size_t i = 0; i < n; i++) quantile[i] = (double)NAN;
}

void mn_column_inverted_quantiles(struct mn_sorted_column *c, size_t n, const double *q, double *quantile)
{
  for (size_t i = 0; i < n; i++) quantile[i] = (double)NAN;
  if (c->size > 0 && !c->weight) plain_quantiles(c, inverted, n, q, quantile);
  if (c->size == 0 || !c->weight) return;
  accumulate(c);
  for (size_t i = 0; i < n; i++) {
    const double share = q[i] * c->weight[c->size - 1];
    quantile[i] = between(first_above(c, share * (1 - 1e-12)), first_above(c, share * (1 + 1e-12)), 0.5);
  }
}
