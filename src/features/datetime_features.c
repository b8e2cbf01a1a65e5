/* Extracts year, month, hour and other parts of dates, which are Unix seconds or text in a factor column. */
#include "../model/class.h"
#include "../model/program.h"
#include "calendar.h"
#include "../preprocess/names.h"
#include "../preprocess/own_levels.h"

enum { PARTS = 11 };

struct datetime_features {
  mn_estimator base;
  bool year, quarter, month, week, day_of_year, day_of_month, day_of_week, weekend, hour, minute, second; /* params */
  bool cyclical;
};

static double year_of(const struct mn_date *d)
{
  return (double)d->year;
}
static double quarter_of(const struct mn_date *d)
{
  return (d->month - 1) / 3 + 1;
}
static double month_of(const struct mn_date *d)
{
  return d->month;
}
static double week_of(const struct mn_date *d)
{
  return mn_week_of_year(d);
}
static double day_of_year_of(const struct mn_date *d)
{
  return mn_day_of_year(d);
}
static double day_of_month_of(const struct mn_date *d)
{
  return d->day;
}
static double day_of_week_of(const struct mn_date *d)
{
  return mn_day_of_week(d);
}
static double weekend_of(const struct mn_date *d)
{
  return mn_day_of_week(d) >= 5;
}
static double hour_of(const struct mn_date *d)
{
  return d->hour;
}
static double minute_of(const struct mn_date *d)
{
  return d->minute;
}
static double second_of(const struct mn_date *d)
{
  return d->second;
}

/* The parts of a date in the order of their columns. */
static const struct part {
  const char *name;
  size_t flag;
  double (*value)(const struct mn_date *d);
  double period; /* 0: not cyclical; -1: the days of the month, -2: of the year */
} parts[PARTS] = {
  { "year", offsetof(struct datetime_features, year), year_of, 0 },
  { "quarter", offsetof(struct datetime_features, quarter), quarter_of, 4 },
  { "month", offsetof(struct datetime_features, month), month_of, 12 },
  { "week", offsetof(struct datetime_features, week), week_of, 0 },
  { "day_of_year", offsetof(struct datetime_features, day_of_year), day_of_year_of, -2 },
  { "day_of_month", offsetof(struct datetime_features, day_of_month), day_of_month_of, -1 },
  { "day_of_week", offsetof(struct datetime_features, day_of_week), day_of_week_of, 7 },
  { "weekend", offsetof(struct datetime_features, weekend), weekend_of, 0 },
  { "hour", offsetof(struct datetime_features, hour), hour_of, 24 },
  { "minute", offsetof(struct datetime_features, minute), minute_of, 60 },
  { "second", offsetof(struct datetime_features, second), second_of, 60 },
};

static bool is_wanted(const struct datetime_features *m, size_t part)
{
  return *(const bool *)((const char *)m + parts[part].flag);
}

/* Columns of a part: 0 to 3. */
static size_t part_width(const struct datetime_features *m, size_t part)
{
  if (!is_wanted(m, part)) return 0;
  return m->cyclical && (parts[part].period < 0 || parts[part].period > 0) ? 3 : 1;
}

static size_t width(const struct datetime_features *m)
{
  size_t n = 0;
  for (size_t part = 0; part < PARTS; part++) n += part_width(m, part);
  return n;
}

static size_t outputs(const void *self)
{
  const struct datetime_features *m = self;
  return m->base.n_features * width(m);
}

static mn_status need_parts(mn_context *ctx, const struct datetime_features *m)
{
  if (width(m) > 0) return MN_OK;
  return mn_fail(ctx, MN_BAD_ARGUMENT, "DatetimeFeatures: at least one of year, month, ..., second must be true");
}

static double period_of(const struct mn_date *d, double period)
{
  if (period > 0) return period;
  return period > -2 ? mn_days_in_month(d->year, d->month) : 365 + mn_is_leap_year(d->year);
}

