/* A step along a line down which a smooth function falls. */
#ifndef MN_OPTIM_LINESEARCH_H
#define MN_OPTIM_LINESEARCH_H
#include <stdbool.h>

typedef struct mn_line_point {
  double t, value, slope; /* where, f there, df/dt there */
} mn_line_point;

/* Fill value and slope at point->t; they may be NaN or infinite (the step is then too long). False: give up at once. */
typedef bool (*mn_line_function)(void *line, mn_line_point *point);

typedef enum mn_line_end {
  MN_LINE_FOUND,  /* *found fulfils the conditions, and was evaluated last               */
  MN_LINE_LOWER,  /* only lower than the start, or as low; was evaluated last            */
  MN_LINE_FAILED, /* nothing lower was found: rounding, or the slope is not that of f    */
  MN_LINE_ABORTED /* the function said so                                                */
} mn_line_end;

/* A step that meets the Wolfe conditions, f(t) <= f(0) + 1e-4 t f'(0) and f'(t) >= 0.9 f'(0), or, where f changes by
 * less than 1e-9 of its value and differences of it drown in rounding, the approximate ones, which judge by slopes
 * (Hager & Zhang, SIAM J. Optim. 16 (2005), (4.1)). The bracket is kept by slopes too.
 *
 *   start  t = 0, the value and the slope (< 0) there
 *   first  the first step to try, > 0
 *   found  out, when FOUND or LOWER
 *
 * About one evaluation when `first` is right, 40 at most. */
mn_line_end mn_line_search(mn_line_function function, void *line, const mn_line_point *start, double first,
                           mn_line_point *found);

#endif
