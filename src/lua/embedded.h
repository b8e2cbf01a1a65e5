/* The Lua modules of manilius as text, for builds that embed them (rockspec/embed.lua writes the table). */
#ifndef MN_LUA_EMBEDDED_H
#define MN_LUA_EMBEDDED_H
#include <stddef.h>

typedef struct mn_lua_source {
  const char *name;  /* of the module: "manilius.frame" */
  const char *chunk; /* for messages: "@manilius/frame.lua" */
  const unsigned char *text;
  size_t size;
} mn_lua_source;

extern const mn_lua_source mn_lua_sources[];
extern const size_t mn_lua_source_count;

#endif
