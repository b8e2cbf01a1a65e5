#include "csv_parts.h"
#include "bytes.h"

static bool is_factor(unsigned char kind)
{
  return kind == MN_CSV_TEXT || kind == MN_CSV_BOOLEAN || kind == MN_CSV_FACTOR;
}

/* Memory of a new column; not cleared, since the threads that fill it should touch its pages first. */
static void *column_memory(mn_context *ctx, const struct mn_csv_layout *l, size_t size, size_t rows)
{
  size_t bytes;
  void *memory = mn_checked_size(size, rows, 1, &bytes) ? mn_alloc(mn_context_memory(ctx), bytes) : NULL;
  if (!memory) mn_fail(ctx, MN_NO_MEMORY, "%s: not enough memory for a column of %zu values", l->label, rows);
  return memory;
}

static mn_status make_column(mn_context *ctx, struct mn_csv_pass *pass, size_t j, mn_column *column)
{
  const size_t rows = pass->chunks->rows;
  if (is_factor(pass->layout->kind[j])) {
    pass->code[j] = column_memory(ctx, pass->layout, sizeof(int32_t), rows);
    column->factor = (mn_factor){ .code = pass->code[j], .size = rows };
    column->kind = MN_COLUMN_FACTOR;
    return pass->code[j] ? MN_OK : MN_NO_MEMORY;
  }
  pass->number[j] = column_memory(ctx, pass->layout, sizeof(double), rows);
  column->number = (mn_vector){ .at = pass->number[j], .size = rows };
  column->kind = MN_COLUMN_NUMBER;
  return pass->number[j] ? MN_OK : MN_NO_MEMORY;
}

/* Parse the selected columns into new memory. */
static mn_status parse(mn_context *ctx, struct mn_csv_pass *pass, bool exact, mn_columns *out, bool *fits)
{
  const struct mn_csv_layout *l = pass->layout;
  *fits = true;
  MN_TRY(mn_csv_split(ctx, l, exact, pass->chunks));
  MN_TRY(mn_columns_init(ctx, out, l->selected, pass->chunks->rows));
  pass->kind = MN_RAW(ctx, unsigned char, l->cols, 1);
  pass->number = MN_NEW(ctx, double *, l->cols, 1);
  pass->code = MN_NEW(ctx, int32_t *, l->cols, 1);
  pass->stats = MN_NEW(ctx, struct mn_csv_column_stats, pass->chunks->size, l->cols);
  if (!pass->kind || !pass->number || !pass->code || !pass->stats) return MN_NO_MEMORY;
  memcpy(pass->kind, l->kind, l->cols);
  for (size_t i = 0; i < l->selected; i++) MN_TRY(make_column(ctx, pass, l->order[i], &out->at[i]));
  return mn_csv_parse_rows(ctx, pass, exact, fits);
}

static struct mn_csv_column_stats merge_stats(const struct mn_csv_pass *pass, size_t j, size_t *missing)
{
  struct mn_csv_column_stats total = { 0 };
  *missing = 0;
  for (size_t i = 0; i < pass->chunks->size; i++) {
    const struct mn_csv_column_stats *stats = &pass->stats[i * pass->layout->cols + j];
    *missing += stats->missing;
    total.not_whole |= stats->not_whole;
    total.rounded |= stats->rounded;
    total.overflowed |= stats->overflowed;
    if (!total.not_number) total.not_number = stats->not_number;
  }
  return total;
}

/* Parse the columns again that were taken for numeric and are not. */
static mn_status reparse_factors(mn_context *ctx, struct mn_csv_layout *l, struct mn_csv_pass *pass, mn_columns *out)
{
  size_t missing, misclassified = 0;
  bool fits;
  memset(pass->kind, MN_CSV_SKIP, l->cols);
  for (size_t i = 0; i < l->selected; i++) {
    const size_t j = l->order[i];
    const char *not_number = merge_stats(pass, j, &missing).not_number;
    if (l->kind[j] != MN_CSV_GUESSED || !not_number) continue;
    l->not_number[j] = mn_csv_quote_field(ctx, l, not_number);
    MN_CHECK_ALLOC(l->not_number[j]);
    mn_vector_free(mn_context_memory(ctx), &out->at[i].number);
    pass->number[j] = NULL;
    l->kind[j] = pass->kind[j] = MN_CSV_FACTOR;
    MN_TRY(make_column(ctx, pass, j, &out->at[i]));
    misclassified++;
  }
  if (misclassified == 0) return MN_OK;
  struct mn_csv_pass second_pass = *pass;
  second_pass.number = MN_NEW(ctx, double *, l->cols, 1);
  second_pass.code = MN_NEW(ctx, int32_t *, l->cols, 1);
  second_pass.stats = MN_NEW(ctx, struct mn_csv_column_stats, pass->chunks->size, l->cols);
  if (!second_pass.number || !second_pass.code || !second_pass.stats) return MN_NO_MEMORY;
  for (size_t j = 0; j < l->cols; j++)
    if (pass->kind[j] == MN_CSV_FACTOR) second_pass.code[j] = pass->code[j];
  MN_TRY(mn_csv_parse_rows(ctx, &second_pass, true, &fits));
  for (size_t i = 0; i < pass->chunks->size; i++)
    for (size_t j = 0; j < l->cols; j++)
      if (second_pass.code[j]) pass->stats[i * l->cols + j] = second_pass.stats[i * l->cols + j];
  return MN_OK;
}

