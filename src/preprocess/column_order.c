/* Sorting, distinct values and quantiles of a column. */
#include "../stats/quantile.h"
#include "column_values.h"
#include <math.h>
#include <string.h>

enum { INSERTION_MAX = 24, POLL_SIZE = 1 << 15 };

/* Sorting: quicksort with a three-way partition, fast for few distinct values; heapsort if the depth shows that the
 * pivots are bad. */

static void swap(struct mn_column_values *c, size_t a, size_t b)
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

/* The median of a few values spread over begin..end-1. */
static double choose_pivot(const struct mn_column_values *c, size_t begin, size_t end)
{
  const double *x = c->at + begin;
  const size_t n = end - begin, step = n / 8;
  if (n < 64) return median3(x[0], x[n / 2], x[n - 1]);
  return median3(median3(x[0], x[step], x[2 * step]), median3(x[3 * step], x[4 * step], x[5 * step]),
                 median3(x[6 * step], x[7 * step], x[n - 1]));
}

/* Three-way partition: begin..low-1 < pivot, low..high-1 equal to it, high..end-1 greater. */
static void partition(struct mn_column_values *c, size_t begin, size_t end, size_t *low, size_t *high)
{
  const double pivot = choose_pivot(c, begin, end);
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

/* Separate from other sorts because it sorts values, which are their own keys, and moves optional weights along. */
static void insertion_sort(struct mn_column_values *c, size_t begin, size_t end)
{
  for (size_t i = begin + 1; i < end; i++)
    for (size_t k = i; k > begin && c->at[k - 1] > c->at[k]; k--) swap(c, k - 1, k);
}

static void sift_down(struct mn_column_values *c, size_t begin, size_t root, size_t n)
{
  for (size_t child; (child = 2 * root + 1) < n; root = child) {
    if (child + 1 < n && c->at[begin + child] < c->at[begin + child + 1]) child++;
    if (!(c->at[begin + root] < c->at[begin + child])) return;
    swap(c, begin + root, begin + child);
  }
}

static void heap_sort(struct mn_column_values *c, size_t begin, size_t end)
{
  const size_t n = end - begin;
  for (size_t root = n / 2; root-- > 0;) sift_down(c, begin, root, n);
  for (size_t last = n; last-- > 1;) {
    if (last % POLL_SIZE == 0 && !mn_task_should_continue(&c->token)) return;
    swap(c, begin, begin + last);
    sift_down(c, begin, 0, last);
  }
}

static int max_depth(size_t n)
{
  int depth = 8;
  for (; n > 0; n >>= 1) depth += 2;
  return depth;
}

static void sort_range(struct mn_column_values *c, size_t begin, size_t end, int depth)
{
  while (end - begin > INSERTION_MAX) {
    size_t low, high;
    if (end - begin > POLL_SIZE && !mn_task_should_continue(&c->token)) return;
    if (depth-- == 0) {
      heap_sort(c, begin, end);
      return;
    }
    partition(c, begin, end, &low, &high);
    if (low - begin < end - high) { /* recurse into the smaller side to keep the stack small */
      sort_range(c, begin, low, depth);
      begin = high;
    } else {
      sort_range(c, high, end, depth);
      end = low;
    }
  }
  insertion_sort(c, begin, end);
}

void mn_sort_column(struct mn_column_values *c)
{
  sort_range(c, 0, c->size, max_depth(c->size));
}

/* Few distinct values are counted in a small hash table first. */

enum { TABLE_SLOTS = 1024, MAX_DISTINCT = TABLE_SLOTS / 2 };

struct table {
  double value[TABLE_SLOTS], weight[TABLE_SLOTS]; /* weight 0: a free slot */
  size_t used;
};

static size_t find_slot(const struct table *t, double value)
{
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  size_t s = (size_t)((bits * UINT64_C(0x9e3779b97f4a7c15)) >> 54);
  while (t->weight[s] > 0 && (t->value[s] < value || t->value[s] > value)) s = (s + 1) % TABLE_SLOTS;
  return s;
}

/* Returns false if there are too many distinct values for this to pay off. */
static bool count_values(const struct mn_column_values *c, struct table *t)
{
  for (size_t i = 0; i < c->size; i++) {
    const double value = c->at[i] + 0.0; /* -0 becomes 0 */
    const size_t s = find_slot(t, value);
    if (!(t->weight[s] > 0)) {
      if (t->used++ == MAX_DISTINCT || 2 * t->used > c->size) return false;
      t->value[s] = value;
    }
    t->weight[s] += c->weight ? c->weight[i] : 1;
  }
  return true;
}

void mn_group_column(struct mn_column_values *c)
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

double mn_column_weight(const struct mn_column_values *c)
{
  if (!c->weight) return (double)c->size;
  double sum = 0;
  for (size_t i = 0; i < c->size; i++) sum += c->weight[i];
  return sum;
}

bool mn_next_distinct(const struct mn_column_values *c, size_t *i, double *value, double *weight)
{
  if (*i >= c->size) return false;
  *value = c->at[*i] + 0.0; /* -0 becomes 0 */
  *weight = 0;
  for (; *i < c->size && c->at[*i] <= *value; ++*i) *weight += c->weight ? c->weight[*i] : 1;
  return true;
}

static double minimum(const double *x, size_t n)
{
  double min = x[0];
  for (size_t i = 1; i < n; i++) min = x[i] < min ? x[i] : min;
  return min;
}

/* Interpolate between a and b without overflow of b - a; a if the fraction is 0. */
static double interpolate(double a, double b, double fraction)
{
  if (!(fraction > 1e-9) || !(b > a)) return a;
  return isfinite(b - a) ? a + (b - a) * fraction : a * (1 - fraction) + b * fraction;
}

enum { SAMPLE = 4096, MIN_TO_SAMPLE = 8 * SAMPLE };

/* Move the values within [low, high] to the front. Returns their number; *below is the number of smaller values. */
static size_t move_range_to_front(struct mn_column_values *c, double low, double high, size_t *below)
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

/* Select ranks k and k + 1 within bounds estimated from a sample. Returns false if they are outside the bounds. */
static bool select_by_sample(struct mn_column_values *c, const double *sample, double q, size_t k, double *a, double *b)
{
  const double center = q * (SAMPLE - 1), margin = 4 * sqrt(SAMPLE * q * (1 - q)) + 4;
  const double low = center - margin >= 0 ? sample[(size_t)(center - margin)] : -INFINITY;
  const double high = center + margin <= SAMPLE - 1 ? sample[(size_t)(center + margin)] : INFINITY;
  size_t below;
  const size_t n = move_range_to_front(c, low, high, &below);
  if (k < below || k + 2 > below + n) return false;
  mn_select(&c->token, n, c->at, k - below);
  *a = c->at[k - below];
  *b = minimum(c->at + k - below + 1, n - (k - below) - 1);
  return true;
}

/* Values of rank k and k + 1, or twice rank k if it is the last. */
static void select_two(struct mn_column_values *c, const double *sample, double q, size_t k, double *a, double *b)
{
  if (sample && select_by_sample(c, sample, q, k, a, b)) return;
  mn_select(&c->token, c->size, c->at, k);
  *a = *b = c->at[k];
  if (k + 1 < c->size) *b = minimum(c->at + k + 1, c->size - k - 1);
}

/* Position of a quantile among n values: between rank `rank` and the next. */
struct position {
  size_t rank;
  double fraction;
};

static struct position interpolated_position(double q, size_t n)
{
  const double position = q * (double)(n - 1), near = nearbyint(position); /* so that (1 / 13) 13 is 1 */
  const double whole = fabs(position - near) < 1e-9 ? near : floor(position);
  return (struct position){ .rank = (size_t)whole, .fraction = position > whole ? position - whole : 0 };
}

static struct position inverted_position(double q, size_t n)
{
  const double share = q * (double)n, whole = nearbyint(share);
  const bool exact = fabs(share - whole) < 1e-9; /* products are rounded */
  if (!exact) return (struct position){ .rank = (size_t)share };
  const size_t rank = whole >= 1 ? (size_t)whole - 1 : 0;
  return (struct position){ .rank = rank, .fraction = whole >= 1 && whole < (double)n ? 0.5 : 0 };
}

enum { MAX_SELECTED = 16 };

static void plain_quantiles(struct mn_column_values *c, struct position (*position_of)(double, size_t), size_t n,
                            const double *q, double *quantile)
{
  double sample[SAMPLE];
  const bool sampled = c->size >= MIN_TO_SAMPLE && n <= MAX_SELECTED;
  for (size_t i = 0; sampled && i < SAMPLE; i++) sample[i] = c->at[i * (c->size / SAMPLE)];
  if (sampled) mn_sort_column(&(struct mn_column_values){ .at = sample, .size = SAMPLE });
  if (n > MAX_SELECTED) mn_sort_column(c);
  for (size_t i = 0; i < n; i++) {
    const struct position at = position_of(q[i], c->size);
    double a = c->at[at.rank], b = at.rank + 1 < c->size ? c->at[at.rank + 1] : a;
    if (n <= MAX_SELECTED && mn_task_should_continue(&c->token))
      select_two(c, sampled ? sample : NULL, q[i], at.rank, &a, &b);
    quantile[i] = interpolate(a, b, at.fraction);
  }
}

/* The first value of a sorted column whose cumulative weight exceeds `weight`, or the last value. */
static double value_above_weight(const struct mn_column_values *c, double weight)
{
  size_t low = 0, high = c->size - 1;
  while (low < high) {
    const size_t mid = low + (high - low) / 2;
    if (c->weight[mid] > weight)
      high = mid;
    else
      low = mid + 1;
  }
  return c->at[low];
}

/* Sort the column and make its weights cumulative, in units of one value, with compensated summation (Neumaier, ZAMM
 * 54, 1974), because ranks are compared with them. */
static void accumulate_weights(struct mn_column_values *c)
{
  const double unit = mn_weight_unit(c->size, c->weight);
  double sum = 0, lost = 0;
  mn_sort_column(c);
  for (size_t i = 0; i < c->size; i++) {
    const double w = c->weight[i] / unit, next = sum + w;
    lost += sum >= w ? (sum - next) + w : (w - next) + sum;
    sum = next;
    c->weight[i] = sum + lost;
  }
}

static void weighted_quantiles(struct mn_column_values *c, size_t n, const double *q, double *quantile)
{
  const double tolerance = 1e-9; /* sums are rounded */
  accumulate_weights(c);
  const double values = c->weight[c->size - 1];
  for (size_t i = 0; i < n; i++) {
    const double position = q[i] * (values > 1 ? values - 1 : 0), rank = floor(position + tolerance);
    const double fraction = position > rank ? position - rank : 0;
    quantile[i] =
        interpolate(value_above_weight(c, rank + tolerance), value_above_weight(c, rank + 1 + tolerance), fraction);
  }
}

void mn_column_quantiles(struct mn_column_values *c, size_t n, const double *q, double *quantile)
{
  if (c->size > 0 && c->weight)
    weighted_quantiles(c, n, q, quantile);
  else if (c->size > 0)
    plain_quantiles(c, interpolated_position, n, q, quantile);
  else
    for (size_t i = 0; i < n; i++) quantile[i] = (double)NAN;
}

void mn_column_inverted_quantiles(struct mn_column_values *c, size_t n, const double *q, double *quantile)
{
  for (size_t i = 0; i < n; i++) quantile[i] = (double)NAN;
  if (c->size > 0 && !c->weight) plain_quantiles(c, inverted_position, n, q, quantile);
  if (c->size == 0 || !c->weight) return;
  accumulate_weights(c);
  for (size_t i = 0; i < n; i++) {
    const double share = q[i] * c->weight[c->size - 1];
    quantile[i] =
        interpolate(value_above_weight(c, share * (1 - 1e-12)), value_above_weight(c, share * (1 + 1e-12)), 0.5);
  }
}
