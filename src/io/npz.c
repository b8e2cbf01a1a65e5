/* The subset of ZIP that NumPy writes (PKWARE APPNOTE 6.3): a directory at the end lists the members, each of which has
 * a local header before its bytes. Sizes beyond 32 bits are in an extra field. */
#include "npz.h"
#include "bytes.h"
#include "npy.h"
#include <stdio.h>
#include <string.h>
#include <zlib.h>

enum { END_SIZE = 22, LOCATOR_SIZE = 20, END64_SIZE = 56, ENTRY_SIZE = 46, LOCAL_SIZE = 30, STORED = 0, DEFLATED = 8 };

struct zip {
  mn_context *ctx;
  const char *label;
  const unsigned char *at;
  size_t size;
};

struct member {
  const unsigned char *name;
  size_t name_size, offset, packed, plain;
  unsigned method, flags;
  uint32_t crc;
};

/* An unsigned little-endian integer. */
static uint64_t read_uint(const unsigned char *at, int bytes)
{
  uint64_t value = 0;
  for (int i = bytes; i-- > 0;) value = value << 8 | at[i];
  return value;
}

static bool fits(const struct zip *z, uint64_t at, uint64_t size)
{
  return at <= z->size && size <= z->size - at;
}

static mn_status fail_damaged(const struct zip *z, const char *what)
{
  return mn_fail(z->ctx, MN_BAD_FILE, "%s: %s", z->label, what);
}

/* Find the offset of the directory and the number of members. */
static mn_status find_directory(const struct zip *z, uint64_t *offset, uint64_t *members)
{
  const size_t max_size = 65535 + END_SIZE, first = z->size > max_size ? z->size - max_size : 0;
  size_t at = z->size >= END_SIZE ? z->size - END_SIZE + 1 : 0; /* one past the last possible position */
  while (at > first && memcmp(z->at + at - 1, "PK\5\6", 4) != 0) at--;
  *offset = *members = 0;
  if (at == first) return fail_damaged(z, "not an .npz file: the directory at the end of a ZIP file is missing");
  at--;
  *members = read_uint(z->at + at + 10, 2);
  *offset = read_uint(z->at + at + 16, 4);
  if (*members != 0xffff && *offset != 0xffffffff) return MN_OK;
  if (at < LOCATOR_SIZE || memcmp(z->at + at - LOCATOR_SIZE, "PK\6\7", 4) != 0) return MN_OK;
  const uint64_t end64 = read_uint(z->at + at - LOCATOR_SIZE + 8, 8);
  if (!fits(z, end64, END64_SIZE) || memcmp(z->at + end64, "PK\6\6", 4) != 0)
    return fail_damaged(z, "the directory of the ZIP file is damaged");
  *members = read_uint(z->at + end64 + 32, 8);
  *offset = read_uint(z->at + end64 + 48, 8);
  return MN_OK;
}

/* Sizes that exceed 32 bits are stored in extra field 1, in this order. */
static void read_large(const unsigned char *extra, size_t size, struct member *m)
{
  while (size >= 4) {
    const size_t id = (size_t)read_uint(extra, 2), length = (size_t)read_uint(extra + 2, 2);
    if (length > size - 4) return;
    if (id == 1) {
      size_t *const fields[] = { &m->plain, &m->packed, &m->offset };
      for (size_t i = 0, position = 0; i < 3; i++) {
        if (*fields[i] != 0xffffffff || position + 8 > length) continue;
        *fields[i] = (size_t)read_uint(extra + 4 + position, 8);
        position += 8;
      }
    }
    extra += 4 + length;
    size -= 4 + length;
  }
}

