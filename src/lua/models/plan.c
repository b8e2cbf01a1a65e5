/* Compositions of Lua whose leaves are all models of ours become a plan in C, and lists of fits run in C threads. */
#include "plan.h"
#include "../../linalg/product.h"
#include "../../plan/jobs.h"
#include "../../model/table.h"
#include "model.h"
#include <string.h>

#define PLAN "manilius.Plan"
#define JOBS "manilius.Jobs"

/* --- plans --- */

static int plan_gc(lua_State *L)
{
  mn_plan **plan = lua_touserdata(L, 1);
  mn_memory *memory = mn_lua_memory(L);
  if (memory) {
    mn_plan_free(memory, *plan);
    *plan = NULL;
  }
  return 0;
}

mn_plan **mn_lua_push_plan(lua_State *L)
{
  mn_plan **plan = lua_newuserdatauv(L, sizeof *plan, 0);
  *plan = NULL;
  luaL_setmetatable(L, PLAN);
  return plan;
}

const mn_plan *mn_lua_check_plan(lua_State *L, int arg)
{
  return *(mn_plan **)luaL_checkudata(L, arg, PLAN);
}

static void build(lua_State *L, mn_context *ctx, int index, mn_plan **out);

static void *need(lua_State *L, mn_context *ctx, void *made)
{
  if (!made) mn_lua_raise(L, ctx);
  return made;
}

static void want(lua_State *L, mn_context *ctx, mn_status status)
{
  if (status != MN_OK) mn_lua_raise(L, ctx);
}

static void set_indexes(lua_State *L, mn_context *ctx, int list, mn_plan_part *part)
{
  const size_t n = lua_rawlen(L, list);
  part->by = MN_COLUMNS_INDEX;
  want(L, ctx, mn_indexes_init(ctx, &part->index, n));
  for (size_t i = 0; i < n; i++) {
    lua_rawgeti(L, list, (lua_Integer)i + 1);
    part->index.at[i] = (int32_t)(luaL_checkinteger(L, -1) - 1);
    lua_pop(L, 1);
  }
}

static void set_names(lua_State *L, mn_context *ctx, int list, mn_plan_part *part)
{
  const size_t n = lua_rawlen(L, list);
  const char **names = lua_newuserdatauv(L, n * sizeof *names + 1, 0);
  for (size_t i = 0; i < n; i++) {
    lua_rawgeti(L, list, (lua_Integer)i + 1);
    luaL_checktype(L, -1, LUA_TSTRING); /* of a number Lua would make a string that nobody holds */
    names[i] = lua_tostring(L, -1);
    lua_pop(L, 1);
  }
  part->by = MN_COLUMNS_NAMES;
  want(L, ctx, mn_names_init(ctx, &part->names, names, n));
  lua_pop(L, 1);
}

/* The choice of columns on top of the stack: "numeric", "factor", "rest", a list of positions or of names. */
static void set_columns(lua_State *L, mn_context *ctx, mn_plan_part *part)
{
  static const char *const words[] = { "numeric", "factor", "rest", NULL };
  static const mn_columns_by by[] = { MN_COLUMNS_NUMERIC, MN_COLUMNS_FACTOR, MN_COLUMNS_REST };
  const int top = lua_gettop(L);
  if (!lua_istable(L, top)) {
    part->by = by[luaL_checkoption(L, top, NULL, words)];
    return;
  }
  const bool names = lua_rawgeti(L, top, 1) == LUA_TSTRING;
  lua_pop(L, 1);
  if (names)
    set_names(L, ctx, top, part);
  else
    set_indexes(L, ctx, top, part);
}

