/* The archive: a little-endian file of named, typed values, also described in examples/guide/archive.md for readers in
 * other languages.
 *
 *   8 bytes   89 'M' 'N' 'L' 0D 0A 1A 0A     (as PNG: transfer in text mode damages it detectably)
 *   u32       version, currently 1
 *   u64       length of the body
 *   body      records
 *   u32       CRC-32 of all bytes before it
 *
 * A record is: u8 kind, u16 length of the name, the name, the value:
 *
 *   1 real     f64                        6 indexes  u64 n, n i32
 *   2 count    i64                        7 csr      u64 rows, cols, nonzeros; rows+1 u64; nonzeros i32; nonzeros f64
 *   3 flag     u8, 0 or 1                 8 levels   u64 n, n labels
 *   4 vector   u64 n, n f64               9 text     u64 n, n bytes
 *   5 matrix   u64 rows, cols; f64s      10 group    records up to the matching 11
 *                                        11 end
 *
 * A label is u8 kind (0 boolean: u8; 1 integer: i64; 2 float: f64; 3 text: u64 n, n bytes).
 *
 * The reader checks every size against the remaining bytes before it uses it, and indexes the records. Malicious files
 * cause MN_BAD_FILE, nothing worse. */
#ifndef MN_ARCHIVE_ARCHIVE_H
#define MN_ARCHIVE_ARCHIVE_H
#include "../core/levels.h"
#include "../core/matrix.h"
#include "value.h"

enum { MN_ARCHIVE_VERSION = 1 };

typedef enum mn_record_kind {
  MN_RECORD_REAL = 1,
  MN_RECORD_COUNT,
  MN_RECORD_FLAG,
  MN_RECORD_VECTOR,
  MN_RECORD_MATRIX,
  MN_RECORD_INDEXES,
  MN_RECORD_CSR,
  MN_RECORD_LEVELS,
  MN_RECORD_TEXT,
  MN_RECORD_GROUP,
  MN_RECORD_END
} mn_record_kind;

/* A growing buffer. */
typedef struct mn_writer {
  mn_context *ctx;
  unsigned char *at;
  size_t size, capacity;
  mn_status status; /* the first failure, after which calls do nothing */
} mn_writer;

mn_writer mn_write_begin(mn_context *ctx);
void mn_write_real(mn_writer *w, const char *name, double value);
void mn_write_count(mn_writer *w, const char *name, int64_t value);
void mn_write_flag(mn_writer *w, const char *name, bool value);
void mn_write_vector(mn_writer *w, const char *name, const mn_vector *value);
void mn_write_matrix(mn_writer *w, const char *name, const mn_matrix *value);
void mn_write_indexes(mn_writer *w, const char *name, const mn_indexes *value);
void mn_write_csr(mn_writer *w, const char *name, const mn_csr *value);
void mn_write_levels(mn_writer *w, const char *name, const mn_levels *value);
void mn_write_text(mn_writer *w, const char *name, const char *bytes, size_t size);
void mn_write_group(mn_writer *w, const char *name);
void mn_write_end(mn_writer *w);
/* Complete the archive: w->at holds w->size bytes, to be freed with mn_write_free. */
mn_status mn_write_finish(mn_writer *w);
void mn_write_free(mn_writer *w);

/* One record. Its pointers point into the bytes of the reader. */
typedef struct mn_record {
  mn_record_kind kind;
  const char *name; /* not NUL-terminated */
  size_t name_size;
  const unsigned char *value;
  size_t value_size;
  size_t after; /* GROUP: index of the record that follows it */
} mn_record;

typedef struct mn_reader {
  mn_context *ctx;
  const char *label; /* name of the file, for messages */
  mn_record *record;
  size_t size;
} mn_reader;

/* Check header and checksum and index the records, in scratch. `bytes` must outlive the reader. */
mn_status mn_read_begin(mn_context *ctx, const char *label, const void *bytes, size_t size, mn_reader *r);

/* The record called `name` directly in the group at index `group` (SIZE_MAX: top level), or NULL. */
const mn_record *mn_find_record(const mn_reader *r, size_t group, const char *name);

/* The value of a record; MN_BAD_FILE if it has another kind. The caller frees results with memory; text is borrowed. */
mn_status mn_record_real(const mn_reader *r, const mn_record *record, double *out);
mn_status mn_record_count(const mn_reader *r, const mn_record *record, int64_t *out);
mn_status mn_record_flag(const mn_reader *r, const mn_record *record, bool *out);
mn_status mn_record_vector(const mn_reader *r, const mn_record *record, mn_vector *out);
mn_status mn_record_matrix(const mn_reader *r, const mn_record *record, mn_matrix *out);
mn_status mn_record_indexes(const mn_reader *r, const mn_record *record, mn_indexes *out);
mn_status mn_record_csr(const mn_reader *r, const mn_record *record, mn_csr *out);
mn_status mn_record_levels(const mn_reader *r, const mn_record *record, const mn_levels **out);
mn_status mn_record_text(const mn_reader *r, const mn_record *record, const char **bytes, size_t *size);

#endif
