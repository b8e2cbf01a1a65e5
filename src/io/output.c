#include "output.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { BUFFER_SIZE = 256 << 10, MIN_CAPACITY = 256, MAX_TRIES = 1000 };

static mn_status fail(mn_context *ctx, const mn_output *o)
{
  return mn_fail(ctx, MN_BAD_FILE, "%s: %s", o->path, strerror(errno));
}

static mn_status no_memory(mn_context *ctx, const mn_output *o, size_t size)
{
  return mn_fail(ctx, MN_NO_MEMORY, "%s: not enough memory for %zu bytes", o->path ? o->path : "output", size);
}

static mn_status write_file(mn_context *ctx, mn_output *o, const char *bytes, size_t size)
{
  while (size > 0) {
    const ssize_t done = write(o->file, bytes, size);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return fail(ctx, o);
    bytes += done;
    size -= (size_t)done;
  }
  return MN_OK;
}

static mn_status compress_bytes(mn_context *ctx, mn_output *o, const char *bytes, size_t size, int flush)
{
  z_stream *z = o->zlib;
  char packed[16 << 10];
  int result;
  z->next_in = (Bytef *)(uintptr_t)bytes; /* zlib does not write to it */
  z->avail_in = (uInt)size;
  do {
    z->next_out = (Bytef *)packed;
    z->avail_out = sizeof packed;
    result = deflate(z, flush);
    if (result == Z_STREAM_ERROR) return mn_fail(ctx, MN_BAD_FILE, "%s: zlib cannot compress", o->path);
    MN_TRY(write_file(ctx, o, packed, sizeof packed - z->avail_out));
  } while (z->avail_out == 0 || (flush == Z_FINISH && result != Z_STREAM_END));
  return MN_OK;
}

static mn_status flush(mn_context *ctx, mn_output *o)
{
  const size_t size = o->size;
  o->size = 0;
  return o->zlib ? compress_bytes(ctx, o, o->at, size, Z_NO_FLUSH) : write_file(ctx, o, o->at, size);
}

static mn_status reserve(mn_context *ctx, mn_output *o, size_t size)
{
  mn_memory *memory = mn_context_memory(ctx);
  if (o->capacity - o->size >= size) return MN_OK;
  if (size > SIZE_MAX / 4 || o->capacity > SIZE_MAX / 4) return no_memory(ctx, o, size);
  const size_t new_capacity = o->size + size > 2 * o->capacity ? o->size + size : 2 * o->capacity;
  char *at = mn_alloc(memory, new_capacity);
  if (!at) return no_memory(ctx, o, new_capacity);
  if (o->size > 0) memcpy(at, o->at, o->size);
  mn_free(memory, o->at);
  o->at = at;
  o->capacity = new_capacity;
  return MN_OK;
}

mn_status mn_output_write(mn_context *ctx, mn_output *o, const void *bytes, size_t size)
{
  const char *from = bytes;
  while (size > 0) {
    if (!o->path) MN_TRY(reserve(ctx, o, size));
    const size_t available = o->capacity - o->size, part = size < available ? size : available;
    memcpy(o->at + o->size, from, part);
    o->size += part;
    from += part;
    size -= part;
    if (o->path && o->size == o->capacity) MN_TRY(flush(ctx, o));
  }
  return MN_OK;
}

