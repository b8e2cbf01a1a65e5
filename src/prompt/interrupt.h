/* Ctrl-C in the program `manilius`: it stops a running chunk with the error "interrupted!", and clears the line that is
 * being typed. */
#ifndef MN_PROMPT_INTERRUPT_H
#define MN_PROMPT_INTERRUPT_H
#include <lua.h>

enum mn_input {
  MN_INPUT,       /* standard input can be read */
  MN_INTERRUPTED, /* Ctrl-C was pressed */
  MN_NO_INPUT,    /* another signal arrived */
};

/* Wait for input or a signal. Reports Ctrl-C also if it was pressed earlier, while no chunk was running. */
enum mn_input mn_interrupt_wait(void);

/* Add catch_interrupts, call, resume and wait to the table on top of the stack. */
void mn_interrupt_open(lua_State *L);

#endif
