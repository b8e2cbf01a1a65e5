#include "by_column.h"
#include "../core/threads.h"
#include "../math/quantile.h"
#include <math.h>
#include <string.h>

/* Columns gathered at a time: the eight values of a cache line. */
enum { STRIP = 8, GATHER_ROWS = 8192, INSERTION = 24 };

struct strip {
  const mn_data *data;
  size_t first, cols;
  struct mn_column column[STRIP];
  mn_column_task task;
  void *work;
};

static bool is_missing(const mn_data *data, size_t j, double x)
{
  return isnan(x) || (x < 0 && data->levels && data->levels[j]);
}

static void work_on_column(void *work, size_t block, size_t worker)
{
  (void)worker;
  struct strip *s = work;
  s->task(s->work, s->first + block, &s->column[block]);
}

static void gather(struct strip *s)
{
  const mn_data *data = s->data;
  for (size_t c = 0; c < s->cols; c++) {
    s->column[c].size = 0;
    s->column[c].missing = 0;
  }
  for (size_t begin = 0; begin < data->rows; begin += GATHER_ROWS) { /* the lines stay in the cache for all columns */
    const size_t end = data->rows - begin < GATHER_ROWS ? data->rows : begin + GATHER_ROWS;
    for (size_t c = 0; c < s->cols; c++) {
      struct mn_column *to = &s->column[c];
      for (size_t i = begin; i < end; i++) {
        const double x = mn_row(&data->x, i)[s->first + c];
        if (is_missing(data, s->first + c, x)) {
          to->missing += mn_weight(data, i);
          continue;
        }
        if (to->weight) to->weight[to->size] = data->weights[i];
        to->at[to->size++] = x;
      }
    }
  }
}

mn_status mn_each_column(mn_context *ctx, const mn_data *data, mn_column_task task, mn_column_sequel sequel, void *work)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct strip s = { .data = data, .task = task, .work = work };
  const size_t strip = data->features < STRIP ? data->features : STRIP;
  for (size_t c = 0; c < strip; c++) {
    s.column[c].at = MN_RAW(ctx, double, data->rows, 1);
    s.column[c].weight = data->weights ? MN_RAW(ctx, double, data->rows, 1) : NULL;
    if (!s.column[c].at || (data->weights && !s.column[c].weight)) return MN_NO_MEMORY;
  }
  for (s.first = 0; s.first < data->features; s.first += s.cols) {
    s.cols = data->features - s.first < STRIP ? data->features - s.first : STRIP;
    gather(&s);
    MN_TRY(mn_parallel(ctx, s.cols, work_on_column, &s));
    for (size_t c = 0; sequel && c < s.cols; c++) MN_TRY(sequel(ctx, work, s.first + c, &s.column[c]));
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* --- sorting: quicksort into less, equal and greater, so that few distinct values are fast; heapsort when the depth
 * says that the pivots are bad --- */

static void swap(struct mn_column *c, size_t a, size_t b)
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
static double pivot_of(const struct mn_column *c, size_t begin, size_t end)
{
  const double *x = c->at + begin;
  const size_t n = end - begin, step = n / 8;
  if (n < 64) return median3(x[0], x[n / 2], x[n - 1]);
  return median3(median3(x[0], x[step], x[2 * step]), median3(x[3 * step], x[4 * step], x[5 * step]),
                 median3(x[6 * step], x[7 * step], x[n - 1]));
}

/* Dijkstra: begin..low-1 < pivot, low..high-1 equal to it, high..end-1 greater. */
static void partition(struct mn_column *c, size_t begin, size_t end, size_t *low, size_t *high)
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

static void insertion_sort(struct mn_column *c, size_t begin, size_t end)
{
  for (size_t i = begin + 1; i < end; i++)
    for (size_t k = i; k > begin && c->at[k - 1] > c->at[k]; k--) swap(c, k - 1, k);
}

static void sift_down(struct mn_column *c, size_t begin, size_t root, size_t n)
{
  for (size_t child; (child = 2 * root + 1) < n; root = child) {
    if (child + 1 < n && c->at[begin + child] < c->at[begin + child + 1]) child++;
    if (!(c->at[begin + root] < c->at[begin + child])) return;
    swap(c, begin + root, begin + child);
  }
}

static void heap_sort(struct mn_column *c, size_t begin, size_t end)
{
  const size_t n = end - begin;
  for (size_t root = n / 2; root-- > 0;) sift_down(c, begin, root, n);
  for (size_t last = n; last-- > 1;) {
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

static void sort_range(struct mn_column *c, size_t begin, size_t end, int depth)
{
  while (end - begin > INSERTION) {
    size_t low, high;
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

void mn_sort_column(struct mn_column *c)
{
  sort_range(c, 0, c->size, depth_for(c->size));
}

double mn_column_weight(const struct mn_column *c)
{
  if (!c->weight) return (double)c->size;
  double sum = 0;
  for (size_t i = 0; i < c->size; i++) sum += c->weight[i];
  return sum;
}

bool mn_next_distinct(const struct mn_column *c, size_t *i, double *value, double *weight)
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
  if (!(fraction > 0) || !(b > a)) return a;
  return isfinite(b - a) ? a + (b - a) * fraction : a * (1 - fraction) + b * fraction;
}

/* *done: ranks below it are in front already. */
static double plain_quantile(struct mn_column *c, double q, size_t *done)
{
  const double position = q * (double)(c->size - 1), whole = floor(position);
  const size_t k = (size_t)whole;
  mn_select(c->size - *done, c->at + *done, k - *done);
  *done = k;
  if (k + 1 >= c->size || !(position > whole)) return c->at[k];
  return between(c->at[k], smallest(c->at + k + 1, c->size - k - 1), position - whole);
}

/* Of a sorted column whose weights are cumulative: the value of rank k, in units of `unit`. */
static double value_at(const struct mn_column *c, double k, double unit)
{
  size_t low = 0, high = c->size - 1;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (c->weight[middle] > (k + 1e-9) * unit) /* sums of weights round */
      high = middle;
    else
      low = middle + 1;
  }
  return c->at[low];
}

static void weighted_quantiles(struct mn_column *c, size_t n, const double *q, double *quantile)
{
  const double least = smallest(c->weight, c->size), unit = least < 1 ? least : 1;
  mn_sort_column(c);
  for (size_t i = 1; i < c->size; i++) c->weight[i] += c->weight[i - 1];
  const double values = c->weight[c->size - 1] / unit;
  for (size_t i = 0; i < n; i++) {
    double position = q[i] * (values > 1 ? values - 1 : 0), whole = floor(position + 1e-9);
    const double fraction = position > whole ? position - whole : 0;
    quantile[i] = between(value_at(c, whole, unit), value_at(c, whole + 1, unit), fraction);
  }
}

void mn_column_quantiles(struct mn_column *c, size_t n, const double *q, double *quantile)
{
  size_t done = 0;
  for (size_t i = 0; i < n; i++) quantile[i] = c->size > 0 && !c->weight ? plain_quantile(c, q[i], &done) : (double)NAN;
  if (c->size > 0 && c->weight) weighted_quantiles(c, n, q, quantile);
}
