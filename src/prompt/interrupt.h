/* Ctrl-C in the program `manilius`: it stops a running chunk with the error "interrupted!", and clears the line that is
 * being typed. */
#ifndef MN_PROMPT_INTERRUPT_H
#define MN_PROMPT_INTERRUPT_H
#include <lua.h>
#include <stdbool.h>

/* Whether Ctrl-C was pressed while no chunk was running, since the last call of this function. */
bool mn_interrupt_take(void);

/* Add catch_interrupts, call and resume to the table on top of the stack. */
void mn_interrupt_open(lua_State *L);

#endif
