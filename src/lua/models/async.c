/* The userdata Job.
 *
 * The thread of a job never touches Lua (src/plan/background.h). Its result is moved to the model by done or wait, in
 * the thread of Lua. Until then the model is unchanged and can be neither fitted nor given other parameters. */
#include "async.h"
#include "../../plan/plan_info.h"
#include "../../core/nearest_name.h"
#include "../../plan/nonlinear_task.h"
#include "../../plan/plan_task.h"
#include "input.h"
#include "model_userdata.h"
#include "plan.h"
#include "../data/nonlinear.h"
#include "../values/warnings.h"
#include <string.h>

#define JOB "manilius.Job"

enum stage { RUNNING, DELIVERED, FAILED, CANCELLED, LOST };

struct job {
  mn_background *at; /* while RUNNING */
  const struct delivery *delivery;
  enum stage stage;
  const char *who; /* constant */
  double start_time, seconds;
  mn_progress progress; /* the last one */
};

/* What happens after the end of a task: the result is moved to the model, or the error text is pushed. */
struct delivery {
  void (*fetch)(lua_State *L, struct job *job);
  void (*push_error)(lua_State *L, struct job *job);
};

/* User values: the model; for a composition the function that stores its fitted estimators or estimates, else nil; the
 * error text. */
enum { MODEL = 1, DELIVER, TEXT, USER_VALUES = TEXT };

static struct job *check_job(lua_State *L)
{
  return luaL_checkudata(L, 1, JOB);
}

/* Does not raise. */
static void mark_model_idle(lua_State *L, int job)
{
  lua_getiuservalue(L, job, MODEL);
  if (mn_lua_is_model(L, -1)) ((mn_lua_model *)lua_touserdata(L, -1))->in_job = false;
  lua_pop(L, 1);
}

static void end_job(lua_State *L, struct job *job, enum stage stage)
{
  if (!job->at) return; /* a finalizer has ended it */
  if (!mn_background_lost(job->at)) job->progress = mn_background_progress(job->at);
  job->seconds = mn_seconds() - job->start_time;
  mn_background_free(job->at);
  job->at = NULL;
  job->stage = stage;
  mark_model_idle(L, 1);
}

/* --- delivery --- */

/* Move the fitted estimators on top of the stack to the model at `model`. */
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

/* End the job with the error text on top of the stack. */
static void fail_job(lua_State *L, struct job *job, enum stage stage)
{
  lua_setiuservalue(L, 1, TEXT);
  end_job(L, job, stage);
}

/* Pass on the list of warnings at this index. */
static void pass_on_warnings(lua_State *L, int list)
{
  for (lua_Integer i = 1; lua_rawgeti(L, list, i) == LUA_TSTRING; i++) mn_lua_warn(L);
}

/* Call the function DELIVER with the model, the estimates, their covariance and the table of the result; it returns a
 * list of warnings. */
static void fetch_nonlinear(lua_State *L, struct job *job)
{
  const int top = lua_gettop(L);
  const mn_nonlinear_state *state = mn_background_state(job->at);
  const mn_nonlinear_result result = state->result;
  const size_t p = state->problem.p;
  lua_getiuservalue(L, 1, DELIVER);
  lua_getiuservalue(L, 1, MODEL);
  double *theta = mn_lua_push_vector(L, p)->at, *covariance = mn_lua_push_matrix(L, p, p)->at;
  if (!job->at) { /* a finalizer has ended it */
    lua_settop(L, top);
    return;
  }
  memcpy(theta, state->theta, p * sizeof *theta);
  memcpy(covariance, state->covariance, p * p * sizeof *covariance);
  mn_lua_push_nonlinear_result(L, &result);
  lua_call(L, 4, 1);
  luaL_checktype(L, -1, LUA_TTABLE);
  if (job->at) end_job(L, job, DELIVERED);
  pass_on_warnings(L, top + 1);
  lua_settop(L, top);
}

static void fetch_plan(lua_State *L, struct job *job)
{
  lua_getiuservalue(L, 1, MODEL);
  const int model = lua_gettop(L);
  mn_plan **plan = mn_lua_push_plan(L); /* first, so that an error frees the fitted plan */
  if (!job->at) return;                 /* a finalizer has ended it */
  mn_context *ctx = mn_lua_begin(L);
  *plan = mn_plan_task_fetch(ctx, job->at);
  if (!*plan) {
    mn_lua_raise(L, ctx);
    return; /* not reached */
  }
  mn_lua_end(L, ctx);
  lua_newtable(L);
  const int warnings = lua_gettop(L);
  mn_lua_push_fitted(L, *plan, warnings);
  deliver(L, model);
  if (job->at) end_job(L, job, DELIVERED);
  pass_on_warnings(L, warnings);
  lua_settop(L, model - 1);
}

