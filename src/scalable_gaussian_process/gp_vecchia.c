#include "gp_vecchia.h"
#include "../core/rng.h"
#include "../core/threads.h"
#include "../factorization/lapack.h"
#include "../search/candidates.h"
#include "../stats/argsort.h"
#include "../gaussian_process/gp_mean.h"
#include "../stats/special.h"
#include <math.h>
#include <string.h>

static double squared_distance(size_t d, const double *a, const double *b)
{
  double sum = 0;
  for (size_t j = 0; j < d; j++) sum += (a[j] - b[j]) * (a[j] - b[j]);
  return sum;
}

/* --- order --- */

static mn_status maxmin_order(mn_context *ctx, size_t n, size_t d, const double *x, size_t *order)
{
  double *center = MN_NEW(ctx, double, d, 1), *distance = MN_RAW(ctx, double, n, 1);
  if (!center || !distance) return MN_NO_MEMORY;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < d; j++) center[j] += x[i * d + j] / (double)n;
  size_t next = 0;
  for (size_t i = 0; i < n; i++) {
    if (squared_distance(d, x + i * d, center) < squared_distance(d, x + next * d, center)) next = i;
    distance[i] = INFINITY;
  }
  for (size_t place = 0; place < n; place++) {
    const double *last = x + next * d;
    double farthest = -1;
    order[place] = next;
    distance[next] = -1; /* taken */
    for (size_t i = 0; i < n; i++) {
      if (distance[i] < 0) continue;
      distance[i] = fmin(distance[i], squared_distance(d, x + i * d, last));
      if (distance[i] > farthest) {
        farthest = distance[i];
        next = i;
      }
    }
    if (place % 64 == 0) MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

mn_status mn_vecchia_find_order(mn_context *ctx, mn_vecchia_order kind, size_t n, size_t d, const double *x,
                                int64_t seed, size_t *order)
{
  for (size_t i = 0; i < n; i++) order[i] = i;
  if (kind == MN_VECCHIA_MAXMIN) return maxmin_order(ctx, n, d, x, order);
  if (kind == MN_VECCHIA_RANDOM) {
    mn_rng rng = mn_stream(seed, 0);
    mn_shuffle(&rng, order, n);
    return MN_OK;
  }
  double *sum = MN_NEW(ctx, double, n, 1);
  MN_CHECK_ALLOC(sum);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < d; j++) sum[i] += x[i * d + j];
  return mn_argsort(ctx, n, sum, 1, order);
}

/* --- neighbors --- */

enum { SEARCH_ROWS = 64 };

struct neighbor_search {
  mn_blocks blocks;
  size_t n, d, k;
  const double *x, *query; /* query NULL: the rows before each row */
  mn_candidate *heap;      /* k for each worker */
  int32_t *found;
};

static void sort_indexes(size_t n, int32_t *v)
{
  for (size_t i = 1; i < n; i++) {
    const int32_t item = v[i];
    size_t j = i;
    for (; j > 0 && v[j - 1] > item; j--) v[j] = v[j - 1];
    v[j] = item;
  }
}

static void search_task(void *work, size_t block, size_t worker)
{
  const struct neighbor_search *s = work;
  mn_candidate *heap = s->heap + worker * s->k;
  for (size_t i = mn_block_begin(&s->blocks, block); i < mn_block_end(&s->blocks, block); i++) {
    const double *at = (s->query ? s->query : s->x) + i * s->d;
    const size_t limit = s->query ? s->n : i, count = limit < s->k ? limit : s->k;
    int32_t *found = s->found + i * s->k;
    mn_heap_clear(heap, count);
    for (size_t j = 0; count > 0 && j < limit; j++)
      mn_heap_offer(heap, count, (mn_candidate){ squared_distance(s->d, s->x + j * s->d, at), (int32_t)j });
    for (size_t j = 0; j < s->k; j++) found[j] = j < count ? heap[j].index : -1;
    sort_indexes(count, found);
  }
}

mn_status mn_vecchia_neighbors(mn_context *ctx, size_t n, size_t d, const double *x, size_t queries,
                               const double *query, size_t k, int32_t *found)
{
  struct neighbor_search s = { .n = n, .d = d, .k = k, .x = x, .query = query, .found = found };
  s.blocks = mn_make_blocks(queries, SEARCH_ROWS, queries);
  s.heap = MN_RAW(ctx, mn_candidate, k + 1, mn_threads(ctx));
  MN_CHECK_ALLOC(s.heap);
  return mn_parallel(ctx, s.blocks.count, search_task, &s);
}

/* --- one row and its neighbors --- */

