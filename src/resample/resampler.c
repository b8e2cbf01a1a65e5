#include "resampler.h"
#include "../model/program.h"
#include "../preprocess/sparse_values.h"
#include <string.h>

enum { AUTO, MINORITY, NOT_MINORITY, NOT_MAJORITY, ALL };
const char *const mn_oversampling_names[] = { "auto", "minority", "not minority", "not majority", "all", NULL };
const char *const mn_undersampling_names[] = { "auto", "majority", "not minority", "not majority", "all", NULL };
enum { MAJORITY = MINORITY, TEXT_SIZE = 64 };

const char *mn_class_text(const mn_resampler *m, size_t c, char *text, size_t size)
{
  return mn_format_label(text, size, mn_levels_at(m->base.classes, c));
}

/* --- how many rows are wanted --- */

static mn_status count_classes(mn_context *ctx, mn_resampler *m, const mn_data *data)
{
  MN_TRY(mn_vector_init(ctx, &m->class_counts, data->classes));
  MN_TRY(mn_vector_init(ctx, &m->target_counts, data->classes));
  for (size_t i = 0; i < data->rows; i++) m->class_counts.at[data->code[i]]++;
  memcpy(m->target_counts.at, m->class_counts.at, data->classes * sizeof(double));
  return MN_OK;
}

/* The first class with the fewest rows, or the most. */
static size_t extreme_class(const mn_resampler *m, const double *n, bool largest)
{
  size_t found = 0;
  for (size_t c = 1; c < m->class_counts.size; c++)
    if (largest ? n[c] > n[found] : n[c] < n[found]) found = c;
  return found;
}

size_t mn_smallest_class(const mn_resampler *m)
{
  return extreme_class(m, m->class_counts.at, false);
}

/* The class of an entry of counts, by the text of its label; as many as there are classes if there is none. */
static size_t find_class(const mn_resampler *m, const char *name)
{
  size_t c = 0;
  for (; c < m->class_counts.size; c++) {
    const mn_label label = mn_levels_at(m->base.classes, c);
    char text[TEXT_SIZE];
    if (label.kind == MN_LABEL_TEXT) {
      if (label.as.text.size == strlen(name) && memcmp(label.as.text.bytes, name, label.as.text.size) == 0) break;
    } else if (strcmp(mn_format_label(text, sizeof text, label), name) == 0) {
      break;
    }
  }
  return c;
}

static mn_status set_count(mn_context *ctx, mn_resampler *m, size_t c, double wanted, bool over)
{
  const char *who = m->base.class->name;
  const double present = m->class_counts.at[c];
  char text[TEXT_SIZE], number[MN_NUMBER_SIZE];
  mn_class_text(m, c, text, sizeof text);
  if (wanted != floor(wanted) || wanted > (double)INT32_MAX)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: counts must be whole numbers up to %d, got %s for class %s", who,
                   INT32_MAX, mn_format_number(number, wanted), text);
  if (over ? wanted < present : wanted > present)
    return mn_fail(ctx, MN_BAD_DATA, "%s: counts of class %s must be at %s the %g rows that it has, got %s; %s", who,
                   text, over ? "least" : "most", present, mn_format_number(number, wanted),
                   over ? "use RandomUnderSampler to remove rows" : "use RandomOverSampler or SMOTE to add rows");
  m->target_counts.at[c] = wanted;
  return MN_OK;
}

static mn_status use_counts(mn_context *ctx, mn_resampler *m, bool over)
{
  const mn_feature_list *counts = &m->counts;
  const size_t classes = m->class_counts.size, n = counts->value.size;
  if (counts->name.size == 0 && n != classes)
    return mn_fail(ctx, MN_BAD_DATA, "%s: counts must have a number for each of the %zu classes, got %zu",
                   m->base.class->name, classes, n);
  for (size_t i = 0; i < n; i++) {
    const size_t c = counts->name.size > 0 ? find_class(m, counts->name.at[i]) : i;
    if (c == classes)
      return mn_fail(ctx, MN_BAD_DATA, "%s: counts names the class '%s', which y does not have", m->base.class->name,
                     counts->name.at[i]);
    MN_TRY(set_count(ctx, m, c, counts->value.at[i], over));
  }
  return MN_OK;
}

static mn_status use_ratio(mn_context *ctx, mn_resampler *m, bool over)
{
  const char *who = m->base.class->name;
  const size_t small = mn_smallest_class(m), large = 1 - small;
  if (m->class_counts.size != 2)
    return mn_fail(ctx, MN_BAD_DATA, "%s: ratio requires two classes, y has %zu; use counts or sampling_strategy", who,
                   m->class_counts.size);
  const double n_small = m->class_counts.at[small], n_large = m->class_counts.at[large];
  const double wanted = over ? floor(m->ratio * n_large) : floor(n_small / m->ratio);
  if (over ? wanted < n_small : wanted > n_large)
    return mn_fail(ctx, MN_BAD_DATA, "%s: ratio must be at least the present %.4g (%g rows to %g), got %g", who,
                   n_small / n_large, n_small, n_large, m->ratio);
  m->target_counts.at[over ? small : large] = wanted;
  return MN_OK;
}

static bool is_resampled(const mn_resampler *m, const double *n, size_t c, bool over)
{
  const size_t small = extreme_class(m, n, false), large = extreme_class(m, n, true);
  switch (m->sampling_strategy) {
  case AUTO: return c != (over ? large : small);
  case MINORITY: return c == (over ? small : large);
  case NOT_MINORITY: return c != small;
  case NOT_MAJORITY: return c != large;
  default: return true;
  }
}

