#include "information.h"
#include <math.h>
#include <string.h>

size_t mn_information_size(const mn_information *f)
{
  return f->p + f->intercept;
}

bool mn_is_dependent(const mn_information *f, size_t column)
{
  for (size_t d = 0; d < f->dependent->size; d++)
    if ((size_t)f->dependent->at[d] == column) return true;
  return false;
}

static double value_at(const mn_information *f, const double *row, size_t j)
{
  return row[f->columns ? (size_t)f->columns[j] : j];
}

/* Whether the dependent columns of the row have the values that the independent ones imply, within rounding. */
static bool is_estimable(const mn_information *f, const double *row)
{
  static const double tolerance = 1e-8;
  for (size_t d = 0; d < f->dependent->size; d++) {
    const size_t j = (size_t)f->dependent->at[d];
    const double *t = f->combination->at + d * f->p, x = value_at(f, row, j);
    double rest = x - f->mean[j], size = fabs(x) + fabs(f->mean[j]);
    for (size_t i = 0; i < f->p; i++) {
      if (t[i] == 0) continue;
      rest -= t[i] * (value_at(f, row, i) - f->mean[i]);
      size += fabs(t[i]) * (fabs(value_at(f, row, i)) + fabs(f->mean[i]));
    }
    if (!(fabs(rest) <= tolerance * size)) return false;
  }
  return true;
}

double mn_information_row(const mn_information *f, const double *row, double *workspace, double *direction)
{
  const size_t p = f->p, first = f->intercept;
  double *z = workspace, *g = z + p, sum = 0, shift = 0;
  if (f->dependent->size > 0 && (!f->combination->at || !is_estimable(f, row))) {
    for (size_t t = 0; direction && t < p + first; t++) direction[t] = (double)NAN;
    return (double)NAN;
  }
  for (size_t j = 0; j < p; j++) z[j] = (value_at(f, row, j) - f->mean[j]) / f->norm[j];
  for (size_t i = 0; i < p; i++) {
    double dot = 0;
    for (size_t j = 0; j < p; j++) dot += f->inverse[i * p + j] * z[j];
    sum += z[i] * dot;
    g[i] = dot / f->norm[i];
    shift += f->mean[i] * g[i];
  }
  if (direction) memcpy(direction + first, g, p * sizeof *g);
  if (direction && first) direction[0] = 1 / f->total - shift;
  return (first ? 1 / f->total : 0) + sum;
}

void mn_alias_coefficients(const mn_information *f, const double *b, double c, double *out)
{
  const size_t first = f->intercept;
  double *slope = out + first, intercept = c;
  for (size_t j = 0; j < f->p; j++) slope[j] = b[j];
  for (size_t d = 0; d < f->dependent->size && f->combination->at; d++) {
    const size_t from = (size_t)f->dependent->at[d];
    intercept += f->mean[from] * b[from];
    for (size_t j = 0; j < f->p; j++) {
      const double moved = f->combination->at[d * f->p + j] * b[from];
      slope[j] += moved;
      intercept -= f->mean[j] * moved;
    }
  }
  for (size_t d = 0; d < f->dependent->size; d++) slope[f->dependent->at[d]] = (double)NAN;
  if (first) out[0] = intercept;
}

void mn_mask_dependent(const mn_information *f, double *matrix)
{
  const size_t k = mn_information_size(f);
  for (size_t d = 0; d < f->dependent->size; d++) {
    const size_t j = (size_t)f->dependent->at[d] + f->intercept;
    for (size_t t = 0; t < k; t++) matrix[t * k + j] = matrix[j * k + t] = (double)NAN;
  }
}

mn_status mn_information_inverse(mn_context *ctx, const mn_information *f, double *out)
{
  const size_t p = f->p, first = f->intercept, k = p + first;
  double *shift = MN_NEW(ctx, double, p, 1), total = 1 / f->total;
  MN_CHECK_ALLOC(shift);
  for (size_t i = 0; i < p; i++)
    for (size_t j = 0; j < p; j++) {
      const double c = f->inverse[i * p + j] / f->norm[i] / f->norm[j];
      out[(i + first) * k + j + first] = c;
      shift[i] += c * f->mean[j];
    }
  for (size_t i = 0; i < p; i++) {
    total += shift[i] * f->mean[i];
    if (first) out[(i + 1) * k] = out[i + 1] = -shift[i];
  }
  if (first) out[0] = total;
  mn_mask_dependent(f, out);
  return MN_OK;
}
