#include "series.h"
#include "../model/columns.h"
#include "../model/program.h"
#include "../preprocess/own_levels.h"
#include "calendar.h"
#include <stdlib.h>

/* A time is that of a lag or the end of a window if it differs by less than this fraction of a unit. */
static const double same_time = 1e-6;

enum { UNIT_NUMBER, UNITS = 6 };
const char *const mn_time_unit_names[] = { "number", "second", "minute", "hour", "day", "week", NULL };
static const double unit_size[UNITS] = { 1, 1, 60, 3600, 86400, 604800 };

/* --- columns --- */

mn_status mn_series_learn(mn_context *ctx, const mn_estimator *model, mn_series_columns *columns, bool drop)
{
  const size_t p = model->n_features;
  size_t group = p, time = p, lagged = 0, kept = 0;
  const mn_levels_list *levels = &model->feature_levels;
  if (mn_column_is_set(&columns->group)) MN_TRY(mn_find_column(ctx, model, "group", &columns->group, &group));
  if (mn_column_is_set(&columns->time)) MN_TRY(mn_find_column(ctx, model, "time", &columns->time, &time));
  if (group < p && group == time)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: group and time must be different columns, got column %zu for both",
                   model->class->name, group + 1);
  MN_TRY(mn_indexes_init(ctx, &columns->lagged, p));
  MN_TRY(mn_indexes_init(ctx, &columns->kept, p));
  for (size_t j = 0; j < p; j++) {
    const bool is_value = j != group && j != time && !(levels->size > 0 && levels->at[j]);
    if (is_value) columns->lagged.at[lagged++] = (int32_t)j;
    if (!is_value || !drop) columns->kept.at[kept++] = (int32_t)j;
  }
  columns->text_time = time < p && levels->size > 0 && levels->at[time] ? (int64_t)time : -1;
  columns->lagged.size = lagged;
  columns->kept.size = kept;
  if (lagged > 0) return MN_OK;
  return mn_fail(ctx, MN_BAD_DATA, "%s: X must have a column of numbers besides group and time", model->class->name);
}

bool mn_series_output_is_whole(const mn_series_columns *columns, size_t j)
{
  return j < columns->kept.size && columns->kept.at[j] == columns->text_time;
}

const mn_levels *mn_series_output_levels(const mn_estimator *model, const mn_series_columns *columns, size_t j)
{
  const mn_levels_list *levels = &model->feature_levels;
  if (levels->size == 0 || j >= columns->kept.size || mn_series_output_is_whole(columns, j)) return NULL;
  return levels->at[columns->kept.at[j]];
}

double *mn_series_write_kept(const mn_series *s, const mn_series_columns *columns, const mn_data *data, size_t place,
                             double *out)
{
  for (size_t j = 0; j < columns->kept.size; j++) {
    const bool seconds = mn_series_output_is_whole(columns, j);
    *out++ = seconds ? round(s->time[place] * unit_size[columns->unit])
                     : mn_row(&data->x, s->row[place])[columns->kept.at[j]];
  }
  return out;
}

/* --- the series and the time of each row --- */

struct key {
  double group, time;
  size_t row;
};

static int by_time(const void *left, const void *right)
{
  const struct key *a = left, *b = right;
  if (a->group < b->group || a->group > b->group) return a->group < b->group ? -1 : 1;
  if (a->time < b->time || a->time > b->time) return a->time < b->time ? -1 : 1;
  return a->row < b->row ? -1 : a->row > b->row;
}

static mn_status need_value(mn_context *ctx, const mn_estimator *model, const char *param, double value, size_t i)
{
  if (value >= -INFINITY && value <= INFINITY) return MN_OK;
  return mn_fail(ctx, MN_BAD_DATA, "%s: %s must be given for every row, got a missing value in row %zu",
                 model->class->name, param, i + 1);
}

