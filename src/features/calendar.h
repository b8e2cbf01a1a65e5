/* Dates of the Gregorian calendar. */
#ifndef MN_FEATURES_CALENDAR_H
#define MN_FEATURES_CALENDAR_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mn_date {
  int64_t year;
  int month, day, hour, minute, second; /* month and day from 1 */
  int offset;                           /* minutes that the clock is ahead of UTC */
};

bool mn_is_leap_year(int64_t year);
int mn_days_in_month(int64_t year, int month);
int mn_day_of_year(const struct mn_date *d);  /* from 1              */
int mn_day_of_week(const struct mn_date *d);  /* 0 is Monday         */
int mn_week_of_year(const struct mn_date *d); /* ISO 8601, from 1    */

/* The date of Unix seconds in UTC; |seconds| <= MN_MAX_SECONDS, the end of the year 9999. Milliseconds of today are
 * beyond it. */
#define MN_MAX_SECONDS 253402300799.0
struct mn_date mn_date_of_seconds(double seconds);

/* Unix seconds of a date. */
double mn_seconds_of_date(const struct mn_date *d);

/* Read an ISO 8601 date, "2024-05-01", with an optional time after a T or a space, "10:30" or "10:30:59.5", and an
 * optional offset, "Z" or "+02:00". Fractions of a second are dropped. False if the text is not a date. */
bool mn_read_date(const char *text, size_t size, struct mn_date *date);

#endif
