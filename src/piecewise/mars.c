/* The estimator MARS: parameters, the two passes, and prediction. See mars.h. */
#include "mars.h"
#include "../core/threads.h"
#include "../model/columns.h"
#include "../model/program.h"
#include "../linear/linear.h"
#include <string.h>

static const char name[] = "MARS";
enum { BACKWARD, NONE };
static const char *const pmethods[] = { "backward", "none", NULL };

static mn_status make_settings(mn_context *ctx, const struct mn_mars_model *m, const mn_data *data,
                               mn_mars_settings *settings)
{
  const size_t p = data->features, default_terms = 2 * p > 200 ? 200 : 2 * p < 20 ? 20 : 2 * p;
  bool *linear = MN_NEW(ctx, bool, p, 1);
  MN_CHECK_ALLOC(linear);
  MN_TRY(mn_find_columns(ctx, &m->base, "linpreds", &m->linpreds, linear));
  *settings = (mn_mars_settings){ .degree = (size_t)m->degree,
                                  .max_terms = m->nk == MN_UNSET ? default_terms + 1 : (size_t)m->nk,
                                  .fast_k = (size_t)m->fast_k,
                                  .p = p,
                                  .minspan = (double)m->minspan,
                                  .endspan = (double)m->endspan,
                                  .adjust_endspan = m->adjust_endspan,
                                  .thresh = m->thresh,
                                  .penalty = !isnan(m->penalty) ? m->penalty
                                             : m->degree > 1    ? 3
                                                                : 2,
                                  .newvar_penalty = m->newvar_penalty,
                                  .fast_beta = m->fast_beta,
                                  .linear = linear,
                                  .auto_linear = m->auto_linpreds };
  return MN_OK;
}

/* y centered and, if `scaled`, divided by its standard deviation for the forward pass. */
static mn_status center(mn_context *ctx, const mn_data *data, bool scaled, mn_matrix *y, double *mean, double *scale)
{
  const size_t q = data->y.cols;
  double total = 0;
  *y = (mn_matrix){ .at = MN_RAW(ctx, double, data->rows, q), .rows = data->rows, .cols = q };
  MN_CHECK_ALLOC(y->at);
  for (size_t i = 0; i < data->rows; i++) {
    total += mn_weight(data, i);
    for (size_t t = 0; t < q; t++) mean[t] += mn_weight(data, i) / total * (mn_row(&data->y, i)[t] - mean[t]);
  }
  for (size_t t = 0; t < q; t++) {
    double square = 0;
    for (size_t i = 0; i < data->rows; i++) {
      const double deviation = mn_row(&data->y, i)[t] - mean[t];
      mn_row(y, i)[t] = deviation;
      square += mn_weight(data, i) * deviation * deviation;
    }
    scale[t] = scaled && square > 0 ? sqrt(square / total) : 1;
    for (size_t i = 0; i < data->rows; i++) mn_row(y, i)[t] /= scale[t];
  }
  return MN_OK;
}

/* The size of the subset that becomes the model: minimum GCV, or as many terms as nprune allows. */
static size_t choose_size(struct mn_mars_model *m, const mn_mars_basis *b, double penalty)
{
  const size_t max_size = m->nprune != MN_UNSET && (uint64_t)m->nprune < b->terms ? (size_t)m->nprune : b->terms;
  size_t best = m->pmethod == NONE ? max_size : 1;
  for (size_t k = 1; k <= b->terms; k++) {
    m->gcv_per_subset.at[k - 1] = mn_mars_gcv(penalty, b->total, m->rss_per_subset.at[k - 1], k);
    if (m->pmethod == BACKWARD && k <= max_size && m->gcv_per_subset.at[k - 1] < m->gcv_per_subset.at[best - 1])
      best = k;
  }
  return best;
}

static mn_status store_model(mn_context *ctx, struct mn_mars_model *m, const mn_mars_basis *b, size_t size,
                             const double *mean)
{
  const size_t p = b->p, forward = b->terms;
  const double *member = m->prune_terms.at + (size - 1) * forward;
  MN_TRY(mn_matrix_init(ctx, &m->dirs, forward, p));
  MN_TRY(mn_matrix_init(ctx, &m->cuts, forward, p));
  memcpy(m->dirs.at, b->dirs, forward * p * sizeof *b->dirs);
  memcpy(m->cuts.at, b->cuts, forward * p * sizeof *b->cuts);
  MN_TRY(mn_indexes_init(ctx, &m->selected_terms, size));
  MN_TRY(mn_matrix_init(ctx, &m->coef, b->targets, size));
  for (size_t k = 0, at = 0; k < forward; k++)
    if (member[k] != 0) m->selected_terms.at[at++] = (int32_t)k;
  MN_TRY(mn_mars_solve(ctx, b, member, m->coef.at));
  for (size_t t = 0; t < b->targets; t++) mn_row(&m->coef, t)[0] += mean[t];
  return MN_OK;
}