static void push_plan_error(lua_State *L, struct job *job)
{
  lua_pushstring(L, mn_background_text(job->at));
}

/* DELIVER replaces the numbers of parameters by names. */
static void push_nonlinear_error(lua_State *L, struct job *job)
{
  lua_getiuservalue(L, 1, DELIVER);
  lua_pushstring(L, mn_background_text(job->at));
  lua_call(L, 1, 1);
  luaL_checktype(L, -1, LUA_TSTRING);
}

static const struct delivery plan_delivery = { fetch_plan, push_plan_error };
static const struct delivery nonlinear_delivery = { fetch_nonlinear, push_nonlinear_error };

/* Wait at most `milliseconds` for the end of the fit. Returns whether it has ended; then the model has been fitted, or
 * the job has an error text. */
static bool finish_job(lua_State *L, struct job *job, int milliseconds)
{
  if (!job->at) return true;
  if (mn_background_lost(job->at)) {
    lua_pushfstring(L, "%s: the job is lost: its fit runs in the process that began it, not in this forked one",
                    job->who);
    fail_job(L, job, LOST);
    return true;
  }
  if (!mn_background_finished(job->at, milliseconds)) return false;
  if (mn_background_status(job->at) == MN_OK) {
    job->delivery->fetch(L, job);
  } else {
    job->delivery->push_error(L, job);
    fail_job(L, job, FAILED);
  }
  return true;
}

/* --- methods --- */

/* job:done() -> whether the fit has ended, successfully or not. Never waits; after a success the model is fitted. */
static int job_done(lua_State *L)
{
  lua_settop(L, 1);
  lua_pushboolean(L, finish_job(L, check_job(L), 0));
  return 1;
}

/* The maximum number of seconds to wait, at 2; infinity by default. */
static double check_seconds(lua_State *L)
{
  if (lua_isnoneornil(L, 2)) return (double)INFINITY;
  const double seconds = lua_type(L, 2) == LUA_TNUMBER ? lua_tonumber(L, 2) : -1;
  const bool valid = seconds >= 0;
  char number[MN_NUMBER_SIZE];
  if (!valid)
    luaL_error(L, "wait: seconds must be a number >= 0, got %s",
               lua_type(L, 2) == LUA_TNUMBER ? mn_format_number(number, lua_tonumber(L, 2)) : luaL_typename(L, 2));
  return seconds;
}

/* Wait for a short time, then show progress and handle Ctrl-C, whose hook may end the job. The lock of the memory
 * account is released meanwhile, for the other threads. */
static void wait_slice(lua_State *L, mn_context *ctx, struct job *job, double seconds)
{
  enum { SLICE = 10 }; /* milliseconds */
  mn_memory *memory = mn_context_memory(ctx);
  const size_t held = mn_memory_suspend_lock(memory);
  const bool finished = mn_background_finished(job->at, seconds * 1000 < SLICE ? (int)(seconds * 1000) + 1 : SLICE);
  mn_memory_resume_lock(memory, held);
  if (finished) return;
  const mn_progress now = mn_background_progress(job->at);
  if (now.total == now.total) mn_report_progress(ctx, now.done, now.total, now.objective);
  if (mn_poll(ctx) != MN_OK) mn_lua_raise(L, ctx);
}

/* job:wait([seconds]) -> the fitted model, or nil when the time is over. Raises the error of the fit. */
static int job_wait(lua_State *L)
{
  struct job *job = check_job(L);
  const double end = mn_seconds() + check_seconds(L);
  lua_settop(L, 1);
  mn_context *ctx = mn_lua_begin(L);
  mn_lua_set_operation_name(L, ctx, job->who, "fit_async");
  while (!finish_job(L, job, 0)) {
    const double left = end - mn_seconds();
    if (left <= 0) {
      mn_lua_end(L, ctx);
      lua_pushnil(L);
      return 1;
    }
    wait_slice(L, ctx, job, left);
  }
  mn_lua_end(L, mn_lua_current_context(L));
  lua_getiuservalue(L, 1, job->stage == DELIVERED ? MODEL : TEXT);
  if (job->stage == DELIVERED) return 1;
  luaL_where(L, 1);
  lua_insert(L, -2);
  lua_concat(L, 2);
  return lua_error(L);
}