static mn_status read_groups(mn_context *ctx, const mn_estimator *model, const mn_feature *column, const mn_data *data,
                             struct key *key)
{
  size_t j;
  MN_TRY(mn_find_column(ctx, model, "group", column, &j));
  const bool factor = data->levels && data->levels[j];
  for (size_t i = 0; i < data->rows; i++) {
    double value = factor ? mn_own_code(data, i, j) : mn_row(&data->x, i)[j];
    if (factor && !(value >= 0)) value = (double)NAN;
    MN_TRY(need_value(ctx, model, "group", value, i));
    key[i].group = value;
  }
  return MN_OK;
}

/* Seconds of the levels of a factor column; NaN: not a date. */
static mn_status read_level_times(mn_context *ctx, const mn_levels *levels, double **seconds)
{
  const size_t n = mn_levels_size(levels);
  *seconds = MN_RAW(ctx, double, n, 1);
  MN_CHECK_ALLOC(*seconds);
  for (size_t k = 0; k < n; k++) {
    const mn_label label = mn_levels_at(levels, k);
    struct mn_date date;
    const bool read = label.kind == MN_LABEL_TEXT && mn_read_date(label.as.text.bytes, label.as.text.size, &date);
    (*seconds)[k] = read ? mn_seconds_of_date(&date) : (double)NAN;
  }
  return MN_OK;
}

static mn_status read_dates(mn_context *ctx, const mn_estimator *model, const mn_data *data, size_t j, struct key *key)
{
  const mn_levels *levels = mn_own_levels(data, j);
  char text[64];
  double *seconds;
  MN_TRY(read_level_times(ctx, levels, &seconds));
  for (size_t i = 0; i < data->rows; i++) {
    const double code = mn_own_code(data, i, j);
    MN_TRY(need_value(ctx, model, "time", code >= 0 ? code : (double)NAN, i));
    key[i].time = seconds[(size_t)code];
    if (isnan(key[i].time))
      return mn_fail(ctx, MN_BAD_DATA,
                     "%s: time must be dates such as 2024-05-01 or 2024-05-01T10:30:00, got %s in row %zu",
                     model->class->name, mn_format_label(text, sizeof text, mn_levels_at(levels, (size_t)code)), i + 1);
  }
  return MN_OK;
}

static mn_status read_times(mn_context *ctx, const mn_estimator *model, const mn_series_columns *columns,
                            const mn_data *data, struct key *key)
{
  size_t j;
  MN_TRY(mn_find_column(ctx, model, "time", &columns->time, &j));
  const bool factor = data->levels && data->levels[j];
  if (factor && columns->unit == UNIT_NUMBER)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "%s: unit must be second, minute, hour, day or week for a time column of texts, got number",
                   model->class->name);
  for (size_t i = 0; !factor && i < data->rows; i++) key[i].time = mn_row(&data->x, i)[j];
  if (factor) MN_TRY(read_dates(ctx, model, data, j, key));
  for (size_t i = 0; i < data->rows; i++) {
    MN_TRY(need_value(ctx, model, "time", key[i].time, i));
    key[i].time /= unit_size[columns->unit];
  }
  return MN_OK;
}

/* The series of the option lengths. */
static void number_series(const mn_data *data, struct key *key)
{
  for (size_t s = 0, row = 0; s < data->n_lengths; s++)
    for (int32_t i = 0; i < data->lengths[s]; i++) key[row++].group = (double)s;
}

static mn_status read_keys(mn_context *ctx, const mn_estimator *model, const mn_series_columns *columns,
                           const mn_data *data, struct key *key)
{
  const bool group = mn_column_is_set(&columns->group);
  if (group && data->n_lengths > 1)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: the option lengths must be nil if group is set, got %zu lengths",
                   model->class->name, data->n_lengths);
  for (size_t i = 0; i < data->rows; i++) key[i] = (struct key){ .row = i };
  if (!group) number_series(data, key);
  if (group) MN_TRY(read_groups(ctx, model, &columns->group, data, key));
  if (mn_column_is_set(&columns->time)) MN_TRY(read_times(ctx, model, columns, data, key));
  return mn_poll(ctx);
}

