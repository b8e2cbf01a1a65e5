#include "categories.h"
#include "../preprocess/column_values.h"
#include "../preprocess/names.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_DIRECT = 1 << 16 };

struct work {
  const mn_data *data;
  struct mn_category_options options;
  struct mn_categories *c;
  double total;    /* sum of the sample weights */
  int32_t **group; /* features: a group for each category */
};

/* A category and its weight. */
struct category_weight {
  double weight;
  size_t category;
};

static bool is_factor(const mn_data *data, size_t j)
{
  return data->levels && data->levels[j];
}

static void sort_column(void *work, size_t j, struct mn_column_values *values)
{
  const struct work *w = work;
  if (!is_factor(w->data, j)) mn_group_column(values);
}

static mn_label make_label(double value, bool whole)
{
  if (whole) return (mn_label){ .kind = MN_LABEL_INTEGER, .as.integer = (int64_t)value };
  return (mn_label){ .kind = MN_LABEL_FLOAT, .as.number = value };
}

static size_t count_distinct(const struct mn_column_values *values, bool *whole)
{
  size_t n = 0, i = 0;
  double value, weight;
  for (*whole = true; mn_next_distinct(values, &i, &value, &weight); n++)
    *whole = *whole && value == floor(value) && fabs(value) < 0x1p53;
  return n;
}

/* The distinct values of a sorted column as levels, with their weights. */
static mn_status levels_of_numbers(mn_context *ctx, const struct mn_column_values *values, const mn_levels **levels,
                                   struct category_weight **totals)
{
  bool whole;
  const size_t n = count_distinct(values, &whole);
  mn_label *label = MN_RAW(ctx, mn_label, n, 1);
  *totals = MN_NEW(ctx, struct category_weight, n + 1, 1);
  if (!label || !*totals) return MN_NO_MEMORY;
  double value;
  for (size_t k = 0, i = 0; k < n && mn_next_distinct(values, &i, &value, &(*totals)[k].weight); k++)
    label[k] = make_label(value, whole);
  *levels = mn_levels_new(ctx, label, n, NULL);
  return *levels ? MN_OK : mn_error_status(ctx);
}

static mn_status count_codes(mn_context *ctx, const struct mn_column_values *values, size_t n,
                             struct category_weight **totals)
{
  *totals = MN_NEW(ctx, struct category_weight, n + 1, 1);
  MN_CHECK_ALLOC(*totals);
  for (size_t i = 0; i < values->size; i++)
    (*totals)[(size_t)values->at[i]].weight += values->weight ? values->weight[i] : 1;
  return MN_OK;
}

static int compare_weights(const void *a, const void *b)
{
  const struct category_weight *x = a, *y = b;
  if (x->weight < y->weight || x->weight > y->weight) return x->weight < y->weight ? -1 : 1;
  return (x->category > y->category) - (x->category < y->category);
}

/* Set rare[k] if category k is infrequent. As in scikit-learn: first the categories below min_frequency, then as many
 * of the rarest (ties by lowest index) as max_categories requires, counting the infrequent group. */
static void find_rare(const struct work *w, struct category_weight *totals, size_t n, bool *rare)
{
  const double given = w->options.min_frequency, exact = given < 1 ? given * w->total : given;
  const double min_weight = w->data->weights ? exact * (1 - 1e-9) : exact; /* sums of weights are rounded */
  size_t n_rare = 0;
  for (size_t k = 0; k < n; k++) {
    totals[k].category = k;
    rare[k] = totals[k].weight < min_weight; /* false for NaN: no bound */
    n_rare += rare[k];
  }
  const size_t n_groups = n - n_rare + (n_rare > 0);
  if (w->options.max_categories == MN_UNSET || n_groups <= (size_t)w->options.max_categories) return;
  const size_t kept = (size_t)w->options.max_categories - 1;
  qsort(totals, n, sizeof *totals, compare_weights);
  for (size_t k = 0; k + kept < n; k++) rare[totals[k].category] = true;
}

