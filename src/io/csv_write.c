#include "csv.h"
#include "csv_parts.h"
#include "output.h"
#include "../core/threads.h"
#include <stdio.h>

/* A formatted value. */
struct cell {
  const char *at;
  size_t size;
};

struct csv_writer {
  const mn_columns *columns;
  mn_csv_format format;
  struct cell missing;
  struct cell **level; /* columns; the formatted levels of a factor, else NULL */
  size_t max_width;    /* maximum bytes of a row */
  size_t rows;         /* rows per block */
  size_t first;        /* first row of the current blocks */
  char *buffer;        /* blocks x (rows * max_width)      */
  size_t *used;        /* blocks                           */
};

mn_csv_format mn_csv_format_defaults(void)
{
  return (mn_csv_format){ .delimiter = ',', .missing = "", .header = true };
}

static mn_status check_format(mn_context *ctx, const char *label, const mn_csv_format *f)
{
  const char d = f->delimiter;
  if (!(d == ' ' || d == '\t' ||
        (d > ' ' && d <= '~' && !strchr("\"+-.0123456789", d) && ((d | 0x20) < 'a' || (d | 0x20) > 'z'))))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: delimiter must be a punctuation mark, got character %d", label,
                   (unsigned char)d);
  for (const char *c = f->missing; *c; c++)
    if (*c == d || *c == '"' || *c == '\n' || *c == '\r')
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: missing must hold no delimiter, quote or line end, got '%s'", label,
                     f->missing);
  return MN_OK;
}

/* Whether the text must be quoted to be read back unchanged. */
static bool needs_quotes(const mn_csv_format *f, const char *at, size_t size)
{
  if (size == 0 || at[0] == ' ' || at[0] == '\t' || at[size - 1] == ' ' || at[size - 1] == '\t') return true;
  if (size >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0)
    return true; /* would be read as a byte order mark in the first field */
  for (size_t i = 0; i < size; i++)
    if (at[i] == f->delimiter || at[i] == '\0' || at[i] == '"' || at[i] == '\n' || at[i] == '\r') return true;
  if (strlen(f->missing) == size && memcmp(f->missing, at, size) == 0) return true;
  for (size_t i = 0; i < mn_csv_missing.size; i++)
    if (strlen(mn_csv_missing.at[i]) == size && memcmp(mn_csv_missing.at[i], at, size) == 0) return true;
  return false;
}

static mn_status quote(mn_context *ctx, const mn_csv_format *f, const char *at, size_t size, struct cell *cell)
{
  size_t quotes = 0, n = 0;
  *cell = (struct cell){ at, size };
  if (!f->quote_all && !needs_quotes(f, at, size)) return MN_OK;
  if (size > 0 && memchr(at, '\0', size))
    return mn_fail(ctx, MN_BAD_DATA, "csv: text must hold no NUL byte, got one in \"%s\"", at);
  for (size_t i = 0; i < size; i++) quotes += at[i] == '"';
  char *quoted = MN_RAW(ctx, char, size + quotes + 2, 1);
  MN_CHECK_ALLOC(quoted);
  quoted[n++] = '"';
  for (size_t i = 0; i < size; i++) {
    if (at[i] == '"') quoted[n++] = '"';
    quoted[n++] = at[i];
  }
  quoted[n++] = '"';
  *cell = (struct cell){ quoted, n };
  return MN_OK;
}

static mn_status prepare_label(mn_context *ctx, const mn_csv_format *f, mn_label label, struct cell *cell)
{
  switch (label.kind) {
  case MN_LABEL_TEXT: return quote(ctx, f, label.as.text.bytes, label.as.text.size, cell);
  case MN_LABEL_BOOLEAN:
    *cell = label.as.boolean ? (struct cell){ "true", 4 } : (struct cell){ "false", 5 };
    return MN_OK;
  case MN_LABEL_INTEGER:
  case MN_LABEL_FLOAT: break;
  }
  char *number = MN_RAW(ctx, char, MN_DOUBLE_SIZE, 1);
  MN_CHECK_ALLOC(number);
  cell->at = number;
  if (label.kind == MN_LABEL_FLOAT)
    cell->size = mn_write_double(number, label.as.number);
  else
    cell->size = (size_t)snprintf(number, MN_DOUBLE_SIZE, "%lld", (long long)label.as.integer);
  return MN_OK;
}

/* Format all levels of a factor; *max_width is the size of the widest. */
static mn_status prepare_levels(mn_context *ctx, struct csv_writer *w, size_t j, size_t *max_width)
{
  const mn_levels *levels = w->columns->at[j].factor.levels;
  const size_t n = mn_levels_size(levels);
  w->level[j] = MN_RAW(ctx, struct cell, n, 1);
  MN_CHECK_ALLOC(w->level[j]);
  *max_width = w->missing.size;
  for (size_t i = 0; i < n; i++) {
    MN_TRY(prepare_label(ctx, &w->format, mn_levels_at(levels, i), &w->level[j][i]));
    if (w->level[j][i].size > *max_width) *max_width = w->level[j][i].size;
  }
  return MN_OK;
}

enum { BLOCKS = 16, BLOCK_BYTES = 256 << 10 };

