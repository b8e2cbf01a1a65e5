/* Loads any bytes as an archive: each input as it is, and again with a valid header and checksum. What loads is used in
 * every way, saved and loaded again; then it must be saved as the same bytes. Seeds are the files of
 * spec/fixtures/golden. */
#include "archive_mutate.h"
#include "../../src/archive/archive.h"
#include "../../src/archive/archive_frame.h"
#include "../../src/model/operation.h"
#include "../../src/plan/plan_info.h"
#include "../../src/model/program.h"
#include "../../src/model/save.h"
#include <stdlib.h>
#include <string.h>

enum { ROWS = 3, MAX_COLUMNS = 256, MAX_SIZE = 1 << 15, MAX_REPORTS = 100, FRAME = MN_HEADER_SIZE + 4 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Cancel long work after a number of progress reports instead of a time, so that runs are repeatable. */
static mn_progress_reply cancel_late(void *user, const mn_progress *progress)
{
  int *ticks = user;
  (void)progress;
  return ++*ticks > MAX_REPORTS ? MN_CANCEL : MN_CONTINUE;
}

/* Three rows: zeros, small whole numbers, which are also codes, and large numbers of both signs. */
static void fill(double *x, size_t cols)
{
  for (size_t j = 0; j < cols; j++) {
    x[j] = 0;
    x[cols + j] = (double)(j % 3);
    x[2 * cols + j] = j % 2 ? -1e3 : 2.5e7;
  }
}

static void check_outcome(const mn_context *ctx, mn_status status)
{
  if ((status == MN_OK) != (*mn_error_text(ctx) == '\0')) abort();
}

static void apply(mn_context *ctx, const mn_plan *plan, mn_action action, size_t cols, const mn_csr *sparse)
{
  const size_t width = mn_plan_width(plan, action, mn_plan_features(plan));
  const mn_mark mark = mn_scratch_mark(ctx);
  if (width == 0 || width > MAX_COLUMNS || cols == 0 || cols > MAX_COLUMNS) return;
  double *x = MN_NEW(ctx, double, ROWS, cols);
  mn_matrix out = { .at = MN_NEW(ctx, double, ROWS, width), .rows = ROWS, .cols = width };
  mn_input input = { .x = { .rows = ROWS, .cols = cols, .sparse = sparse } };
  if (x && out.at) {
    fill(x, cols);
    if (!sparse) input.x.dense = (mn_matrix){ .at = x, .rows = ROWS, .cols = cols };
    check_outcome(ctx, mn_plan_apply(ctx, plan, action, &input, &out));
  }
  mn_scratch_release(ctx, mark);
  mn_clear(ctx);
}

static void transform(mn_context *ctx, const mn_plan *plan, size_t cols)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_table x = { .rows = ROWS, .cols = cols }, out;
  if (mn_plan_width(plan, MN_TRANSFORM_X, cols) > MAX_COLUMNS) return;
  x.dense = (mn_matrix){ .at = MN_NEW(ctx, double, ROWS, cols), .rows = ROWS, .cols = cols };
  if (x.dense.at) {
    fill(x.dense.at, cols);
    check_outcome(ctx, mn_plan_transform(ctx, plan, &x, &out));
  }
  mn_scratch_release(ctx, mark);
  mn_clear(ctx);
}

static void apply_sparse(mn_context *ctx, const mn_plan *plan, size_t cols)
{
  size_t start[ROWS + 1] = { 0, 0, 1, 2 };
  int32_t col[] = { 0, (int32_t)cols - 1 };
  double at[] = { 1, -2.5 };
  const mn_csr x = { .rows = ROWS, .cols = cols, .start = start, .col = col, .at = at };
  for (int action = 0; action < MN_ACTIONS; action++)
    if (action != MN_INVERSE_TRANSFORM) apply(ctx, plan, (mn_action)action, cols, &x);
}

