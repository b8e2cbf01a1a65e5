/* An interior point method for the losses that are not squared. The variables a, s, t > 0 of each row i and class m
 * other than its class y satisfy at the solution, with u_im = 1 - z_y + z_m,
 *
 *     t_im - s_im = u_im,    s_im a_im = 0,    t_im b_im = 0,    V = X'G
 *
 * where b_im = C_i - a_im is positive too; for the loss of Crammer & Singer b_i = C_i - sum_m a_im, and t_i, belong to
 * the row. X has a further column of ones for the intercepts c, the last row of V. A step of Newton's method towards
 * products of mu instead of 0 has, with theta_i = diag(s / a + t / b), or diag(s / a) + t / b 1 1', and the columns
 * e_y - e_m of E_i,
 *
 *     theta_i da = du + r,    r = u + mu / a - mu / b
 *     (R + sum_i E_i inv(theta_i) E_i' (x) x_i x_i') dV = sum_i x_i (E_i (a_i + inv(theta_i) r_i))' - R V
 *
 * with R = I, but 1 / inverse_rho or 0 for intercepts. E inv(theta) E' is the Laplacian of a graph of the classes, of
 * which the weights of edges are computed without cancellation. Each step is predicted with mu = 0 and then corrected:
 * Mehrotra, SIAM Journal on Optimization 2 (1992). */
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include "linear_svm_kernel.h"
#include "linear_svm_multiclass.h"
#include <string.h>

enum { MAX_ORDER = 1500, MAX_STEPS = 60, ARRAYS = 9 /* of n x k values */ };
static const double MAX_VALUES = 5e7, REACH = 0.995;

struct interior {
  mn_svm_multiclass *w;
  size_t n, p, k, order;                /* rows; columns of x; classes; p k */
  size_t *row, *start;                  /* rows by class: n; k + 1: where those of a class begin */
  double *x;                            /* n x p */
  double *a, *s, *t, *u, *da, *ds, *dt; /* n x k; t_i of a row is in the place of its class */
  double *inverse, *right;              /* n x k: 1 / theta, or a / s; r */
  double *ridge, *scale, *v, *dv;       /* p, p; k x p, k x p */
  double *matrix, *gram, *weight, *z;   /* order x order; p x p; n; k */
};

bool mn_svm_multiclass_suits_interior(const mn_svm_multiclass *w)
{
  const double p = (double)w->p + 1, k = (double)w->k;
  return !w->squared && p * k <= MAX_ORDER && (p + ARRAYS * k) * (double)w->n <= MAX_VALUES;
}

static double cost(const struct interior *t, size_t e)
{
  return mn_svm_multiclass_cost(t->w, t->row[e]);
}

static size_t class_of(const struct interior *t, size_t e)
{
  return (size_t)t->w->data->code[t->row[e]];
}

/* Where t of class m is. */
static size_t place(const struct interior *t, size_t e, size_t m)
{
  return e * t->k + (t->w->crammer_singer ? class_of(t, e) : m);
}

/* The sum of values (k) of row e over the classes other than its own. */
static double sum_others(const struct interior *t, size_t e, const double *values)
{
  double sum = 0;
  for (size_t m = 0; m < t->k; m++) sum += m == class_of(t, e) ? 0 : values[m];
  return sum;
}

/* b of class m, and its change. */
static double slack(const struct interior *t, size_t e, size_t m)
{
  const double *a = t->a + e * t->k;
  return cost(t, e) - (t->w->crammer_singer ? sum_others(t, e, a) : a[m]);
}

static double slack_change(const struct interior *t, size_t e, size_t m)
{
  const double *da = t->da + e * t->k;
  return -(t->w->crammer_singer ? sum_others(t, e, da) : da[m]);
}

