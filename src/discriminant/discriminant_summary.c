#include "discriminant_summary.h"
#include "../core/levels.h"
#include <string.h>

enum { LABEL_SIZE = 64, WIDTH = 12, MAX_NAME = 24, MAX_COLUMNS = 10 };

mn_status mn_class_labels(mn_context *ctx, const mn_estimator *model, const char ***labels)
{
  const size_t classes = mn_levels_size(model->classes);
  char *buffer = MN_RAW(ctx, char, classes, LABEL_SIZE);
  *labels = MN_RAW(ctx, const char *, classes, 1);
  if (!buffer || !*labels) return MN_NO_MEMORY;
  for (size_t c = 0; c < classes; c++)
    (*labels)[c] = mn_format_label(buffer + c * LABEL_SIZE, LABEL_SIZE, mn_levels_at(model->classes, c));
  return MN_OK;
}

size_t mn_table_size(size_t rows, size_t cols)
{
  return 256 + (rows + 1) * (MAX_NAME + 2 + (cols < MAX_COLUMNS ? cols : MAX_COLUMNS) * (WIDTH + 16));
}

void mn_print_table(mn_text_page *page, const char *title, const char *const *rows, size_t n, const char *const *cols,
                    size_t p, const double *at)
{
  const size_t shown = p < MAX_COLUMNS ? p : MAX_COLUMNS;
  size_t width = 8;
  for (size_t i = 0; i < n; i++) width = strlen(rows[i]) > width ? strlen(rows[i]) : width;
  if (width > MAX_NAME) width = MAX_NAME;
  mn_print(page, "%s:\n%-*s", title, (int)width, "");
  for (size_t j = 0; j < shown; j++) mn_print(page, " %*.*s", WIDTH, WIDTH, cols[j]);
  mn_print(page, "\n");
  for (size_t i = 0; i < n; i++) {
    mn_print(page, "%-*.*s", (int)width, (int)width, rows[i]);
    for (size_t j = 0; j < shown; j++) mn_print(page, " %*.5g", WIDTH, at[i * p + j]);
    mn_print(page, "\n");
  }
  if (shown < p) mn_print(page, "%zu more columns are not printed.\n", p - shown);
  mn_print(page, "\n");
}

mn_status mn_add_classes(mn_context *ctx, const char *const *labels, const mn_vector *prior, const mn_matrix *means,
                         mn_results *results)
{
  mn_vector *priors;
  mn_matrix *copy;
  MN_TRY(mn_result_names(ctx, results, "classes.class", labels, prior->size));
  MN_TRY(mn_result_vector(ctx, results, "classes.prior", prior->size, &priors));
  MN_TRY(mn_result_matrix(ctx, results, "means", means->rows, means->cols, &copy));
  memcpy(priors->at, prior->at, prior->size * sizeof *prior->at);
  memcpy(copy->at, means->at, means->rows * means->cols * sizeof *means->at);
  return MN_OK;
}
