#include "options.h"
#include "userdata.h"
#include "../../core/nearest_name.h"
#include <string.h>

mn_lua_call mn_lua_begin_call(lua_State *L, const char *who, int options)
{
  luaL_checkstack(L, 32, who);
  if (!lua_isnil(L, options) && lua_type(L, options) != LUA_TTABLE)
    luaL_error(L, "%s: options must be a table, got %s", who, mn_lua_type_name(L, options));
  lua_newtable(L);
  return (mn_lua_call){ .who = who, .options = options, .anchors = lua_gettop(L) };
}

void mn_lua_anchor_in_call(lua_State *L, const mn_lua_call *call)
{
  lua_rawseti(L, call->anchors, (lua_Integer)lua_rawlen(L, call->anchors) + 1);
}

void *mn_lua_call_buffer(lua_State *L, const mn_lua_call *call, size_t size, size_t n)
{
  void *buffer = mn_lua_push_buffer(L, size, n);
  mn_lua_anchor_in_call(L, call);
  return buffer;
}

void mn_lua_check_option_names(lua_State *L, const mn_lua_call *call, const char *const *known)
{
  if (lua_isnil(L, call->options)) return;
  for (lua_pushnil(L); lua_next(L, call->options); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING)
      luaL_error(L, "%s: option names must be strings, got %s", call->who, mn_lua_type_name(L, -2));
    const char *name = lua_tostring(L, -2);
    size_t n = 0;
    while (known[n] && strcmp(known[n], name) != 0) n++;
    if (known[n]) continue;
    const char *near = mn_nearest_name(name, known, n);
    if (near) luaL_error(L, "%s has no option '%s'; did you mean '%s'?", call->who, name, near);
    luaL_Buffer all;
    lua_pushstring(L, name);
    luaL_buffinit(L, &all);
    for (size_t i = 0; i < n; i++) {
      if (i > 0) luaL_addstring(&all, ", ");
      luaL_addstring(&all, known[i]);
    }
    luaL_pushresult(&all);
    luaL_error(L, "%s has no option '%s'; there are %s", call->who, lua_tostring(L, -2), lua_tostring(L, -1));
  }
}

bool mn_lua_push_option(lua_State *L, const mn_lua_call *call, const char *name)
{
  if (lua_isnil(L, call->options)) return false;
  lua_settop(L, call->anchors);
  lua_pushstring(L, name);
  return lua_rawget(L, call->options) != LUA_TNIL; /* raw: no code of the user runs while data are read */
}

int mn_lua_option_error(lua_State *L, const mn_lua_call *call, const char *name, const char *expected)
{
  const int top = lua_gettop(L);
  char number[MN_NUMBER_SIZE];
  switch (lua_type(L, top)) {
  case LUA_TSTRING:
    return luaL_error(L, "%s: %s must be %s, got '%s'", call->who, name, expected, lua_tostring(L, top));
  case LUA_TNUMBER:
    return luaL_error(L, "%s: %s must be %s, got %s", call->who, name, expected,
                      mn_format_number(number, lua_tonumber(L, top)));
  case LUA_TBOOLEAN:
    return luaL_error(L, "%s: %s must be %s, got %s", call->who, name, expected,
                      lua_toboolean(L, top) ? "true" : "false");
  default: return luaL_error(L, "%s: %s must be %s, got %s", call->who, name, expected, mn_lua_type_name(L, top));
  }
}

bool mn_lua_check_boolean(lua_State *L, const mn_lua_call *call, const char *name)
{
  if (!lua_isboolean(L, -1)) mn_lua_option_error(L, call, name, "true or false");
  return lua_toboolean(L, -1);
}

char mn_lua_check_character(lua_State *L, const mn_lua_call *call, const char *name)
{
  if (lua_isboolean(L, -1) && !lua_toboolean(L, -1)) return '\0';
  if (lua_type(L, -1) != LUA_TSTRING || lua_rawlen(L, -1) != 1)
    mn_lua_option_error(L, call, name, "a string of one character");
  return *lua_tostring(L, -1);
}

size_t mn_lua_check_whole(lua_State *L, const mn_lua_call *call, const char *name, size_t min)
{
  const double value = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : -1;
  const bool valid = value >= (double)min && mn_lua_is_whole(value);
  if (!valid) mn_lua_option_error(L, call, name, min > 0 ? "a whole number from 1" : "a whole number from 0");
  return (size_t)value;
}

const char **mn_lua_check_strings(lua_State *L, const mn_lua_call *call, const char *name, size_t *size)
{
  const int top = lua_gettop(L);
  const bool single = lua_type(L, top) == LUA_TSTRING;
  if (!single && lua_type(L, top) != LUA_TTABLE) mn_lua_option_error(L, call, name, "a list of strings");
  *size = single ? 1 : lua_rawlen(L, top);
  const char **strings = mn_lua_call_buffer(L, call, sizeof *strings, *size);
  if (single) strings[0] = lua_tostring(L, top);
  for (size_t i = 0; !single && i < *size; i++) {
    if (lua_rawgeti(L, top, (lua_Integer)i + 1) != LUA_TSTRING) mn_lua_option_error(L, call, name, "a list of strings");
    strings[i] = lua_tostring(L, -1);
    lua_pop(L, 1);
  }
  return strings;
}

const char *mn_lua_check_string(lua_State *L, const mn_lua_call *call, const char *name, int arg, size_t *size)
{
  if (lua_type(L, arg) != LUA_TSTRING) {
    lua_pushvalue(L, arg);
    mn_lua_option_error(L, call, name, "a string");
  }
  size_t length;
  const char *string = lua_tolstring(L, arg, &length);
  if (size)
    *size = length;
  else if (strlen(string) != length)
    luaL_error(L, "%s: %s must not contain a NUL byte", call->who, name);
  return string;
}

void mn_lua_check_io_library(lua_State *L, const char *who)
{
  const int top = lua_gettop(L);
  lua_pushglobaltable(L);
  lua_pushliteral(L, "io");
  if (lua_rawget(L, -2) == LUA_TTABLE) {
    lua_pushliteral(L, "open");
    lua_rawget(L, -2);
  }
  const bool can_open = lua_isfunction(L, -1);
  lua_settop(L, top);
  if (!can_open) luaL_error(L, "%s needs the io library, which is not available; use the function for strings", who);
}

const char *mn_lua_check_path(lua_State *L, const mn_lua_call *call, int arg)
{
  mn_lua_check_io_library(L, call->who);
  return mn_lua_check_string(L, call, "path", arg, NULL);
}
