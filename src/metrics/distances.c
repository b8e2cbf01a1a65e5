#include "distances.h"
#include "distances_kernel.h"
#include "../linalg/product.h"
#include <math.h>
#include <string.h>

enum { SHORT_ROW = 16 };
static const double min_kept = 1.0 / 1024; /* up to ten bits may cancel */

static const double *row_of(const mn_distance_points *p, size_t i)
{
  return p->x + i * p->d;
}

/* Subtract the column means, which reduces cancellation. */
static void center(size_t n, size_t d, double *x, double *mean)
{
  for (size_t f = 0; f < d; f++) mean[f] = 0;
  for (size_t i = 0; i < n; i++)
    for (size_t f = 0; f < d; f++) mean[f] += (x[i * d + f] - mean[f]) / (double)(i + 1);
  for (size_t i = 0; i < n; i++)
    for (size_t f = 0; f < d; f++) x[i * d + f] -= mean[f];
}

static double squared_length(size_t d, const double *x)
{
  double sum = 0;
  for (size_t f = 0; f < d; f++) sum += x[f] * x[f];
  return sum;
}

static void normalize(size_t n, size_t d, double *x)
{
  for (size_t i = 0; i < n; i++) {
    double max = 0; /* scale to a maximum of 1 first, so that no square overflows */
    for (size_t f = 0; f < d; f++) max = fmax(max, fabs(x[i * d + f]));
    if (max == 0) continue;
    for (size_t f = 0; f < d; f++) x[i * d + f] /= max;
    const double length = sqrt(squared_length(d, x + i * d));
    for (size_t f = 0; f < d; f++) x[i * d + f] /= length;
  }
}

static void transpose(size_t n, size_t d, const double *x, double *t)
{
  for (size_t i = 0; i < n; i++)
    for (size_t f = 0; f < d; f++) t[f * n + i] = x[i * d + f];
}

mn_status mn_distance_points_init(mn_context *ctx, mn_distance_points *p, mn_distance distance, size_t n, size_t d,
                                  const double *x, const size_t *order)
{
  *p = (mn_distance_points){ .distance = distance, .n = n, .d = d, .x = x, .order = order };
  if (distance == MN_PRECOMPUTED) return MN_OK;
  const bool subtract = distance == MN_MANHATTAN || (distance == MN_EUCLIDEAN && d <= SHORT_ROW);
  double *copy = MN_RAW(ctx, double, n, d), *more = MN_RAW(ctx, double, subtract ? n : n + d, subtract ? d : 1);
  MN_CHECK_ALLOC(copy);
  MN_CHECK_ALLOC(more);
  for (size_t i = 0; i < n && d > 0; i++) memcpy(copy + i * d, x + (order ? order[i] : i) * d, d * sizeof *x);
  p->x = copy;
  if (distance == MN_COSINE) normalize(n, d, copy);
  if (subtract) {
    transpose(n, d, copy, more);
    p->across = more;
    return MN_OK;
  }
  if (distance == MN_EUCLIDEAN) center(n, d, copy, more + n);
  for (size_t i = 0; i < n; i++) more[i] = squared_length(d, copy + i * d);
  p->norm = more;
  return MN_OK;
}

size_t mn_tile_space(const mn_distance_points *p, size_t rows, size_t cols)
{
  return p->norm ? mn_gemm_serial_bytes(rows, cols, p->d) : 0;
}

/* Recompute the squared distances that lost too many digits. */
static void recompute(const mn_distance_points *p, size_t i, size_t j, size_t cols, double *square)
{
  for (size_t c = 0; c < cols; c++) {
    if (!(square[c] < min_kept * (p->norm[i] + p->norm[j + c]))) continue;
    const double *x = row_of(p, i), *y = row_of(p, j + c);
    double sum = 0;
    for (size_t f = 0; f < p->d; f++) sum += (x[f] - y[f]) * (x[f] - y[f]);
    square[c] = sum;
  }
}

static void tile_from_products(const mn_distance_points *p, size_t i, size_t rows, size_t j, size_t cols, double *out,
                               void *work)
{
  mn_gemm_serial(false, true, rows, cols, p->d, 1, row_of(p, i), p->d, row_of(p, j), p->d, 0, out, cols, work);
  for (size_t r = 0; r < rows; r++) {
    double *row = out + r * cols;
    if (p->distance == MN_COSINE) {
      for (size_t c = 0; c < cols; c++) row[c] = row[c] < 1 ? 1 - row[c] : 0;
      if (i + r >= j && i + r < j + cols) row[i + r - j] = 0;
      continue;
    }
    if (mn_squared_distances_from_products(cols, p->norm[i + r], p->norm + j, min_kept, row) > 0)
      recompute(p, i + r, j, cols, row);
    mn_square_roots(cols, row);
  }
}

void mn_distance_tile(const mn_distance_points *p, size_t i, size_t rows, size_t j, size_t cols, double *out,
                      void *work)
{
  if (p->norm) {
    tile_from_products(p, i, rows, j, cols, out, work);
    return;
  }
  for (size_t r = 0; r < rows; r++) {
    double *row = out + r * cols;
    if (p->distance == MN_PRECOMPUTED) {
      const double *from = p->x + (p->order ? p->order[i + r] : i + r) * p->n;
      for (size_t c = 0; c < cols; c++) row[c] = from[p->order ? p->order[j + c] : j + c];
    } else if (p->distance == MN_MANHATTAN) {
      mn_manhattan_distances(cols, p->d, row_of(p, i + r), p->across + j, p->n, row);
    } else {
      mn_squared_distances(cols, p->d, row_of(p, i + r), p->across + j, p->n, row);
      mn_square_roots(cols, row);
    }
  }
}
