#include "bytes.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/* AT_ONCE: what is read or copied between two looks whether to go on, a few milliseconds' worth. */
enum { FIRST_SIZE = 64 << 10, MAP_FROM = 1 << 20, AT_ONCE = 16 << 20 };

/* Memory that grows while a stream of unknown length comes in. */
struct growing {
  char *at;
  size_t size, room;
};

/* A stream that never ends is moved by gigabytes in the end. */
static mn_status copy(mn_context *ctx, char *to, const char *from, size_t size)
{
  while (size > 0) {
    const size_t piece = size < AT_ONCE ? size : AT_ONCE;
    memcpy(to, from, piece);
    to += piece;
    from += piece;
    size -= piece;
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

static mn_status make_room(mn_context *ctx, struct growing *g, size_t room, const char *label)
{
  mn_memory *memory = mn_context_memory(ctx);
  if (g->room - g->size >= room) return MN_OK;
  const size_t wanted = g->room > SIZE_MAX / 4 ? SIZE_MAX : g->size + room > 2 * g->room ? g->size + room : 2 * g->room;
  char *at = mn_alloc(memory, wanted);
  if (!at) return mn_fail(ctx, MN_NO_MEMORY, "%s: not enough memory for %zu bytes", label, wanted);
  const mn_status status = copy(ctx, at, g->at, g->size);
  if (status != MN_OK) {
    mn_free(memory, at);
    return status;
  }
  mn_free(memory, g->at);
  g->at = at;
  g->room = wanted;
  return MN_OK;
}

static mn_status read_all(mn_context *ctx, int file, size_t guess, const char *path, struct growing *g)
{
  MN_TRY(make_room(ctx, g, guess + 1, path)); /* one more, so that the end is seen without growing */
  for (;;) {
    MN_TRY(make_room(ctx, g, 1, path));
    const size_t room = g->room - g->size;
    const ssize_t got = read(file, g->at + g->size, room < AT_ONCE ? room : AT_ONCE);
    if (got == 0) return MN_OK;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return mn_fail(ctx, MN_BAD_FILE, "%s: %s", path, strerror(errno));
    g->size += (size_t)got;
    MN_TRY(mn_poll(ctx));
  }
}

static void *zlib_take(void *user, unsigned items, unsigned size)
{
  size_t bytes;
  return mn_checked_size(size, items, 1, &bytes) ? mn_alloc(user, bytes) : NULL;
}

static void zlib_give(void *user, void *pointer)
{
  mn_free(user, pointer);
}

/* All members of a gzip file, one after the other. */
static mn_status inflate_members(mn_context *ctx, z_stream *z, const char *bytes, size_t size, const char *label,
                                 struct growing *g)
{
  const size_t most = AT_ONCE;
  size_t used = 0;
  MN_TRY(make_room(ctx, g, size < SIZE_MAX / 8 ? 4 * size : size, label));
  while (used < size) {
    MN_TRY(make_room(ctx, g, FIRST_SIZE, label));
    const size_t in = size - used < most ? size - used : most,
                 out = g->room - g->size < most ? g->room - g->size : most;
    z->next_in = (Bytef *)(uintptr_t)(bytes + used); /* zlib only reads there */
    z->avail_in = (uInt)in;
    z->next_out = (Bytef *)g->at + g->size;
    z->avail_out = (uInt)out;
    const int answer = inflate(z, Z_NO_FLUSH);
    used += in - z->avail_in;
    g->size += out - z->avail_out;
    if (answer == Z_STREAM_END) {
      if (size - used < 2 || memcmp(bytes + used, "\x1f\x8b", 2) != 0) return MN_OK; /* padding is common: ignored */
      if (inflateReset(z) != Z_OK) return mn_fail(ctx, MN_BAD_FILE, "%s: zlib cannot start anew", label);
    } else if (answer == Z_MEM_ERROR) {
      return mn_fail(ctx, MN_NO_MEMORY, "%s: not enough memory to decompress", label);
    } else if (answer != Z_OK && answer != Z_BUF_ERROR) {
      return mn_fail(ctx, MN_BAD_FILE, "%s: damaged gzip data near byte %zu", label, used);
    }
    MN_TRY(mn_poll(ctx));
  }
  return mn_fail(ctx, MN_BAD_FILE, "%s: gzip data end too early, at byte %zu", label, size);
}

static mn_status decompress(mn_context *ctx, const char *bytes, size_t size, const char *label, struct growing *g)
{
  enum { GZIP_ONLY = 15 + 16 };
  z_stream z = { .zalloc = zlib_take, .zfree = zlib_give, .opaque = mn_context_memory(ctx) };
  if (inflateInit2(&z, GZIP_ONLY) != Z_OK)
    return mn_fail(ctx, MN_NO_MEMORY, "%s: not enough memory to decompress", label);
  const mn_status status = inflate_members(ctx, &z, bytes, size, label, g);
  inflateEnd(&z);
  return status;
}

/* Put the decompressed bytes in the place of compressed ones. */
static mn_status settle(mn_context *ctx, const char *label, mn_bytes *b)
{
  if (b->size < 2 || memcmp(b->at, "\x1f\x8b", 2) != 0) return MN_OK;
  struct growing g = { 0 };
  const mn_status status = decompress(ctx, b->at, b->size, label, &g);
  mn_bytes_close(mn_context_memory(ctx), b);
  if (status == MN_OK)
    *b = (mn_bytes){ .at = g.at, .size = g.size, .taken = g.at };
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
  if (size >= MAP_FROM) {
    void *mapped = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (mapped != MAP_FAILED) {
      *b = (mn_bytes){ .at = mapped, .size = size, .mapped = mapped, .mapped_size = size };
      return MN_OK;
    }
  }
  struct growing g = { 0 };
  const mn_status status = read_all(ctx, file, plain ? size : FIRST_SIZE, path, &g);
  if (status == MN_OK)
    *b = (mn_bytes){ .at = g.at, .size = g.size, .taken = g.at };
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
  if (status == MN_OK) status = settle(ctx, path, b);
  return status;
}

mn_status mn_bytes_of(mn_context *ctx, const char *bytes, size_t size, const char *label, mn_bytes *b)
{
  *b = (mn_bytes){ .at = bytes ? bytes : "", .size = bytes ? size : 0 };
  return settle(ctx, label, b);
}

void mn_bytes_close(mn_memory *memory, mn_bytes *b)
{
  if (b->mapped) munmap(b->mapped, b->mapped_size);
  mn_free(memory, b->taken);
  *b = (mn_bytes){ 0 };
}

void mn_bytes_let_go(const char *from, const char *to)
{
  const long size = sysconf(_SC_PAGESIZE);
  if (size <= 0) return;
  const uintptr_t page = (uintptr_t)size, begin = ((uintptr_t)from + page - 1) / page * page;
  const uintptr_t end = (uintptr_t)to / page * page;
  if (begin < end) (void)madvise((void *)begin, end - begin, MADV_DONTNEED); /* a wish */
}

mn_status mn_fail_at(mn_context *ctx, const char *label, const char *begin, const char *at, char newline,
                     const char *what)
{
  size_t line = 1;
  const char *next;
  while (begin < at && (next = memchr(begin, newline, (size_t)(at - begin)))) {
    line++;
    begin = next + 1;
  }
  return mn_fail(ctx, MN_BAD_FILE, "%s:%zu:%zu: %s", label, line, (size_t)(at - begin) + 1, what);
}