struct conditional {
  size_t p;      /* neighbors */
  double *x;     /* p + 1 rows of d columns, the row itself last */
  double *a, *l; /* (p + 1) x (p + 1): A; p x p */
  double *right; /* p x (1 + columns): [A_Ni r_N], then inv(A_NN) of these */
  double variance, jitter;
  bool failed;
};

static mn_status gather(mn_context *ctx, const mn_kernel *kernel, const mn_vecchia_problem *problem,
                        const int32_t *neighbor, const double *row, struct conditional *c)
{
  const size_t d = problem->rows.d;
  size_t p = 0;
  while (p < problem->m && neighbor[p] >= 0) p++;
  *c = (struct conditional){ .p = p,
                             .x = MN_RAW(ctx, double, p + 1, d),
                             .a = MN_RAW(ctx, double, p + 1, p + 1),
                             .l = MN_RAW(ctx, double, p + 1, p + 1),
                             .right = MN_RAW(ctx, double, p + 1, 1 + problem->columns) };
  if (!c->x || !c->a || !c->l || !c->right) return MN_NO_MEMORY;
  for (size_t i = 0; i < p; i++) memcpy(c->x + i * d, problem->rows.x + (size_t)neighbor[i] * d, d * sizeof *c->x);
  memcpy(c->x + p * d, row, d * sizeof *c->x);
  const mn_kernel_rows rows = { .n = p + 1, .d = d, .x = c->x };
  MN_TRY(mn_kernel_matrix(ctx, kernel, &rows, c->a, p + 1));
  for (size_t i = 0; i <= p; i++) c->a[i * (p + 2)] += problem->noise;
  return MN_OK;
}

/* Solve with a diagonal raised by c->jitter. */
static mn_status solve(mn_context *ctx, const mn_vecchia_problem *problem, const int32_t *neighbor,
                       struct conditional *c)
{
  const size_t p = c->p, width = 1 + problem->columns;
  size_t minor;
  for (size_t i = 0; i < p; i++) {
    memcpy(c->l + i * p, c->a + i * (p + 1), p * sizeof *c->l);
    c->l[i * (p + 1)] += c->jitter;
    c->right[i * width] = c->a[p * (p + 1) + i];
    memcpy(c->right + i * width + 1, problem->r + (size_t)neighbor[i] * problem->columns,
           problem->columns * sizeof *c->right);
  }
  MN_TRY(mn_chol_try(ctx, p, c->l, NULL, &minor));
  c->failed = minor > 0;
  if (c->failed) return MN_OK;
  MN_TRY(mn_chol_lower(ctx, p, width, c->l, c->right));
  c->variance = c->a[(p + 1) * (p + 1) - 1] + c->jitter;
  for (size_t i = 0; i < p; i++) c->variance -= c->right[i * width] * c->right[i * width];
  return mn_chol_upper(ctx, p, width, c->l, c->right);
}

/* positive: the variance must be > 0. */
static mn_status condition(mn_context *ctx, const mn_kernel *kernel, const mn_vecchia_problem *problem,
                           const int32_t *neighbor, const double *row, bool positive, struct conditional *c)
{
  static const double least_part = 1e-13, first_jitter = 1e-10, last_jitter = 1e-2;
  double mean = 0;
  MN_TRY(gather(ctx, kernel, problem, neighbor, row, c));
  for (size_t i = 0; i <= c->p; i++) mean += c->a[i * (c->p + 2)] / (double)(c->p + 1);
  for (double part = 0; part <= 1.01 * last_jitter; part = part == 0 ? first_jitter : 10 * part) {
    c->jitter = part * mean;
    MN_TRY(solve(ctx, problem, neighbor, c));
    if (!c->failed && positive) c->failed = !(c->variance > least_part * mean);
    if (!c->failed) return MN_OK;
  }
  return MN_OK;
}

/* --- all rows, in parallel; each worker has a context of its own --- */

enum { BLOCK_ROWS = 32 };

struct job {
  const mn_kernel *kernel;
  const mn_vecchia_problem *problem;
  mn_vecchia_state *state;
  const mn_kernel_rows *at; /* of predictions */
  double *means, *variance; /* of predictions */
  double *parts;            /* blocks x thetas: of the gradient */
  size_t thetas;
  mn_blocks blocks;
  mn_context **worker;
  mn_status (*row)(mn_context *ctx, const struct job *job, size_t i, size_t block);
};