/* Read an entry of the directory; *offset advances to the next. */
static mn_status read_entry(const struct zip *z, uint64_t *offset, struct member *m)
{
  if (!fits(z, *offset, ENTRY_SIZE) || memcmp(z->at + *offset, "PK\1\2", 4) != 0)
    return fail_damaged(z, "the directory of the ZIP file is damaged");
  const unsigned char *e = z->at + *offset;
  const size_t name = (size_t)read_uint(e + 28, 2), extra = (size_t)read_uint(e + 30, 2),
               comment = (size_t)read_uint(e + 32, 2);
  if (!fits(z, *offset + ENTRY_SIZE, name + extra + comment))
    return fail_damaged(z, "the directory of the ZIP file is damaged");
  *m = (struct member){ .name = e + ENTRY_SIZE,
                        .name_size = name,
                        .flags = (unsigned)read_uint(e + 8, 2),
                        .method = (unsigned)read_uint(e + 10, 2),
                        .crc = (uint32_t)read_uint(e + 16, 4),
                        .packed = (size_t)read_uint(e + 20, 4),
                        .plain = (size_t)read_uint(e + 24, 4),
                        .offset = (size_t)read_uint(e + 42, 4) };
  read_large(e + ENTRY_SIZE + name, extra, m);
  *offset += ENTRY_SIZE + name + extra + comment;
  return MN_OK;
}

