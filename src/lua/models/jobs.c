#include "jobs.h"
#include "../../plan/jobs.h"
#include "../../plan/plan_info.h"
#include "../params/anchors.h"
#include "input.h"
#include "model_output.h"
#include "plan.h"
#include "../values/userdata.h"

#define JOBS "manilius.Jobs"

struct jobs {
  mn_job *at;
  size_t n;
};

static int jobs_gc(lua_State *L)
{
  struct jobs *jobs = lua_touserdata(L, 1);
  mn_memory *memory = mn_lua_memory(L);
  if (memory) {
    mn_jobs_free(memory, jobs->at, jobs->n);
    jobs->n = 0;
  }
  return 0;
}

static struct jobs *push_jobs(lua_State *L, size_t n)
{
  struct jobs *jobs = lua_newuserdatauv(L, sizeof *jobs, 1);
  *jobs = (struct jobs){ 0 };
  luaL_setmetatable(L, JOBS);
  jobs->at = mn_lua_push_zeroed_buffer(L, sizeof *jobs->at, n);
  lua_setiuservalue(L, -2, 1);
  jobs->n = n;
  return jobs;
}

struct rows {
  size_t *at;
  size_t n;
};

/* The 0-based rows, in scratch, of the Vector `name` of the fold on top of the stack. */
static struct rows read_rows(lua_State *L, mn_context *ctx, const char *name, size_t limit)
{
  lua_getfield(L, -1, name);
  if (!mn_lua_test_vector(L, -1)) luaL_error(L, "fold: train and test must be Vectors");
  const mn_vector v = mn_lua_check_vector(L, ctx, lua_gettop(L));
  const struct rows rows = { .at = MN_RAW(ctx, size_t, v.size, 1), .n = v.size };
  if (!rows.at) mn_lua_raise(L, ctx);
  if (!mn_lua_are_indices(v.size, v.at, limit))
    luaL_error(L, "fold: rows must be whole numbers from 1 to %d", (int)limit);
  for (size_t i = 0; i < v.size; i++) rows.at[i] = (size_t)v.at[i] - 1;
  lua_pop(L, 1);
  return rows;
}

/* The folds in the list at `index`: train rows and test rows of each, alternating, in scratch. */
static const struct rows *read_folds(lua_State *L, mn_context *ctx, int index, size_t limit)
{
  const size_t n = lua_rawlen(L, index);
  struct rows *folds = MN_NEW(ctx, struct rows, 2 * n, 1);
  if (!folds) mn_lua_raise(L, ctx);
  for (size_t f = 0; f < n; f++) {
    lua_rawgeti(L, index, (lua_Integer)f + 1);
    folds[2 * f] = read_rows(L, ctx, "train", limit);
    folds[2 * f + 1] = read_rows(L, ctx, "test", limit);
    lua_pop(L, 1);
  }
  return folds;
}

struct targets {
  mn_target *at;
  size_t n;
};

/* Field i of the job at `list`, from 1 to n, returned 0-based. */
static size_t read_position(lua_State *L, int list, lua_Integer i, size_t n)
{
  if (lua_type(L, list) != LUA_TTABLE) luaL_error(L, "job: expected { plan, fold }, got %s", mn_lua_type_name(L, list));
  lua_rawgeti(L, list, i);
  const lua_Integer position = luaL_checkinteger(L, -1);
  if (position < 1 || (size_t)position > n)
    luaL_error(L, "job: position must be from 1 to %d, got %d", (int)n, (int)position);
  lua_pop(L, 1);
  return (size_t)position - 1;
}

/* Which actions the jobs of plan `plan` (0-based) run. */
static void read_actions(lua_State *L, int options, size_t plan, mn_job *job)
{
  lua_getfield(L, options, "also_train");
  job->also_train = lua_toboolean(L, -1);
  if (lua_getfield(L, options, "wants") != LUA_TTABLE) luaL_error(L, "job: options must have a list of wants");
  lua_rawgeti(L, -1, (lua_Integer)plan + 1);
  for (mn_action a = MN_PREDICT; a < MN_ACTIONS; a++) {
    lua_getfield(L, -1, mn_action_name(a));
    job->want[a] = lua_toboolean(L, -1);
    lua_pop(L, 1);
  }
  lua_pop(L, 3);
}

static void push_vector(lua_State *L, const mn_job *job, mn_action action, mn_matrix *m)
{
  mn_lua_vector *v = mn_lua_push_empty_vector(L);
  v->own = (mn_vector){ .at = m->at, .size = m->rows };
  *m = (mn_matrix){ 0 };
  mn_lua_commit_vector(L, v);
  if (action == MN_PREDICT && job->class->capabilities & MN_CLUSTER) mn_lua_shift_cluster_labels(v);
}

