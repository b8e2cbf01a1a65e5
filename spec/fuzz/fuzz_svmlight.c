/* Reads any bytes as svmlight; the result is written and must be read back the same. Built with -DMN_SVMLIGHT_CHUNK=48,
 * so that short inputs have many chunks. */
#include "../../src/io/svmlight.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_rows(const mn_csr *x)
{
  for (size_t i = 0; i < x->rows; i++)
    for (size_t k = x->start[i]; k < x->start[i + 1]; k++)
      if (x->col[k] < 0 || (size_t)x->col[k] >= x->cols || (k > x->start[i] && x->col[k] <= x->col[k - 1])) abort();
}

static void write_and_read(mn_context *ctx, mn_memory *memory, const mn_svmlight *s)
{
  const mn_svmlight_options options = { .base = MN_SVMLIGHT_ZERO, .cols = s->x.cols };
  mn_svmlight again = { .x = { 0 } };
  char *bytes = NULL;
  size_t size = 0;
  const mn_indexes *lengths = s->lengths.size > 0 ? &s->lengths : NULL;
  if (mn_format_svmlight(ctx, &s->x, &s->y, lengths, MN_SVMLIGHT_ZERO, &bytes, &size) == MN_OK &&
      mn_parse_svmlight(ctx, bytes, size, "again", &options, &again) == MN_OK) {
    const size_t entries = s->x.start[s->x.rows];
    if (again.x.rows != s->x.rows || again.x.start[again.x.rows] != entries) abort();
    if (entries > 0 && memcmp(again.x.col, s->x.col, entries * sizeof *s->x.col) != 0) abort();
    if (entries > 0 && memcmp(again.x.at, s->x.at, entries * sizeof *s->x.at) != 0) abort();
  }
  mn_svmlight_free(memory, &again);
  mn_free(memory, bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  if (size == 0) return 0;
  mn_memory *memory = mn_memory_new(NULL, NULL);
  mn_memory_limit(memory, (size_t)64 << 20);
  mn_context *ctx = mn_context_new(memory, 1);
  const mn_svmlight_options options = { .base = (mn_svmlight_base)(data[0] & 3) % 3, .cols = data[0] >> 2 };
  mn_svmlight s = { .x = { 0 } };
  if (mn_parse_svmlight(ctx, (const char *)data + 1, size - 1, "fuzz", &options, &s) == MN_OK) {
    check_rows(&s.x);
    write_and_read(ctx, memory, &s);
  }
  mn_svmlight_free(memory, &s);
  mn_context_free(ctx);
  if (mn_memory_usage(memory).live != 0) abort();
  mn_memory_free(memory);
  return 0;
}
