/* Ranking by a linear score: linear_svm.h over the pairs of rows of each group whose relevance differs. Squared losses
 * need no list of pairs (linear_svm_pairs.h); the hinge loss has a term for each pair, solved by the dual. */
#include "linear_svm_model.h"
#include "linear_svm_pairs.h"

static const char *const losses[] = { "squared_hinge", "hinge", NULL };
static const double max_pairs = 1e8;

/* The pairs as terms: target 1, cost C times the root of the product of both weights. */
static mn_status list_pairs(mn_context *ctx, const mn_svm_pairs *pairs, size_t count, mn_linear_svm *s)
{
  double *buffer = MN_NEW(ctx, double, count, 3);
  int32_t *row = MN_RAW(ctx, int32_t, count, 2);
  if (!buffer || !row) return MN_NO_MEMORY;
  double *target = buffer, *up = buffer + count;
  s->n = 0;
  for (size_t q = 0; q < pairs->groups; q++)
    for (size_t i = pairs->begin[q]; i < pairs->begin[q + 1]; i++) {
      MN_TRY(mn_poll(ctx));
      for (size_t j = pairs->begin[q]; j < pairs->begin[q + 1]; j++) {
        if (pairs->level[i] <= pairs->level[j]) continue;
        row[s->n] = (int32_t)i;
        row[count + s->n] = (int32_t)j;
        target[s->n] = 1;
        up[s->n++] = pairs->v[i] * pairs->v[j];
      }
    }
  s->target = target;
  s->up = up;
  s->down = buffer + 2 * count;
  s->row = row;
  s->less = row + count;
  return MN_OK;
}

static mn_status solve(mn_context *ctx, struct mn_linear_svm_model *m, mn_svm_pairs *pairs, double count,
                       mn_linear_svm *s, mn_linear_svm_result *r)
{
  double *b = m->linear.coef.at, *c = m->linear.intercept.at;
  if (s->squared) {
    s->pairs = pairs;
    return mn_svm_solve_newton(ctx, s, b, c, r);
  }
  if (count > max_pairs)
    return mn_fail(ctx, MN_BAD_DATA,
                   "%s: loss 'hinge' supports at most 1e8 pairs of rows, got %.0f; use loss = 'squared_hinge'",
                   m->linear.base.class->name, count);
  MN_TRY(list_pairs(ctx, pairs, (size_t)count, s));
  return mn_svm_solve_dual(ctx, s, b, c, r);
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct mn_linear_svm_model *m = self;
  mn_report *report = &m->linear.base.report;
  mn_part_rounds t = { .ctx = ctx, .report = report, .max_iter = m->max_iter };
  mn_linear_svm s = { .data = data,
                      .n = data->rows,
                      .p = data->features,
                      .squared = m->loss == MN_SVM_SQUARED,
                      .tol = m->tol,
                      .max_iter = m->max_iter,
                      .progress = mn_part_round,
                      .user = &t };
  mn_linear_svm_result r = { .converged = true };
  mn_svm_pairs pairs;
  MN_TRY(mn_check_magnitudes(ctx, &m->linear.base, data));
  MN_TRY(mn_linear_init(ctx, &m->linear, 1, data->features));
  MN_TRY(mn_vector_init(ctx, &m->gap, 1));
  MN_TRY(mn_svm_pairs_init(ctx, data, m->C, &pairs));
  const double count = mn_svm_pairs_count(&pairs);
  report->advice = mn_svm_advice;
  report->scaled_advice = mn_svm_scaled_advice;
  if (count > 0) MN_TRY(solve(ctx, m, &pairs, count, &s, &r));
  MN_TRY(mn_error_status(ctx));
  report->objective = r.objective;
  report->converged = r.converged && mn_should_continue(ctx);
  report->change = r.objective > 0 ? r.gap / r.objective : 0;
  m->gap.at[0] = r.gap;
  if (report->n_iter == 0) (void)mn_round(ctx, report, m->max_iter, r.objective);
  return mn_error_status(ctx);
}

static const mn_param params[] = {
  MN_SVM_C("cost of a pair in the wrong order or with scores too close; larger values fit the data more closely"),
  MN_CHOICE(struct mn_linear_svm_model, loss, MN_SVM_SQUARED, losses,
            "loss of a pair with difference d of scores: squared_hinge max(0, 1 - d)^2, or hinge max(0, 1 - d)"),
  MN_SVM_STOP_PARAMS,
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(mn_linear, coef, "targets x features", "coefficients"),
  MN_LEARNED(MN_KIND_VECTOR, mn_linear, intercept, "targets", NULL), /* always 0 */
  MN_SVM_GAP("targets"),
  MN_END,
};

const mn_class mn_ranking_svm = {
  .name = "RankingSVM",
  .family = "svm",
  .brief = "Linear ranker by support vectors: orders the samples of each query.",
  .objective =
      "1/2 |b|^2 + C sum over pairs with y_i > y_j of sqrt(w_i w_j) max(0, 1 - (x_i - x_j) b)^2; or not squared",
  .source = "Joachims, KDD 2002; Lee & Lin, Neural Computation 26 (2014)",
  .notes = "y is the relevance of samples; only its order within queries matters. "
           "The samples of a query are contiguous; fit(X, y, { lengths = { 12, 7, ... } }) gives the sizes of queries, "
           "the default is one query. predict returns scores, larger first; score is NDCG@k. "
           "Sample weights are one per query or sample. There is no intercept. "
           "A query of n samples has up to n^2 / 2 pairs, so C is smaller than that of LinearSVC.",
  .example = "local X, y = { {1}, {2}, {3}, {1}, {2} }, { 0, 1, 2, 0, 1 }\n"
             "local model = ml.RankingSVM{}:fit(X, y, { lengths = { 3, 2 } })\n"
             "print(model.coef, model:predict(X), model:score(X, y, { lengths = { 3, 2 } }))",
  .capabilities = MN_RANK | MN_ITERATE,
  .accepts = MN_Y_REALS | MN_WEIGHTS | MN_WEIGHTS_SCALE | MN_LENGTHS | MN_SPARSE,
  .size = sizeof(struct mn_linear_svm_model),
  .params = params,
  .fields = fields,
  .fit = fit,
  MN_LINEAR_PREDICTION,
};
