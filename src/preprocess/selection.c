#include "selection.h"
#include "names.h"

mn_status mn_selection_init(mn_context *ctx, const bool *keep, size_t cols, mn_indexes *kept)
{
  size_t n = 0;
  for (size_t j = 0; j < cols; j++) n += keep[j];
  MN_TRY(mn_indexes_init(ctx, kept, n));
  n = 0;
  for (size_t j = 0; j < cols; j++)
    if (keep[j]) kept->at[n++] = (int32_t)j;
  return MN_OK;
}

mn_status mn_selector_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const mn_indexes *kept = &((const mn_selector *)self)->support;
  (void)ctx;
  for (size_t i = 0; i < data->x.rows; i++)
    for (size_t k = 0; k < kept->size; k++) mn_row(out, i)[k] = mn_row(&data->x, i)[kept->at[k]];
  return MN_OK;
}

mn_status mn_selector_inverse_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const mn_indexes *kept = &((const mn_selector *)self)->support;
  (void)ctx;
  for (size_t i = 0; i < data->x.rows; i++)
    for (size_t k = 0; k < kept->size; k++) mn_row(out, i)[kept->at[k]] = mn_row(&data->x, i)[k];
  return MN_OK;
}

size_t mn_selector_outputs(const void *self)
{
  return ((const mn_selector *)self)->support.size;
}

void mn_selector_output_name(const void *self, size_t j, const char *const *inputs, char *text, size_t size)
{
  const mn_indexes *kept = &((const mn_selector *)self)->support;
  char own[MN_INPUT_NAME_SIZE];
  snprintf(text, size, "%s", mn_input_name(inputs, (size_t)kept->at[j], own));
}

static bool is_valid(const mn_indexes *kept, size_t cols)
{
  if (!kept->at || kept->size == 0) return false;
  for (size_t k = 0; k < kept->size; k++)
    if (kept->at[k] <= (k > 0 ? kept->at[k - 1] : -1) || (size_t)kept->at[k] >= cols) return false;
  return true;
}

mn_status mn_selector_check(mn_context *ctx, const void *self)
{
  const mn_selector *m = self;
  if (is_valid(&m->support, m->base.n_features)) return MN_OK;
  return mn_fail(ctx, MN_BAD_FILE, "%s: support must hold column indices of X in ascending order", m->base.class->name);
}

mn_status mn_selector_export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const mn_indexes *kept = &((const mn_selector *)self)->support;
  (void)ctx;
  if (action != MN_TRANSFORM_X) return MN_OK;
  mn_program_indexes(program, "kept", kept->size, kept->at);
  mn_program_code(program, "for k < outputs { out[k] = x[kept[k]] }");
  return MN_OK;
}
