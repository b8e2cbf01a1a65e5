/* Signals in the program `manilius`: Ctrl-C stops a running chunk with the error "interrupted!", and clears the line
 * that is being typed; the editor learns that the window has changed, or that the process continues after Ctrl-Z. */
#ifndef MN_LUA_PROMPT_SIGNALS_H
#define MN_LUA_PROMPT_SIGNALS_H
#include <lua.h>
#include <stdbool.h>

enum mn_input {
  MN_INPUT,       /* standard input can be read */
  MN_INTERRUPTED, /* Ctrl-C was pressed */
  MN_NO_INPUT,    /* another signal arrived */
};

/* Wait for input or a signal. Reports Ctrl-C also if it was pressed earlier, while no chunk was running. */
enum mn_input mn_interrupt_wait(void);

struct mn_terminal_signals {
  bool resized, continued;
};

/* Watch for these signals, or restore what handled them before. */
void mn_watch_terminal(bool on);

/* The signals since the last call. */
struct mn_terminal_signals mn_terminal_signals(void);

/* Add catch_interrupts, call, resume and wait to the table on top of the stack. */
void mn_signals_open(lua_State *L);

#endif
