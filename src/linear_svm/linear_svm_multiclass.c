/* Support vector machines for k classes at once: minimize over w_m and c_m
 *
 *     1/2 sum_m |w_m|^2 + sum_i C_i loss_i,      z_m = x_i w_m + c_m, y the class of row i,
 *
 *     Crammer & Singer (JMLR 2, 2001):    loss_i = max over m of max(0, 1 - z_y + z_m), m other than y
 *     Weston & Watkins (ESANN 1999):      loss_i = sum over m of max(0, 1 - z_y + z_m), or of its square
 *
 * With a_im >= 0 for the classes m other than y, and g_iy = sum_m a_im, g_im = -a_im, the dual is
 *
 *     maximize sum a_im - 1/2 sum_m |X'g_m|^2 - ridge_i / 2 sum a_im^2,      w_m = X'g_m,
 *
 * where sum_m a_im <= C_i, or a_im <= C_i, or of squared losses ridge_i = 1 / (2 C_i). Intercepts without penalty
 * demand sum_i g_im = 0 for each m, which the method of multipliers meets as in linear_svm_dual.c. Rows are visited in
 * random order, and all variables of a row change together: Keerthi, Sundararajan, Chang, Hsieh & Lin, KDD 2008. Where
 * that converges slowly, the free variables of all rows are moved together (linear_svm_multiclass_joint.c). Single rows
 * find slowly which variables are at a bound if most of them are; where columns and classes are few, an interior point
 * method takes over for losses that are not squared (linear_svm_multiclass_interior.c). */
#include "../core/rng.h"
#include "linear_svm_kernel.h"
#include "linear_svm_multiclass.h"
#include <string.h>

enum {
  ROWS_PER_POLL = 1 << 10,
  ROUNDS_PER_CHECK = 10,
  LIMIT_STEP = 4,
  ROW_PASSES = 5,
  MOST_WAITS = 4,
  INTERIOR_AFTER = 50
};

size_t mn_svm_multiclass_row(const mn_svm_multiclass *w, size_t i, const double **at, const int32_t **col)
{
  const mn_csr *x = w->data->sparse;
  *at = x ? x->at + x->start[i] : mn_row(&w->data->x, i);
  *col = x ? x->col + x->start[i] : NULL;
  return x ? x->start[i + 1] - x->start[i] : w->p;
}

double mn_svm_multiclass_cost(const mn_svm_multiclass *w, size_t i)
{
  return w->m->C * mn_weight(w->data, i);
}

double mn_svm_multiclass_ridge(const mn_svm_multiclass *w, size_t i)
{
  return w->squared ? 1 / (2 * mn_svm_multiclass_cost(w, i)) : 0;
}

static mn_status init(mn_context *ctx, const struct mn_linear_svm_model *m, const mn_data *data, mn_svm_multiclass *w)
{
  const size_t n = data->rows, p = data->features, k = data->classes;
  double mean_square = 0;
  *w = (mn_svm_multiclass){
    .m = m, .data = data, .n = n, .p = p, .k = k, .active = n, .threshold = INFINITY, .damping = 1e-6
  };
  w->crammer_singer = m->multi_class == MN_SVM_CRAMMER_SINGER;
  w->squared = !w->crammer_singer && m->loss == MN_SVM_SQUARED;
  w->intercept = mn_svm_intercept_of(m);
  w->a = MN_NEW(ctx, double, n, k);
  w->v = MN_NEW(ctx, double, p, k);
  w->best_v = MN_NEW(ctx, double, p, k);
  w->square = MN_NEW(ctx, double, n, 1);
  w->order = MN_RAW(ctx, size_t, n, 1);
  w->c = MN_NEW(ctx, double, k, 6);
  if (!w->a || !w->v || !w->best_v || !w->square || !w->order || !w->c) return MN_NO_MEMORY;
  double **parts[] = { &w->sum, &w->z, &w->step, &w->old, &w->best_c };
  for (size_t e = 0; e < sizeof parts / sizeof *parts; e++) *parts[e] = w->c + (e + 1) * k;
  for (size_t i = 0; i < n; i++) {
    const double *at;
    const int32_t *col;
    const size_t size = mn_svm_multiclass_row(w, i, &at, &col);
    for (size_t e = 0; e < size; e++) w->square[i] += at[e] * at[e];
    mean_square += w->square[i] / (double)n;
    w->order[i] = i;
  }
  if (w->intercept == MN_SVM_PENALIZED) w->inverse_rho = m->intercept_scaling * m->intercept_scaling;
  if (w->intercept == MN_SVM_FREE) w->inverse_rho = mean_square > 0 ? 0.1 * mean_square : 1;
  for (size_t i = 0; i < n; i++) w->square[i] += w->inverse_rho;
  return MN_OK;
}

