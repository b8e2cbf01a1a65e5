#include "part_rounds.h"

void mn_part_begin(mn_part_rounds *r, double start, double sum)
{
  r->round = 0;
  r->start = start;
  r->other = sum - start;
}

bool mn_part_round(void *rounds, double objective)
{
  mn_part_rounds *r = rounds;
  if (r->round++ >= r->report->n_iter) {
    if (!mn_record_round(r->ctx, r->report, r->other + objective)) return false;
  } else {
    r->report->trace.at[r->round - 1] += objective - r->start;
  }
  return r->quiet || mn_report_progress(r->ctx, (double)r->round, (double)r->max_iter, objective);
}

void mn_part_end(const mn_part_rounds *r, double objective)
{
  for (int64_t k = r->round; k < r->report->n_iter; k++) r->report->trace.at[k] += objective - r->start;
}