static mn_status find_targets(mn_context *ctx, mn_resampler *m, const mn_data *data, bool over)
{
  MN_TRY(count_classes(ctx, m, data));
  const bool counts = mn_columns_are_set(&m->counts), ratio = !isnan(m->ratio);
  if (counts + ratio + (m->sampling_strategy != AUTO) > 1)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: set only one of sampling_strategy, ratio and counts",
                   m->base.class->name);
  if (counts) return use_counts(ctx, m, over);
  if (ratio) return use_ratio(ctx, m, over);
  const double wanted = m->class_counts.at[extreme_class(m, m->class_counts.at, over)];
  for (size_t c = 0; c < m->class_counts.size; c++)
    if (is_resampled(m, m->class_counts.at, c, over)) m->target_counts.at[c] = wanted;
  return MN_OK;
}

mn_status mn_oversampler_fit(mn_context *ctx, void *self, const mn_data *data)
{
  return find_targets(ctx, self, data, true);
}

mn_status mn_undersampler_fit(mn_context *ctx, void *self, const mn_data *data)
{
  return find_targets(ctx, self, data, false);
}

bool mn_may_lose_rows(const mn_resampler *m, const double *counts, size_t c)
{
  return is_resampled(m, counts, c, false);
}

mn_status mn_cleaner_fit(mn_context *ctx, void *self, const mn_data *data)
{
  mn_resampler *m = self;
  MN_TRY(count_classes(ctx, m, data));
  mn_vector_free(mn_context_memory(ctx), &m->target_counts); /* not a field of cleaners */
  return MN_OK;
}

/* --- outside of fit --- */

mn_status mn_resampler_transform_sparse(mn_context *ctx, const void *self, const mn_data *data, mn_csr *out)
{
  (void)self;
  return mn_copy_sparse(ctx, data->sparse, out);
}

mn_status mn_resampler_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  if (data->sparse) return mn_dense_transform(ctx, self, data, mn_resampler_transform_sparse, out);
  memcpy(out->at, data->x.at, data->rows * data->features * sizeof *out->at);
  return MN_OK;
}

mn_status mn_resampler_export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  (void)ctx;
  (void)self;
  if (action == MN_TRANSFORM_X) mn_program_code(program, "for j < features { out[j] = x[j] }");
  return MN_OK;
}

const mn_levels *mn_resampler_output_levels(const void *self, size_t j)
{
  const mn_estimator *m = self;
  return m->feature_levels.size > 0 ? m->feature_levels.at[j] : NULL;
}

/* --- results --- */

mn_status mn_rows_of_class(mn_context *ctx, const mn_data *data, size_t c, size_t **row, size_t *n)
{
  *row = MN_RAW(ctx, size_t, data->rows, 1);
  *n = 0;
  MN_CHECK_ALLOC(*row);
  for (size_t i = 0; i < data->rows; i++)
    if ((size_t)data->code[i] == c) (*row)[(*n)++] = i;
  return MN_OK;
}

mn_status mn_keep_rows(mn_context *ctx, const mn_data *data, const bool *keep, mn_resampled *out)
{
  *out = (mn_resampled){ .source = MN_RAW(ctx, size_t, data->rows, 1) };
  MN_CHECK_ALLOC(out->source);
  for (size_t i = 0; i < data->rows; i++)
    if (keep[i]) out->source[out->rows++] = i;
  return MN_OK;
}

mn_status mn_keep_cleaned(mn_context *ctx, const mn_resampler *m, const mn_data *data, const bool *keep,
                          mn_resampled *out)
{
  double *left = MN_NEW(ctx, double, data->classes, 1);
  char text[TEXT_SIZE];
  MN_CHECK_ALLOC(left);
  for (size_t i = 0; i < data->rows; i++) left[data->code[i]] += keep[i];
  for (size_t c = 0; c < data->classes; c++)
    if (left[c] == 0)
      return mn_fail(ctx, MN_BAD_DATA,
                     "%s: this would remove all %g rows of class %s; choose a sampling_strategy that keeps them, or "
                     "remove %s",
                     m->base.class->name, m->class_counts.at[c], mn_class_text(m, c, text, sizeof text),
                     m->base.class->name);
  return mn_keep_rows(ctx, data, keep, out);
}

size_t mn_missing_rows(const mn_resampler *m)
{
  double more = 0;
  for (size_t c = 0; c < m->class_counts.size; c++) more += m->target_counts.at[c] - m->class_counts.at[c];
  return (size_t)more;
}

mn_status mn_begin_more_rows(mn_context *ctx, const mn_data *data, size_t more, bool made, mn_resampled *out)
{
  *out = (mn_resampled){ .rows = data->rows, .source = MN_RAW(ctx, size_t, data->rows + more, 1) };
  MN_CHECK_ALLOC(out->source);
  if (made) {
    out->made = (mn_matrix){ .at = MN_RAW(ctx, double, more, data->features), .cols = data->features };
    MN_CHECK_ALLOC(out->made.at);
  }
  for (size_t i = 0; i < data->rows; i++) out->source[i] = i;
  return MN_OK;
}

double *mn_add_row(mn_resampled *out, size_t source)
{
  out->source[out->rows++] = source;
  return mn_row(&out->made, out->made.rows++);
}

void mn_interpolate(const double *a, const double *b, size_t p, double u, double *out)
{
  for (size_t j = 0; j < p; j++) {
    const double z = a[j] + u * (b[j] - a[j]), low = fmin(a[j], b[j]), high = fmax(a[j], b[j]);
    out[j] = fmin(fmax(z, low), high);
  }
}
