#include "../core/foreign_names.h"
#include "../core/nearest_name.h"
#include "kernel_param.h"
#include "model.h"
#include <stdio.h>
#include <string.h>

enum { EXPECTED_SIZE = 256 };

const mn_param *mn_param_named(const mn_param *params, const char *name)
{
  for (const mn_param *p = params; p && p->name; p++)
    if (strcmp(p->name, name) == 0) return p;
  return NULL;
}

mn_status mn_unknown_param(mn_context *ctx, const char *who, const mn_param *params, const char *name)
{
  const char *names[64] = { 0 };
  size_t n = 0;
  for (const mn_param *p = params; p && p->name && n < sizeof names / sizeof *names; p++) names[n++] = p->name;
  const char *near = mn_nearest_name(name, names, n);
  if (near) return mn_fail(ctx, MN_BAD_ARGUMENT, "%s has no parameter '%s'; did you mean '%s'?", who, name, near);
  const char *note = mn_foreign_name_note(name);
  if (note) return mn_fail(ctx, MN_BAD_ARGUMENT, "%s has no parameter '%s'; %s", who, name, note);
  char list[400] = "";
  const char *before = "; its parameters are ";
  size_t used = 0;
  for (size_t i = 0; i < n; i++) {
    const bool fits = used + strlen(before) + strlen(names[i]) + sizeof ", ..." <= sizeof list;
    used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", before, fits ? names[i] : "...");
    if (!fits) break;
    before = ", ";
  }
  return mn_fail(ctx, MN_BAD_ARGUMENT, "%s has no parameter '%s'%s", who, name, list);
}

static void init_value(const mn_param *p, void *slot)
{
  switch (p->kind) {
  case MN_KIND_REAL: *(double *)slot = p->initial; break;
  case MN_KIND_COUNT: *(int64_t *)slot = p->initial <= (double)MN_UNSET ? MN_UNSET : (int64_t)p->initial; break;
  case MN_KIND_CHOICE: *(int64_t *)slot = (int64_t)p->initial; break;
  case MN_KIND_FLAG: *(bool *)slot = p->initial > 0; break;
  case MN_KIND_KERNEL: *(mn_kernel *)slot = (mn_kernel){ .name = (mn_kernel_op)p->initial }; break;
  case MN_KIND_COLUMN: ((mn_feature *)slot)->number = isnan(p->initial) ? MN_UNSET : (int64_t)p->initial; break;
  case MN_KIND_COLUMNS:
  case MN_KIND_COLUMN_VALUES:
  case MN_KIND_VECTOR:
  case MN_KIND_MATRIX:
  case MN_KIND_INDEXES:
  case MN_KIND_CSR:
  case MN_KIND_LEVELS:
  case MN_KIND_NAMES:
  case MN_KIND_TEXT:
  case MN_KIND_GROUPS: break; /* empty: the struct was zeroed */
  }
}

void mn_params_init(const mn_param *params, void *base)
{
  for (const mn_param *p = params; p && p->name; p++) init_value(p, mn_member(base, p->offset));
}

mn_status mn_params_copy(mn_context *ctx, const mn_param *params, const void *from, void *to)
{
  for (const mn_param *p = params; p && p->name; p++)
    MN_TRY(mn_value_copy(ctx, p->kind, mn_member(from, p->offset), mn_member(to, p->offset)));
  return MN_OK;
}

void mn_params_free(mn_memory *memory, const mn_param *params, void *base)
{
  for (const mn_param *p = params; p && p->name; p++) mn_value_free(memory, p->kind, mn_member(base, p->offset));
}

static bool can_be_unset(const mn_param *p)
{
  switch (p->kind) {
  case MN_KIND_REAL:
  case MN_KIND_COLUMN: return isnan(p->initial);
  case MN_KIND_COUNT: return p->initial <= (double)MN_UNSET;
  case MN_KIND_VECTOR:
  case MN_KIND_MATRIX:
  case MN_KIND_TEXT:
  case MN_KIND_COLUMNS:
  case MN_KIND_COLUMN_VALUES:
  case MN_KIND_GROUPS: return true;
  case MN_KIND_FLAG:
  case MN_KIND_CHOICE:
  case MN_KIND_INDEXES:
  case MN_KIND_CSR:
  case MN_KIND_LEVELS:
  case MN_KIND_NAMES: break;
  case MN_KIND_KERNEL: return (int)p->initial == MN_KERNEL_NONE;
  }
  return false;
}