static mn_status make_groups(mn_context *ctx, struct work *w, size_t j, struct category_weight *totals, size_t n)
{
  bool *rare = MN_RAW(ctx, bool, n, 1);
  w->group[j] = MN_RAW(ctx, int32_t, n, 1);
  if (!rare || !w->group[j]) return MN_NO_MEMORY;
  find_rare(w, totals, n, rare);
  int32_t groups = 0;
  for (size_t k = 0; k < n; k++)
    if (!rare[k]) w->group[j][k] = groups++;
  const bool any = (size_t)groups < n;
  for (size_t k = 0; k < n; k++)
    if (rare[k]) w->group[j][k] = groups;
  w->c->infrequent.at[j] = any ? groups : -1;
  w->c->groups.at[j] = groups + any;
  return MN_OK;
}

static mn_status learn_column(mn_context *ctx, void *work, size_t j, struct mn_column_values *values)
{
  struct work *w = work;
  struct category_weight *totals;
  if (is_factor(w->data, j)) {
    w->c->levels.at[j] = mn_levels_retain(w->data->levels[j]);
    MN_TRY(count_codes(ctx, values, mn_levels_size(w->data->levels[j]), &totals));
  } else {
    MN_TRY(levels_of_numbers(ctx, values, &w->c->levels.at[j], &totals));
  }
  const size_t levels = mn_levels_size(w->c->levels.at[j]);
  const bool missing = w->options.missing && values->missing > 0;
  w->c->missing.at[j] = missing;
  if (missing) totals[levels].weight = values->missing;
  return make_groups(ctx, w, j, totals, levels + missing);
}

static mn_status flatten_groups(mn_context *ctx, struct work *w)
{
  size_t slots = 0, at = 0;
  for (size_t j = 0; j < w->data->features; j++) slots += mn_category_count(w->c, j);
  MN_TRY(mn_indexes_init(ctx, &w->c->group, slots));
  for (size_t j = 0; j < w->data->features; j++) {
    const size_t n = mn_category_count(w->c, j);
    if (n > 0) memcpy(w->c->group.at + at, w->group[j], n * sizeof **w->group);
    at += n;
  }
  return MN_OK;
}

mn_status mn_learn_categories(mn_context *ctx, const mn_data *given, struct mn_category_options options,
                              struct mn_categories *c)
{
  const size_t p = given->features;
  mn_data data;
  MN_TRY(mn_frequency_weights(ctx, given, &data));
  struct work w = { .data = &data, .options = options, .c = c };
  w.total = mn_total_weight(&data);
  MN_TRY(mn_levels_list_init(ctx, &c->levels, p));
  MN_TRY(mn_indexes_init(ctx, &c->missing, p));
  MN_TRY(mn_indexes_init(ctx, &c->groups, p));
  MN_TRY(mn_indexes_init(ctx, &c->infrequent, p));
  w.group = MN_NEW(ctx, int32_t *, p, 1);
  MN_CHECK_ALLOC(w.group);
  MN_TRY(mn_for_each_column(ctx, &data, sort_column, learn_column, &w));
  return flatten_groups(ctx, &w);
}

size_t mn_category_count(const struct mn_categories *c, size_t j)
{
  return mn_levels_size(c->levels.at[j]) + (c->missing.at[j] > 0);
}

const int32_t *mn_category_groups(const struct mn_categories *c, size_t j)
{
  size_t at = 0;
  for (size_t k = 0; k < j; k++) at += mn_category_count(c, k);
  return c->group.at + at;
}

/* The first category of group g of column j; the only one unless g is the infrequent group. */
static size_t category_of_group(const struct mn_categories *c, size_t j, size_t g)
{
  const int32_t *group = mn_category_groups(c, j);
  size_t k = 0;
  while (group[k] != (int32_t)g) k++;
  return k;
}

static double label_value(mn_label label)
{
  return label.kind == MN_LABEL_INTEGER ? (double)label.as.integer : label.as.number;
}

static bool was_factor(const mn_estimator *model, size_t j)
{
  return model->feature_levels.size > 0 && model->feature_levels.at[j];
}

