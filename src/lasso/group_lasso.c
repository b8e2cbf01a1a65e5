/* Least squares with penalties on groups of coefficients, which make whole groups 0. Minimize over B (p x q) and c,
 * with n = sum_i w_i,
 *
 *     1 / (2 n) sum_i w_i |y_i - x_i B - c|^2 + alpha (l1_ratio sum_g s_g |B_g| + (1 - l1_ratio) / 2 |B|^2)
 *
 * with Frobenius norms. GroupLasso has groups of columns, s_g the root of their number, and one target. In
 * MultiTaskLasso and MultiTaskElasticNet a group is the coefficients of one column for all targets, and s_g = 1.
 *
 * Block coordinate descent on the Gram matrix: a group moves to the minimum of a quadratic upper bound whose curvature
 * L_g is the largest eigenvalue of its block, exact for a group of one column. If convergence is slow, Newton steps on
 * the nonzero groups follow (group_newton.c). Convergence is decided by the duality gap.
 *
 * Yuan & Lin, JRSS B 68 (2006); Obozinski, Taskar & Jordan, Stat. Comput. 20 (2010); Qin, Scheinberg & Goldfarb, Math.
 * Prog. Comput. 5 (2013), for the steps. */
#include "../factorization/lapack.h"
#include "../model/columns.h"
#include "group_blocks.h"
#include "../linear/coef_summary.h"
#include <string.h>

struct group_lasso {
  mn_linear linear;
  double alpha, l1_ratio, tol; /* parameters; l1_ratio: of MultiTaskElasticNet */
  mn_feature_list groups;      /* of GroupLasso */
  int64_t max_iter;
  bool fit_intercept;
  double gap; /* learned fields */
};

extern const mn_class mn_group_lasso, mn_multi_task_elastic_net;

/* Columns with equal numbers form a group; without numbers each column does. Groups are ordered by first column. */
static mn_status find_groups(mn_context *ctx, const struct group_lasso *m, mn_group_blocks *s)
{
  const size_t p = s->p;
  mn_column_groups *g = &s->groups;
  size_t at = 0;
  bool *used = MN_NEW(ctx, bool, p, 1);
  g->first = MN_RAW(ctx, size_t, p + 1, 1);
  g->member = MN_RAW(ctx, size_t, p, 1);
  g->scale = MN_RAW(ctx, double, p, 1);
  g->curvature = MN_RAW(ctx, double, p, 1);
  if (!used || !g->first || !g->member || !g->scale || !g->curvature) return MN_NO_MEMORY;
  const double *given;
  MN_TRY(mn_find_column_values(ctx, &m->linear.base, "groups", &m->groups, (double)NAN, &given));
  for (size_t j = 0; j < p; j++) {
    if (used[j]) continue;
    g->first[g->count] = at;
    for (size_t k = j; k < p; k++) {
      if (used[k] || (k != j && !(given && given[k] == given[j]))) continue;
      used[k] = true;
      g->member[at++] = k;
    }
    g->scale[g->count] = sqrt((double)(at - g->first[g->count]));
    g->count++;
  }
  g->first[g->count] = p;
  return MN_OK;
}

/* The largest eigenvalue of each group's block of the Gram matrix. */
static mn_status find_curvatures(mn_context *ctx, mn_group_blocks *s)
{
  const mn_column_groups *g = &s->groups;
  for (size_t k = 0; k < g->count; k++) {
    const mn_mark mark = mn_scratch_mark(ctx);
    const size_t *member = g->member + g->first[k], size = g->first[k + 1] - g->first[k];
    double *part = MN_RAW(ctx, double, size, size);
    MN_CHECK_ALLOC(part);
    for (size_t i = 0; i < size; i++)
      for (size_t j = 0; j < size; j++) part[i * size + j] = mn_group_gram_at(s, member[i], member[j]);
    g->curvature[k] = part[0];
    if (size > 1) MN_TRY(mn_eigh(ctx, size, 1, MN_LARGEST, part, &g->curvature[k], NULL));
    g->curvature[k] = fmax(g->curvature[k], 0) * (size > 1 ? 1 + 1e-12 : 1);
    mn_scratch_release(ctx, mark);
  }
  return MN_OK;
}

