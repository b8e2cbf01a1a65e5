#include "evidence.h"
#include "../discriminant/discriminant_summary.h"
#include "../linear/terms.h"
#include "../stats/argsort.h"
#include <string.h>

const mn_param mn_evidence_params[] = {
  MN_COUNT(mn_evidence_options, top, 10, MN_AT_LEAST(1), "number of rows for each class, largest first"),
  MN_END,
};

mn_status mn_other_priors(mn_context *ctx, const mn_vector *log_prior, double **w)
{
  const size_t k = log_prior->size;
  *w = MN_NEW(ctx, double, k, k);
  MN_CHECK_ALLOC(*w);
  for (size_t c = 0; c < k; c++) {
    double sum = 0;
    for (size_t d = 0; d < k; d++) sum += d == c ? 0 : exp(log_prior->at[d]);
    for (size_t d = 0; d < k; d++)
      if (d != c) (*w)[c * k + d] = sum > 0 ? exp(log_prior->at[d]) / sum : 1 / (double)(k - 1);
  }
  return MN_OK;
}

mn_status mn_log_odds(mn_context *ctx, const mn_vector *log_prior, const mn_matrix *log_p, mn_matrix *out)
{
  const size_t k = log_p->rows, n = log_p->cols;
  double *w;
  MN_TRY(mn_other_priors(ctx, log_prior, &w));
  *out = (mn_matrix){ .at = MN_RAW(ctx, double, k, n), .rows = k, .cols = n };
  MN_CHECK_ALLOC(out->at);
  for (size_t c = 0; c < k; c++)
    for (size_t v = 0; v < n; v++) {
      const double own = mn_row(log_p, c)[v];
      double other = 0;
      for (size_t d = 0; d < k; d++) other += w[c * k + d] * exp(mn_row(log_p, d)[v]);
      mn_row(out, c)[v] = isinf(own) && !(other > 0) ? 0 : own - log(other);
    }
  return MN_OK;
}

double mn_normal_information(double m1, double v1, double m2, double v2)
{
  if (!(v1 > 0 && v2 > 0)) return 0;
  return (log(v2 / v1) + (v1 + (m1 - m2) * (m1 - m2)) / v2 - 1) / 2;
}

/* The rows of the Frame. */
struct table {
  size_t size;
  int32_t *column; /* 0-based */
  const char **class, **feature, **level;
  double *value;
};

static mn_status init_table(mn_context *ctx, size_t size, struct table *t)
{
  *t = (struct table){ .size = size };
  t->column = MN_RAW(ctx, int32_t, size, 1);
  t->class = MN_RAW(ctx, const char *, size, 1);
  t->feature = MN_RAW(ctx, const char *, size, 1);
  t->level = MN_RAW(ctx, const char *, size, 1);
  t->value = MN_RAW(ctx, double, size, 1);
  return t->column && t->class && t->feature && t->level && t->value ? MN_OK : MN_NO_MEMORY;
}

static mn_status add_frame(mn_context *ctx, const mn_nb_evidence *e, const struct table *t, mn_results *results)
{
  mn_vector *value;
  mn_indexes *column;
  MN_TRY(mn_result_names(ctx, results, "evidence.class", t->class, t->size));
  MN_TRY(mn_result_indexes(ctx, results, "evidence.column", t->size, &column));
  memcpy(column->at, t->column, t->size * sizeof *t->column);
  MN_TRY(mn_result_names(ctx, results, "evidence.feature", t->feature, t->size));
  if (e->level) MN_TRY(mn_result_names(ctx, results, "evidence.value", t->level, t->size));
  MN_TRY(mn_result_vector(ctx, results, e->measure, t->size, &value));
  memcpy(value->at, t->value, t->size * sizeof *t->value);
  return MN_OK;
}

static mn_status add_text(mn_context *ctx, const mn_nb_evidence *e, const struct table *t, size_t top,
                          mn_results *results)
{
  enum { LINE = 400 };
  mn_text_page page;
  MN_TRY(mn_page_begin(ctx, &page, LINE * (2 * t->size + 2)));
  mn_print(&page, "%s:\n", e->title);
  for (size_t i = 0; i < t->size; i++) {
    if (i % top == 0) mn_print(&page, "%.64s\n", t->class[i]);
    mn_print(&page, "  %9.4g  %.100s%s%.100s\n", t->value[i], t->feature[i], e->level ? " = " : "",
             e->level ? t->level[i] : "");
  }
  return mn_result_text(ctx, results, "text", page.at, page.size > 0 ? page.size - 1 : 0);
}

mn_status mn_evidence_summary(mn_context *ctx, const mn_nb_evidence *e, const void *options, mn_results *results)
{
  const size_t k = e->value.rows, n = e->value.cols, wanted = (size_t)((const mn_evidence_options *)options)->top;
  const size_t top = wanted < n ? wanted : n;
  const char **labels, **names;
  size_t *order = MN_RAW(ctx, size_t, n, 1);
  struct table t;
  MN_CHECK_ALLOC(order);
  MN_TRY(mn_class_labels(ctx, e->model, &labels));
  MN_TRY(mn_term_names(ctx, e->model, NULL, e->model->n_features, false, &names));
  MN_TRY(init_table(ctx, k * top, &t));
  for (size_t c = 0; c < k; c++) {
    MN_TRY(mn_argsort_descending(ctx, n, mn_row(&e->value, c), 1, order));
    for (size_t r = 0; r < top; r++) {
      const size_t at = c * top + r, v = order[r];
      t.class[at] = labels[c];
      t.column[at] = e->feature ? e->feature[v] : (int32_t)v;
      t.feature[at] = names[t.column[at]];
      t.level[at] = e->level ? e->level[v] : "";
      t.value[at] = mn_row(&e->value, c)[v];
    }
  }
  MN_TRY(add_frame(ctx, e, &t, results));
  return add_text(ctx, e, &t, top, results);
}
