/* The bytes of a file, decompressed when they are gzip. */
#ifndef MN_IO_BYTES_H
#define MN_IO_BYTES_H
#include "../core/context.h"

/* at[0..size-1], alive until mn_bytes_close. A file of some size is mapped, not read: whoever cuts it short meanwhile
 * ends the process, as with every program that maps files. */
typedef struct mn_bytes {
  const char *at;
  size_t size;
  void *mapped, *taken; /* what to give back */
  size_t mapped_size;
} mn_bytes;

mn_status mn_bytes_open(mn_context *ctx, const char *path, mn_bytes *b);

/* The same for bytes at hand, which are not copied; `label` stands for the path in messages. */
mn_status mn_bytes_of(mn_context *ctx, const char *bytes, size_t size, const char *label, mn_bytes *b);

void mn_bytes_close(mn_memory *memory, mn_bytes *b);

/* The whole pages of a mapped file between these places are not needed soon: they stop counting as memory of this
 * process, and come back when they are read. From any thread. */
void mn_bytes_let_go(const char *from, const char *to);

/* MN_BAD_FILE, "label:line:column: what" for a place in a text that begins at `begin`; lines and bytes from 1. */
mn_status mn_fail_at(mn_context *ctx, const char *label, const char *begin, const char *at, char newline,
                     const char *what);

#endif