/* z (k) = scores of row i */
static void row_scores(const mn_svm_multiclass *w, size_t i, const double *v, const double *c, double *z)
{
  const double *at;
  const int32_t *col;
  const size_t size = mn_svm_multiclass_row(w, i, &at, &col);
  memcpy(z, c, w->k * sizeof *z);
  mn_svm_row_scores(size, w->k, at, col, v, z);
}

/* Solve for the variables of row i by a few passes over them, into step; the largest violation, as in
 * linear_svm_dual.c. */
static double step_weston_watkins(mn_svm_multiclass *w, size_t i)
{
  const size_t y = (size_t)w->data->code[i];
  const double q = w->square[i], r = mn_svm_multiclass_ridge(w, i),
               limit = w->squared ? INFINITY : mn_svm_multiclass_cost(w, i), h = 2 * q + r;
  double *a = w->a + i * w->k, largest = -INFINITY;
  memset(w->step, 0, w->k * sizeof *w->step);
  for (int pass = 0; pass < ROW_PASSES; pass++) {
    bool moved = false;
    for (size_t m = 0; m < w->k; m++) {
      if (m == y) continue;
      const double slope = 1 - w->z[y] + w->z[m] - r * a[m];
      const double up = a[m] < limit ? slope : -INFINITY, down = a[m] > 0 ? -slope : -INFINITY;
      if (pass == 0) largest = fmax(largest, fmax(up, down));
      const double next = h > 0 ? fmin(fmax(a[m] + slope / h, 0), limit) : slope > 0 ? limit : slope < 0 ? 0 : a[m];
      const double change = next - a[m];
      if (!(fabs(change) > 0)) continue;
      moved = true;
      w->rise += change * (slope - h / 2 * change);
      a[m] = next;
      w->z[y] += change * q;
      w->z[m] -= change * q;
      w->step[y] += change;
      w->step[m] -= change;
    }
    if (!moved) break;
  }
  return largest;
}

/* g_m = min(cap_m, target_m + beta), where beta makes their sum 0. Those at their cap are found by starting with none.
 */
void mn_svm_project_row(size_t k, size_t y, double limit, const double *target, double *g)
{
  double total = 0, beta = 0;
  size_t open = k, before;
  for (size_t m = 0; m < k; m++) {
    g[m] = 0; /* 1: at the cap */
    total += target[m];
  }
  do {
    before = open;
    beta = -total / (double)open;
    for (size_t m = 0; m < k && open > 1; m++) {
      const double cap = m == y ? limit : 0;
      if (g[m] > 0 || target[m] + beta <= cap) continue;
      g[m] = 1;
      total += cap - target[m];
      open--;
    }
  } while (open < before);
  for (size_t m = 0; m < k; m++) {
    const double cap = m == y ? limit : 0;
    g[m] = g[m] > 0 ? cap : fmin(target[m] + beta, cap);
  }
}

/* The g of the row with the largest D: the projection of g - (z + [m != y]) / q. */
static double step_crammer_singer(mn_svm_multiclass *w, size_t i)
{
  const size_t y = (size_t)w->data->code[i], k = w->k;
  const double q = fmax(w->square[i], DBL_MIN), limit = mn_svm_multiclass_cost(w, i);
  double *a = w->a + i * k, *target = w->old, most = -INFINITY, own = 0, change = 0;
  for (size_t m = 0; m < k; m++) own += a[m];
  for (size_t m = 0; m < k; m++) {
    target[m] = (m == y ? own : -a[m]) - (w->z[m] + (m != y)) / q;
    if (m != y) most = fmax(most, 1 - w->z[y] + w->z[m]);
  }
  if (own <= 0 && most <= 0) { /* the projection is 0 */
    memset(w->step, 0, k * sizeof *w->step);
    return most;
  }
  mn_svm_project_row(k, y, limit, target, w->step);
  for (size_t m = 0; m < k; m++) {
    const double next = w->step[m];
    w->step[m] = next - (m == y ? own : -a[m]);
    if (m != y) a[m] = fmax(-next, 0);
    w->rise -= w->step[m] * (w->z[m] + (m != y) + q / 2 * w->step[m]);
    change = fmax(change, fabs(w->step[m]));
  }
  return change > 0 ? change * q : own > 0 ? -DBL_MAX : most; /* at its bounds: see run_round */
}

