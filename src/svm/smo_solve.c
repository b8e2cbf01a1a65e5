#include "smo.h"
#include "../core/threads.h"
#include "../kernel_methods/kernel_model.h"
#include "smo_kernel.h"
#include "smo_state.h"
#include <math.h>
#include <string.h>

enum { LEAST_SET = 64, LARGEST_SET = 512 }; /* variables of a working set                             */
enum { ALL_IN_SET = 256 };                  /* variables that always form one set                     */
enum { LEAST_ROWS = 64 };                   /* rows in the cache, however small cache_size is         */
enum { BLOCK = 2048 };                      /* columns of a parallel task */
enum { EXACT_ROWS = 64 };                   /* kernel rows of a block when f is computed again */
enum { IDLE_ROUNDS = 64 };                  /* rounds without a decrease that rounding would show */
enum { SHRINK_ROUNDS = 4 };                 /* rounds between two attempts to shrink */

/* --- f --- */

struct update {
  size_t count, n;
  const void **row;
  const double *step;
  bool single;
  double *f;
};

static void update_block(void *work, size_t block, size_t worker)
{
  const struct update *u = work;
  (void)worker;
  const size_t begin = block * BLOCK, n = u->n - begin < BLOCK ? u->n - begin : BLOCK;
  if (u->single)
    mn_smo_add_rows32(u->count, (const float *const *)u->row, u->step, begin, n, u->f + begin);
  else
    mn_smo_add_rows64(u->count, (const double *const *)u->row, u->step, begin, n, u->f + begin);
}

static mn_status update(mn_context *ctx, struct update *u)
{
  return u->count == 0 ? MN_OK : mn_parallel(ctx, (u->n + BLOCK - 1) / BLOCK, update_block, u);
}

/* f += steps of the working set. */
static mn_status move_f(mn_context *ctx, mn_smo_state *s)
{
  const mn_smo_set *w = &s->set;
  struct update u = { .n = s->active_rows, .row = s->changed, .step = s->step, .single = s->cache.single, .f = s->f };
  for (size_t k = 0; k < w->count; k++) {
    if (s->step[k] == 0) continue;
    s->step[u.count] = s->step[k];
    s->changed[u.count++] = mn_row_cache_row(&s->cache, w->position[k]);
  }
  s->exact = s->exact && !s->cache.single;
  return update(ctx, &u);
}

/* All rows are active; f = K b, in float64. */
static mn_status compute_f(mn_context *ctx, mn_smo_state *s)
{
  const mn_smo *p = s->p;
  const size_t n = s->n;
  const mn_mark mark = mn_scratch_mark(ctx);
  double *block = MN_RAW(ctx, double, EXACT_ROWS, n), step[EXACT_ROWS];
  MN_CHECK_ALLOC(block);
  const void *row[EXACT_ROWS];
  size_t index[EXACT_ROWS], count = 0;
  for (size_t k = 0; k < EXACT_ROWS; k++) row[k] = block + k * n;
  memset(s->f, 0, n * sizeof *s->f);
  for (size_t r = 0; r <= n; r++) {
    if (count == EXACT_ROWS || (r == n && count > 0)) {
      MN_TRY(mn_kernel_plan_rows(ctx, s->plan, count, index, n, NULL, block, NULL, n));
      MN_TRY(update(ctx, &(struct update){ .count = count, .n = n, .row = row, .step = step, .f = s->f }));
      count = 0;
    }
    const double b = r == n ? 0 : p->sign[r] * p->alpha[r] + (p->copies == 2 ? p->sign[n + r] * p->alpha[n + r] : 0);
    if (b == 0) continue;
    index[count] = r;
    step[count++] = b;
  }
  mn_scratch_release(ctx, mark);
  s->exact = true;
  return MN_OK;
}

/* --- active rows --- */

