/* Minimum redundancy, maximum relevance: columns with a strong relation to y and weak relations to each other.
 *
 * The first column has the largest relevance R; each next one maximizes, over the selected columns S,
 *
 *     quotient      R_j / max(mean_{s in S} D_js, 0.001)
 *     difference    R_j - mean_{s in S} D_js
 *
 * R is the score of score_func. The redundancy D is the absolute correlation, and for mutual information it is mutual
 * information too. */
#include "../core/worker_pool.h"
#include "univariate.h"

static const double SMALLEST_REDUNDANCY = 0.001;

enum { QUOTIENT, DIFFERENCE };

struct mrmr {
  mn_univariate univariate;
  int64_t k, form;
  mn_indexes order;
};

struct search {
  const struct mrmr *m;
  const mn_data *data;
  const bool *discrete;
  const double *digamma;
  mn_mi_column selected; /* the column selected last, for mutual information */
  double *redundancy;    /* features: with the column selected last          */
  double *sum;           /* features: with all selected columns              */
  bool *taken;           /* features */
};

static mn_status information_task(mn_context *ctx, void *work, size_t j, size_t worker)
{
  (void)worker;
  struct search *s = work;
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_mi_column x;
  if (s->taken[j]) return MN_OK;
  MN_TRY(mn_univariate_mi_column(ctx, s->data, s->discrete, j, &x));
  MN_TRY(mn_mutual_information(ctx, &x, &s->selected, (size_t)s->m->univariate.n_neighbors, s->digamma,
                               &s->redundancy[j]));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* Redundancy of all columns with column `last`. */
static mn_status measure_redundancy(mn_context *ctx, struct search *s, size_t last)
{
  const mn_data *data = s->data;
  double total;
  if (mn_scores_information(&s->m->univariate)) {
    MN_TRY(mn_univariate_mi_column(ctx, data, s->discrete, last, &s->selected));
    return mn_pool_run(ctx, data->features, information_task, s);
  }
  mn_matrix column = { .at = MN_RAW(ctx, double, data->rows, 1), .rows = data->rows, .cols = 1 };
  MN_CHECK_ALLOC(column.at);
  for (size_t i = 0; i < data->rows; i++) column.at[i] = mn_row(&data->x, i)[last];
  MN_TRY(mn_correlations(ctx, data, &column, s->redundancy, &total));
  for (size_t j = 0; j < data->features; j++) s->redundancy[j] = fabs(s->redundancy[j]);
  return MN_OK;
}

/* The criterion of a column when `n` columns are selected. An undefined relevance counts 0. */
static double criterion(const struct search *s, size_t j, size_t n)
{
  const double score = s->m->univariate.scores.at[j], relevance = isnan(score) ? 0 : score;
  if (n == 0) return relevance;
  const double mean = s->sum[j] / (double)n;
  return s->m->form == QUOTIENT ? relevance / fmax(mean, SMALLEST_REDUNDANCY) : relevance - mean;
}

static size_t best_column(const struct search *s, size_t n)
{
  const size_t p = s->data->features;
  size_t best = p;
  double most = -INFINITY;
  for (size_t j = 0; j < p; j++) {
    const double value = s->taken[j] ? -INFINITY : criterion(s, j, n);
    if (s->taken[j] || (best < p && value <= most)) continue;
    best = j;
    most = value;
  }
  return best;
}

static mn_status begin(mn_context *ctx, struct search *s)
{
  const size_t p = s->data->features;
  bool *discrete;
  s->redundancy = MN_NEW(ctx, double, p, 1);
  s->sum = MN_NEW(ctx, double, p, 1);
  s->taken = MN_NEW(ctx, bool, p, 1);
  s->digamma = mn_mi_digamma(ctx, s->data->rows);
  if (!s->redundancy || !s->sum || !s->taken || !s->digamma) return MN_NO_MEMORY;
  MN_TRY(mn_univariate_discrete(ctx, &s->m->univariate, s->data, &discrete));
  s->discrete = discrete;
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct mrmr *m = self;
  struct search s = { .m = m, .data = data };
  const size_t p = data->features, k = (size_t)m->k < p ? (size_t)m->k : p;
  MN_TRY(mn_univariate_score(ctx, &m->univariate, data));
  MN_TRY(begin(ctx, &s));
  MN_TRY(mn_indexes_init(ctx, &m->order, k));
  for (size_t n = 0; n < k; n++) {
    const mn_mark mark = mn_scratch_mark(ctx);
    const size_t best = best_column(&s, n);
    m->order.at[n] = (int32_t)best;
    s.taken[best] = true;
    if (n + 1 < k) MN_TRY(measure_redundancy(ctx, &s, best));
    for (size_t j = 0; j < p; j++) s.sum[j] += s.redundancy[j];
    mn_scratch_release(ctx, mark);
  }
  return mn_selection_init(ctx, s.taken, p, &m->univariate.selector.support);
}

static const char *const forms[] = { "quotient", "difference", NULL };

static const mn_param params[] = {
  MN_ALL_SCORE_FUNCS,
  MN_COUNT(struct mrmr, k, 10, MN_CLOSED(1, INT32_MAX), "number of columns to select; all if there are fewer"),
  MN_CHOICE(struct mrmr, form, QUOTIENT, forms,
            "quotient: relevance / redundancy (FCQ, MIQ); difference: relevance - redundancy (FCD, MID)"),
  MN_INFORMATION_PARAMS,
  MN_END,
};

static const mn_field fields[] = {
  MN_UNIVARIATE_FIELDS,
  MN_INDEXES(struct mrmr, order, "kept < features", "the selected columns in the order in which they were selected"),
  MN_END,
};

const mn_class mn_mrmr = {
  .name = "MRMR",
  .family = "preprocess",
  .brief = "Selects columns that are relevant to y and not redundant with each other.",
  .objective = "next column: argmax_j R_j / mean_s D_js, or R_j - mean_s D_js",
  .source = "Ding & Peng, J. Bioinformatics and Computational Biology 3 (2005)",
  .notes = "The relevance R is the score of score_func. The redundancy D with selected columns is the absolute "
           "correlation; for mutual information it is mutual information. In quotients D is at least 0.001, as in the "
           "Python package mrmr-selection; the program of Peng, Long & Ding adds 0.0001. Ties are broken by the lowest "
           "index. Scores and weights are as in SelectKBest.",
  .example = "local X, y = ml.read_csv \"examples/data/iris.csv\":split \"species\"\n"
             "local chosen = ml.MRMR{ k = 2 }:fit(X, y)\n"
             "print(chosen.order, table.concat(chosen:output_names(), \" \"))",
  .capabilities = MN_TRANSFORM | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS | MN_Y_REALS | MN_Y_LABELS,
  .size = sizeof(struct mrmr),
  .params = params,
  .fields = fields,
  .fit = fit,
  MN_UNIVARIATE_CLASS,
};
