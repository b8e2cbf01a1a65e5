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
  mn_svm_multiclass *svm;
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

static double cost(const struct interior *in, size_t e)
{
  return mn_svm_multiclass_cost(in->svm, in->row[e]);
}

static size_t class_of(const struct interior *in, size_t e)
{
  return (size_t)in->svm->data->code[in->row[e]];
}

/* Where t of class m is. */
static size_t place(const struct interior *in, size_t e, size_t m)
{
  return e * in->k + (in->svm->crammer_singer ? class_of(in, e) : m);
}

/* The sum of values (k) of row e over the classes other than its own. */
static double sum_others(const struct interior *in, size_t e, const double *values)
{
  double sum = 0;
  for (size_t m = 0; m < in->k; m++) sum += m == class_of(in, e) ? 0 : values[m];
  return sum;
}

/* b of class m, and its change. */
static double slack(const struct interior *in, size_t e, size_t m)
{
  const double *a = in->a + e * in->k;
  return cost(in, e) - (in->svm->crammer_singer ? sum_others(in, e, a) : a[m]);
}

static double slack_change(const struct interior *in, size_t e, size_t m)
{
  const double *da = in->da + e * in->k;
  return -(in->svm->crammer_singer ? sum_others(in, e, da) : da[m]);
}

/* Rows that have a cost, by class, and their values. */
static mn_status copy_rows(mn_context *ctx, struct interior *in)
{
  const mn_svm_multiclass *w = in->svm;
  in->row = MN_RAW(ctx, size_t, w->n, 1);
  in->start = MN_NEW(ctx, size_t, w->k + 1, 1);
  if (!in->row || !in->start) return MN_NO_MEMORY;
  for (size_t y = 0; y < w->k; y++) {
    for (size_t i = 0; i < w->n; i++)
      if ((size_t)w->data->code[i] == y && mn_svm_multiclass_cost(w, i) > 0) in->row[in->n++] = i;
    in->start[y + 1] = in->n;
  }
  in->x = MN_NEW(ctx, double, in->n, in->p);
  MN_CHECK_ALLOC(in->x);
  for (size_t e = 0; e < in->n; e++) {
    const double *at;
    const int32_t *col;
    double *to = in->x + e * in->p;
    const size_t size = mn_svm_multiclass_row(w, in->row[e], &at, &col);
    for (size_t j = 0; j < size; j++) to[col ? (size_t)col[j] : j] = at[j];
    if (in->p > w->p) to[w->p] = 1;
  }
  return MN_OK;
}

/* Divide the columns by powers of two near their norms, and the ridge by the squares. */
static void scale_columns(struct interior *in)
{
  for (size_t j = 0; j < in->svm->p; j++) {
    double sum = 0;
    for (size_t e = 0; e < in->n; e++) sum += in->x[e * in->p + j] * in->x[e * in->p + j] / (double)in->n;
    in->scale[j] = sum > 0 ? exp2(floor(log2(sqrt(sum)))) : 1;
    in->ridge[j] = 1 / (in->scale[j] * in->scale[j]);
    for (size_t e = 0; e < in->n; e++) in->x[e * in->p + j] /= in->scale[j];
  }
}

static mn_status init(mn_context *ctx, mn_svm_multiclass *w, struct interior *in)
{
  const size_t k = w->k, p = w->p + (w->inverse_rho > 0);
  *in = (struct interior){ .svm = w, .p = p, .k = k, .order = p * k };
  MN_TRY(copy_rows(ctx, in));
  double *all = MN_NEW(ctx, double, in->n *k, 9);
  in->ridge = MN_RAW(ctx, double, p, 2 + 2 * k);
  in->matrix = MN_RAW(ctx, double, in->order, in->order);
  in->gram = MN_RAW(ctx, double, p, p);
  in->weight = MN_RAW(ctx, double, in->n, 1);
  in->z = MN_RAW(ctx, double, k, 1);
  if (!all || !in->ridge || !in->matrix || !in->gram || !in->weight || !in->z) return MN_NO_MEMORY;
  double **parts[] = { &in->a, &in->s, &in->t, &in->u, &in->da, &in->ds, &in->dt, &in->inverse, &in->right };
  for (size_t e = 0; e < sizeof parts / sizeof *parts; e++) *parts[e] = all + e * in->n * k;
  in->scale = in->ridge + p;
  in->v = in->scale + p;
  in->dv = in->v + in->order;
  scale_columns(in);
  if (p > w->p) in->ridge[w->p] = w->intercept == MN_SVM_FREE ? 0 : 1 / w->inverse_rho;
  return MN_OK;
}