double mn_group_norm(const mn_group_blocks *s, size_t group, const double *a, double factor)
{
  double sum = 0;
  for (size_t i = s->groups.first[group]; i < s->groups.first[group + 1]; i++)
    for (size_t t = 0; t < s->q; t++) {
      const size_t at = s->groups.member[i] * s->q + t;
      const double value = a[at] - factor * s->b[at];
      sum += value * value;
    }
  return sqrt(sum);
}

/* Change B_jt by delta and update the gradient. */
static void update_coef(mn_group_blocks *s, size_t j, size_t t, double delta)
{
  s->b[j * s->q + t] += delta;
  const double *row = s->d->gram + j * (s->p + s->q);
  for (size_t i = 0; i < s->p; i++) s->g[i * s->q + t] -= delta * row[i];
}

/* One sweep over the groups. Returns the largest (L_g + l2) |delta|^2, about twice the largest gain of a step. */
static double sweep(mn_group_blocks *s)
{
  double largest = 0;
  for (size_t k = 0; k < s->groups.count; k++) {
    const double curvature = s->groups.curvature[k];
    if (!(curvature + s->l2 > 0)) continue;
    const double norm = mn_group_norm(s, k, s->g, -curvature); /* of g + L b */
    const double shrinkage = norm > 0 ? fmax(1 - s->l1 * s->groups.scale[k] / norm, 0) / (curvature + s->l2) : 0;
    const size_t *member = s->groups.member + s->groups.first[k];
    const size_t values = (s->groups.first[k + 1] - s->groups.first[k]) * s->q;
    double *next = s->g + s->p * s->q, gain = 0; /* buffer for one group, after the gradient */
    for (size_t v = 0; v < values; v++) {
      const size_t at = member[v / s->q] * s->q + v % s->q;
      next[v] = shrinkage * (s->g[at] + curvature * s->b[at]);
    }
    for (size_t v = 0; v < values; v++) {
      const size_t j = member[v / s->q], t = v % s->q;
      const double delta = next[v] - s->b[j * s->q + t];
      if (delta == 0) continue;
      update_coef(s, j, t, delta);
      s->b[j * s->q + t] = next[v];
      gain += delta * delta * (curvature + s->l2);
    }
    largest = fmax(largest, gain);
  }
  return largest;
}

/* The objective, and the duality gap of the residuals scaled until they are feasible, like scaled_gap in cd.c. */
static double objective_and_gap(const mn_group_blocks *s, double *gap)
{
  double rss = s->yy, penalty = 0, ridge = 0, largest = 0, sum = 0;
  for (size_t j = 0; j < s->p; j++)
    for (size_t t = 0; t < s->q; t++) {
      const size_t at = j * s->q + t;
      rss -= (mn_group_gram_at(s, j, s->p + t) + s->g[at]) * s->b[at];
      ridge += s->l2 * s->b[at] * s->b[at];
      sum += (s->g[at] - s->l2 * s->b[at]) * s->b[at];
    }
  for (size_t k = 0; k < s->groups.count; k++) {
    const double bound = s->l1 * s->groups.scale[k];
    if (bound > 0) largest = fmax(largest, mn_group_norm(s, k, s->g, s->l2) / bound);
    penalty += bound * mn_group_norm(s, k, s->b, 0);
  }
  rss = fmax(rss, 0);
  const double scale = largest > 1 ? 1 / largest : 1;
  *gap = (1 - scale) * (1 - scale) * (rss + ridge) / 2 + fmax(penalty - scale * sum, 0);
  if (s->l1 == 0) { /* no L1 dual: bound by strong convexity, or by the gain of single steps */
    *gap = 0;
    for (size_t k = 0; k < s->groups.count; k++) {
      const double slope = mn_group_norm(s, k, s->g, s->l2), curve = s->l2 > 0 ? s->l2 : s->groups.curvature[k];
      *gap += curve > 0 ? slope * slope / (2 * curve) : 0;
    }
  }
  return rss / 2 + penalty + ridge / 2;
}

