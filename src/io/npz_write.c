/* Writing of .npz: members are stored, not deflated, as numpy.savez does; sizes below 4 GB. */
#include "npy.h"
#include "npz.h"
#include "output.h"
#include <string.h>
#include <zlib.h>

enum { LOCAL_SIZE = 30, ENTRY_SIZE = 46, END_SIZE = 22, VERSION = 20, DATE = 0x21 }; /* January 1, 1980 */

/* A member of the archive. */
struct member {
  const char *name;
  size_t name_size, size, offset;
  uint32_t crc;
};

struct writer {
  mn_output *out;
  size_t offset; /* bytes written */
  struct member *members;
  size_t count;
};

static void put(unsigned char *at, uint32_t value, int bytes)
{
  for (int i = 0; i < bytes; i++) at[i] = (unsigned char)(value >> (8 * i));
}

static mn_status write_bytes(mn_context *ctx, struct writer *w, const void *bytes, size_t size)
{
  w->offset += size;
  if (w->offset > UINT32_MAX) return mn_fail(ctx, MN_BAD_ARGUMENT, "write_npz: the file must be smaller than 4 GB");
  return mn_output_write(ctx, w->out, bytes, size);
}

/* The fields that the local header and the directory share, 26 bytes. */
static void fill_header(unsigned char *at, const struct member *m)
{
  put(at, VERSION, 2);
  put(at + 8, DATE, 2);
  put(at + 10, m->crc, 4);
  put(at + 14, (uint32_t)m->size, 4);
  put(at + 18, (uint32_t)m->size, 4);
  put(at + 22, (uint32_t)(m->name_size + 4), 2);
}

static uint32_t checksum(const char *bytes, size_t size)
{
  uLong crc = crc32(0, NULL, 0);
  const size_t step = 1 << 30;
  for (size_t at = 0; at < size; at += step)
    crc = crc32(crc, (const Bytef *)bytes + at, (uInt)(size - at < step ? size - at : step));
  return (uint32_t)crc;
}

static mn_status write_member(mn_context *ctx, struct writer *w, struct member *m, const char *bytes)
{
  unsigned char header[LOCAL_SIZE] = "PK\x03\x04";
  m->offset = w->offset;
  m->crc = checksum(bytes, m->size);
  fill_header(header + 4, m);
  MN_TRY(write_bytes(ctx, w, header, LOCAL_SIZE));
  MN_TRY(write_bytes(ctx, w, m->name, m->name_size));
  MN_TRY(write_bytes(ctx, w, ".npy", 4));
  return write_bytes(ctx, w, bytes, m->size);
}

static mn_status write_array(mn_context *ctx, struct writer *w, const mn_npz_array *array, struct member *m)
{
  char *bytes;
  m->name = array->name;
  m->name_size = strlen(array->name);
  if (m->name_size > UINT16_MAX - 4)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "write_npz: names must have at most %d bytes", UINT16_MAX - 4);
  MN_TRY(mn_format_npy(ctx, &array->value, &bytes, &m->size));
  const mn_status status = write_member(ctx, w, m, bytes);
  mn_free(mn_context_memory(ctx), bytes);
  return status;
}

static mn_status write_directory(mn_context *ctx, struct writer *w)
{
  const size_t start = w->offset;
  for (size_t i = 0; i < w->count; i++) {
    const struct member *m = &w->members[i];
    unsigned char entry[ENTRY_SIZE] = "PK\x01\x02";
    put(entry + 4, VERSION, 2);
    fill_header(entry + 6, m);
    put(entry + 42, (uint32_t)m->offset, 4);
    MN_TRY(write_bytes(ctx, w, entry, ENTRY_SIZE));
    MN_TRY(write_bytes(ctx, w, m->name, m->name_size));
    MN_TRY(write_bytes(ctx, w, ".npy", 4));
  }
  unsigned char end[END_SIZE] = "PK\x05\x06";
  put(end + 8, (uint32_t)w->count, 2);
  put(end + 10, (uint32_t)w->count, 2);
  put(end + 12, (uint32_t)(w->offset - start), 4);
  put(end + 16, (uint32_t)start, 4);
  return write_bytes(ctx, w, end, END_SIZE);
}

static mn_status write_all(mn_context *ctx, struct writer *w, const mn_npz *npz)
{
  if (npz->size > UINT16_MAX)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "write_npz: at most %d arrays are allowed, got %zu", UINT16_MAX, npz->size);
  MN_CHECK_ALLOC(w->members = MN_NEW(ctx, struct member, npz->size, 1));
  for (w->count = 0; w->count < npz->size; w->count++)
    MN_TRY(write_array(ctx, w, &npz->at[w->count], &w->members[w->count]));
  return write_directory(ctx, w);
}

mn_status mn_write_npz(mn_context *ctx, const char *path, const mn_npz *npz)
{
  mn_output out;
  struct writer w = { .out = &out };
  mn_status status = mn_output_open_raw(ctx, path, &out);
  if (status == MN_OK) status = write_all(ctx, &w, npz);
  return mn_output_close(ctx, &out, status);
}
