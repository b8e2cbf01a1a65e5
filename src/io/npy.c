#include "npy.h"
#include "bytes.h"
#include "output.h"
#include <stdio.h>
#include <string.h>

enum { DIMENSIONS = 2, TYPE_SIZE = 16 };

/* The header of a file. */
struct header {
  char type[TYPE_SIZE]; /* as '<f8' */
  bool columns_first, has_type, has_order, has_shape;
  size_t shape[DIMENSIONS];
  size_t dimensions;
};

/* The header is a Python dictionary; this parser accepts exactly what NumPy writes. */
struct text {
  const char *at, *end;
};

static void skip_blanks(struct text *t)
{
  while (t->at < t->end && (*t->at == ' ' || *t->at == '\n' || *t->at == '\t')) t->at++;
}

static bool accept(struct text *t, const char *word)
{
  const size_t size = strlen(word);
  skip_blanks(t);
  if ((size_t)(t->end - t->at) < size || memcmp(t->at, word, size) != 0) return false;
  t->at += size;
  return true;
}

static bool read_string(struct text *t, char *to, size_t capacity)
{
  skip_blanks(t);
  if (t->at == t->end || (*t->at != '\'' && *t->at != '"')) return false;
  const char quote = *t->at++;
  const char *close = memchr(t->at, quote, (size_t)(t->end - t->at));
  const size_t size = close ? (size_t)(close - t->at) : capacity;
  if (size >= capacity) return false;
  memcpy(to, t->at, size);
  to[size] = '\0';
  t->at = close + 1;
  return true;
}

static bool read_count(struct text *t, size_t *count)
{
  skip_blanks(t);
  const char *first = t->at;
  *count = 0;
  for (; t->at < t->end && *t->at >= '0' && *t->at <= '9'; t->at++)
    if (__builtin_mul_overflow(*count, (size_t)10, count) ||
        __builtin_add_overflow(*count, (size_t)(*t->at - '0'), count))
      return false;
  if (t->at == first) return false;
  accept(t, "L"); /* Python 2 suffix */
  return true;
}

/* Further dimensions are counted but not stored. */
static bool read_shape(struct text *t, struct header *h)
{
  if (!accept(t, "(")) return false;
  while (!accept(t, ")")) {
    size_t count;
    if (!read_count(t, &count)) return false;
    if (h->dimensions < DIMENSIONS) h->shape[h->dimensions] = count;
    h->dimensions++;
    if (accept(t, ",")) continue;
    if (!accept(t, ")")) return false;
    break;
  }
  return h->has_shape = true;
}

static bool read_entry(struct text *t, struct header *h)
{
  char key[TYPE_SIZE];
  if (!read_string(t, key, sizeof key) || !accept(t, ":")) return false;
  if (strcmp(key, "descr") == 0) return h->has_type = read_string(t, h->type, sizeof h->type);
  if (strcmp(key, "shape") == 0) return read_shape(t, h);
  if (strcmp(key, "fortran_order") != 0) return false;
  h->columns_first = accept(t, "True");
  return h->has_order = h->columns_first || accept(t, "False");
}

static bool read_dictionary(struct text *t, struct header *h)
{
  if (!accept(t, "{")) return false;
  while (!accept(t, "}")) {
    if (!read_entry(t, h)) return false;
    if (accept(t, ",")) continue;
    if (!accept(t, "}")) return false;
    break;
  }
  skip_blanks(t);
  return t->at == t->end && h->has_type && h->has_order && h->has_shape;
}

/* Returns the start of the values; NULL with the error set if this is not an array file. */
static const char *read_header(mn_context *ctx, const char *label, const char *bytes, size_t size, struct header *h)
{
  const unsigned char *b = (const unsigned char *)bytes;
  *h = (struct header){ .shape = { 1, 1 } };
  if (size < 10 || memcmp(bytes, "\x93NUMPY", 6) != 0) {
    mn_fail(ctx, MN_BAD_FILE, "%s: expected a NumPy array file (.npy)", label);
    return NULL;
  }
  const bool short_length = b[6] == 1;
  if (b[6] < 1 || b[6] > 3) {
    mn_fail(ctx, MN_BAD_FILE, "%s: format must be 1, 2 or 3, got %d", label, b[6]);
    return NULL;
  }
  const size_t begin = short_length ? 10 : 12;
  size_t length = b[8] | (size_t)b[9] << 8;
  if (!short_length && size >= begin) length |= (size_t)b[10] << 16 | (size_t)b[11] << 24;
  if (size < begin || size - begin < length) {
    mn_fail(ctx, MN_BAD_FILE, "%s: the header must have %zu bytes, got %zu", label, length,
            size < begin ? 0 : size - begin);
    return NULL;
  }
  struct text t = { bytes + begin, bytes + begin + length };
  if (read_dictionary(&t, h)) return bytes + begin + length;
  mn_fail(ctx, MN_BAD_FILE, "%s: invalid header at byte %zu: expected type, order and shape of an array", label,
          (size_t)(t.at - bytes) + 1);
  return NULL;
}