double mn_category_value(const struct mn_categories *c, const mn_estimator *model, size_t j, size_t category)
{
  if (category >= mn_levels_size(c->levels.at[j])) return (double)NAN;
  return was_factor(model, j) ? (double)category : label_value(mn_levels_at(c->levels.at[j], category));
}

void mn_group_name(const struct mn_categories *c, const char *const *inputs, size_t j, size_t g, char *text,
                   size_t size)
{
  char own[MN_INPUT_NAME_SIZE], label[MN_INPUT_NAME_SIZE];
  const char *column = mn_input_name(inputs, j, own);
  if ((int32_t)g == c->infrequent.at[j]) {
    snprintf(text, size, "%s_infrequent", column);
    return;
  }
  const size_t category = category_of_group(c, j, g);
  if (category >= mn_levels_size(c->levels.at[j]))
    snprintf(text, size, "%s_missing", column);
  else
    snprintf(text, size, "%s_%s", column,
             mn_format_label(label, sizeof label, mn_levels_at(c->levels.at[j], category)));
}

static bool column_is_valid(const struct mn_categories *c, const mn_estimator *model, size_t j, const int32_t *group)
{
  const size_t n = mn_category_count(c, j);
  const int32_t groups = c->groups.at[j], rare = c->infrequent.at[j];
  int32_t next = 0;
  for (size_t k = 0; k < n; k++) {
    if (group[k] == next && next != rare)
      next++;
    else if (group[k] != rare || rare < 0)
      return false;
  }
  for (size_t k = 0; !was_factor(model, j) && k < mn_levels_size(c->levels.at[j]); k++) {
    const mn_label_kind kind = mn_levels_at(c->levels.at[j], k).kind;
    if (kind != MN_LABEL_INTEGER && kind != MN_LABEL_FLOAT) return false;
  }
  return groups == next + (rare >= 0) && (rare < 0 || rare == next);
}

bool mn_categories_are_valid(const struct mn_categories *c, const mn_estimator *model)
{
  size_t slots = 0;
  if (!c->levels.at || !c->missing.at || !c->groups.at || !c->infrequent.at) return false;
  for (size_t j = 0; j < c->levels.size; j++) {
    if (!c->levels.at[j] || c->missing.at[j] < 0 || c->missing.at[j] > 1) return false;
    if (was_factor(model, j) && mn_levels_size(model->feature_levels.at[j]) != mn_levels_size(c->levels.at[j]))
      return false;
    slots += mn_category_count(c, j);
  }
  if (slots != c->group.size) return false;
  slots = 0;
  for (size_t j = 0; j < c->levels.size; slots += mn_category_count(c, j++))
    if (!column_is_valid(c, model, j, c->group.at + slots)) return false;
  return true;
}

mn_status mn_make_direct(mn_context *ctx, struct mn_lookup *l)
{
  const double span = l->size > 0 ? l->value[l->size - 1] - l->value[0] : INFINITY;
  if (!(span < MAX_DIRECT)) return MN_OK;
  for (size_t k = 0; k < l->size; k++)
    if (l->value[k] != floor(l->value[k])) return MN_OK;
  const size_t table_size = (size_t)span + 1;
  double *direct = MN_RAW(ctx, double, table_size, 1);
  MN_CHECK_ALLOC(direct);
  for (size_t i = 0; i < table_size; i++) direct[i] = l->unknown;
  for (size_t k = 0; k < l->size; k++) direct[(size_t)(l->value[k] - l->value[0])] = l->result[k];
  l->direct = direct;
  return MN_OK;
}

mn_status mn_make_lookup(mn_context *ctx, const struct mn_categories *c, const mn_estimator *model, size_t j,
                         const double *result, double unknown, struct mn_lookup *l)
{
  const size_t n = mn_levels_size(c->levels.at[j]);
  *l = (struct mn_lookup){ .size = n, .result = result, .missing = unknown, .unknown = unknown };
  if (c->missing.at[j]) l->missing = result[n];
  if (was_factor(model, j)) return MN_OK;
  double *value = MN_RAW(ctx, double, n, 1);
  MN_CHECK_ALLOC(value);
  for (size_t k = 0; k < n; k++) value[k] = label_value(mn_levels_at(c->levels.at[j], k));
  l->value = value;
  return mn_make_direct(ctx, l);
}

