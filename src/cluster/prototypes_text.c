#include "../core/text_buffer.h"
#include "prototypes.h"
#include <stdio.h>
#include <string.h>

enum { CELL = 24 };

struct page {
  const mn_estimator *model;
  const mn_matrix *centers;
  const mn_vector *counts;
  int *width; /* features */
};

static const char *column_title(const struct page *p, size_t j, char text[CELL])
{
  if (p->model->feature_names.size > 0)
    snprintf(text, CELL, "%s", p->model->feature_names.at[j]);
  else
    snprintf(text, CELL, "x%zu", j + 1);
  return text;
}

/* A number, or the label of a category. */
static const char *cell(const struct page *p, size_t c, size_t j, char text[CELL])
{
  const double value = mn_row(p->centers, c)[j];
  const mn_levels_list *levels = &p->model->feature_levels;
  if (levels->size > 0 && levels->at[j])
    return mn_format_label(text, CELL, mn_levels_at(levels->at[j], (size_t)value - 1));
  snprintf(text, CELL, "%.5g", value);
  return text;
}

static void write_page(const struct page *p, mn_text_buffer *t)
{
  char text[CELL];
  mn_text_printf(t, "%8s %8s", "cluster", "rows");
  for (size_t j = 0; j < p->centers->cols; j++) mn_text_printf(t, "  %-*s", p->width[j], column_title(p, j, text));
  for (size_t c = 0; c < p->centers->rows; c++) {
    mn_text_printf(t, "\n%8zu %8.6g", c + 1, p->counts->at[c]);
    for (size_t j = 0; j < p->centers->cols; j++) mn_text_printf(t, "  %-*s", p->width[j], cell(p, c, j, text));
  }
}

mn_status mn_prototypes_summary(mn_context *ctx, const mn_estimator *model, const mn_matrix *centers,
                                const mn_vector *counts, mn_results *results)
{
  struct page p = { model, centers, counts, MN_NEW(ctx, int, centers->cols, 1) };
  mn_text_buffer t = { .at = NULL };
  char buffer[CELL];
  MN_CHECK_ALLOC(p.width);
  for (size_t j = 0; j < centers->cols; j++) {
    if (j + 1 == centers->cols) break; /* nothing follows the last column */
    p.width[j] = (int)strlen(column_title(&p, j, buffer));
    for (size_t c = 0; c < centers->rows; c++) {
      const int length = (int)strlen(cell(&p, c, j, buffer));
      if (length > p.width[j]) p.width[j] = length;
    }
  }
  write_page(&p, &t);
  MN_TRY(mn_text_allocate(ctx, &t));
  write_page(&p, &t);
  return mn_result_text(ctx, results, "text", t.at, t.size);
}

mn_status mn_prototypes_check(mn_context *ctx, const mn_estimator *model, const mn_matrix *centers)
{
  const mn_levels_list *levels = &model->feature_levels;
  for (size_t j = 0; j < levels->size && j < centers->cols; j++)
    for (size_t c = 0; levels->at[j] && c < centers->rows; c++) {
      const double code = mn_row(centers, c)[j];
      if (!(code >= 1 && code <= (double)mn_levels_size(levels->at[j])) || code != floor(code))
        return mn_fail(ctx, MN_BAD_FILE, "%s: a center has a category without a level", model->class->name);
    }
  return MN_OK;
}
