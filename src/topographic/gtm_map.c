#include "gtm.h"
#include "../linalg/product.h"
#include <string.h>

void mn_gtm_grid_point(size_t size, size_t q, size_t index, double *point)
{
  for (size_t c = q; c-- > 0; index /= size)
    point[c] = size > 1 ? 2 * (double)(index % size) / (double)(size - 1) - 1 : 0;
}

size_t mn_gtm_power(size_t size, size_t q, size_t most)
{
  size_t power = 1;
  for (size_t c = 0; c < q; c++) {
    if (power > most / size) return SIZE_MAX;
    power *= size;
  }
  return power;
}

/* 1 / s, for basis functions on a grid of `size` points in each dimension. */
static double inverse_width(const mn_gtm_model *m)
{
  const double spacing = m->basis_size > 1 ? 2 / (double)(m->basis_size - 1) : 2;
  return 1 / (m->basis_width * spacing);
}

/* The functions are products over the dimensions: first those of each dimension, then all products. */
void mn_gtm_basis(const mn_gtm_model *m, size_t n, const double *u, double *out, size_t ldo)
{
  const size_t size = (size_t)m->basis_size, q = (size_t)m->n_components;
  const double inverse = inverse_width(m);
  for (size_t i = 0; i < n; i++) {
    double *row = out + i * ldo;
    size_t count = 1;
    row[0] = 1;
    for (size_t c = 0; c < q; c++, count *= size)
      for (size_t a = count; a-- > 0;) {
        const double before = row[a];
        for (size_t b = 0; b < size; b++) {
          double center;
          mn_gtm_grid_point(size, 1, b, &center);
          const double t = (u[i * q + c] - center) * inverse;
          row[a * size + b] = before * exp(-t * t / 2);
        }
      }
  }
}

mn_status mn_gtm_map(mn_context *ctx, const mn_gtm_model *m, size_t n, const double *u, double *out)
{
  const size_t basis = m->coef.rows, p = m->coef.cols;
  const mn_mark mark = mn_scratch_mark(ctx);
  double *phi = MN_RAW(ctx, double, n, basis);
  MN_CHECK_ALLOC(phi);
  mn_gtm_basis(m, n, u, phi, basis);
  for (size_t i = 0; i < n; i++) memcpy(out + i * p, m->intercept.at, p * sizeof *out);
  MN_TRY(mn_gemm(ctx, false, false, n, p, basis, 1, phi, basis, m->coef.at, p, 1, out, p));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

void mn_gtm_jacobian(const mn_gtm_model *m, const double *u, double *phi, double *out)
{
  const size_t size = (size_t)m->basis_size, q = (size_t)m->n_components, basis = m->coef.rows, p = m->coef.cols;
  const double inverse = inverse_width(m);
  memset(out, 0, q * p * sizeof *out);
  mn_gtm_basis(m, 1, u, phi, basis);
  for (size_t b = 0; b < basis; b++) {
    size_t rest = b;
    for (size_t c = q; c-- > 0; rest /= size) {
      double center;
      mn_gtm_grid_point(size, 1, rest % size, &center);
      const double slope = (center - u[c]) * inverse * inverse * phi[b];
      for (size_t j = 0; j < p; j++) out[c * p + j] += slope * mn_row(&m->coef, b)[j];
    }
  }
}