static void build_part(lua_State *L, mn_context *ctx, int index, mn_plan *plan, size_t p)
{
  const lua_Integer i = (lua_Integer)p + 1;
  mn_plan_part *part = &plan->part[p];
  size_t size;
  lua_getfield(L, index, "names");
  lua_rawgeti(L, -1, i);
  const char *name = luaL_checklstring(L, -1, &size);
  want(L, ctx, mn_text_init(ctx, &part->name, name, size));
  lua_pop(L, 2);
  if (plan->kind == MN_PLAN_COLUMNS) {
    lua_getfield(L, index, "columns");
    lua_rawgeti(L, -1, i);
    set_columns(L, ctx, part);
    lua_pop(L, 2);
  }
  lua_rawgeti(L, index, i);
  if (lua_toboolean(L, -1)) build(L, ctx, lua_gettop(L), &part->plan);
  lua_pop(L, 1);
}

/* The description at `index`: a model, "passthrough", or { kind =, names =, part, ... } with false for a part that is
 * dropped. What is made is attached to the plan at once, so that an error frees it. */
static void build(lua_State *L, mn_context *ctx, int index, mn_plan **out)
{
  static const char *const kinds[] = { "chain", "columns", "union", NULL };
  static const mn_plan_kind kind[] = { MN_PLAN_CHAIN, MN_PLAN_COLUMNS, MN_PLAN_UNION };
  luaL_checkstack(L, 12, "nested too deeply");
  if (mn_lua_is_model(L, index)) {
    const mn_estimator *model = mn_lua_pin_model(L, index);
    *out = need(L, ctx, mn_plan_new(ctx, MN_PLAN_MODEL, 0));
    (*out)->model = need(L, ctx, mn_estimator_clone(ctx, model));
    lua_pop(L, 1);
  } else if (lua_type(L, index) == LUA_TSTRING) {
    *out = need(L, ctx, mn_plan_new(ctx, MN_PLAN_PASS, 0));
  } else {
    luaL_checktype(L, index, LUA_TTABLE);
    lua_getfield(L, index, "kind");
    const mn_plan_kind this = kind[luaL_checkoption(L, lua_gettop(L), NULL, kinds)];
    mn_plan *plan = *out = need(L, ctx, mn_plan_new(ctx, this, lua_rawlen(L, index)));
    lua_getfield(L, index, "prefix");
    lua_getfield(L, index, "sparse_threshold");
    plan->prefix = lua_toboolean(L, -2);
    plan->sparse_threshold = luaL_optnumber(L, -1, 0.3);
    lua_pop(L, 3);
    for (size_t p = 0; p < plan->parts; p++) build_part(L, ctx, index, plan, p);
  }
}

/* plan(description) -> Plan */
static int plan_new(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  lua_settop(L, 1);
  mn_plan **plan = mn_lua_push_plan(L);
  build(L, ctx, 1, plan);
  mn_lua_end(L, ctx);
  return 1;
}

/* plan_of_archive(bytes) -> Plan: what a host without Lua would load; plan_predict uses it */
static int plan_of_archive(lua_State *L)
{
  size_t size;
  const char *bytes = luaL_checklstring(L, 1, &size);
  mn_plan **plan = mn_lua_push_plan(L);
  mn_context *ctx = mn_lua_begin(L);
  mn_reader r;
  if (mn_read_begin(ctx, "archive", bytes, size, &r) != MN_OK) return mn_lua_raise(L, ctx);
  const mn_record *found = mn_find_record(&r, SIZE_MAX, "model");
  if (!found) return luaL_error(L, "archive: holds no model");
  *plan = need(L, ctx, mn_load_plan(&r, (size_t)(found - r.record)));
  mn_lua_end(L, ctx);
  return 1;
}

/* plan_apply(plan, X, action) -> Matrix: rows x width, classes as codes from 0 */
static int plan_apply(lua_State *L)
{
  mn_plan **plan = luaL_checkudata(L, 1, PLAN);
  const mn_estimator *final = mn_plan_final(*plan);
  const char *name = luaL_optstring(L, 3, "predict");
  mn_action action = MN_PREDICT;
  while (action < MN_ACTIONS && strcmp(mn_action_name(action), name) != 0) action++;
  if (!final || action == MN_ACTIONS) return luaL_error(L, "the plan has no %s", name);
  mn_context *ctx = mn_lua_begin(L);
  mn_input input = { .x = mn_lua_check_x(L, ctx, 2, final, "X") };
  const size_t width = mn_width(final, action);
  mn_matrix out = { .at = mn_lua_push_matrix(L, input.x.rows, width)->at, .rows = input.x.rows, .cols = width };
  if (mn_plan_apply(ctx, *plan, action, &input, &out) != MN_OK) return mn_lua_raise(L, ctx);
  mn_lua_end(L, ctx);
  return 1;
}

