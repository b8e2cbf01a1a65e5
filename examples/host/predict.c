/* Predict with a saved model from C, without a Lua state.
 *
 *   cc predict.c -lmanilius -lz -lm -lpthread -ldl -o predict
 *   ./predict flowers.mn 5.1 3.5 1.4 0.2
 *
 * prints each class with its probability, or the predicted numbers of a regression. Values of factor columns are given
 * as text. */
#include <manilius.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The value of column j: a number, or the code of a level. 0 if the text is not a number. */
static int read_value(const manilius_model *model, size_t j, const char *text, double *value)
{
  char *end;
  if (manilius_levels(model, j) > 0) {
    *value = manilius_level_code(model, j, text);
    return 1;
  }
  *value = text[0] == '\0' ? (double)NAN : strtod(text, &end); /* "": missing */
  return text[0] == '\0' || *end == '\0';
}

static void print_result(const manilius_model *model, const double *result)
{
  char label[80];
  const size_t classes = manilius_classes(model), width = manilius_width(model, MANILIUS_PREDICT);
  for (size_t c = 0; c < classes; c++) {
    manilius_class_label(model, (int32_t)c, label, sizeof label);
    printf("%s %.6f\n", label, result[c]);
  }
  for (size_t t = 0; classes == 0 && t < width; t++) printf("%.10g\n", result[t]);
}

static int predict(manilius_model *model, char **text, size_t columns)
{
  const size_t features = manilius_features(model);
  const manilius_action action = manilius_classes(model) > 0 ? MANILIUS_PREDICT_PROBA : MANILIUS_PREDICT;
  double *row = malloc(features * sizeof *row), *result = malloc((manilius_width(model, action) + 1) * sizeof *result);
  manilius_worker *worker = manilius_worker_new(model);
  int failed = !row || !result || !worker || columns != features;
  if (columns != features) fprintf(stderr, "expected %zu values, got %zu\n", features, columns);
  for (size_t j = 0; !failed && j < features; j++)
    if (!read_value(model, j, text[j], &row[j])) {
      fprintf(stderr, "value %zu is not a number: %s\n", j + 1, text[j]);
      failed = 1;
    }
  if (!failed && manilius_apply(worker, action, row, 1, result) != MANILIUS_OK) {
    fprintf(stderr, "%s\n", manilius_error(worker));
    failed = 1;
  }
  if (!failed) print_result(model, result);
  manilius_worker_free(worker);
  free(row);
  free(result);
  return failed;
}

int main(int count, char **argument)
{
  char reason[200];
  manilius_model *model;
  if (count < 2) {
    fprintf(stderr, "usage: predict MODEL VALUE...\n");
    return 2;
  }
  if (manilius_load(argument[1], NULL, &model, reason, sizeof reason) != MANILIUS_OK) {
    fprintf(stderr, "%s\n", reason);
    return 1;
  }
  const int failed = predict(model, argument + 2, (size_t)count - 2);
  manilius_free(model);
  return failed;
}
