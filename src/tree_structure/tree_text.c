#include "tree_text.h"

void mn_text_put_column(mn_text_buffer *t, const mn_estimator *model, size_t feature)
{
  if (model->feature_names.size > 0)
    mn_text_printf(t, "%s", model->feature_names.at[feature]);
  else
    mn_text_printf(t, "x%zu", feature + 1);
}

void mn_text_put_number(mn_text_buffer *t, double value)
{
  mn_text_printf(t, "%.6g", value);
}

void mn_text_put_label(mn_text_buffer *t, const mn_levels *levels, size_t code)
{
  char label[64];
  mn_text_printf(t, "%s", mn_format_label(label, sizeof label, mn_levels_at(levels, code)));
}

void mn_text_put_indent(mn_text_buffer *t, int32_t depth)
{
  for (int32_t d = 0; d < depth && d < MN_MAX_INDENT_BARS; d++) mn_text_printf(t, "|   ");
  if (depth > MN_MAX_INDENT_BARS) mn_text_printf(t, "(depth %d) ", (int)depth + 1);
}
