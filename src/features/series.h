/* Rows as time series: one series in the order of the rows, several whose numbers of rows are given by the option
 * lengths, or by columns of X that contain the series and the time of each row. */
#ifndef MN_FEATURES_SERIES_H
#define MN_FEATURES_SERIES_H
#include "../model/class.h"

typedef struct mn_series_columns {
  mn_feature group, time; /* parameters */
  int64_t unit;           /* of time; an index of mn_time_unit_names */
  mn_indexes lagged;      /* derived: columns whose earlier values are used */
  mn_indexes kept;        /* derived: columns that are part of the output as they are */
  int64_t text_time;      /* derived: the column of times if it has texts, else -1    */
} mn_series_columns;

extern const char *const mn_time_unit_names[];

#define MN_SERIES_PARAMS(type, member)                                                                                 \
  { .name = "group",                                                                                                   \
    .kind = MN_KIND_COLUMN,                                                                                            \
    .offset = offsetof(type, member.group),                                                                            \
    .initial = (double)NAN,                                                                                            \
    MN_AT_LEAST(1),                                                                                                    \
    .brief = "column whose values identify the series; nil: one series, or those of the option lengths" },             \
      { .name = "time",                                                                                                \
        .kind = MN_KIND_COLUMN,                                                                                        \
        .offset = offsetof(type, member.time),                                                                         \
        .initial = (double)NAN,                                                                                        \
        MN_AT_LEAST(1),                                                                                                \
        .brief = "column of times: numbers, or dates as text; nil: rows are in time order, at equal distances" },      \
  {                                                                                                                    \
    .name = "unit", .kind = MN_KIND_CHOICE, .offset = offsetof(type, member.unit), .choices = mn_time_unit_names,      \
    .brief = "unit of lags and windows; number: that of the time column; the others require dates or Unix seconds"     \
  }
#define MN_SERIES_FIELDS(type, member)                                                                                 \
  {                                                                                                                    \
    .name = "lagged", .kind = MN_KIND_INDEXES, .offset = offsetof(type, member.lagged), .shape = "", .derived = true   \
  },                                                                                                                   \
      { .name = "kept",                                                                                                \
        .kind = MN_KIND_INDEXES,                                                                                       \
        .offset = offsetof(type, member.kept),                                                                         \
        .shape = "",                                                                                                   \
        .derived = true },                                                                                             \
  {                                                                                                                    \
    .name = "text_time", .kind = MN_KIND_COUNT, .offset = offsetof(type, member.text_time), .shape = "",               \
    .derived = true                                                                                                    \
  }

/* Learn `lagged`, the numeric columns other than group and time, and `kept`: all columns, or if `drop`, the others. */
mn_status mn_series_learn(mn_context *ctx, const mn_estimator *model, mn_series_columns *columns, bool drop);

/* Rows by series, then time; in scratch. A place is an index of these arrays, of size rows. */
typedef struct mn_series {
  size_t *row;          /* the row at each place                                         */
  size_t *first, *last; /* the places of its series: first .. last-1                     */
  double *time;         /* in units, ascending within a series; NULL: the place          */
} mn_series;

/* The levels of output column j, and whether it has whole numbers: kept columns are as in X, but times as text become
 * Unix seconds, since most dates of later rows are no levels of fit. */
const mn_levels *mn_series_output_levels(const mn_estimator *model, const mn_series_columns *columns, size_t j);
bool mn_series_output_is_whole(const mn_series_columns *columns, size_t j);

/* The kept values of the row at a place; returns the end of `out`. */
double *mn_series_write_kept(const mn_series *s, const mn_series_columns *columns, const mn_data *data, size_t place,
                             double *out);

mn_status mn_series_read(mn_context *ctx, const mn_estimator *model, const mn_series_columns *columns,
                         const mn_data *data, mn_series *out);

/* The place of the values `lag` rows or units of time before `place`; SIZE_MAX if there is none. */
size_t mn_series_lag(const mn_series *s, size_t place, double lag);

/* The places *begin .. *end-1 of the window of `size` rows or units that ends `periods` rows or units before the row
 * itself: times from t - periods + 1 - size to below t - periods + 1, for periods 0 above t - size to t. */
void mn_series_window(const mn_series *s, size_t place, double size, double periods, size_t *begin, size_t *end);

/* Copy a parameter that is a vector of distinct integers >= 1 to a learned field; the number `initial` if it is unset.
 */
mn_status mn_series_counts(mn_context *ctx, const char *who, const char *param, const mn_vector *given, double initial,
                           mn_vector *counts);
bool mn_series_counts_are_valid(const mn_vector *counts);

#endif
