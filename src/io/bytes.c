#include "bytes.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/* POLL_BYTES: bytes read or copied between two checks for cancellation, a few milliseconds of work. */
enum { FIRST_SIZE = 64 << 10, MIN_MAP_SIZE = 1 << 20, POLL_BYTES = 16 << 20 };

/* A buffer that grows while a stream of unknown length is read. */
struct growing_buffer {
  char *at;
  size_t size, capacity;
};

/* Copies in steps, because an endless stream reaches gigabytes before it is cancelled. */
static mn_status copy(mn_context *ctx, char *to, const char *from, size_t size)
{
  while (size > 0) {
    const size_t step = size < POLL_BYTES ? size : POLL_BYTES;
    memcpy(to, from, step);
    to += step;
    from += step;
    size -= step;
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

static mn_status reserve(mn_context *ctx, struct growing_buffer *g, size_t capacity, const char *label)
{
  mn_memory *memory = mn_context_memory(ctx);
  if (g->capacity - g->size >= capacity) return MN_OK;
  const size_t new_capacity = g->capacity > SIZE_MAX / 4             ? SIZE_MAX
                              : g->size + capacity > 2 * g->capacity ? g->size + capacity
                                                                     : 2 * g->capacity;
  char *at = mn_alloc(memory, new_capacity);
  if (!at) return mn_fail(ctx, MN_NO_MEMORY, "%s: not enough memory for %zu bytes", label, new_capacity);
  const mn_status status = copy(ctx, at, g->at, g->size);
  if (status != MN_OK) {
    mn_free(memory, at);
    return status;
  }
  mn_free(memory, g->at);
  g->at = at;
  g->capacity = new_capacity;
  return MN_OK;
}

static mn_status read_all(mn_context *ctx, int file, size_t guess, const char *path, struct growing_buffer *g)
{
  MN_TRY(reserve(ctx, g, guess + 1, path)); /* one byte more, so that the end is detected without growing */
  for (;;) {
    MN_TRY(reserve(ctx, g, 1, path));
    const size_t capacity = g->capacity - g->size;
    const ssize_t got = read(file, g->at + g->size, capacity < POLL_BYTES ? capacity : POLL_BYTES);
    if (got == 0) return MN_OK;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return mn_fail(ctx, MN_BAD_FILE, "%s: %s", path, strerror(errno));
    g->size += (size_t)got;
    MN_TRY(mn_poll(ctx));
  }
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

/* Decompress all members of a gzip file in order. */
static mn_status inflate_members(mn_context *ctx, z_stream *z, const char *bytes, size_t size, const char *label,
                                 struct growing_buffer *g)
{
  const size_t max_step = POLL_BYTES;
  size_t used = 0;
  MN_TRY(reserve(ctx, g, size < SIZE_MAX / 8 ? 4 * size : size, label));
  while (used < size) {
    MN_TRY(reserve(ctx, g, FIRST_SIZE, label));
    const size_t in = size - used < max_step ? size - used : max_step,
                 out = g->capacity - g->size < max_step ? g->capacity - g->size : max_step;
    z->next_in = (Bytef *)(uintptr_t)(bytes + used); /* zlib does not write to it */
    z->avail_in = (uInt)in;
    z->next_out = (Bytef *)g->at + g->size;
    z->avail_out = (uInt)out;
    const int result = inflate(z, Z_NO_FLUSH);
    used += in - z->avail_in;
    g->size += out - z->avail_out;
    if (result == Z_STREAM_END) {
      if (size - used < 2 || memcmp(bytes + used, "\x1f\x8b", 2) != 0)
        return MN_OK; /* trailing padding is common, and ignored */
      if (inflateReset(z) != Z_OK) return mn_fail(ctx, MN_BAD_FILE, "%s: zlib cannot reset its state", label);
    } else if (result == Z_MEM_ERROR) {
      return mn_fail(ctx, MN_NO_MEMORY, "%s: not enough memory to decompress", label);
    } else if (result != Z_OK && result != Z_BUF_ERROR) {
      return mn_fail(ctx, MN_BAD_FILE, "%s: gzip data are damaged near byte %zu", label, used);
    }
    MN_TRY(mn_poll(ctx));
  }
  return mn_fail(ctx, MN_BAD_FILE, "%s: gzip data are truncated at byte %zu", label, size);
}

static mn_status decompress(mn_context *ctx, const char *bytes, size_t size, const char *label,
                            struct growing_buffer *g)
{
  enum { GZIP_ONLY = 15 + 16 };
  z_stream z = { .zalloc = zlib_alloc, .zfree = zlib_free, .opaque = mn_context_memory(ctx) };
  if (inflateInit2(&z, GZIP_ONLY) != Z_OK)
    return mn_fail(ctx, MN_NO_MEMORY, "%s: not enough memory to decompress", label);
  const mn_status status = inflate_members(ctx, &z, bytes, size, label, g);
  inflateEnd(&z);
  return status;
}

/* If the bytes are gzip data, replace them by the decompressed bytes. */
static mn_status decompress_in_place(mn_context *ctx, const char *label, mn_bytes *b)
{
  if (b->size < 2 || memcmp(b->at, "\x1f\x8b", 2) != 0) return MN_OK;
  struct growing_buffer g = { 0 };
  const mn_status status = decompress(ctx, b->at, b->size, label, &g);
  mn_bytes_close(mn_context_memory(ctx), b);
  if (status == MN_OK)
    *b = (mn_bytes){ .at = g.at, .size = g.size, .owned = g.at };
  else
    mn_free(mn_context_memory(ctx), g.at);
  return status;
}

static mn_status load(mn_context *ctx, int file, const char *path, mn_bytes *b)
{
  struct stat about;
  if (fstat(file, &about) != 0) return mn_fail(ctx, MN_BAD_FILE, "%s: %s", path, strerror(errno));
  const bool plain = S_ISREG(about.st_mode) && about.st_size >= 0;
  const size_t size = plain ? (size_t)about.st_size : 0;
  if (size >= MIN_MAP_SIZE) {
    void *mapped = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (mapped != MAP_FAILED) {
      *b = (mn_bytes){ .at = mapped, .size = size, .mapped = mapped, .mapped_size = size };
      return MN_OK;
    }
  }
  struct growing_buffer g = { 0 };
  const mn_status status = read_all(ctx, file, plain ? size : FIRST_SIZE, path, &g);
  if (status == MN_OK)
    *b = (mn_bytes){ .at = g.at, .size = g.size, .owned = g.at };
  else
    mn_free(mn_context_memory(ctx), g.at);
  return status;
}

mn_status mn_bytes_open(mn_context *ctx, const char *path, mn_bytes *b)
{
  *b = (mn_bytes){ 0 };
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return mn_fail(ctx, MN_BAD_FILE, "%s: %s", path, strerror(errno));
  mn_status status = load(ctx, file, path, b);
  close(file);
  if (status == MN_OK) status = decompress_in_place(ctx, path, b);
  return status;
}

mn_status mn_bytes_wrap(mn_context *ctx, const char *bytes, size_t size, const char *label, mn_bytes *b)
{
  *b = (mn_bytes){ .at = bytes ? bytes : "", .size = bytes ? size : 0 };
  return decompress_in_place(ctx, label, b);
}

void mn_bytes_close(mn_memory *memory, mn_bytes *b)
{
  if (b->mapped) munmap(b->mapped, b->mapped_size);
  mn_free(memory, b->owned);
  *b = (mn_bytes){ 0 };
}

void mn_bytes_release_pages(const char *from, const char *to)
{
  const long size = sysconf(_SC_PAGESIZE);
  if (size <= 0) return;
  const uintptr_t page = (uintptr_t)size, begin = ((uintptr_t)from + page - 1) / page * page;
  const uintptr_t end = (uintptr_t)to / page * page;
  if (begin < end) (void)madvise((void *)begin, end - begin, MADV_DONTNEED); /* only a hint */
}

void mn_find_position(const char *begin, const char *at, char newline, size_t *line, size_t *column)
{
  const char *next;
  *line = 1;
  while (begin < at && (next = memchr(begin, newline, (size_t)(at - begin)))) {
    ++*line;
    begin = next + 1;
  }
  *column = (size_t)(at - begin) + 1;
}

mn_status mn_fail_at(mn_context *ctx, const char *label, const char *begin, const char *at, char newline,
                     const char *what)
{
  size_t line, column;
  mn_find_position(begin, at, newline, &line, &column);
  return mn_fail(ctx, MN_BAD_FILE, "%s:%zu:%zu: %s", label, line, column, what);
}