/* out (k x p) = sum_im value_im E_im x_i' */
static mn_status sum_rows(mn_context *ctx, const struct interior *in, double *value, double *out)
{
  for (size_t y = 0; y < in->k; y++)
    for (size_t e = in->start[y]; e < in->start[y + 1]; e++) {
      double total = 0, *g = value + e * in->k;
      for (size_t m = 0; m < in->k; m++) {
        if (m != y) total += g[m];
        g[m] = -g[m];
      }
      g[y] = total;
    }
  return mn_gemm(ctx, true, false, in->k, in->p, in->n, 1, value, in->k, in->x, in->p, 0, out, in->p);
}

/* out_im = -z_y + z_m of the scores of V: k x p. */
static mn_status differences(mn_context *ctx, const struct interior *in, const double *v, double *out)
{
  MN_TRY(mn_gemm(ctx, false, true, in->n, in->k, in->p, 1, in->x, in->p, v, in->p, 0, out, in->k));
  for (size_t y = 0; y < in->k; y++)
    for (size_t e = in->start[y]; e < in->start[y + 1]; e++) {
      const double own = out[e * in->k + y];
      for (size_t m = 0; m < in->k; m++) out[e * in->k + m] -= own;
    }
  return MN_OK;
}

/* All a and b in the middle of their range, and V = 0. */
static void start(struct interior *in)
{
  const double share = in->svm->crammer_singer ? (double)(in->k - 1) : 1;
  for (size_t e = 0; e < in->n * in->k; e++) {
    in->a[e] = cost(in, e / in->k) / (2 * share);
    in->u[e] = in->s[e] = 1;
    in->t[e] = 2;
  }
  memset(in->v, 0, in->order * sizeof *in->v);
}

/* Add or subtract gram in the block of classes m and l, and of l and m. */
static void add_block(struct interior *in, double sign, size_t m, size_t l)
{
  for (size_t i = 0; i < in->p; i++)
    for (size_t j = 0; j < in->p; j++)
      in->matrix[(m * in->p + i) * in->order + l * in->p + j] += sign * in->gram[i * in->p + j];
}

/* For the loss of Crammer & Singer, with D = a / s and h = b_i / t_i,
 *
 *     (inv(theta_i) w)_m = D_m (h w_m + sum_l D_l (w_m - w_l)) / (h + sum_l D_l) */
static void compute_inverse(struct interior *in)
{
  for (size_t e = 0; e < in->n; e++) {
    double *inverse = in->inverse + e * in->k;
    const size_t y = class_of(in, e);
    for (size_t m = 0; m < in->k; m++) {
      const size_t f = e * in->k + m;
      inverse[m] = m == y                    ? 0
                   : in->svm->crammer_singer ? in->a[f] / in->s[f]
                                             : 1 / (in->s[f] / in->a[f] + in->t[f] / slack(in, e, m));
    }
    if (in->svm->crammer_singer) inverse[y] = slack(in, e, y) / in->t[e * in->k + y];
  }
}

/* w (k) of row e becomes inv(theta) w. */
static void multiply_inverse(const struct interior *in, size_t e, double *w)
{
  const double *inverse = in->inverse + e * in->k;
  const size_t y = class_of(in, e);
  double total = 0;
  for (size_t m = 0; m < in->k; m++) total += inverse[m];
  w[y] = 0; /* so that the sum has the term h w_m / total: inverse[y] is h */
  memcpy(in->z, w, in->k * sizeof *w);
  for (size_t m = 0; m < in->k; m++) {
    double sum = 0;
    if (in->svm->crammer_singer)
      for (size_t l = 0; l < in->k; l++) sum += inverse[l] / total * (in->z[m] - in->z[l]);
    w[m] = m == y ? 0 : inverse[m] * (in->svm->crammer_singer ? sum : w[m]);
  }
}

/* The weight of the edge between classes m and l. */
static double edge(const struct interior *in, size_t e, size_t m, size_t l)
{
  const double *inverse = in->inverse + e * in->k;
  const size_t y = class_of(in, e);
  double total = 0;
  if (!in->svm->crammer_singer) return m == y ? inverse[l] : l == y ? inverse[m] : 0;
  for (size_t c = 0; c < in->k; c++) total += inverse[c];
  return inverse[m] / total * inverse[l];
}

/* The part of the matrix of the edge between classes m and l, from rows begin .. end - 1. */
static mn_status add_edges(mn_context *ctx, struct interior *in, size_t m, size_t l, size_t begin, size_t end)
{
  if (begin == end) return MN_OK;
  for (size_t e = begin; e < end; e++) in->weight[e] = edge(in, e, m, l);
  MN_TRY(mn_syrk(ctx, end - begin, in->p, in->x + begin * in->p, in->p, in->weight + begin, NULL, in->gram, in->p));
  add_block(in, 1, m, m);
  add_block(in, 1, l, l);
  add_block(in, -1, m, l);
  add_block(in, -1, l, m);
  return MN_OK;
}

