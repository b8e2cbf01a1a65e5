#include "archive.h"
#include "archive_frame.h"
#include <string.h>

static void put(mn_writer *w, const void *bytes, size_t size)
{
  if (w->status != MN_OK || size == 0) return;
  if (size > w->capacity - w->size) {
    size_t capacity = w->capacity < 1024 ? 1024 : w->capacity;
    while (capacity - w->size < size && capacity < SIZE_MAX / 2) capacity *= 2;
    unsigned char *larger = capacity - w->size >= size ? mn_alloc(mn_context_memory(w->ctx), capacity) : NULL;
    if (!larger) {
      w->status = mn_fail(w->ctx, MN_NO_MEMORY, "not enough memory for an archive of %zu bytes", capacity);
      return;
    }
    if (w->size > 0) memcpy(larger, w->at, w->size);
    mn_free(mn_context_memory(w->ctx), w->at);
    w->at = larger;
    w->capacity = capacity;
  }
  memcpy(w->at + w->size, bytes, size);
  w->size += size;
}

static void put_u8(mn_writer *w, unsigned value)
{
  const unsigned char byte = (unsigned char)value;
  put(w, &byte, 1);
}

/* Little-endian on any machine. */
static void put_uint(mn_writer *w, uint64_t value, size_t size)
{
  unsigned char bytes[8];
  for (size_t i = 0; i < size; i++) bytes[i] = (unsigned char)(value >> 8 * i);
  put(w, bytes, size);
}

static void put_f64(mn_writer *w, double value)
{
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  put_uint(w, bits, 8);
}

static bool little_endian(void)
{
  const uint16_t one = 1;
  unsigned char first;
  memcpy(&first, &one, 1);
  return first == 1;
}

static void put_f64s(mn_writer *w, const double *at, size_t n)
{
  if (little_endian())
    put(w, at, n * sizeof *at);
  else
    for (size_t i = 0; i < n; i++) put_f64(w, at[i]);
}

static void put_i32s(mn_writer *w, const int32_t *at, size_t n)
{
  if (little_endian())
    put(w, at, n * sizeof *at);
  else
    for (size_t i = 0; i < n; i++) put_uint(w, (uint32_t)at[i], 4);
}

static void begin(mn_writer *w, mn_record_kind kind, const char *name)
{
  const size_t size = strlen(name) < UINT16_MAX ? strlen(name) : UINT16_MAX;
  put_u8(w, kind);
  put_uint(w, size, 2);
  put(w, name, size);
}

mn_writer mn_write_begin(mn_context *ctx)
{
  mn_writer w = { .ctx = ctx, .status = MN_OK };
  put(&w, mn_archive_magic, MN_MAGIC_SIZE);
  put_uint(&w, MN_ARCHIVE_VERSION, 4);
  put_uint(&w, 0, 8);
  return w;
}

void mn_write_real(mn_writer *w, const char *name, double value)
{
  begin(w, MN_RECORD_REAL, name);
  put_f64(w, value);
}

void mn_write_count(mn_writer *w, const char *name, int64_t value)
{
  begin(w, MN_RECORD_COUNT, name);
  put_uint(w, (uint64_t)value, 8);
}

void mn_write_flag(mn_writer *w, const char *name, bool value)
{
  begin(w, MN_RECORD_FLAG, name);
  put_u8(w, value);
}

void mn_write_vector(mn_writer *w, const char *name, const mn_vector *value)
{
  begin(w, MN_RECORD_VECTOR, name);
  put_uint(w, value->size, 8);
  put_f64s(w, value->at, value->size);
}

void mn_write_matrix(mn_writer *w, const char *name, const mn_matrix *value)
{
  begin(w, MN_RECORD_MATRIX, name);
  put_uint(w, value->rows, 8);
  put_uint(w, value->cols, 8);
  put_f64s(w, value->at, value->rows * value->cols);
}

void mn_write_indexes(mn_writer *w, const char *name, const mn_indexes *value)
{
  begin(w, MN_RECORD_INDEXES, name);
  put_uint(w, value->size, 8);
  put_i32s(w, value->at, value->size);
}

void mn_write_csr(mn_writer *w, const char *name, const mn_csr *value)
{
  const size_t nonzeros = value->start[value->rows];
  begin(w, MN_RECORD_CSR, name);
  put_uint(w, value->rows, 8);
  put_uint(w, value->cols, 8);
  put_uint(w, nonzeros, 8);
  for (size_t i = 0; i <= value->rows; i++) put_uint(w, value->start[i], 8);
  put_i32s(w, value->col, nonzeros);
  put_f64s(w, value->at, nonzeros);
}

static void put_label(mn_writer *w, mn_label label)
{
  put_u8(w, label.kind);
  switch (label.kind) {
  case MN_LABEL_BOOLEAN: put_u8(w, label.as.boolean); break;
  case MN_LABEL_INTEGER: put_uint(w, (uint64_t)label.as.integer, 8); break;
  case MN_LABEL_FLOAT: put_f64(w, label.as.number); break;
  case MN_LABEL_TEXT:
    put_uint(w, label.as.text.size, 8);
    put(w, label.as.text.bytes, label.as.text.size);
    break;
  }
}

void mn_write_levels(mn_writer *w, const char *name, const mn_levels *value)
{
  const size_t n = mn_levels_size(value);
  begin(w, MN_RECORD_LEVELS, name);
  put_uint(w, n, 8);
  for (size_t i = 0; i < n; i++) put_label(w, mn_levels_at(value, i));
}

void mn_write_text(mn_writer *w, const char *name, const char *bytes, size_t size)
{
  begin(w, MN_RECORD_TEXT, name);
  put_uint(w, size, 8);
  put(w, bytes, size);
}

void mn_write_group(mn_writer *w, const char *name)
{
  begin(w, MN_RECORD_GROUP, name);
}

void mn_write_end(mn_writer *w)
{
  begin(w, MN_RECORD_END, "");
}

mn_status mn_write_finish(mn_writer *w)
{
  if (w->status != MN_OK) return w->status;
  const uint64_t body = w->size - MN_HEADER_SIZE;
  for (size_t i = 0; i < 8; i++) w->at[12 + i] = (unsigned char)(body >> 8 * i);
  put_uint(w, mn_archive_crc(w->at, w->size), 4);
  return w->status;
}

void mn_write_free(mn_writer *w)
{
  mn_free(mn_context_memory(w->ctx), w->at);
  *w = (mn_writer){ .ctx = w->ctx };
}
