/* Results with labels in some columns, as a Frame. */
#ifndef MN_LUA_MODELS_OUTPUT_FRAME_H
#define MN_LUA_MODELS_OUTPUT_FRAME_H
#include "../../model/model.h"
#include <lua.h>

/* Whether the result of this action has columns of labels. */
bool mn_lua_output_has_factors(const mn_estimator *model, mn_action action);

/* Push a Frame with the columns of `values`, the result of transform or inverse_transform: Factors for columns with
 * levels, Vectors for the others. */
void mn_lua_push_output_frame(lua_State *L, const mn_estimator *model, mn_action action, const mn_matrix *values);

#endif
