/* Tokens: the rows of X as sparse features, in sequences. */
#ifndef MN_TAGGING_TOKENS_H
#define MN_TAGGING_TOKENS_H
#include "tagger.h"

typedef struct mn_tokens {
  mn_csr x;              /* tokens x attributes: their features */
  bool owns_x;           /* x is to be freed                    */
  mn_csr of_transitions; /* tokens x attributes: features of the transitions to them; without rows: there are none */
  size_t sequences;
  const size_t *begin; /* sequences + 1: their first tokens; in scratch */
  size_t longest;      /* tokens of the longest sequence      */
} mn_tokens;

/* Find the features of the rows of fit, and name them in `m` if they are strings; or those of other rows, among the
 * features of fit: others are ignored. mn_tokens_free, also on failure. */
mn_status mn_tokens_learn(mn_context *ctx, mn_tagger *m, const mn_data *data, mn_tokens *out);
mn_status mn_tokens_read(mn_context *ctx, const mn_tagger *m, const mn_data *data, mn_tokens *out);
void mn_tokens_free(mn_context *ctx, mn_tokens *tokens);

#endif