static void store_statistics(struct mn_mars_model *m, const mn_mars_basis *b, double penalty, size_t size)
{
  m->rss = m->rss_per_subset.at[size - 1];
  m->gcv = m->gcv_per_subset.at[size - 1];
  m->rsq = b->rss0 > 0 ? 1 - m->rss / b->rss0 : 0;
  const double null_gcv = mn_mars_gcv(penalty, b->total, b->rss0, 1);
  m->grsq = null_gcv > 0 && isfinite(null_gcv) && isfinite(m->gcv) ? 1 - m->gcv / null_gcv : 0;
  m->ended = b->ended;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct mn_mars_model *m = self;
  const size_t q = data->y.cols;
  mn_mars_settings settings;
  mn_mars_basis b;
  mn_matrix y;
  double *mean = MN_NEW(ctx, double, q, 1), *scale = MN_NEW(ctx, double, q, 1);
  if (!mean || !scale) return MN_NO_MEMORY;
  MN_TRY(mn_check_magnitudes(ctx, &m->base, data));
  MN_TRY(make_settings(ctx, m, data, &settings));
  MN_TRY(center(ctx, data, m->scale_y && q > 1, &y, mean, scale));
  MN_TRY(mn_mars_forward(ctx, data, &y, &settings, &b));
  if (m->scale_y && q > 1) mn_mars_basis_rescale(&b, scale);
  MN_TRY(mn_matrix_init(ctx, &m->prune_terms, b.terms, b.terms));
  MN_TRY(mn_vector_init(ctx, &m->rss_per_subset, b.terms));
  MN_TRY(mn_vector_init(ctx, &m->gcv_per_subset, b.terms));
  MN_TRY(mn_mars_backward(ctx, &b, q == 1, m->rss_per_subset.at, m->prune_terms.at));
  const size_t size = choose_size(m, &b, settings.penalty);
  MN_TRY(store_model(ctx, m, &b, size, mean));
  store_statistics(m, &b, settings.penalty, size);
  return MN_OK;
}

/* The terms as lists of factors: those of term k are start[k] to start[k + 1] - 1. */
struct terms {
  size_t count, factors;
  int32_t *start, *column, *dir;
  double *knot;
};

static mn_status list_terms(mn_context *ctx, const struct mn_mars_model *m, struct terms *t)
{
  const size_t p = m->dirs.cols;
  *t = (struct terms){ .count = m->selected_terms.size };
  for (size_t k = 0; k < t->count; k++)
    for (size_t j = 0; j < p; j++) t->factors += mn_row(&m->dirs, (size_t)m->selected_terms.at[k])[j] != 0;
  t->start = MN_RAW(ctx, int32_t, t->count + 1, 1);
  t->column = MN_RAW(ctx, int32_t, t->factors + 1, 1);
  t->dir = MN_RAW(ctx, int32_t, t->factors + 1, 1);
  t->knot = MN_RAW(ctx, double, t->factors + 1, 1);
  if (!t->start || !t->column || !t->dir || !t->knot) return MN_NO_MEMORY;
  size_t at = 0;
  for (size_t k = 0; k < t->count; k++) {
    const size_t term = (size_t)m->selected_terms.at[k];
    t->start[k] = (int32_t)at;
    for (size_t j = 0; j < p; j++) {
      const double dir = mn_row(&m->dirs, term)[j];
      if (dir == MN_MARS_ABSENT) continue;
      t->column[at] = (int32_t)j;
      t->dir[at] = (int32_t)dir;
      t->knot[at++] = mn_row(&m->cuts, term)[j];
    }
  }
  t->start[t->count] = (int32_t)at;
  return MN_OK;
}

static double factor(int32_t dir, double x, double knot)
{
  if (dir == MN_MARS_LINEAR) return x;
  const double h = dir == MN_MARS_ABOVE ? x - knot : knot - x;
  return h > 0 ? h : 0;
}

struct predict_task {
  const struct mn_mars_model *m;
  const struct terms *terms;
  const mn_data *data;
  mn_matrix *out;
  mn_blocks blocks;
};

