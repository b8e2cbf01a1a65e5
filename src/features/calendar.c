#include "calendar.h"
#include <math.h>

bool mn_is_leap_year(int64_t year)
{
  return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

int mn_days_in_month(int64_t year, int month)
{
  static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
  return days[month - 1] + (month == 2 && mn_is_leap_year(year));
}

int mn_day_of_year(const struct mn_date *d)
{
  int day = d->day;
  for (int month = 1; month < d->month; month++) day += mn_days_in_month(d->year, month);
  return day;
}

static int64_t floor_division(int64_t a, int64_t b)
{
  return a / b - (a % b < 0);
}

/* Days from 1970-01-01 to the first of January. */
static int64_t days_to_year(int64_t year)
{
  const int64_t before = year - 1;
  return 365 * (year - 1970) + floor_division(before, 4) - floor_division(before, 100) + floor_division(before, 400) -
         477;
}

int mn_day_of_week(const struct mn_date *d)
{
  const int64_t days = days_to_year(d->year) + mn_day_of_year(d) - 1;
  return (int)(((days + 3) % 7 + 7) % 7); /* 1970-01-01 was a Thursday */
}

/* Weeks of a year: 53 if it begins on a Thursday, or on a Wednesday in a leap year. */
static int weeks_in_year(int64_t year)
{
  const int first = mn_day_of_week(&(struct mn_date){ .year = year, .month = 1, .day = 1 });
  return first == 3 || (first == 2 && mn_is_leap_year(year)) ? 53 : 52;
}

int mn_week_of_year(const struct mn_date *d)
{
  const int week = (mn_day_of_year(d) - mn_day_of_week(d) + 9) / 7;
  if (week < 1) return weeks_in_year(d->year - 1);
  return week > weeks_in_year(d->year) ? 1 : week;
}

double mn_seconds_of_date(const struct mn_date *d)
{
  const int64_t days = days_to_year(d->year) + mn_day_of_year(d) - 1;
  return (double)(86400 * days + 3600 * d->hour + 60 * d->minute + d->second) - 60.0 * d->offset;
}

struct mn_date mn_date_of_seconds(double seconds)
{
  const int64_t whole = (int64_t)floor(seconds), days = floor_division(whole, 86400);
  const int rest = (int)(whole - days * 86400);
  struct mn_date d = { .month = 1, .hour = rest / 3600, .minute = rest / 60 % 60, .second = rest % 60 };
  d.year = 1970 + floor_division(days * 400, 146097);
  while (days_to_year(d.year + 1) <= days) d.year++;
  while (days_to_year(d.year) > days) d.year--;
  int left = (int)(days - days_to_year(d.year));
  for (; left >= mn_days_in_month(d.year, d.month); d.month++) left -= mn_days_in_month(d.year, d.month);
  d.day = left + 1;
  return d;
}

struct text {
  const char *at, *end;
};

static bool accept(struct text *t, char c)
{
  if (t->at == t->end || *t->at != c) return false;
  t->at++;
  return true;
}

static bool read_digits(struct text *t, int digits, int low, int high, int *value)
{
  *value = 0;
  for (int i = 0; i < digits; i++, t->at++) {
    if (t->at == t->end || *t->at < '0' || *t->at > '9') return false;
    *value = 10 * *value + (*t->at - '0');
  }
  return *value >= low && *value <= high;
}

static bool read_time(struct text *t, struct mn_date *d)
{
  if (!read_digits(t, 2, 0, 23, &d->hour) || !accept(t, ':') || !read_digits(t, 2, 0, 59, &d->minute)) return false;
  if (!accept(t, ':')) return true;
  if (!read_digits(t, 2, 0, 60, &d->second)) return false;
  if (!accept(t, '.')) return true;
  const char *first = t->at;
  while (t->at < t->end && *t->at >= '0' && *t->at <= '9') t->at++;
  return t->at > first;
}

static bool read_offset(struct text *t, struct mn_date *d)
{
  int hours, minutes = 0;
  if (t->at == t->end || accept(t, 'Z')) return true;
  const bool ahead = accept(t, '+');
  if (!ahead && !accept(t, '-')) return false;
  if (!read_digits(t, 2, 0, 23, &hours)) return false;
  if (t->at < t->end) {
    (void)accept(t, ':');
    if (!read_digits(t, 2, 0, 59, &minutes)) return false;
  }
  d->offset = (ahead ? 1 : -1) * (60 * hours + minutes);
  return true;
}

bool mn_read_date(const char *text, size_t size, struct mn_date *d)
{
  struct text t = { .at = text, .end = text + size };
  int year;
  *d = (struct mn_date){ 0 };
  if (!read_digits(&t, 4, 0, 9999, &year) || !accept(&t, '-') || !read_digits(&t, 2, 1, 12, &d->month)) return false;
  d->year = year;
  if (!accept(&t, '-') || !read_digits(&t, 2, 1, mn_days_in_month(year, d->month), &d->day)) return false;
  if (t.at == t.end) return true;
  if (!accept(&t, 'T') && !accept(&t, ' ')) return false;
  return read_time(&t, d) && read_offset(&t, d) && t.at == t.end;
}
