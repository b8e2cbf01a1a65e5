/* Jobs: a fit in the background as a Lua value.
 *
 * The thread of a job never touches Lua (src/plan/background.h). What it has made comes to the model in the thread of
 * Lua, by done or wait; until then the model is as it was, and refuses to be fitted or to be given other settings. */
#include "async.h"
#include "../../core/nearest_name.h"
#include "../../plan/background.h"
#include "model.h"
#include "plan.h"
#include <string.h>

#define JOB "manilius.Job"

enum stage { RUNNING, DELIVERED, FAILED, CANCELLED, LOST };

struct job {
  mn_background *at; /* while RUNNING */
  enum stage stage;
  const char *who; /* constant */
  double began, took;
  mn_progress progress; /* the last one */
};

/* User values: the model; for a composition the function that gives it its fitted models, else nil; the text of a
 * failure. */
enum { MODEL = 1, DELIVER, TEXT, USER_VALUES = TEXT };

static struct job *check_job(lua_State *L)
{
  return luaL_checkudata(L, 1, JOB);
}

/* The model can be fitted again. Raises nothing. */
static void set_free(lua_State *L, int job)
{
  lua_getiuservalue(L, job, MODEL);
  if (mn_lua_is_model(L, -1)) ((mn_lua_model *)lua_touserdata(L, -1))->in_job = false;
  lua_pop(L, 1);
}

static void end_job(lua_State *L, struct job *job, enum stage stage)
{
  if (!job->at) return; /* a finaliser was faster */
  if (!mn_background_lost(job->at)) job->progress = mn_background_progress(job->at);
  job->took = mn_seconds() - job->began;
  mn_background_free(job->at);
  job->at = NULL;
  job->stage = stage;
  set_free(L, 1);
}

/* --- delivery --- */

static void push_chain(lua_State *L, mn_plan *plan, bool warn)
{
  luaL_checkstack(L, 4, "nested too deeply");
  lua_createtable(L, (int)plan->parts, 0);
  for (size_t p = 0; p < plan->parts; p++) {
    mn_lua_push_fitted(L, plan->part[p].plan, warn);
    lua_rawseti(L, -2, (lua_Integer)p + 1);
  }
}

void mn_lua_push_fitted(lua_State *L, mn_plan *plan, bool warn)
{
  if (plan->kind == MN_PLAN_MODEL) {
    mn_estimator **made = mn_lua_push_model(L);
    *made = plan->model;
    plan->model = NULL;
    if (warn) mn_lua_warn_not_converged(L, *made);
  } else if (plan->kind == MN_PLAN_CHAIN) {
    push_chain(L, plan, warn);
  } else {
    lua_pushliteral(L, "passthrough");
  }
}

/* Give the model, at `model`, what was fitted, which is on top of the stack. */
static void deliver(lua_State *L, int model)
{
  const int fitted = lua_gettop(L);
  if (mn_lua_is_model(L, model)) {
    mn_lua_pin_model(L, model); /* raises when it was closed */
    mn_lua_pin_model(L, fitted);
    mn_lua_replace_estimator(L, model, fitted + 1, fitted + 2);
  } else {
    lua_getiuservalue(L, 1, DELIVER);
    lua_pushvalue(L, model);
    lua_pushvalue(L, fitted);
    lua_call(L, 2, 0);
  }
  lua_settop(L, fitted - 1);
}

static void fail_job(lua_State *L, struct job *job, enum stage stage, const char *text)
{
  lua_pushstring(L, text);
  lua_setiuservalue(L, 1, TEXT);
  end_job(L, job, stage);
}

static void fetch(lua_State *L, struct job *job)
{
  lua_getiuservalue(L, 1, MODEL);
  const int model = lua_gettop(L);
  mn_plan **plan = mn_lua_push_plan(L); /* first, so that a failure frees what is in it */
  if (!job->at) return;                 /* a finaliser has ended it */
  mn_context *ctx = mn_lua_begin(L);
  *plan = mn_background_fetch(ctx, job->at);
  if (!*plan) {
    mn_lua_raise(L, ctx);
    return; /* never: it raises */
  }
  mn_lua_end(L, ctx);
  mn_lua_push_fitted(L, *plan, true);
  deliver(L, model);
  if (job->at) end_job(L, job, DELIVERED);
  lua_settop(L, model - 1);
}