/* Make the plan of the active rows. */
static mn_status begin_phase(mn_context *ctx, mn_smo_state *s)
{
  const mn_smo *p = s->p;
  mn_scratch_release(ctx, s->phase);
  for (size_t r = 0; r < s->n; r++) s->position[r] = SIZE_MAX;
  for (size_t k = 0; k < s->active_rows; k++) s->position[s->active[k]] = k;
  s->rows = p->rows;
  if (s->active_rows < s->n)
    MN_TRY(mn_kernel_select_rows(ctx, p->kernel, &p->rows, s->active_rows, s->active, &s->rows));
  MN_TRY(mn_kernel_plan_new(ctx, p->kernel, &s->rows, &s->plan));
  s->round = mn_scratch_mark(ctx);
  return MN_OK;
}

static mn_status activate_all(mn_context *ctx, mn_smo_state *s)
{
  if (s->active_rows == s->n) return MN_OK;
  s->active_rows = s->n;
  for (size_t r = 0; r < s->n; r++) s->active[r] = r;
  mn_row_cache_clear(&s->cache, s->n);
  return begin_phase(ctx, s);
}

/* Whether a variable is at a bound where it will probably stay. */
static bool stays_at_bound(const mn_smo_state *s, size_t t)
{
  const unsigned g = mn_smo_group(s->p, t);
  return (s->free_to[t] == MN_SMO_UP && s->v[t] < s->down[g]) || (s->free_to[t] == MN_SMO_DOWN && s->v[t] > s->up[g]);
}

/* Remove rows whose variables are expected to stay at a bound, if they are a fourth at least. */
static mn_status shrink(mn_context *ctx, mn_smo_state *s)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  size_t *keep = MN_RAW(ctx, size_t, s->active_rows, 1), count = 0;
  MN_CHECK_ALLOC(keep);
  for (size_t k = 0; k < s->active_rows; k++) {
    const size_t r = s->active[k];
    if (!stays_at_bound(s, r) || (s->p->copies == 2 && !stays_at_bound(s, s->n + r))) keep[count++] = k;
  }
  if (count > s->active_rows / 4 * 3 || count < 2) {
    mn_scratch_release(ctx, mark);
    return MN_OK;
  }
  mn_row_cache_take(&s->cache, count, keep);
  for (size_t k = 0; k < count; k++) {
    s->f[k] = s->f[keep[k]];
    s->active[k] = s->active[keep[k]];
  }
  s->active_rows = count;
  s->exact = false;
  return begin_phase(ctx, s);
}

/* --- the stopping test --- */

/* v, the directions that are free, their extremes by group, and the violation. */
static mn_status measure(mn_context *ctx, mn_smo_state *s)
{
  const mn_smo *p = s->p;
  double largest = 0;
  bool finite = true;
  for (unsigned g = 0; g < 2; g++) {
    s->up[g] = -INFINITY;
    s->down[g] = INFINITY;
  }
  for (size_t copy = 0; copy < p->copies; copy++)
    for (size_t k = 0; k < s->active_rows; k++) {
      const size_t t = copy * s->n + s->active[k];
      const unsigned g = mn_smo_group(p, t);
      const double v = -(s->f[k] + p->sign[t] * p->linear[t]), size = fabs(s->f[k]) + fabs(p->linear[t]);
      const unsigned char free_to = mn_smo_free_to(p, t);
      s->v[t] = v;
      s->free_to[t] = free_to;
      if (free_to & MN_SMO_UP && v > s->up[g]) s->up[g] = v;
      if (free_to & MN_SMO_DOWN && v < s->down[g]) s->down[g] = v;
      if (size > largest) largest = size;
      if (!(size < 1e200)) finite = false;
    }
  if (!finite)
    return mn_fail(
        ctx, MN_BAD_DATA,
        "%s: sums of kernel values are too large for floating-point numbers; scale the columns of X or the sample weights",
        s->who);
  s->violation = 0;
  for (unsigned g = 0; g < s->groups; g++)
    if (s->up[g] - s->down[g] > s->violation) s->violation = s->up[g] - s->down[g];
  s->floor = 32 * DBL_EPSILON * largest;
  return MN_OK;
}

/* The multiplier of a group: the mean of v of the variables between their bounds, which are equal at the solution up to
 * the violation; without any, the middle of the range that the others admit. */
