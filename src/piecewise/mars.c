/* The estimator MARS: settings, the two passes, and prediction. What they do is told in mars.h. */
#include "mars.h"
#include "../core/threads.h"
#include "../model/program.h"
#include "../linear/linear.h"
#include <string.h>

static const char name[] = "MARS";
enum { BACKWARD, NONE };
static const char *const pmethods[] = { "backward", "none", NULL };

/* --- fit --- */

static mn_status rule_of(mn_context *ctx, const struct mn_mars_model *m, const mn_data *data, mn_mars_rule *rule)
{
  const size_t p = data->features, most = 2 * p > 200 ? 200 : 2 * p < 20 ? 20 : 2 * p;
  bool *linear = MN_NEW(ctx, bool, p, 1);
  MN_CHECK_ALLOC(linear);
  for (size_t k = 0; k < m->linpreds.size; k++) {
    const double j = m->linpreds.at[k];
    char text[MN_NUMBER_SIZE];
    if (!(j >= 1 && j <= (double)p && j == floor(j)))
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: linpreds must be numbers of columns, from 1 to %zu, got %s", name, p,
                     mn_format_number(text, j));
    linear[(size_t)j - 1] = true;
  }
  *rule = (mn_mars_rule){ .degree = (size_t)m->degree,
                          .most_terms = m->nk == MN_UNSET ? most + 1 : (size_t)m->nk,
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

/* y about its means; in units of its standard deviation where that is wanted, for the forward pass only. */
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
      const double about = mn_row(&data->y, i)[t] - mean[t];
      mn_row(y, i)[t] = about;
      square += mn_weight(data, i) * about * about;
    }
    scale[t] = scaled && square > 0 ? sqrt(square / total) : 1;
    for (size_t i = 0; i < data->rows; i++) mn_row(y, i)[t] /= scale[t];
  }
  return MN_OK;
}

/* The subset that is the model: of the least GCV, or all terms that there may be. */
static size_t choose(struct mn_mars_model *m, const mn_mars_basis *b, double penalty)
{
  const size_t most = m->nprune != MN_UNSET && (uint64_t)m->nprune < b->terms ? (size_t)m->nprune : b->terms;
  size_t best = m->pmethod == NONE ? most : 1;
  for (size_t k = 1; k <= b->terms; k++) {
    m->gcv_per_subset.at[k - 1] = mn_mars_gcv(penalty, b->total, m->rss_per_subset.at[k - 1], k);
    if (m->pmethod == BACKWARD && k <= most && m->gcv_per_subset.at[k - 1] < m->gcv_per_subset.at[best - 1]) best = k;
  }
  return best;
}

static mn_status keep(mn_context *ctx, struct mn_mars_model *m, const mn_mars_basis *b, size_t size, const double *mean)
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

static void statistics(struct mn_mars_model *m, const mn_mars_basis *b, double penalty, size_t size)
{
  m->rss = m->rss_per_subset.at[size - 1];
  m->gcv = m->gcv_per_subset.at[size - 1];
  m->rsq = b->rss0 > 0 ? 1 - m->rss / b->rss0 : 0;
  const double null = mn_mars_gcv(penalty, b->total, b->rss0, 1);
  m->grsq = null > 0 && isfinite(null) && isfinite(m->gcv) ? 1 - m->gcv / null : 0;
  m->ended = b->ended;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct mn_mars_model *m = self;
  const size_t q = data->y.cols;
  mn_mars_rule rule;
  mn_mars_basis b;
  mn_matrix y;
  double *mean = MN_NEW(ctx, double, q, 1), *scale = MN_NEW(ctx, double, q, 1);
  if (!mean || !scale) return MN_NO_MEMORY;
  MN_TRY(mn_check_magnitudes(ctx, &m->base, data));
  MN_TRY(rule_of(ctx, m, data, &rule));
  MN_TRY(center(ctx, data, m->scale_y && q > 1, &y, mean, scale));
  MN_TRY(mn_mars_forward(ctx, data, &y, &rule, &b));
  if (m->scale_y && q > 1) mn_mars_basis_rescale(&b, scale);
  MN_TRY(mn_matrix_init(ctx, &m->prune_terms, b.terms, b.terms));
  MN_TRY(mn_vector_init(ctx, &m->rss_per_subset, b.terms));
  MN_TRY(mn_vector_init(ctx, &m->gcv_per_subset, b.terms));
  MN_TRY(mn_mars_backward(ctx, &b, q == 1, m->rss_per_subset.at, m->prune_terms.at));
  const size_t size = choose(m, &b, rule.penalty);
  MN_TRY(keep(ctx, m, &b, size, mean));
  statistics(m, &b, rule.penalty, size);
  return MN_OK;
}