/* Has it ended? Then the model has what was fitted, or the job the reason why not. Waits at most so long for that. */
static bool settle(lua_State *L, struct job *job, int milliseconds)
{
  if (!job->at) return true;
  if (mn_background_lost(job->at)) {
    lua_pushfstring(L, "%s: the job is lost: its fit runs in the process that began it, not in this forked one",
                    job->who);
    fail_job(L, job, LOST, lua_tostring(L, -1));
    return true;
  }
  if (!mn_background_finished(job->at, milliseconds)) return false;
  if (mn_background_status(job->at) == MN_OK)
    fetch(L, job);
  else
    fail_job(L, job, FAILED, mn_background_text(job->at));
  return true;
}

/* --- methods --- */

/* job:done() -> has the fit ended, well or not? Never waits; where it has ended well the model is fitted now. */
static int job_done(lua_State *L)
{
  lua_settop(L, 1);
  lua_pushboolean(L, settle(L, check_job(L), 0));
  return 1;
}

/* Seconds to wait at most, from argument 2; none given: for ever. */
static double check_seconds(lua_State *L)
{
  if (lua_isnoneornil(L, 2)) return (double)INFINITY;
  const double seconds = lua_type(L, 2) == LUA_TNUMBER ? lua_tonumber(L, 2) : -1;
  const bool good = seconds >= 0;
  char number[MN_NUMBER_SIZE];
  if (!good)
    luaL_error(L, "wait: seconds must be a number >= 0, got %s",
               lua_type(L, 2) == LUA_TNUMBER ? mn_format_number(number, lua_tonumber(L, 2)) : luaL_typename(L, 2));
  return seconds;
}

/* One slice of waiting, in which Ctrl-C is heard and progress shown. Others may need what this thread holds of the
 * account. A hook that runs in it may end the job by itself. */
static void wait_a_while(lua_State *L, mn_context *ctx, struct job *job, double seconds)
{
  enum { SLICE = 10 };
  mn_memory *memory = mn_context_memory(ctx);
  const size_t held = mn_memory_suspend_lock(memory);
  const bool over = mn_background_finished(job->at, seconds * 1000 < SLICE ? (int)(seconds * 1000) + 1 : SLICE);
  mn_memory_resume_lock(memory, held);
  if (over) return;
  const mn_progress now = mn_background_progress(job->at);
  if (now.total == now.total) mn_report_progress(ctx, now.done, now.total, now.objective);
  if (mn_poll(ctx) != MN_OK) mn_lua_raise(L, ctx);
}

/* job:wait([seconds]) -> the fitted model; nil when it is not done by then. Raises the error of the fit. */
static int job_wait(lua_State *L)
{
  struct job *job = check_job(L);
  const double end = mn_seconds() + check_seconds(L);
  lua_settop(L, 1);
  mn_context *ctx = mn_lua_begin(L);
  mn_lua_set_operation_name(L, ctx, job->who, "fit_async");
  while (!settle(L, job, 0)) {
    const double left = end - mn_seconds();
    if (left <= 0) {
      mn_lua_end(L, ctx);
      lua_pushnil(L);
      return 1;
    }
    wait_a_while(L, ctx, job, left);
  }
  mn_lua_end(L, mn_lua_current_context(L));
  lua_getiuservalue(L, 1, job->stage == DELIVERED ? MODEL : TEXT);
  if (job->stage == DELIVERED) return 1;
  luaL_where(L, 1);
  lua_insert(L, -2);
  lua_concat(L, 2);
  return lua_error(L);
}

/* job:cancel() -> was there something to give up? The model is as it was then, and may be fitted again. */
static int job_cancel(lua_State *L)
{
  struct job *job = check_job(L);
  lua_settop(L, 1);
  const bool runs = job->at && !mn_background_lost(job->at);
  if (runs) {
    lua_pushfstring(L, "%s: the job was cancelled", job->who);
    fail_job(L, job, CANCELLED, lua_tostring(L, -1));
  }
  lua_pushboolean(L, runs);
  return 1;
}

/* For __gc and __close: a job that nobody can ask any more is given up. */
static int job_gc(lua_State *L)
{
  struct job *job = check_job(L);
  if (job->at) end_job(L, job, CANCELLED);
  return 0;
}