/* --- jobs --- */

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

/* Zeroed memory in a userdata on top of the stack. */
static void *push_zeroed(lua_State *L, size_t size, size_t n)
{
  size_t bytes;
  if (!mn_checked_size(size, n, 1, &bytes)) luaL_error(L, "not enough memory");
  void *taken = lua_newuserdatauv(L, bytes > 0 ? bytes : 1, 0);
  memset(taken, 0, bytes);
  return taken;
}

static struct jobs *push_jobs(lua_State *L, size_t n)
{
  struct jobs *jobs = lua_newuserdatauv(L, sizeof *jobs, 1);
  *jobs = (struct jobs){ 0 };
  luaL_setmetatable(L, JOBS);
  jobs->at = push_zeroed(L, sizeof *jobs->at, n);
  lua_setiuservalue(L, -2, 1);
  jobs->n = n;
  return jobs;
}

struct rows {
  size_t *at;
  size_t n;
};

/* Rows in the Vector of field `name` of the fold on top of the stack; kept in the table at `keep`. */
static struct rows read_rows(lua_State *L, int keep, const char *name, size_t limit)
{
  lua_getfield(L, -1, name);
  const mn_lua_vector *v = mn_lua_test_vector(L, -1);
  if (!v) luaL_error(L, "a fold must have the Vectors train and test");
  struct rows rows = { .at = push_zeroed(L, sizeof *rows.at, v->size), .n = v->size };
  lua_rawseti(L, keep, (lua_Integer)lua_rawlen(L, keep) + 1);
  for (size_t i = 0; i < v->size; i++) {
    const double row = v->at[i * v->step];
    if (!(row >= 1 && row <= (double)limit)) luaL_error(L, "a fold has row %f of %d", row, (int)limit);
    rows.at[i] = (size_t)row - 1;
  }
  lua_pop(L, 1);
  return rows;
}

/* Folds at `index`: two for each, train and test. */
static const struct rows *read_folds(lua_State *L, int keep, int index, size_t limit)
{
  const size_t n = lua_rawlen(L, index);
  struct rows *folds = push_zeroed(L, sizeof *folds, 2 * n);
  lua_rawseti(L, keep, (lua_Integer)lua_rawlen(L, keep) + 1);
  for (size_t f = 0; f < n; f++) {
    lua_rawgeti(L, index, (lua_Integer)f + 1);
    folds[2 * f] = read_rows(L, keep, "train", limit);
    folds[2 * f + 1] = read_rows(L, keep, "test", limit);
    lua_pop(L, 1);
  }
  return folds;
}

static size_t read_place(lua_State *L, int list, lua_Integer i, size_t n)
{
  lua_rawgeti(L, list, i);
  const lua_Integer place = luaL_checkinteger(L, -1);
  if (place < 1 || (size_t)place > n) luaL_error(L, "a job names part %d of %d", (int)place, (int)n);
  lua_pop(L, 1);
  return (size_t)place - 1;
}

/* The set of actions that the jobs of plan number `plan` run, from 0. */
static void read_wanted(lua_State *L, int options, size_t plan, mn_job *job)
{
  lua_getfield(L, options, "also_train");
  job->also_train = lua_toboolean(L, -1);
  lua_getfield(L, options, "wants");
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
  if (action == MN_PREDICT && job->class->capabilities & MN_CLASSIFY) {
    const mn_factor *f = mn_lua_push_factor(L, m->rows, job->classes);
    for (size_t i = 0; i < m->rows; i++) f->code[i] = (int32_t)m->at[i];
  } else if (mn_lua_output_is_vector(job->class, job->one_target, action, m->cols)) {
    push_vector(L, job, action, m);
  } else {
    mn_lua_matrix *out = mn_lua_push_empty_matrix(L);
    out->own = *m;
    *m = (mn_matrix){ 0 };
    mn_lua_commit_matrix(L, out);
  }
}

