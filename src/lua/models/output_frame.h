/* Results whose columns differ in kind, as a Frame. */
#ifndef MN_LUA_MODELS_OUTPUT_FRAME_H
#define MN_LUA_MODELS_OUTPUT_FRAME_H
#include "../../model/model.h"
#include <lua.h>

/* Has the result of this action columns of labels? */
bool mn_lua_output_has_factors(const mn_estimator *model, mn_action action);

/* Push a Frame with the columns of `values`, which is the result of transform or inverse_transform: those with levels
 * as Factors, the others as Vectors. */
void mn_lua_push_output_frame(lua_State *L, const mn_estimator *model, mn_action action, const mn_matrix *values);

#endif