/* Rows that have a cost, by class, and their values. */
static mn_status copy_rows(mn_context *ctx, struct interior *t)
{
  const mn_svm_multiclass *w = t->w;
  t->row = MN_RAW(ctx, size_t, w->n, 1);
  t->start = MN_NEW(ctx, size_t, w->k + 1, 1);
  if (!t->row || !t->start) return MN_NO_MEMORY;
  for (size_t y = 0; y < w->k; y++) {
    for (size_t i = 0; i < w->n; i++)
      if ((size_t)w->data->code[i] == y && mn_svm_multiclass_cost(w, i) > 0) t->row[t->n++] = i;
    t->start[y + 1] = t->n;
  }
  t->x = MN_NEW(ctx, double, t->n, t->p);
  MN_CHECK_ALLOC(t->x);
  for (size_t e = 0; e < t->n; e++) {
    const double *at;
    const int32_t *col;
    double *to = t->x + e * t->p;
    const size_t size = mn_svm_multiclass_row(w, t->row[e], &at, &col);
    for (size_t j = 0; j < size; j++) to[col ? (size_t)col[j] : j] = at[j];
    if (t->p > w->p) to[w->p] = 1;
  }
  return MN_OK;
}

/* Divide the columns by powers of two near their norms, and the ridge by the squares. */
static void scale_columns(struct interior *t)
{
  for (size_t j = 0; j < t->w->p; j++) {
    double sum = 0;
    for (size_t e = 0; e < t->n; e++) sum += t->x[e * t->p + j] * t->x[e * t->p + j] / (double)t->n;
    t->scale[j] = sum > 0 ? exp2(floor(log2(sqrt(sum)))) : 1;
    t->ridge[j] = 1 / (t->scale[j] * t->scale[j]);
    for (size_t e = 0; e < t->n; e++) t->x[e * t->p + j] /= t->scale[j];
  }
}

static mn_status init(mn_context *ctx, mn_svm_multiclass *w, struct interior *t)
{
  const size_t k = w->k, p = w->p + (w->inverse_rho > 0);
  *t = (struct interior){ .w = w, .p = p, .k = k, .order = p * k };
  MN_TRY(copy_rows(ctx, t));
  double *all = MN_NEW(ctx, double, t->n *k, 9);
  t->ridge = MN_RAW(ctx, double, p, 2 + 2 * k);
  t->matrix = MN_RAW(ctx, double, t->order, t->order);
  t->gram = MN_RAW(ctx, double, p, p);
  t->weight = MN_RAW(ctx, double, t->n, 1);
  t->z = MN_RAW(ctx, double, k, 1);
  if (!all || !t->ridge || !t->matrix || !t->gram || !t->weight || !t->z) return MN_NO_MEMORY;
  double **parts[] = { &t->a, &t->s, &t->t, &t->u, &t->da, &t->ds, &t->dt, &t->inverse, &t->right };
  for (size_t e = 0; e < sizeof parts / sizeof *parts; e++) *parts[e] = all + e * t->n * k;
  t->scale = t->ridge + p;
  t->v = t->scale + p;
  t->dv = t->v + t->order;
  scale_columns(t);
  if (p > w->p) t->ridge[w->p] = w->intercept == MN_SVM_FREE ? 0 : 1 / w->inverse_rho;
  return MN_OK;
}

/* out (k x p) = sum_im value_im E_im x_i' */
static mn_status sum_rows(mn_context *ctx, const struct interior *t, double *value, double *out)
{
  for (size_t y = 0; y < t->k; y++)
    for (size_t e = t->start[y]; e < t->start[y + 1]; e++) {
      double total = 0, *g = value + e * t->k;
      for (size_t m = 0; m < t->k; m++) {
        if (m != y) total += g[m];
        g[m] = -g[m];
      }
      g[y] = total;
    }
  return mn_gemm(ctx, true, false, t->k, t->p, t->n, 1, value, t->k, t->x, t->p, 0, out, t->p);
}

/* out_im = -z_y + z_m of the scores of V: k x p. */
static mn_status differences(mn_context *ctx, const struct interior *t, const double *v, double *out)
{
  MN_TRY(mn_gemm(ctx, false, true, t->n, t->k, t->p, 1, t->x, t->p, v, t->p, 0, out, t->k));
  for (size_t y = 0; y < t->k; y++)
    for (size_t e = t->start[y]; e < t->start[y + 1]; e++) {
      const double own = out[e * t->k + y];
      for (size_t m = 0; m < t->k; m++) out[e * t->k + m] -= own;
    }
  return MN_OK;
}

/* All a and b in the middle of their range, and V = 0. */
static void start(struct interior *t)
{
  const double share = t->w->crammer_singer ? (double)(t->k - 1) : 1;
  for (size_t e = 0; e < t->n * t->k; e++) {
    t->a[e] = cost(t, e / t->k) / (2 * share);
    t->u[e] = t->s[e] = 1;
    t->t[e] = 2;
  }
  memset(t->v, 0, t->order * sizeof *t->v);
}