/* job:cancel() -> whether the fit was running. The model is unchanged and may be fitted again. */
static int job_cancel(lua_State *L)
{
  struct job *job = check_job(L);
  lua_settop(L, 1);
  const bool runs = job->at && !mn_background_lost(job->at);
  if (runs) {
    lua_pushfstring(L, "%s: the job was cancelled", job->who);
    fail_job(L, job, CANCELLED);
  }
  lua_pushboolean(L, runs);
  return 1;
}

/* __gc and __close: cancel a job that is not used any more. */
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
  job->seconds = mn_seconds() - job->start_time;
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
    mn_lua_push_progress(L, &job->progress, job->seconds);
  } else {
    const char *near = mn_nearest_name(name, names, sizeof names / sizeof *names);
    return near ? luaL_error(L, "Job has no '%s'; did you mean '%s'?", name, near)
                : luaL_error(L, "Job has no '%s'; there are done, wait, cancel, progress, model", name);
  }
  return 1;
}

/* ", 12 of 300", or nothing before the first iteration. */
static const char *push_progress_text(lua_State *L, const mn_progress *p)
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
  const char *who = job->who, *seconds = push_seconds(L, job->seconds),
             *progress = push_progress_text(L, &job->progress);
  const bool lost = job->stage == LOST || (job->at && mn_background_lost(job->at));
  lua_getiuservalue(L, 1, TEXT);
  if (lost)
    lua_pushfstring(L, "Job: fit of %s, lost in a forked process", who);
  else if (job->stage == RUNNING && mn_background_finished(job->at, 0))
    lua_pushfstring(L, "Job: fit of %s, finished after %s, not fetched", who, seconds);
  else if (job->stage == RUNNING)
    lua_pushfstring(L, "Job: fit of %s, running for %s%s", who, seconds, progress);
  else if (job->stage == DELIVERED)
    lua_pushfstring(L, "Job: fit of %s, done in %s", who, seconds);
  else if (job->stage == FAILED)
    lua_pushfstring(L, "Job: fit of %s, failed: %s", who, lua_tostring(L, -1));
  else
    lua_pushfstring(L, "Job: fit of %s, cancelled", who);
  return 1;
}

/* --- start --- */

/* Push a job for the model at `model` that is not started yet. */
static struct job *push_job(lua_State *L, int model, const char *who)
{
  struct job *job = lua_newuserdatauv(L, sizeof *job, USER_VALUES);
  *job = (struct job){ .who = who, .stage = CANCELLED, .progress = { .total = (double)NAN, .objective = (double)NAN } };
  luaL_setmetatable(L, JOB);
  lua_pushvalue(L, model);
  lua_setiuservalue(L, -2, MODEL);
  return job;
}

/* Start the task of a job, whose copies take about `bytes`, and end the operation. */
static void start(lua_State *L, mn_context *ctx, struct job *job, const mn_background_task *task, const void *given,
                  size_t bytes)
{
  if (mn_background_start(ctx, task, given, &job->at) != MN_OK) mn_lua_raise(L, ctx);
  job->stage = RUNNING;
  job->start_time = mn_seconds();
  mn_lua_end(L, ctx);
  mn_lua_charge(L, bytes);
}

static void start_plan(lua_State *L, mn_context *ctx, struct job *job, const mn_plan *plan, const mn_input *input)
{
  const mn_plan_request request = { plan, input };
  job->delivery = &plan_delivery;
  start(L, ctx, job, &mn_plan_task, &request, input->x.rows * input->x.cols * sizeof(double));
}

/* Nothing would join the thread of a job that is created while the state closes. */
static void check_not_in_finalizer(lua_State *L, const char *who)
{
  if (mn_lua_in_finalizer(L)) luaL_error(L, "%s: fit_async cannot be called in a finalizer", who);
}

static void check_no_on_iter(lua_State *L, int options, const char *who)
{
  if (!lua_istable(L, options)) return;
  lua_pushliteral(L, "on_iter");
  if (lua_rawget(L, options) != LUA_TNIL)
    luaL_error(L, "%s: fit_async does not support on_iter; read job.progress instead", who);
  lua_pop(L, 1);
}

static const char *const option_names[] = { "weights", "lengths", "target", "init_score", NULL };

