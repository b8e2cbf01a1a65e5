#include "editor.h"
#include "libedit.h"
#include "signals.h"
#include <errno.h>
#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PROMPT_SIZE = 32, MAX_HISTORY = 1000, INTERRUPT_KEY = 3 };
enum { IS_COMPLETE = 1, COMPLETE, WRITE, USER_VALUES = WRITE };

#define TYPE_NAME "manilius.editor"
/* Keys that our commands push to run commands of libedit: ed-newline, ed-prev-history, ed-next-history. */
#define ACCEPT_KEYS "\030\001"
#define UP_KEYS "\030\020"
#define DOWN_KEYS "\030\016"

/* User values, which are also the arguments of open_editor: IS_COMPLETE, a function of the text; COMPLETE, a function
 * of the text and the position of the cursor; WRITE, a function that writes a text to the terminal. */
struct editor {
  const struct mn_libedit *lib;
  EditLine *el;
  History *history;
  lua_State *L; /* the caller of read */
  char prompt[PROMPT_SIZE];
  bool interrupted;
  mbstate_t decoder;
};

static struct editor *check_editor(lua_State *L)
{
  struct editor *e = luaL_checkudata(L, 1, TYPE_NAME);
  if (!e->el) luaL_error(L, "editor is closed");
  return e;
}

/* libedit passes only `el` to commands. */
static struct editor *editor_of(EditLine *el)
{
  struct editor *e = NULL;
  mn_libedit_load()->el_get(el, EL_CLIENTDATA, &e);
  return e;
}

static char *prompt_of(EditLine *el)
{
  return editor_of(el)->prompt;
}

/* --- reading characters --- */

/* Pass the text on top of the stack to WRITE. Lua writes it, since C of the library never prints. */
static void write_text(struct editor *e)
{
  lua_State *L = e->L;
  lua_getiuservalue(L, 1, WRITE);
  lua_insert(L, -2);
  if (lua_pcall(L, 1, 0, 0) != LUA_OK) lua_pop(L, 1);
}

/* After a change of the size, or when the process continues after Ctrl-Z, the line is drawn again. */
static void redraw_after_signals(struct editor *e)
{
  const struct mn_terminal_signals seen = mn_terminal_signals();
  if (!seen.resized && !seen.continued) return;
  if (seen.resized) e->lib->el_resize(e->el);
  for (int raw = 0; seen.continued && raw <= 1; raw++) e->lib->el_set(e->el, EL_PREP_TERM, raw);
  lua_pushliteral(e->L, "\r");
  write_text(e);
  e->lib->el_set(e->el, EL_REFRESH);
}

/* Add a byte to the character. False if more bytes are needed. */
static bool decode(struct editor *e, char byte, wchar_t *character)
{
  const size_t n = mbrtowc(character, &byte, 1, &e->decoder);
  if (n == (size_t)-2) return false;
  if (n == (size_t)-1) {
    e->decoder = (mbstate_t){ 0 };
    *character = L'?';
  }
  return true;
}

/* EL_GETCFN: 1 after a character, 0 at the end of the input. SIGINT arrives as the key that causes it. */
static int read_character(EditLine *el, wchar_t *character)
{
  struct editor *e = editor_of(el);
  char byte;
  for (;;) {
    redraw_after_signals(e);
    const enum mn_input input = mn_interrupt_wait();
    if (input == MN_INTERRUPTED) {
      *character = INTERRUPT_KEY;
      return 1;
    }
    if (input == MN_NO_INPUT) continue;
    const ssize_t n = read(STDIN_FILENO, &byte, 1);
    if (n == 1 && decode(e, byte, character)) return 1;
    if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN)) return 0;
  }
}

/* --- commands --- */

/* The number of UTF-8 characters of a text. */
static int count_characters(const char *from, const char *to)
{
  int n = 0;
  for (; from < to; from++) n += (*from & 0xc0) != 0x80;
  return n;
}

/* Push the text of the line. */
static void push_line(struct editor *e)
{
  const LineInfo *line = e->lib->el_line(e->el);
  lua_pushlstring(e->L, line->buffer, (size_t)(line->lastchar - line->buffer));
}

static bool is_complete(struct editor *e)
{
  lua_State *L = e->L;
  lua_getiuservalue(L, 1, IS_COMPLETE);
  push_line(e);
  const bool complete = lua_pcall(L, 1, 1, 0) != LUA_OK || lua_toboolean(L, -1);
  lua_pop(L, 1);
  return complete;
}

/* Enter ends a complete chunk, and otherwise begins a new line of it. */
static unsigned char enter(EditLine *el, int key)
{
  struct editor *e = editor_of(el);
  (void)key;
  if (is_complete(e)) {
    e->lib->el_push(el, ACCEPT_KEYS);
    return CC_NORM;
  }
  e->lib->el_insertstr(el, "\n");
  return CC_REFRESH;
}

