/* Reads any bytes as CSV; the result is written and read again. Built with -DMN_CSV_CHUNK=64, so that short inputs have
 * many chunks. */
#include "../../src/io/csv.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Written and read again, the shape must be the same. Values are compared by the specs, since names of columns may
 * contain a byte order mark or comment, and text may look like a number. */
static void write_and_read(mn_context *ctx, mn_memory *memory, const mn_columns *columns)
{
  mn_csv_options options = mn_csv_defaults();
  mn_columns again = { 0 };
  char *bytes = NULL;
  size_t size = 0;
  options.delimiter = ',';
  if (mn_format_csv(ctx, columns, NULL, &bytes, &size) != MN_OK) return;
  if (mn_parse_csv(ctx, bytes, size, "again", &options, &again) == MN_OK &&
      (again.rows != columns->rows || again.size != columns->size))
    abort();
  mn_columns_free(memory, &again);
  mn_free(memory, bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  if (size < 2) return 0;
  mn_memory *memory = mn_memory_new(NULL, NULL);
  mn_memory_limit(memory, (size_t)64 << 20);
  mn_context *ctx = mn_context_new(memory, 1);
  mn_csv_options options = mn_csv_defaults();
  mn_columns columns = { 0 };
  if (data[0] & 1) options.delimiter = ',';
  options.header = (mn_csv_header)(data[0] >> 1 & 3) % 3;
  options.strict = data[0] & 8;
  options.keep_blanks = data[0] & 16;
  if (data[0] & 32) options.comment = '#';
  if (data[0] & 64) options.max_rows = data[1];
  if (mn_parse_csv(ctx, (const char *)data + 2, size - 2, "fuzz", &options, &columns) == MN_OK)
    write_and_read(ctx, memory, &columns);
  mn_columns_free(memory, &columns);
  mn_context_free(ctx);
  if (mn_memory_usage(memory).live != 0) abort();
  mn_memory_free(memory);
  return 0;
}