int mn_lua_fit_async(lua_State *L)
{
  enum { SELF = 1, X, Y, OPTIONS, PINNED, RESULT };
  lua_settop(L, OPTIONS);
  mn_lua_check_receiver(L, "fit_async");
  mn_lua_model *m = mn_lua_check_idle_model(L, SELF, "fitted");
  const mn_estimator *model = mn_lua_pin_model(L, SELF);
  check_not_in_finalizer(L, model->class->name);
  check_no_on_iter(L, OPTIONS, model->class->name);
  struct job *job = push_job(L, SELF, model->class->name);
  mn_context *ctx = mn_lua_begin(L);
  mn_input input = { 0 };
  input.x = mn_lua_check_x(L, ctx, X, model, "X");
  input.y = mn_lua_check_y(L, ctx, Y, model);
  mn_lua_check_options(L, ctx, OPTIONS, model, option_names, &input);
  mn_lua_check_same_estimator(L, SELF, PINNED);
  mn_lua_check_idle_model(L, SELF, "fitted"); /* a finalizer may have begun a job meanwhile */
  start_plan(L, ctx, job, &(mn_plan){ .kind = MN_PLAN_MODEL, .model = (mn_estimator *)model }, &input);
  m->in_job = true;
  lua_settop(L, RESULT);
  return 1;
}

/* plan_fit_async(model, plan, X, y, options, deliver) -> Job: fit the plan of a composition, then call deliver(model,
 * fitted), where fitted is an estimator or a list of the steps of a Pipeline: models, "passthrough" and such lists */
static int plan_fit_async(lua_State *L)
{
  enum { SELF = 1, PLAN, X, Y, OPTIONS, FUNCTION };
  static const mn_class pipeline_class = { .name = "Pipeline" };
  static const mn_estimator pipeline = { .class = &pipeline_class }; /* names the composition in messages */
  lua_settop(L, FUNCTION);
  luaL_checktype(L, FUNCTION, LUA_TFUNCTION);
  const mn_plan *plan = mn_lua_check_plan(L, PLAN);
  const char *who = plan->kind == MN_PLAN_MODEL ? plan->model->class->name : pipeline_class.name;
  check_not_in_finalizer(L, who);
  check_no_on_iter(L, OPTIONS, who);
  struct job *job = push_job(L, SELF, who);
  const int result = lua_gettop(L);
  lua_pushvalue(L, FUNCTION);
  lua_setiuservalue(L, result, DELIVER);
  mn_context *ctx = mn_lua_begin(L);
  const mn_estimator *final = mn_plan_final(plan), *first = mn_plan_x_model(plan);
  mn_input input = { 0 };
  input.x = mn_lua_check_x(L, ctx, X, first ? first : &pipeline, "X");
  input.y = mn_lua_check_y(L, ctx, Y, final ? final : &pipeline);
  mn_lua_check_options(L, ctx, OPTIONS, final ? final : &pipeline, option_names, &input);
  start_plan(L, ctx, job, plan, &input);
  lua_settop(L, result);
  return 1;
}

/* nonlinear_fit_async(expression, columns, y, weights or nil, start, lower, upper, tol, max_iter, model, deliver) ->
 * Job: as nonlinear_fit, then call deliver(model, estimates, inv(J'WJ), result), which returns a list of warnings, or
 * deliver(text of an error), which returns the text to show */
static int nonlinear_fit_async(lua_State *L)
{
  enum { SELF = 10, FUNCTION };
  static const char who[] = "NonlinearRegression";
  lua_settop(L, FUNCTION);
  luaL_checktype(L, SELF, LUA_TTABLE);
  luaL_checktype(L, FUNCTION, LUA_TFUNCTION);
  check_not_in_finalizer(L, who);
  struct job *job = push_job(L, SELF, who);
  const int result = lua_gettop(L);
  job->delivery = &nonlinear_delivery;
  lua_pushvalue(L, FUNCTION);
  lua_setiuservalue(L, result, DELIVER);
  mn_context *ctx = mn_lua_begin(L);
  mn_nonlinear_request request;
  request.start = mn_lua_check_nonlinear_problem(L, ctx, &request.problem).at;
  request.x = mn_lua_check_expression(L, ctx, request.problem.n, request.problem.p, &request.expression);
  start(L, ctx, job, &mn_nonlinear_task, &request,
        request.problem.n * (request.expression.columns + 2) * sizeof(double));
  lua_settop(L, result);
  return 1;
}

/* job_is_open(job) -> whether its fit is running or has not been fetched */
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
                                        { "nonlinear_fit_async", nonlinear_fit_async },
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
