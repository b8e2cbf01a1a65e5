/* Variational approximations by independent variables: mean field and TAP. */
#ifndef MN_GRAPHICAL_VARIATIONAL_H
#define MN_GRAPHICAL_VARIATIONAL_H
#include "messages.h"

/* The mean field bound: log Z >= sum_f E_q table_f + sum_v H(q_v), maximized over q(x) = prod_v q_v(x_v) by coordinate
 * ascent from `restarts` starts (the first uniform, others random by `seed`), of which the best counts. q: variables x
 * `width`. Of the options, damping, tol and max_iter apply. */
mn_status mn_mean_field(mn_context *ctx, const mn_factor_graph *g, const int32_t *evidence,
                        const mn_message_options *options, size_t restarts, int64_t seed, size_t width, double *q,
                        double *bound, mn_message_report *report);

/* The equations of Thouless, Anderson & Palmer (1977) for variables of two states and factors of at most two free
 * variables, in spins -1 and 1:
 *
 *     m_i = tanh(h_i + sum_j J_ij m_j - m_i sum_j J_ij^2 (1 - m_j^2))
 *
 * The partition function is the expansion of Plefka to second order: no bound. */
mn_status mn_tap(mn_context *ctx, const char *who, const mn_factor_graph *g, const int32_t *evidence,
                 const mn_message_options *options, size_t width, double *q, double *log_partition,
                 mn_message_report *report);

#endif