static double multiplier(const mn_smo_state *s, unsigned group)
{
  double sum = 0, count = 0;
  for (size_t t = 0; t < s->p->copies * s->n; t++)
    if (s->free_to[t] == (MN_SMO_UP | MN_SMO_DOWN) && mn_smo_group(s->p, t) == group) {
      sum += s->v[t];
      count++;
    }
  if (count > 0) return sum / count;
  const double up = s->up[group], down = s->down[group];
  return isinf(up) ? (isinf(down) ? 0 : down) : isinf(down) ? up : up + (down - up) / 2;
}

/* Objective, multipliers and gap, when f holds for all rows. */
static void evaluate(mn_smo_state *s)
{
  mn_smo *p = s->p;
  double square = 0, linear = 0, gap = 0, total = 0, largest = 0;
  bool has_linear = false;
  for (unsigned g = 0; g < s->groups; g++) p->offset[g] = multiplier(s, g);
  if (s->groups == 1) p->offset[1] = p->offset[0];
  for (size_t t = 0; t < p->copies * s->n; t++) {
    const double a = p->alpha[t], g = p->sign[t] * (p->offset[mn_smo_group(p, t)] - s->v[t]);
    square += p->sign[t] * a * s->f[t % s->n];
    linear += p->linear[t] * a;
    gap += g > 0 ? a * g : (p->bound[t] - a) * -g;
    total += a;
    has_linear = has_linear || p->linear[t] != 0;
    largest = fmax(largest, s->diagonal[t % s->n]);
  }
  s->least_gap = has_linear ? 0 : 1e-14 * total * total * largest;
  p->square = square;
  p->objective = square / 2 + linear;
  p->gap = s->set.indefinite || square < -1e-10 * total * total * largest ? (double)NAN
                                                                          : gap; /* without convexity it is no bound */
  p->violation = s->violation;
}

/* --- rounds --- */

static mn_status record(mn_context *ctx, mn_smo *p, bool *go_on)
{
  p->n_iter++;
  *go_on = !p->report || mn_round(ctx, p->report, p->max_iter, p->objective);
  return p->report ? MN_OK : mn_poll(ctx);
}

/* Compute f for all rows, and measure the violation. */
static mn_status make_exact(mn_context *ctx, mn_smo_state *s)
{
  MN_TRY(activate_all(ctx, s));
  if (!s->exact) MN_TRY(compute_f(ctx, s));
  return measure(ctx, s);
}

/* Variables of a working set: half of the rows, but not less than 64 nor more than 512, and no more than fit in the
 * cache; all of two a row if there are few, since large C may leave one of each row between its bounds. */
static size_t set_size(size_t n, size_t copies, size_t slots)
{
  size_t size = n / 2 < LEAST_SET ? LEAST_SET : n / 2 > LARGEST_SET ? LARGEST_SET : n / 2;
  if (copies == 2 && 2 * n <= ALL_IN_SET && slots >= n) return 2 * n > 2 ? 2 * n : 2;
  if (size > slots) size = slots;
  return size > 2 ? size : 2;
}

static mn_status start(mn_context *ctx, mn_smo_state *s)
{
  mn_smo *p = s->p;
  const size_t n = s->n, variables = p->copies * n;
  s->active = MN_RAW(ctx, size_t, n, 1);
  s->position = MN_RAW(ctx, size_t, n, 1);
  s->diagonal = MN_RAW(ctx, double, n, 1);
  s->v = MN_RAW(ctx, double, variables, 1);
  s->free_to = MN_RAW(ctx, unsigned char, variables, 1);
  if (!s->active || !s->position || !s->diagonal || !s->v || !s->free_to) return MN_NO_MEMORY;
  MN_TRY(mn_row_cache_init(ctx, &s->cache, n, p->cache_size * 1e6, LEAST_ROWS));
  MN_TRY(mn_smo_set_init(ctx, s, set_size(n, p->copies, s->cache.slots)));
  MN_TRY(mn_kernel_diagonal(ctx, p->kernel, &p->rows, s->diagonal));
  s->step = MN_RAW(ctx, double, s->set.limit, 1);
  s->changed = MN_RAW(ctx, const void *, s->set.limit, 1);
  if (!s->step || !s->changed) return MN_NO_MEMORY;
  s->phase = mn_scratch_mark(ctx);
  s->active_rows = n;
  for (size_t r = 0; r < n; r++) s->active[r] = r;
  MN_TRY(begin_phase(ctx, s));
  MN_TRY(compute_f(ctx, s));
  return measure(ctx, s);
}