static mn_status run_round(mn_context *ctx, mn_svm_multiclass *w, int64_t round, double *largest)
{
  mn_rng rng = mn_stream(w->m->seed, (uint64_t)round);
  double most = 0;
  w->rise = 0;
  mn_shuffle(&rng, w->order, w->active);
  for (size_t e = 0; e < w->active; e++) {
    const size_t i = w->order[e];
    const double *at;
    const int32_t *col;
    if (e % ROWS_PER_POLL == 0) MN_TRY(mn_poll(ctx));
    row_scores(w, i, w->v, w->c, w->z);
    const double found = (w->crammer_singer ? step_crammer_singer : step_weston_watkins)(w, i);
    if (found < -w->threshold) { /* far from any loss, or at its bounds */
      w->order[e] = w->order[--w->active];
      w->order[w->active] = i;
      e--;
      continue;
    }
    most = fmax(most, found);
    const size_t size = mn_svm_multiclass_row(w, i, &at, &col);
    mn_svm_row_step(size, w->k, at, col, w->step, w->v);
    for (size_t m = 0; m < w->k; m++) {
      w->sum[m] += w->step[m];
      w->c[m] += w->inverse_rho * w->step[m];
    }
  }
  for (size_t m = 0; w->intercept == MN_SVM_FREE && m < w->k; m++) w->c[m] += w->inverse_rho * w->sum[m];
  w->threshold = most > 0 ? most : INFINITY;
  *largest = most;
  return MN_OK;
}

static double row_loss(const mn_svm_multiclass *w, size_t i, const double *z)
{
  const size_t y = (size_t)w->data->code[i];
  double sum = 0, most = 0;
  for (size_t m = 0; m < w->k; m++) {
    const double loss = m == y ? 0 : fmax(1 - z[y] + z[m], 0);
    sum += w->squared ? loss * loss : loss;
    most = fmax(most, loss);
  }
  return mn_svm_multiclass_cost(w, i) * (w->crammer_singer ? most : sum);
}

static double penalty(const mn_svm_multiclass *w, const double *v, const double *c)
{
  double sum = 0;
  for (size_t e = 0; e < w->p * w->k; e++) sum += v[e] * v[e];
  for (size_t m = 0; w->intercept == MN_SVM_PENALIZED && m < w->k; m++)
    sum += c[m] * c[m] / (w->m->intercept_scaling * w->m->intercept_scaling);
  return sum / 2;
}

static mn_status primal(mn_context *ctx, mn_svm_multiclass *w, double *value)
{
  *value = penalty(w, w->v, w->c);
  for (size_t i = 0; i < w->n; i++) {
    if (i % ROWS_PER_POLL == 0) MN_TRY(mn_poll(ctx));
    row_scores(w, i, w->v, w->c, w->z);
    *value += row_loss(w, i, w->z);
  }
  return MN_OK;
}

/* Factors (k x k) for the a_im of rows of class y that make the sums of g zero: what flows out of a class in excess is
 * taken from its flow to the classes that receive too much. False if that does not suffice. */
static bool balance(const mn_svm_multiclass *w, double *flow, double *factor)
{
  const size_t k = w->k;
  double all = 0, rest = 0, *excess = w->step;
  memset(flow, 0, k * k * sizeof *flow);
  for (size_t i = 0; i < w->n; i++)
    for (size_t m = 0; m < k; m++) flow[(size_t)w->data->code[i] * k + m] += w->a[i * k + m];
  for (size_t y = 0; y < k; y++) {
    excess[y] = 0;
    for (size_t m = 0; m < k; m++) {
      excess[y] += flow[y * k + m] - flow[m * k + y];
      all += flow[y * k + m];
      factor[y * k + m] = 1;
    }
  }
  for (size_t y = 0; w->intercept == MN_SVM_FREE && y < k; y++)
    for (size_t m = 0; m < k; m++) {
      const double taken = fmin(fmin(excess[y], -excess[m]), flow[y * k + m]);
      if (!(taken > 0)) continue;
      factor[y * k + m] = 1 - taken / flow[y * k + m];
      excess[y] -= taken;
      excess[m] += taken;
    }
  for (size_t y = 0; w->intercept == MN_SVM_FREE && y < k; y++) rest = fmax(rest, fabs(excess[y]));
  return rest <= 1e-14 * all;
}

