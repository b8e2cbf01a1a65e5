/* Uses one fitted model of each class in eight threads concurrently and compares the results with those of one thread.
 *
 * Prints each class with the number of tested actions ("Ridge 1"), and "differs" where a result differs. */
#include "../../src/core/rng.h"
#include "../../src/model/model.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { THREADS = 8, TIMES = 5, ROWS = 120, COLS = 4 };

struct use {
  mn_memory *memory;
  const mn_estimator *model;
  const mn_input *input;
  const mn_matrix *wanted;
  mn_action action;
  int bad;
};

static mn_status apply(mn_memory *memory, const mn_estimator *model, mn_action action, const mn_input *input,
                       mn_matrix *out, size_t threads)
{
  mn_context *ctx = mn_context_new(memory, threads);
  mn_status status = mn_matrix_init(ctx, out, input->x.rows, mn_width(model, action));
  if (status == MN_OK) status = mn_apply(ctx, model, action, input, out);
  mn_context_free(ctx);
  return status;
}

static void *use_often(void *user)
{
  struct use *use = user;
  for (int t = 0; t < TIMES; t++) {
    mn_matrix out = { 0 };
    if (apply(use->memory, use->model, use->action, use->input, &out, 2) != MN_OK ||
        memcmp(out.at, use->wanted->at, out.rows * out.cols * sizeof *out.at) != 0)
      use->bad = 1;
    mn_matrix_free(use->memory, &out);
  }
  return NULL;
}

static int share(mn_memory *memory, const mn_estimator *model, mn_action action, const mn_input *input)
{
  pthread_t thread[THREADS];
  struct use use[THREADS];
  mn_matrix wanted = { 0 };
  int bad = 0;
  if (apply(memory, model, action, input, &wanted, 1) != MN_OK) {
    mn_matrix_free(memory, &wanted);
    return -1;
  }
  for (int i = 0; i < THREADS; i++) {
    use[i] = (struct use){ .memory = memory, .model = model, .input = input, .wanted = &wanted, .action = action };
    pthread_create(&thread[i], NULL, use_often, &use[i]);
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(thread[i], NULL);
    bad |= use[i].bad;
  }
  mn_matrix_free(memory, &wanted);
  return bad;
}

static void try_class(mn_memory *memory, const mn_class *class, const mn_input *input)
{
  mn_context *ctx = mn_context_new(memory, 2);
  mn_estimator *model = mn_estimator_new(ctx, class), *fitted = NULL;
  int tried = 0;
  if (mn_fit(ctx, model, input, &fitted) == MN_OK)
    for (mn_action a = MN_PREDICT; a < MN_ACTIONS; a++) {
      const mn_input x = { .x = input->x };
      const bool is_sparse = a == MN_TRANSFORM_X && mn_outputs_sparse(fitted, &x.x);
      if (!mn_class_supports(class, a) || a == MN_INVERSE_TRANSFORM || is_sparse) continue;
      const int bad = share(memory, fitted, a, &x);
      if (bad >= 0) tried++;
      if (bad > 0) printf("%s %s differs\n", class->name, mn_action_name(a));
    }
  printf("%s %d\n", class->name, tried);
  mn_estimator_free(memory, fitted);
  mn_estimator_free(memory, model);
  mn_context_free(ctx);
}

int main(void)
{
  static double x[ROWS * COLS], y[ROWS];
  mn_memory *memory = mn_memory_new(NULL, NULL);
  /* Three classes, apart from each other. */
  for (int i = 0; i < ROWS * COLS; i++)
    x[i] = (i * 7919 % 1000) / 500.0 + 0.01 * (i % 13) + 4 * ((i / COLS + i % COLS) % 3);
  for (int i = 0; i < ROWS; i++) y[i] = i % 3;
  const mn_input input = {
    .x = { .dense = { .at = x, .rows = ROWS, .cols = COLS }, .rows = ROWS, .cols = COLS },
    .y = { .kind = MN_TARGET_REALS, .reals = { .at = y, .rows = ROWS, .cols = 1 }, .vector = true, .whole = true },
  };
  for (size_t i = 0; i < mn_class_count(); i++) try_class(memory, mn_class_at(i), &input);
  printf("held %zu\n", mn_memory_usage(memory).blocks);
  mn_memory_free(memory);
  return 0;
}
