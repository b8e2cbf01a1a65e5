#include "csv_parts.h"
#include "bytes.h"

/* State that lasts from batch to batch is in the scratch of a context of its own, which is released when the stream is
 * closed. */
struct mn_csv {
  mn_context *own;
  mn_bytes bytes;
  struct mn_csv_layout layout; /* begin: start of the next batch */
  size_t left;                 /* rows still to be read */
};

static mn_status copy_text(mn_context *ctx, const char *text, const char **copy)
{
  const size_t size = strlen(text) + 1;
  char *bytes = MN_RAW(ctx, char, size, 1);
  MN_CHECK_ALLOC(bytes);
  memcpy(bytes, text, size);
  *copy = bytes;
  return MN_OK;
}

/* Copies the path and strings of the caller, which may not outlive mn_csv_open. */
static mn_status detect_layout(mn_csv *csv, const char *path, mn_csv_options options)
{
  const char *label = NULL;
  MN_TRY(copy_text(csv->own, path, &label));
  if (options.missing.at) {
    const char **names = MN_NEW(csv->own, const char *, options.missing.size, 1);
    MN_CHECK_ALLOC(names);
    for (size_t i = 0; i < options.missing.size; i++) MN_TRY(copy_text(csv->own, options.missing.at[i], &names[i]));
    options.missing.at = names;
  }
  csv->left = options.max_rows > 0 ? options.max_rows : SIZE_MAX;
  options.max_rows = 0;
  MN_TRY(mn_csv_detect_layout(csv->own, label, csv->bytes.at, csv->bytes.size, &options, &csv->layout));
  csv->layout.mapped = csv->bytes.mapped != NULL;
  return MN_OK;
}

mn_status mn_csv_open(mn_context *ctx, const char *path, const mn_csv_options *options, mn_csv **out)
{
  mn_memory *memory = mn_context_memory(ctx);
  *out = NULL;
  mn_csv *csv = mn_alloc(memory, sizeof *csv);
  if (!csv) return mn_fail(ctx, MN_NO_MEMORY, "%s: not enough memory", path);
  *csv = (mn_csv){ .own = mn_context_new(memory, 1) };
  mn_status status = csv->own ? MN_OK : mn_fail(ctx, MN_NO_MEMORY, "%s: not enough memory", path);
  if (status == MN_OK) status = mn_bytes_open(ctx, path, &csv->bytes);
  if (status == MN_OK) {
    status = detect_layout(csv, path, options ? *options : mn_csv_defaults());
    if (status != MN_OK) mn_fail(ctx, status, "%s", mn_error_text(csv->own));
  }
  if (status == MN_OK)
    *out = csv;
  else
    mn_csv_close(memory, csv);
  return status;
}

mn_status mn_csv_next(mn_context *ctx, mn_csv *csv, size_t rows, mn_columns *out)
{
  struct mn_csv_layout batch = csv->layout;
  mn_csv_limit_rows(&batch, rows < csv->left ? rows : csv->left);
  MN_TRY(mn_csv_read_rows(ctx, &batch, out));
  csv->layout.begin = batch.end;
  csv->left -= out->rows;
  return MN_OK;
}

void mn_csv_close(mn_memory *memory, mn_csv *csv)
{
  if (!csv) return;
  mn_bytes_close(memory, &csv->bytes);
  mn_context_free(csv->own);
  mn_free(memory, csv);
}