static void job_task(void *work, size_t block, size_t worker)
{
  const struct job *job = work;
  mn_context *ctx = job->worker[worker];
  const mn_mark start = mn_scratch_mark(ctx);
  mn_mark mark = start;
  for (size_t i = mn_block_begin(&job->blocks, block); i < mn_block_end(&job->blocks, block); i++) {
    if (mn_error_status(ctx) != MN_OK || job->row(ctx, job, i, block) != MN_OK) return;
    if (mn_scratch_recycle(ctx, &mark) != MN_OK) return;
  }
  mn_scratch_release(ctx, start);
}

static mn_status run(mn_context *ctx, struct job *job, size_t rows)
{
  const mn_blocks blocks = mn_make_blocks(rows, BLOCK_ROWS, rows);
  const size_t workers = mn_threads(ctx) < blocks.count ? mn_threads(ctx) : blocks.count;
  job->blocks = blocks;
  job->worker = MN_NEW(ctx, mn_context *, workers, 1);
  job->parts = MN_NEW(ctx, double, blocks.count, job->thetas + 1);
  if (!job->worker || !job->parts) return MN_NO_MEMORY;
  mn_status status = mn_worker_contexts_new(ctx, workers, job->worker);
  if (status == MN_OK) status = mn_parallel(ctx, blocks.count, job_task, job);
  if (status == MN_OK) status = mn_worker_contexts_status(ctx, workers, job->worker);
  mn_worker_contexts_free(workers, job->worker);
  return status;
}

/* --- likelihood --- */

mn_status mn_vecchia_new(mn_context *ctx, const mn_vecchia_problem *p, mn_vecchia_state *s)
{
  const size_t n = p->rows.n, h = p->columns - p->q;
  *s = (mn_vecchia_state){ .precision = MN_NEW(ctx, double, h + 1, h + 1),
                           .b = MN_NEW(ctx, double, h + 1, p->q),
                           .error = MN_RAW(ctx, double, n, p->columns),
                           .weight = MN_RAW(ctx, double, n, p->m + 1),
                           .solved = MN_RAW(ctx, double, n * p->columns, p->m + 1),
                           .log_variance = MN_RAW(ctx, double, n, 1),
                           .jitters = MN_RAW(ctx, double, n, 1) };
  return s->precision && s->b && s->error && s->weight && s->solved && s->log_variance && s->jitters ? MN_OK
                                                                                                     : MN_NO_MEMORY;
}

static mn_status likelihood_row(mn_context *ctx, const struct job *job, size_t i, size_t block)
{
  const mn_vecchia_problem *problem = job->problem;
  const size_t columns = problem->columns, stride = problem->m + 1;
  const int32_t *neighbor = problem->neighbor + i * problem->m;
  mn_vecchia_state *s = job->state;
  struct conditional c;
  (void)block;
  MN_TRY(condition(ctx, job->kernel, problem, neighbor, problem->rows.x + i * problem->rows.d, true, &c));
  s->jitters[i] = c.jitter;
  s->log_variance[i] = c.failed ? (double)NAN : log(c.variance);
  if (c.failed) return MN_OK;
  const double scale = 1 / sqrt(c.variance);
  double *w = s->weight + i * stride, *v = s->error + i * columns;
  for (size_t j = 0; j < c.p; j++) w[j] = -c.right[j * (1 + columns)] * scale;
  w[c.p] = scale;
  for (size_t t = 0; t < columns; t++) {
    double *solved = s->solved + (i * columns + t) * stride;
    v[t] = scale * problem->r[i * columns + t];
    for (size_t j = 0; j < c.p; j++) {
      v[t] += w[j] * problem->r[(size_t)neighbor[j] * columns + t];
      solved[j] = c.right[j * (1 + columns) + 1 + t];
    }
    solved[c.p] = 0;
  }
  return MN_OK;
}

/* With the residual of target t, e_t = v_t - v_h'b_t and u_t = inv(A_NN) of that of the neighbors, the row contributes
 * x'dA w to the derivative, x = sum_t e_t (u_t + e_t w / 2) - q w / 2, here with the symmetric part of x w'. */