/* The element type of the array. */
struct type {
  char kind;   /* f, i, u, b */
  size_t size; /* bytes */
  bool swapped;
};

static bool read_type(const char *text, struct type *type)
{
  const bool host_is_big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
  if (strlen(text) != 3 || !strchr("<>|=", text[0]) || !strchr("fiub", text[1]) || !strchr("1248", text[2]))
    return false;
  *type = (struct type){ .kind = text[1], .size = (size_t)(text[2] - '0') };
  type->swapped = type->size > 1 && ((text[0] == '>' && !host_is_big) || (text[0] == '<' && host_is_big));
  if (type->kind == 'f') return type->size >= 4;
  return type->kind != 'b' || type->size == 1;
}

/* The bits of a value, zero-extended. */
static uint64_t load(const char *at, struct type type)
{
  uint16_t two;
  uint32_t four;
  uint64_t eight;
  switch (type.size) {
  case 2: memcpy(&two, at, sizeof two); return type.swapped ? __builtin_bswap16(two) : two;
  case 4: memcpy(&four, at, sizeof four); return type.swapped ? __builtin_bswap32(four) : four;
  case 8: memcpy(&eight, at, sizeof eight); return type.swapped ? __builtin_bswap64(eight) : eight;
  default: return (unsigned char)*at;
  }
}

static double load_float(const char *at, struct type type)
{
  const uint64_t bits = load(at, type);
  const uint32_t half = (uint32_t)bits;
  float single;
  double value;
  memcpy(&single, &half, sizeof single);
  memcpy(&value, &bits, sizeof value);
  return type.size == 4 ? (double)single : value;
}

/* Returns false if no double equals the value. */
static bool load_value(const char *at, struct type type, double *value)
{
  const uint64_t max_exact = (uint64_t)1 << 53, bits = load(at, type);
  if (type.kind == 'f') {
    *value = load_float(at, type);
    return true;
  }
  const unsigned unused = 64 - 8 * (unsigned)type.size;
  const bool negative = type.kind == 'i' && bits << unused >> 63;
  const uint64_t size = negative ? (0 - (bits << unused)) >> unused : bits;
  *value = negative ? -(double)size : (double)size;
  return size >> __builtin_ctzll(size | (uint64_t)1 << 63) <=
         max_exact; /* trailing zero bits do not count towards the 53 bits of a double */
}

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
static const bool host_is_little = true;
#else
static const bool host_is_little = false;
#endif

/* Load n consecutive values. Returns their number, smaller if the next one equals no double. */
static size_t load_values(const char *at, struct type type, size_t n, double *to)
{
  if (type.kind == 'f' && type.size == 8 && !type.swapped && host_is_little) {
    if (n > 0) memcpy(to, at, n * sizeof *to);
    return n;
  }
  for (size_t i = 0; i < n; i++)
    if (!load_value(at + i * type.size, type, &to[i])) return i;
  return n;
}

