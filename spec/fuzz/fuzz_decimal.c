/* Reads any text as a number, which must agree with strtod in the C locale (correctly rounded in glibc), also by the
 * fast path where it applies; and writes any eight bytes as a double, which must be read back the same. */
#include "../../src/io/decimal.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_text(const char *text, size_t size)
{
  char *padded = calloc(size + MN_QUICK_BYTES, 1), *end;
  double value = 0, quick;
  bool whole;
  mn_decimal d;
  memcpy(padded, text, size);
  const char *after = mn_read_double(padded, padded + size, '.', &value, &whole);
  const double expected = strtod(padded, &end);
  const bool own_syntax = !strpbrk(padded, "xX(") && padded[0] != ' ' && !(padded[0] >= '\t' && padded[0] <= '\r');
  if (own_syntax && after != end) abort();
  if (own_syntax && value == value && after > padded && memcmp(&value, &expected, sizeof value) != 0) abort();
  const char *quick_after = mn_quick_decimal(padded, '.', &d);
  if (quick_after && quick_after != after) abort();
  if (quick_after && mn_quick_value(&d, &quick) && memcmp(&value, &quick, sizeof value) != 0) abort();
  free(padded);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  double value, again;
  bool whole;
  char text[MN_DOUBLE_SIZE];
  check_text((const char *)data, size);
  if (size < sizeof value) return 0;
  memcpy(&value, data, sizeof value);
  const size_t written = mn_write_double(text, value);
  if (mn_read_double(text, text + written, '.', &again, &whole) != text + written) abort();
  if (value == value && memcmp(&value, &again, sizeof value) != 0) abort();
  return 0;
}
