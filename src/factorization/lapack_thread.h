/* A long call of LAPACK, which cannot be interrupted, in a thread of its own. Internal to lapack_*.c. */
#ifndef MN_LINALG_LAPACK_THREAD_H
#define MN_LINALG_LAPACK_THREAD_H
#include "../core/context.h"

enum { MN_LONG_ORDER = 400 }; /* from this order on, calls of cubic cost can take 0.1 s */

/* Run call(arrays) in a thread and wait for it. If the operation is cancelled meanwhile, return MN_CANCELLED at once:
 * the thread continues, because LAPACK cannot be stopped, and frees `memory` when it has ended. So the arrays must be
 * allocated from `memory`, a child account (mn_memory_child), and `call` must use nothing else and allocate nothing
 * from it. After MN_OK the caller reads the results and frees `memory`; a failure frees it here. The end of the process
 * waits for such threads. */
mn_status mn_lapack_run(mn_context *ctx, mn_memory *memory, void (*call)(void *arrays), void *arrays);

#endif
