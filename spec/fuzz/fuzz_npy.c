/* Reads any bytes as NPY; the result is written and must be read back as the same bits. */
#include "../../src/io/npy.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void write_and_read(mn_context *ctx, mn_memory *memory, const mn_matrix *m)
{
  mn_matrix again = { 0 };
  char *bytes = NULL;
  size_t size = 0;
  if (mn_format_npy(ctx, m, &bytes, &size) == MN_OK && mn_parse_npy(ctx, bytes, size, "again", &again) == MN_OK) {
    if (again.rows != m->rows || again.cols != m->cols) abort();
    if (memcmp(again.at, m->at, m->rows * m->cols * sizeof *m->at) != 0) abort();
  }
  mn_matrix_free(memory, &again);
  mn_free(memory, bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  mn_memory *memory = mn_memory_new(NULL, NULL);
  mn_memory_limit(memory, (size_t)64 << 20);
  mn_context *ctx = mn_context_new(memory, 1);
  mn_matrix m = { 0 };
  if (mn_parse_npy(ctx, (const char *)data, size, "fuzz", &m) == MN_OK) write_and_read(ctx, memory, &m);
  mn_matrix_free(memory, &m);
  mn_context_free(ctx);
  if (mn_memory_usage(memory).live != 0) abort();
  mn_memory_free(memory);
  return 0;
}
