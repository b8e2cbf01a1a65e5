/* Internal to sequential minimal optimization: the state of one solution. */
#ifndef MN_SVM_SMO_STATE_H
#define MN_SVM_SMO_STATE_H
#include "row_cache.h"
#include "smo.h"

enum { MN_SMO_UP = 1, MN_SMO_DOWN = 2 }; /* a variable can move in the direction of its sign; against it */

typedef struct mn_smo_set {
  size_t limit, count;          /* most variables; variables of the working set  */
  size_t *variable;             /* limit: as t = copy * n + row, the newest first */
  size_t *position;             /* limit: of their rows among the active rows    */
  size_t *rows, n_rows;         /* limit: the distinct positions                 */
  size_t *previous, n_previous; /* limit: variables of the last round      */
  struct mn_smo_candidate {
    double key;
    size_t index;
  } * candidate;                                          /* variables: workspace                          */
  bool *chosen;                                           /* variables                                     */
  double *a, *c, *s, *v, *start, *diagonal, *mask, *gain; /* limit; mask: 4 x limit */
  double *k, *factor;                                     /* limit x limit: kernel matrix; workspace       */
  double *solved;                                         /* 3 x limit: workspace                          */
  size_t *free;                                           /* limit: workspace                              */
  bool indefinite;                                        /* K has shown a negative curvature */
} mn_smo_set;

typedef struct mn_smo_state {
  const char *who;
  mn_smo *p;
  size_t n, active_rows, groups;
  size_t *active;          /* n: the active rows, ascending                 */
  size_t *position;        /* n: place of a row in `active`, or SIZE_MAX    */
  double *f;               /* n: f of the active rows, in their order       */
  double *diagonal;        /* n: K_rr                                       */
  double *v;               /* copies * n: of the active variables           */
  unsigned char *free_to;  /* copies * n: MN_SMO_UP | MN_SMO_DOWN            */
  double up[2], down[2];   /* by group: largest v of UP, least v of DOWN    */
  double violation, floor; /* largest up - down; what rounding of f makes of it */
  int idle;                /* rounds since the objective has decreased */
  double least_gap;        /* what counts as 0: without linear terms the least objective may be 0 */
  bool exact;              /* f holds for all rows, and to full precision   */
  mn_kernel_plan *plan;    /* of the active rows                            */
  mn_kernel_rows rows;
  mn_mark phase; /* what depends on the active rows is allocated after it */
  mn_mark round; /* what a round needs is allocated after it */
  mn_row_cache cache;
  mn_smo_set set;
  double *step;         /* variables of the working set: s_t (a_t - before) */
  const void **changed; /* their rows, where this is not 0                  */
} mn_smo_state;

static inline unsigned mn_smo_group(const mn_smo *p, size_t t)
{
  return p->by_sign && p->sign[t] < 0;
}

static inline unsigned char mn_smo_free_to(const mn_smo *p, size_t t)
{
  const bool can_grow = p->alpha[t]<p->bound[t], can_shrink = p->alpha[t]> 0, plus = p->sign[t] > 0;
  return (unsigned char)(((plus ? can_grow : can_shrink) ? MN_SMO_UP : 0) |
                         ((plus ? can_shrink : can_grow) ? MN_SMO_DOWN : 0));
}

mn_status mn_smo_set_init(mn_context *ctx, mn_smo_state *s, size_t limit);

/* Choose the working set; of free variables first, if they are to be moved together. */
void mn_smo_choose(mn_smo_state *s, bool together);

/* Minimize over the working set, whose rows are in the cache: changes alpha and sets step. *decrease: of the objective;
 * 0 if nothing moves. */
mn_status mn_smo_minimize(mn_context *ctx, mn_smo_state *s, double tol, bool together, double *decrease);

/* Move the free variables of the working set together until no bound is in the way (smo_joint.c). group: of each. Adds
 * to *decrease. */
mn_status mn_smo_move_together(mn_context *ctx, mn_smo_state *s, const unsigned char *group, double *decrease);

#endif