/* Leave el_gets after the last line of the chunk. */
static unsigned char interrupt(EditLine *el, int key)
{
  struct editor *e = editor_of(el);
  const LineInfo *line = e->lib->el_line(el);
  (void)key;
  e->lib->el_cursor(el, count_characters(line->cursor, line->lastchar));
  e->lib->el_insertstr(el, "^C");
  e->lib->el_push(el, ACCEPT_KEYS);
  e->interrupted = true;
  return CC_REFRESH;
}

/* The start of the line of a text that has `at` in it, and its end. */
static const char *line_start(const char *text, const char *at)
{
  while (at > text && at[-1] != '\n') at--;
  return at;
}

static const char *line_end(const char *at, const char *end)
{
  while (at < end && *at != '\n') at++;
  return at;
}

/* Move the cursor to a column of the line from `start` to `end`. */
static unsigned char move_to(struct editor *e, const LineInfo *line, const char *start, const char *end, int column)
{
  const int length = count_characters(start, end);
  const int target = count_characters(line->buffer, start) + (column < length ? column : length);
  e->lib->el_cursor(e->el, target - count_characters(line->buffer, line->cursor));
  return CC_CURSOR;
}

/* Up and down: to the next line of the chunk, or in the history. */
static unsigned char up(EditLine *el, int key)
{
  struct editor *e = editor_of(el);
  (void)key;
  const LineInfo *line = e->lib->el_line(el);
  const char *start = line_start(line->buffer, line->cursor);
  if (start == line->buffer) {
    e->lib->el_push(el, UP_KEYS);
    return CC_NORM;
  }
  return move_to(e, line, line_start(line->buffer, start - 1), start - 1, count_characters(start, line->cursor));
}

static unsigned char down(EditLine *el, int key)
{
  struct editor *e = editor_of(el);
  (void)key;
  const LineInfo *line = e->lib->el_line(el);
  const char *end = line_end(line->cursor, line->lastchar);
  if (end == line->lastchar) {
    e->lib->el_push(el, DOWN_KEYS);
    return CC_NORM;
  }
  const int column = count_characters(line_start(line->buffer, line->cursor), line->cursor);
  return move_to(e, line, end + 1, line_end(end + 1, line->lastchar), column);
}

/* Tab: COMPLETE returns how many bytes before the cursor to delete, the text to insert, and a text to show or nil. */
static unsigned char complete(EditLine *el, int key)
{
  struct editor *e = editor_of(el);
  lua_State *L = e->L;
  const int top = lua_gettop(L);
  unsigned char reply = CC_REFRESH_BEEP;
  (void)key;
  lua_getiuservalue(L, 1, COMPLETE);
  push_line(e);
  const LineInfo *line = e->lib->el_line(el);
  lua_pushinteger(L, line->cursor - line->buffer);
  if (lua_pcall(L, 2, 3, 0) == LUA_OK && lua_type(L, top + 2) == LUA_TSTRING) {
    const int deleted = (int)lua_tointeger(L, top + 1);
    if (deleted > 0) e->lib->el_deletestr(el, deleted);
    if (lua_rawlen(L, top + 2) > 0) e->lib->el_insertstr(el, lua_tostring(L, top + 2));
    reply = CC_REFRESH;
    if (lua_type(L, top + 3) == LUA_TSTRING) {
      lua_pushfstring(L, "\n%s\n", lua_tostring(L, top + 3));
      write_text(e);
      reply = CC_REDISPLAY;
    }
  }
  lua_settop(L, top);
  return reply;
}

/* --- methods --- */

/* read(prompt) -> the text without its last newline; nil and "interrupted" after Ctrl-C; nil at the end */
static int editor_read(lua_State *L)
{
  struct editor *e = check_editor(L);
  int length = 0;
  snprintf(e->prompt, sizeof e->prompt, "%s", luaL_checkstring(L, 2));
  e->L = L;
  e->interrupted = false;
  luaL_checkstack(L, LUA_MINSTACK, "editor");
  mn_watch_terminal(true);
  const char *text = e->lib->el_gets(e->el, &length);
  mn_watch_terminal(false);
  if (e->interrupted) {
    lua_pushnil(L);
    lua_pushliteral(L, "interrupted");
    return 2;
  }
  if (!text || length <= 0) return 0;
  lua_pushlstring(L, text, strcspn(text + length - 1, "\n") + (size_t)length - 1);
  return 1;
}

/* remember(text): add a chunk to the history */
static int editor_remember(lua_State *L)
{
  const struct editor *e = check_editor(L);
  HistEvent event;
  e->lib->history(e->history, &event, H_ENTER, luaL_checkstring(L, 2));
  return 0;
}

