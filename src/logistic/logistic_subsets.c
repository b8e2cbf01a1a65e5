#include "logistic_subsets.h"
#include "../factorization/lapack.h"
#include "logistic_kernel.h"
#include "logistic_sample.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_BLOCKS = 32, CHUNK_VALUES = 1 << 15, MAX_STEPS = MN_LOGISTIC_SUBSET_STEPS };

/* The objectives of `n` subsets as columns, padded to `width`. */
struct objectives {
  const mn_logistic_objective *o;
  size_t p, n, width, chunk;
  mn_blocks blocks;
  float *signed_weight; /* rows x width: how often the row occurs, negative for the first class */
  double *b, *c;        /* p x width, width                                  */
  double *score, *loss; /* workers x chunk x width                           */
  double *part;         /* blocks x (p + 2) x width: gradients by b and c, losses */
  double *sum;          /* (p + 2) x width                                   */
};

/* The solver of one subset. Points are p coefficients and the intercept. */
struct minimizer {
  mn_logistic_sample start;
  double *x, *gradient, *next, *next_gradient, *direction; /* p + 1 */
  double value, next_value, slope;
  double *step, *change; /* MAX_STEPS x (p + 1): differences of points and of gradients */
  double product[MAX_STEPS], factor[MAX_STEPS];
  size_t steps;
  bool active;
};

/* --- all objectives in one pass --- */

struct filling {
  struct objectives *f;
  const mn_row_list *subset;
  mn_blocks blocks;
};

