#include "metric.h"
#include "../core/threads.h"
#include "../factorization/lapack.h"
#include "../linalg/ordered.h"
#include "../linalg/product.h"
#include <float.h>
#include <math.h>
#include <string.h>

const char *const mn_metric_names[] = { "euclidean", "manhattan",   "chebyshev", "minkowski",   "cosine", "correlation",
                                        "hamming",   "mahalanobis", "haversine", "precomputed", NULL };

enum { BLOCK_ROWS = 256, SEQUENTIAL = 16 /* shorter sums of ordered.h add term after term */ };

static mn_distance_form form_of(mn_metric metric)
{
  switch (metric.kind) {
  case MN_METRIC_MANHATTAN:
  case MN_METRIC_PRECOMPUTED: return MN_FORM_SUM;
  case MN_METRIC_CHEBYSHEV: return MN_FORM_MAX;
  case MN_METRIC_HAMMING: return MN_FORM_UNEQUAL;
  case MN_METRIC_MINKOWSKI:
    return metric.p <= 1     ? MN_FORM_SUM
           : metric.p == 2   ? MN_FORM_SQUARES
           : isinf(metric.p) ? MN_FORM_MAX
                             : MN_FORM_POWERS;
  default: return MN_FORM_SQUARES;
  }
}

static mn_status check(mn_context *ctx, const char *who, mn_metric metric, const mn_points *rows)
{
  const char *name = mn_metric_names[metric.kind];
  const mn_matrix *v = metric.covariance;
  if (metric.kind == MN_METRIC_HAVERSINE && rows->d != 2)
    return mn_fail(ctx, MN_BAD_DATA,
                   "%s: the metric haversine requires 2 columns, latitude and longitude in radians, got %zu", who,
                   rows->d);
  if (metric.kind == MN_METRIC_PRECOMPUTED && rows->n != rows->d)
    return mn_fail(ctx, MN_BAD_DATA, "%s: the metric precomputed requires a square X of distances, got %zu x %zu", who,
                   rows->n, rows->d);
  const bool dense_only = metric.kind == MN_METRIC_CORRELATION || metric.kind >= MN_METRIC_MAHALANOBIS;
  if (dense_only && rows->sparse)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: the metric %s requires a dense X", who, name);
  if (metric.kind == MN_METRIC_MAHALANOBIS && v && v->at && (v->rows != rows->d || v->cols != rows->d))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: covariance must be %zu x %zu, as X has %zu columns, got %zu x %zu", who,
                   rows->d, rows->d, rows->d, v->rows, v->cols);
  return MN_OK;
}

mn_status mn_search_matrix(mn_context *ctx, mn_matrix *m, size_t rows, size_t cols, bool scratch)
{
  if (!scratch) return mn_matrix_init(ctx, m, rows, cols);
  *m = (mn_matrix){ MN_NEW(ctx, double, rows, cols), rows, cols };
  return m->at ? MN_OK : MN_NO_MEMORY;
}