/* Whether to move free variables together in this round: when pairs have taken many rounds, often if the working set
 * can hold all free variables, else rarely, since then it costs more and gains less. */
static bool moves_together(const mn_smo_state *s)
{
  enum { SLOW = 48, OFTEN = 4, VERY_SLOW = 256, RARELY = 32 };
  const mn_smo *p = s->p;
  size_t count = 0;
  if (p->n_iter < SLOW || p->n_iter % OFTEN != 0) return false;
  for (size_t t = 0; t < p->copies * s->n; t++) count += p->alpha[t] > 0 && p->alpha[t] < p->bound[t];
  return count <= s->set.limit / 4 * 3 || (p->n_iter >= VERY_SLOW && p->n_iter % RARELY == 0);
}

/* One round. *moved: whether a variable has changed. */
static mn_status run_round(mn_context *ctx, mn_smo_state *s, double tol, bool *moved)
{
  const bool together = moves_together(s);
  double decrease;
  mn_smo_choose(s, together);
  MN_TRY(mn_row_cache_fetch(ctx, &s->cache, s->plan, s->set.n_rows, s->set.rows));
  MN_TRY(mn_scratch_recycle(ctx, &s->round));
  MN_TRY(mn_smo_minimize(ctx, s, together ? tol / 10 : tol, together, &decrease));
  *moved = decrease > 0;
  s->idle = decrease > DBL_EPSILON * fabs(s->p->objective) ? 0 : s->idle + 1;
  s->p->objective -= decrease;
  MN_TRY(move_f(ctx, s));
  return measure(ctx, s);
}

/* Whether the result is good enough; then f is exact. Else *tol is the violation to reach next. */
static mn_status is_done(mn_context *ctx, mn_smo_state *s, double *tol, bool *done)
{
  const mn_smo *p = s->p;
  *done = false;
  if (s->violation > fmax(*tol, s->floor)) return MN_OK;
  if (!s->exact) {
    MN_TRY(make_exact(ctx, s));
    if (s->violation > fmax(*tol, s->floor)) return MN_OK;
  }
  evaluate(s);
  *done = isnan(p->gap) || p->gap <= fmax(p->tol * fabs(p->objective), s->least_gap) || s->violation <= s->floor;
  if (!*done) *tol = fmin(*tol, s->violation) / 4;
  return MN_OK;
}

static mn_status run(mn_context *ctx, mn_smo_state *s)
{
  mn_smo *p = s->p;
  double tol = p->tol;
  bool done = false, go_on = true, moved = true;
  evaluate(s);
  p->start = p->objective;
  MN_TRY(is_done(ctx, s, &tol, &done));
  while (go_on && !done && p->n_iter < p->max_iter) {
    const bool was_exact = s->exact;
    const double local = s->set.limit >= s->active_rows ? fmax(tol, s->floor) / 2 : fmax(tol / 2, s->violation / 10);
    MN_TRY(run_round(ctx, s, local, &moved));
    MN_TRY(record(ctx, p, &go_on));
    if ((!moved && was_exact) || s->idle == IDLE_ROUNDS) break;
    if (!moved) MN_TRY(make_exact(ctx, s));
    MN_TRY(is_done(ctx, s, &tol, &done));
    if (!done && p->shrinking && p->n_iter % SHRINK_ROUNDS == 0) MN_TRY(shrink(ctx, s));
  }
  if (p->n_iter == 0) MN_TRY(record(ctx, p, &go_on));
  MN_TRY(make_exact(ctx, s));
  evaluate(s);
  p->converged = p->violation <= p->tol;
  return MN_OK;
}

mn_status mn_smo_solve(mn_context *ctx, const char *who, mn_smo *p)
{
  mn_smo_state s = { .who = who, .p = p, .n = p->rows.n, .groups = p->by_sign ? 2 : 1, .f = p->product };
  MN_TRY(start(ctx, &s));
  return run(ctx, &s);
}