/* "> 0", "from 0 to 1", "> 0 and <= 1": to follow "must be". */
static void range_text(const mn_param *p, char *text, size_t size)
{
  char low[MN_NUMBER_SIZE], high[MN_NUMBER_SIZE];
  const char *a = mn_format_number(low, p->low), *b = mn_format_number(high, p->high);
  if (isinf(p->low) && isinf(p->high))
    snprintf(text, size, "finite");
  else if (isinf(p->high))
    snprintf(text, size, "%s %s", p->open_low ? ">" : ">=", a);
  else if (isinf(p->low))
    snprintf(text, size, "%s %s", p->open_high ? "<" : "<=", b);
  else if (p->open_low || p->open_high)
    snprintf(text, size, "%s %s and %s %s", p->open_low ? ">" : ">=", a, p->open_high ? "<" : "<=", b);
  else
    snprintf(text, size, "from %s to %s", a, b);
}

static void join_choices(const char *const *choices, char *text, size_t size)
{
  size_t used = 0;
  text[0] = '\0';
  for (size_t i = 0; choices[i] && used < size; i++)
    used += (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? ", " : "", choices[i]);
}

/* "a number > 0 or nil", "a matrix of finite numbers" */
static void numbers_text(const mn_param *p, const char *before, const char *noun, char *text, size_t size)
{
  char range[EXPECTED_SIZE];
  const char *unset = can_be_unset(p) ? " or nil" : "";
  range_text(p, range, sizeof range);
  if (isinf(p->low) && isinf(p->high))
    snprintf(text, size, "%s%s %s%s", before, range, noun, unset);
  else
    snprintf(text, size, "%s%s %s%s", before, noun, range, unset);
}

const char *mn_param_expected(const mn_param *p, char *text, size_t size)
{
  char choices[EXPECTED_SIZE];
  switch (p->kind) {
  case MN_KIND_REAL: numbers_text(p, "a ", "number", text, size); break;
  case MN_KIND_COUNT: numbers_text(p, "a ", "whole number", text, size); break;
  case MN_KIND_FLAG: snprintf(text, size, "true or false"); break;
  case MN_KIND_CHOICE:
    join_choices(p->choices, choices, sizeof choices);
    snprintf(text, size, "one of %s", choices);
    break;
  case MN_KIND_VECTOR: numbers_text(p, p->or_number ? "a number or " : "", "numbers", text, size); break;
  case MN_KIND_MATRIX: numbers_text(p, "a matrix of ", "numbers", text, size); break;
  case MN_KIND_GROUPS: numbers_text(p, "lists of columns, or a matrix of ", "numbers", text, size); break;
  case MN_KIND_KERNEL:
    join_choices(p->choices, choices, sizeof choices);
    snprintf(text, size, "a kernel, or one of %s%s", choices, can_be_unset(p) ? ", or nil" : "");
    break;
  case MN_KIND_COLUMN: snprintf(text, size, "a column by number or name%s", can_be_unset(p) ? " or nil" : ""); break;
  case MN_KIND_COLUMNS:
    if (p->words)
      snprintf(text, size, "a list of strings or nil");
    else
      snprintf(text, size, p->labels ? "a list of labels or nil" : "columns by number or name, or nil");
    break;
  case MN_KIND_COLUMN_VALUES:
    numbers_text(p, p->labels ? "a list or a table by label of " : "a list or a table by column of ", "numbers", text,
                 size);
    break;
  case MN_KIND_TEXT: snprintf(text, size, "a string%s", can_be_unset(p) ? " or nil" : ""); break;
  case MN_KIND_INDEXES:
  case MN_KIND_CSR:
  case MN_KIND_LEVELS:
  case MN_KIND_NAMES: snprintf(text, size, "learned"); break;
  }
  return text;
}

/* False for NaN, as every comparison with NaN is false. */
static bool in_range(const mn_param *p, double value)
{
  const bool above = p->open_low ? value > p->low : value >= p->low;
  const bool below = p->open_high ? value < p->high : value <= p->high;
  return above && below;
}

static mn_status out_of_range(mn_context *ctx, const char *who, const mn_param *p, double value)
{
  char range[EXPECTED_SIZE], number[MN_NUMBER_SIZE];
  range_text(p, range, sizeof range);
  const char *finite = isinf(value) && !isinf(p->low) != !isinf(p->high) ? "finite and " : "";
  return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s must be %s%s, got %s", who, p->name, finite, range,
                 mn_format_number(number, value));
}

