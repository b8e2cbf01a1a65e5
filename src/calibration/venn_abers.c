/* Venn-Abers prediction for a score s of the second of two classes: two probabilities,
 *
 *     p_0(s), p_1(s) = value at s of the isotonic regression of the labels and the row (s, 0), (s, 1),
 *
 * one of which is calibrated whatever the distribution; merged to p = p_1 / (1 - p_0 + p_1), which minimizes the
 * largest regret of the log loss.
 *
 * The regressions of the labels below and above each score consist of blocks that are computed once; the new row is
 * pooled with the blocks next to it. Vovk & Petej, UAI (2014); Vovk, Petej & Fedorova, NIPS (2015). */
#include "../model/class.h"
#include "../model/operation.h"
#include "../model/program.h"
#include "../stats/argsort.h"

struct venn_abers {
  mn_estimator base;
  mn_vector thresholds; /* learned fields: distinct scores, ascending                                  */
  mn_vector low, high;  /* thresholds + 1: p_0 above i thresholds or at the i-th, p_1 above i thresholds */
};

/* Groups of rows with equal scores: cumulative weights before each, and the blocks of isotonic regressions. */
struct groups {
  size_t count;
  double *score;          /* count                                                                      */
  double *weight, *truth; /* count + 1: weight, and weight of the second class, of the groups before i  */
  size_t *begin;          /* count + 1: first group of the last block of the regression of groups 0..i-1 */
  size_t *end;            /* count + 1: end of the first block of the regression of groups i..count-1    */
};

static mn_status make_groups(mn_context *ctx, const mn_data *data, struct groups *g)
{
  const size_t n = data->rows;
  size_t *order = MN_RAW(ctx, size_t, n, 1), *bounds = MN_RAW(ctx, size_t, n + 1, 2);
  double *array = MN_NEW(ctx, double, n + 1, 3);
  if (!order || !bounds || !array) return MN_NO_MEMORY;
  *g = (struct groups){ 0, array, array + n + 1, array + 2 * (n + 1), bounds, bounds + n + 1 };
  MN_TRY(mn_argsort(ctx, n, data->x.at, 1, order));
  for (size_t k = 0; k < n; k++) {
    const size_t i = order[k];
    if (k == 0 || data->x.at[i] > g->score[g->count - 1]) {
      g->score[g->count++] = data->x.at[i];
      g->weight[g->count] = g->weight[g->count - 1];
      g->truth[g->count] = g->truth[g->count - 1];
    }
    g->weight[g->count] += mn_weight(data, i);
    g->truth[g->count] += data->code[i] > 0 ? mn_weight(data, i) : 0;
  }
  return MN_OK;
}

/* The mean of groups begin..end-1 and of `more` rows with the label `label`. */
static double mean_of(const struct groups *g, size_t begin, size_t end, double more, double label)
{
  return (g->truth[end] - g->truth[begin] + more * label) / (g->weight[end] - g->weight[begin] + more);
}

/* Pool from both sides. The rest of the regression of a prefix is the regression of a shorter prefix. */
static void make_blocks(struct groups *g)
{
  for (size_t i = 1; i <= g->count; i++) {
    size_t begin = i - 1;
    while (begin > 0 && mean_of(g, g->begin[begin], begin, 0, 0) >= mean_of(g, begin, i, 0, 0)) begin = g->begin[begin];
    g->begin[i] = begin;
  }
  for (size_t i = g->count; i-- > 0;) {
    size_t end = i + 1;
    while (end < g->count && mean_of(g, end, g->end[end], 0, 0) <= mean_of(g, i, end, 0, 0)) end = g->end[end];
    g->end[i] = end;
  }
}

/* The value of a new row with this label between groups i-1 and i. */
static double value_between(const struct groups *g, size_t i, double label)
{
  size_t begin = i, end = i;
  for (bool pooled = true; pooled;) {
    pooled = false;
    if (end < g->count && mean_of(g, end, g->end[end], 0, 0) <= mean_of(g, begin, end, 1, label))
      end = g->end[end], pooled = true;
    if (begin > 0 && mean_of(g, g->begin[begin], begin, 0, 0) >= mean_of(g, begin, end, 1, label))
      begin = g->begin[begin], pooled = true;
  }
  return mean_of(g, begin, end, 1, label);
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct venn_abers *m = self;
  struct groups g;
  MN_TRY(make_groups(ctx, data, &g));
  make_blocks(&g);
  MN_TRY(mn_vector_init(ctx, &m->thresholds, g.count));
  MN_TRY(mn_vector_init(ctx, &m->low, g.count + 1));
  MN_TRY(mn_vector_init(ctx, &m->high, g.count + 1));
  for (size_t i = 0; i <= g.count; i++) {
    if (i % 1024 == 0) MN_TRY(mn_poll(ctx));
    if (i < g.count) m->thresholds.at[i] = g.score[i];
    m->low.at[i] = value_between(&g, i, 0);
    m->high.at[i] = value_between(&g, i, 1);
  }
  return MN_OK;
}

