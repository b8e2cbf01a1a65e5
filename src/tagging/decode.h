/* Tags and probabilities of new sequences. */
#ifndef MN_TAGGING_DECODE_H
#define MN_TAGGING_DECODE_H
#include "chain.h"
#include "tokens.h"

/* How scores become probabilities. */
enum mn_normalization {
  MN_NORMALIZE_TOKENS,    /* LogLinear, MEMM: each token, given the tag before it */
  MN_NORMALIZE_SEQUENCES, /* CRF                                                  */
  MN_NORMALIZE_NOTHING    /* StructuredPerceptron                                 */
};
enum mn_normalization mn_normalization_of(const mn_tagger *m);

/* Let the transitions of the chain depend on their features in the tokens, if there are any. */
mn_status mn_tagger_set_features(mn_context *ctx, const mn_tagger *m, const mn_tokens *tokens, mn_chain *chain);

/* Which tag sequences are allowed; all pointers may be NULL. */
typedef struct mn_constraints {
  const bool *may_follow;    /* classes x classes */
  const bool *starts, *ends; /* classes           */
  const int32_t *fixed;      /* tokens: tag or -1 */
} mn_constraints;

/* The best tags of each sequence, and their log probability (or score) into `scores`, which may be NULL. MN_BAD_DATA: a
 * sequence has no allowed tags. */
mn_status mn_decode(mn_context *ctx, const mn_tagger *m, const mn_tokens *tokens, const mn_constraints *constraints,
                    int32_t *tags, double *scores);

/* The log probability (or score) of given tags of each sequence. */
mn_status mn_score_tags(mn_context *ctx, const mn_tagger *m, const mn_tokens *tokens, const int32_t *tags,
                        double *scores);

/* Actions of class tables. mn_tagger_decision: the score of the best sequence with each tag. */
mn_status mn_tagger_predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);
mn_status mn_tagger_log_proba(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);
mn_status mn_tagger_decision(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);

#endif
