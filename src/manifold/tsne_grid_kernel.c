#include "tsne_grid_kernel.h"
#include "../core/clones.h"
#include "tsne_spline.h"
#include <math.h>

#define INLINE static inline __attribute__((always_inline))

/* The first of the nodes around a point along an axis, and the position after the third. */
INLINE size_t locate(double y, double origin, double per_node, double *t)
{
  const double u = (y - origin) * per_node;
  const size_t node = (size_t)u;
  *t = u - (double)node;
  return node - 2;
}

static MN_CLONES(void, spread_1, (size_t n, const double *y, const mn_tsne_position *place, double *grid),
                 (n, y, place, grid))
{
  for (size_t i = 0; i < n; i++) {
    double t, b[MN_SPLINE];
    const size_t at = locate(y[i], place->origin[1], 1 / place->spacing, &t);
    mn_tsne_spline_values(t, b);
    for (size_t k = 0; k < MN_SPLINE; k++) grid[at + k] += b[k];
  }
}

static MN_CLONES(void, spread_2, (size_t n, const double *y, const mn_tsne_position *place, double *grid),
                 (n, y, place, grid))
{
  const double per_node = 1 / place->spacing;
  for (size_t i = 0; i < n; i++) {
    double s, t, a[MN_SPLINE], b[MN_SPLINE];
    const size_t row = locate(y[2 * i], place->origin[0], per_node, &s);
    const size_t col = locate(y[2 * i + 1], place->origin[1], per_node, &t);
    mn_tsne_spline_values(s, a);
    mn_tsne_spline_values(t, b);
    for (size_t k = 0; k < MN_SPLINE; k++) {
      double *to = grid + (row + k) * place->cols + col;
      for (size_t l = 0; l < MN_SPLINE; l++) to[l] += a[k] * b[l];
    }
  }
}

void mn_tsne_spread(size_t n, const double *y, const mn_tsne_position *place, double *grid)
{
  if (place->dims == 1)
    spread_1(n, y, place, grid);
  else
    spread_2(n, y, place, grid);
}

static MN_CLONES(void, gather_1,
                 (size_t n, const double *y, const mn_tsne_position *place, const double *grid, double *value,
                  double *slope),
                 (n, y, place, grid, value, slope))
{
  const double per_node = 1 / place->spacing;
  for (size_t i = 0; i < n; i++) {
    double t, b[MN_SPLINE], db[MN_SPLINE], sum = 0, rise = 0;
    const double *from = grid + locate(y[i], place->origin[1], per_node, &t);
    mn_tsne_spline_values(t, b);
    mn_tsne_spline_slopes(t, db);
    for (size_t k = 0; k < MN_SPLINE; k++) {
      sum += b[k] * from[k];
      rise += db[k] * from[k];
    }
    value[i] = sum;
    slope[i] = rise * per_node;
  }
}

static MN_CLONES(void, gather_2,
                 (size_t n, const double *y, const mn_tsne_position *place, const double *grid, double *value,
                  double *slope),
                 (n, y, place, grid, value, slope))
{
  const double per_node = 1 / place->spacing;
  for (size_t i = 0; i < n; i++) {
    double s, t, a[MN_SPLINE], da[MN_SPLINE], b[MN_SPLINE], db[MN_SPLINE],
        sum[MN_SPLINE] = { 0 }, down[MN_SPLINE] = { 0 }, total = 0, first = 0, second = 0;
    const size_t row = locate(y[2 * i], place->origin[0], per_node, &s);
    const size_t col = locate(y[2 * i + 1], place->origin[1], per_node, &t);
    mn_tsne_spline_values(s, a);
    mn_tsne_spline_slopes(s, da);
    mn_tsne_spline_values(t, b);
    mn_tsne_spline_slopes(t, db);
    for (size_t k = 0; k < MN_SPLINE; k++) {
      const double *from = grid + (row + k) * place->cols + col;
      for (size_t l = 0; l < MN_SPLINE; l++) {
        sum[l] += a[k] * from[l];
        down[l] += da[k] * from[l];
      }
    }
    for (size_t l = 0; l < MN_SPLINE; l++) {
      total += b[l] * sum[l];
      first += b[l] * down[l];
      second += db[l] * sum[l];
    }
    value[i] = total;
    slope[2 * i] = first * per_node;
    slope[2 * i + 1] = second * per_node;
  }
}

