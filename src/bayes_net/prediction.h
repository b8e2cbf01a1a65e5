/* One node of each row given the others that are known: by its Markov blanket if all are, else by exact inference. */
#ifndef MN_BAYES_NET_PREDICTION_H
#define MN_BAYES_NET_PREDICTION_H
#include "network.h"

/* out: rows x card, probabilities; of a number rows x 2, mean and standard deviation. NaN for impossible rows. */
mn_status mn_predict_node(mn_context *ctx, const mn_network *net, const mn_matrix *rows, size_t target, double limit,
                          mn_matrix *out);

#endif
