/* Regression whose dependence on one column, z, is broken into lines or levels at places that are estimated.
 *
 *     y = x b + a_s + d_s z,      s: how many breakpoints lie below z
 *
 * Joined lines meet at the breakpoints; else each segment has a line or a level of its own. Inside, z runs from 0 to 1,
 * the other columns and y are about their means and divided by their root mean square. */
#ifndef MN_PIECEWISE_SEGMENTED_H
#define MN_PIECEWISE_SEGMENTED_H
#include "../model/operation.h"
#include "../model/program.h"

typedef struct mn_segmented {
  mn_estimator base;
  int64_t column, n_breakpoints, max_breakpoints, segments; /* what the user sets */
  double min_segment;
  mn_vector breakpoints, breakpoint_se; /* what fitting learns: breaks               */
  mn_vector slope, slope_se, intercept; /* segments                                  */
  mn_vector coef;                       /* features; 0 for the segmented one         */
  mn_vector bic_path;                   /* BIC of 0, 1, .. breakpoints, as tried     */
  int64_t segmented;                    /* the column, 0-based                       */
  double n, df, rss, tss, loglik, bic;
} mn_segmented;

enum { MN_JOINED, MN_LINES, MN_LEVELS }; /* segments */

/* The scaled data. */
typedef struct mn_segments {
  const mn_data *data;
  size_t n, others;        /* rows, columns but z                          */
  double *z, *y, *x;       /* n, n, n x others                             */
  size_t *order;           /* rows by z                                    */
  double *sorted, *before; /* n: z in order; n + 1: weight before each     */
  double *center, *scale;  /* others, then z, then y                       */
  double total, least;     /* sum of the weights; least that a segment has */
  size_t distinct;         /* least different z of a segment               */
  bool joined, line;
  double *design; /* n x widest                                   */
  double *fixed;  /* products of the columns of joined lines that do not move */
  double *gram;   /* (widest + 1) squared                         */
  size_t widest;
} mn_segments;

/* A solution: breakpoints in the units of `z`, ascending, and what follows from them. */
typedef struct mn_broken {
  size_t m;
  double *psi;  /* room for the most */
  double *coef; /* of the columns of the design: see mn_segments_design */
  double rss;
  size_t rank;
} mn_broken;

/* Columns of the design for m breakpoints into s->design; returns how many. Joined: 1, z, the others,
 * (z - psi_k)+, and with `moves` -1 where z > psi_k, by which a move of psi_k shows. Else 1 (and z) for each segment,
 * then the others. */
size_t mn_segments_design(const mn_segments *s, const double *psi, size_t m, bool moves);
size_t mn_segments_width(const mn_segments *s, size_t m, bool moves);

/* Once, for joined lines: the products of the columns that all designs begin with, and of y. */
void mn_segments_fix(mn_segments *s);

/* Least squares on the q columns of s->design. Roughly, for joined lines: by the normal equations, in a loop that
 * takes no memory, where they can be solved; for looking around. rank may be NULL. */
mn_status mn_segments_least_squares(mn_context *ctx, const mn_segments *s, size_t q, bool roughly, double *coef,
                                    double *rss, size_t *rank);

/* The same at b->psi. */
mn_status mn_segments_solve(mn_context *ctx, const mn_segments *s, bool roughly, mn_broken *b);

/* May the column be broken there: ascending, and enough rows in each segment? */
bool mn_segments_allow(const mn_segments *s, const double *psi, size_t m);

/* How many rows have a z of at most v. */
size_t mn_segments_rows_to(const mn_segments *s, double v);

mn_status mn_broken_make(mn_context *ctx, const mn_segments *s, mn_broken *b, size_t most);
void mn_broken_copy(const mn_segments *s, const mn_broken *from, mn_broken *to);

/* The best solution of joined lines with one breakpoint more than `b`, in place; *found is false when there is no room
 * for it. */
mn_status mn_segments_add(mn_context *ctx, const mn_segments *s, mn_broken *b, bool *found);

/* The best solution with m breakpoints that need not meet. */
mn_status mn_segments_part(mn_context *ctx, const mn_segments *s, size_t m, mn_broken *b, bool *found);

extern const mn_operation mn_segmented_operations[];

#endif