static void predict_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct predict_task *r = work;
  const struct terms *t = r->terms;
  const size_t q = r->m->coef.rows;
  for (size_t i = mn_block_begin(&r->blocks, block); i < mn_block_end(&r->blocks, block); i++) {
    const double *x = mn_row(&r->data->x, i);
    double *out = mn_row(r->out, i);
    for (size_t k = 0; k < t->count; k++) {
      double value = 1;
      for (int32_t f = t->start[k]; f < t->start[k + 1]; f++) value *= factor(t->dir[f], x[t->column[f]], t->knot[f]);
      for (size_t y = 0; y < q; y++) out[y] += r->m->coef.at[y * t->count + k] * value;
    }
  }
}

static mn_status predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  struct terms terms;
  struct predict_task r = {
    .m = self, .terms = &terms, .data = data, .out = out, .blocks = mn_make_blocks(data->rows, 1024, SIZE_MAX)
  };
  MN_TRY(list_terms(ctx, self, &terms));
  return mn_parallel(ctx, r.blocks.count, predict_block, &r);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct mn_mars_model *m = self;
  struct terms t;
  if (action != MN_PREDICT) return MN_OK;
  MN_TRY(list_terms(ctx, m, &t));
  mn_program_indexes(program, "start", t.count + 1, t.start);
  mn_program_indexes(program, "column", t.factors + 1, t.column);
  mn_program_indexes(program, "dir", t.factors + 1, t.dir);
  mn_program_reals(program, "cut", t.factors + 1, t.knot);
  mn_program_reals(program, "coef", m->coef.rows * m->coef.cols, m->coef.at);
  mn_program_count(program, "terms", t.count);
  mn_program_code(program, "for y < outputs { out[y] = 0.0 }"
                           " for k < terms {"
                           "   real value = 1.0"
                           "   for f = start[k] < start[k + 1] {"
                           "     real h = x[column[f]]"
                           "     if dir[f] == 1 { h = h - cut[f] }"
                           "     if dir[f] == -1 { h = cut[f] - h }"
                           "     if dir[f] != 2 { if h <= 0.0 { h = 0.0 } }"
                           "     value = value * h"
                           "   }"
                           "   for y < outputs { out[y] = out[y] + coef[y * terms + k] * value }"
                           " }");
  return MN_OK;
}

/* Check a loaded model. */
static mn_status check(mn_context *ctx, const void *self)
{
  const struct mn_mars_model *m = self;
  const size_t forward = m->dirs.rows;
  if (m->selected_terms.size < 1 || m->selected_terms.at[0] != 0)
    return mn_fail(ctx, MN_BAD_FILE, "%s: selected_terms must begin with 0, the intercept", name);
  if (m->ended < MN_MARS_FULL || m->ended > MN_MARS_STOPPED)
    return mn_fail(ctx, MN_BAD_FILE, "%s: ended must be a code from 0 to 5, got %lld", name, (long long)m->ended);
  for (size_t i = 0; i < forward * m->dirs.cols; i++) {
    const double d = m->dirs.at[i];
    if (!(d == MN_MARS_BELOW || d == MN_MARS_ABSENT || d == MN_MARS_ABOVE || d == MN_MARS_LINEAR))
      return mn_fail(ctx, MN_BAD_FILE, "%s: dirs must be -1, 0, 1 or 2", name);
    if (!isfinite(m->cuts.at[i])) return mn_fail(ctx, MN_BAD_FILE, "%s: cuts must be finite", name);
  }
  for (size_t k = 0; k < m->selected_terms.size; k++)
    if (k > 0 && m->selected_terms.at[k] <= m->selected_terms.at[k - 1])
      return mn_fail(ctx, MN_BAD_FILE, "%s: selected_terms must be in ascending order", name);
  return MN_OK;
}

