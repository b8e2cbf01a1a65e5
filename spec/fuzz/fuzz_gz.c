/* Reads any bytes as a gzip file of CSV; and compresses any bytes to one or two members, which must be read back. */
#include "../../src/io/bytes.h"
#include "../../src/io/csv.h"
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { MAX_SIZE = 1 << 12, CAPACITY = 2 * MAX_SIZE };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Compress the bytes to one gzip member; returns its size. */
static size_t compress_member(const uint8_t *data, size_t size, int level, unsigned char *out, size_t capacity)
{
  z_stream z = { .next_in = (Bytef *)(uintptr_t)data, .avail_in = (uInt)size };
  z.next_out = out;
  z.avail_out = (uInt)capacity;
  if (deflateInit2(&z, level, Z_DEFLATED, 9 + 16, 1, Z_DEFAULT_STRATEGY) != Z_OK) abort();
  if (deflate(&z, Z_FINISH) != Z_STREAM_END) abort();
  deflateEnd(&z);
  return capacity - z.avail_out;
}

static void round_trip(mn_context *ctx, mn_memory *memory, const uint8_t *data, size_t size, unsigned how)
{
  static unsigned char packed[CAPACITY];
  const size_t first = how & 2 ? size / 2 : size;
  mn_bytes b;
  size_t used = compress_member(data, first, how & 4 ? 1 : 0, packed, CAPACITY);
  if (first < size) used += compress_member(data + first, size - first, 1, packed + used, CAPACITY - used);
  if (how & 8) packed[used++] = 0; /* padding */
  if (mn_bytes_wrap(ctx, (const char *)packed, used, "packed", &b) != MN_OK) abort();
  if (b.size != size || (size > 0 && memcmp(b.at, data, size) != 0)) abort();
  mn_bytes_close(memory, &b);
}

static void read_any(mn_context *ctx, mn_memory *memory, const uint8_t *data, size_t size)
{
  mn_columns columns = { 0 };
  const mn_status status = mn_parse_csv(ctx, (const char *)data, size, "fuzz", NULL, &columns);
  if (status != MN_OK && (!*mn_error_text(ctx) || columns.size != 0)) abort();
  mn_columns_free(memory, &columns);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  if (size < 1 || size > MAX_SIZE) return 0;
  mn_memory *memory = mn_memory_new(NULL, NULL);
  mn_memory_limit(memory, (size_t)1 << 20);
  mn_context *ctx = mn_context_new(memory, 1);
  if (data[0] & 1)
    round_trip(ctx, memory, data + 1, size - 1, data[0]);
  else
    read_any(ctx, memory, data + 1, size - 1);
  mn_context_free(ctx);
  if (mn_memory_usage(memory).live != 0) abort();
  mn_memory_free(memory);
  return 0;
}