/* The first place of an ascending list whose row is at least `row`. */
static size_t first_place(const mn_row_list *list, size_t row)
{
  size_t low = 0, high = row > 0 ? list->n : 0;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (list->at[middle] < row)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void fill_rows(void *work, size_t block, size_t worker)
{
  const struct filling *fill = work;
  const size_t width = fill->f->width, begin = mn_block_begin(&fill->blocks, block);
  const size_t end = mn_block_end(&fill->blocks, block);
  const int32_t *code = fill->f->o->data->code;
  float *v = fill->f->signed_weight;
  (void)worker;
  memset(v + begin * width, 0, (end - begin) * width * sizeof *v);
  for (size_t s = 0; s < fill->f->n; s++) {
    const mn_row_list *list = &fill->subset[s];
    for (size_t i = first_place(list, begin); i < list->n && list->at[i] < end; i++)
      v[list->at[i] * width + s] += code[list->at[i]] ? 1 : -1;
  }
}

static bool is_ascending(const mn_row_list *list)
{
  bool ascending = true;
  for (size_t i = 1; i < list->n; i++) ascending &= list->at[i - 1] <= list->at[i];
  return ascending;
}

/* Blocks of rows at a time, if each subset is in ascending order. */
static mn_status fill_signed_weights(mn_context *ctx, struct objectives *f, const mn_row_list *subset)
{
  const size_t rows = f->o->data->rows;
  struct filling fill = { .f = f, .subset = subset, .blocks = f->blocks };
  bool ascending = true;
  for (size_t s = 0; s < f->n; s++) ascending = ascending && is_ascending(&subset[s]);
  if (!ascending) fill.blocks = mn_make_blocks(rows, rows, 1);
  return mn_parallel(ctx, fill.blocks.count, fill_rows, &fill);
}

static mn_status alloc_objectives(mn_context *ctx, struct objectives *f)
{
  const size_t rows = f->o->data->rows, values = (f->p + 2) * f->width;
  f->chunk = (CHUNK_VALUES / f->p + 4) & ~(size_t)3;
  f->blocks = mn_make_blocks(rows, f->chunk, MAX_BLOCKS);
  f->signed_weight = MN_RAW(ctx, float, rows, f->width);
  f->b = MN_NEW(ctx, double, f->p, f->width);
  f->c = MN_NEW(ctx, double, f->width, 1);
  f->score = MN_RAW(ctx, double, mn_threads(ctx) * f->chunk, f->width);
  f->loss = MN_RAW(ctx, double, mn_threads(ctx) * f->chunk, f->width);
  f->part = MN_RAW(ctx, double, f->blocks.count, values);
  f->sum = MN_RAW(ctx, double, values, 1);
  const bool allocated = f->signed_weight && f->b && f->c && f->score && f->loss && f->part && f->sum;
  return allocated ? MN_OK : MN_NO_MEMORY;
}

static void evaluate_rows(void *work, size_t block, size_t worker)
{
  const struct objectives *f = work;
  const size_t p = f->p, width = f->width, end = mn_block_end(&f->blocks, block);
  double *z = f->score + worker * f->chunk * width, *loss = f->loss + worker * f->chunk * width;
  double *sum = f->part + block * (p + 2) * width;
  memset(sum, 0, (p + 2) * width * sizeof *sum);
  for (size_t begin = mn_block_begin(&f->blocks, block); begin < end; begin += f->chunk) {
    const size_t n = end - begin < f->chunk ? end - begin : f->chunk;
    const double *x = f->o->data->x.at + begin * p;
    mn_thin_scores(n, p, width, x, f->b, f->c, z);
    mn_signed_logistic_loss(n * width, f->signed_weight + begin * width, z, loss);
    mn_thin_gradient(n, p, width, x, z, sum);
    mn_add_row_sums(n, width, z, sum + p * width);
    mn_add_row_sums(n, width, loss, sum + (p + 1) * width);
  }
}

/* The objectives and gradients of all minimizers at their points `next`. */
static mn_status evaluate_all(mn_context *ctx, struct objectives *f, struct minimizer *m)
{
  const size_t p = f->p, width = f->width;
  for (size_t s = 0; s < f->n; s++) {
    for (size_t j = 0; j < p; j++) f->b[j * width + s] = m[s].next[j];
    f->c[s] = m[s].next[p];
  }
  MN_TRY(mn_parallel(ctx, f->blocks.count, evaluate_rows, f));
  mn_sum_blocks(f->blocks.count, (p + 2) * width, f->part, f->sum);
  for (size_t s = 0; s < f->n; s++) {
    double square = 0;
    for (size_t j = 0; j < p; j++) {
      const double b = m[s].next[j];
      square += b * b;
      m[s].next_gradient[j] = f->o->C * f->sum[j * width + s] + f->o->penalty * b;
    }
    m[s].next_gradient[p] = f->o->fit_intercept ? f->o->C * f->sum[p * width + s] : 0;
    m[s].next_value = f->o->C * f->sum[(p + 1) * width + s] + f->o->penalty / 2 * square;
  }
  return MN_OK;
}

/* --- one minimizer --- */

static double dot(size_t n, const double *a, const double *b)
{
  double sum = 0;
  for (size_t j = 0; j < n; j++) sum += a[j] * b[j];
  return sum;
}

static void add(size_t n, double factor, const double *from, double *to)
{
  for (size_t j = 0; j < n; j++) to[j] += factor * from[j];
}

/* v = inv(H) v with the Hessian of the sample: the intercept is eliminated, as in newton_step of logistic_newton.c. */
static mn_status apply_inverse_hessian(mn_context *ctx, const struct objectives *f, const struct minimizer *m,
                                       double *v)
{
  const size_t p = f->p;
  add(p, -v[p], m->start.mean, v);
  MN_TRY(mn_chol_apply(ctx, p, 1, m->start.factor, v));
  v[p] = f->o->fit_intercept ? v[p] / fmax(m->start.intercept_curvature, DBL_MIN) - dot(p, m->start.mean, v) : 0;
  return MN_OK;
}

/* Two-loop recursion over all steps: Nocedal & Wright, algorithm 7.4. Sets `next`. */
static mn_status propose(mn_context *ctx, const struct objectives *f, struct minimizer *m)
{
  const size_t q = f->p + 1;
  double *d = m->direction;
  for (size_t j = 0; j < q; j++) d[j] = -m->gradient[j];
  for (size_t i = m->steps; i-- > 0;) {
    m->factor[i] = dot(q, m->step + i * q, d) / m->product[i];
    add(q, -m->factor[i], m->change + i * q, d);
  }
  MN_TRY(apply_inverse_hessian(ctx, f, m, d));
  for (size_t i = 0; i < m->steps; i++)
    add(q, m->factor[i] - dot(q, m->change + i * q, d) / m->product[i], m->step + i * q, d);
  m->slope = dot(q, m->gradient, d);
  for (size_t j = 0; j < q; j++) m->next[j] = m->x[j] + d[j];
  return MN_OK;
}

/* Take a step that lowers the objective by less than the tolerance, which need not be evaluated. */
static bool finish(mn_context *ctx, struct minimizer *m, size_t q, double tol, mn_logistic_solution *solution)
{
  const double share = -m->slope / 2 / fmax(fabs(m->value), 1);
  if (!(share <= tol)) return true;
  memcpy(m->x, m->next, q * sizeof *m->x);
  solution->found = true;
  solution->report->change = share;
  m->active = false;
  return mn_record_round(ctx, solution->report, m->value);
}

static void move(struct minimizer *m, size_t q)
{
  memcpy(m->x, m->next, q * sizeof *m->x);
  memcpy(m->gradient, m->next_gradient, q * sizeof *m->x);
  m->value = m->next_value;
}

/* Accept `next` if it descends enough. Sets solution->found at the minimum, and m->active. */
static bool accept_next(mn_context *ctx, struct minimizer *m, size_t q, double tol, mn_logistic_solution *solution)
{
  const double before = m->value, slack = 4 * DBL_EPSILON * fabs(before);
  double *step = m->step + m->steps * q, *change = m->change + m->steps * q;
  m->active = m->slope <= 0 && m->next_value <= before + 1e-4 * m->slope + slack;
  if (!m->active) return true;
  for (size_t j = 0; j < q; j++) {
    step[j] = m->next[j] - m->x[j];
    change[j] = m->next_gradient[j] - m->gradient[j];
  }
  m->product[m->steps] = dot(q, step, change);
  if (m->product[m->steps] > DBL_EPSILON * dot(q, change, change)) m->steps++;
  move(m, q);
  solution->report->change = (before - m->value) / fmax(fmax(fabs(before), fabs(m->value)), 1);
  solution->found = solution->report->change <= tol;
  m->active = !solution->found;
  return mn_record_round(ctx, solution->report, m->value);
}

static mn_status alloc_minimizer(mn_context *ctx, const struct objectives *f, struct minimizer *m)
{
  const size_t q = f->p + 1;
  double **vector[] = { &m->x, &m->gradient, &m->next, &m->next_gradient, &m->direction };
  for (size_t i = 0; i < sizeof vector / sizeof *vector; i++) {
    *vector[i] = MN_RAW(ctx, double, q, 1);
    MN_CHECK_ALLOC(*vector[i]);
  }
  m->step = MN_RAW(ctx, double, MAX_STEPS, q);
  m->change = MN_RAW(ctx, double, MAX_STEPS, q);
  if (!m->step || !m->change) return MN_NO_MEMORY;
  return mn_logistic_sample_init(ctx, f->p, &m->start);
}

/* All samples use the same memory. */
static mn_status start_minimizers(mn_context *ctx, const struct objectives *f, const mn_row_list *subset,
                                  struct minimizer *m)
{
  for (size_t s = 0; s < f->n; s++) MN_TRY(alloc_minimizer(ctx, f, &m[s]));
  mn_mark mark = mn_scratch_mark(ctx);
  for (size_t s = 0; s < f->n; s++) {
    MN_TRY(mn_logistic_solve_sample(ctx, f->o, subset[s].at, subset[s].n, &m[s].start));
    memcpy(m[s].next, m[s].start.b, f->p * sizeof *m[s].next);
    m[s].next[f->p] = m[s].start.c;
    MN_TRY(mn_scratch_recycle(ctx, &mark));
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* --- all minimizers --- */

/* The first evaluation. A start that is no better than 0 is left to a single fit. */
static mn_status evaluate_starts(mn_context *ctx, struct objectives *f, const mn_row_list *subset, struct minimizer *m)
{
  MN_TRY(evaluate_all(ctx, f, m));
  for (size_t s = 0; s < f->n; s++) {
    move(&m[s], f->p + 1);
    m[s].active = m[s].value < f->o->C * (double)subset[s].n * log(2);
  }
  return MN_OK;
}

static mn_status iterate(mn_context *ctx, struct objectives *f, struct minimizer *m, double tol,
                         mn_logistic_solution *solution)
{
  bool any = true;
  for (int step = 0; any && step < MAX_STEPS; step++) {
    any = false;
    for (size_t s = 0; s < f->n; s++) {
      if (m[s].active) MN_TRY(propose(ctx, f, &m[s]));
      if (m[s].active && !finish(ctx, &m[s], f->p + 1, tol, &solution[s])) return mn_error_status(ctx);
      any = any || m[s].active;
    }
    if (any) MN_TRY(evaluate_all(ctx, f, m));
    for (size_t s = 0; s < f->n; s++)
      if (m[s].active && !accept_next(ctx, &m[s], f->p + 1, tol, &solution[s])) return mn_error_status(ctx);
  }
  return MN_OK;
}

mn_status mn_logistic_fit_subsets(mn_context *ctx, const mn_logistic_objective *o, const mn_row_list *subset, size_t n,
                                  double tol, mn_logistic_solution *solution)
{
  struct objectives f = { .o = o, .p = o->data->features, .n = n, .width = (n + 3) & ~(size_t)3 };
  struct minimizer *m = MN_NEW(ctx, struct minimizer, n, 1);
  MN_CHECK_ALLOC(m);
  MN_TRY(alloc_objectives(ctx, &f));
  MN_TRY(fill_signed_weights(ctx, &f, subset));
  MN_TRY(start_minimizers(ctx, &f, subset, m));
  MN_TRY(evaluate_starts(ctx, &f, subset, m));
  MN_TRY(iterate(ctx, &f, m, tol, solution));
  for (size_t s = 0; s < n; s++) {
    solution[s].b = m[s].x;
    solution[s].c = m[s].x[f.p];
  }
  return MN_OK;
}
