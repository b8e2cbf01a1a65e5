/* Categorical naive Bayes: each feature is one of several categories, with probabilities that depend on the class,
 *
 *     log p(c | x) = log prior_c + sum_j log p_j(x_j | c) + constant,
 *
 * estimated by the smoothed frequencies of naive_bayes.h. Missing values are not counted, and left out of the sum. */
#include "../core/threads.h"
#include "../linalg/row_softmax.h"
#include "category_table.h"
#include "evidence.h"
#include <string.h>

struct categorical_nb {
  mn_nb nb;
  int64_t handle_unknown;
  mn_category_table table;
};

enum { BLOCK_VALUES = 1 << 15 };

static mn_status partial_fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct categorical_nb *m = self;
  MN_TRY(mn_count_classes(ctx, &m->nb, data));
  return mn_add_categories(ctx, &m->nb, data, NULL, m->handle_unknown, &m->table);
}

struct scoring {
  const mn_data *data;
  const double *start;
  mn_category_scores scores;
  mn_matrix *out;
  mn_blocks blocks;
};

static void score_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct scoring *w = work;
  const size_t k = w->out->cols, begin = mn_block_begin(&w->blocks, block), end = mn_block_end(&w->blocks, block);
  for (size_t i = begin; i < end; i++) {
    const double *x = mn_row(&w->data->x, i);
    double *out = mn_row(w->out, i);
    memcpy(out, w->start, k * sizeof *out);
    for (size_t j = 0; j < w->data->features; j++) mn_score_category(&w->scores, j, x[j], k, out);
  }
  mn_row_log_softmax(end - begin, k, mn_row(w->out, begin));
}

static mn_status log_proba(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct categorical_nb *m = self;
  struct scoring w = { .data = data, .start = m->nb.class_log_prior.at, .out = out };
  MN_TRY(mn_make_category_scores(ctx, &m->nb.base, &m->table, &w.scores));
  if (m->handle_unknown == MN_UNKNOWN_ERROR) MN_TRY(mn_check_categories(ctx, &m->nb.base, &m->table, &w.scores, data));
  w.blocks = mn_make_blocks(data->rows, BLOCK_VALUES / (data->features + out->cols) + 1, SIZE_MAX);
  return mn_parallel(ctx, w.blocks.count, score_block, &w);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct categorical_nb *m = self;
  mn_category_scores s;
  if (action != MN_PREDICT_LOG_PROBA) return MN_OK;
  MN_TRY(mn_make_category_scores(ctx, &m->nb.base, &m->table, &s));
  mn_program_reals(program, "start", m->nb.class_log_prior.size, m->nb.class_log_prior.at);
  mn_program_reals(program, "log_prob", m->table.log_prob.rows * m->table.log_prob.cols, s.log_prob);
  mn_program_code(program, "for c < outputs { out[c] = start[c] }");
  MN_TRY(mn_lookup_program(ctx, s.lookup, m->nb.base.n_features, program));
  if (m->handle_unknown == MN_UNKNOWN_ERROR)
    mn_program_code(program, "if found < -1.5 { refuse \"X must have categories that fit saw\" }");
  mn_program_code(program, "if found >= 0 { for c < outputs { out[c] += log_prob[index(found) * outputs + c] } }"
                           "}"
                           "log_softmax(outputs, out)");
  return MN_OK;
}

static mn_status check(mn_context *ctx, const void *self)
{
  const struct categorical_nb *m = self;
  if (mn_category_table_is_valid(&m->table, &m->nb.base)) return MN_OK;
  return mn_fail(ctx, MN_BAD_FILE, "CategoricalNB: categories and probabilities are inconsistent");
}

static mn_status summary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                         mn_results *results)
{
  (void)data;
  const struct categorical_nb *m = self;
  mn_nb_evidence e = { .model = &m->nb.base, .title = "Log-odds of a category", .measure = MN_LOG_ODDS };
  int32_t *feature;
  const char **level;
  MN_TRY(mn_name_categories(ctx, &m->nb.base, &m->table, &feature, &level));
  e.feature = feature;
  e.level = level;
  MN_TRY(mn_log_odds(ctx, &m->nb.class_log_prior, &m->table.log_prob, &e.value));
  return mn_evidence_summary(ctx, &e, options, results);
}

static void warning(const void *self, mn_text_buffer *text)
{
  const struct categorical_nb *m = self;
  mn_category_warning(&m->nb.base, &m->table, text);
}

static const mn_operation operations[] = {
  MN_EVIDENCE_OPERATION(summary, "the categories with the largest log-odds for each class",
                        "evidence (Frame: class, column, feature, value, log_odds); prints as a table"),
  { .name = NULL },
};

static const mn_param params[] = {
  MN_SMOOTHING_PARAMS,
  MN_CHOICE(struct categorical_nb, handle_unknown, MN_UNKNOWN_IGNORE, mn_unknown_choices,
            "categories not seen in fit: ignore them like missing values, or raise an error"),
  MN_CLASS_PRIOR_PARAMS,
  MN_END,
};

static const mn_field fields[] = {
  MN_NAIVE_BAYES_FIELDS,
  MN_CATEGORY_TABLE_FIELDS(struct categorical_nb, table),
  MN_END,
};

const mn_class mn_categorical_nb = {
  .name = "CategoricalNB",
  .family = "bayes",
  .brief = "Naive Bayes for categories: factor columns, or numbers that stand for them.",
  .objective = "log p(c | x) = log prior_c + sum_j log (N_cj(x_j) + alpha) / (N_c + alpha K_j) + constant",
  .source = "Mitchell, Machine Learning (1997), section 6.9",
  .notes =
      "A factor column has K_j levels, also levels without rows; a numeric column its distinct values, where "
      "scikit-learn has 0 to the largest. scikit-learn's alpha is the m-estimate with m = alpha K_j and a uniform prior "
      "estimate. Missing values, and by default unknown categories (an error there), are ignored. partial_fit adds new numbers, but not new "
      "levels, to the categories.",
  .example = "local X, y = ml.read_csv 'examples/data/playtennis.csv':split 'play'\n"
             "local model = ml.CategoricalNB{}:fit(X, y)\n"
             "print(model:predict_proba(X:slice(1, 3)))\n"
             "print(model:summary{ top = 3 })",
  .capabilities = MN_CLASSIFY | MN_SCALE_EQUIVARIANT | MN_ADDITIVE,
  .accepts = MN_WEIGHTS | MN_MISSING | MN_FACTORS,
  .size = sizeof(struct categorical_nb),
  .params = params,
  .fields = fields,
  .operations = operations,
  MN_FIT_IN_BATCHES(partial_fit),
  .log_proba = log_proba,
  .check = check,
  .warning = warning,
  .export = export,
};