static void push_output(lua_State *L, const mn_job *job, mn_action action, mn_matrix *m)
{
  if (action == MN_PREDICT && mn_lua_predicts_labels(job->class, job->classes)) {
    mn_lua_push_class_labels(L, m->rows, m->at, job->classes, job->one_target);
  } else if (mn_lua_output_is_vector(job->class, job->one_target, action, m->cols)) {
    push_vector(L, job, action, m);
  } else {
    mn_lua_matrix *out = mn_lua_push_empty_matrix(L);
    out->own = *m;
    *m = (mn_matrix){ 0 };
    mn_lua_commit_matrix(L, out);
  }
}

/* Set field `name` to a table from actions to outputs. */
static void set_outputs(lua_State *L, const mn_job *job, mn_matrix *out, const char *name)
{
  lua_createtable(L, 0, 2);
  for (mn_action a = MN_PREDICT; a < MN_ACTIONS; a++) {
    if (!job->want[a] || !out[a].at) continue;
    push_output(L, job, a, &out[a]);
    lua_setfield(L, -2, mn_action_name(a));
  }
  lua_setfield(L, -2, name);
}

static void push_job(lua_State *L, mn_job *job)
{
  lua_createtable(L, 0, 8);
  lua_pushnumber(L, job->fit_seconds);
  lua_setfield(L, -2, "fit_seconds");
  lua_pushnumber(L, job->score_seconds);
  lua_setfield(L, -2, "score_seconds");
  if (job->status != MN_OK) {
    lua_pushstring(L, job->text);
    lua_setfield(L, -2, "error");
    return;
  }
  lua_pushboolean(L, job->converged);
  lua_setfield(L, -2, "converged");
  if (job->classes) {
    mn_lua_push_levels(L, job->classes);
    lua_setfield(L, -2, "classes");
  }
  set_outputs(L, job, job->on_test, "test");
  if (job->also_train) set_outputs(L, job, job->on_train, "train");
  if (!job->fitted) return;
  mn_lua_push_fitted(L, job->fitted, 0);
  lua_setfield(L, -2, "fitted");
}

static size_t option_threads(lua_State *L, int options)
{
  lua_getfield(L, options, "threads");
  const lua_Integer threads = luaL_optinteger(L, -1, -1);
  lua_pop(L, 1);
  return threads < 0 ? SIZE_MAX : (size_t)threads;
}

/* Stack indices: the arguments of run_jobs, and a table of anchors. */
enum { PLANS = 1, X, Y, WEIGHTS, FOLDS, LIST, OPTIONS, ANCHORS };

/* Target number job.target of the job on top of the stack; NULL without one. */
static const mn_target *read_target(lua_State *L, const struct targets *targets)
{
  if (lua_getfield(L, -1, "target") == LUA_TNIL) {
    lua_pop(L, 1);
    return NULL;
  }
  const lua_Integer i = luaL_checkinteger(L, -1);
  if (i < 1 || (size_t)i > targets->n)
    luaL_error(L, "job: target must be from 1 to %d, got %d", (int)targets->n, (int)i);
  lua_pop(L, 1);
  return &targets->at[i - 1];
}

static void fill_jobs(lua_State *L, struct jobs *jobs, const struct rows *folds, const struct targets *targets)
{
  const size_t plans = lua_rawlen(L, PLANS), n_folds = lua_rawlen(L, FOLDS);
  for (size_t i = 0; i < jobs->n; i++) {
    mn_job *job = &jobs->at[i];
    lua_rawgeti(L, LIST, (lua_Integer)i + 1);
    const size_t plan = read_position(L, lua_gettop(L), 1, plans), fold = read_position(L, lua_gettop(L), 2, n_folds);
    job->y = read_target(L, targets);
    lua_getfield(L, -1, "keep");
    job->keep = lua_toboolean(L, -1);
    lua_rawgeti(L, PLANS, (lua_Integer)plan + 1);
    job->plan = *(mn_plan **)luaL_checkudata(L, -1, MN_LUA_PLAN_METATABLE);
    lua_pop(L, 3);
    job->train = folds[2 * fold].at;
    job->n_train = folds[2 * fold].n;
    job->test = folds[2 * fold + 1].at;
    job->n_test = folds[2 * fold + 1].n;
    read_actions(L, OPTIONS, plan, job);
  }
}

/* The final model of the first plan, which messages about the data name. */
static const mn_estimator *first_model(lua_State *L, const mn_estimator *(*model_of)(const mn_plan *))
{
  static const mn_class plan_class = { .name = "plan" };
  static const mn_estimator plan_model = { .class = &plan_class };
  lua_rawgeti(L, PLANS, 1);
  mn_plan **first = luaL_checkudata(L, -1, MN_LUA_PLAN_METATABLE);
  lua_pop(L, 1);
  const mn_estimator *found = model_of(*first);
  return found ? found : &plan_model;
}

