/* The part of libedit that the prompt uses. It is loaded when the prompt starts, so that nothing needs it to build. */
#ifndef MN_LUA_PROMPT_LIBEDIT_H
#define MN_LUA_PROMPT_LIBEDIT_H
#include <stdbool.h>
#include <stdio.h>
#include <wchar.h>

/* Types and constants of <histedit.h>. */
typedef struct editline EditLine;
typedef struct history History;
typedef struct {
  const char *buffer, *cursor, *lastchar;
} LineInfo;
typedef struct {
  int num;
  const char *str;
} HistEvent;
typedef unsigned char (*mn_editor_command)(EditLine *, int);

enum {
  EL_PROMPT = 0,
  EL_EDITOR = 2,
  EL_BIND = 4,
  EL_ADDFN = 9,
  EL_HIST = 10,
  EL_GETCFN = 13,
  EL_CLIENTDATA = 14,
  EL_PREP_TERM = 16,
  EL_REFRESH = 20,
  CC_NORM = 0,
  CC_REFRESH = 4,
  CC_CURSOR = 5,
  CC_REDISPLAY = 8,
  CC_REFRESH_BEEP = 9,
  H_SETSIZE = 1,
  H_ENTER = 10,
  H_SETUNIQUE = 20,
};

/* One line a function: M(name, result, arguments). */
#define MN_LIBEDIT_FUNCTIONS(M)                                                                                        \
  M(el_init, EditLine *, (const char *, FILE *, FILE *, FILE *))                                                       \
  M(el_end, void, (EditLine *))                                                                                        \
  M(el_gets, const char *, (EditLine *, int *))                                                                        \
  M(el_push, void, (EditLine *, const char *))                                                                         \
  M(el_set, int, (EditLine *, int, ...))                                                                               \
  M(el_get, int, (EditLine *, int, ...))                                                                               \
  M(el_source, int, (EditLine *, const char *))                                                                        \
  M(el_resize, void, (EditLine *))                                                                                     \
  M(el_line, const LineInfo *, (EditLine *))                                                                           \
  M(el_insertstr, int, (EditLine *, const char *))                                                                     \
  M(el_deletestr, void, (EditLine *, int))                                                                             \
  M(el_cursor, int, (EditLine *, int))                                                                                 \
  M(history_init, History *, (void))                                                                                   \
  M(history_end, void, (History *))                                                                                    \
  M(history, int, (History *, HistEvent *, int, ...))

struct mn_libedit {
#define MN_LIBEDIT_MEMBER(name, result, arguments) result(*name) arguments;
  MN_LIBEDIT_FUNCTIONS(MN_LIBEDIT_MEMBER)
#undef MN_LIBEDIT_MEMBER
};

/* NULL when libedit is not installed. */
const struct mn_libedit *mn_libedit_load(void);

#endif