static mn_status gradient_row(mn_context *ctx, const struct job *job, size_t i, size_t block)
{
  const mn_vecchia_problem *problem = job->problem;
  const mn_vecchia_state *s = job->state;
  const size_t q = problem->q, columns = problem->columns, d = problem->rows.d, stride = problem->m + 1;
  const int32_t *neighbor = problem->neighbor + i * problem->m;
  const double *w = s->weight + i * stride, *v = s->error + i * columns;
  size_t p = 0;
  while (p < problem->m && neighbor[p] >= 0) p++;
  double *x = MN_RAW(ctx, double, p + 1, d), *left = MN_RAW(ctx, double, p + 1, 1),
         *outer = MN_RAW(ctx, double, p + 1, p + 1), *g = MN_RAW(ctx, double, job->thetas, 1);
  if (!x || !left || !outer || !g) return MN_NO_MEMORY;
  for (size_t j = 0; j <= p; j++) {
    memcpy(x + j * d, problem->rows.x + (j < p ? (size_t)neighbor[j] : i) * d, d * sizeof *x);
    left[j] = -0.5 * (double)q * w[j];
  }
  for (size_t t = 0; t < q; t++) {
    const double *solved = s->solved + i * columns * stride;
    double e = v[t];
    for (size_t k = q; k < columns; k++) e -= v[k] * s->b[(k - q) * q + t];
    for (size_t j = 0; j <= p; j++) {
      double u = solved[t * stride + j];
      for (size_t k = q; k < columns; k++) u -= solved[k * stride + j] * s->b[(k - q) * q + t];
      left[j] += e * (u + 0.5 * e * w[j]);
    }
  }
  for (size_t j = 0; j <= p; j++)
    for (size_t k = 0; k <= j; k++) outer[j * (p + 1) + k] = (left[j] * w[k] + left[k] * w[j]) / 2;
  const mn_kernel_rows rows = { .n = p + 1, .d = d, .x = x };
  MN_TRY(mn_kernel_gradient_dot(ctx, job->kernel, &rows, outer, p + 1, g));
  for (size_t k = 0; k < job->thetas; k++) job->parts[block * job->thetas + k] += g[k];
  return MN_OK;
}

/* The sums over the rows, in their order. */
static mn_status add_up(mn_context *ctx, const mn_vecchia_problem *p, mn_vecchia_state *s)
{
  const size_t n = p->rows.n, c = p->columns;
  double *square = MN_NEW(ctx, double, c, c), log_det = 0, sum;
  bool failed;
  MN_CHECK_ALLOC(square);
  s->log_likelihood = (double)NAN;
  s->jitter = 0;
  for (size_t i = 0; i < n; i++) {
    log_det += s->log_variance[i];
    s->jitter = fmax(s->jitter, s->jitters[i]);
  }
  if (!isfinite(log_det)) return MN_OK;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < c; j++)
      for (size_t k = 0; k < c; k++) square[j * c + k] += s->error[i * c + j] * s->error[i * c + k];
  MN_TRY(mn_gp_eliminate_mean(ctx, p->q, c, square, s->precision, s->b, &sum, &failed));
  if (!failed) s->log_likelihood = -0.5 * (sum + (double)p->q * (log_det + (double)n * MN_LOG_2PI));
  return MN_OK;
}

mn_status mn_vecchia_evaluate(mn_context *ctx, const mn_kernel *kernel, const mn_vecchia_problem *p,
                              mn_vecchia_state *s, double *gradient)
{
  struct job job = { .kernel = kernel, .problem = p, .state = s, .row = likelihood_row };
  MN_TRY(run(ctx, &job, p->rows.n));
  MN_TRY(add_up(ctx, p, s));
  if (!gradient || !isfinite(s->log_likelihood)) return MN_OK;
  job.row = gradient_row;
  job.thetas = mn_kernel_free_count(kernel);
  MN_TRY(run(ctx, &job, p->rows.n));
  mn_sum_blocks(job.blocks.count, job.thetas, job.parts, gradient);
  return MN_OK;
}

/* --- predictions --- */

static mn_status predict_row(mn_context *ctx, const struct job *job, size_t i, size_t block)
{
  const mn_vecchia_problem *problem = job->problem;
  const size_t columns = problem->columns;
  const int32_t *neighbor = problem->neighbor + i * problem->m;
  struct conditional c;
  (void)block;
  MN_TRY(condition(ctx, job->kernel, problem, neighbor, job->at->x + i * job->at->d, false, &c));
  for (size_t t = 0; t < columns; t++) {
    double sum = 0;
    for (size_t j = 0; j < c.p; j++) sum += c.a[c.p * (c.p + 1) + j] * c.right[j * (1 + columns) + 1 + t];
    job->means[i * columns + t] = c.failed ? (double)NAN : sum;
  }
  job->variance[i] = c.failed ? (double)NAN : fmax(c.variance - c.jitter, 0);
  return MN_OK;
}

mn_status mn_vecchia_predict(mn_context *ctx, const mn_kernel *kernel, const mn_vecchia_problem *p,
                             const mn_kernel_rows *at, double *means, double *variance)
{
  struct job job = {
    .kernel = kernel, .problem = p, .at = at, .means = means, .variance = variance, .row = predict_row
  };
  return run(ctx, &job, at->n);
}
