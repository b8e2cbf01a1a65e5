#include "boosted.h"
#include "../linalg/row_softmax.h"
#include "../tree/export.h"
#include <string.h>

mn_status mn_boosted_check_init(mn_context *ctx, const mn_estimator *model, const mn_data *data, size_t outputs)
{
  if (!data->init_score.at || data->init_score.cols == outputs) return MN_OK;
  return mn_fail(ctx, MN_BAD_DATA, "%s: init_score must have %zu column%s, got %zu", model->class->name, outputs,
                 outputs > 1 ? "s, one for each class" : "", data->init_score.cols);
}

mn_status mn_boosted_check_y(mn_context *ctx, const char *who, const char *loss, bool positive, const mn_data *data)
{
  double most = 0;
  char number[MN_NUMBER_SIZE];
  for (size_t i = 0; i < data->rows; i++) {
    const double y = data->y.at[i];
    if (y < 0 || (positive && !(y > 0)))
      return mn_fail(ctx, MN_BAD_DATA, "%s: y must be %s for the loss %s, got %s", who, positive ? "> 0" : ">= 0", loss,
                     mn_format_number(number, y));
    most = fmax(most, y);
  }
  if (most > 0) return MN_OK;
  return mn_fail(ctx, MN_BAD_DATA, "%s: y must have a value > 0 for the loss %s", who, loss);
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

mn_status mn_boosted_check(mn_context *ctx, const mn_boosted *b)
{
  const char *who = b->model->class->name;
  MN_TRY(mn_trees_check(ctx, b->model, b->trees, 1));
  if (b->start->size == 0 || mn_trees_count(b->trees) % b->start->size != 0)
    return mn_fail(ctx, MN_BAD_FILE, "%s: %zu trees for %zu raw predictions", who, mn_trees_count(b->trees),
                   b->start->size);
  for (size_t i = 0; i < b->trees->node.size / MN_NODE_WORDS; i++) {
    const int32_t *w = b->trees->node.at + MN_NODE_WORDS * i;
    if (mn_node_left(w) == 0 && w[3] != MN_LEAF_VALUE)
      return mn_fail(ctx, MN_BAD_FILE, "%s: node %zu is a leaf of another kind", who, i + 1);
  }
  return MN_OK;
}

/* The sum that mn_boosted_raw makes, in its order. */
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
