/* What an error rate counted on a sample tells about the true one. */
#ifndef MN_METRICS_INTERVAL_H
#define MN_METRICS_INTERVAL_H
#include <stdbool.h>

typedef struct mn_interval {
  double low, high;
} mn_interval;

/* For a share of p among n trials, 0 <= p <= 1, n > 0, at a confidence level from 0 to 1.
 *
 * normal: p +- z sqrt(p (1 - p) / n), cut to 0..1, as textbooks have it: too short for small n or p near 0 or 1.
 * wilson: the p0 that a test of p0 does not refuse (Wilson, JASA 22, 1927): close to its level everywhere. */
mn_interval mn_normal_interval(double p, double n, double level);
mn_interval mn_wilson_interval(double p, double n, double level);

/* McNemar's test that two classifiers err equally often, from the rows where only one of them errs.
 *
 *   first, second  weights of rows where only the first, only the second is wrong
 *   exact          binomial, both whole; else chi-square
 *   correct        Edwards' correction: |first - second| - 1
 *   statistic      out: chi-square, or the smaller of the two
 *
 * Returns the two-sided p-value; 1 when there are no such rows. McNemar, Psychometrika 12 (1947). */
double mn_mcnemar(double first, double second, bool exact, bool correct, double *statistic);

#endif