static int editor_close(lua_State *L)
{
  struct editor *e = luaL_checkudata(L, 1, TYPE_NAME);
  if (e->el) e->lib->el_end(e->el);
  if (e->history) e->lib->history_end(e->history);
  e->el = NULL;
  e->history = NULL;
  return 0;
}

static void bind_keys(const struct editor *e)
{
  static const char *const keys[][2] = {
    { "^C", "manilius-interrupt" },       { "\r", "manilius-enter" },      { "\n", "manilius-enter" },
    { ACCEPT_KEYS, "ed-newline" },        { "\t", "manilius-complete" },   { "^R", "em-inc-search-prev" },
    { "\033[A", "manilius-up" },          { "\033OA", "manilius-up" },     { "\033[B", "manilius-down" },
    { "\033OB", "manilius-down" },        { UP_KEYS, "ed-prev-history" },  { DOWN_KEYS, "ed-next-history" },
    { "^W", "ed-delete-prev-word" },      { "\033[1;5D", "ed-prev-word" }, { "\033[1;5C", "em-next-word" },
    { "\033[3~", "ed-delete-next-char" }, { "\033[H", "ed-move-to-beg" },  { "\033[F", "ed-move-to-end" },
    { "\033[1~", "ed-move-to-beg" },      { "\033[4~", "ed-move-to-end" },
  };
  e->lib->el_set(e->el, EL_ADDFN, "manilius-enter", "end the chunk, or begin a line", (mn_editor_command)enter);
  e->lib->el_set(e->el, EL_ADDFN, "manilius-interrupt", "clear the chunk", (mn_editor_command)interrupt);
  e->lib->el_set(e->el, EL_ADDFN, "manilius-complete", "complete the name", (mn_editor_command)complete);
  e->lib->el_set(e->el, EL_ADDFN, "manilius-up", "previous line", (mn_editor_command)up);
  e->lib->el_set(e->el, EL_ADDFN, "manilius-down", "next line", (mn_editor_command)down);
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    e->lib->el_set(e->el, EL_BIND, keys[i][0], keys[i][1], (char *)NULL);
}

static bool start(struct editor *e)
{
  HistEvent event;
  e->el = e->lib->el_init("manilius", stdin, stdout, stderr);
  e->history = e->lib->history_init();
  if (!e->el || !e->history) return false;
  e->lib->history(e->history, &event, H_SETSIZE, MAX_HISTORY);
  e->lib->history(e->history, &event, H_SETUNIQUE, 1);
  e->lib->el_set(e->el, EL_CLIENTDATA, e);
  e->lib->el_set(e->el, EL_PROMPT, prompt_of);
  e->lib->el_set(e->el, EL_HIST, e->lib->history, e->history);
  e->lib->el_set(e->el, EL_GETCFN, read_character);
  e->lib->el_set(e->el, EL_EDITOR, "emacs");
  bind_keys(e);
  e->lib->el_source(e->el, NULL);
  return true;
}

static bool can_edit(void)
{
  const char *terminal = getenv("TERM");
  return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && terminal && *terminal && strcmp(terminal, "dumb") != 0;
}

/* open_editor(is_complete, complete, write) -> editor; nil and the reason when lines cannot be edited */
static int open_editor(lua_State *L)
{
  for (int i = 1; i <= USER_VALUES; i++) luaL_checktype(L, i, LUA_TFUNCTION);
  const struct mn_libedit *lib = can_edit() ? mn_libedit_load() : NULL;
  if (!lib) {
    lua_pushnil(L);
    lua_pushstring(L, can_edit() ? "libedit is not installed" : "not a terminal");
    return 2;
  }
  struct editor *e = lua_newuserdatauv(L, sizeof *e, USER_VALUES);
  *e = (struct editor){ .lib = lib };
  luaL_setmetatable(L, TYPE_NAME);
  for (int i = 1; i <= USER_VALUES; i++) {
    lua_pushvalue(L, i);
    lua_setiuservalue(L, -2, i);
  }
  if (!start(e)) return luaL_error(L, "libedit cannot use this terminal");
  return 1;
}

void mn_editor_open(lua_State *L)
{
  static const luaL_Reg methods[] = {
    { "read", editor_read }, { "remember", editor_remember }, { "close", editor_close }, { NULL, NULL }
  };
  luaL_newmetatable(L, TYPE_NAME);
  luaL_newlib(L, methods);
  lua_setfield(L, -2, "__index");
  lua_pushcfunction(L, editor_close);
  lua_setfield(L, -2, "__gc");
  lua_pop(L, 1);
  lua_pushcfunction(L, open_editor);
  lua_setfield(L, -2, "open_editor");
}