static void refresh(struct job *job)
{
  if (!job->at || mn_background_lost(job->at)) return;
  job->progress = mn_background_progress(job->at);
  job->took = mn_seconds() - job->began;
}

static int job_index(lua_State *L)
{
  static const char *const names[] = { "done", "wait", "cancel", "progress", "model" };
  struct job *job = check_job(L);
  const char *name = luaL_checkstring(L, 2);
  lua_pushvalue(L, 2);
  if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL) return 1;
  if (strcmp(name, "model") == 0) {
    lua_getiuservalue(L, 1, MODEL);
  } else if (strcmp(name, "progress") == 0) {
    refresh(job);
    mn_lua_push_progress(L, &job->progress, job->took);
  } else {
    const char *near = mn_nearest_name(name, names, sizeof names / sizeof *names);
    return near ? luaL_error(L, "Job has no '%s'; did you mean '%s'?", name, near)
                : luaL_error(L, "Job has no '%s'; there are done, wait, cancel, progress, model", name);
  }
  return 1;
}

/* ", 12 of 300", or nothing before the first round. */
static const char *push_share(lua_State *L, const mn_progress *p)
{
  char done[MN_NUMBER_SIZE], total[MN_NUMBER_SIZE];
  if (p->total != p->total) return lua_pushliteral(L, "");
  return lua_pushfstring(L, ", %s of %s", mn_format_number(done, p->done), mn_format_number(total, p->total));
}

static const char *push_seconds(lua_State *L, double seconds)
{
  char text[32];
  snprintf(text, sizeof text, "%.1f s", seconds);
  return lua_pushstring(L, text);
}

static int job_tostring(lua_State *L)
{
  struct job *job = check_job(L);
  refresh(job);
  const char *who = job->who, *took = push_seconds(L, job->took), *share = push_share(L, &job->progress);
  const bool lost = job->stage == LOST || (job->at && mn_background_lost(job->at));
  lua_getiuservalue(L, 1, TEXT);
  if (lost)
    lua_pushfstring(L, "Job: fit of %s, lost in a forked process", who);
  else if (job->stage == RUNNING && mn_background_finished(job->at, 0))
    lua_pushfstring(L, "Job: fit of %s, over after %s, not fetched", who, took);
  else if (job->stage == RUNNING)
    lua_pushfstring(L, "Job: fit of %s, running for %s%s", who, took, share);
  else if (job->stage == DELIVERED)
    lua_pushfstring(L, "Job: fit of %s, done in %s", who, took);
  else if (job->stage == FAILED)
    lua_pushfstring(L, "Job: fit of %s, failed: %s", who, lua_tostring(L, -1));
  else
    lua_pushfstring(L, "Job: fit of %s, cancelled", who);
  return 1;
}

/* --- beginning one --- */

/* The job on top of the stack, of the model at `model`; it holds nothing yet. */
static struct job *push_job(lua_State *L, int model, const char *who)
{
  struct job *job = lua_newuserdatauv(L, sizeof *job, USER_VALUES);
  *job = (struct job){ .who = who, .stage = CANCELLED, .progress = { .total = (double)NAN, .objective = (double)NAN } };
  luaL_setmetatable(L, JOB);
  lua_pushvalue(L, model);
  lua_setiuservalue(L, -2, MODEL);
  return job;
}

static void start(lua_State *L, mn_context *ctx, struct job *job, const mn_plan *plan, const mn_input *input)
{
  if (mn_background_start(ctx, plan, input, &job->at) != MN_OK) mn_lua_raise(L, ctx);
  job->stage = RUNNING;
  job->began = mn_seconds();
  mn_lua_end(L, ctx);
  mn_lua_charge(L, input->x.rows * input->x.cols * sizeof(double)); /* about what the job holds until it is over */
}

/* Nobody would join the thread of a job that is made when the state closes. */
static void refuse_in_finaliser(lua_State *L, const char *who)
{
  if (mn_lua_in_finalizer(L)) luaL_error(L, "%s: fit_async cannot be called in a finaliser", who);
}

static void refuse_on_iter(lua_State *L, int options, const char *who)
{
  if (!lua_istable(L, options)) return;
  lua_pushliteral(L, "on_iter");
  if (lua_rawget(L, options) != LUA_TNIL)
    luaL_error(L, "%s: fit_async takes no on_iter: Lua goes on meanwhile; read job.progress", who);
  lua_pop(L, 1);
}