static mn_status load_matrix(mn_context *ctx, const char *label, const struct header *h, struct type type,
                             const char *at, mn_matrix *out)
{
  enum { RUN = 1024 };
  double run[RUN];
  const size_t n = out->rows * out->cols;
  for (size_t first = 0; first < n; first += RUN) {
    const size_t size = n - first < RUN ? n - first : RUN;
    double *to = run;
    if (!h->columns_first) to = out->at + first;
    const size_t got = load_values(at + first * type.size, type, size, to);
    for (size_t i = 0; h->columns_first && i < got; i++)
      out->at[(first + i) % out->rows * out->cols + (first + i) / out->rows] = run[i];
    if (got < size) {
      const size_t bad = first + got;
      return mn_fail(ctx, MN_BAD_DATA, "%s: whole numbers must equal a double, got another in row %zu, column %zu",
                     label, (h->columns_first ? bad % out->rows : bad / out->cols) + 1,
                     (h->columns_first ? bad / out->rows : bad % out->cols) + 1);
    }
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

static mn_status parse(mn_context *ctx, const mn_bytes *b, const char *label, mn_matrix *out)
{
  struct header h;
  struct type type;
  size_t wanted;
  const char *at = read_header(ctx, label, b->at, b->size, &h);
  if (!at) return MN_BAD_FILE;
  const size_t got = b->size - (size_t)(at - b->at);
  if (!read_type(h.type, &type))
    return mn_fail(ctx, MN_BAD_FILE,
                   "%s: values must be of type f4, f8, i1, i2, i4, i8, u1, u2, u4, u8 or b1, got '%s'", label, h.type);
  if (h.dimensions < 1 || h.dimensions > DIMENSIONS)
    return mn_fail(ctx, MN_BAD_FILE, "%s: the array must have 1 or 2 dimensions, got %zu", label, h.dimensions);
  if (!mn_checked_size(type.size, h.shape[0], h.shape[1], &wanted) || wanted != got)
    return mn_fail(ctx, MN_BAD_FILE, "%s: %zu x %zu values of %zu bytes must follow the header, got %zu bytes", label,
                   h.shape[0], h.shape[1], type.size, got);
  MN_TRY(mn_matrix_init(ctx, out, h.shape[0], h.shape[1]));
  const mn_status status = load_matrix(ctx, label, &h, type, at, out);
  if (status != MN_OK) mn_matrix_free(mn_context_memory(ctx), out);
  return status;
}

mn_status mn_read_npy(mn_context *ctx, const char *path, mn_matrix *out)
{
  mn_bytes b;
  *out = (mn_matrix){ 0 };
  MN_TRY(mn_bytes_open(ctx, path, &b));
  const mn_status status = parse(ctx, &b, path, out);
  mn_bytes_close(mn_context_memory(ctx), &b);
  return status;
}

mn_status mn_parse_npy(mn_context *ctx, const char *bytes, size_t size, const char *label, mn_matrix *out)
{
  mn_bytes b;
  *out = (mn_matrix){ 0 };
  MN_TRY(mn_bytes_wrap(ctx, bytes, size, label, &b));
  const mn_status status = parse(ctx, &b, label, out);
  mn_bytes_close(mn_context_memory(ctx), &b);
  return status;
}

static mn_status write_header(mn_context *ctx, mn_output *out, const mn_matrix *m)
{
  enum { PREFIX = 10, SIZE = 128 }; /* values begin at a multiple of 64, as in NumPy */
  char header[SIZE + 1];
  memcpy(header, "\x93NUMPY\x01\x00", 8);
  header[8] = SIZE - PREFIX;
  header[9] = 0;
  const int n = snprintf(header + PREFIX, SIZE - PREFIX,
                         "{'descr': '<f8', 'fortran_order': False, 'shape': (%zu, %zu), }", m->rows, m->cols);
  memset(header + PREFIX + n, ' ', (size_t)(SIZE - PREFIX - n));
  header[SIZE - 1] = '\n';
  return mn_output_write(ctx, out, header, SIZE);
}

static mn_status write_values(mn_context *ctx, mn_output *out, const mn_matrix *m)
{
  if (host_is_little) return mn_output_write(ctx, out, m->at, m->rows * m->cols * sizeof *m->at);
  for (size_t i = 0; i < m->rows * m->cols; i++) {
    uint64_t bits;
    memcpy(&bits, &m->at[i], sizeof bits);
    bits = __builtin_bswap64(bits);
    MN_TRY(mn_output_write(ctx, out, &bits, sizeof bits));
  }
  return MN_OK;
}

static mn_status write_matrix(mn_context *ctx, const char *path, const mn_matrix *m, char **bytes, size_t *size)
{
  mn_output out;
  mn_status status = mn_output_open(ctx, path, &out);
  if (status == MN_OK) status = write_header(ctx, &out, m);
  if (status == MN_OK) status = write_values(ctx, &out, m);
  if (status == MN_OK && !path) mn_output_detach(&out, bytes, size);
  return mn_output_close(ctx, &out, status);
}

mn_status mn_write_npy(mn_context *ctx, const char *path, const mn_matrix *m)
{
  return write_matrix(ctx, path, m, NULL, NULL);
}

mn_status mn_format_npy(mn_context *ctx, const mn_matrix *m, char **bytes, size_t *size)
{
  *bytes = NULL;
  *size = 0;
  return write_matrix(ctx, NULL, m, bytes, size);
}