/* The three rows with targets of the kind of the model. */
static bool make_input(mn_context *ctx, const mn_estimator *model, size_t cols, mn_input *input)
{
  double *x = MN_NEW(ctx, double, ROWS, cols), *y = MN_NEW(ctx, double, ROWS, model->n_targets + 1);
  int32_t *code = MN_NEW(ctx, int32_t, ROWS, 1), *length = MN_NEW(ctx, int32_t, 1, 1);
  if (!x || !y || !code || !length) return false;
  fill(x, cols);
  y[0] = code[1] = 1;
  length[0] = ROWS;
  *input = (mn_input){ .x = { .rows = ROWS, .cols = cols } };
  if (model->class->accepts & MN_LENGTHS) input->lengths = length, input->n_lengths = 1;
  input->x.dense = (mn_matrix){ .at = x, .rows = ROWS, .cols = cols };
  if (model->classes) {
    input->y.kind = MN_TARGET_LABELS;
    input->y.labels = (mn_factor){ .code = code, .size = ROWS, .levels = model->classes };
  } else {
    input->y.kind = MN_TARGET_REALS;
    input->y.reals = (mn_matrix){ .at = y, .rows = ROWS, .cols = model->n_targets };
  }
  return true;
}

static mn_status modify(mn_context *ctx, const mn_estimator *model, const mn_operation *operation, const void *options)
{
  mn_estimator *modified = NULL;
  const mn_status status = mn_modify(ctx, model, operation, options, &modified);
  if (status == MN_OK) mn_estimator_free(mn_context_memory(ctx), modified);
  return status;
}

static void operate(mn_context *ctx, const mn_estimator *model, size_t cols, const mn_operation *operation)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_memory *memory = mn_context_memory(ctx);
  mn_results results = { .size = 0 };
  void *options = mn_scratch(ctx, 1, operation->options_size + 1, 1);
  mn_input input;
  if (options && make_input(ctx, model, cols, &input)) {
    mn_params_init(operation->options, options);
    check_outcome(ctx, operation->modify ? modify(ctx, model, operation, options)
                                         : mn_run_operation(ctx, model, operation, &input, options, &results));
    mn_results_free(memory, &results);
    mn_params_free(memory, operation->options, options);
  }
  mn_scratch_release(ctx, mark);
  mn_clear(ctx);
}

/* Read every number of the exported program. */
static void describe(mn_context *ctx, const mn_estimator *model, mn_action action)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_program program;
  volatile double seen = 0;
  const mn_status status = mn_describe_action(ctx, model, action, &program);
  check_outcome(ctx, status);
  for (size_t i = 0; status == MN_OK && i < program.tables; i++) {
    const mn_program_table *t = &program.table[i];
    for (size_t k = 0; k < t->size; k++) seen = t->reals ? t->reals[k] : t->indexes[k];
  }
  (void)seen;
  mn_scratch_release(ctx, mark);
  mn_clear(ctx);
}

/* Continue from the loaded model with a batch or more iterations. */
static void go_on(mn_context *ctx, const mn_estimator *model, size_t cols, bool batch)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_estimator *after = NULL;
  mn_input input;
  if (make_input(ctx, model, cols, &input)) {
    check_outcome(ctx, batch ? mn_partial_fit(ctx, model, &input, NULL, &after) : mn_fit(ctx, model, &input, &after));
    mn_estimator_free(mn_context_memory(ctx), after);
  }
  mn_scratch_release(ctx, mark);
  mn_clear(ctx);
}

/* The same in place with one row; this changes the model, so it comes last. */
static void learn_in_place(mn_context *ctx, mn_estimator *model, size_t cols)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const mn_param *warm_start = mn_param_named(model->class->params, "warm_start");
  mn_input input;
  if (make_input(ctx, model, cols, &input)) {
    input.x.rows = input.x.dense.rows = 1;
    input.y.reals.rows = input.y.labels.size = 1;
    if (mn_can_update(model, &input)) check_outcome(ctx, mn_update(ctx, model, &input));
  }
  mn_scratch_release(ctx, mark);
  mn_clear(ctx);
  if (warm_start && mn_set_flag(ctx, model->class->name, model, warm_start, true) == MN_OK && mn_can_resume(model))
    go_on(ctx, model, cols, false);
}