static void push_side(lua_State *L, const mn_job *job, mn_matrix *out, const char *name)
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
  push_side(L, job, job->on_test, "test");
  if (job->also_train) push_side(L, job, job->on_train, "train");
  if (!job->fitted) return;
  mn_lua_push_fitted(L, job->fitted, false);
  lua_setfield(L, -2, "fitted");
}

static size_t option_threads(lua_State *L, int options)
{
  lua_getfield(L, options, "threads");
  const lua_Integer threads = luaL_optinteger(L, -1, -1);
  lua_pop(L, 1);
  return threads < 0 ? SIZE_MAX : (size_t)threads;
}

enum { PLANS = 1, X, Y, WEIGHTS, FOLDS, LIST, OPTIONS, KEEP };

static void fill_jobs(lua_State *L, struct jobs *jobs, const struct rows *folds)
{
  const size_t plans = lua_rawlen(L, PLANS), n_folds = lua_rawlen(L, FOLDS);
  for (size_t i = 0; i < jobs->n; i++) {
    mn_job *job = &jobs->at[i];
    lua_rawgeti(L, LIST, (lua_Integer)i + 1);
    const size_t plan = read_place(L, lua_gettop(L), 1, plans), fold = read_place(L, lua_gettop(L), 2, n_folds);
    lua_getfield(L, -1, "keep");
    job->keep = lua_toboolean(L, -1);
    lua_rawgeti(L, PLANS, (lua_Integer)plan + 1);
    job->plan = *(mn_plan **)luaL_checkudata(L, -1, PLAN);
    lua_pop(L, 3);
    job->train = folds[2 * fold].at;
    job->n_train = folds[2 * fold].n;
    job->test = folds[2 * fold + 1].at;
    job->n_test = folds[2 * fold + 1].n;
    read_wanted(L, OPTIONS, plan, job);
  }
}

static mn_input read_input(lua_State *L, mn_context *ctx)
{
  lua_rawgeti(L, PLANS, 1);
  mn_plan **first = luaL_checkudata(L, -1, PLAN);
  lua_pop(L, 1);
  static const mn_class no_class = { .name = "plan" };
  static const mn_estimator nobody = { .class = &no_class };
  const mn_estimator *final = mn_plan_final(*first);
  mn_input input = { .x = mn_lua_check_x(L, ctx, X, final ? final : &nobody, "X") };
  input.y = mn_lua_check_y(L, ctx, Y, final ? final : &nobody);
  const size_t rows = input.x.rows;
  if (!lua_isnil(L, WEIGHTS)) {
    const mn_vector w = mn_lua_check_vector(L, ctx, WEIGHTS);
    if (w.size != rows) luaL_error(L, "weights must have as many rows as X, %d, got %d", (int)rows, (int)w.size);
    input.weights = w.at;
    input.n_weights = w.size;
  }
  const size_t answers = input.y.kind == MN_TARGET_REALS ? input.y.reals.rows : input.y.labels.size;
  if (input.y.kind != MN_TARGET_NONE && answers != rows)
    luaL_error(L, "y must have as many rows as X, %d, got %d", (int)rows, (int)answers);
  return input;
}

/* For the bar; a composition is most often a Pipeline. */
static const char *name_of(const struct jobs *jobs)
{
  const mn_plan *plan = jobs->n > 0 ? jobs->at[0].plan : NULL;
  return plan && plan->kind == MN_PLAN_MODEL ? plan->model->class->name : "Pipeline";
}

/* run_jobs(plans, X, y, weights, folds, list, options) -> list of results
 * list: { { plan, fold, keep = give the fitted plan, too }, ... }; options: wants = { { predict = true, ... }, ... } by
 * plan, also_train, threads */
