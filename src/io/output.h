/* Bytes on their way into a file or into memory. A file is complete or not there: it is written beside its place under
 * another name and put there when all went well. (A place that is no ordinary file, as /dev/stdout, is written to
 * directly.) A path that ends in .gz is compressed. */
#ifndef MN_IO_OUTPUT_H
#define MN_IO_OUTPUT_H
#include "../core/context.h"

typedef struct mn_output {
  const char *path; /* for messages; NULL: memory */
  char *target;     /* the place, links resolved  */
  char *beside;     /* the other name, "" when written directly */
  int file;
  void *zlib; /* z_stream */
  char *at;   /* memory: all that was written; file: what waits */
  size_t size, room;
} mn_output;

/* `path` NULL: memory. Whatever this returns, mn_output_close must follow. */
mn_status mn_output_open(mn_context *ctx, const char *path, mn_output *o);
/* The same, never packed. */
mn_status mn_output_open_as_is(mn_context *ctx, const char *path, mn_output *o);
mn_status mn_output_write(mn_context *ctx, mn_output *o, const void *bytes, size_t size);

/* With MN_OK as status so far: put the file in its place; else leave no trace. Returns the status so far or, when that
 * was MN_OK, its own. Memory that was written and not taken over is given back. */
mn_status mn_output_close(mn_context *ctx, mn_output *o, mn_status status);

/* What was written to memory, from now on the caller's. */
void mn_output_take(mn_output *o, char **bytes, size_t *size);

#endif
