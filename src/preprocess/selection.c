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

void mn_take_columns(const mn_matrix *x, const mn_indexes *kept, mn_matrix *out)
{
  for (size_t i = 0; i < x->rows; i++)
    for (size_t k = 0; k < kept->size; k++) mn_row(out, i)[k] = mn_row(x, i)[kept->at[k]];
}

void mn_put_columns(const mn_matrix *x, const mn_indexes *kept, mn_matrix *out)
{
  for (size_t i = 0; i < x->rows; i++)
    for (size_t k = 0; k < kept->size; k++) mn_row(out, i)[kept->at[k]] = mn_row(x, i)[k];
}

void mn_selected_name(const mn_indexes *kept, size_t j, const char *const *inputs, char *text, size_t size)
{
  char own[MN_INPUT_NAME_SIZE];
  snprintf(text, size, "%s", mn_input_name(inputs, (size_t)kept->at[j], own));
}

bool mn_selection_is_sound(const mn_indexes *kept, size_t cols)
{
  if (!kept->at || kept->size == 0) return false;
  for (size_t k = 0; k < kept->size; k++)
    if (kept->at[k] <= (k > 0 ? kept->at[k - 1] : -1) || (size_t)kept->at[k] >= cols) return false;
  return true;
}

void mn_selection_program(const mn_indexes *kept, mn_action action, mn_program *program)
{
  if (action != MN_TRANSFORM_X) return;
  mn_program_indexes(program, "kept", kept->size, kept->at);
  mn_program_code(program, "for k < outputs { out[k] = x[kept[k]] }");
}