/* whitening = inv(L) for V = L L', and the mean of the rows, which keeps products accurate far from 0. */
static mn_status prepare_mahalanobis(mn_context *ctx, const char *who, mn_space *s, const mn_matrix *covariance,
                                     const mn_points *rows)
{
  const size_t d = rows->d;
  const bool given = covariance && covariance->at;
  const mn_mark mark = mn_scratch_mark(ctx);
  double *v = MN_RAW(ctx, double, d, d), rcond;
  MN_CHECK_ALLOC(v);
  MN_TRY(mn_gram(ctx, rows->n, d, rows->x, d, 0, NULL, 0, NULL, true, NULL, s->center.at, v, d));
  for (size_t i = 0; i < d * d; i++) v[i] /= rows->n > 1 ? (double)(rows->n - 1) : 1;
  if (given) memcpy(v, covariance->at, d * d * sizeof *v);
  if (given) memcpy(s->covariance.at, v, d * d * sizeof *v);
  for (size_t i = 0; i < d; i++)
    for (size_t j = 0; j < i; j++)
      if (!(fabs(v[i * d + j] - v[j * d + i]) <= 1e-9 * sqrt(fabs(v[i * d + i] * v[j * d + j]))))
        return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: covariance must be symmetric", who);
  size_t minor;
  MN_TRY(mn_chol_try(ctx, d, v, &rcond, &minor));
  if (minor > 0 || !(rcond > (double)d * DBL_EPSILON))
    return mn_fail(
        ctx, MN_SINGULAR,
        "%s: the covariance for the metric mahalanobis is singular; remove constant or collinear columns, or "
        "give covariance",
        who);
  for (size_t i = 0; i < d; i++) mn_row(&s->whitening, i)[i] = 1;
  MN_TRY(mn_chol_lower(ctx, d, d, v, s->whitening.at));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

static mn_status init_mahalanobis(mn_context *ctx, const char *who, mn_space *s, mn_metric metric,
                                  const mn_points *rows, bool scratch)
{
  const size_t d = rows->d;
  mn_matrix center;
  MN_TRY(mn_search_matrix(ctx, &center, 1, d, scratch));
  s->center = (mn_vector){ center.at, d };
  MN_TRY(mn_search_matrix(ctx, &s->whitening, d, d, scratch));
  if (metric.covariance && metric.covariance->at) MN_TRY(mn_search_matrix(ctx, &s->covariance, d, d, scratch));
  return prepare_mahalanobis(ctx, who, s, metric.covariance, rows);
}

mn_status mn_space_init(mn_context *ctx, const char *who, mn_space *s, mn_metric metric, const mn_points *rows,
                        bool scratch)
{
  *s = (mn_space){ .kind = metric.kind, .form = form_of(metric), .d = (int64_t)rows->d, .p = metric.p };
  s->width = s->d;
  MN_TRY(check(ctx, who, metric, rows));
  if (metric.kind == MN_METRIC_COSINE || metric.kind == MN_METRIC_CORRELATION) s->width = s->d + 2;
  if (metric.kind == MN_METRIC_HAVERSINE) s->width = 3;
  if (metric.kind != MN_METRIC_MAHALANOBIS) return MN_OK;
  return init_mahalanobis(ctx, who, s, metric, rows, scratch);
}

void mn_space_free(mn_memory *memory, mn_space *s)
{
  mn_vector_free(memory, &s->center);
  mn_matrix_free(memory, &s->whitening);
  mn_matrix_free(memory, &s->covariance);
}

bool mn_space_embeds(const mn_space *s)
{
  switch (s->kind) {
  case MN_METRIC_COSINE:
  case MN_METRIC_CORRELATION:
  case MN_METRIC_MAHALANOBIS:
  case MN_METRIC_HAVERSINE: return true;
  default: return false;
  }
}

static double largest_magnitude(size_t d, const double *x)
{
  double largest = 0;
  for (size_t j = 0; j < d; j++) largest = fmax(largest, fabs(x[j]));
  return largest;
}

static bool is_constant(size_t d, const double *x)
{
  for (size_t j = 1; j < d; j++)
    if (x[j] < x[0] || x[j] > x[0]) return false;
  return true;
}

/* z = x / |x| with two columns more, which are 0. A row without a direction becomes the unit vector of the first
 * further column, a query that of the second: it is then at a right angle to all others. */
static void embed_direction(size_t d, const double *x, bool centered, bool query, double *z)
{
  const double largest = centered && is_constant(d, x) ? 0 : largest_magnitude(d, x);
  memset(z, 0, (d + 2) * sizeof *z);
  if (!(largest > 0)) {
    z[d + (query ? 1 : 0)] = 1;
    return;
  }
  double mean = 0;
  for (size_t j = 0; centered && j < d; j++) mean += x[j] / largest / (double)d;
  for (size_t j = 0; j < d; j++) z[j] = x[j] / largest - mean;
  const double length = sqrt(mn_ordered_dot(d, z, z));
  for (size_t j = 0; j < d; j++) z[j] /= length;
}

static void embed_on_sphere(const double *x, double *z)
{
  const double across = cos(x[0]) / 2;
  z[0] = across * cos(x[1]);
  z[1] = across * sin(x[1]);
  z[2] = sin(x[0]) / 2;
}

struct embedding {
  const mn_space *space;
  const mn_points *points;
  bool queries;
  mn_blocks blocks;
  double *out, *centered; /* centered: workers x d */
};

static void embed_block(void *work, size_t block, size_t worker)
{
  const struct embedding *w = work;
  const mn_space *s = w->space;
  const size_t d = w->points->d, end = mn_block_end(&w->blocks, block);
  double *centered = w->centered + worker * d;
  for (size_t i = mn_block_begin(&w->blocks, block); i < end; i++) {
    const double *x = w->points->x + i * d;
    double *z = w->out + i * (size_t)s->width;
    if (s->kind == MN_METRIC_HAVERSINE)
      embed_on_sphere(x, z);
    else if (s->kind == MN_METRIC_MAHALANOBIS) {
      for (size_t j = 0; j < d; j++) centered[j] = x[j] - s->center.at[j];
      mn_ordered_dots(d, d, s->whitening.at, centered, 0, z, 1);
    } else
      embed_direction(d, x, s->kind == MN_METRIC_CORRELATION, w->queries, z);
  }
}

mn_status mn_space_embed(mn_context *ctx, const mn_space *s, const mn_points *points, bool queries, double *out)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct embedding w = { s, points, queries, mn_make_blocks(points->n, BLOCK_ROWS, SIZE_MAX), out, NULL };
  w.centered = MN_RAW(ctx, double, mn_threads(ctx), points->d);
  MN_CHECK_ALLOC(w.centered);
  MN_TRY(mn_parallel(ctx, w.blocks.count, embed_block, &w));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

mn_status mn_space_unit_rows(mn_context *ctx, const mn_points *from, mn_csr *unit, mn_points *to)
{
  const size_t values = from->sparse->start[from->n];
  *unit = *from->sparse;
  unit->at = MN_RAW(ctx, double, values, 1);
  MN_CHECK_ALLOC(unit->at);
  for (size_t i = 0; i < from->n; i++) {
    const size_t begin = unit->start[i], end = unit->start[i + 1];
    double largest = 0, sum = 0;
    for (size_t e = begin; e < end; e++) largest = fmax(largest, fabs(from->sparse->at[e]));
    for (size_t e = begin; e < end; e++) {
      unit->at[e] = largest > 0 ? from->sparse->at[e] / largest : 0;
      sum += unit->at[e] * unit->at[e];
    }
    for (size_t e = begin; e < end && sum > 0; e++) unit->at[e] /= sqrt(sum);
  }
  *to = (mn_points){ .n = from->n, .d = from->d, .sparse = unit };
  return MN_OK;
}

/* In units of the Earth's radius; x and y are latitude and longitude. */
static double haversine(const double *x, const double *y)
{
  const double a = sin((x[0] - y[0]) / 2), b = sin((x[1] - y[1]) / 2);
  return a * a + cos(x[0]) * cos(y[0]) * b * b;
}

static double largest_difference(size_t d, const double *x, const double *y)
{
  double largest = 0;
  for (size_t j = 0; j < d; j++) largest = fmax(largest, fabs(x[j] - y[j]));
  return largest;
}

static double count_unequal(size_t d, const double *x, const double *y)
{
  size_t count = 0;
  for (size_t j = 0; j < d; j++) count += x[j] < y[j] || x[j] > y[j];
  return (double)count;
}

double mn_space_measure(const mn_space *s, const double *x, const double *y)
{
  const size_t d = (size_t)s->width;
  double sum = 0;
  if (s->kind == MN_METRIC_HAVERSINE) return haversine(x, y);
  switch (s->form) {
  case MN_FORM_SQUARES: return mn_ordered_distance2(d, x, y);
  case MN_FORM_SUM: mn_ordered_manhattan(1, d, x, y, &sum); return sum;
  case MN_FORM_MAX: return largest_difference(d, x, y);
  case MN_FORM_UNEQUAL: return count_unequal(d, x, y);
  default: break;
  }
  for (size_t j = 0; j < d; j++) sum += pow(fabs(x[j] - y[j]), s->p);
  return sum;
}

/* |x - y| to the power of the form. */
static double term(const mn_space *s, double difference)
{
  switch (s->form) {
  case MN_FORM_SQUARES: return difference * difference;
  case MN_FORM_POWERS: return pow(fabs(difference), s->p);
  case MN_FORM_UNEQUAL: return fabs(difference) > 0;
  default: return fabs(difference);
  }
}

double mn_space_measure_sparse(const mn_space *s, size_t n, const int32_t *col, const double *x, size_t m,
                               const int32_t *other, const double *y)
{
  double sum = 0;
  for (size_t i = 0, j = 0; i < n || j < m;) {
    const bool left = j == m || (i < n && col[i] <= other[j]), right = i == n || (j < m && other[j] <= col[i]);
    const double value = term(s, (left ? x[i++] : 0) - (right ? y[j++] : 0));
    sum = s->form == MN_FORM_MAX ? fmax(sum, value) : sum + value;
  }
  return sum;
}

bool mn_space_scans_exactly(const mn_space *s)
{
  if (s->kind == MN_METRIC_HAVERSINE || s->form == MN_FORM_POWERS) return false;
  return s->form == MN_FORM_MAX || s->form == MN_FORM_UNEQUAL || s->width < SEQUENTIAL;
}

double mn_space_scan_limit(const mn_space *s, double reduced)
{
  if (mn_space_scans_exactly(s)) return reduced;
  const double relative = s->form == MN_FORM_POWERS ? 1e-13 : DBL_EPSILON, terms = (double)s->width + 8;
  const double absolute = s->kind == MN_METRIC_HAVERSINE ? 1e-15 : 0; /* of embedded coordinates */
  const double root = absolute > 0 ? sqrt(reduced) + absolute : 0;
  return (absolute > 0 ? root * root : reduced) * (1 + 4 * relative * terms) + DBL_MIN;
}

double mn_space_distance(const mn_space *s, double reduced)
{
  switch (s->kind) {
  case MN_METRIC_COSINE:
  case MN_METRIC_CORRELATION: return reduced / 2;
  case MN_METRIC_HAMMING: return reduced / (double)s->d;
  case MN_METRIC_HAVERSINE: return 2 * asin(fmin(sqrt(reduced), 1));
  default: break;
  }
  if (s->form == MN_FORM_SQUARES) return sqrt(reduced);
  return s->form == MN_FORM_POWERS ? pow(reduced, 1 / s->p) : reduced;
}

double mn_space_reduce(const mn_space *s, double distance)
{
  const double wider = distance * (1 + 1e-12), half = fmin(wider, acos(-1)) / 2;
  switch (s->kind) {
  case MN_METRIC_COSINE:
  case MN_METRIC_CORRELATION: return wider * 2;
  case MN_METRIC_HAMMING: return wider * (double)s->d;
  case MN_METRIC_HAVERSINE: return fmin(sin(half) * sin(half) * (1 + 1e-12), 1 + 1e-12);
  default: break;
  }
  if (s->form == MN_FORM_SQUARES) return wider * wider + DBL_MIN;
  return s->form == MN_FORM_POWERS ? pow(wider, s->p) * (1 + 1e-12) + DBL_MIN : wider;
}