static void write_parts(const struct datetime_features *m, const struct mn_date *d, double *out)
{
  for (size_t part = 0; part < PARTS; part++) {
    const size_t columns = part_width(m, part);
    if (columns == 0) continue;
    *out++ = parts[part].value(d);
    if (columns == 1) continue;
    const double angle = 2 * M_PI * parts[part].value(d) / period_of(d, parts[part].period);
    *out++ = sin(angle);
    *out++ = cos(angle);
  }
}

static void write_missing(const struct datetime_features *m, double *out)
{
  for (size_t c = width(m); c-- > 0;) out[c] = (double)NAN;
}

static mn_status bad_date(mn_context *ctx, const struct datetime_features *m, const char *got, size_t i, size_t j)
{
  const mn_names *names = &m->base.feature_names;
  char own[MN_INPUT_NAME_SIZE];
  return mn_fail(ctx, MN_BAD_DATA,
                 "DatetimeFeatures: X must have dates such as 2024-05-01 or 2024-05-01T10:30:00, or Unix seconds up to "
                 "the year 9999 (divide milliseconds by 1000), got %s in row %zu, column %zu ('%s')",
                 got, i + 1, j + 1, mn_input_name(names->size > 0 ? (const char *const *)names->at : NULL, j, own));
}

/* The dates of the levels of a factor column; month 0: not a date. */
static mn_status read_levels(mn_context *ctx, const mn_levels *levels, struct mn_date **dates)
{
  const size_t n = mn_levels_size(levels);
  *dates = MN_NEW(ctx, struct mn_date, n, 1);
  MN_CHECK_ALLOC(*dates);
  for (size_t k = 0; k < n; k++) {
    const mn_label label = mn_levels_at(levels, k);
    const bool read =
        label.kind == MN_LABEL_TEXT && mn_read_date(label.as.text.bytes, label.as.text.size, &(*dates)[k]);
    if (!read) (*dates)[k].month = 0;
  }
  return MN_OK;
}

static mn_status transform_factor(mn_context *ctx, const struct datetime_features *m, const mn_data *data, size_t j,
                                  mn_matrix *out)
{
  const mn_levels *levels = mn_own_levels(data, j);
  struct mn_date *dates;
  char text[MN_INPUT_NAME_SIZE];
  MN_TRY(read_levels(ctx, levels, &dates));
  for (size_t i = 0; i < data->rows; i++) {
    const double code = mn_own_code(data, i, j);
    double *to = mn_row(out, i) + j * width(m);
    if (i % 4096 == 0) MN_TRY(mn_poll(ctx));
    if (!(code >= 0)) {
      write_missing(m, to);
      continue;
    }
    const struct mn_date *d = &dates[(size_t)code];
    if (d->month == 0)
      return bad_date(ctx, m, mn_format_label(text, sizeof text, mn_levels_at(levels, (size_t)code)), i, j);
    write_parts(m, d, to);
  }
  return MN_OK;
}

static mn_status transform_seconds(mn_context *ctx, const struct datetime_features *m, const mn_data *data, size_t j,
                                   mn_matrix *out)
{
  char number[MN_NUMBER_SIZE];
  for (size_t i = 0; i < data->rows; i++) {
    const double x = mn_row(&data->x, i)[j];
    double *to = mn_row(out, i) + j * width(m);
    if (i % 4096 == 0) MN_TRY(mn_poll(ctx));
    if (isnan(x)) {
      write_missing(m, to);
      continue;
    }
    if (!(fabs(x) <= MN_MAX_SECONDS)) return bad_date(ctx, m, mn_format_number(number, x), i, j);
    const struct mn_date d = mn_date_of_seconds(x);
    write_parts(m, &d, to);
  }
  return MN_OK;
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  MN_TRY(need_parts(ctx, self));
  for (size_t j = 0; j < data->features; j++)
    MN_TRY(data->levels && data->levels[j] ? transform_factor(ctx, self, data, j, out)
                                           : transform_seconds(ctx, self, data, j, out));
  return MN_OK;
}