static void use(mn_context *ctx, const mn_plan *plan)
{
  const size_t cols = mn_plan_features(plan);
  const mn_estimator *final = mn_plan_final(plan);
  if (cols == 0 || cols > MAX_COLUMNS || !mn_plan_fitted(plan)) return;
  for (int action = 0; action < MN_ACTIONS; action++) {
    const bool back = action == MN_INVERSE_TRANSFORM;
    apply(ctx, plan, (mn_action)action, back ? mn_plan_width(plan, MN_TRANSFORM_X, cols) : cols, NULL);
  }
  transform(ctx, plan, cols);
  apply_sparse(ctx, plan, cols);
  if (plan->kind != MN_PLAN_MODEL || final->n_targets > MAX_COLUMNS) return;
  for (const mn_operation *o = final->class->operations; o && o->name; o++) operate(ctx, final, cols, o);
  for (int action = 0; action < MN_ACTIONS; action++) describe(ctx, final, (mn_action)action);
  if (final->class->partial_fit) go_on(ctx, final, cols, true);
}

static void use_up(mn_context *ctx, mn_plan *plan)
{
  const size_t cols = mn_plan_features(plan);
  if (plan->kind != MN_PLAN_MODEL || !plan->model->fitted || cols == 0 || cols > MAX_COLUMNS) return;
  if (plan->model->n_targets <= MAX_COLUMNS) learn_in_place(ctx, plan->model, cols);
}

/* Save a model; free the bytes with mn_write_free. */
static bool save(mn_context *ctx, const mn_estimator *model, mn_writer *w)
{
  *w = mn_write_begin(ctx);
  mn_save_estimator(w, "model", model);
  if (mn_write_finish(w) == MN_OK) return true;
  mn_write_free(w);
  return false;
}

static mn_plan *load(mn_context *ctx, const void *bytes, size_t size)
{
  mn_reader r;
  mn_plan *plan = NULL;
  if (mn_read_begin(ctx, "fuzz", bytes, size, &r) != MN_OK) return NULL;
  const mn_record *record = mn_find_record(&r, SIZE_MAX, "model");
  if (!record) return NULL;
  plan = mn_load_plan(&r, (size_t)(record - r.record));
  if (!plan && mn_error_status(ctx) == MN_OK) abort(); /* a failure without a message */
  return plan;
}

/* A model that was loaded and saved loads again and is saved as the same bytes. */
static void save_and_load(mn_context *ctx, const mn_estimator *model)
{
  mn_writer first, second;
  if (!save(ctx, model, &first)) return;
  mn_plan *again = load(ctx, first.at, first.size);
  const mn_status status = mn_error_status(ctx);
  if (!again && status != MN_NO_MEMORY && status != MN_CANCELLED) abort();
  if (again && save(ctx, again->model, &second)) {
    if (first.size != second.size || memcmp(first.at, second.at, first.size) != 0) abort();
    mn_write_free(&second);
  }
  mn_plan_free(mn_context_memory(ctx), again);
  mn_write_free(&first);
}

static void load_and_use(const void *bytes, size_t size)
{
  mn_memory *memory = mn_memory_new(NULL, NULL);
  mn_memory_limit(memory, (size_t)16 << 20);
  mn_context *ctx = mn_context_new(memory, 1);
  int ticks = 0;
  mn_set_progress_callback(ctx, cancel_late, &ticks);
  mn_plan *plan = load(ctx, bytes, size), *clone;
  if (plan) {
    mn_clear(ctx);
    use(ctx, plan);
    if (plan->kind == MN_PLAN_MODEL) save_and_load(ctx, plan->model);
    mn_clear(ctx);
    use_up(ctx, plan);
    clone = mn_plan_clone(ctx, plan);
    mn_plan_free(memory, clone);
    mn_plan_free(memory, plan);
  }
  mn_context_free(ctx);
  if (mn_memory_usage(memory).live != 0) abort();
  mn_memory_free(memory);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static unsigned char sealed[MAX_SIZE];
  load_and_use(data, size);
  if (size < FRAME || size > MAX_SIZE) return 0;
  memcpy(sealed, data, size);
  archive_seal(sealed, size);
  if (memcmp(sealed, data, size) != 0) load_and_use(sealed, size);
  return 0;
}