double mn_search_category(const struct mn_lookup *l, double x)
{
  const double *base = l->value;
  size_t n = l->size;
  if (n == 0) return l->unknown;
  while (n > 1) { /* the last value <= x, if any, stays within base[0..n-1] */
    const size_t half = n / 2;
    base = base[half] <= x ? base + half : base;
    n -= half;
  }
  return base[0] <= x && base[0] >= x ? l->result[base - l->value] : l->unknown;
}

/* The unknown level in quotes, if it is known. */
static const char *unknown_level_text(const mn_data *data, size_t row, size_t j, char level[MN_INPUT_NAME_SIZE + 2])
{
  char text[MN_INPUT_NAME_SIZE];
  const mn_levels *levels = data->original_levels ? data->original_levels[j] : NULL;
  const double code = data->original ? data->original[row * data->features + j] : -1;
  if (!levels || !(code >= 0 && code < (double)mn_levels_size(levels))) return "another level";
  snprintf(level, MN_INPUT_NAME_SIZE + 2, "'%.60s'",
           mn_format_label(text, sizeof text, mn_levels_at(levels, (size_t)code)));
  return level;
}

mn_status mn_unknown_category(mn_context *ctx, const mn_estimator *model, const mn_data *data, size_t row, size_t j)
{
  char number[MN_NUMBER_SIZE], own[MN_INPUT_NAME_SIZE];
  const char *const *inputs = model->feature_names.size > 0 ? (const char *const *)model->feature_names.at : NULL;
  char level[MN_INPUT_NAME_SIZE + 2];
  const double x = mn_row(&data->x, row)[j];
  const char *got = mn_format_number(number, x);
  if (was_factor(model, j)) got = unknown_level_text(data, row, j, level);
  if (isnan(x))
    got = was_factor(model, j) ? "a missing value (or a level that an earlier step did not see)" : "a missing value";
  return mn_fail(ctx, MN_BAD_DATA, "%s: X must have categories that fit saw, got %s in row %zu, column %zu ('%.60s')%s",
                 model->class->name, got, row + 1, j + 1, mn_input_name(inputs, j, own),
                 "; set handle_unknown to accept it");
}

mn_status mn_lookup_program(mn_context *ctx, const struct mn_lookup *lookup, size_t features, mn_program *program)
{
  size_t slots = 0, at = 0;
  for (size_t j = 0; j < features; j++) slots += lookup[j].size;
  double *missing = MN_RAW(ctx, double, features, 1), *unknown = MN_RAW(ctx, double, features, 1);
  double *value = MN_NEW(ctx, double, slots + 1, 1), *result = MN_NEW(ctx, double, slots + 1, 1);
  int32_t *begin = MN_RAW(ctx, int32_t, features + 1, 1);
  if (!missing || !unknown || !value || !result || !begin) return MN_NO_MEMORY;
  for (size_t j = 0; j < features; at += lookup[j++].size) {
    const struct mn_lookup *l = &lookup[j];
    begin[j] = (int32_t)at;
    missing[j] = l->missing;
    unknown[j] = l->unknown;
    for (size_t k = 0; k < l->size; k++) {
      value[at + k] = l->value ? l->value[k] : (double)k;
      result[at + k] = l->result[k];
    }
  }
  begin[features] = (int32_t)at;
  mn_program_reals(program, "missing", features, missing);
  mn_program_reals(program, "unknown", features, unknown);
  mn_program_reals(program, "value", slots + 1, value);
  mn_program_reals(program, "result", slots + 1, result);
  mn_program_indexes(program, "begin", features + 1, begin);
  mn_program_code(program, "for j < features {"
                           "  real found = unknown[j]"
                           "  if isnan(x[j]) { found = missing[j] }"
                           "  else {"
                           "    int at = begin[j] + count_below(value, begin[j], begin[j + 1] - begin[j], x[j])"
                           "    if at < begin[j + 1] { if value[at] <= x[j] { found = result[at] } }"
                           "  }");
  return MN_OK;
}