mn_status mn_series_read(mn_context *ctx, const mn_estimator *model, const mn_series_columns *columns,
                         const mn_data *data, mn_series *out)
{
  const size_t n = data->rows;
  struct key *key = MN_RAW(ctx, struct key, n, 1);
  *out = (mn_series){ .row = MN_RAW(ctx, size_t, n, 1), .first = MN_RAW(ctx, size_t, n, 1) };
  out->last = MN_RAW(ctx, size_t, n, 1);
  if (mn_column_is_set(&columns->time)) {
    out->time = MN_RAW(ctx, double, n, 1);
    MN_CHECK_ALLOC(out->time);
  }
  if (!key || !out->row || !out->first || !out->last) return MN_NO_MEMORY;
  MN_TRY(read_keys(ctx, model, columns, data, key));
  bool sorted = true;
  for (size_t k = 1; sorted && k < n; k++) sorted = by_time(&key[k - 1], &key[k]) < 0;
  if (!sorted) qsort(key, n, sizeof *key, by_time);
  for (size_t k = 0; k < n; k++) {
    out->row[k] = key[k].row;
    out->first[k] = k > 0 && !(key[k - 1].group < key[k].group) ? out->first[k - 1] : k;
    if (out->time) out->time[k] = key[k].time;
  }
  for (size_t k = n; k-- > 0;)
    out->last[k] = k + 1 < n && out->first[k + 1] == out->first[k] ? out->last[k + 1] : k + 1;
  return mn_poll(ctx);
}

/* --- earlier rows --- */

/* The first place of the series of `place` whose time is not below `time`. */
static size_t first_from(const mn_series *s, size_t place, double time)
{
  size_t low = s->first[place], high = s->last[place];
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (s->time[middle] < time)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

size_t mn_series_lag(const mn_series *s, size_t place, double lag)
{
  if (!s->time) return (double)(place - s->first[place]) >= lag ? place - (size_t)lag : SIZE_MAX;
  const double time = s->time[place] - lag;
  const size_t found = first_from(s, place, time - same_time);
  return found < place && s->time[found] <= time + same_time ? found : SIZE_MAX;
}

void mn_series_window(const mn_series *s, size_t place, double size, double periods, size_t *begin, size_t *end)
{
  if (!s->time) {
    const double before = (double)(place - s->first[place]) + 1 - periods;
    *end = before > 0 ? place + 1 - (size_t)periods : s->first[place];
    *begin = before > size ? *end - (size_t)size : s->first[place];
    return;
  }
  const double shift = periods > 0 ? -same_time : same_time, last = s->time[place] - fmax(periods - 1, 0) + shift;
  *begin = first_from(s, place, last - size);
  *end = first_from(s, place, last);
}

/* --- counts --- */

mn_status mn_series_counts(mn_context *ctx, const char *who, const char *param, const mn_vector *given, double initial,
                           mn_vector *counts)
{
  char number[MN_NUMBER_SIZE];
  const size_t n = given->at ? given->size : 1;
  if (n == 0) return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s must have at least one number, got none", who, param);
  MN_TRY(mn_vector_init(ctx, counts, n));
  counts->at[0] = initial;
  for (size_t k = 0; given->at && k < n; k++) {
    const double value = counts->at[k] = given->at[k];
    bool valid = value >= 1 && value <= INT32_MAX && value == floor(value);
    for (size_t l = 0; l < k; l++) valid = valid && (given->at[l] < value || given->at[l] > value);
    if (!valid)
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s must be distinct integers >= 1, got %s", who, param,
                     mn_format_number(number, value));
  }
  return MN_OK;
}

bool mn_series_counts_are_valid(const mn_vector *counts)
{
  bool valid = counts->at && counts->size > 0;
  for (size_t k = 0; valid && k < counts->size; k++) valid = counts->at[k] >= 1 && counts->at[k] <= INT32_MAX;
  return valid;
}
