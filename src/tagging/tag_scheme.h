/* Schemes in which tags mark spans: a letter, a separator - or _, and the type of the span, as in B-LOC.
 *
 *   iob2    B begins a span, I continues it, O is outside
 *   iobes   also E ends a span, S is a span of one token; BIOES, IOBES, BILOU (L and U for E and S) */
#ifndef MN_TAGGING_TAG_SCHEME_H
#define MN_TAGGING_TAG_SCHEME_H
#include "decode.h"

enum mn_tag_scheme { MN_SCHEME_NONE, MN_SCHEME_IOB2, MN_SCHEME_IOBES };

/* Which tags may follow each other, begin and end a sequence; in scratch. MN_BAD_DATA if a tag is not of the scheme. */
mn_status mn_scheme_constraints(mn_context *ctx, const mn_tagger *m, enum mn_tag_scheme scheme, mn_constraints *out);

#endif
