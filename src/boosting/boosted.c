#include "boosted.h"
#include "../linalg/row_softmax.h"
#include "../tree/export.h"
#include "../tree_structure/shap.h"
#include "../tree_structure/tree_predict.h"
#include <string.h>

mn_status mn_boosted_check_init_score(mn_context *ctx, const mn_estimator *model, const mn_data *data, size_t outputs)
{
  if (data->eval && !data->init_score.at != !data->eval->init_score.at)
    return mn_fail(ctx, MN_BAD_DATA, "%s: init_score must be given for X and for the X of eval, or for neither",
                   model->class->name);
  if (data->eval) MN_TRY(mn_boosted_check_init_score(ctx, model, data->eval, outputs));
  if (!data->init_score.at || data->init_score.cols == outputs) return MN_OK;
  return mn_fail(ctx, MN_BAD_DATA, "%s: init_score must have %zu column%s, got %zu", model->class->name, outputs,
                 outputs > 1 ? "s (one per class)" : "", data->init_score.cols);
}

mn_status mn_boosted_check_y(mn_context *ctx, const char *who, const char *loss, bool positive, const mn_data *data)
{
  double max = 0;
  char number[MN_NUMBER_SIZE];
  for (size_t i = 0; i < data->rows; i++) {
    const double y = data->y.at[i];
    if (y < 0 || (positive && !(y > 0)))
      return mn_fail(ctx, MN_BAD_DATA, "%s: y must be %s for loss %s, got %s", who, positive ? "> 0" : ">= 0", loss,
                     mn_format_number(number, y));
    max = fmax(max, y);
  }
  if (data->eval) MN_TRY(mn_boosted_check_y(ctx, who, loss, positive, data->eval));
  if (max > 0) return MN_OK;
  return mn_fail(ctx, MN_BAD_DATA, "%s: y must have at least one value > 0 for loss %s", who, loss);
}

mn_status mn_boosted_raw(mn_context *ctx, const mn_boosted *b, const mn_data *data, mn_matrix *out)
{
  for (size_t i = 0; i < out->rows; i++) {
    memcpy(mn_row(out, i), b->start->at, out->cols * sizeof *out->at);
    for (size_t c = 0; data->init_score.at && c < out->cols; c++) mn_row(out, i)[c] += mn_row(&data->init_score, i)[c];
  }
  return mn_trees_count(b->trees) > 0 ? mn_trees_sum(ctx, b->trees, data, 1, 1, out) : MN_OK;
}

/* log(1 / (1 + exp(-f))) */
static double log_sigmoid(double f)
{
  return f > 0 ? -log1p(exp(-f)) : f - log1p(exp(f));
}

mn_status mn_boosted_log_proba(mn_context *ctx, const mn_boosted *b, double scale, const mn_data *data, mn_matrix *out)
{
  if (out->cols > 2) {
    MN_TRY(mn_boosted_raw(ctx, b, data, out));
    mn_row_log_softmax(out->rows, out->cols, out->at);
    return MN_OK;
  }
  mn_matrix raw = { .at = MN_RAW(ctx, double, out->rows, 1), .rows = out->rows, .cols = 1 };
  MN_CHECK_ALLOC(raw.at);
  MN_TRY(mn_boosted_raw(ctx, b, data, &raw));
  for (size_t i = 0; i < out->rows; i++) {
    mn_row(out, i)[0] = log_sigmoid(-scale * raw.at[i]);
    mn_row(out, i)[1] = log_sigmoid(scale * raw.at[i]);
  }
  return MN_OK;
}

int64_t mn_best_round(const mn_vector *trace)
{
  size_t best = 0;
  for (size_t k = 1; k < trace->size; k++)
    if (trace->at[k] < trace->at[best]) best = k;
  return trace->size > 0 ? (int64_t)best + 1 : MN_UNSET;
}

