/* Line search: a step along a descent direction of a smooth function. */
#ifndef MN_OPTIM_LINESEARCH_H
#define MN_OPTIM_LINESEARCH_H
#include <stdbool.h>

typedef struct mn_line_point {
  double t, value, slope; /* step, f(t), f'(t) */
} mn_line_point;

/* Set value and slope at point->t. NaN or infinity means that the step is too long. Return false to abort. */
typedef bool (*mn_line_function)(void *line, mn_line_point *point);

typedef enum mn_line_end {
  MN_LINE_FOUND,  /* *found satisfies the conditions and was evaluated last              */
  MN_LINE_LOWER,  /* *found is not above the start and was evaluated last                */
  MN_LINE_FAILED, /* no lower point: rounding, or the slope is not that of f             */
  MN_LINE_ABORTED /* the function returned false                                         */
} mn_line_end;

/* A step that meets the Wolfe conditions, f(t) <= f(0) + 1e-4 t f'(0) and f'(t) >= 0.9 f'(0), or the approximate
 * Wolfe conditions of Hager & Zhang, SIAM J. Optim. 16 (2005), (4.1), which use slopes only, where f changes by less
 * than 1e-9 of its value.
 *
 *   start  t = 0, the value and the slope (< 0) there
 *   first  the first step to try, > 0
 *   found  out, when FOUND or LOWER
 *
 * About one evaluation when `first` is right, 40 at most. */
mn_line_end mn_line_search(mn_line_function function, void *line, const mn_line_point *start, double first,
                           mn_line_point *found);

#endif
