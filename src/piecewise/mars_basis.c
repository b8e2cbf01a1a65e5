/* Terms of MARS and the orthonormal basis of their span, by Gram-Schmidt with reorthogonalization (Bjorck, Linear
 * Algebra Appl. 197, 1994). */
#include "mars_kernel.h"
#include "mars.h"
#include <string.h>

/* A term is linearly dependent if the share of its square outside the span of the others is at most this. */
static const double min_new_share = 1e-9;

double mn_mars_gcv(double penalty, double total, double rss, size_t terms)
{
  const double m = (double)terms, c = penalty == -1 ? 0 : m + penalty * (m - 1) / 2;
  if (!(c < total)) return (double)INFINITY;
  return rss / (total * (1 - c / total) * (1 - c / total));
}

static double *ortho_row(const mn_mars_basis *b, size_t row)
{
  return b->ortho + row * b->ld;
}

/* z := z - Q Q'Wz for the current columns Q; the products are added to a column of the triangle. */
static void orthogonalize(mn_mars_basis *b, double *z, size_t column)
{
  const size_t m = b->terms, targets = b->targets, width = (targets + m + 7) / 8 * 8;
  memset(b->product, 0, width * sizeof *b->product);
  mn_mars_project(b->n, z, b->w, b->ortho, b->ld, width, b->product);
  const double *product = b->product + targets;
  for (size_t l = 0; l < m; l++) b->triangle[l * b->max_terms + column] += product[l];
  for (size_t i = 0; i < b->n; i++) {
    const double *q = ortho_row(b, i) + targets;
    double sum = 0;
    for (size_t l = 0; l < m; l++) sum += q[l] * product[l];
    z[i] -= sum;
  }
}

static double weighted_square(const mn_mars_basis *b, const double *z)
{
  double sum = 0;
  for (size_t i = 0; i < b->n; i++) sum += b->w[i] * z[i] * z[i];
  return sum;
}

static double residual_squares(const mn_mars_basis *b)
{
  double sum = 0;
  for (size_t i = 0; i < b->n; i++)
    for (size_t t = 0; t < b->targets; t++) sum += b->w[i] * ortho_row(b, i)[t] * ortho_row(b, i)[t];
  return sum;
}

/* Remove the new orthonormal column z from the residuals. */
static void update_residuals(mn_mars_basis *b, const double *z)
{
  double *score = b->scores + b->terms * b->targets;
  for (size_t i = 0; i < b->n; i++)
    for (size_t t = 0; t < b->targets; t++) score[t] += b->w[i] * z[i] * ortho_row(b, i)[t];
  for (size_t i = 0; i < b->n; i++)
    for (size_t t = 0; t < b->targets; t++) ortho_row(b, i)[t] -= z[i] * score[t];
  b->rss = residual_squares(b);
}

/* Orthogonalize the last row of `value` and append it to `ortho`. Returns false if it is linearly dependent. */
static bool append_term(mn_mars_basis *b)
{
  const size_t m = b->terms, n = b->n;
  const double *value = b->value + m * n;
  double *z = b->column;
  const double before = weighted_square(b, value);
  memcpy(z, value, n * sizeof *z);
  for (size_t l = 0; l < b->max_terms; l++) b->triangle[l * b->max_terms + m] = 0;
  orthogonalize(b, z, m);
  orthogonalize(b, z, m);
  const double after = weighted_square(b, z), norm = sqrt(after);
  if (!(after > min_new_share * before)) return false;
  for (size_t i = 0; i < n; i++) {
    z[i] /= norm;
    ortho_row(b, i)[b->targets + m] = z[i];
  }
  b->triangle[m * b->max_terms + m] = norm;
  update_residuals(b, z);
  b->terms++;
  return true;
}

mn_status mn_mars_basis_init(mn_context *ctx, const mn_data *data, const mn_matrix *y, size_t max_terms,
                             mn_mars_basis *out)
{
  const size_t n = data->rows, p = data->features, targets = y->cols;
  *out = (mn_mars_basis){ .data = data, .n = n, .p = p, .targets = targets, .max_terms = max_terms };
  out->ld = (targets + max_terms + 7) / 8 * 8;
  double *w = MN_RAW(ctx, double, n, 1);
  out->dirs = MN_NEW(ctx, double, max_terms, p);
  out->cuts = MN_NEW(ctx, double, max_terms, p);
  out->value = MN_RAW(ctx, double, max_terms, n);
  out->ortho = MN_NEW(ctx, double, n, out->ld);
  out->triangle = MN_NEW(ctx, double, max_terms, max_terms);
  out->scores = MN_NEW(ctx, double, max_terms, targets);
  out->product = MN_RAW(ctx, double, out->ld, 1);
  out->column = MN_RAW(ctx, double, n, 1);
  if (!w || !out->dirs || !out->cuts || !out->value || !out->ortho || !out->triangle || !out->scores || !out->product ||
      !out->column)
    return MN_NO_MEMORY;
  for (size_t i = 0; i < n; i++) {
    w[i] = mn_weight(data, i);
    out->total += w[i];
    out->value[i] = 1;
    memcpy(ortho_row(out, i), mn_row(y, i), targets * sizeof(double));
  }
  out->w = w;
  append_term(out);
  out->rss0 = out->rss;
  return MN_OK;
}

bool mn_mars_basis_add(mn_mars_basis *b, size_t parent, size_t column, int dir, double knot)
{
  const size_t m = b->terms;
  double *value = b->value + m * b->n;
  const double *from = b->value + parent * b->n;
  for (size_t i = 0; i < b->n; i++) {
    const double x = mn_row(&b->data->x, i)[column];
    value[i] = from[i] * (dir == MN_MARS_LINEAR ? x : fmax(0, dir * (x - knot)));
  }
  if (!append_term(b)) return false;
  memcpy(b->dirs + m * b->p, b->dirs + parent * b->p, b->p * sizeof *b->dirs);
  memcpy(b->cuts + m * b->p, b->cuts + parent * b->p, b->p * sizeof *b->cuts);
  b->dirs[m * b->p + column] = dir;
  b->cuts[m * b->p + column] = dir == MN_MARS_LINEAR ? 0 : knot;
  return true;
}

void mn_mars_basis_rescale(mn_mars_basis *b, const double *scale)
{
  for (size_t t = 0; t < b->targets; t++) {
    for (size_t i = 0; i < b->n; i++) ortho_row(b, i)[t] *= scale[t];
    for (size_t k = 0; k < b->terms; k++) b->scores[k * b->targets + t] *= scale[t];
  }
  b->rss = b->rss0 = residual_squares(b);
  for (size_t k = 1; k < b->terms; k++)
    for (size_t t = 0; t < b->targets; t++) b->rss0 += b->scores[k * b->targets + t] * b->scores[k * b->targets + t];
}