/* The matrix, whose diagonal is raised by a fraction of its largest element. Equal shifts of all intercepts change
 * nothing, so the matrix is raised along them. */
static mn_status fill_matrix(mn_context *ctx, struct interior *in, double raise)
{
  const size_t k = in->k, p = in->p, order = in->order;
  double largest = 0;
  memset(in->matrix, 0, order * order * sizeof *in->matrix);
  for (size_t m = 0; m < k; m++)
    for (size_t l = 0; l < m; l++) {
      MN_TRY(mn_poll(ctx));
      if (in->svm->crammer_singer) {
        MN_TRY(add_edges(ctx, in, m, l, 0, in->n));
      } else {
        MN_TRY(add_edges(ctx, in, m, l, in->start[m], in->start[m + 1]));
        MN_TRY(add_edges(ctx, in, m, l, in->start[l], in->start[l + 1]));
      }
    }
  for (size_t e = 0; e < order; e++) largest = fmax(largest, in->matrix[e * (order + 1)]);
  const double shift = in->matrix[(p - 1) * (order + 1)] / (double)k;
  for (size_t m = 0; p > in->svm->p && m < k; m++)
    for (size_t l = 0; l < k; l++) in->matrix[(m * p + p - 1) * order + l * p + p - 1] += shift;
  for (size_t e = 0; e < order; e++) in->matrix[e * (order + 1)] += in->ridge[e % p] + raise * largest;
  return MN_OK;
}

/* Its factor; *minor as of mn_chol_try. */
static mn_status factor(mn_context *ctx, struct interior *in, size_t *minor)
{
  static const double rounding = 1e-15;
  MN_TRY(fill_matrix(ctx, in, 0));
  MN_TRY(mn_chol_try(ctx, in->order, in->matrix, NULL, minor));
  if (*minor == 0) return MN_OK;
  MN_TRY(fill_matrix(ctx, in, rounding));
  return mn_chol_try(ctx, in->order, in->matrix, NULL, minor);
}

/* r of row e, and what of ds and dt does not depend on da, where the products s a and t b become those of mu, less
 * second-order terms of the last step if `correct`. */
static void aim_row(struct interior *in, size_t e, double mu, bool correct)
{
  const size_t y = class_of(in, e);
  for (size_t m = 0; m < in->k; m++) {
    const size_t f = e * in->k + m, g = place(in, e, m);
    if (m == y) continue;
    const double low = mu - (correct ? in->da[f] * in->ds[f] : 0);
    const double b = slack(in, e, m), high = mu - (correct ? slack_change(in, e, m) * in->z[m] : 0);
    in->right[f] = in->u[f] + low / in->a[f] - high / b;
    in->ds[f] = low / in->a[f] - in->s[f];
    in->dt[g] = high / b - in->t[g];
  }
}

static void aim(struct interior *in, double mu, bool correct)
{
  for (size_t e = 0; e < in->n; e++) {
    double *a = in->da + e * in->k;
    for (size_t m = 0; m < in->k; m++) in->z[m] = in->dt[place(in, e, m)];
    aim_row(in, e, mu, correct);
    memcpy(a, in->right + e * in->k, in->k * sizeof *a);
    multiply_inverse(in, e, a);
    for (size_t m = 0; m < in->k; m++) a[m] += in->a[e * in->k + m];
  }
}

/* The step to products of mu. */
static mn_status solve(mn_context *ctx, struct interior *in, double mu, bool correct)
{
  const size_t k = in->k;
  aim(in, mu, correct);
  MN_TRY(sum_rows(ctx, in, in->da, in->dv));
  for (size_t e = 0; e < in->order; e++) in->dv[e] -= in->ridge[e % in->p] * in->v[e];
  MN_TRY(mn_chol_apply(ctx, in->order, 1, in->matrix, in->dv));
  MN_TRY(differences(ctx, in, in->dv, in->da));
  for (size_t e = 0; e < in->n; e++) {
    double *da = in->da + e * k;
    for (size_t m = 0; m < k; m++) da[m] += in->right[e * k + m];
    multiply_inverse(in, e, da);
    for (size_t m = 0; m < k; m++) in->ds[e * k + m] -= in->s[e * k + m] / in->a[e * k + m] * da[m];
    for (size_t m = 0; m < k; m++) {
      const size_t g = place(in, e, m);
      if (in->svm->crammer_singer ? g == e * k + m : m != class_of(in, e))
        in->dt[g] -= in->t[g] / slack(in, e, m) * slack_change(in, e, m);
    }
  }
  return MN_OK;
}

static double room(double value, double change)
{
  return change < 0 ? value / -change : INFINITY;
}

