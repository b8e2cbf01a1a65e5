/* The terms of MARS with the orthonormal columns that span them, by Gram-Schmidt done twice (Bjorck,
 * Linear Algebra Appl. 197, 1994). */
#include "mars_kernel.h"
#include "mars.h"
#include <string.h>

/* A term whose part outside the others is no more than this share of its square says nothing new. */
static const double least_new = 1e-9;

double mn_mars_gcv(double penalty, double total, double rss, size_t terms)
{
  const double m = (double)terms, c = penalty == -1 ? 0 : m + penalty * (m - 1) / 2;
  if (!(c < total)) return (double)INFINITY;
  return rss / (total * (1 - c / total) * (1 - c / total));
}

static double *span_of(const mn_mars_basis *b, size_t row)
{
  return b->span + row * b->ld;
}

/* z := z - Q Q'Wz over the columns there are; the products are added to column `into` of the triangle. */
static void project_out(mn_mars_basis *b, double *z, size_t into)
{
  const size_t m = b->terms, targets = b->targets, width = (targets + m + 7) / 8 * 8;
  memset(b->along, 0, width * sizeof *b->along);
  mn_mars_project(b->n, z, b->w, b->span, b->ld, width, b->along);
  const double *along = b->along + targets;
  for (size_t l = 0; l < m; l++) b->triangle[l * b->most_terms + into] += along[l];
  for (size_t i = 0; i < b->n; i++) {
    const double *q = span_of(b, i) + targets;
    double sum = 0;
    for (size_t l = 0; l < m; l++) sum += q[l] * along[l];
    z[i] -= sum;
  }
}

static double squares(const mn_mars_basis *b, const double *z)
{
  double sum = 0;
  for (size_t i = 0; i < b->n; i++) sum += b->w[i] * z[i] * z[i];
  return sum;
}

static double residual_squares(const mn_mars_basis *b)
{
  double sum = 0;
  for (size_t i = 0; i < b->n; i++)
    for (size_t t = 0; t < b->targets; t++) sum += b->w[i] * span_of(b, i)[t] * span_of(b, i)[t];
  return sum;
}

/* A new orthonormal column z: what it explains of the targets leaves the residuals. */
static void take_from_residuals(mn_mars_basis *b, const double *z)
{
  double *score = b->scores + b->terms * b->targets;
  for (size_t i = 0; i < b->n; i++)
    for (size_t t = 0; t < b->targets; t++) score[t] += b->w[i] * z[i] * span_of(b, i)[t];
  for (size_t i = 0; i < b->n; i++)
    for (size_t t = 0; t < b->targets; t++) span_of(b, i)[t] -= z[i] * score[t];
  b->rss = residual_squares(b);
}

/* The last row of `value` becomes the next column of `span`. False: the others determine it. */
static bool extend(mn_mars_basis *b)
{
  const size_t m = b->terms, n = b->n;
  const double *value = b->value + m * n;
  double *z = b->column;
  const double before = squares(b, value);
  memcpy(z, value, n * sizeof *z);
  for (size_t l = 0; l < b->most_terms; l++) b->triangle[l * b->most_terms + m] = 0;
  project_out(b, z, m);
  project_out(b, z, m);
  const double after = squares(b, z), norm = sqrt(after);
  if (!(after > least_new * before)) return false;
  for (size_t i = 0; i < n; i++) {
    z[i] /= norm;
    span_of(b, i)[b->targets + m] = z[i];
  }
  b->triangle[m * b->most_terms + m] = norm;
  take_from_residuals(b, z);
  b->terms++;
  return true;
}

mn_status mn_mars_basis_begin(mn_context *ctx, const mn_data *data, const mn_matrix *y, size_t most_terms,
                              mn_mars_basis *out)
{
  const size_t n = data->rows, p = data->features, targets = y->cols;
  *out = (mn_mars_basis){ .data = data, .n = n, .p = p, .targets = targets, .most_terms = most_terms };
  out->ld = (targets + most_terms + 7) / 8 * 8;
  double *w = MN_RAW(ctx, double, n, 1);
  out->dirs = MN_NEW(ctx, double, most_terms, p);
  out->cuts = MN_NEW(ctx, double, most_terms, p);
  out->value = MN_RAW(ctx, double, most_terms, n);
  out->span = MN_NEW(ctx, double, n, out->ld);
  out->triangle = MN_NEW(ctx, double, most_terms, most_terms);
  out->scores = MN_NEW(ctx, double, most_terms, targets);
  out->along = MN_RAW(ctx, double, out->ld, 1);
  out->column = MN_RAW(ctx, double, n, 1);
  if (!w || !out->dirs || !out->cuts || !out->value || !out->span || !out->triangle || !out->scores || !out->along ||
      !out->column)
    return MN_NO_MEMORY;
  for (size_t i = 0; i < n; i++) {
    w[i] = mn_weight(data, i);
    out->total += w[i];
    out->value[i] = 1;
    memcpy(span_of(out, i), mn_row(y, i), targets * sizeof(double));
  }
  out->w = w;
  extend(out);
  out->rss0 = out->rss;
  return MN_OK;
}

bool mn_mars_basis_add(mn_mars_basis *b, size_t parent, size_t column, int dir, double cut)
{
  const size_t m = b->terms;
  double *value = b->value + m * b->n;
  const double *from = b->value + parent * b->n;
  for (size_t i = 0; i < b->n; i++) {
    const double x = mn_row(&b->data->x, i)[column];
    value[i] = from[i] * (dir == MN_MARS_LINEAR ? x : fmax(0, dir * (x - cut)));
  }
  if (!extend(b)) return false;
  memcpy(b->dirs + m * b->p, b->dirs + parent * b->p, b->p * sizeof *b->dirs);
  memcpy(b->cuts + m * b->p, b->cuts + parent * b->p, b->p * sizeof *b->cuts);
  b->dirs[m * b->p + column] = dir;
  b->cuts[m * b->p + column] = dir == MN_MARS_LINEAR ? 0 : cut;
  return true;
}

void mn_mars_basis_rescale(mn_mars_basis *b, const double *scale)
{
  for (size_t t = 0; t < b->targets; t++) {
    for (size_t i = 0; i < b->n; i++) span_of(b, i)[t] *= scale[t];
    for (size_t k = 0; k < b->terms; k++) b->scores[k * b->targets + t] *= scale[t];
  }
  b->rss = b->rss0 = residual_squares(b);
  for (size_t k = 1; k < b->terms; k++)
    for (size_t t = 0; t < b->targets; t++) b->rss0 += b->scores[k * b->targets + t] * b->scores[k * b->targets + t];
}