/* The number of thresholds below x, or, with `equal`, at most x. */
static size_t thresholds_below(const mn_vector *v, double x, bool equal)
{
  size_t low = 0, high = v->size;
  while (low < high) {
    const size_t mid = (low + high) / 2;
    if (v->at[mid] < x || (equal && v->at[mid] <= x))
      low = mid + 1;
    else
      high = mid;
  }
  return low;
}

static double low_at(const struct venn_abers *m, double x)
{
  return m->low.at[thresholds_below(&m->thresholds, x, true)];
}

static double high_at(const struct venn_abers *m, double x)
{
  return m->high.at[thresholds_below(&m->thresholds, x, false)];
}

static mn_status log_proba(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  (void)ctx;
  const struct venn_abers *m = self;
  for (size_t i = 0; i < data->rows; i++) {
    const double no = 1 - low_at(m, data->x.at[i]), yes = high_at(m, data->x.at[i]);
    mn_row(out, i)[0] = log(no / (no + yes));
    mn_row(out, i)[1] = log(yes / (no + yes));
  }
  return MN_OK;
}

static mn_status intervals(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                           mn_results *results)
{
  (void)options;
  const struct venn_abers *m = self;
  mn_vector *low, *high;
  MN_TRY(mn_result_vector(ctx, results, "low", data->rows, &low));
  MN_TRY(mn_result_vector(ctx, results, "high", data->rows, &high));
  for (size_t i = 0; i < data->rows; i++) {
    low->at[i] = low_at(m, data->x.at[i]);
    high->at[i] = high_at(m, data->x.at[i]);
  }
  return MN_OK;
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  (void)ctx;
  const struct venn_abers *m = self;
  const size_t count = m->thresholds.size;
  if (action != MN_PREDICT_LOG_PROBA) return MN_OK;
  mn_program_reals(program, "threshold", count, m->thresholds.at);
  mn_program_reals(program, "low", count + 1, m->low.at);
  mn_program_reals(program, "high", count + 1, m->high.at);
  mn_program_count(program, "thresholds", count);
  mn_program_code(program, "int k = count_at_most(threshold, 0, thresholds, x[0])"
                           " int j = k > 0 and threshold[k > 0 ? k - 1 : 0] == x[0] ? k - 1 : k"
                           " real no = 1.0 - low[k] real yes = high[j]"
                           " out[0] = log(no / (no + yes)) out[1] = log(yes / (no + yes))");
  return MN_OK;
}

static mn_status check(mn_context *ctx, const void *self)
{
  const struct venn_abers *m = self;
  bool valid = m->low.size == m->thresholds.size + 1;
  for (size_t i = 0; i < m->low.size && valid; i++)
    valid = m->low.at[i] >= 0 && m->low.at[i] < 1 && m->high.at[i] > 0 && m->high.at[i] <= 1;
  for (size_t i = 1; i < m->thresholds.size && valid; i++) valid = m->thresholds.at[i - 1] < m->thresholds.at[i];
  if (valid) return MN_OK;
  return mn_fail(ctx, MN_BAD_FILE, "VennAbersCalibration: thresholds, low or high are not valid");
}

static const mn_param params[] = { MN_END };

static const mn_field fields[] = {
  MN_VECTOR(struct venn_abers, thresholds, "thresholds", "distinct scores, ascending"),
  MN_VECTOR(struct venn_abers, low, "values", "p_0 below the first threshold, and from each threshold to the next"),
  MN_VECTOR(struct venn_abers, high, "values", "p_1 up to the first threshold, between them, and above the last"),
  MN_END,
};

static const mn_operation operations[] = {
  { .name = "probability_interval",
    .brief = "the two Venn-Abers probabilities p_0 and p_1 of the second class",
    .returns = "low (rows), high (rows)",
    .needs = MN_NEEDS_X,
    .run = intervals },
  { .name = NULL },
};

const mn_class mn_venn_abers = {
  .name = "VennAbersCalibration",
  .family = "probability",
  .brief = "Venn-Abers prediction: an interval of calibrated probabilities of a class.",
  .objective = "p = p_1 / (1 - p_0 + p_1), p_y(s): isotonic regression of the labels and of the row (s, y), at s",
  .source = "Vovk, Petej & Fedorova, NIPS (2015)",
  .notes = "X is one column: the scores of the second class on rows that the classifier was not fitted to; a higher "
           "score means a higher probability. CalibratedClassifier { method = \"venn_abers\" } does this with "
           "cross-validation. Sample weights count rows; the new row has weight 1.",
  .example = "local scores, y = { {-2}, {-1}, {0}, {1}, {2} }, { 'no', 'no', 'yes', 'no', 'yes' }\n"
             "local model = ml.VennAbersCalibration{}:fit(scores, y)\n"
             "print(model:predict_proba{ {0.5} }, model:probability_interval{ {0.5} })",
  .capabilities = MN_CLASSIFY | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS | MN_ONE_COLUMN | MN_BINARY_ONLY,
  .size = sizeof(struct venn_abers),
  .params = params,
  .fields = fields,
  .operations = operations,
  .fit = fit,
  .log_proba = log_proba,
  .export = export,
  .check = check,
};
