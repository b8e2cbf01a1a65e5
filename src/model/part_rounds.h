/* One report for parts that are fitted one after the other, such as one model per class. Iteration k of the report is
 * the sum of the objectives of all parts after k iterations. Parts not yet begun contribute their initial objective, so
 * the sum never increases if no objective does. */
#ifndef MN_MODEL_PART_ROUNDS_H
#define MN_MODEL_PART_ROUNDS_H
#include "class.h"

typedef struct mn_part_rounds {
  mn_context *ctx;
  mn_report *report;
  int64_t max_iter, round; /* round: of the current part                                    */
  double start;            /* objective of the current part before its first iteration      */
  double other;            /* sum of the other parts: final, or their start                 */
  bool quiet;              /* mn_part_round only records: the solver itself reports progress */
} mn_part_rounds;

/* Begin a part with the objective `start`, which is contained in `sum`, that of all parts. */
void mn_part_begin(mn_part_rounds *r, double start, double sum);

/* An iteration of the current part. False: leave the loop. `rounds` is an mn_part_rounds. */
bool mn_part_round(void *rounds, double objective);

/* The current part has ended with this objective. */
void mn_part_end(const mn_part_rounds *r, double objective);

#endif
