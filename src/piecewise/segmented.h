/* Regression with a piecewise linear or constant dependence on one column, z, with estimated breakpoints.
 *
 *     y = x b + a_s + d_s z,      s: number of breakpoints below z
 *
 * Joined lines meet at the breakpoints; otherwise each segment has its own line or level. Internally z is scaled to [0,
 * 1], and the other columns and y are centered and divided by their root mean square. */
#ifndef MN_PIECEWISE_SEGMENTED_H
#define MN_PIECEWISE_SEGMENTED_H
#include "../linear/observations.h"
#include "../model/operation.h"
#include "../model/program.h"

typedef struct mn_segmented {
  mn_estimator base;
  mn_feature column;                                              /* parameters */
  int64_t n_breakpoints, max_breakpoints, segments, weights_type; /* parameters */
  double min_segment;
  mn_vector breakpoints, breakpoint_se; /* learned fields: breaks */
  mn_vector slope, slope_se, intercept; /* segments                                  */
  mn_vector coef;                       /* features; 0 for the segmented column */
  mn_vector bic_path;                   /* BIC with 0, 1, ... breakpoints */
  int64_t segmented;                    /* index of the segmented column, 0-based */
  double n, rows, log_weights;          /* sum of the sample weights; their number and the sum of their logarithms */
  double df, rss, tss, loglik, bic;
} mn_segmented;

enum { MN_SEGMENTS_JOINED, MN_SEGMENTS_LINES, MN_SEGMENTS_LEVELS }; /* segments */

/* The scaled data and workspace. */
typedef struct mn_segmented_problem {
  const mn_data *data;
  size_t n, others;               /* rows, columns other than z */
  double *z, *y, *x;              /* n, n, n x others                             */
  size_t *order;                  /* rows by z                                    */
  double *sorted, *weight_before; /* n: z in ascending order; n + 1: sample weight of the rows before each */
  double *center, *scale;         /* others, then z, then y                       */
  double total, min_weight;       /* sum and minimum sample weight of a segment */
  mn_observations observations;
  size_t min_distinct; /* minimum number of distinct z in a segment */
  bool joined, line;
  double *design;     /* n x max_width                                   */
  double *fixed_gram; /* products of the columns of joined lines that do not depend on breakpoints */
  double *gram;       /* (max_width + 1) squared                         */
  size_t max_width;
} mn_segmented_problem;

/* A solution: ascending breakpoints in scaled units and the least-squares fit for them. */
typedef struct mn_segmented_solution {
  size_t m;
  double *psi;  /* capacity: the maximum number of breakpoints */
  double *coef; /* of the columns of the design: see mn_segmented_design */
  double rss;
  size_t rank;
} mn_segmented_solution;

/* Set s->design to the columns for m breakpoints; returns their number. Joined: 1, z, the other columns, (z - psi_k)+,
 * and with `moves` also -1 where z > psi_k, the derivative with respect to psi_k. Otherwise 1 (and z) for each segment,
 * then the other columns. */
size_t mn_segmented_design(const mn_segmented_problem *s, const double *psi, size_t m, bool moves);
size_t mn_segmented_width(const mn_segmented_problem *s, size_t m, bool moves);

/* Compute once, for joined lines: the products of the columns common to all designs, and of y. */
void mn_segmented_precompute(mn_segmented_problem *s);

/* Least squares on the q columns of s->design. `fast`, for joined lines: by the normal equations where they can be
 * solved, without allocating, for use in searches. rank may be NULL. */
mn_status mn_segmented_least_squares(mn_context *ctx, const mn_segmented_problem *s, size_t q, bool fast, double *coef,
                                     double *rss, size_t *rank);

/* The same for the breakpoints b->psi. */
mn_status mn_segmented_solve(mn_context *ctx, const mn_segmented_problem *s, bool fast, mn_segmented_solution *b);

/* Whether the breakpoints are ascending and every segment has enough rows. */
bool mn_segmented_is_valid(const mn_segmented_problem *s, const double *psi, size_t m);

/* Number of rows with z at most v. */
size_t mn_segmented_count_rows(const mn_segmented_problem *s, double v);

mn_status mn_segmented_solution_init(mn_context *ctx, const mn_segmented_problem *s, mn_segmented_solution *b,
                                     size_t capacity);
void mn_segmented_solution_copy(const mn_segmented_problem *s, const mn_segmented_solution *from,
                                mn_segmented_solution *to);

/* Replace b by the best solution of joined lines with one more breakpoint; *found is false if there is none. */
mn_status mn_segmented_add_breakpoint(mn_context *ctx, const mn_segmented_problem *s, mn_segmented_solution *b,
                                      bool *found);

/* The best solution with m breakpoints for separate segments. */
mn_status mn_segmented_partition(mn_context *ctx, const mn_segmented_problem *s, size_t m, mn_segmented_solution *b,
                                 bool *found);

extern const mn_operation mn_segmented_operations[];

#endif
