#include "smoother.h"
#include "../stats/argsort.h"
#include "../stats/quantile.h"
#include "copies.h"
#include "local_fit_kernel.h"
#include <string.h>

const char *const mn_smoother_statistics[] = { "auto", "exact", "trace", "none", NULL };

double mn_polynomial_terms(size_t d, size_t degree)
{
  double terms = 1;
  for (size_t k = 1; k <= degree; k++) terms = terms * (double)(d + k) / (double)k;
  return terms;
}

/* Terms by degree: each is a term of one degree less, times a variable not before the last one of that term. */
static mn_status make_terms(mn_context *ctx, mn_smoother_plan *p, size_t degree)
{
  int32_t *parent = MN_NEW(ctx, int32_t, p->terms, 1), *variable = MN_NEW(ctx, int32_t, p->terms, 1);
  if (!parent || !variable) return MN_NO_MEMORY;
  size_t count = 1, first = 0;
  for (size_t k = 0; k < degree; k++) {
    const size_t end = count;
    for (size_t t = first; t < end; t++)
      for (size_t j = t > 0 ? (size_t)variable[t] : 0; j < p->d; j++, count++) {
        parent[count] = (int32_t)t;
        variable[count] = (int32_t)j;
      }
    first = end;
  }
  p->parent = parent;
  p->variable = variable;
  return MN_OK;
}

static double scaled(const mn_smoother_plan *p, size_t j, double x)
{
  return fmax(fmin((x - p->center[j]) / p->scale[j], MN_MAX_COORDINATE), -MN_MAX_COORDINATE);
}

void mn_smoother_scale_point(const mn_smoother_plan *p, const double *x, double *q)
{
  for (size_t j = 0; j < p->d; j++) q[j] = scaled(p, j, x[j]);
}

void mn_smoother_rescale(const mn_matrix *x, mn_smoother_plan *p)
{
  for (size_t i = 0; i < p->n; i++)
    for (size_t j = 0; j < p->d; j++) p->z[j * p->n + i] = scaled(p, j, mn_row(x, i)[j]);
}

mn_status mn_smoother_plan_make(mn_context *ctx, const char *who, const mn_matrix *x, size_t degree,
                                mn_smoother_plan *p)
{
  const bool sorted = p->method == MN_PRIESTLEY_CHAO || p->method == MN_GASSER_MUELLER;
  const double terms = p->method == MN_LOCAL_POLYNOMIAL ? mn_polynomial_terms(x->cols, degree) : 1;
  if (sorted && x->cols != 1)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "%s: method '%s' requires one column, got %zu; use 'nadaraya_watson' or 'local_polynomial'", who,
                   p->method == MN_PRIESTLEY_CHAO ? "priestley_chao" : "gasser_mueller", x->cols);
  if (!(terms <= 1e6))
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "%s: a polynomial of degree %zu in %zu columns has too many terms; lower degree", who, degree,
                   x->cols);
  p->n = x->rows;
  p->d = x->cols;
  p->terms = (size_t)terms;
  p->work_size =
      p->d + 3 * p->n + 2 * p->d + (p->terms > 1 || p->neighbors > 0 ? (p->d + p->terms + 2) * p->n + 2 * p->terms : 0);
  p->z = MN_RAW(ctx, double, p->d, p->n);
  MN_CHECK_ALLOC(p->z);
  mn_smoother_rescale(x, p);
  if (p->terms > 1) MN_TRY(make_terms(ctx, p, degree));
  if (!sorted) return MN_OK;
  size_t *order = MN_RAW(ctx, size_t, p->n, 1);
  MN_CHECK_ALLOC(order);
  p->order = order;
  return mn_argsort(ctx, p->n, x->at, 1, order);
}

/* The sample weight of row i, without what is left out if it is the row to skip. */
static double weight_of(const mn_smoother_plan *p, size_t i, size_t skip)
{
  const double w = p->weights ? p->weights[i] : 1;
  return i == skip ? w - mn_left_out(w, p->counts) : w;
}

/* w_i = sample weight for the nearest rows, 0 for all others. */
static void weigh_nearest(const mn_smoother_plan *p, const double *q, size_t skip, double *distance2, double *w)
{
  double least = INFINITY;
  mn_column_distances2(p->n, p->d, p->z, q, distance2);
  for (size_t i = 0; i < p->n; i++)
    if (weight_of(p, i, skip) > 0) least = fmin(least, distance2[i]);
  for (size_t i = 0; i < p->n; i++) w[i] = distance2[i] <= least ? weight_of(p, i, skip) : 0;
}

