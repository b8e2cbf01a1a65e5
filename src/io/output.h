/* Output to a file or to memory. Files are replaced atomically: they are written under a temporary name in the same
 * directory and renamed on success. (Anything but a regular file, such as /dev/stdout, is written directly.) A path
 * that ends in .gz is compressed. */
#ifndef MN_IO_OUTPUT_H
#define MN_IO_OUTPUT_H
#include "../core/context.h"

typedef struct mn_output {
  const char *path; /* for messages; NULL: memory */
  char *target;     /* the path with links resolved */
  char *temporary;  /* the temporary name, "" if written directly */
  int file;
  void *zlib; /* z_stream */
  char *at;   /* memory: everything written; file: what is not yet flushed */
  size_t size, capacity;
} mn_output;

/* `path` NULL: memory. mn_output_close must follow, whatever this returns. */
mn_status mn_output_open(mn_context *ctx, const char *path, mn_output *o);
/* The same, never compressed. */
mn_status mn_output_open_raw(mn_context *ctx, const char *path, mn_output *o);
mn_status mn_output_write(mn_context *ctx, mn_output *o, const void *bytes, size_t size);

/* Finish: if `status` is MN_OK, rename the file into place; otherwise remove it. Returns `status` or, if that is MN_OK,
 * its own status. Frees memory that was not detached. */
mn_status mn_output_close(mn_context *ctx, mn_output *o, mn_status status);

/* Hand the bytes written to memory over to the caller, who frees them with mn_free. */
void mn_output_detach(mn_output *o, char **bytes, size_t *size);

#endif