static int run_jobs(lua_State *L)
{
  lua_settop(L, OPTIONS);
  luaL_checktype(L, PLANS, LUA_TTABLE);
  luaL_checktype(L, FOLDS, LUA_TTABLE);
  luaL_checktype(L, LIST, LUA_TTABLE);
  luaL_checktype(L, OPTIONS, LUA_TTABLE);
  mn_context *ctx = mn_lua_begin(L);
  lua_newtable(L); /* KEEP */
  const mn_input input = read_input(L, ctx);
  const struct rows *folds = read_folds(L, KEEP, FOLDS, input.x.rows);
  struct jobs *jobs = push_jobs(L, lua_rawlen(L, LIST));
  fill_jobs(L, jobs, folds);
  const size_t threads = option_threads(L, OPTIONS), before = mn_threads(ctx);
  if (threads != SIZE_MAX) mn_set_threads(ctx, threads);
  mn_lua_set_operation_name(L, ctx, name_of(jobs), "fits");
  const mn_status status = mn_jobs_run(ctx, &input, jobs->at, jobs->n);
  mn_set_threads(ctx, before);
  if (status != MN_OK) return mn_lua_raise(L, ctx);
  mn_lua_end(L, ctx);
  lua_createtable(L, (int)jobs->n, 0);
  for (size_t i = 0; i < jobs->n; i++) {
    push_job(L, &jobs->at[i]);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  return 1;
}

/* join_sparse(list of Matrix and Sparse of the same rows) -> Sparse: side by side */
static int join_sparse(lua_State *L)
{
  lua_settop(L, 1);
  luaL_checktype(L, 1, LUA_TTABLE);
  mn_context *ctx = mn_lua_begin(L);
  const size_t n = lua_rawlen(L, 1);
  lua_newtable(L); /* keeps what has to be converted */
  mn_table *part = push_zeroed(L, sizeof *part, n), joined;
  for (size_t i = 0; i < n; i++) {
    lua_rawgeti(L, 1, (lua_Integer)i + 1);
    const mn_csr *s = mn_lua_test_sparse(L, -1);
    if (s) {
      part[i] = (mn_table){ .sparse = s, .rows = s->rows, .cols = s->cols };
    } else {
      const mn_matrix m = mn_lua_check_matrix(L, ctx, lua_gettop(L));
      part[i] = (mn_table){ .dense = m, .rows = m.rows, .cols = m.cols };
    }
    if (part[i].rows != part[0].rows)
      return luaL_error(L, "part %d has %d rows, the first has %d", (int)i + 1, (int)part[i].rows, (int)part[0].rows);
    lua_rawseti(L, 2, (lua_Integer)i + 1);
  }
  mn_csr *out = mn_lua_push_sparse(L);
  mn_status status = mn_table_hconcat(ctx, part, n, n > 0 ? part[0].rows : 0, true, NULL, &joined);
  if (status == MN_OK) status = mn_value_copy(ctx, MN_KIND_CSR, joined.sparse, out);
  if (status != MN_OK) return mn_lua_raise(L, ctx);
  mn_lua_end(L, ctx);
  return 1;
}

/* seconds() -> of a clock that only goes forward */
static int seconds(lua_State *L)
{
  lua_pushnumber(L, mn_seconds());
  return 1;
}

void mn_lua_open_plan(lua_State *L)
{
  static const luaL_Reg functions[] = { { "plan", plan_new },
                                        { "plan_of_archive", plan_of_archive },
                                        { "plan_apply", plan_apply },
                                        { "run_jobs", run_jobs },
                                        { "join_sparse", join_sparse },
                                        { "seconds", seconds },
                                        { NULL, NULL } };
  mn_lua_new_gc_metatable(L, PLAN, plan_gc);
  mn_lua_new_gc_metatable(L, JOBS, jobs_gc);
  luaL_setfuncs(L, functions, 0);
}