/* Tricube weights over the nearest rows; 1 for rows at distance 0 if these are all neighbors. */
static void weigh_neighbors(const mn_smoother_plan *p, const double *q, double *distance2, double *w)
{
  mn_column_distances2(p->n, p->d, p->z, q, distance2);
  memcpy(w, distance2, p->n * sizeof *w);
  mn_select(&(mn_cancel_token){ .ctx = NULL }, p->n, w, p->neighbors - 1);
  const double h2 = p->widening * w[p->neighbors - 1];
  if (h2 > 0)
    mn_tricube_weights(p->n, distance2, h2, w);
  else
    for (size_t i = 0; i < p->n; i++) w[i] = distance2[i] > 0 ? 0 : 1;
}

/* Kernel weights times sample weights; w is n, work n values. */
static void weigh_rows(const mn_smoother_plan *p, const double *q, size_t skip, double *work, double *w)
{
  if (p->neighbors > 0)
    weigh_neighbors(p, q, work, w);
  else
    mn_product_kernel(p->shape, p->n, p->d, p->z, q, w);
  if (skip != SIZE_MAX) w[skip] *= weight_of(p, skip, skip) > 0 ? weight_of(p, skip, skip) / p->weights[skip] : 0;
  const double largest = p->weights ? mn_multiply_weights(p->n, p->weights, w) : mn_largest(p->n, w);
  if (!(largest > 0)) weigh_nearest(p, q, skip, work, w);
}

static void normalize(size_t n, double *l)
{
  double total = 0;
  for (size_t i = 0; i < n; i++) total += l[i];
  for (size_t i = 0; i < n && total > 0; i++) l[i] /= total;
}

/* The weights `l` of `count` rows in a local polynomial, from their kernel weights w > 0. */
static void fit_polynomial(const mn_smoother_plan *p, const double *q, size_t count, const int32_t *row,
                           const double *w, double *work, double *l)
{
  double *center = work, *at = center + p->d, *root = at + p->d, *x = root + count, *basis = x + p->d * count,
         *value = basis + p->terms * count;
  const double largest = mn_largest(count, w);
  double total = 0;
  for (size_t k = 0; k < count; k++) {
    total += w[k] / largest;
    root[k] = sqrt(w[k] / largest);
  }
  for (size_t j = 0; j < p->d; j++) {
    double *column = x + j * count;
    for (size_t k = 0; k < count; k++) column[k] = p->z[j * p->n + (size_t)row[k]];
    center[j] = mn_fast_dot(count, w, column) / largest / total;
    at[j] = q[j] - center[j];
    for (size_t k = 0; k < count; k++) column[k] -= center[j];
  }
  mn_local_polynomial(count, p->terms, root, x, count, at, p->parent, p->variable, basis, value, l);
}

/* List the rows with positive weights l, with these weights in w, and set l to 0. Returns their number. */
static size_t list_rows(size_t n, double *l, int32_t *row, double *w)
{
  size_t count = 0;
  for (size_t i = 0; i < n; i++) {
    if (!(l[i] > 0)) continue;
    row[count] = (int32_t)i;
    w[count++] = l[i];
    l[i] = 0;
  }
  return count;
}

/* The next row in the order of x that is not skipped; n if there is none. */
static size_t next_row(const mn_smoother_plan *p, size_t k, size_t skip)
{
  while (k < p->n && !(weight_of(p, p->order[k], skip) > 0)) k++;
  return k;
}

/* Rows at one x: begin..end-1 in the order of x. */
struct group {
  size_t begin, end;
  double z, weight;
};

/* The group that begins at or after k; begin is n if there is none. */
static struct group group_at(const mn_smoother_plan *p, size_t k, size_t skip)
{
  struct group g = { .begin = next_row(p, k, skip) };
  g.end = g.begin;
  if (g.begin == p->n) return g;
  for (g.z = p->z[p->order[g.begin]]; g.end < p->n && p->z[p->order[g.end]] <= g.z; g.end++)
    g.weight += weight_of(p, p->order[g.end], skip);
  return g;
}

/* Rows at one x share the weight of their mean. */
static void share(const mn_smoother_plan *p, const struct group *g, double weight, size_t skip, double *l)
{
  for (size_t k = g->begin; k < g->end; k++) {
    const size_t i = p->order[k];
    l[i] = weight * weight_of(p, i, skip) / g->weight;
  }
}

/* Gasser-Mueller: the probability, under the kernel about q, of the interval of points nearest to x. */
static void gasser_mueller(const mn_smoother_plan *p, double q, size_t skip, double *l)
{
  double below = 0;
  for (struct group g = group_at(p, 0, skip), next; g.begin < p->n; g = next) {
    next = group_at(p, g.end, skip);
    const double above = next.begin < p->n ? mn_shape_cdf(p->shape, (g.z + next.z) / 2 - q) : 1;
    share(p, &g, above - below, skip, l);
    below = above;
  }
}

