/* Operations of taggers: summary, decode, log_likelihood. */
#ifndef MN_TAGGING_OPERATIONS_H
#define MN_TAGGING_OPERATIONS_H
#include "../model/operation.h"

extern const mn_operation mn_tagger_operations[];

#endif
