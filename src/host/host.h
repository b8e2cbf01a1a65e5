/* The struct behind the opaque manilius_model. */
#ifndef MN_HOST_HOST_H
#define MN_HOST_HOST_H
#include "../manilius.h"
#include "../plan/plan.h"

struct manilius_model {
  mn_memory *memory;
  mn_plan *plan;
  size_t features;
  const mn_levels **levels; /* features, borrowed from the plan, entries NULL for numbers; or NULL */
};

#endif
