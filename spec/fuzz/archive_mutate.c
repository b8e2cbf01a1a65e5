#include "archive_mutate.h"
#include "../../src/archive/archive.h"
#include "../../src/archive/archive_frame.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_RECORDS = 512, CRC_SIZE = 4 };

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

struct span {
  unsigned kind;
  size_t begin, value, end; /* of the record, of its value, after it */
};

static void put(unsigned char *at, uint64_t value, size_t size)
{
  for (size_t i = 0; i < size; i++) at[i] = (unsigned char)(value >> 8 * i);
}

static uint64_t get(const unsigned char *at, size_t size)
{
  uint64_t value = 0;
  for (size_t i = 0; i < size; i++) value |= (uint64_t)at[i] << 8 * i;
  return value;
}

void archive_seal(unsigned char *bytes, size_t size)
{
  memcpy(bytes, mn_archive_magic, MN_MAGIC_SIZE);
  put(bytes + MN_MAGIC_SIZE, MN_ARCHIVE_VERSION, 4);
  put(bytes + MN_MAGIC_SIZE + 4, size - MN_HEADER_SIZE - CRC_SIZE, 8);
  put(bytes + size - CRC_SIZE, mn_archive_crc(bytes, size - CRC_SIZE), CRC_SIZE);
}

/* The size of a value, SIZE_MAX if it exceeds the remaining bytes. Levels, which are rare, count as all of them. */
static size_t value_size(unsigned kind, const unsigned char *at, size_t left)
{
  const size_t heads[] = { 0, 0, 0, 0, 1, 2, 1, 3, 1, 1, 0, 0 };
  const size_t head = kind < 12 ? 8 * heads[kind] : 0;
  uint64_t n[3] = { 0 };
  if (left < head) return SIZE_MAX;
  for (size_t i = 0; 8 * i < head; i++)
    if ((n[i] = get(at + 8 * i, 8)) > left) return SIZE_MAX;
  switch (kind) {
  case MN_RECORD_REAL:
  case MN_RECORD_COUNT: return 8;
  case MN_RECORD_FLAG: return 1;
  case MN_RECORD_VECTOR: return head + 8 * n[0];
  case MN_RECORD_MATRIX: return head + 8 * n[0] * n[1];
  case MN_RECORD_INDEXES: return head + 4 * n[0];
  case MN_RECORD_CSR: return head + 8 * (n[0] + 1) + 12 * n[2];
  case MN_RECORD_TEXT: return head + n[0];
  case MN_RECORD_GROUP:
  case MN_RECORD_END: return 0;
  default: break;
  }
  size_t used = head;
  for (uint64_t i = 0; kind == MN_RECORD_LEVELS && i < n[0]; i++) {
    const unsigned label = used < left ? at[used] : 9;
    const size_t fixed = label == MN_LABEL_BOOLEAN ? 2 : 9;
    if (label > MN_LABEL_TEXT || left - used < fixed) return SIZE_MAX;
    const uint64_t more = label == MN_LABEL_TEXT ? get(at + used + 1, 8) : 0;
    if (more > left - used - fixed) return SIZE_MAX;
    used += fixed + more;
  }
  return kind == MN_RECORD_LEVELS ? used : SIZE_MAX;
}

/* Index the complete records. */
static size_t find_records(const uint8_t *data, size_t size, struct span *found)
{
  size_t n = 0, at = MN_HEADER_SIZE;
  const size_t end = size - CRC_SIZE;
  while (n < MAX_RECORDS && at + 3 <= end) {
    const size_t value = at + 3 + get(data + at + 1, 2);
    if (value > end) break;
    const size_t bytes = value_size(data[at], data + value, end - value);
    if (bytes > end - value) break;
    found[n++] = (struct span){ .kind = data[at], .begin = at, .value = value, .end = value + bytes };
    at = value + bytes;
  }
  return n;
}

/* Replace [from, to) by `n` bytes. Returns the new size, 0 if that is too large. */
static size_t splice(uint8_t *data, size_t size, size_t max_size, size_t from, size_t to, const uint8_t *bytes,
                     size_t n)
{
  if (size - (to - from) + n > max_size) return 0;
  memmove(data + from + n, data + to, size - to);
  if (n > 0) memcpy(data + from, bytes, n);
  return size - (to - from) + n;
}

static uint64_t interesting(uint64_t draw, int as_real)
{
  static const double reals[] = { NAN,    INFINITY, -INFINITY, 0.0,  -0.0, 1,  -1,     2,      0.5,    1e-300,
                                  -1e300, DBL_MAX,  DBL_MIN,   1e18, 3,    -2, 0x1p31, 0x1p53, 5e-324, 100 };
  static const int64_t wholes[] = { 0,         1,
                                    2,         3,
                                    4,         5,
                                    7,         8,
                                    -1,        -2,
                                    63,        64,
                                    65,        127,
                                    255,       256,
                                    1000,      INT32_MAX,
                                    INT32_MIN, INT64_MAX,
                                    INT64_MIN, (int64_t)1 << 53,
                                    65535,     (int64_t)1 << 32 };
  uint64_t bits;
  if (!as_real) return (uint64_t)wholes[draw % (sizeof wholes / sizeof *wholes)];
  memcpy(&bits, &reals[draw % (sizeof reals / sizeof *reals)], sizeof bits);
  return bits;
}