static mn_status descend(mn_context *ctx, struct group_lasso *m, mn_group_blocks *s)
{
  mn_report *report = &m->linear.base.report;
  bool proceed = true;
  while (proceed && !report->converged && report->n_iter < m->max_iter) {
    const double gain = sweep(s), value = objective_and_gap(s, &m->gap);
    report->change = s->yy > 0 ? m->gap / s->yy : 0;
    report->converged = m->gap <= m->tol * s->yy || !(gain > MN_CD_ROUNDING * s->yy);
    proceed = mn_round(ctx, report, m->max_iter, value);
    MN_TRY(mn_poll(ctx));
    if (!report->converged && report->n_iter < m->max_iter) MN_TRY(mn_group_newton(ctx, s, report->n_iter));
  }
  return mn_error_status(ctx);
}

static mn_status init_problem(mn_context *ctx, const struct group_lasso *m, const mn_cd_data *d, mn_group_blocks *s)
{
  const size_t p = d->p, q = d->q, both = p + q;
  const bool elastic_net = m->linear.base.class == &mn_multi_task_elastic_net;
  *s = (mn_group_blocks){ .d = d, .p = p, .q = q, .l1 = m->alpha * (elastic_net ? m->l1_ratio : 1) };
  s->l2 = m->alpha - s->l1;
  s->b = MN_NEW(ctx, double, p, q);
  s->g = MN_RAW(ctx, double, 2 * p, q);
  if (!s->b || !s->g) return MN_NO_MEMORY;
  for (size_t t = 0; t < q; t++) {
    s->yy += d->gram[(p + t) * both + p + t];
    for (size_t j = 0; j < p; j++) s->g[j * q + t] = d->gram[j * both + p + t];
  }
  MN_TRY(find_groups(ctx, m, s));
  return find_curvatures(ctx, s);
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct group_lasso *m = self;
  const size_t p = data->features, q = data->y.cols;
  mn_cd_data d;
  mn_group_blocks s;
  m->linear.base.report.advice = "increase max_iter or alpha, or scale the columns";
  m->linear.base.report.scaled_advice = "increase max_iter or alpha";
  MN_TRY(mn_check_magnitudes(ctx, &m->linear.base, data));
  MN_TRY(mn_cd_prepare_gram(ctx, data, m->fit_intercept, &d));
  MN_TRY(init_problem(ctx, m, &d, &s));
  MN_TRY(descend(ctx, m, &s));
  MN_TRY(mn_linear_init(ctx, &m->linear, q, p));
  for (size_t t = 0; t < q; t++) {
    for (size_t j = 0; j < p; j++) m->linear.coef.at[t * p + j] = s.b[j * q + t];
    m->linear.intercept.at[t] = mn_cd_intercept(&d, t, m->linear.coef.at + t * p);
  }
  return MN_OK;
}

#define SHARED_PARAMS                                                                                                  \
  MN_FLAG(struct group_lasso, fit_intercept, true, "fit an intercept, which is not penalized"),                        \
      MN_COUNT(struct group_lasso, max_iter, 1000, MN_AT_LEAST(1), "maximum number of sweeps over the groups"),        \
      MN_REAL(struct group_lasso, tol, 1e-4, MN_AT_LEAST(0),                                                           \
              "stop when the duality gap is at most this fraction of the mean square of the centered y")

static const mn_param group_params[] = {
  MN_PENALTY(struct group_lasso, alpha, 1.0, MN_AT_LEAST(0), "penalty on the norms of the groups"),
  MN_COLUMN_VALUES(
      struct group_lasso, groups, MN_NO_LIMITS(),
      "group number of each column of X, or { name = number } or { [column] = number } for some; other columns are groups of their own"),
  SHARED_PARAMS,
  MN_END,
};

static const mn_param task_params[] = {
  MN_PENALTY(struct group_lasso, alpha, 1.0, MN_AT_LEAST(0), "penalty on the norm of the coefficients of each column"),
  SHARED_PARAMS,
  MN_END,
};

static const mn_param task_net_params[] = {
  MN_PENALTY(struct group_lasso, alpha, 1.0, MN_AT_LEAST(0), "strength of the combined penalty"),
  MN_PENALTY(struct group_lasso, l1_ratio, 0.5, MN_CLOSED(0, 1),
             "fraction of the norm penalty in alpha; 1 equals MultiTaskLasso"),
  SHARED_PARAMS,
  MN_END,
};

