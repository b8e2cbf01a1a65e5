/* The training problem of a tagger: tokens with their tags, and the pairs and transitions that have coefficients.
 *
 * A vector of coefficients holds those of the pairs, then the transitions, classes x classes, if there are any. */
#ifndef MN_TAGGING_TRAINING_H
#define MN_TAGGING_TRAINING_H
#include "chain.h"
#include "tokens.h"

typedef struct mn_tag_training {
  mn_tagger *model;
  const mn_data *data;
  mn_tokens tokens;
  size_t classes, attributes, pairs;
  const int32_t *col;            /* of the entries of tokens.x: attributes by first occurrence, which keeps those of
                                    a token, and the frequent ones, close together in memory                */
  const int32_t *transition_col; /* the same of the entries of tokens.of_transitions                       */
  const int32_t *rank;           /* attributes: their places in this order                                  */
  const int32_t *first, *label;  /* attributes + 1, in this order; pairs                                    */
  bool transitions;              /* the model has them                                                      */
  const bool *may_follow;        /* classes x classes: transitions that have coefficients                   */
  size_t n;                      /* coefficients                                                            */
  double *observed;              /* n: sums over the tokens as they are tagged; 0 for missing transitions   */
  double *l1, *l2;               /* n: penalties l1 |w| + l2 w^2; l1 NULL: none                              */
} mn_tag_training;

/* Find features, pairs and transitions. All but the tokens is in scratch; mn_tokens_free them, also on failure. */
mn_status mn_tag_training_init(mn_context *ctx, mn_tagger *m, const mn_data *data, bool transitions,
                               mn_tag_training *out);

/* Let the transitions of the chain depend on their features, if there are any, with these coefficients. */
mn_status mn_tag_training_set_features(mn_context *ctx, const mn_tag_training *t, const double *w, mn_chain *chain);

/* Store coefficients in the model, without pairs whose coefficient is 0. */
mn_status mn_tag_training_store(mn_context *ctx, const mn_tag_training *t, const double *w);

static inline double mn_penalty(const mn_tag_training *t, const double *w)
{
  double sum = 0;
  for (size_t j = 0; j < t->n; j++) sum += t->l2[j] * w[j] * w[j];
  return sum;
}

#endif
