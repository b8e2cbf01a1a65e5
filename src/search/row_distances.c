#include "row_distances.h"
#include <math.h>
#include <string.h>

enum { CHUNK = 64 };

/* Copy the embedded rows by column, in chunks whose last one is padded with copies of the last row. */
static mn_status copy_columns(mn_context *ctx, mn_row_distances *w)
{
  const size_t n = w->rows.n, width = (size_t)w->space.width, chunks = (n + CHUNK - 1) / CHUNK;
  w->columns = MN_RAW(ctx, double, chunks, width *CHUNK);
  MN_CHECK_ALLOC(w->columns);
  for (size_t i = 0; i < chunks * CHUNK; i++) {
    const double *row = w->embedded + (i < n ? i : n - 1) * width;
    double *to = w->columns + i / CHUNK * (width * CHUNK) + i % CHUNK;
    for (size_t j = 0; j < width; j++) to[j * CHUNK] = row[j];
  }
  return MN_OK;
}

mn_status mn_row_distances_init(mn_context *ctx, const char *who, mn_row_distances *w, mn_metric metric,
                                const mn_points *rows)
{
  *w = (mn_row_distances){ .rows = *rows };
  if (rows->n >= INT32_MAX)
    return mn_fail(ctx, MN_BAD_DATA, "%s: X must have fewer than %d rows, got %zu", who, INT32_MAX, rows->n);
  MN_TRY(mn_space_init(ctx, who, &w->space, metric, rows, true));
  if (w->space.kind == MN_METRIC_PRECOMPUTED) return MN_OK;
  if (rows->sparse)
    return w->space.kind == MN_METRIC_COSINE ? mn_space_unit_rows(ctx, rows, &w->unit, &w->rows) : MN_OK;
  w->embedded = rows->x;
  if (mn_space_embeds(&w->space)) {
    double *z = MN_RAW(ctx, double, rows->n, (size_t)w->space.width);
    MN_CHECK_ALLOC(z);
    MN_TRY(mn_space_embed(ctx, &w->space, rows, false, z));
    w->embedded = z;
  }
  return mn_space_scans_exactly(&w->space) ? copy_columns(ctx, w) : MN_OK;
}

static double measure_sparse(const mn_row_distances *w, size_t i, size_t j)
{
  const mn_csr *s = w->rows.sparse;
  const size_t a = s->start[i], b = s->start[j], m = s->start[i + 1] - a, n = s->start[j + 1] - b;
  if (w->space.kind == MN_METRIC_COSINE && (m == 0 || n == 0)) return 2; /* 0 is at a right angle to all */
  return mn_space_measure_sparse(&w->space, m, s->col + a, s->at + a, n, s->col + b, s->at + b);
}

static double measure(const mn_row_distances *w, size_t i, size_t j)
{
  const size_t width = (size_t)w->space.width;
  if (w->rows.sparse) return measure_sparse(w, i, j);
  if (w->space.kind == MN_METRIC_HAVERSINE) return mn_space_measure(&w->space, w->rows.x + i * 2, w->rows.x + j * 2);
  return mn_space_measure(&w->space, w->embedded + i * width, w->embedded + j * width);
}

static void scan(const mn_row_distances *w, size_t i, size_t begin, size_t end, double *out)
{
  const size_t width = (size_t)w->space.width;
  const double *q = w->embedded + i * width;
  double value[CHUNK];
  for (size_t chunk = begin / CHUNK; chunk * CHUNK < end; chunk++) {
    const size_t first = chunk * CHUNK, from = begin > first ? begin : first;
    const size_t to = end < first + CHUNK ? end : first + CHUNK;
    mn_block_distances((mn_distance_form)w->space.form, w->space.p, CHUNK, CHUNK, width,
                       w->columns + chunk * width * CHUNK, q, value);
    memcpy(out + (from - begin), value + (from - first), (to - from) * sizeof *out);
  }
}

void mn_measure_row(const mn_row_distances *w, size_t i, size_t begin, size_t end, double *out)
{
  if (w->space.kind == MN_METRIC_PRECOMPUTED) {
    memcpy(out, w->rows.x + i * w->rows.n + begin, (end - begin) * sizeof *out);
    return;
  }
  if (w->columns)
    scan(w, i, begin, end, out);
  else
    for (size_t j = begin; j < end; j++) out[j - begin] = measure(w, i, j);
  for (size_t j = begin; j < end; j++) out[j - begin] = j == i ? 0 : mn_space_distance(&w->space, out[j - begin]);
}

mn_status mn_check_distances_of(mn_context *ctx, const char *who, const char *argument, size_t n,
                                const double *distance)
{
  char number[MN_NUMBER_SIZE], other[MN_NUMBER_SIZE];
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j <= i; j++) {
      const double a = distance[i * n + j], b = distance[j * n + i];
      if (i == j && !(fabs(a) <= 0))
        return mn_fail(ctx, MN_BAD_DATA, "%s: %s must have 0 on the diagonal, got %s in row %zu", who, argument,
                       mn_format_number(number, a), i + 1);
      if (!(a >= 0 && a < INFINITY) || !(b >= 0))
        return mn_fail(ctx, MN_BAD_DATA, "%s: %s must have values >= 0, got %s in row %zu, column %zu", who, argument,
                       mn_format_number(number, a >= 0 ? b : a), (a >= 0 ? j : i) + 1, (a >= 0 ? i : j) + 1);
      if (!(fabs(a - b) <= 1e-8 * fmax(a, b)))
        return mn_fail(ctx, MN_BAD_DATA,
                       "%s: %s must be symmetric, got %s in row %zu, column %zu, and %s in row %zu, column %zu", who,
                       argument, mn_format_number(number, a), i + 1, j + 1, mn_format_number(other, b), j + 1, i + 1);
    }
  return MN_OK;
}

mn_status mn_check_distances(mn_context *ctx, const char *who, size_t n, const double *distance)
{
  return mn_check_distances_of(ctx, who, "X", n, distance);
}
