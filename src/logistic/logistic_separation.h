/* Separable classes: without a penalty the log loss then has no minimum, and the coefficients diverge. Used by
 * LogisticRegression and, for each class against the rest, by LinearModelClassifier. (GLM also detects partial
 * separation, from means at the limit of their range: glm_engine.c.) */
#ifndef MN_LOGISTIC_LOGISTIC_SEPARATION_H
#define MN_LOGISTIC_LOGISTIC_SEPARATION_H
#include "../model/data.h"

/* Whether these scores put every row of positive weight strictly on the side of its class. If so, larger coefficients
 * always lower the loss: the scores prove separability, whatever they are.
 *
 *   code      rows: the class, 0 or 1 where decisions is 1
 *   decisions 1 for two classes (score above 0: class 1), else k (the own class has the largest score)
 *   score     rows x decisions, rows `stride` apart */
bool mn_logistic_separates(const mn_data *data, const int32_t *code, size_t decisions, const double *score,
                           size_t stride);

/* Advice of a report that has not converged for that reason. */
extern const char mn_logistic_separable_advice[];

#endif