mn_status mn_wrong_type(mn_context *ctx, const char *who, const mn_param *p, const char *got)
{
  char expected[EXPECTED_SIZE];
  return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s must be %s, got %s", who, p->name,
                 mn_param_expected(p, expected, sizeof expected), got);
}

static void set_column(mn_context *ctx, void *base, const mn_param *p, mn_feature value)
{
  mn_value_free(mn_context_memory(ctx), p->kind, mn_member(base, p->offset));
  *(mn_feature *)mn_member(base, p->offset) = value;
}

mn_status mn_set_number(mn_context *ctx, const char *who, void *base, const mn_param *p, double value)
{
  char number[MN_NUMBER_SIZE];
  if (p->or_number) return mn_set_vector(ctx, who, base, p, (mn_vector){ .at = &value, .size = 1 });
  if (p->kind != MN_KIND_REAL && p->kind != MN_KIND_COUNT && p->kind != MN_KIND_COLUMN)
    return mn_wrong_type(ctx, who, p, mn_format_number(number, value));
  if (!in_range(p, value)) return out_of_range(ctx, who, p, value);
  if (p->kind == MN_KIND_REAL) {
    *(double *)mn_member(base, p->offset) = value;
    return MN_OK;
  }
  if (value != floor(value) || fabs(value) > 0x1p53)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s must be a whole number, got %s", who, p->name,
                   mn_format_number(number, value));
  if (p->kind == MN_KIND_COUNT)
    *(int64_t *)mn_member(base, p->offset) = (int64_t)value;
  else
    set_column(ctx, base, p, (mn_feature){ .number = (int64_t)value });
  return MN_OK;
}

static bool has_choice(const mn_param *p, const char *name)
{
  for (size_t n = 0; p->choices[n]; n++)
    if (strcmp(p->choices[n], name) == 0) return true;
  return false;
}

mn_status mn_set_flag(mn_context *ctx, const char *who, void *base, const mn_param *p, bool value)
{
  if (p->kind == MN_KIND_CHOICE && has_choice(p, "yes") && has_choice(p, "no"))
    return mn_set_choice(ctx, who, base, p, value ? "yes" : "no");
  if (p->kind != MN_KIND_FLAG) return mn_wrong_type(ctx, who, p, value ? "true" : "false");
  *(bool *)mn_member(base, p->offset) = value;
  return MN_OK;
}

mn_status mn_set_choice(mn_context *ctx, const char *who, void *base, const mn_param *p, const char *name)
{
  size_t n = 0;
  for (; p->choices[n]; n++) {
    if (strcmp(p->choices[n], name) != 0) continue;
    *(int64_t *)mn_member(base, p->offset) = (int64_t)n;
    return MN_OK;
  }
  char all[EXPECTED_SIZE];
  join_choices(p->choices, all, sizeof all);
  const char *near = mn_nearest_name(name, p->choices, n);
  if (near)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s must be one of %s, got '%s'; did you mean '%s'?", who, p->name, all,
                   name, near);
  return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s must be one of %s, got '%s'", who, p->name, all, name);
}

/* The numbers of a vector, or those given for columns by name, are in the range of the parameter; those of COLUMNS are
 * whole. With `holes`, NaN stands for a value that is not there. */
static mn_status check_numbers(mn_context *ctx, const char *who, const mn_param *p, const mn_vector *value,
                               const mn_names *names, bool holes)
{
  char range[EXPECTED_SIZE], number[MN_NUMBER_SIZE];
  range_text(p, range, sizeof range);
  for (size_t i = 0; i < value->size; i++) {
    const double x = value->at[i];
    if (holes && isnan(x)) continue;
    if (!in_range(p, x) && names)
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s must be %s, got %s for '%s'", who, p->name, range,
                     mn_format_number(number, x), names->at[i]);
    if (!in_range(p, x))
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s must be %s, got %s at position %zu", who, p->name, range,
                     mn_format_number(number, x), i + 1);
    if (p->kind == MN_KIND_COLUMNS && !p->labels && x != floor(x))
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s must be whole numbers, got %s at position %zu", who, p->name,
                     mn_format_number(number, x), i + 1);
  }
  return MN_OK;
}

