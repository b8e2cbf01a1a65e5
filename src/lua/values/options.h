/* Options of functions other than estimators: { name = value } at a stack index, checked by name and type, with
 * messages that begin with the name of the function. */
#ifndef MN_LUA_VALUES_OPTIONS_H
#define MN_LUA_VALUES_OPTIONS_H
#include "values.h"

typedef struct mn_lua_call {
  const char *who;
  int options; /* stack index of the table, or of nil */
  int anchors; /* stack index of a table that anchors what is created from the options */
} mn_lua_call;

/* Raises unless a table or nil is at `options`. Pushes the table of anchors. */
mn_lua_call mn_lua_begin_call(lua_State *L, const char *who, int options);

/* Pop the value on top of the stack and keep it alive as long as the call. */
void mn_lua_anchor_in_call(lua_State *L, const mn_lua_call *call);

/* A buffer that lives as long as the call. */
void *mn_lua_call_buffer(lua_State *L, const mn_lua_call *call, size_t size, size_t n);

/* Raise unless all options are among `known` (NULL-terminated). */
void mn_lua_check_option_names(lua_State *L, const mn_lua_call *call, const char *const *known);

/* If the option is set, push its value, which the checks below examine, and return true. The user's table keeps the
 * value alive, so the stack may be truncated at any time. */
bool mn_lua_push_option(lua_State *L, const mn_lua_call *call, const char *name);

/* Raise "who: name must be expected, got ..." about the value on top of the stack. */
int mn_lua_option_error(lua_State *L, const mn_lua_call *call, const char *name, const char *expected);

bool mn_lua_check_boolean(lua_State *L, const mn_lua_call *call, const char *name);
/* A string of one byte; '\0' for false. */
char mn_lua_check_character(lua_State *L, const mn_lua_call *call, const char *name);
/* A whole number of at least `min`, which is 0 or 1. */
size_t mn_lua_check_whole(lua_State *L, const mn_lua_call *call, const char *name, size_t min);
/* A list of strings, or one string. */
const char **mn_lua_check_strings(lua_State *L, const mn_lua_call *call, const char *name, size_t *size);

/* The string at `arg`. Without `size` it is a C string and must not contain a NUL byte. */
const char *mn_lua_check_string(lua_State *L, const mn_lua_call *call, const char *name, int arg, size_t *size);

/* Raises where the host has removed the io library, as sandboxes do: then scripts may not open files. */
void mn_lua_check_io_library(lua_State *L, const char *who);

/* The path at `arg`; raises where files may not be opened. */
const char *mn_lua_check_path(lua_State *L, const mn_lua_call *call, int arg);

#endif
