/* Reads any bytes as JSON lines: the result is columns of equal length or an error with a message, without leaks. */
#include "../../src/io/jsonl.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  mn_memory *memory = mn_memory_new(NULL, NULL);
  mn_memory_limit(memory, (size_t)64 << 20);
  mn_context *ctx = mn_context_new(memory, 1);
  mn_columns columns = { 0 };
  const mn_status status = mn_parse_jsonl(ctx, (const char *)data, size, "fuzz", &columns);
  if (status == MN_OK)
    for (size_t j = 0; j < columns.size; j++) {
      const mn_column *c = &columns.at[j];
      if ((c->kind == MN_COLUMN_NUMBER ? c->number.size : c->factor.size) != columns.rows) abort();
    }
  else if (!*mn_error_text(ctx) || columns.size != 0)
    abort();
  mn_columns_free(memory, &columns);
  mn_context_free(ctx);
  if (mn_memory_usage(memory).live != 0) abort();
  mn_memory_free(memory);
  return 0;
}
