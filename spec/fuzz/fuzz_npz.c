/* Reads any bytes as NPZ: the result is arrays or an error with a message, without leaks. Files of numpy.savez are good
 * seeds. */
#include "../../src/io/npz.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  mn_memory *memory = mn_memory_new(NULL, NULL);
  mn_memory_limit(memory, (size_t)64 << 20);
  mn_context *ctx = mn_context_new(memory, 1);
  mn_npz npz = { 0 };
  const mn_status status = mn_parse_npz(ctx, (const char *)data, size, "fuzz", &npz);
  if (status != MN_OK && (!*mn_error_text(ctx) || npz.size != 0)) abort();
  mn_npz_free(memory, &npz);
  mn_context_free(ctx);
  if (mn_memory_usage(memory).live != 0) abort();
  mn_memory_free(memory);
  return 0;
}