static const mn_field fields[] = {
  MN_NUMBER(struct group_lasso, gap, "duality gap, an upper bound on the objective minus its minimum"),
  MN_LINEAR_FIELDS("targets"),
  MN_END,
};

const mn_class mn_group_lasso = {
  .name = "GroupLasso",
  .family = "linear",
  .brief = "Linear least squares with a penalty that sets whole groups of columns to 0.",
  .objective = "1 / (2 n) sum_i w_i (y_i - x_i b - c)^2 + alpha sum_g sqrt(size of g) |b_g|, n = sum_i w_i",
  .source = "Yuan & Lin, JRSS B 68 (2006)",
  .notes =
      "For columns that belong together, such as the indicator columns of one factor. The Gram matrix of the columns is held in "
      "memory.",
  .example = "local X = ml.normal(60, 4, 1)\nlocal model = ml.GroupLasso{ alpha = 0.3, groups = { 1, 1, 2, 2 } }\n"
             "print(model:fit(X, X:col(1) * 3 - X:col(2)).coef)",
  .capabilities = MN_REGRESS | MN_ITERATE,
  .accepts = MN_WEIGHTS,
  .size = sizeof(struct group_lasso),
  .params = group_params,
  .fields = fields,
  .operations = mn_coef_operations,
  .fit = fit,
  MN_LINEAR_PREDICTION,
};

#define TASK_NOTES                                                                                                          \
  "A column has nonzero coefficients for all targets or for none. Targets with large values dominate the loss: scale them " \
  "first if their units differ. The Gram matrix of the columns is held in memory."

const mn_class mn_multi_task_lasso = {
  .name = "MultiTaskLasso",
  .family = "linear",
  .brief = "Lasso for several targets that select the same columns.",
  .objective =
      "1 / (2 n) sum_i w_i |y_i - x_i B - c|^2 + alpha sum_j |B_j|, B_j: coefficients of column j for all targets",
  .source = "Obozinski, Taskar & Jordan, Stat. Comput. 20 (2010)",
  .notes = TASK_NOTES,
  .example = "local X = ml.normal(60, 4, 1)\nlocal Y = ml.hcat(X:slice(1, 60, 1, 1) * 3, X:slice(1, 60, 1, 1) * -1)\n"
             "print(ml.MultiTaskLasso{ alpha = 0.1 }:fit(X, Y).coef)",
  .capabilities = MN_REGRESS | MN_ITERATE,
  .accepts = MN_WEIGHTS | MN_MULTITARGET | MN_JOINT_TARGETS,
  .size = sizeof(struct group_lasso),
  .params = task_params,
  .fields = fields,
  .operations = mn_coef_operations,
  .fit = fit,
  MN_LINEAR_PREDICTION,
};

const mn_class mn_multi_task_elastic_net = {
  .name = "MultiTaskElasticNet",
  .family = "linear",
  .brief = "Elastic net for several targets that select the same columns.",
  .objective = "1 / (2 n) sum_i w_i |y_i - x_i B - c|^2 + alpha (l1_ratio sum_j |B_j| + (1 - l1_ratio) / 2 |B|^2)",
  .source = "Obozinski, Taskar & Jordan, Stat. Comput. 20 (2010); Zou & Hastie, JRSS B 67 (2005)",
  .notes = TASK_NOTES,
  .example = "local X = ml.normal(60, 4, 1)\nlocal Y = ml.hcat(X:slice(1, 60, 1, 1) * 3, X:slice(1, 60, 1, 1) * -1)\n"
             "print(ml.MultiTaskElasticNet{ alpha = 0.1 }:fit(X, Y).coef)",
  .capabilities = MN_REGRESS | MN_ITERATE,
  .accepts = MN_WEIGHTS | MN_MULTITARGET | MN_JOINT_TARGETS,
  .size = sizeof(struct group_lasso),
  .params = task_net_params,
  .fields = fields,
  .operations = mn_coef_operations,
  .fit = fit,
  MN_LINEAR_PREDICTION,
};
