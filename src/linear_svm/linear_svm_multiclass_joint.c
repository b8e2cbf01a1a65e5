/* A step of all free variables of the dual of linear_svm_multiclass.c together. Those are the a_im above 0, and below
 * C_i unless the loss is that of Crammer & Singer; where the a_im of a row have reached their largest sum, the steps of
 * the row keep it. With E_im = e_y - e_m, y the class of row i, the equations are
 *
 *     E_im (x_i V + c) + ridge_i step_im = dD / da_im,      V = sum_jl x_j step_jl E_jl,
 *                                                           c = inverse_rho sum_jl step_jl E_jl
 *
 * A Cholesky factorization solves those of few variables, conjugate gradients those of many. Their preconditioner is
 * the inverse of the part of the matrix that belongs to one row, q (I + 1 1') + ridge_i I with
 * q = |x_i|^2 + inverse_rho. Each row of the step is projected to its bounds. */
#include "../factorization/lapack.h"
#include "linear_svm_kernel.h"
#include "linear_svm_multiclass.h"
#include <string.h>

enum { MAX_CG = 100, MAX_DIRECT = 1000 /* free variables, of which a matrix is factored */ };

struct joint {
  mn_svm_multiclass *w;
  size_t rows, *row, *start; /* those with free variables; rows + 1: where their variables begin */
  bool *keeps_sum;           /* rows: the steps of the row must have sum 0 */
  size_t count;              /* of the free variables */
  int32_t *class;            /* count */
  double *slope, *step, *residual, *direction, *image, *scaled; /* count each */
  double *v, *c, *sum;                                          /* p x k, k, k: of direction */
  double *g, *target;                                           /* k: workspace */
  int rounds;                                                   /* of conjugate gradients */
  bool direct;                                                  /* a matrix is factored */
  double inverse_rho; /* of the rounds, or, if the matrix is factored, larger for intercepts without penalty */
};

static size_t class_of(const struct joint *t, size_t e)
{
  return (size_t)t->w->data->code[t->row[e]];
}

static double *variable(const struct joint *t, size_t e, size_t f)
{
  return t->w->a + t->row[e] * t->w->k + (size_t)t->class[f];
}

/* List the free variables of row i. */
static void add_row(struct joint *t, size_t i)
{
  const mn_svm_multiclass *w = t->w;
  const double *a = w->a + i * w->k, cost = mn_svm_multiclass_cost(w, i), nearly = cost * (1 - 1e-12);
  const size_t begin = t->count;
  double own = 0;
  for (size_t m = 0; m < w->k; m++) {
    own += a[m];
    if (a[m] > 0 && (w->crammer_singer || w->squared || a[m] < cost)) t->class[t->count++] = (int32_t)m;
  }
  t->keeps_sum[t->rows] = w->crammer_singer && own >= nearly;
  if (t->count <= begin + t->keeps_sum[t->rows]) {
    t->count = begin;
    return;
  }
  t->row[t->rows] = i;
  t->start[++t->rows] = t->count;
}

static mn_status init(mn_context *ctx, mn_svm_multiclass *w, struct joint *t)
{
  size_t positive = 0;
  for (size_t e = 0; e < w->n * w->k; e++) positive += w->a[e] > 0;
  *t = (struct joint){ .w = w,
                       .row = MN_RAW(ctx, size_t, w->n, 1),
                       .start = MN_NEW(ctx, size_t, w->n + 1, 1),
                       .keeps_sum = MN_NEW(ctx, bool, w->n, 1),
                       .class = MN_RAW(ctx, int32_t, positive, 1),
                       .v = MN_RAW(ctx, double, w->p, w->k),
                       .c = MN_RAW(ctx, double, w->k, 4) };
  if (!t->row || !t->start || !t->keeps_sum || !t->class || !t->v || !t->c) return MN_NO_MEMORY;
  t->sum = t->c + w->k;
  t->g = t->sum + w->k;
  t->target = t->g + w->k;
  for (size_t i = 0; i < w->n; i++) add_row(t, i);
  double *buffer = MN_NEW(ctx, double, t->count, 6);
  MN_CHECK_ALLOC(buffer);
  double **parts[] = { &t->slope, &t->step, &t->residual, &t->direction, &t->image, &t->scaled };
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) *parts[k] = buffer + k * t->count;
  return MN_OK;
}

/* t->g = scores of a row */
static void row_scores(const struct joint *t, size_t e, const double *v, const double *c)
{
  const double *at;
  const int32_t *col;
  const size_t size = mn_svm_multiclass_row(t->w, t->row[e], &at, &col);
  memcpy(t->g, c, t->w->k * sizeof *t->g);
  mn_svm_row_scores(size, t->w->k, at, col, v, t->g);
}