/* Nothing is learned; fit only checks that all columns contain dates. */
static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  mn_matrix out = { .rows = data->rows, .cols = outputs(self) };
  MN_TRY(need_parts(ctx, self));
  out.at = MN_RAW(ctx, double, out.rows, out.cols);
  MN_CHECK_ALLOC(out.at);
  return transform(ctx, self, data, &out);
}

/* The part that output column j shows, and in *column: itself, its sine or its cosine. */
static size_t part_of(const struct datetime_features *m, size_t j, size_t *column)
{
  size_t part = 0;
  for (*column = j % width(m); *column >= part_width(m, part); part++) *column -= part_width(m, part);
  return part;
}

static bool outputs_whole(const void *self, size_t j)
{
  size_t column;
  part_of(self, j, &column);
  return column == 0;
}

static void output_name(const void *self, size_t j, const char *const *inputs, char *text, size_t size)
{
  static const char *const suffix[] = { "", "_sin", "_cos" };
  const struct datetime_features *m = self;
  char own[MN_INPUT_NAME_SIZE];
  size_t column;
  const size_t part = part_of(m, j, &column);
  snprintf(text, size, "%s_%s%s", mn_input_name(inputs, j / width(m), own), parts[part].name, suffix[column]);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  (void)action, (void)program;
  return mn_cannot_export(ctx, self, "exported programs have no calendar and do not read text");
}

static const mn_param params[] = {
  MN_FLAG(struct datetime_features, year, true, "the year"),
  MN_FLAG(struct datetime_features, quarter, false, "the quarter, 1 to 4"),
  MN_FLAG(struct datetime_features, month, true, "the month, 1 to 12"),
  MN_FLAG(struct datetime_features, week, false, "the week of ISO 8601, 1 to 53"),
  MN_FLAG(struct datetime_features, day_of_year, false, "the day of the year, 1 to 366"),
  MN_FLAG(struct datetime_features, day_of_month, true, "the day of the month, 1 to 31"),
  MN_FLAG(struct datetime_features, day_of_week, true, "the day of the week, 0 (Monday) to 6"),
  MN_FLAG(struct datetime_features, weekend, false, "1 on Saturday and Sunday, else 0"),
  MN_FLAG(struct datetime_features, hour, true, "the hour, 0 to 23"),
  MN_FLAG(struct datetime_features, minute, true, "the minute, 0 to 59"),
  MN_FLAG(struct datetime_features, second, true, "the second, 0 to 60"),
  MN_FLAG(struct datetime_features, cyclical, false, "add sine and cosine of the cyclical parts"),
  MN_END,
};

static const mn_field fields[] = { MN_END };

const mn_class mn_datetime_features = {
  .name = "DatetimeFeatures",
  .family = "preprocess",
  .brief = "Replaces dates with year, month, day, weekday, hour and others.",
  .objective = "z = year, month, day of month, day of week, hour, ... of x",
  .source = "ISO 8601-1 (2019)",
  .notes = "A numeric column holds Unix seconds in UTC; a factor column holds text such as 2024-05-01 or "
           "2024-05-01T10:30:00, whose offset from UTC is not applied. Missing dates give missing values; "
           "other text is an error. Defaults are those of feature_engine.",
  .example = "local dates = ml.Frame{ { \"day\", { \"2024-02-29\", \"2024-03-01 08:30\" } } }\n"
             "print(ml.DatetimeFeatures{ minute = false, second = false }:fit_transform(dates))",
  .capabilities = MN_TRANSFORM,
  .accepts = MN_WEIGHTS | MN_MISSING | MN_FACTORS,
  .size = sizeof(struct datetime_features),
  .params = params,
  .fields = fields,
  .fit = fit,
  .transform = transform,
  .overwrites = true,
  .outputs = outputs,
  .outputs_whole = outputs_whole,
  .output_name = output_name,
  .export = export,
};