static const char *const option_names[] = { "weights", "lengths", "target", "init_score", NULL };

int mn_lua_fit_async(lua_State *L)
{
  enum { SELF = 1, X, Y, OPTIONS, BOX, JOB_AT };
  lua_settop(L, OPTIONS);
  mn_lua_model *m = mn_lua_check_idle_model(L, SELF, "fitted");
  const mn_estimator *model = mn_lua_pin_model(L, SELF);
  refuse_in_finaliser(L, model->class->name);
  refuse_on_iter(L, OPTIONS, model->class->name);
  struct job *job = push_job(L, SELF, model->class->name);
  mn_context *ctx = mn_lua_begin(L);
  mn_input input = { 0 };
  input.x = mn_lua_check_x(L, ctx, X, model, "X");
  input.y = mn_lua_check_y(L, ctx, Y, model);
  mn_lua_check_options(L, ctx, OPTIONS, model, option_names, &input);
  mn_lua_check_same_estimator(L, SELF, BOX);
  mn_lua_check_idle_model(L, SELF, "fitted"); /* a finaliser may have begun a job of its own */
  start(L, ctx, job, &(mn_plan){ .kind = MN_PLAN_MODEL, .model = (mn_estimator *)model }, &input);
  m->in_job = true;
  lua_settop(L, JOB_AT);
  return 1;
}

/* plan_fit_async(model, plan, X, y, options, deliver) -> Job: fit the plan of a composition; deliver(model, fitted) is
 * called with the fitted estimator, or the steps of a Pipeline as a list of models, "passthrough" and such lists */
static int plan_fit_async(lua_State *L)
{
  enum { SELF = 1, PLAN, X, Y, OPTIONS, FUNCTION };
  static const mn_class no_class = { .name = "Pipeline" };
  static const mn_estimator nobody = { .class = &no_class };
  lua_settop(L, FUNCTION);
  luaL_checktype(L, FUNCTION, LUA_TFUNCTION);
  const mn_plan *plan = mn_lua_check_plan(L, PLAN);
  const char *who = plan->kind == MN_PLAN_MODEL ? plan->model->class->name : no_class.name;
  refuse_in_finaliser(L, who);
  refuse_on_iter(L, OPTIONS, who);
  struct job *job = push_job(L, SELF, who);
  const int made = lua_gettop(L);
  lua_pushvalue(L, FUNCTION);
  lua_setiuservalue(L, made, DELIVER);
  mn_context *ctx = mn_lua_begin(L);
  const mn_estimator *final = mn_plan_final(plan);
  mn_input input = { 0 };
  input.x = mn_lua_check_x(L, ctx, X, final ? final : &nobody, "X");
  input.y = mn_lua_check_y(L, ctx, Y, final ? final : &nobody);
  mn_lua_check_options(L, ctx, OPTIONS, final ? final : &nobody, option_names, &input);
  start(L, ctx, job, plan, &input);
  lua_settop(L, made);
  return 1;
}

/* job_is_open(job) -> does its fit run, or wait to be fetched? */
static int job_is_open(lua_State *L)
{
  const struct job *job = check_job(L);
  lua_pushboolean(L, job->at != NULL && !mn_background_lost(job->at));
  return 1;
}

void mn_lua_open_async(lua_State *L)
{
  static const luaL_Reg methods[] = {
    { "done", job_done }, { "wait", job_wait }, { "cancel", job_cancel }, { NULL, NULL }
  };
  static const luaL_Reg meta[] = {
    { "__gc", job_gc }, { "__close", job_gc }, { "__tostring", job_tostring }, { NULL, NULL }
  };
  static const luaL_Reg functions[] = { { "plan_fit_async", plan_fit_async },
                                        { "job_is_open", job_is_open },
                                        { NULL, NULL } };
  luaL_newmetatable(L, JOB);
  luaL_setfuncs(L, meta, 0);
  luaL_newlib(L, methods);
  lua_pushcclosure(L, job_index, 1);
  lua_setfield(L, -2, "__index");
  lua_pushliteral(L, "Job");
  lua_setfield(L, -2, "__name");
  lua_pushliteral(L, JOB);
  lua_setfield(L, -2, "__metatable");
  lua_pop(L, 1);
  luaL_setfuncs(L, functions, 0);
}
