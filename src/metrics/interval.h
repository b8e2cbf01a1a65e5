/* Confidence intervals of an error rate, and a test of two. */
#ifndef MN_METRICS_INTERVAL_H
#define MN_METRICS_INTERVAL_H
#include <stdbool.h>

typedef struct mn_interval {
  double low, high;
} mn_interval;

/* For a proportion p of n trials, 0 <= p <= 1, n > 0, at a confidence level from 0 to 1.
 *
 * normal: p +- z sqrt(p (1 - p) / n), clipped to 0..1: too short for small n or p near 0 or 1.
 * wilson: all p0 that the score test does not reject (Wilson, JASA 22, 1927): accurate everywhere. */
mn_interval mn_normal_interval(double p, double n, double level);
mn_interval mn_wilson_interval(double p, double n, double level);

/* McNemar's test that two classifiers have equal error rates, from the rows where only one of them is wrong.
 *
 *   first, second  weight of the rows where only the first, only the second is wrong
 *   exact          binomial test, requires whole numbers; else chi-square
 *   correct        Edwards' correction: |first - second| - 1
 *   statistic      out: chi-square, or the smaller of the two
 *
 * Returns the two-sided p-value; 1 if there are no such rows. McNemar, Psychometrika 12 (1947). */
double mn_mcnemar(double first, double second, bool exact, bool correct, double *statistic);

#endif