static void compute_slopes(struct joint *t)
{
  for (size_t m = 0; m < t->w->k; m++) t->c[m] = t->w->c[m] + (t->inverse_rho - t->w->inverse_rho) * t->w->sum[m];
  for (size_t e = 0; e < t->rows; e++) {
    const double ridge = mn_svm_multiclass_ridge(t->w, t->row[e]);
    row_scores(t, e, t->w->v, t->c);
    for (size_t f = t->start[e]; f < t->start[e + 1]; f++)
      t->slope[f] = t->residual[f] = 1 - t->g[class_of(t, e)] + t->g[t->class[f]] - ridge * *variable(t, e, f);
  }
}

/* V, c and the sums of the direction; its curvature of D. */
static double transpose_direction(struct joint *t)
{
  const size_t k = t->w->k;
  double curvature = 0;
  memset(t->v, 0, t->w->p * k * sizeof *t->v);
  memset(t->sum, 0, k * sizeof *t->sum);
  for (size_t e = 0; e < t->rows; e++) {
    const double *at, ridge = mn_svm_multiclass_ridge(t->w, t->row[e]);
    const int32_t *col;
    const size_t size = mn_svm_multiclass_row(t->w, t->row[e], &at, &col);
    memset(t->g, 0, k * sizeof *t->g);
    for (size_t f = t->start[e]; f < t->start[e + 1]; f++) {
      t->g[class_of(t, e)] += t->direction[f];
      t->g[t->class[f]] -= t->direction[f];
      curvature += ridge * t->direction[f] * t->direction[f];
    }
    mn_svm_row_step(size, k, at, col, t->g, t->v);
    for (size_t m = 0; m < k; m++) t->sum[m] += t->g[m];
  }
  for (size_t j = 0; j < t->w->p * k; j++) curvature += t->v[j] * t->v[j];
  for (size_t m = 0; m < k; m++) {
    t->c[m] = t->inverse_rho * t->sum[m];
    curvature += t->c[m] * t->sum[m];
  }
  return curvature;
}

/* image = the matrix times direction; returns the curvature. */
static double multiply(struct joint *t)
{
  const double curvature = transpose_direction(t);
  for (size_t e = 0; e < t->rows; e++) {
    const double ridge = mn_svm_multiclass_ridge(t->w, t->row[e]);
    row_scores(t, e, t->v, t->c);
    for (size_t f = t->start[e]; f < t->start[e + 1]; f++)
      t->image[f] = t->g[class_of(t, e)] - t->g[t->class[f]] + ridge * t->direction[f];
  }
  return curvature;
}

/* scaled = the preconditioner times residual; returns their product. */
static double precondition(struct joint *t)
{
  double product = 0;
  for (size_t e = 0; e < t->rows; e++) {
    const size_t begin = t->start[e], end = t->start[e + 1];
    const double q = t->w->square[t->row[e]], h = fmax(q + mn_svm_multiclass_ridge(t->w, t->row[e]), DBL_MIN);
    double total = 0;
    for (size_t f = begin; f < end; f++) total += t->residual[f];
    const double shift = total * (t->keeps_sum[e] ? 1 / (double)(end - begin) : q / (h + q * (double)(end - begin)));
    for (size_t f = begin; f < end; f++) {
      t->scaled[f] = (t->residual[f] - shift) / h;
      product += t->scaled[f] * t->residual[f];
    }
  }
  return product;
}

/* Squared length of direction in the norm that the preconditioner belongs to. */
static double preconditioned_length(const struct joint *t)
{
  double sum = 0;
  for (size_t e = 0; e < t->rows; e++) {
    const double q = t->w->square[t->row[e]], h = q + mn_svm_multiclass_ridge(t->w, t->row[e]);
    double total = 0;
    for (size_t f = t->start[e]; f < t->start[e + 1]; f++) {
      total += t->direction[f];
      sum += h * t->direction[f] * t->direction[f];
    }
    sum += q * total * total;
  }
  return sum;
}

/* With many free variables D is linear along some directions: follow one up to the first variable that becomes 0. */
static void add_flat_direction(struct joint *t)
{
  double length = INFINITY;
  for (size_t e = 0; e < t->rows; e++)
    for (size_t f = t->start[e]; f < t->start[e + 1]; f++)
      if (t->direction[f] < 0) length = fmin(length, (*variable(t, e, f) + t->step[f]) / -t->direction[f]);
  for (size_t f = 0; length > 0 && length < INFINITY && f < t->count; f++) t->step[f] += length * t->direction[f];
}