/* Open a temporary file next to the target, with the permissions of a new file or of the file it replaces. */
static mn_status open_temporary(mn_context *ctx, mn_output *o, const struct stat *old)
{
  const size_t size = strlen(o->target) + 32;
  o->temporary = mn_alloc(mn_context_memory(ctx), size);
  if (!o->temporary) return no_memory(ctx, o, size);
  for (int n = 0; o->file < 0 && n < MAX_TRIES; n++) {
    snprintf(o->temporary, size, "%s.%ld-%d.part", o->target, (long)getpid(), n);
    o->file = open(o->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (o->file < 0 && errno != EEXIST) break;
  }
  if (o->file >= 0) {
    if (old && fchmod(o->file, old->st_mode & 0777) != 0) return fail(ctx, o);
    return MN_OK;
  }
  o->temporary[0] = '\0'; /* no file to remove */
  return fail(ctx, o);
}

static mn_status open_file(mn_context *ctx, mn_output *o)
{
  struct stat old;
  char resolved[PATH_MAX];
  const bool exists = stat(o->path, &old) == 0;
  if (!exists && errno != ENOENT) return fail(ctx, o);
  const char *target = exists && realpath(o->path, resolved) ? resolved : o->path;
  const size_t size = strlen(target) + 1;
  o->target = mn_alloc(mn_context_memory(ctx), size);
  if (!o->target) return no_memory(ctx, o, size);
  memcpy(o->target, target, size);
  if (!exists || S_ISREG(old.st_mode)) return open_temporary(ctx, o, exists ? &old : NULL);
  o->file = open(o->path, O_WRONLY | O_CLOEXEC);
  return o->file < 0 ? fail(ctx, o) : MN_OK;
}

static void *zlib_alloc(void *user, unsigned items, unsigned size)
{
  size_t bytes;
  return mn_checked_size(size, items, 1, &bytes) ? mn_alloc(user, bytes) : NULL;
}

static void zlib_free(void *user, void *pointer)
{
  mn_free(user, pointer);
}

static mn_status open_zlib(mn_context *ctx, mn_output *o)
{
  enum { GZIP = 15 + 16, MEMORY_LEVEL = 8 };
  const size_t length = strlen(o->path);
  if (length < 3 || strcmp(o->path + length - 3, ".gz") != 0) return MN_OK;
  z_stream *z = mn_alloc(mn_context_memory(ctx), sizeof *z);
  if (!z) return no_memory(ctx, o, sizeof *z);
  *z = (z_stream){ .zalloc = zlib_alloc, .zfree = zlib_free, .opaque = mn_context_memory(ctx) };
  if (deflateInit2(z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP, MEMORY_LEVEL, Z_DEFAULT_STRATEGY) == Z_OK) {
    o->zlib = z;
    return MN_OK;
  }
  mn_free(mn_context_memory(ctx), z);
  return no_memory(ctx, o, BUFFER_SIZE);
}

mn_status mn_output_open_raw(mn_context *ctx, const char *path, mn_output *o)
{
  *o = (mn_output){ .path = path, .file = -1 };
  MN_TRY(reserve(ctx, o, path ? BUFFER_SIZE : MIN_CAPACITY)); /* so that empty output is not NULL */
  return path ? open_file(ctx, o) : MN_OK;
}

mn_status mn_output_open(mn_context *ctx, const char *path, mn_output *o)
{
  MN_TRY(mn_output_open_raw(ctx, path, o));
  return path ? open_zlib(ctx, o) : MN_OK;
}

static mn_status finish(mn_context *ctx, mn_output *o)
{
  MN_TRY(flush(ctx, o));
  if (o->zlib) MN_TRY(compress_bytes(ctx, o, NULL, 0, Z_FINISH));
  const int closed = close(o->file);
  o->file = -1;
  if (closed != 0) return fail(ctx, o);
  if (o->temporary && rename(o->temporary, o->target) != 0) return fail(ctx, o);
  return MN_OK;
}

mn_status mn_output_close(mn_context *ctx, mn_output *o, mn_status status)
{
  mn_memory *memory = mn_context_memory(ctx);
  if (status == MN_OK && o->path) status = finish(ctx, o);
  if (o->file >= 0) close(o->file);
  if (status != MN_OK && o->temporary && o->temporary[0]) unlink(o->temporary);
  if (o->zlib) deflateEnd(o->zlib);
  mn_free(memory, o->zlib);
  mn_free(memory, o->target);
  mn_free(memory, o->temporary);
  mn_free(memory, o->at);
  *o = (mn_output){ .file = -1 };
  return status;
}

void mn_output_detach(mn_output *o, char **bytes, size_t *size)
{
  *bytes = o->at;
  *size = o->size;
  o->at = NULL;
  o->size = o->capacity = 0;
}