/* Add or subtract gram in the block of classes m and l, and of l and m. */
static void add_block(struct interior *t, double sign, size_t m, size_t l)
{
  for (size_t i = 0; i < t->p; i++)
    for (size_t j = 0; j < t->p; j++)
      t->matrix[(m * t->p + i) * t->order + l * t->p + j] += sign * t->gram[i * t->p + j];
}

/* For the loss of Crammer & Singer, with D = a / s and h = b_i / t_i,
 *
 *     (inv(theta_i) w)_m = D_m (h w_m + sum_l D_l (w_m - w_l)) / (h + sum_l D_l) */
static void compute_inverse(struct interior *t)
{
  for (size_t e = 0; e < t->n; e++) {
    double *inverse = t->inverse + e * t->k;
    const size_t y = class_of(t, e);
    for (size_t m = 0; m < t->k; m++) {
      const size_t f = e * t->k + m;
      inverse[m] = m == y                 ? 0
                   : t->w->crammer_singer ? t->a[f] / t->s[f]
                                          : 1 / (t->s[f] / t->a[f] + t->t[f] / slack(t, e, m));
    }
    if (t->w->crammer_singer) inverse[y] = slack(t, e, y) / t->t[e * t->k + y];
  }
}

/* w (k) of row e becomes inv(theta) w. */
static void multiply_inverse(const struct interior *t, size_t e, double *w)
{
  const double *inverse = t->inverse + e * t->k;
  const size_t y = class_of(t, e);
  double total = 0;
  for (size_t m = 0; m < t->k; m++) total += inverse[m];
  w[y] = 0; /* so that the sum has the term h w_m / total: inverse[y] is h */
  memcpy(t->z, w, t->k * sizeof *w);
  for (size_t m = 0; m < t->k; m++) {
    double sum = 0;
    if (t->w->crammer_singer)
      for (size_t l = 0; l < t->k; l++) sum += inverse[l] / total * (t->z[m] - t->z[l]);
    w[m] = m == y ? 0 : inverse[m] * (t->w->crammer_singer ? sum : w[m]);
  }
}

/* The weight of the edge between classes m and l. */
static double edge(const struct interior *t, size_t e, size_t m, size_t l)
{
  const double *inverse = t->inverse + e * t->k;
  const size_t y = class_of(t, e);
  double total = 0;
  if (!t->w->crammer_singer) return m == y ? inverse[l] : l == y ? inverse[m] : 0;
  for (size_t c = 0; c < t->k; c++) total += inverse[c];
  return inverse[m] / total * inverse[l];
}

/* The part of the matrix of the edge between classes m and l, from rows begin .. end - 1. */
static mn_status add_edges(mn_context *ctx, struct interior *t, size_t m, size_t l, size_t begin, size_t end)
{
  if (begin == end) return MN_OK;
  for (size_t e = begin; e < end; e++) t->weight[e] = edge(t, e, m, l);
  MN_TRY(mn_syrk(ctx, end - begin, t->p, t->x + begin * t->p, t->p, t->weight + begin, NULL, t->gram, t->p));
  add_block(t, 1, m, m);
  add_block(t, 1, l, l);
  add_block(t, -1, m, l);
  add_block(t, -1, l, m);
  return MN_OK;
}

/* The matrix, whose diagonal is raised by a fraction of its largest element. Equal shifts of all intercepts change
 * nothing, so the matrix is raised along them. */
static mn_status fill_matrix(mn_context *ctx, struct interior *t, double raise)
{
  const size_t k = t->k, p = t->p, order = t->order;
  double largest = 0;
  memset(t->matrix, 0, order * order * sizeof *t->matrix);
  for (size_t m = 0; m < k; m++)
    for (size_t l = 0; l < m; l++) {
      MN_TRY(mn_poll(ctx));
      if (t->w->crammer_singer) {
        MN_TRY(add_edges(ctx, t, m, l, 0, t->n));
      } else {
        MN_TRY(add_edges(ctx, t, m, l, t->start[m], t->start[m + 1]));
        MN_TRY(add_edges(ctx, t, m, l, t->start[l], t->start[l + 1]));
      }
    }
  for (size_t e = 0; e < order; e++) largest = fmax(largest, t->matrix[e * (order + 1)]);
  const double shift = t->matrix[(p - 1) * (order + 1)] / (double)k;
  for (size_t m = 0; p > t->w->p && m < k; m++)
    for (size_t l = 0; l < k; l++) t->matrix[(m * p + p - 1) * order + l * p + p - 1] += shift;
  for (size_t e = 0; e < order; e++) t->matrix[e * (order + 1)] += t->ridge[e % p] + raise * largest;
  return MN_OK;
}