mn_status mn_boosted_check(mn_context *ctx, const mn_boosted *b)
{
  const char *who = b->model->class->name;
  MN_TRY(mn_trees_check(ctx, b->model, b->trees, 1));
  if (b->start->size == 0 || mn_trees_count(b->trees) % b->start->size != 0)
    return mn_fail(ctx, MN_BAD_FILE,
                   "%s: the number of trees (%zu) is not a multiple of the number of raw predictions (%zu)", who,
                   mn_trees_count(b->trees), b->start->size);
  for (size_t i = 0; i < b->trees->node.size / MN_NODE_WORDS; i++) {
    const int32_t *w = b->trees->node.at + MN_NODE_WORDS * i;
    if (mn_node_left(w) == 0 && !mn_is_leaf_of(w, MN_LEAF_VALUE))
      return mn_fail(ctx, MN_BAD_FILE, "%s: node %zu is a leaf without a value", who, i + 1);
  }
  return MN_OK;
}

/* The same sum as mn_boosted_raw, in the same order. */
mn_status mn_boosted_program(mn_context *ctx, const mn_boosted *b, mn_program *program)
{
  mn_program_reals(program, "start", b->start->size, b->start->at);
  mn_program_count(program, "columns", b->start->size);
  mn_program_code(program, "for c < columns { out[c] = start[c] }");
  return mn_trees_program(ctx, b->model, b->trees, 1, 1, b->start->size, program);
}

void mn_boosted_proba_program(const mn_boosted *b, mn_program *program)
{
  mn_program_code(program, b->start->size > 1 ? "log_softmax(outputs, out)"
                                              : "real f = out[0]"
                                                " out[0] = -f > 0 ? -log1p(exp(f)) : -f - log1p(exp(-f))"
                                                " out[1] = f > 0 ? -log1p(exp(-f)) : f - log1p(exp(f))");
}

mn_status mn_boosted_shap(mn_context *ctx, const mn_boosted *b, const mn_data *data, mn_results *results)
{
  const size_t outputs = b->start->size;
  mn_matrix *values;
  mn_vector *base;
  MN_TRY(mn_result_matrix(ctx, results, "values", data->rows, outputs * data->features, &values));
  MN_TRY(mn_result_vector(ctx, results, "base", outputs, &base));
  for (size_t c = 0; c < outputs; c++) base->at[c] = b->start->at[c];
  MN_TRY(mn_trees_expected_value(ctx, b->trees, outputs, 1, 1, base->at));
  return mn_trees_shap(ctx, b->trees, data, outputs, 1, 1, values);
}

/* row[t]: the raw prediction after tree t. If trees were scaled later, go from the last round down. */
static void accumulate(const mn_boosted *b, const double *contribution, size_t trees, double *row)
{
  const size_t outputs = b->start->size;
  for (size_t t = 0; t < trees; t++) row[t] = (t < outputs ? b->start->at[t] : row[t - outputs]) + contribution[t];
}

static void accumulate_scaled(const mn_boosted *b, double *contribution, size_t trees, double *row)
{
  const size_t outputs = b->start->size;
  for (size_t round = trees / outputs; round-- > 0;) {
    for (size_t c = 0; c < outputs; c++) {
      double sum = b->start->at[c];
      for (size_t t = c; t <= round * outputs + c; t += outputs) sum += contribution[t];
      row[round * outputs + c] = sum;
    }
    b->unscale((const struct mn_hist_gradient_boosting *)b->model, round, contribution);
  }
}

mn_status mn_boosted_staged(mn_context *ctx, const mn_boosted *b, const mn_data *data, mn_results *results)
{
  const size_t trees = mn_trees_count(b->trees);
  double *contribution = MN_RAW(ctx, double, trees, 1), *buffer = MN_RAW(ctx, double, data->features, 1);
  mn_matrix *out;
  if (!contribution || !buffer) return MN_NO_MEMORY;
  MN_TRY(mn_result_matrix(ctx, results, "values", data->rows, trees, &out));
  for (size_t i = 0; i < data->rows; i++) {
    const double *x = mn_dense_row(data, i, buffer);
    double *row = mn_row(out, i);
    for (size_t t = 0; t < trees; t++) {
      const int32_t *root = mn_tree_root(b->trees, t);
      contribution[t] = mn_node_real(root + MN_NODE_WORDS * mn_trees_leaf(b->trees, t, x));
    }
    if (b->unscale)
      accumulate_scaled(b, contribution, trees, row);
    else
      accumulate(b, contribution, trees, row);
    for (size_t t = 0; b->exponential && t < trees; t++) row[t] = exp(row[t]);
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}