/* Find the packed bytes of a member. */
static mn_status find_packed_bytes(const struct zip *z, const struct member *m, const unsigned char **packed)
{
  if (!fits(z, m->offset, LOCAL_SIZE) || memcmp(z->at + m->offset, "PK\3\4", 4) != 0)
    return fail_damaged(z, "a member of the ZIP file is damaged");
  const unsigned char *h = z->at + m->offset;
  const uint64_t begin = (uint64_t)m->offset + LOCAL_SIZE + read_uint(h + 26, 2) + read_uint(h + 28, 2);
  if (!fits(z, begin, m->packed)) return fail_damaged(z, "the ZIP file is truncated");
  *packed = z->at + begin;
  return MN_OK;
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

/* Decompress exactly `size` bytes, in steps, since zlib counts in 32 bits. */
static bool inflate_all(z_stream *s, const unsigned char *packed, size_t packed_size, unsigned char *plain, size_t size)
{
  const size_t max_size = 1 << 30;
  size_t in = 0, out = 0;
  for (;;) {
    const size_t in_step = packed_size - in < max_size ? packed_size - in : max_size,
                 out_step = size - out < max_size ? size - out : max_size;
    s->next_in = (Bytef *)(uintptr_t)(packed + in); /* zlib does not write to it */
    s->avail_in = (uInt)in_step;
    s->next_out = plain + out;
    s->avail_out = (uInt)out_step;
    const int result = inflate(s, Z_NO_FLUSH);
    in += in_step - s->avail_in;
    out += out_step - s->avail_out;
    if (result == Z_STREAM_END) return out == size;
    if (result != Z_OK || (s->avail_in == in_step && s->avail_out == out_step)) return false;
  }
}

static mn_status unpack(const struct zip *z, const struct member *m, const unsigned char *packed, unsigned char *plain)
{
  if (m->method == STORED) {
    if (m->packed != m->plain) return fail_damaged(z, "a member of the ZIP file is damaged");
    if (m->plain > 0) memcpy(plain, packed, m->plain);
    return MN_OK;
  }
  z_stream s = { .zalloc = zlib_alloc, .zfree = zlib_free, .opaque = mn_context_memory(z->ctx) };
  if (inflateInit2(&s, -15) != Z_OK) return mn_fail(z->ctx, MN_NO_MEMORY, "%s: not enough memory", z->label);
  const bool done = inflate_all(&s, packed, m->packed, plain, m->plain);
  inflateEnd(&s);
  return done ? MN_OK : fail_damaged(z, "a member of the ZIP file is damaged");
}

static mn_status check_crc(const struct zip *z, const struct member *m, const unsigned char *plain)
{
  const size_t max_size = 1 << 30;
  uLong crc = crc32(0, NULL, 0);
  for (size_t at = 0; at < m->plain; at += max_size)
    crc = crc32(crc, plain + at, (uInt)(m->plain - at < max_size ? m->plain - at : max_size));
  return crc == m->crc ? MN_OK : fail_damaged(z, "the checksum of a member of the ZIP file does not match");
}

static mn_status copy_name(const struct zip *z, const struct member *m, char **name)
{
  size_t size = m->name_size;
  if (size >= 4 && memcmp(m->name + size - 4, ".npy", 4) == 0) size -= 4;
  char *copy = mn_alloc(mn_context_memory(z->ctx), size + 1);
  if (!copy) return mn_fail(z->ctx, MN_NO_MEMORY, "%s: not enough memory", z->label);
  if (size > 0) memcpy(copy, m->name, size);
  copy[size] = '\0';
  *name = copy;
  return MN_OK;
}

static mn_status read_member(const struct zip *z, const struct member *m, mn_npz_array *array)
{
  enum { MAX_RATIO = 1040 }; /* the maximum compression ratio of deflate, so a small file cannot request much memory */
  char label[256];
  const unsigned char *packed = NULL;
  if (m->flags & 1) return fail_damaged(z, "encrypted ZIP files are not supported");
  if (m->method != STORED && m->method != DEFLATED)
    return fail_damaged(z, "ZIP compression methods other than deflate are not supported");
  if (m->plain / MAX_RATIO > m->packed) return fail_damaged(z, "a member of the ZIP file is damaged");
  MN_TRY(find_packed_bytes(z, m, &packed));
  MN_TRY(copy_name(z, m, &array->name));
  unsigned char *plain = MN_RAW(z->ctx, unsigned char, m->plain, 1);
  MN_CHECK_ALLOC(plain);
  MN_TRY(unpack(z, m, packed, plain));
  MN_TRY(check_crc(z, m, plain));
  snprintf(label, sizeof label, "%s: %s", z->label, array->name);
  return mn_parse_npy(z->ctx, (const char *)plain, m->plain, label, &array->value);
}

static mn_status read_all(const struct zip *z, mn_npz *out)
{
  uint64_t offset, members;
  size_t bytes;
  MN_TRY(find_directory(z, &offset, &members));
  if (members > z->size / ENTRY_SIZE) return fail_damaged(z, "the directory of the ZIP file is damaged");
  mn_npz_array *at =
      mn_checked_size(sizeof *at, (size_t)members, 1, &bytes) ? mn_alloc(mn_context_memory(z->ctx), bytes) : NULL;
  if (!at) return mn_fail(z->ctx, MN_NO_MEMORY, "%s: not enough memory", z->label);
  memset(at, 0, bytes);
  *out = (mn_npz){ .at = at, .size = (size_t)members };
  for (size_t i = 0; i < out->size; i++) {
    struct member m = { 0 };
    const mn_mark mark = mn_scratch_mark(z->ctx);
    MN_TRY(read_entry(z, &offset, &m));
    MN_TRY(read_member(z, &m, &at[i]));
    mn_scratch_release(z->ctx, mark);
    MN_TRY(mn_poll(z->ctx));
  }
  return MN_OK;
}

static mn_status read_bytes(mn_context *ctx, const mn_bytes *b, const char *label, mn_npz *out)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const struct zip z = { .ctx = ctx, .label = label, .at = (const unsigned char *)b->at, .size = b->size };
  const mn_status status = read_all(&z, out);
  mn_scratch_release(ctx, mark);
  if (status != MN_OK) mn_npz_free(mn_context_memory(ctx), out);
  return status;
}

mn_status mn_read_npz(mn_context *ctx, const char *path, mn_npz *out)
{
  mn_bytes bytes;
  *out = (mn_npz){ 0 };
  MN_TRY(mn_bytes_open(ctx, path, &bytes));
  const mn_status status = read_bytes(ctx, &bytes, path, out);
  mn_bytes_close(mn_context_memory(ctx), &bytes);
  return status;
}

mn_status mn_parse_npz(mn_context *ctx, const char *bytes, size_t size, const char *label, mn_npz *out)
{
  mn_bytes b;
  *out = (mn_npz){ 0 };
  MN_TRY(mn_bytes_wrap(ctx, bytes, size, label, &b));
  const mn_status status = read_bytes(ctx, &b, label, out);
  mn_bytes_close(mn_context_memory(ctx), &b);
  return status;
}

void mn_npz_free(mn_memory *memory, mn_npz *npz)
{
  for (size_t i = 0; i < npz->size; i++) {
    mn_free(memory, npz->at[i].name);
    mn_matrix_free(memory, &npz->at[i].value);
  }
  mn_free(memory, npz->at);
  *npz = (mn_npz){ 0 };
}