/* --- what a model does with a row --- */

/* The terms as lists of their factors: term k has those from start[k] to start[k + 1]. */
struct terms {
  size_t count, factors;
  int32_t *start, *column, *dir;
  double *cut;
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
  t->cut = MN_RAW(ctx, double, t->factors + 1, 1);
  if (!t->start || !t->column || !t->dir || !t->cut) return MN_NO_MEMORY;
  size_t at = 0;
  for (size_t k = 0; k < t->count; k++) {
    const size_t term = (size_t)m->selected_terms.at[k];
    t->start[k] = (int32_t)at;
    for (size_t j = 0; j < p; j++) {
      const double dir = mn_row(&m->dirs, term)[j];
      if (dir == MN_MARS_ABSENT) continue;
      t->column[at] = (int32_t)j;
      t->dir[at] = (int32_t)dir;
      t->cut[at++] = mn_row(&m->cuts, term)[j];
    }
  }
  t->start[t->count] = (int32_t)at;
  return MN_OK;
}

static double factor(int32_t dir, double x, double cut)
{
  if (dir == MN_MARS_LINEAR) return x;
  const double h = dir == MN_MARS_ABOVE ? x - cut : cut - x;
  return h > 0 ? h : 0;
}

struct rows {
  const struct mn_mars_model *m;
  const struct terms *terms;
  const mn_data *data;
  mn_matrix *out;
  mn_blocks blocks;
};

static void predict_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct rows *r = work;
  const struct terms *t = r->terms;
  const size_t q = r->m->coef.rows;
  for (size_t i = mn_block_begin(&r->blocks, block); i < mn_block_end(&r->blocks, block); i++) {
    const double *x = mn_row(&r->data->x, i);
    double *out = mn_row(r->out, i);
    for (size_t k = 0; k < t->count; k++) {
      double value = 1;
      for (int32_t f = t->start[k]; f < t->start[k + 1]; f++) value *= factor(t->dir[f], x[t->column[f]], t->cut[f]);
      for (size_t y = 0; y < q; y++) out[y] += r->m->coef.at[y * t->count + k] * value;
    }
  }
}