/* Its factor; *minor as of mn_chol_try. */
static mn_status factor(mn_context *ctx, struct interior *t, size_t *minor)
{
  static const double rounding = 1e-15;
  MN_TRY(fill_matrix(ctx, t, 0));
  MN_TRY(mn_chol_try(ctx, t->order, t->matrix, NULL, minor));
  if (*minor == 0) return MN_OK;
  MN_TRY(fill_matrix(ctx, t, rounding));
  return mn_chol_try(ctx, t->order, t->matrix, NULL, minor);
}

/* r of row e, and what of ds and dt does not depend on da, where the products s a and t b become those of mu, less
 * second-order terms of the last step if `correct`. */
static void aim_row(struct interior *t, size_t e, double mu, bool correct)
{
  const size_t y = class_of(t, e);
  for (size_t m = 0; m < t->k; m++) {
    const size_t f = e * t->k + m, g = place(t, e, m);
    if (m == y) continue;
    const double low = mu - (correct ? t->da[f] * t->ds[f] : 0);
    const double b = slack(t, e, m), high = mu - (correct ? slack_change(t, e, m) * t->z[m] : 0);
    t->right[f] = t->u[f] + low / t->a[f] - high / b;
    t->ds[f] = low / t->a[f] - t->s[f];
    t->dt[g] = high / b - t->t[g];
  }
}

static void aim(struct interior *t, double mu, bool correct)
{
  for (size_t e = 0; e < t->n; e++) {
    double *a = t->da + e * t->k;
    for (size_t m = 0; m < t->k; m++) t->z[m] = t->dt[place(t, e, m)];
    aim_row(t, e, mu, correct);
    memcpy(a, t->right + e * t->k, t->k * sizeof *a);
    multiply_inverse(t, e, a);
    for (size_t m = 0; m < t->k; m++) a[m] += t->a[e * t->k + m];
  }
}

/* The step to products of mu. */
static mn_status solve(mn_context *ctx, struct interior *t, double mu, bool correct)
{
  const size_t k = t->k;
  aim(t, mu, correct);
  MN_TRY(sum_rows(ctx, t, t->da, t->dv));
  for (size_t e = 0; e < t->order; e++) t->dv[e] -= t->ridge[e % t->p] * t->v[e];
  MN_TRY(mn_chol_apply(ctx, t->order, 1, t->matrix, t->dv));
  MN_TRY(differences(ctx, t, t->dv, t->da));
  for (size_t e = 0; e < t->n; e++) {
    double *da = t->da + e * k;
    for (size_t m = 0; m < k; m++) da[m] += t->right[e * k + m];
    multiply_inverse(t, e, da);
    for (size_t m = 0; m < k; m++) t->ds[e * k + m] -= t->s[e * k + m] / t->a[e * k + m] * da[m];
    for (size_t m = 0; m < k; m++) {
      const size_t g = place(t, e, m);
      if (t->w->crammer_singer ? g == e * k + m : m != class_of(t, e))
        t->dt[g] -= t->t[g] / slack(t, e, m) * slack_change(t, e, m);
    }
  }
  return MN_OK;
}

static double room(double value, double change)
{
  return change < 0 ? value / -change : INFINITY;
}

/* The step length up to which all variables are positive. */
static double longest(const struct interior *t)
{
  double length = INFINITY;
  for (size_t e = 0; e < t->n; e++)
    for (size_t m = 0; m < t->k; m++) {
      const size_t f = e * t->k + m, g = place(t, e, m);
      if (m == class_of(t, e)) continue;
      length = fmin(length, fmin(room(t->a[f], t->da[f]), room(t->s[f], t->ds[f])));
      length = fmin(length, fmin(room(slack(t, e, m), slack_change(t, e, m)), room(t->t[g], t->dt[g])));
    }
  return length;
}

