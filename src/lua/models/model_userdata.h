/* The userdata Model.
 *
 * A model owns its estimator through a second userdata, user value 1 (nil after the model was closed). An estimator
 * does not change once it is stored there: fit creates another one and replaces it. A call pins the estimator that it
 * began with on its stack, so nothing in use is freed, whatever a finalizer or a callback does to the model meanwhile.
 */
#ifndef MN_LUA_MODELS_MODEL_USERDATA_H
#define MN_LUA_MODELS_MODEL_USERDATA_H
#include "../../model/model.h"
#include <lua.h>

#define MN_LUA_MODEL_METATABLE "manilius.Model"

typedef struct mn_lua_model {
  bool in_fit; /* its fit is running: callbacks must neither fit it nor change its parameters */
  bool in_job; /* the same for a fit in the background */
  bool warned; /* that its parameters were set after the fit */
} mn_lua_model;

/* Register the metatable of estimators. */
void mn_lua_open_model_userdata(lua_State *L);

bool mn_lua_is_model(lua_State *L, int arg);

/* Raise unless argument 1 of the method is a model, which a dot in place of the colon leaves out. */
void mn_lua_check_receiver(lua_State *L, const char *method);

/* The estimator of the model at `arg`. Pushes the userdata that owns it: while that stays on the stack, the estimator
 * lives and does not change. Raises for another value and for a closed model. */
const mn_estimator *mn_lua_pin_model(lua_State *L, int arg);

/* The model at `arg`, for a call that will replace its estimator. Raises while a fit of it is running; `action` is what
 * the message says cannot be done ("fitted", "given other settings"). */
mn_lua_model *mn_lua_check_idle_model(lua_State *L, int arg, const char *action);

/* Warn, once after each set_params, that parameters set after the fit do not affect the fitted model at `arg`. */
void mn_lua_warn_of_settings(lua_State *L, int arg, const mn_estimator *model);

/* Push a new model, or only the userdata of an estimator. The caller stores the estimator, which is freed with what was
 * pushed. */
mn_estimator **mn_lua_push_model(lua_State *L);
mn_estimator **mn_lua_push_estimator(lua_State *L);

/* Replace the estimator of the model at `arg`, which must still be the one pinned at `pinned`, by the one at
 * `replacement`. Raises, with nothing changed, when it is not. */
void mn_lua_replace_estimator(lua_State *L, int arg, int pinned, int replacement);

/* Raise unless the model at `arg` still has the estimator pinned at `pinned`. */
void mn_lua_check_same_estimator(lua_State *L, int arg, int pinned);

/* Push the warning about an iterative fit that did not converge, or of the class about one that did; false, with
 * nothing pushed, if there is none. */
bool mn_lua_push_convergence_warning(lua_State *L, const mn_estimator *model);

#endif
