#include "archive.h"
#include "archive_frame.h"
#include <string.h>

enum { CRC_SIZE = 4, MAX_DEPTH = 64, PIECE = 1 << 21 /* bytes between two checks for cancellation */ };

/* The bytes that remain to be read. The read functions fail if there are too few. */
struct cursor {
  const unsigned char *at;
  size_t left;
};

static bool read_bytes(struct cursor *c, size_t size, const unsigned char **bytes)
{
  if (size > c->left) return false;
  *bytes = c->at;
  c->at += size;
  c->left -= size;
  return true;
}

static bool read_uint(struct cursor *c, size_t size, uint64_t *value)
{
  const unsigned char *bytes;
  if (!read_bytes(c, size, &bytes)) return false;
  *value = 0;
  for (size_t i = 0; i < size; i++) *value |= (uint64_t)bytes[i] << 8 * i;
  return true;
}

static double to_f64(uint64_t bits)
{
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* n values of `size` bytes each. */
static bool skip_array(struct cursor *c, uint64_t n, size_t size)
{
  const unsigned char *bytes;
  return n <= c->left / size && read_bytes(c, (size_t)n * size, &bytes);
}

static bool skip_label(struct cursor *c)
{
  uint64_t kind, value;
  if (!read_uint(c, 1, &kind)) return false;
  switch (kind) {
  case MN_LABEL_BOOLEAN: return read_uint(c, 1, &value) && value <= 1;
  case MN_LABEL_INTEGER: return read_uint(c, 8, &value);
  case MN_LABEL_FLOAT: return read_uint(c, 8, &value) && !__builtin_isnan(to_f64(value));
  case MN_LABEL_TEXT: return read_uint(c, 8, &value) && skip_array(c, value, 1);
  default: return false;
  }
}

static bool skip_levels(struct cursor *c)
{
  uint64_t n;
  if (!read_uint(c, 8, &n) || n > c->left) return false; /* a label has at least one byte */
  for (uint64_t i = 0; i < n; i++)
    if (!skip_label(c)) return false;
  return true;
}

static bool skip_csr(struct cursor *c)
{
  uint64_t rows, cols, nonzeros;
  if (!read_uint(c, 8, &rows) || !read_uint(c, 8, &cols) || !read_uint(c, 8, &nonzeros)) return false;
  return rows < UINT64_MAX && skip_array(c, rows + 1, 8) && skip_array(c, nonzeros, 4) && skip_array(c, nonzeros, 8);
}

static bool skip_matrix(struct cursor *c)
{
  uint64_t rows, cols, n;
  return read_uint(c, 8, &rows) && read_uint(c, 8, &cols) && !__builtin_mul_overflow(rows, cols, &n) &&
         skip_array(c, n, 8);
}

static bool skip_value(struct cursor *c, uint64_t kind)
{
  uint64_t n;
  const unsigned char *bytes;
  switch (kind) {
  case MN_RECORD_REAL:
  case MN_RECORD_COUNT: return read_bytes(c, 8, &bytes);
  case MN_RECORD_FLAG: return read_bytes(c, 1, &bytes) && bytes[0] <= 1;
  case MN_RECORD_VECTOR: return read_uint(c, 8, &n) && skip_array(c, n, 8);
  case MN_RECORD_MATRIX: return skip_matrix(c);
  case MN_RECORD_INDEXES: return read_uint(c, 8, &n) && skip_array(c, n, 4);
  case MN_RECORD_CSR: return skip_csr(c);
  case MN_RECORD_LEVELS: return skip_levels(c);
  case MN_RECORD_TEXT: return read_uint(c, 8, &n) && skip_array(c, n, 1);
  case MN_RECORD_GROUP:
  case MN_RECORD_END: return true;
  default: return false;
  }
}

static mn_status damaged(const mn_reader *r, size_t byte)
{
  return mn_fail(r->ctx, MN_BAD_FILE, "%s: the archive is damaged or incomplete: bad record at byte %zu", r->label,
                 byte);
}

/* One record of the body. */
static bool read_record(struct cursor *c, mn_record *record)
{
  uint64_t kind, name_size;
  const unsigned char *name;
  if (!read_uint(c, 1, &kind) || !read_uint(c, 2, &name_size) || !read_bytes(c, (size_t)name_size, &name)) return false;
  const unsigned char *const value = c->at;
  if (!skip_value(c, kind)) return false;
  *record = (mn_record){ .kind = (mn_record_kind)kind,
                         .name = (const char *)name,
                         .name_size = (size_t)name_size,
                         .value = value,
                         .value_size = (size_t)(c->at - value) };
  return true;
}

/* Two passes over the body: count the records, then store them; a stack matches the ends of groups. */
static mn_status index_records(mn_reader *r, const unsigned char *body, size_t size)
{
  struct cursor c = { .at = body, .left = size };
  size_t count = 0, open[MAX_DEPTH], depth = 0;
  mn_record record;
  while (c.left > 0) {
    const size_t byte = MN_HEADER_SIZE + (size - c.left);
    if (!read_record(&c, &record)) return damaged(r, byte);
    count++;
  }
  r->record = MN_RAW(r->ctx, mn_record, count, 1);
  MN_CHECK_ALLOC(r->record);
  r->size = count;
  c = (struct cursor){ .at = body, .left = size };
  for (size_t i = 0; i < count; i++) {
    const size_t byte = MN_HEADER_SIZE + (size - c.left);
    if (!read_record(&c, &r->record[i])) return damaged(r, byte);
    if (r->record[i].kind == MN_RECORD_GROUP) {
      if (depth == MAX_DEPTH) return damaged(r, byte);
      open[depth++] = i;
    } else if (r->record[i].kind == MN_RECORD_END) {
      if (depth == 0) return damaged(r, byte);
      r->record[open[--depth]].after = i + 1;
    }
  }
  return depth == 0 ? MN_OK : damaged(r, MN_HEADER_SIZE + size);
}

mn_status mn_read_begin(mn_context *ctx, const char *label, const void *bytes, size_t size, mn_reader *r)
{
  *r = (mn_reader){ .ctx = ctx, .label = label };
  const unsigned char *at = bytes;
  struct cursor c = { .at = at, .left = size };
  const unsigned char *magic;
  uint64_t version, body, crc;
  if (!read_bytes(&c, MN_MAGIC_SIZE, &magic) || memcmp(magic, mn_archive_magic, MN_MAGIC_SIZE) != 0)
    return mn_fail(ctx, MN_BAD_FILE, "%s: not a manilius archive", label);
  if (!read_uint(&c, 4, &version) || !read_uint(&c, 8, &body))
    return mn_fail(ctx, MN_BAD_FILE, "%s: truncated after %zu bytes", label, size);
  if (version < 1 || version > MN_ARCHIVE_VERSION)
    return mn_fail(ctx, MN_BAD_FILE, "%s: archive version must be from 1 to %d, got %llu%s", label, MN_ARCHIVE_VERSION,
                   (unsigned long long)version,
                   version > MN_ARCHIVE_VERSION ? "; a newer version of manilius may read it" : "");
  if (c.left < CRC_SIZE || body != c.left - CRC_SIZE)
    return mn_fail(ctx, MN_BAD_FILE, "%s: the body must have %llu bytes, got %zu; the file is truncated or damaged",
                   label, (unsigned long long)body, c.left < CRC_SIZE ? (size_t)0 : c.left - CRC_SIZE);
  struct cursor end = { .at = at + size - CRC_SIZE, .left = CRC_SIZE };
  uint32_t got = 0;
  for (size_t done = 0; done < size - CRC_SIZE; done += PIECE) {
    const size_t left = size - CRC_SIZE - done;
    MN_TRY(mn_poll(ctx));
    got = mn_archive_crc_add(got, at + done, left < PIECE ? left : PIECE);
  }
  if (!read_uint(&end, CRC_SIZE, &crc) || crc != got)
    return mn_fail(ctx, MN_BAD_FILE, "%s: checksum mismatch; the file is damaged", label);
  return index_records(r, c.at, c.left - CRC_SIZE);
}

const mn_record *mn_find_record(const mn_reader *r, size_t group, const char *name)
{
  const size_t begin = group == SIZE_MAX ? 0 : group + 1;
  const size_t end = group == SIZE_MAX ? r->size : r->record[group].after - 1;
  const size_t size = strlen(name);
  for (size_t i = begin; i < end;) {
    const mn_record *record = &r->record[i];
    if (record->name_size == size && memcmp(record->name, name, size) == 0) return record;
    i = record->kind == MN_RECORD_GROUP ? record->after : i + 1;
  }
  return NULL;
}

/* Copy the name of a record, truncated to fit. Returns `text`. */
static const char *record_name(const mn_record *record, char *text, size_t size)
{
  const size_t fits = record->name_size < size ? record->name_size : size - 1;
  memcpy(text, record->name, fits);
  text[fits] = '\0';
  return text;
}

static mn_status require_kind(const mn_reader *r, const mn_record *record, mn_record_kind kind)
{
  char name[64];
  if (record->kind == kind) return MN_OK;
  return mn_fail(r->ctx, MN_BAD_FILE, "%s: '%s' must be a record of kind %d, got kind %d", r->label,
                 record_name(record, name, sizeof name), (int)kind, (int)record->kind);
}

static uint64_t next_uint(struct cursor *c, size_t size)
{
  uint64_t value = 0;
  read_uint(c, size, &value); /* cannot fail: checked when the record was indexed */
  return value;
}

static struct cursor open_value(const mn_record *record)
{
  return (struct cursor){ .at = record->value, .left = record->value_size };
}

static void next_f64s(struct cursor *c, size_t n, double *out)
{
  for (size_t i = 0; i < n; i++) out[i] = to_f64(next_uint(c, 8));
}

static void next_i32s(struct cursor *c, size_t n, int32_t *out)
{
  for (size_t i = 0; i < n; i++) out[i] = (int32_t)(uint32_t)next_uint(c, 4);
}

mn_status mn_record_real(const mn_reader *r, const mn_record *record, double *out)
{
  MN_TRY(require_kind(r, record, MN_RECORD_REAL));
  struct cursor c = open_value(record);
  *out = to_f64(next_uint(&c, 8));
  return MN_OK;
}

mn_status mn_record_count(const mn_reader *r, const mn_record *record, int64_t *out)
{
  MN_TRY(require_kind(r, record, MN_RECORD_COUNT));
  struct cursor c = open_value(record);
  *out = (int64_t)next_uint(&c, 8);
  return MN_OK;
}

mn_status mn_record_flag(const mn_reader *r, const mn_record *record, bool *out)
{
  MN_TRY(require_kind(r, record, MN_RECORD_FLAG));
  *out = record->value[0] == 1;
  return MN_OK;
}

mn_status mn_record_vector(const mn_reader *r, const mn_record *record, mn_vector *out)
{
  MN_TRY(require_kind(r, record, MN_RECORD_VECTOR));
  struct cursor c = open_value(record);
  MN_TRY(mn_vector_init(r->ctx, out, (size_t)next_uint(&c, 8)));
  next_f64s(&c, out->size, out->at);
  return MN_OK;
}

mn_status mn_record_matrix(const mn_reader *r, const mn_record *record, mn_matrix *out)
{
  MN_TRY(require_kind(r, record, MN_RECORD_MATRIX));
  struct cursor c = open_value(record);
  const size_t rows = (size_t)next_uint(&c, 8), cols = (size_t)next_uint(&c, 8);
  MN_TRY(mn_matrix_init(r->ctx, out, rows, cols));
  const size_t n = rows * cols;
  for (size_t done = 0; done < n; done += PIECE / 8) {
    if (mn_poll(r->ctx) != MN_OK) {
      mn_matrix_free(mn_context_memory(r->ctx), out);
      return MN_CANCELLED;
    }
    next_f64s(&c, n - done < PIECE / 8 ? n - done : PIECE / 8, out->at + done);
  }
  return MN_OK;
}

mn_status mn_record_indexes(const mn_reader *r, const mn_record *record, mn_indexes *out)
{
  MN_TRY(require_kind(r, record, MN_RECORD_INDEXES));
  struct cursor c = open_value(record);
  MN_TRY(mn_indexes_init(r->ctx, out, (size_t)next_uint(&c, 8)));
  next_i32s(&c, out->size, out->at);
  return MN_OK;
}

/* start ascends from 0 to nonzeros; the columns of each row ascend strictly and are < cols. */
static bool well_formed(const mn_csr *s, size_t nonzeros)
{
  if (s->start[0] != 0 || s->start[s->rows] != nonzeros) return false;
  for (size_t i = 0; i < s->rows; i++)
    if (s->start[i] > s->start[i + 1] || s->start[i + 1] > nonzeros) return false;
  for (size_t i = 0; i < s->rows; i++)
    for (size_t e = s->start[i]; e < s->start[i + 1]; e++) {
      if (s->col[e] < 0 || (size_t)s->col[e] >= s->cols) return false;
      if (e > s->start[i] && s->col[e] <= s->col[e - 1]) return false;
    }
  return true;
}

mn_status mn_record_csr(const mn_reader *r, const mn_record *record, mn_csr *out)
{
  MN_TRY(require_kind(r, record, MN_RECORD_CSR));
  struct cursor c = open_value(record);
  const size_t rows = (size_t)next_uint(&c, 8), cols = (size_t)next_uint(&c, 8), nonzeros = (size_t)next_uint(&c, 8);
  MN_TRY(mn_csr_init(r->ctx, out, rows, cols, nonzeros));
  for (size_t i = 0; i <= rows; i++) out->start[i] = (size_t)next_uint(&c, 8);
  next_i32s(&c, nonzeros, out->col);
  next_f64s(&c, nonzeros, out->at);
  if (well_formed(out, nonzeros)) return MN_OK;
  mn_csr_free(mn_context_memory(r->ctx), out);
  return damaged(r, MN_HEADER_SIZE);
}

static mn_label next_label(struct cursor *c)
{
  mn_label label = { .kind = (mn_label_kind)next_uint(c, 1) };
  const unsigned char *bytes = NULL;
  switch (label.kind) {
  case MN_LABEL_BOOLEAN: label.as.boolean = next_uint(c, 1) == 1; break;
  case MN_LABEL_INTEGER: label.as.integer = (int64_t)next_uint(c, 8); break;
  case MN_LABEL_FLOAT: label.as.number = to_f64(next_uint(c, 8)); break;
  case MN_LABEL_TEXT:
    label.as.text.size = (size_t)next_uint(c, 8);
    read_bytes(c, label.as.text.size, &bytes);
    label.as.text.bytes = (const char *)bytes;
    break;
  }
  return label;
}

mn_status mn_record_levels(const mn_reader *r, const mn_record *record, const mn_levels **out)
{
  MN_TRY(require_kind(r, record, MN_RECORD_LEVELS));
  struct cursor c = open_value(record);
  const size_t n = (size_t)next_uint(&c, 8);
  const mn_mark mark = mn_scratch_mark(r->ctx);
  mn_label *label = MN_RAW(r->ctx, mn_label, n, 1);
  for (size_t i = 0; label && i < n; i++) label[i] = next_label(&c);
  const mn_levels *levels = label ? mn_levels_new(r->ctx, label, n, NULL) : NULL;
  mn_scratch_release(r->ctx, mark);
  if (!levels) return MN_NO_MEMORY;
  if (mn_levels_size(levels) == n) {
    *out = levels;
    return MN_OK;
  }
  mn_levels_release(mn_context_memory(r->ctx), levels);
  return mn_fail(r->ctx, MN_BAD_FILE, "%s: the levels of a factor are not distinct", r->label);
}

mn_status mn_record_text(const mn_reader *r, const mn_record *record, const char **bytes, size_t *size)
{
  MN_TRY(require_kind(r, record, MN_RECORD_TEXT));
  struct cursor c = open_value(record);
  *size = (size_t)next_uint(&c, 8);
  *bytes = (const char *)c.at;
  return MN_OK;
}
