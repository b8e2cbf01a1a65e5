/* New rows between neighbors of a class, more for the rows that have many neighbors in other classes.
 *
 *     g_i = round(G r_i / sum_l r_l) new rows for row i,
 *     r_i = fraction of the k nearest rows of x_i that are of other classes, or all 1 if all are 0
 *     G: rows that the class lacks
 *
 *     x' = x_i + u (x_k - x_i),      u uniform in [0, 1),      x_k one of the k nearest rows of the class of x_i */
#include "../core/rng.h"
#include "row_subset.h"

struct adasyn {
  mn_resampler resampler;
  int64_t n_neighbors, seed;
};

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  const struct adasyn *m = self;
  MN_TRY(mn_oversampler_fit(ctx, self, data));
  return mn_check_class_neighbors(ctx, &m->resampler, "n_neighbors", m->n_neighbors);
}

/* The new rows g of a class, and its rows. */
struct class_plan {
  mn_row_subset rows;
  size_t *g, total;
};

static mn_status plan_class(mn_context *ctx, const struct adasyn *m, const mn_data *data, size_t c,
                            struct class_plan *plan)
{
  const mn_resampler *r = &m->resampler;
  const double more = r->target_counts.at[c] - r->class_counts.at[c];
  const size_t k = (size_t)m->n_neighbors;
  double total = 0;
  *plan = (struct class_plan){ .total = 0 };
  if (more == 0) return MN_OK;
  MN_TRY(mn_subset_of_class(ctx, data, c, &plan->rows));
  MN_TRY(mn_count_others(ctx, data, c, plan->rows.row, plan->rows.n, k, &plan->g));
  for (size_t i = 0; i < plan->rows.n; i++) total += (double)plan->g[i];
  for (size_t i = 0; i < plan->rows.n; i++) {
    const double share = total > 0 ? (double)plan->g[i] / total : 1 / (double)plan->rows.n;
    plan->g[i] = (size_t)rint(share * more);
    plan->total += plan->g[i];
  }
  return MN_OK;
}

static mn_status extend_class(mn_context *ctx, const struct adasyn *m, size_t c, const struct class_plan *plan,
                              mn_resampled *out)
{
  const mn_row_subset *rows = &plan->rows;
  const size_t k = (size_t)m->n_neighbors;
  mn_rng rng = mn_stream(m->seed, c);
  int32_t *nearest;
  if (plan->total == 0) return MN_OK;
  MN_TRY(mn_nearest_of(ctx, &rows->x, NULL, k, &nearest, NULL));
  for (size_t i = 0; i < rows->n; i++) {
    if (i % MN_POLL_ROWS == 0) MN_TRY(mn_poll(ctx));
    for (size_t s = 0; s < plan->g[i]; s++) {
      const size_t other = (size_t)nearest[i * k + mn_random_below(&rng, k)];
      mn_interpolate(mn_row(&rows->x, i), mn_row(&rows->x, other), rows->x.cols, mn_random_uniform(&rng),
                     mn_add_row(out, rows->row[i]));
    }
  }
  return MN_OK;
}

static mn_status resample(mn_context *ctx, const void *self, const mn_data *data, mn_resampled *out)
{
  const struct adasyn *m = self;
  struct class_plan *plan = MN_RAW(ctx, struct class_plan, data->classes, 1);
  size_t more = 0;
  MN_CHECK_ALLOC(plan);
  for (size_t c = 0; c < data->classes; c++) {
    MN_TRY(plan_class(ctx, m, data, c, &plan[c]));
    more += plan[c].total;
  }
  MN_TRY(mn_begin_more_rows(ctx, data, more, true, out));
  for (size_t c = 0; c < data->classes; c++) MN_TRY(extend_class(ctx, m, c, &plan[c], out));
  return MN_OK;
}

static const mn_param params[] = {
  MN_OVERSAMPLER_PARAMS(struct adasyn),
  MN_COUNT(
      struct adasyn, n_neighbors, 5, MN_CLOSED(1, INT32_MAX - 1),
      "number of nearest neighbors: of any class, to find the overlap, and of the same class, to interpolate toward"),
  MN_SEED(struct adasyn, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_RESAMPLER_FIELDS(struct adasyn),
  MN_END,
};

const mn_class mn_adasyn = {
  .name = "ADASYN",
  .brief = "Oversamples small classes with synthetic rows, mostly where classes overlap.",
  .objective = "g_i = round(G r_i / sum r) rows x' = x_i + u (x_k - x_i), r_i: neighbors of other classes",
  .source = "He, Bai, Garcia & Li, IJCNN (2008)",
  .notes = MN_RESAMPLER_NOTE "Because the g_i are rounded, row counts only approximate target_counts. Distances "
                             "depend on the scale of the columns: put StandardScaler before it. If all r_i are 0, "
                             "each is set to 1; if all g_i are 0, no row is added. imbalanced-learn raises an error "
                             "in both cases.",
  .example = "local X, y = { {1}, {2}, {3}, {4}, {3.5}, {9} }, { \"a\", \"a\", \"a\", \"a\", \"b\", \"b\" }\n"
             "print(ml.ADASYN{ n_neighbors = 1 }:fit_resample(X, y))",
  .capabilities = MN_TRANSFORM | MN_RANDOM,
  .accepts = MN_Y_LABELS | MN_SPARSE,
  .size = sizeof(struct adasyn),
  .params = params,
  .fields = fields,
  .fit = fit,
  .resample = resample,
  MN_RESAMPLER_CLASS,
};