static const mn_param params[] = {
  MN_COUNT(struct mn_mars_model, degree, 1, MN_AT_LEAST(1),
           "maximum number of columns in a term; 1 means no interactions"),
  MN_COUNT(
      struct mn_mars_model, nk, MN_UNSET, MN_AT_LEAST(1),
      "maximum number of terms in the forward pass, intercept included, counted in pairs; nil: 2 * columns + 1, at least 21 and at most 201"),
  MN_REAL(struct mn_mars_model, penalty, MN_UNSET_REAL, MN_AT_LEAST(-1),
          "GCV penalty per knot; 0 penalizes terms only, -1 nothing; nil: 2, or 3 if degree > 1"),
  MN_REAL(struct mn_mars_model, thresh, 0.001, MN_CLOSED(0, 1),
          "the forward pass ends when R2 increases by less than this, or exceeds 1 minus this; 0 disables both"),
  MN_COUNT(
      struct mn_mars_model, minspan, 0, MN_CLOSED(-1000000000, 1000000000),
      "minimum number of rows between knots; 0 uses equation 43 of Friedman; -k means at most k evenly spaced knots per column"),
  MN_COUNT(struct mn_mars_model, endspan, 0, MN_CLOSED(0, 1000000000),
           "number of rows before the first and after the last knot; 0 uses equation 45 of Friedman"),
  MN_REAL(struct mn_mars_model, adjust_endspan, 2, MN_CLOSED(0, 1000000),
          "in interaction terms, endspan is increased by this factor times endspan"),
  MN_COUNT(struct mn_mars_model, fast_k, 20, MN_AT_LEAST(0),
           "maximum number of parent terms tried in each step of the forward pass; 0 means all"),
  MN_REAL(struct mn_mars_model, fast_beta, 1, MN_CLOSED(0, 1e9),
          "aging of parents: ranks gained in each step in which a parent is not tried"),
  MN_REAL(struct mn_mars_model, newvar_penalty, 0, MN_CLOSED(0, 1e9),
          "the gain of a column that is not yet in the model is divided by 1 + this"),
  MN_COLUMNS(struct mn_mars_model, linpreds,
             "columns, by number or name, that enter linearly, without knots; nil: none"),
  MN_FLAG(struct mn_mars_model, auto_linpreds, true,
          "if no knot improves the fit, add x itself instead of a hinge at its minimum"),
  MN_FLAG(struct mn_mars_model, scale_y, false, "with several targets, standardize each for the forward pass"),
  MN_CHOICE(struct mn_mars_model, pmethod, BACKWARD, pmethods,
            "backward: prune to the minimum GCV; none: keep all terms"),
  MN_COUNT(struct mn_mars_model, nprune, MN_UNSET, MN_AT_LEAST(1),
           "maximum number of terms after pruning, intercept included; nil: no limit"),
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(
      struct mn_mars_model, dirs, "forward x features",
      "factor of each column in each term of the forward pass: 1 max(0, x - cut), -1 max(0, cut - x), 2 x, 0 absent"),
  MN_MATRIX(struct mn_mars_model, cuts, "forward x features", "knots of these factors"),
  MN_INDEXES(struct mn_mars_model, selected_terms, "terms < forward", "terms of the model, the intercept first"),
  MN_MATRIX(struct mn_mars_model, coef, "targets x terms", "coefficients of selected_terms"),
  MN_MATRIX(struct mn_mars_model, prune_terms, "forward x forward",
            "best subsets of 1, 2, ... terms found by pruning, one per row: 1 for each of its terms"),
  MN_VECTOR(struct mn_mars_model, rss_per_subset, "forward", "residual sum of squares of the subsets in prune_terms"),
  MN_VECTOR(struct mn_mars_model, gcv_per_subset, "forward",
            "GCV of these subsets; infinite if there are more parameters than rows"),
  MN_NUMBER(struct mn_mars_model, rss, "residual sum of squares, over all targets"),
  MN_NUMBER(struct mn_mars_model, rsq, "R2 on the training data"),
  MN_NUMBER(struct mn_mars_model, gcv, "generalized cross validation: an estimate of rss / n on new rows"),
  MN_NUMBER(struct mn_mars_model, grsq, "R2 computed with GCV instead of rss"),
  MN_INTEGER(struct mn_mars_model, ended, NULL),
  MN_END,
};

const mn_class mn_mars = {
  .name = "MARS",
  .family = "linear",
  .brief = "Multivariate adaptive regression splines: sums of products of hinge functions.",
  .objective =
      "GCV = RSS / (n (1 - C / n)^2), C = terms + penalty (terms - 1) / 2, over subsets of the terms found by a greedy search for the minimum RSS",
  .source = "Friedman, Ann. Statist. 19 (1991); Fast MARS, Stanford LCS 110 (1993)",
  .notes =
      "Names, defaults and terms are those of R's earth, with underscores. "
      "summary() prints the equation, evimp() the importance of the columns. "
      "Differences: sample weights also count rows for the spans between knots; a collinear linear term is detected by its share of variance, independent of the units of X; terms that cannot become parents are not counted in fast_k. "
      "Encode factor columns first, with ml.OneHotEncoder{ drop = 'first' } or a formula.",
  .example = "local X, y = {}, {}\n"
             "for i = 1, 40 do X[i], y[i] = { i, i % 7 }, math.max(0, i - 20) + i % 7 end\n"
             "local model = ml.MARS{}:fit(X, y)\n"
             "print(model:summary())",
  .capabilities = MN_REGRESS | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS | MN_MULTITARGET | MN_JOINT_TARGETS,
  .size = sizeof(struct mn_mars_model),
  .params = params,
  .fields = fields,
  .operations = mn_mars_operations,
  .fit = fit,
  .predict = predict,
  .export = export,
  .check = check,
};