static size_t count_rows(const struct mn_csv_chunks *chunks)
{
  size_t rows = 0;
  for (size_t i = 0; i < chunks->size; i++)
    if (chunks->at[i].row) rows += chunks->at[i].rows;
  return rows;
}

/* Close the gaps left by empty lines and comments between the rows of chunks. */
static size_t close_gaps(const struct mn_csv_chunks *chunks, void *column, size_t size)
{
  char *bytes = column;
  size_t rows = 0;
  for (size_t i = 0; i < chunks->size; i++) {
    const struct mn_csv_chunk *c = &chunks->at[i];
    if (!c->row) continue;
    if (c->rows > 0 && c->base != rows) memmove(bytes + rows * size, bytes + c->base * size, c->rows * size);
    rows += c->rows;
  }
  return rows;
}

/* Note a field that is not a number once, also if there are further batches. */
static mn_status copy_not_number(mn_context *ctx, struct mn_csv_layout *l, size_t j, mn_column *column)
{
  if (!l->not_number[j]) return MN_OK;
  const size_t size = strlen(l->not_number[j]) + 1;
  column->not_number = mn_alloc(mn_context_memory(ctx), size);
  MN_CHECK_ALLOC(column->not_number);
  memcpy(column->not_number, l->not_number[j], size);
  l->not_number[j] = NULL;
  return MN_OK;
}

static mn_status finish_column(mn_context *ctx, struct mn_csv_layout *l, const struct mn_csv_pass *pass, size_t j,
                               mn_column *column)
{
  const struct mn_csv_column_stats stats = merge_stats(pass, j, &column->missing);
  MN_TRY(mn_column_name(ctx, column, l->name[j], strlen(l->name[j])));
  if (column->kind == MN_COLUMN_NUMBER) {
    column->number.size = close_gaps(pass->chunks, column->number.at, sizeof(double));
    column->whole = !stats.not_whole && column->missing < column->number.size;
    column->rounded = stats.rounded;
    column->overflowed = stats.overflowed;
    l->kind[j] = MN_CSV_NUMBER;
    return MN_OK;
  }
  column->factor.levels = mn_csv_make_levels(ctx, pass, j);
  MN_CHECK_ALLOC(column->factor.levels);
  column->factor.size = close_gaps(pass->chunks, column->factor.code, sizeof(int32_t));
  MN_TRY(copy_not_number(ctx, l, j, column));
  const mn_levels *levels = column->factor.levels;
  const bool boolean = mn_levels_size(levels) > 0 && mn_levels_at(levels, 0).kind == MN_LABEL_BOOLEAN;
  if (l->kind[j] == MN_CSV_FACTOR) l->kind[j] = boolean ? MN_CSV_BOOLEAN : MN_CSV_TEXT;
  return MN_OK;
}

static mn_status read_rows(mn_context *ctx, struct mn_csv_layout *l, mn_columns *out)
{
  struct mn_csv_chunks chunks;
  struct mn_csv_pass pass = { .layout = l, .chunks = &chunks };
  bool fits;
  MN_TRY(parse(ctx, &pass, false, out, &fits));
  if (!fits) {
    mn_columns_free(mn_context_memory(ctx), out);
    MN_TRY(parse(ctx, &pass, true, out, &fits));
  }
  MN_TRY(reparse_factors(ctx, l, &pass, out));
  for (size_t i = 0; i < l->selected; i++) MN_TRY(finish_column(ctx, l, &pass, l->order[i], &out->at[i]));
  out->rows = count_rows(&chunks);
  return MN_OK;
}

mn_status mn_csv_read_rows(mn_context *ctx, struct mn_csv_layout *layout, mn_columns *out)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  *out = (mn_columns){ 0 };
  const mn_status status = read_rows(ctx, layout, out);
  mn_scratch_release(ctx, mark);
  if (status != MN_OK) mn_columns_free(mn_context_memory(ctx), out);
  return status;
}

static mn_status read_bytes(mn_context *ctx, const mn_bytes *b, const char *label, const mn_csv_options *options,
                            mn_columns *out)
{
  const mn_csv_options defaults = mn_csv_defaults();
  const mn_mark mark = mn_scratch_mark(ctx);
  struct mn_csv_layout layout;
  mn_status status = mn_csv_detect_layout(ctx, label, b->at, b->size, options ? options : &defaults, &layout);
  layout.mapped = b->mapped != NULL;
  if (status == MN_OK) status = mn_csv_read_rows(ctx, &layout, out);
  mn_scratch_release(ctx, mark);
  return status;
}

mn_status mn_read_csv(mn_context *ctx, const char *path, const mn_csv_options *options, mn_columns *out)
{
  mn_bytes bytes;
  *out = (mn_columns){ 0 };
  MN_TRY(mn_bytes_open(ctx, path, &bytes));
  const mn_status status = read_bytes(ctx, &bytes, path, options, out);
  mn_bytes_close(mn_context_memory(ctx), &bytes);
  return status;
}

mn_status mn_parse_csv(mn_context *ctx, const char *bytes, size_t size, const char *label,
                       const mn_csv_options *options, mn_columns *out)
{
  mn_bytes b;
  *out = (mn_columns){ 0 };
  MN_TRY(mn_bytes_wrap(ctx, bytes, size, label, &b));
  const mn_status status = read_bytes(ctx, &b, label, options, out);
  mn_bytes_close(mn_context_memory(ctx), &b);
  return status;
}