static mn_status predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  struct terms terms;
  struct rows r = {
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
  mn_program_reals(program, "cut", t.factors + 1, t.cut);
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

/* A loaded model: directions are what they can be, knots are numbers, and a list of terms is one. */
static mn_status check(mn_context *ctx, const void *self)
{
  const struct mn_mars_model *m = self;
  const size_t forward = m->dirs.rows;
  if (m->selected_terms.size < 1 || m->selected_terms.at[0] != 0)
    return mn_fail(ctx, MN_BAD_FILE, "%s: the constant is missing", name);
  if (m->ended < MN_MARS_FULL || m->ended > MN_MARS_STOPPED)
    return mn_fail(ctx, MN_BAD_FILE, "%s: ended must be a reason, got %lld", name, (long long)m->ended);
  for (size_t i = 0; i < forward * m->dirs.cols; i++) {
    const double d = m->dirs.at[i];
    if (!(d == MN_MARS_BELOW || d == MN_MARS_ABSENT || d == MN_MARS_ABOVE || d == MN_MARS_LINEAR))
      return mn_fail(ctx, MN_BAD_FILE, "%s: dirs must be -1, 0, 1 or 2", name);
    if (!isfinite(m->cuts.at[i])) return mn_fail(ctx, MN_BAD_FILE, "%s: cuts must be finite", name);
  }
  for (size_t k = 0; k < m->selected_terms.size; k++)
    if (k > 0 && m->selected_terms.at[k] <= m->selected_terms.at[k - 1])
      return mn_fail(ctx, MN_BAD_FILE, "%s: selected_terms must ascend", name);
  return MN_OK;
}

static const mn_param params[] = {
  MN_COUNT(struct mn_mars_model, degree, 1, MN_AT_LEAST(1), "most columns in a product; 1: no interactions"),
  MN_COUNT(
      struct mn_mars_model, nk, MN_UNSET, MN_AT_LEAST(1),
      "most terms of the forward pass, the constant among them, counted as if they came in pairs; nil: 1 more than "
      "twice the columns, within 21 and 201"),
  MN_REAL(struct mn_mars_model, penalty, MN_UNSET_REAL, MN_AT_LEAST(-1),
          "GCV's price of a knot; 0: of terms only, -1: none at all; nil: 2, or 3 with degree above 1"),
  MN_REAL(struct mn_mars_model, thresh, 0.001, MN_CLOSED(0, 1),
          "the forward pass ends when R2 grows by less, or is within this of 1; 0: neither ends it"),
  MN_COUNT(struct mn_mars_model, minspan, 0, MN_CLOSED(-1000000000, 1000000000),
           "rows from knot to knot; 0: by Friedman's equation 43; -k: at most k knots a column, evenly spaced"),
  MN_COUNT(struct mn_mars_model, endspan, 0, MN_CLOSED(0, 1000000000),
           "rows before the first and after the last knot; 0: by Friedman's equation 45"),
  MN_REAL(struct mn_mars_model, adjust_endspan, 2, MN_CLOSED(0, 1000000),
          "endspan grows by this many times itself where terms interact"),
  MN_COUNT(struct mn_mars_model, fast_k, 20, MN_AT_LEAST(0), "most parents that are tried at each step; 0: all"),
  MN_REAL(struct mn_mars_model, fast_beta, 1, MN_CLOSED(0, 1e9),
          "ranks that an untried parent goes up by at each step"),
  MN_REAL(struct mn_mars_model, newvar_penalty, 0, MN_CLOSED(0, 1e9),
          "what a column not yet in the model gains is divided by 1 + this"),
  MN_REALS(struct mn_mars_model, linpreds, MN_AT_LEAST(1),
           "numbers of columns that enter without knots, if at all; nil: none"),
  MN_FLAG(struct mn_mars_model, auto_linpreds, true,
          "where no knot is better than none, x itself enters rather than a hinge at its least value"),
  MN_FLAG(struct mn_mars_model, scale_y, false,
          "of several targets, the forward pass takes each in units of its standard deviation"),
  MN_CHOICE(struct mn_mars_model, pmethod, BACKWARD, pmethods, "backward: down to the least GCV; none: keep all terms"),
  MN_COUNT(struct mn_mars_model, nprune, MN_UNSET, MN_AT_LEAST(1),
           "most terms that are left, the constant among them; nil: no limit"),
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(struct mn_mars_model, dirs, "forward x features",
            "each term of the forward pass: 1 max(0, x - cut), -1 max(0, cut - x), 2 x, 0 not there"),
  MN_MATRIX(struct mn_mars_model, cuts, "forward x features", "their knots"),
  MN_INDEXES(struct mn_mars_model, selected_terms, "terms < forward", "the terms of the model, the constant first"),
  MN_MATRIX(struct mn_mars_model, coef, "targets x terms", "what each of selected_terms is multiplied by"),
  MN_MATRIX(struct mn_mars_model, prune_terms, "forward x forward",
            "the best subsets of 1, 2, ... terms that pruning met, in the rows: 1 for each of their terms"),
  MN_VECTOR(struct mn_mars_model, rss_per_subset, "forward", "sum of squared residuals of the subsets in prune_terms"),
  MN_VECTOR(struct mn_mars_model, gcv_per_subset, "forward", "GCV of these; infinite with more parameters than rows"),
  MN_NUMBER(struct mn_mars_model, rss, "sum of squared residuals, over all targets"),
  MN_NUMBER(struct mn_mars_model, rsq, "share of the squares of y that is explained"),
  MN_NUMBER(struct mn_mars_model, gcv, "generalised cross validation: what rss / n would be on new rows, about"),
  MN_NUMBER(struct mn_mars_model, grsq, "rsq by gcv instead of rss"),
  MN_INTEGER(struct mn_mars_model, ended, NULL),
  MN_END,
};

const mn_class mn_mars = {
  .name = "MARS",
  .family = "linear",
  .brief = "Multivariate adaptive regression splines: sums of products of hinges, chosen by the data.",
  .objective = "GCV = RSS / (n (1 - C / n)^2), C = terms + penalty (terms - 1) / 2, over subsets of the terms that a "
               "greedy search for the least RSS has made",
  .source = "Friedman, Ann. Statist. 19 (1991); Fast MARS, Stanford LCS 110 (1993)",
  .notes = "Names, defaults and terms are those of R's earth, with underscores. summary() prints the equation, evimp() "
           "tells what columns matter. Differences: weights count rows, for the spans between knots too; a linear term "
           "is dropped as a copy of others by its share of variance, not in the units of X; terms that cannot become "
           "parents take no place among fast_k. Factor columns come as 0/1 columns, through ml.OneHotEncoder{ drop = "
           "'first' } or a formula.",
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
