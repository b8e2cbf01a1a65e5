/* The entry point of the module manilius.core. */
#ifndef MN_LUA_MODULE_H
#define MN_LUA_MODULE_H
#include <lua.h>

#if defined(__GNUC__)
#define MN_PUBLIC __attribute__((visibility("default")))
#else
#define MN_PUBLIC
#endif

/* The C half of `require "manilius"`: the module manilius.core. */
MN_PUBLIC int luaopen_manilius_core(lua_State *L);

#endif