static mn_status conjugate_gradients(mn_context *ctx, struct joint *t, double tolerance)
{
  static const double flat = 1e-10;
  double now = precondition(t), before = 1;
  const double target = tolerance * tolerance * now;
  for (t->rounds = 0; t->rounds < MAX_CG && now > target; t->rounds++) {
    for (size_t f = 0; f < t->count; f++)
      t->direction[f] = t->scaled[f] + (t->rounds > 0 ? now / before * t->direction[f] : 0);
    const double curvature = multiply(t);
    if (!(curvature > flat * preconditioned_length(t))) {
      add_flat_direction(t);
      break;
    }
    for (size_t f = 0; f < t->count; f++) {
      t->step[f] += now / curvature * t->direction[f];
      t->residual[f] -= now / curvature * t->image[f];
    }
    before = now;
    now = precondition(t);
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

/* direction of a row = from its variables to those after `length` times the step, within the bounds. */
static void project_row(struct joint *t, size_t e, double length)
{
  const mn_svm_multiclass *w = t->w;
  const size_t begin = t->start[e], count = t->start[e + 1] - begin;
  const double limit = w->squared ? INFINITY : mn_svm_multiclass_cost(w, t->row[e]);
  t->target[0] = 0;
  for (size_t f = 0; f < count; f++) {
    const double next = *variable(t, e, begin + f) + length * t->step[begin + f];
    t->target[0] += next;
    t->target[f + 1] = -next;
    t->g[f + 1] = -fmin(fmax(next, 0), limit);
  }
  if (w->crammer_singer) mn_svm_project_row(count + 1, 0, limit, t->target, t->g);
  for (size_t f = 0; f < count; f++) t->direction[begin + f] = -t->g[f + 1] - *variable(t, e, begin + f);
}

/* Unknowns of the system of equations: the changes of the variables, without the last one of rows that keep their sum,
 * where E_im becomes e_l - e_m with l the class of that last one. */
static size_t count_unknowns(const struct joint *t)
{
  size_t unknowns = t->count;
  for (size_t e = 0; e < t->rows; e++) unknowns -= t->keeps_sum[e];
  return unknowns;
}

static size_t unknowns_of(const struct joint *t, size_t e)
{
  return t->start[e + 1] - t->start[e] - t->keeps_sum[e];
}

/* The class with +1 in the E of a row. */
static int32_t reference(const struct joint *t, size_t e)
{
  return t->keeps_sum[e] ? t->class[t->start[e + 1] - 1] : (int32_t)class_of(t, e);
}

/* The rows of the lower triangle of the matrix that belong to the unknowns of row e; dense holds x_e. */
static void fill_row(const struct joint *t, size_t e, const double *dense, double *matrix, size_t first, size_t n)
{
  const int32_t *own = t->class + t->start[e], r = reference(t, e);
  size_t column = 0;
  for (size_t o = 0; o <= e; o++) {
    const double *at;
    const int32_t *col, *other = t->class + t->start[o], s = reference(t, o);
    const size_t size = mn_svm_multiclass_row(t->w, t->row[o], &at, &col), columns = unknowns_of(t, o);
    const double product = mn_svm_row_dot(size, at, col, dense) + t->inverse_rho;
    for (size_t i = 0; i < unknowns_of(t, e); i++)
      for (size_t j = 0; j < columns; j++)
        matrix[(first + i) * n + column + j] =
            product * ((r == s) - (r == other[j]) - (own[i] == s) + (own[i] == other[j]));
    column += columns;
  }
  for (size_t i = 0; i < unknowns_of(t, e); i++)
    matrix[(first + i) * (n + 1)] += mn_svm_multiclass_ridge(t->w, t->row[e]);
}

static mn_status fill_matrix(mn_context *ctx, const struct joint *t, double *matrix, double *right, size_t n)
{
  double *dense = MN_NEW(ctx, double, t->w->p, 1);
  MN_CHECK_ALLOC(dense);
  for (size_t e = 0, first = 0; e < t->rows; first += unknowns_of(t, e++)) {
    const double *at, last = t->keeps_sum[e] ? t->slope[t->start[e + 1] - 1] : 0;
    const int32_t *col;
    const size_t size = mn_svm_multiclass_row(t->w, t->row[e], &at, &col);
    for (size_t i = 0; i < size; i++) dense[col ? (size_t)col[i] : i] = at[i];
    fill_row(t, e, dense, matrix, first, n);
    for (size_t i = 0; i < size; i++) dense[col ? (size_t)col[i] : i] = 0;
    for (size_t i = 0; i < unknowns_of(t, e); i++) right[first + i] = t->slope[t->start[e] + i] - last;
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

/* The step by a Cholesky factorization. D may be linear along some directions, in which the step would be huge; so the
 * diagonal is raised, the more the less the projection left of the step before. */
static mn_status solve_directly(mn_context *ctx, struct joint *t)
{
  const size_t n = count_unknowns(t);
  double *matrix = MN_NEW(ctx, double, n, n), *right = MN_RAW(ctx, double, n, 1), largest = 0;
  size_t minor;
  if (!matrix || !right) return MN_NO_MEMORY;
  MN_TRY(fill_matrix(ctx, t, matrix, right, n));
  for (size_t i = 0; i < n; i++) largest = fmax(largest, matrix[i * (n + 1)]);
  for (size_t i = 0; i < n; i++) matrix[i * (n + 1)] += t->w->damping * largest;
  MN_TRY(mn_chol_try(ctx, n, matrix, NULL, &minor));
  if (minor > 0) return MN_OK; /* no step */
  MN_TRY(mn_chol_apply(ctx, n, 1, matrix, right));
  for (size_t e = 0; e < t->rows; e++) {
    double total = 0;
    for (size_t i = 0; i < unknowns_of(t, e); i++, right++) {
      t->step[t->start[e] + i] = *right;
      total += *right;
    }
    if (t->keeps_sum[e]) t->step[t->start[e + 1] - 1] = -total;
  }
  return MN_OK;
}

/* The step projected to the bounds, into direction; false if D does not rise along it. */
static bool project_step(struct joint *t, double *gain)
{
  enum { HALVINGS = 10 };
  double length = 1;
  for (int attempt = 0; attempt < HALVINGS; attempt++, length /= 2) {
    *gain = 0;
    for (size_t e = 0; e < t->rows; e++) project_row(t, e, length);
    for (size_t f = 0; f < t->count; f++) *gain += t->slope[f] * t->direction[f];
    if (*gain > 0) return true;
  }
  return false;
}

/* Returns the increase of D. */
static double apply_step(struct joint *t, double gain)
{
  mn_svm_multiclass *w = t->w;
  const double curvature = transpose_direction(t), length = curvature > gain ? gain / curvature : 1;
  for (size_t e = 0; e < t->rows; e++)
    for (size_t f = t->start[e]; f < t->start[e + 1]; f++) {
      double *a = variable(t, e, f);
      *a = fmax(*a + length * t->direction[f], 0);
    }
  for (size_t j = 0; j < w->p * w->k; j++) w->v[j] += length * t->v[j];
  for (size_t m = 0; m < w->k; m++) {
    w->c[m] += length * w->inverse_rho * t->sum[m];
    w->sum[m] += length * t->sum[m];
  }
  return length * (gain - length / 2 * curvature);
}

/* Damping as of Levenberg and Marquardt, from the ratio of the increase of D to that expected without bounds. After a
 * good step the intercepts are those at which the sums of g would be 0. */
static void adapt(struct joint *t, double ratio)
{
  static const double least = 1e-12, most = 1, factor = 10, good = 0.5, bad = 0.1;
  mn_svm_multiclass *w = t->w;
  if (!(ratio > bad)) w->damping = fmin(w->damping * factor, most);
  if (!(ratio > good)) return;
  w->damping = fmax(w->damping / factor, least);
  for (size_t m = 0; m < w->k; m++) w->c[m] += (t->inverse_rho - w->inverse_rho) * w->sum[m];
}

mn_status mn_svm_multiclass_joint_step(mn_context *ctx, mn_svm_multiclass *w, double tolerance, double *gain)
{
  static const double factor = 1e3;
  const mn_mark mark = mn_scratch_mark(ctx);
  struct joint t;
  double first_order, expected = 0;
  MN_TRY(init(ctx, w, &t));
  t.direct = t.count <= MAX_DIRECT;
  t.inverse_rho = w->inverse_rho * (t.direct && w->intercept == MN_SVM_FREE ? factor : 1);
  compute_slopes(&t);
  MN_TRY(t.direct ? solve_directly(ctx, &t) : conjugate_gradients(ctx, &t, tolerance));
  for (size_t f = 0; f < t.count; f++) expected += t.slope[f] * t.step[f] / 2;
  *gain = project_step(&t, &first_order) ? apply_step(&t, first_order) : 0;
  if (t.direct) adapt(&t, *gain / expected);
  *gain = t.direct ? INFINITY : *gain / (t.rounds + 1);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