mn_status mn_set_columns(mn_context *ctx, const char *who, void *base, const mn_param *p, const mn_feature_list *value)
{
  if (p->kind != MN_KIND_COLUMNS && p->kind != MN_KIND_COLUMN_VALUES) return mn_wrong_type(ctx, who, p, "columns");
  const size_t names = value->name.size, numbers = value->value.size;
  if (p->words && numbers > 0) return mn_wrong_type(ctx, who, p, "numbers");
  if (names > 0 && numbers != (p->kind == MN_KIND_COLUMNS ? 0 : names))
    return mn_wrong_type(ctx, who, p, p->kind == MN_KIND_COLUMNS ? "numbers and names" : "names without numbers");
  const bool holes = p->kind == MN_KIND_COLUMN_VALUES && !p->labels && names == 0;
  mn_feature_list copy = { 0 };
  MN_TRY(check_numbers(ctx, who, p, &value->value, names > 0 ? &value->name : NULL, holes));
  MN_TRY(mn_value_copy(ctx, p->kind, value, &copy));
  mn_value_free(mn_context_memory(ctx), p->kind, mn_member(base, p->offset));
  *(mn_feature_list *)mn_member(base, p->offset) = copy;
  return MN_OK;
}

mn_status mn_set_vector(mn_context *ctx, const char *who, void *base, const mn_param *p, mn_vector value)
{
  const bool columns = p->kind == MN_KIND_COLUMNS || p->kind == MN_KIND_COLUMN_VALUES;
  if (!columns && p->kind != MN_KIND_VECTOR) return mn_wrong_type(ctx, who, p, "a list of numbers");
  MN_TRY(check_numbers(ctx, who, p, &value, NULL, p->missing));
  if (columns) return mn_set_columns(ctx, who, base, p, &(mn_feature_list){ .value = value });
  mn_vector copy = { 0 };
  MN_TRY(mn_value_copy(ctx, p->kind, &value, &copy));
  mn_value_free(mn_context_memory(ctx), p->kind, mn_member(base, p->offset));
  *(mn_vector *)mn_member(base, p->offset) = copy;
  return MN_OK;
}

mn_status mn_set_matrix(mn_context *ctx, const char *who, void *base, const mn_param *p, mn_matrix value)
{
  if (p->kind != MN_KIND_MATRIX && p->kind != MN_KIND_GROUPS) return mn_wrong_type(ctx, who, p, "a matrix");
  char range[EXPECTED_SIZE], number[MN_NUMBER_SIZE];
  range_text(p, range, sizeof range);
  for (size_t i = 0; i < value.rows * value.cols; i++)
    if (!in_range(p, value.at[i]))
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s must be %s, got %s in row %zu, column %zu", who, p->name, range,
                     mn_format_number(number, value.at[i]), i / value.cols + 1, i % value.cols + 1);
  mn_matrix copy = { 0 };
  MN_TRY(mn_value_copy(ctx, MN_KIND_MATRIX, &value, &copy));
  mn_value_free(mn_context_memory(ctx), p->kind, mn_member(base, p->offset));
  if (p->kind == MN_KIND_GROUPS)
    *(mn_feature_groups *)mn_member(base, p->offset) = (mn_feature_groups){ .table = copy };
  else
    *(mn_matrix *)mn_member(base, p->offset) = copy;
  return MN_OK;
}

/* Each list must have columns, and give all of them by number or all by name. */
static mn_status check_lists(mn_context *ctx, const char *who, const mn_param *p, const mn_feature_groups *lists)
{
  const int32_t *group = lists->group.at, *column = lists->column.at;
  const size_t n = lists->group.size;
  if (n == 0 || lists->column.size != n || lists->name.size != n) return mn_wrong_type(ctx, who, p, "no columns");
  for (size_t i = 0; i < n; i++) {
    const int32_t list = i > 0 ? group[i - 1] : 0;
    const bool named = lists->name.at[i][0] != '\0';
    if (group[i] != list && (i == 0 || group[i] != list + 1))
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s must have at least one column in each list, got none in list %d",
                     who, p->name, i > 0 ? list + 2 : 1);
    if (named != (column[i] == -1) || column[i] < -1)
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s must give columns by number, from 1, or by name", who, p->name);
    if (i > 0 && group[i] == list && named != (column[i - 1] == -1))
      return mn_fail(ctx, MN_BAD_ARGUMENT,
                     "%s: %s must give the columns of a list all by number or all by name, got both in list %d", who,
                     p->name, list + 1);
  }
  return MN_OK;
}