void mn_tsne_gather(size_t n, const double *y, const mn_tsne_position *place, const double *grid, double *value,
                    double *slope)
{
  if (place->dims == 1)
    gather_1(n, y, place, grid, value, slope);
  else
    gather_2(n, y, place, grid, value, slope);
}

/* sum_i B_i B_(i + o) for o = 0 .. 5, counted for o and -o, and half its derivative by the position. */
INLINE void correlate(double t, double a[MN_SPLINE], double da[MN_SPLINE])
{
  double b[MN_SPLINE], db[MN_SPLINE];
  mn_tsne_spline_values(t, b);
  mn_tsne_spline_slopes(t, db);
  for (int o = 0; o < MN_SPLINE; o++) {
    a[o] = da[o] = 0;
    for (int i = 0; i + o < MN_SPLINE; i++) {
      a[o] += b[i] * b[i + o];
      da[o] += (db[i] * b[i + o] + b[i] * db[i + o]) / 2;
    }
    a[o] *= o > 0 ? 2 : 1;
    da[o] *= o > 0 ? 2 : 1;
  }
}

MN_CLONES(void, mn_tsne_subtract_self,
          (size_t n, const double *y, const mn_tsne_position *place, const double *self, double *value, double *slope),
          (n, y, place, self, value, slope))
{
  const double per_node = 1 / place->spacing;
  for (size_t i = 0; i < n; i++) {
    double s = 0, t, a[MN_SPLINE] = { 1 }, da[MN_SPLINE] = { 0 }, b[MN_SPLINE], db[MN_SPLINE], total = 0, first = 0,
           second = 0;
    locate(y[i * place->dims + place->dims - 1], place->origin[1], per_node, &t);
    correlate(t, b, db);
    if (place->dims == 2) {
      locate(y[2 * i], place->origin[0], per_node, &s);
      correlate(s, a, da);
    }
    for (size_t k = 0; k < MN_SPLINE; k++) {
      double sum = 0, rise = 0;
      for (size_t l = 0; l < MN_SPLINE; l++) {
        sum += b[l] * self[MN_SPLINE * k + l];
        rise += db[l] * self[MN_SPLINE * k + l];
      }
      total += a[k] * sum;
      first += da[k] * sum;
      second += a[k] * rise;
    }
    value[i] -= total;
    if (place->dims == 2) slope[2 * i] -= first * per_node;
    slope[i * place->dims + place->dims - 1] -= second * per_node;
  }
}

static MN_CLONES(void, cauchy_row, (size_t n, double r2, double spacing, double *out), (n, r2, spacing, out))
{
  for (size_t j = 0; j < n; j++) {
    const double x = (double)(int)(j <= n / 2 ? j : n - j) * spacing;
    out[j] = 1 / (1 + r2 + x * x);
  }
}

static MN_CLONES(void, student_row, (size_t n, double r2, double spacing, double dof, double *out),
                 (n, r2, spacing, dof, out))
{
  for (size_t j = 0; j < n; j++) {
    const double x = (double)(int)(j <= n / 2 ? j : n - j) * spacing;
    out[j] = exp(-(dof + 1) / 2 * log(1 + (r2 + x * x) / dof));
  }
}

void mn_tsne_kernel_row(size_t n, double r2, double spacing, double dof, double *out)
{
  if (dof == 1)
    cauchy_row(n, r2, spacing, out);
  else
    student_row(n, r2, spacing, dof, out);
}
