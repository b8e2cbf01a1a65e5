/* The bytes of a file, decompressed if they are gzip data. */
#ifndef MN_IO_BYTES_H
#define MN_IO_BYTES_H
#include "../core/context.h"

/* The bytes at[0..size-1], valid until mn_bytes_close. Large files are mapped into memory: as with every mapped file,
 * truncating it meanwhile terminates the process. */
typedef struct mn_bytes {
  const char *at;
  size_t size;
  void *mapped, *owned; /* to be released */
  size_t mapped_size;
} mn_bytes;

mn_status mn_bytes_open(mn_context *ctx, const char *path, mn_bytes *b);

/* The same for bytes in memory, which are not copied; `label` replaces the path in messages. */
mn_status mn_bytes_wrap(mn_context *ctx, const char *bytes, size_t size, const char *label, mn_bytes *b);

void mn_bytes_close(mn_memory *memory, mn_bytes *b);

/* Release the full pages of a mapped file between two addresses: they no longer count as memory of this process, and
 * are read again when accessed. Thread-safe. */
void mn_bytes_release_pages(const char *from, const char *to);

/* The line and the byte in it of the position `at`, from 1, in text from `begin`. */
void mn_find_position(const char *begin, const char *at, char newline, size_t *line, size_t *column);

/* MN_BAD_FILE with "label:line:column: what" for the position `at` of a text that begins at `begin`; lines and columns
 * count from 1. */
mn_status mn_fail_at(mn_context *ctx, const char *label, const char *begin, const char *at, char newline,
                     const char *what);

#endif