mn_status mn_set_lists(mn_context *ctx, const char *who, void *base, const mn_param *p, const mn_feature_groups *lists)
{
  if (p->kind != MN_KIND_GROUPS) return mn_wrong_type(ctx, who, p, "lists of columns");
  MN_TRY(check_lists(ctx, who, p, lists));
  mn_feature_groups copy = { 0 };
  MN_TRY(mn_value_copy(ctx, p->kind, lists, &copy));
  mn_value_free(mn_context_memory(ctx), p->kind, mn_member(base, p->offset));
  *(mn_feature_groups *)mn_member(base, p->offset) = copy;
  return MN_OK;
}

/* Set words from one string, which must be a choice if there are any. */
static mn_status set_word(mn_context *ctx, const char *who, void *base, const mn_param *p, const char *word)
{
  if (p->choices && !has_choice(p, word)) {
    char all[EXPECTED_SIZE];
    size_t n = 0;
    while (p->choices[n]) n++;
    const char *near = mn_nearest_name(word, p->choices, n);
    join_choices(p->choices, all, sizeof all);
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s must be a list of strings, or %s, got '%s'; %s%s%s", who, p->name, all,
                   word, near ? "did you mean '" : "for one word pass { '", near ? near : word, near ? "'?" : "' }");
  }
  return mn_set_columns(ctx, who, base, p,
                        &(mn_feature_list){ .name = { .at = (char *[]){ (char *)word }, .size = 1 } });
}

mn_status mn_set_text(mn_context *ctx, const char *who, void *base, const mn_param *p, const char *bytes, size_t size)
{
  if (p->kind == MN_KIND_CHOICE && strlen(bytes) == size) return mn_set_choice(ctx, who, base, p, bytes);
  if (p->kind == MN_KIND_KERNEL && strlen(bytes) == size) return mn_set_kernel_name(ctx, who, base, p, bytes);
  if (p->words && strlen(bytes) == size) return set_word(ctx, who, base, p, bytes);
  if (p->kind != MN_KIND_TEXT && p->kind != MN_KIND_COLUMN) {
    char got[64];
    snprintf(got, sizeof got, "string \"%.40s\"", bytes);
    return mn_wrong_type(ctx, who, p, got);
  }
  mn_text copy;
  MN_TRY(mn_text_init(ctx, &copy, bytes, size));
  if (p->kind == MN_KIND_COLUMN) {
    set_column(ctx, base, p, (mn_feature){ .number = MN_UNSET, .name = copy });
    return MN_OK;
  }
  mn_value_free(mn_context_memory(ctx), p->kind, mn_member(base, p->offset));
  *(mn_text *)mn_member(base, p->offset) = copy;
  return MN_OK;
}

mn_status mn_unset(mn_context *ctx, const char *who, void *base, const mn_param *p)
{
  if (!can_be_unset(p)) return mn_wrong_type(ctx, who, p, "nil");
  void *slot = mn_member(base, p->offset);
  mn_value_free(mn_context_memory(ctx), p->kind, slot);
  init_value(p, slot);
  return MN_OK;
}

bool mn_param_is_set(const void *base, const mn_param *p)
{
  const void *slot = mn_member(base, p->offset);
  switch (p->kind) {
  case MN_KIND_REAL: return !isnan(*(const double *)slot);
  case MN_KIND_COUNT: return *(const int64_t *)slot != MN_UNSET;
  case MN_KIND_VECTOR: return ((const mn_vector *)slot)->at != NULL;
  case MN_KIND_MATRIX: return ((const mn_matrix *)slot)->at != NULL;
  case MN_KIND_TEXT: return ((const mn_text *)slot)->bytes != NULL;
  case MN_KIND_GROUPS: return mn_groups_are_set(slot);
  case MN_KIND_KERNEL: return mn_kernel_is_set(slot);
  case MN_KIND_COLUMN: return mn_column_is_set(slot);
  case MN_KIND_COLUMNS:
  case MN_KIND_COLUMN_VALUES: return mn_columns_are_set(slot);
  case MN_KIND_FLAG:
  case MN_KIND_CHOICE:
  case MN_KIND_INDEXES:
  case MN_KIND_CSR:
  case MN_KIND_LEVELS:
  case MN_KIND_NAMES: break;
  }
  return true;
}