/* The dual at a feasible point near a. */
static mn_status dual(mn_context *ctx, mn_svm_multiclass *w, double *value)
{
  const size_t k = w->k;
  const mn_mark mark = mn_scratch_mark(ctx);
  double *flow = MN_RAW(ctx, double, k, k), *factor = MN_RAW(ctx, double, k, k), *v = MN_NEW(ctx, double, w->p, k);
  double *sum = MN_NEW(ctx, double, k, 1);
  if (!flow || !factor || !v || !sum) return MN_NO_MEMORY;
  const bool feasible = balance(w, flow, factor);
  *value = 0;
  for (size_t i = 0; feasible && i < w->n; i++) {
    const size_t y = (size_t)w->data->code[i];
    const double *at;
    const int32_t *col;
    memset(w->step, 0, k * sizeof *w->step);
    if (i % ROWS_PER_POLL == 0) MN_TRY(mn_poll(ctx));
    for (size_t m = 0; m < k; m++) {
      const double a = w->a[i * k + m] * factor[y * k + m];
      *value += a - mn_svm_multiclass_ridge(w, i) / 2 * a * a;
      w->step[y] += a;
      w->step[m] -= a;
    }
    const size_t size = mn_svm_multiclass_row(w, i, &at, &col);
    mn_svm_row_step(size, k, at, col, w->step, v);
    for (size_t m = 0; m < k; m++) sum[m] += w->inverse_rho * w->step[m];
  }
  *value -= penalty(w, v, sum);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

static mn_status check_gap(mn_context *ctx, mn_svm_multiclass *w)
{
  double value, lower;
  MN_TRY(primal(ctx, w, &value));
  if (value < w->best) {
    w->best = value;
    memcpy(w->best_v, w->v, w->p * w->k * sizeof *w->v);
    memcpy(w->best_c, w->c, w->k * sizeof *w->c);
  }
  MN_TRY(dual(ctx, w, &lower));
  w->best_dual = fmax(w->best_dual, lower);
  return MN_OK;
}

/* Use the rows with a loss, or nearly so, and those with variables above 0. */
static mn_status activate(mn_context *ctx, mn_svm_multiclass *w, double slack)
{
  size_t last = w->n;
  w->active = 0;
  w->threshold = INFINITY;
  for (size_t i = 0; i < w->n; i++) {
    const size_t y = (size_t)w->data->code[i];
    double most = -INFINITY;
    if (i % ROWS_PER_POLL == 0) MN_TRY(mn_poll(ctx));
    row_scores(w, i, w->v, w->c, w->z);
    for (size_t m = 0; m < w->k; m++)
      if (m != y) most = fmax(most, w->a[i * w->k + m] > 0 ? INFINITY : 1 - w->z[y] + w->z[m]);
    w->order[most >= -slack ? w->active++ : --last] = i;
  }
  return MN_OK;
}

/* Rounds until the largest violation is at most `limit`, which is then lowered; at least one. *slow: they do not get
 * there soon. */
static mn_status run_stage(mn_context *ctx, mn_svm_multiclass *w, mn_report *report, int64_t *round, double *limit,
                           bool *keep_going, bool *slow)
{
  static const double slow_rate = 0.7;
  double largest = INFINITY, first = 0;
  for (int k = 0; k < ROUNDS_PER_CHECK && largest > *limit && *keep_going && *round < w->m->max_iter; k++) {
    MN_TRY(run_round(ctx, w, (*round)++, &largest));
    if (k == 0) first = largest;
    *keep_going = mn_round(ctx, report, w->m->max_iter, w->best);
  }
  *slow = largest > *limit && largest > slow_rate * first;
  if (largest <= *limit) *limit /= LIMIT_STEP;
  return mn_error_status(ctx);
}

/* The interior point method, from its own start, if it suits. */
static mn_status try_interior(mn_context *ctx, mn_svm_multiclass *w, mn_report *report, int64_t *round)
{
  static const double rounding = 1e-12;
  const double tolerance = fmax(w->m->tol / 10, rounding) * w->best;
  int64_t steps;
  if (!mn_svm_multiclass_suits_interior(w)) return MN_OK;
  MN_TRY(mn_svm_multiclass_interior(ctx, w, tolerance, w->m->max_iter - *round, &steps));
  *round += steps;
  report->n_iter += steps;
  MN_TRY(check_gap(ctx, w));
  report->converged = w->best - w->best_dual <= w->m->tol * w->best;
  return MN_OK;
}

static mn_status ascend(mn_context *ctx, mn_svm_multiclass *w, mn_report *report)
{
  static const double cg_tolerance = 0.01;
  double limit = 0.1, gain;
  int waits = 0, left = 0; /* stages to wait for the next joint step: one more after each that gained too little */
  bool keep_going = true, slow, tried = false;
  for (int64_t round = 0; keep_going && !report->converged && round < w->m->max_iter;) {
    MN_TRY(run_stage(ctx, w, report, &round, &limit, &keep_going, &slow));
    MN_TRY(check_gap(ctx, w));
    report->converged = w->best - w->best_dual <= w->m->tol * w->best;
    if (!report->converged && keep_going && !tried && round >= INTERIOR_AFTER) {
      tried = true;
      MN_TRY(try_interior(ctx, w, report, &round));
    }
    if (!report->converged && slow && --left < 0) {
      MN_TRY(mn_svm_multiclass_joint_step(ctx, w, cg_tolerance, &gain));
      left = waits = gain < w->rise ? (waits < MOST_WAITS ? waits + 1 : waits) : 0;
    }
    MN_TRY(activate(ctx, w, limit));
  }
  return mn_error_status(ctx);
}

/* coef and intercept; of two classes the difference, which is the score of the second one. */
static mn_status store(mn_context *ctx, const mn_svm_multiclass *w, struct mn_linear_svm_model *m)
{
  const size_t scores = mn_decisions(&m->linear.base);
  MN_TRY(mn_linear_init(ctx, &m->linear, scores, w->p));
  MN_TRY(mn_vector_init(ctx, &m->gap, scores));
  for (size_t t = 0; t < scores; t++) {
    const size_t own = scores == 1 ? 1 : t;
    m->linear.intercept.at[t] = w->best_c[own] - (scores == 1 ? w->best_c[0] : 0);
    for (size_t j = 0; j < w->p; j++)
      mn_row(&m->linear.coef, t)[j] = w->best_v[j * w->k + own] - (scores == 1 ? w->best_v[j * w->k] : 0);
    m->gap.at[t] = fmax(w->best - w->best_dual, 0);
  }
  return MN_OK;
}

mn_status mn_svm_fit_multiclass(mn_context *ctx, struct mn_linear_svm_model *m, const mn_data *data)
{
  mn_report *report = &m->linear.base.report;
  mn_svm_multiclass w;
  if (m->penalty == MN_SVM_L1 || m->dual == MN_SVM_PRIMAL)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "LinearSVC: multi_class = '%s' requires penalty = 'l2' and dual = 'auto'",
                   m->multi_class == MN_SVM_CRAMMER_SINGER ? "crammer_singer" : "weston_watkins");
  MN_TRY(mn_check_magnitudes(ctx, &m->linear.base, data));
  mn_data centered;
  double *mean = NULL;
  const bool center = mn_svm_intercept_of(m) == MN_SVM_FREE && !data->sparse;
  if (center) MN_TRY(mn_svm_center(ctx, data, &centered, &mean));
  MN_TRY(init(ctx, m, center ? &centered : data, &w));
  report->advice = mn_svm_advice;
  report->scaled_advice = mn_svm_scaled_advice;
  MN_TRY(primal(ctx, &w, &w.best));
  MN_TRY(ascend(ctx, &w, report));
  report->objective = w.best;
  report->change = fmax(w.best - w.best_dual, 0) / fmax(w.best, DBL_MIN);
  report->converged = report->converged && mn_should_continue(ctx);
  for (size_t e = 0; center && e < w.p * w.k; e++) w.best_c[e % w.k] -= mean[e / w.k] * w.best_v[e];
  return store(ctx, &w, m);
}