/* The step length up to which all variables are positive. */
static double longest(const struct interior *in)
{
  double length = INFINITY;
  for (size_t e = 0; e < in->n; e++)
    for (size_t m = 0; m < in->k; m++) {
      const size_t f = e * in->k + m, g = place(in, e, m);
      if (m == class_of(in, e)) continue;
      length = fmin(length, fmin(room(in->a[f], in->da[f]), room(in->s[f], in->ds[f])));
      length = fmin(length, fmin(room(slack(in, e, m), slack_change(in, e, m)), room(in->t[g], in->dt[g])));
    }
  return length;
}

/* The sum of the products after a step; 0: now. */
static double complementarity(const struct interior *in, double length)
{
  double sum = 0;
  for (size_t e = 0; e < in->n; e++) {
    const size_t y = class_of(in, e), first = y == 0; /* b of the row is counted once */
    for (size_t m = 0; m < in->k; m++) {
      const size_t f = e * in->k + m, g = place(in, e, m);
      if (m == y) continue;
      sum += (in->s[f] + length * in->ds[f]) * (in->a[f] + length * in->da[f]);
      if (m == first || !in->svm->crammer_singer)
        sum += (in->t[g] + length * in->dt[g]) * (slack(in, e, m) + length * slack_change(in, e, m));
    }
  }
  return sum;
}

/* What V lacks of optimality: half the squared length of X'G - V in the norm of the inverse of R. */
static mn_status inconsistency(mn_context *ctx, struct interior *in, double *out)
{
  memcpy(in->right, in->a, in->n * in->k * sizeof *in->a);
  MN_TRY(sum_rows(ctx, in, in->right, in->dv));
  *out = 0;
  for (size_t e = 0; e < in->order; e++) {
    const double ridge = in->ridge[e % in->p], rest = in->dv[e] - ridge * in->v[e];
    if (ridge > 0) *out += rest * rest / ridge / 2;
  }
  return MN_OK;
}

/* One step, towards the present mu if the products are small enough; *moved: it could be computed. */
static mn_status step(mn_context *ctx, struct interior *in, double gap, double tolerance, bool *moved)
{
  static const double least = 1e-8;
  const size_t products = in->svm->crammer_singer ? in->k : 2 * (in->k - 1);
  const double mu = gap / (double)(in->n * products);
  size_t minor;
  compute_inverse(in);
  MN_TRY(factor(ctx, in, &minor));
  if (minor > 0) return MN_OK;
  MN_TRY(solve(ctx, in, 0, false));
  const double ratio = complementarity(in, fmin(longest(in), 1)) / gap;
  MN_TRY(solve(ctx, in, gap > tolerance ? mu * ratio * ratio * ratio : mu, true));
  const double length = fmin(REACH * longest(in), 1);
  *moved = length > least;
  if (!*moved) return MN_OK;
  for (size_t e = 0; e < in->n * in->k; e++) {
    in->a[e] += length * in->da[e];
    in->s[e] += length * in->ds[e];
    in->t[e] += length * in->dt[e];
  }
  for (size_t e = 0; e < in->order; e++) in->v[e] += length * in->dv[e];
  MN_TRY(differences(ctx, in, in->v, in->u));
  for (size_t e = 0; e < in->n * in->k; e++) in->u[e] += 1;
  return MN_OK;
}

/* Write the variables back. */
static mn_status finish(mn_context *ctx, struct interior *in)
{
  mn_svm_multiclass *w = in->svm;
  const size_t k = in->k;
  for (size_t y = 0; y < k; y++)
    for (size_t e = in->start[y]; e < in->start[y + 1]; e++)
      for (size_t m = 0; m < k; m++)
        w->a[in->row[e] * k + m] = m == y ? 0 : fmin(fmax(in->a[e * k + m], 0), cost(in, e));
  for (size_t m = 0; m < k; m++) {
    for (size_t j = 0; j < w->p; j++) w->v[j * k + m] = in->v[m * in->p + j] / in->scale[j];
    if (in->p > w->p) w->c[m] = in->v[m * in->p + w->p];
  }
  MN_TRY(sum_rows(ctx, in, in->a, in->dv));
  for (size_t m = 0; in->p > w->p && m < k; m++) w->sum[m] = in->dv[m * in->p + w->p];
  return MN_OK;
}

mn_status mn_svm_multiclass_interior(mn_context *ctx, mn_svm_multiclass *w, double tolerance, int64_t max_steps,
                                     int64_t *steps)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct interior in;
  bool moved = true;
  MN_TRY(init(ctx, w, &in));
  start(&in);
  for (*steps = 0; moved && *steps < MAX_STEPS && *steps < max_steps; ++*steps) {
    const double gap = complementarity(&in, 0);
    double rest;
    MN_TRY(inconsistency(ctx, &in, &rest));
    if (!(gap + rest > tolerance)) break;
    moved = false;
    MN_TRY(step(ctx, &in, gap, tolerance, &moved));
    MN_TRY(mn_poll(ctx));
  }
  MN_TRY(finish(ctx, &in));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
