/* The C half of calibration and conformal prediction: functions that lua/manilius/calibrate calls with checked values.
 */
#ifndef MN_LUA_DATA_CALIBRATION_H
#define MN_LUA_DATA_CALIBRATION_H
#include "../values/values.h"

/* Add `calibration`, a table of the functions, to the table on top of the stack. */
void mn_lua_open_calibration(lua_State *L);

#endif