/* Priestley-Chao: the density of the kernel about q times the distance to the x before. */
static void priestley_chao(const mn_smoother_plan *p, double q, size_t skip, double *l)
{
  const double integral = exp(mn_shape_log_integral(p->shape, 1));
  struct group g = group_at(p, 0, skip);
  if (g.begin < p->n && group_at(p, g.end, skip).begin == p->n) share(p, &g, 1, skip, l);
  for (struct group next; (next = group_at(p, g.end, skip)).begin < p->n; g = next)
    share(p, &next, (next.z - g.z) * mn_shape_value(p->shape, fabs(next.z - q)) / integral, skip, l);
}

void mn_smoother_row(const mn_smoother_plan *p, const double *q, size_t skip, double *work, double *l)
{
  memset(l, 0, p->n * sizeof *l);
  if (p->method == MN_GASSER_MUELLER || p->method == MN_PRIESTLEY_CHAO) {
    (p->method == MN_GASSER_MUELLER ? gasser_mueller : priestley_chao)(p, q[0], skip, l);
    return;
  }
  weigh_rows(p, q, skip, work, l);
  if (p->terms == 1) {
    normalize(p->n, l);
    return;
  }
  int32_t *row = (int32_t *)(void *)(work + p->n);
  const size_t count = list_rows(p->n, l, row, work);
  if (count == 0) return;
  double *listed = work + 2 * p->n;
  fit_polynomial(p, q, count, row, work, listed + count, listed);
  for (size_t k = 0; k < count; k++) l[row[k]] = listed[k];
}

mn_smoother_weights mn_smoother_weigh_neighbors(const mn_smoother_plan *p, const double *q, const int32_t *near,
                                                double *work, double *l)
{
  const size_t m = p->neighbors;
  double *w = work, *distance2 = work + 2 * p->n, *z = distance2 + m, total = 0;
  int32_t *row = (int32_t *)(void *)(work + p->n);
  for (size_t j = 0; j < p->d; j++)
    for (size_t k = 0; k < m; k++) z[j * m + k] = p->z[j * p->n + (size_t)near[k]];
  mn_column_distances2(m, p->d, z, q, distance2);
  const double h2 = mn_largest(m, distance2);
  if (h2 > 0) mn_tricube_weights(m, distance2, p->widening * h2, w);
  size_t count = 0;
  for (size_t k = 0; k < m && h2 > 0; k++) {
    const double value = w[k] * (p->weights ? p->weights[near[k]] : 1);
    if (!(value > 0)) continue;
    row[count] = near[k];
    w[count++] = value;
    total += value;
  }
  if (count == 0) { /* more rows than these are at distance 0, or none has a weight */
    mn_smoother_row(p, q, SIZE_MAX, work, l);
    return (mn_smoother_weights){ p->n, NULL, l };
  }
  if (p->terms > 1)
    fit_polynomial(p, q, count, row, w, work + 2 * p->n, l);
  else
    for (size_t k = 0; k < count; k++) l[k] = w[k] / total;
  return (mn_smoother_weights){ count, row, l };
}

double mn_weight_of_row(const mn_smoother_weights *w, size_t i)
{
  if (!w->row) return w->l[i];
  for (size_t k = 0; k < w->count; k++)
    if ((size_t)w->row[k] == i) return w->l[k];
  return 0;
}

double mn_weights_dot(const mn_smoother_weights *w, const double *y)
{
  if (!w->row) return mn_fast_dot(w->count, w->l, y);
  double sum = 0;
  for (size_t k = 0; k < w->count; k++) sum += w->l[k] * y[w->row[k]];
  return sum;
}

mn_status mn_smoother_store(mn_context *ctx, mn_smoother *m, const mn_data *data)
{
  MN_TRY(mn_matrix_init(ctx, &m->x, data->rows, data->features));
  MN_TRY(mn_vector_init(ctx, &m->y, data->rows));
  if (data->weights) MN_TRY(mn_vector_init(ctx, &m->weights, data->rows));
  memcpy(m->x.at, data->x.at, data->rows * data->features * sizeof *m->x.at);
  memcpy(m->y.at, data->y.at, data->rows * sizeof *m->y.at);
  if (data->weights) memcpy(m->weights.at, data->weights, data->rows * sizeof *m->weights.at);
  m->trace_hat = m->enp = m->one_delta = m->two_delta = m->df = m->sigma = (double)NAN;
  return MN_OK;
}
