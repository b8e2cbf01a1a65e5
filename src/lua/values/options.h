/* Options of functions that are no estimators: { name = value } at a stack index, checked by name and type, with
 * messages that begin with the name of the function. */
#ifndef MN_LUA_VALUES_OPTIONS_H
#define MN_LUA_VALUES_OPTIONS_H
#include "values.h"

typedef struct mn_lua_call {
  const char *who;
  int options; /* index of the table, or of nil                                   */
  int keep;    /* index of a table that keeps alive what is made from the options */
} mn_lua_call;

/* Raises when there is neither a table nor nothing at `options`. Pushes the table that keeps. */
mn_lua_call mn_lua_begin_call(lua_State *L, const char *who, int options);

/* Memory that lives as long as the call. */
void *mn_lua_call_buffer(lua_State *L, const mn_lua_call *call, size_t size, size_t n);

/* Raise unless all options are among `known` (NULL-terminated). */
void mn_lua_check_option_names(lua_State *L, const mn_lua_call *call, const char *const *known);

/* Is the option there? Then its value is on top of the stack, where the checks below look; it is kept alive by the
 * user's table, so the stack may be cut at any time. */
bool mn_lua_push_option(lua_State *L, const mn_lua_call *call, const char *name);

/* Raise "who: name must be wanted, got ..." about the value on top of the stack. */
int mn_lua_option_error(lua_State *L, const mn_lua_call *call, const char *name, const char *wanted);

bool mn_lua_check_boolean(lua_State *L, const mn_lua_call *call, const char *name);
/* A text of one byte; '\0' for false. */
char mn_lua_check_character(lua_State *L, const mn_lua_call *call, const char *name);
size_t mn_lua_check_whole(lua_State *L, const mn_lua_call *call, const char *name, size_t least);
/* A list of texts, or one of them. */
const char **mn_lua_check_strings(lua_State *L, const mn_lua_call *call, const char *name, size_t *size);

/* The text at `arg`; one that goes to C (size = NULL) must hold no NUL. */
const char *mn_lua_check_string(lua_State *L, const mn_lua_call *call, const char *name, int arg, size_t *size);

/* Raises where the host has taken the io library away, as sandboxes do: then no file is opened for its scripts. */
void mn_lua_check_io_library(lua_State *L, const char *who);

/* The path at `arg`, where files may be opened. */
const char *mn_lua_check_path(lua_State *L, const mn_lua_call *call, int arg);

#endif
