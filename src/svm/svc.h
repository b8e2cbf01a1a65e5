/* Support vector classification: one binary problem for two classes; for more, one for each pair or for each class. */
#ifndef MN_SVM_SVC_H
#define MN_SVM_SVC_H
#include "svm.h"

extern const mn_class mn_svc; /* for estimators that fit one */

enum { MN_SVM_OVO, MN_SVM_OVR }; /* multi_class */

mn_status mn_svc_fit(mn_context *ctx, mn_svm *m, const mn_data *data, mn_svm_solver solve);
mn_status mn_svc_decision(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);
mn_status mn_svc_log_proba(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);
bool mn_svc_supports(const void *self, mn_action action);
mn_status mn_svc_export(mn_context *ctx, const void *self, mn_action action, mn_program *program);
mn_status mn_svc_check(mn_context *ctx, const void *self);

/* Class scores from the decisions d of all pairs (i, j), i < j, in the order (0, 1), (0, 2), ..: votes, and sums of
 * decisions bounded by 1/3, which break ties. */
void mn_svc_votes(size_t classes, const double *d, double *score);

#endif