/* Change a number in the value; rarely its size, as then little else is read. */
static void change_number(uint8_t *data, const struct span *s, uint64_t draw)
{
  const size_t size = s->end - s->value, step = s->kind == MN_RECORD_INDEXES ? 4 : 8;
  const size_t head = s->kind == MN_RECORD_MATRIX ? 16 : s->kind == MN_RECORD_CSR ? 24 : s->kind <= 3 ? 0 : 8;
  const size_t skip = draw % 16 && head < size ? head : 0;
  if (size - skip < step) {
    if (size > 0) data[s->value + draw % size] ^= (uint8_t)(1u << draw / 7 % 8);
    return;
  }
  const size_t at = s->value + skip + step * (draw / 16 % ((size - skip) / step));
  put(data + at, interesting(draw / 4096, s->kind != MN_RECORD_COUNT && s->kind != MN_RECORD_INDEXES && skip == head),
      step);
}

/* A valid value of another length: elements are repeated from the front. */
static size_t resize(uint8_t *data, size_t size, size_t max_size, const struct span *s, uint64_t draw)
{
  uint8_t value[16 + 8 * 64];
  const size_t head = s->kind == MN_RECORD_MATRIX ? 16 : 8, step = s->kind == MN_RECORD_INDEXES ? 4 : 8;
  const size_t had = (s->end - s->value - head) / step;
  const size_t rows = draw % 8, cols = s->kind == MN_RECORD_MATRIX ? draw / 8 % 8 : 1;
  put(value, rows, 8);
  if (s->kind == MN_RECORD_MATRIX) put(value + 8, cols, 8);
  for (size_t i = 0; i < rows * cols; i++) {
    if (had > 0)
      memcpy(value + head + step * i, data + s->value + head + step * (i % had), step);
    else
      memset(value + head + step * i, 0, step);
  }
  return splice(data, size, max_size, s->value, s->end, value, head + step * rows * cols);
}

static size_t change_text(uint8_t *data, size_t size, size_t max_size, const struct span *s)
{
  uint8_t value[8 + 64];
  size_t n = s->end - s->value - 8;
  n = n < 64 ? n : 64;
  memcpy(value + 8, data + s->value + 8, n);
  n = LLVMFuzzerMutate(value + 8, n, 64);
  put(value, n, 8);
  return splice(data, size, max_size, s->value, s->end, value, n + 8);
}

static size_t change_record(uint8_t *data, size_t size, size_t max_size, const struct span *all, size_t n,
                            uint64_t draw)
{
  static uint8_t copy[1 << 12];
  const struct span *s = &all[draw % n], *other = &all[draw / 512 % n];
  const size_t bytes = other->end - other->begin;
  const uint64_t rest = draw >> 24;
  switch (draw >> 20 & 15) {
  case 0: return splice(data, size, max_size, s->begin, s->end, NULL, 0);
  case 1:
    if (bytes > sizeof copy) return 0;
    memcpy(copy, data + other->begin, bytes);
    return splice(data, size, max_size, s->begin, s->begin, copy, bytes);
  case 2: /* the value of another record of the same kind */
    if (other->kind != s->kind || other->end - other->value > sizeof copy) return 0;
    memcpy(copy, data + other->value, other->end - other->value);
    return splice(data, size, max_size, s->value, s->end, copy, other->end - other->value);
  case 3: data[s->begin] = (uint8_t)(rest % 12); return size;
  case 4:
  case 5:
  case 6:
    if (s->kind != MN_RECORD_VECTOR && s->kind != MN_RECORD_MATRIX && s->kind != MN_RECORD_INDEXES) return 0;
    return resize(data, size, max_size, s, rest);
  case 7: return s->kind == MN_RECORD_TEXT ? change_text(data, size, max_size, s) : 0;
  default: change_number(data, s, rest); return size;
  }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
  static struct span found[MAX_RECORDS];
  uint64_t draw = (seed + UINT64_C(0x9E3779B97F4A7C15)) * UINT64_C(0xBF58476D1CE4E5B9);
  draw = (draw ^ draw >> 29) * UINT64_C(0x94D049BB133111EB);
  draw ^= draw >> 32;
  if (size < MN_HEADER_SIZE + CRC_SIZE || draw % 4 == 0) return LLVMFuzzerMutate(data, size, max_size);
  for (unsigned times = 1 + (unsigned)(draw / 4 % 3); times > 0; times--) {
    const size_t n = find_records(data, size, found);
    if (n == 0) break;
    draw = draw * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    const size_t made = change_record(data, size, max_size, found, n, draw >> 7);
    if (made > 0) size = made;
  }
  if (draw >> 60) archive_seal(data, size); /* sometimes not, to test the checks of the header, too */
  return size;
}