static mn_status prepare(mn_context *ctx, struct csv_writer *w)
{
  const mn_columns *c = w->columns;
  w->missing = (struct cell){ w->format.missing, strlen(w->format.missing) };
  if (c->size == 1 && w->missing.size == 0)
    w->missing = (struct cell){ "\"\"", 2 }; /* an empty line is not read as a row */
  w->level = MN_NEW(ctx, struct cell *, c->size, 1);
  MN_CHECK_ALLOC(w->level);
  w->max_width = 1;
  for (size_t j = 0; j < c->size; j++) {
    size_t max_width = w->missing.size > MN_DOUBLE_SIZE ? w->missing.size : MN_DOUBLE_SIZE;
    if (c->at[j].kind == MN_COLUMN_FACTOR) MN_TRY(prepare_levels(ctx, w, j, &max_width));
    w->max_width += max_width + 1;
  }
  w->rows = w->max_width < BLOCK_BYTES ? BLOCK_BYTES / w->max_width : 1;
  if (w->rows > c->rows) w->rows = c->rows > 0 ? c->rows : 1;
  const size_t needed = (c->rows + w->rows - 1) / w->rows; /* a short table needs little memory */
  w->buffer = MN_RAW(ctx, char, w->rows * w->max_width, needed < BLOCKS ? needed : BLOCKS);
  w->used = MN_NEW(ctx, size_t, BLOCKS, 1);
  return w->buffer && w->used ? MN_OK : MN_NO_MEMORY;
}

static char *append_cell(char *p, const struct cell *cell)
{
  if (cell->size > 0) memcpy(p, cell->at, cell->size);
  return p + cell->size;
}

static char *append_row(const struct csv_writer *w, size_t row, char *p)
{
  for (size_t j = 0; j < w->columns->size; j++) {
    const mn_column *column = &w->columns->at[j];
    if (j > 0) *p++ = w->format.delimiter;
    if (column->kind == MN_COLUMN_FACTOR) {
      const int32_t code = column->factor.code[row];
      p = append_cell(p, code < 0 ? &w->missing : &w->level[j][code]);
    } else {
      const double value = column->number.at[row];
      if (value != value)
        p = append_cell(p, &w->missing);
      else
        p += mn_write_double(p, value);
    }
  }
  *p++ = '\n';
  return p;
}

static void format_block(void *user, size_t block, size_t worker)
{
  struct csv_writer *w = user;
  char *const begin = w->buffer + block * w->rows * w->max_width, *p = begin;
  const size_t first = w->first + block * w->rows;
  (void)worker;
  for (size_t i = first; i < w->columns->rows && i < first + w->rows; i++) p = append_row(w, i, p);
  w->used[block] = (size_t)(p - begin);
}

static mn_status write_header(mn_context *ctx, const struct csv_writer *w, mn_output *out)
{
  for (size_t j = 0; j < w->columns->size; j++) {
    struct cell cell;
    const char *name = w->columns->at[j].name;
    MN_TRY(quote(ctx, &w->format, name, strlen(name), &cell));
    if (j > 0) MN_TRY(mn_output_write(ctx, out, &w->format.delimiter, 1));
    MN_TRY(mn_output_write(ctx, out, cell.at, cell.size));
  }
  return mn_output_write(ctx, out, "\n", 1);
}

static mn_status write_rows(mn_context *ctx, struct csv_writer *w, mn_output *out)
{
  const size_t rows = w->columns->rows;
  MN_TRY(prepare(ctx, w));
  if (w->format.header) MN_TRY(write_header(ctx, w, out));
  for (w->first = 0; w->first < rows; w->first += BLOCKS * w->rows) {
    const size_t left = (rows - w->first - 1) / w->rows + 1, blocks = left < BLOCKS ? left : BLOCKS;
    MN_TRY(mn_parallel(ctx, blocks, format_block, w));
    for (size_t i = 0; i < blocks; i++)
      MN_TRY(mn_output_write(ctx, out, w->buffer + i * w->rows * w->max_width, w->used[i]));
  }
  return MN_OK;
}

static mn_status write_columns(mn_context *ctx, const char *path, const mn_columns *columns,
                               const mn_csv_format *format, char **bytes, size_t *size)
{
  struct csv_writer w = { .columns = columns, .format = format ? *format : mn_csv_format_defaults() };
  mn_output out;
  MN_TRY(check_format(ctx, path ? path : "csv", &w.format));
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_status status = mn_output_open(ctx, path, &out);
  if (status == MN_OK) status = write_rows(ctx, &w, &out);
  if (status == MN_OK && !path) mn_output_detach(&out, bytes, size);
  status = mn_output_close(ctx, &out, status);
  mn_scratch_release(ctx, mark);
  return status;
}

mn_status mn_write_csv(mn_context *ctx, const char *path, const mn_columns *columns, const mn_csv_format *format)
{
  return write_columns(ctx, path, columns, format, NULL, NULL);
}

mn_status mn_format_csv(mn_context *ctx, const mn_columns *columns, const mn_csv_format *format, char **bytes,
                        size_t *size)
{
  *bytes = NULL;
  *size = 0;
  return write_columns(ctx, NULL, columns, format, bytes, size);
}