/* y at stack index `arg`, with as many rows as X. */
static mn_target read_y(lua_State *L, mn_context *ctx, int arg, const mn_estimator *model, size_t rows)
{
  const mn_target y = mn_lua_check_y(L, ctx, arg, model);
  const size_t y_rows = y.kind == MN_TARGET_REALS ? y.reals.rows : y.labels.size;
  if (y.kind != MN_TARGET_NONE && y_rows != rows)
    luaL_error(L, "y must have as many rows as X, %d, got %d", (int)rows, (int)y_rows);
  return y;
}

/* The targets of single jobs: the list options.targets, which may be nil. */
static struct targets read_targets(lua_State *L, mn_context *ctx, const mn_estimator *model, size_t rows)
{
  if (lua_getfield(L, OPTIONS, "targets") == LUA_TNIL) return (struct targets){ 0 };
  luaL_checktype(L, -1, LUA_TTABLE);
  const int list = lua_gettop(L);
  struct targets targets = { .n = lua_rawlen(L, list) };
  targets.at = mn_lua_anchored_buffer(L, ANCHORS, sizeof *targets.at, targets.n);
  for (size_t i = 0; i < targets.n; i++) {
    lua_rawgeti(L, list, (lua_Integer)i + 1);
    targets.at[i] = read_y(L, ctx, list + 1, model, rows);
    lua_settop(L, list + 1);
    mn_lua_anchor_top(L, ANCHORS);
  }
  return targets;
}

static mn_input read_input(lua_State *L, mn_context *ctx)
{
  const mn_estimator *model = first_model(L, mn_plan_final);
  mn_input input = { .x = mn_lua_check_x(L, ctx, X, first_model(L, mn_plan_x_model), "X") };
  const size_t rows = input.x.rows;
  input.y = read_y(L, ctx, Y, model, rows);
  if (!lua_isnil(L, WEIGHTS)) {
    const mn_vector w = mn_lua_check_vector(L, ctx, WEIGHTS);
    if (w.size != rows) luaL_error(L, "weights must have as many rows as X, %d, got %d", (int)rows, (int)w.size);
    input.weights = w.at;
    input.n_weights = w.size;
  }
  return input;
}

/* The name for the progress bar. */
static const char *plan_name(const struct jobs *jobs)
{
  const mn_plan *plan = jobs->n > 0 ? jobs->at[0].plan : NULL;
  return plan && plan->kind == MN_PLAN_MODEL ? plan->model->class->name : "Pipeline";
}

/* Store the results of the jobs that ended before a cancellation in the table `partial` of the options. */
static void keep_partial(lua_State *L, const struct jobs *jobs)
{
  if (lua_getfield(L, OPTIONS, "partial") == LUA_TTABLE) {
    for (size_t i = 0; i < jobs->n; i++) {
      if (!jobs->at[i].done) continue;
      push_job(L, &jobs->at[i]);
      lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
  }
  lua_pop(L, 1);
}

/* run_jobs(plans, X, y, weights, folds, list, options) -> list of results
 * list: { { plan, fold, keep = return the fitted plan too, target = index in targets instead of y }, ... }
 * options: wants = { { predict = true, ... }, ... } by plan, targets, also_train, threads,
 * partial = a table for the results by job that are known when the call is cancelled */
static int run_jobs(lua_State *L)
{
  lua_settop(L, OPTIONS);
  mn_lua_copy_list(L, PLANS, "plans");
  mn_lua_copy_list(L, FOLDS, "folds");
  mn_lua_copy_list(L, LIST, "jobs");
  luaL_checktype(L, OPTIONS, LUA_TTABLE);
  mn_context *ctx = mn_lua_begin(L);
  lua_newtable(L); /* ANCHORS */
  const mn_input input = read_input(L, ctx);
  const struct rows *folds = read_folds(L, ctx, FOLDS, input.x.rows);
  struct jobs *jobs = push_jobs(L, lua_rawlen(L, LIST));
  const struct targets targets = read_targets(L, ctx, first_model(L, mn_plan_final), input.x.rows);
  fill_jobs(L, jobs, folds, &targets);
  const size_t threads = option_threads(L, OPTIONS), before = mn_threads(ctx);
  if (threads != SIZE_MAX) mn_set_threads(ctx, threads);
  mn_lua_set_operation_name(L, ctx, plan_name(jobs), "fits");
  const mn_status status = mn_jobs_run(ctx, &input, jobs->at, jobs->n);
  mn_set_threads(ctx, before);
  if (status != MN_OK) {
    if (status == MN_CANCELLED) keep_partial(L, jobs);
    return mn_lua_raise(L, ctx);
  }
  mn_lua_end(L, ctx);
  lua_createtable(L, (int)jobs->n, 0);
  for (size_t i = 0; i < jobs->n; i++) {
    push_job(L, &jobs->at[i]);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  return 1;
}

void mn_lua_open_jobs(lua_State *L)
{
  mn_lua_new_gc_metatable(L, JOBS, jobs_gc);
  lua_pushcfunction(L, run_jobs);
  lua_setfield(L, -2, "run_jobs");
}