/* The sum of the products after a step; 0: now. */
static double complementarity(const struct interior *t, double length)
{
  double sum = 0;
  for (size_t e = 0; e < t->n; e++) {
    const size_t y = class_of(t, e), first = y == 0; /* b of the row is counted once */
    for (size_t m = 0; m < t->k; m++) {
      const size_t f = e * t->k + m, g = place(t, e, m);
      if (m == y) continue;
      sum += (t->s[f] + length * t->ds[f]) * (t->a[f] + length * t->da[f]);
      if (m == first || !t->w->crammer_singer)
        sum += (t->t[g] + length * t->dt[g]) * (slack(t, e, m) + length * slack_change(t, e, m));
    }
  }
  return sum;
}

/* What V lacks of optimality: half the squared length of X'G - V in the norm of the inverse of R. */
static mn_status inconsistency(mn_context *ctx, struct interior *t, double *out)
{
  memcpy(t->right, t->a, t->n * t->k * sizeof *t->a);
  MN_TRY(sum_rows(ctx, t, t->right, t->dv));
  *out = 0;
  for (size_t e = 0; e < t->order; e++) {
    const double ridge = t->ridge[e % t->p], rest = t->dv[e] - ridge * t->v[e];
    if (ridge > 0) *out += rest * rest / ridge / 2;
  }
  return MN_OK;
}

/* One step, towards the present mu if the products are small enough; *moved: it could be computed. */
static mn_status step(mn_context *ctx, struct interior *t, double gap, double tolerance, bool *moved)
{
  static const double least = 1e-8;
  const size_t products = t->w->crammer_singer ? t->k : 2 * (t->k - 1);
  const double mu = gap / (double)(t->n * products);
  size_t minor;
  compute_inverse(t);
  MN_TRY(factor(ctx, t, &minor));
  if (minor > 0) return MN_OK;
  MN_TRY(solve(ctx, t, 0, false));
  const double ratio = complementarity(t, fmin(longest(t), 1)) / gap;
  MN_TRY(solve(ctx, t, gap > tolerance ? mu * ratio * ratio * ratio : mu, true));
  const double length = fmin(REACH * longest(t), 1);
  *moved = length > least;
  if (!*moved) return MN_OK;
  for (size_t e = 0; e < t->n * t->k; e++) {
    t->a[e] += length * t->da[e];
    t->s[e] += length * t->ds[e];
    t->t[e] += length * t->dt[e];
  }
  for (size_t e = 0; e < t->order; e++) t->v[e] += length * t->dv[e];
  MN_TRY(differences(ctx, t, t->v, t->u));
  for (size_t e = 0; e < t->n * t->k; e++) t->u[e] += 1;
  return MN_OK;
}

/* Write the variables back. */
static mn_status finish(mn_context *ctx, struct interior *t)
{
  mn_svm_multiclass *w = t->w;
  const size_t k = t->k;
  for (size_t y = 0; y < k; y++)
    for (size_t e = t->start[y]; e < t->start[y + 1]; e++)
      for (size_t m = 0; m < k; m++) w->a[t->row[e] * k + m] = m == y ? 0 : fmin(fmax(t->a[e * k + m], 0), cost(t, e));
  for (size_t m = 0; m < k; m++) {
    for (size_t j = 0; j < w->p; j++) w->v[j * k + m] = t->v[m * t->p + j] / t->scale[j];
    if (t->p > w->p) w->c[m] = t->v[m * t->p + w->p];
  }
  MN_TRY(sum_rows(ctx, t, t->a, t->dv));
  for (size_t m = 0; t->p > w->p && m < k; m++) w->sum[m] = t->dv[m * t->p + w->p];
  return MN_OK;
}

mn_status mn_svm_multiclass_interior(mn_context *ctx, mn_svm_multiclass *w, double tolerance, int64_t max_steps,
                                     int64_t *steps)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct interior t;
  bool moved = true;
  MN_TRY(init(ctx, w, &t));
  start(&t);
  for (*steps = 0; moved && *steps < MAX_STEPS && *steps < max_steps; ++*steps) {
    const double gap = complementarity(&t, 0);
    double rest;
    MN_TRY(inconsistency(ctx, &t, &rest));
    if (!(gap + rest > tolerance)) break;
    moved = false;
    MN_TRY(step(ctx, &t, gap, tolerance, &moved));
    MN_TRY(mn_poll(ctx));
  }
  MN_TRY(finish(ctx, &t));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
