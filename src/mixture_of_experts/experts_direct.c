/* Mixtures of logistic experts by L-BFGS on the penalized likelihood itself. It needs far fewer passes over the rows
 * than EM, whose steps are short where experts overlap, and no Hessian, whose order is that of all coefficients of an
 * expert. The gradients are those of the M step, at the responsibilities r of the current coefficients:
 *
 *     expert k, class c      sum_i w_i r_ik (P_kc(x_i) - [y_i = c]) x_i + expert_penalty B_kc
 *     child c of a node      sum_i w_i (h_parent(i) G_c(x_i) - h_c(i)) x_i + gate_penalty v_c
 *
 * where h is the sum of r over the experts below. With fixed responsibilities it is the gradient of EM's expected
 * loss, which is convex and gives the coefficients to start from.
 *
 * The variables are u = L' v with L L' the Hessian at equal probabilities, so that correlated columns do not slow the
 * descent down. Jordan & Jacobs, Neural Computation 6 (1994); Xu & Jordan, Neural Computation 8 (1996). */
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include "../optim/lbfgs.h"
#include "experts.h"
#include <string.h>

/* Steps of L-BFGS vary in length, so convergence is judged over WINDOW of them. */
enum { FIRST_STEPS = 25, HISTORY = 20, WINDOW = 5 };

/* v = inv(L') u for the rows v of one group of coefficients. */
struct change_of_variables {
  size_t q;
  double *factor, *inverse; /* q x q: L, inv(L') */
};

struct direct {
  mn_context *ctx;
  mn_experts_problem *p;
  mn_experts_state *s;
  bool fixed;               /* the responsibilities p->r are fixed */
  mn_report *report;        /* NULL: iterations are not recorded */
  double tol, last[WINDOW]; /* losses of the last iterations */
  size_t recorded;
  int64_t max_iter;
  struct change_of_variables experts, gates;
  double *gradient;  /* in v, as the variables */
  double *workspace; /* workers x (k + children) */
};

static size_t expert_rows(const mn_experts_problem *p)
{
  return p->k * p->labels;
}

static size_t variable_count(const mn_experts_problem *p)
{
  return expert_rows(p) * p->q + p->children * (p->p + 1);
}

/* --- variables --- */

static mn_status make_change(mn_context *ctx, const mn_experts_problem *p, const double *x, size_t q, double curvature,
                             double penalty, struct change_of_variables *c)
{
  double largest = 0;
  c->q = q;
  c->factor = MN_RAW(ctx, double, q, q);
  c->inverse = MN_NEW(ctx, double, q, q);
  if (!c->factor || !c->inverse) return MN_NO_MEMORY;
  MN_TRY(mn_syrk(ctx, p->n, q, x, q, p->data->weights, NULL, c->factor, q));
  for (size_t j = 0; j < q * q; j++) c->factor[j] *= curvature;
  for (size_t j = 0; j < q; j++) largest = fmax(largest, c->factor[j * q + j] += penalty);
  const double jitter = largest > 0 ? 1e-8 * largest : 1; /* collinear columns */
  for (size_t j = 0; j < q; j++) {
    c->factor[j * q + j] += jitter;
    c->inverse[j * q + j] = 1;
  }
  MN_TRY(mn_chol(ctx, q, c->factor, NULL));
  return mn_chol_upper(ctx, q, q, c->factor, c->inverse);
}

static mn_status make_changes(mn_context *ctx, struct direct *d)
{
  const mn_experts_problem *p = d->p;
  const double labels = (double)p->labels, branching = (double)p->branching;
  MN_TRY(make_change(ctx, p, p->e, p->q, (1 - 1 / labels) / (labels * (double)p->k), p->expert_penalty, &d->experts));
  return make_change(ctx, p, p->a, p->p + 1, fmax(1 - 1 / branching, 0.1) / branching, p->gate_penalty, &d->gates);
}

/* to (rows x q) = from m or, transposed, from m'. */
static mn_status multiply(mn_context *ctx, size_t rows, const double *from, const double *m, bool transposed, size_t q,
                          double *to)
{
  return mn_gemm(ctx, false, transposed, rows, q, q, 1, from, q, m, q, 0, to, q);
}

static mn_status set_state(mn_context *ctx, const struct direct *d, const double *u)
{
  const mn_experts_problem *p = d->p;
  const struct change_of_variables *e = &d->experts, *g = &d->gates;
  const size_t rows = expert_rows(p);
  MN_TRY(multiply(ctx, rows, u, e->inverse, true, e->q, d->s->b));
  return multiply(ctx, p->children, u + rows * e->q, g->inverse, true, g->q, d->s->v);
}

static mn_status get_variables(mn_context *ctx, const struct direct *d, double *u)
{
  const mn_experts_problem *p = d->p;
  const struct change_of_variables *e = &d->experts, *g = &d->gates;
  const size_t rows = expert_rows(p);
  MN_TRY(multiply(ctx, rows, d->s->b, e->factor, false, e->q, u));
  return multiply(ctx, p->children, d->s->v, g->factor, false, g->q, u + rows * e->q);
}

/* --- value and gradient --- */

/* Responsibilities of a row, from the log densities of its label. Returns minus its log likelihood or, with fixed
 * responsibilities, minus its expectation. */
static double row_loss(const struct direct *d, const double *log_gate, const double *density, double *r)
{
  const size_t k = d->p->k;
  double largest = -INFINITY, sum = 0;
  for (size_t e = 0; d->fixed && e < k; e++)
    if (r[e] > 0) sum -= r[e] * (log_gate[e] + density[e]);
  if (d->fixed) return sum;
  for (size_t e = 0; e < k; e++) largest = fmax(largest, log_gate[e] + density[e]);
  for (size_t e = 0; e < k; e++) sum += r[e] = exp(log_gate[e] + density[e] - largest);
  for (size_t e = 0; e < k; e++) r[e] /= sum;
  return -largest - log(sum);
}

/* Replace the scores of a row, log probabilities of labels and children, by the derivatives of its loss. */
static void row_derivatives(const mn_experts_problem *p, size_t row, double *below)
{
  const double w = mn_weight(p->data, row), *r = p->r + row * p->k;
  double *label = p->label_score + row * expert_rows(p), *score = p->score + row * p->children;
  for (size_t e = 0; e < p->k; e++)
    for (size_t c = 0; c < p->labels; c++) {
      double *at = &label[e * p->labels + c];
      *at = w * r[e] * (exp(*at) - (c == (size_t)p->data->code[row]));
    }
  memset(below, 0, (p->children - p->k) * sizeof *below);
  memcpy(below + p->children - p->k, r, p->k * sizeof *below);
  for (size_t c = p->children; c-- > p->branching;) below[c / p->branching - 1] += below[c];
  for (size_t c = p->children; c-- > 0;) { /* the children of a node before the node */
    const bool first = c < p->branching;
    const size_t parent = first ? 0 : c / p->branching - 1;
    const double share = exp(score[c] - (first ? 0 : score[parent]));
    score[c] = w * ((first ? 1 : below[parent]) * share - below[c]);
  }
}

static void gradient_block(void *work, size_t block, size_t worker)
{
  const struct direct *d = work;
  const mn_experts_problem *p = d->p;
  double *density = d->workspace + worker * (p->k + p->children), *below = density + p->k, loss = 0;
  for (size_t i = mn_block_begin(&p->blocks, block); i < mn_block_end(&p->blocks, block); i++) {
    double *score = p->score + i * p->children;
    mn_experts_gate_log_softmax(1, p->branching, p->children, score);
    mn_experts_add_along_paths(p->branching, p->children, score);
    mn_experts_label_densities(p, i, density);
    loss += mn_weight(p->data, i) * row_loss(d, score + (p->children - p->k), density, p->r + i * p->k);
    row_derivatives(p, i, below);
  }
  p->part[block] = loss;
}

static void add_penalty(const double *v, size_t rows, size_t q, size_t first, double penalty, double *gradient)
{
  for (size_t i = 0; i < rows; i++)
    for (size_t j = first; j < q; j++) gradient[i * q + j] += penalty * v[i * q + j];
}

static mn_status evaluate(mn_context *ctx, struct direct *d, const double *u, double *loss, double *gradient)
{
  mn_experts_problem *p = d->p;
  const size_t rows = expert_rows(p), q = p->q, g = p->p + 1;
  double *b = d->gradient, *v = b + rows * q;
  MN_TRY(set_state(ctx, d, u));
  MN_TRY(mn_experts_label_scores(ctx, p, d->s));
  MN_TRY(mn_gemm(ctx, false, true, p->n, p->children, g, 1, p->a, g, d->s->v, g, 0, p->score, p->children));
  MN_TRY(mn_parallel(ctx, p->blocks.count, gradient_block, d));
  mn_sum_blocks(p->blocks.count, 1, p->part, loss);
  *loss = (*loss + mn_experts_penalty(p, d->s)) / p->total;
  MN_TRY(mn_gemm(ctx, true, false, rows, q, p->n, 1, p->label_score, rows, p->e, q, 0, b, q));
  MN_TRY(mn_gemm(ctx, true, false, p->children, g, p->n, 1, p->score, p->children, p->a, g, 0, v, g));
  add_penalty(d->s->b, rows, q, q - p->p, p->expert_penalty, b);
  add_penalty(d->s->v, p->children, g, 1, p->gate_penalty, v);
  MN_TRY(multiply(ctx, rows, b, d->experts.inverse, false, q, gradient));
  MN_TRY(multiply(ctx, p->children, v, d->gates.inverse, false, g, gradient + rows * q));
  for (size_t j = 0; j < variable_count(p); j++) gradient[j] /= p->total;
  return MN_OK;
}

static double loss_per_row(void *problem, const double *u, double *gradient)
{
  struct direct *d = problem;
  double loss;
  return evaluate(d->ctx, d, u, &loss, gradient) == MN_OK ? loss : (double)NAN;
}

static bool record(void *problem, double loss)
{
  struct direct *d = problem;
  mn_report *r = d->report;
  if (!r) return ++d->recorded < FIRST_STEPS;
  r->change = d->recorded >= WINDOW ? d->last[d->recorded % WINDOW] - loss : INFINITY;
  d->last[d->recorded++ % WINDOW] = loss;
  r->converged = !(r->change > d->tol);
  return mn_record_round(d->ctx, r, loss * d->p->total) && !r->converged && r->n_iter < d->max_iter;
}

static mn_status make_direct(mn_context *ctx, mn_experts_problem *p, mn_experts_state *s, struct direct *d, double **u)
{
  *d = (struct direct){ .ctx = ctx, .p = p, .s = s };
  d->gradient = MN_RAW(ctx, double, variable_count(p), 1);
  d->workspace = MN_RAW(ctx, double, mn_threads(ctx), p->k + p->children);
  *u = MN_RAW(ctx, double, variable_count(p), 1);
  if (!d->gradient || !d->workspace || !*u) return MN_NO_MEMORY;
  MN_TRY(make_changes(ctx, d));
  return get_variables(ctx, d, *u);
}

mn_status mn_experts_start_labels(mn_context *ctx, mn_experts_problem *p, int64_t max_iter, mn_experts_state *s)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const mn_lbfgs_options options = {
    .max_iter = (size_t)max_iter, .history = HISTORY, .objective_tolerance = 1e-4, .note = record
  };
  struct direct d;
  mn_lbfgs_report end;
  double *u;
  MN_TRY(make_direct(ctx, p, s, &d, &u));
  d.fixed = true;
  MN_TRY(mn_lbfgs(ctx, variable_count(p), u, loss_per_row, &d, &options, &end));
  MN_TRY(set_state(ctx, &d, u));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

mn_status mn_experts_descend(mn_context *ctx, mn_experts_problem *p, double tol, int64_t max_iter, mn_experts_state *s,
                             mn_report *report)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const mn_lbfgs_options options = {
    .max_iter = (size_t)max_iter, .history = HISTORY, .gradient_tolerance = 1e-14, .note = record
  };
  struct direct d;
  mn_lbfgs_report end;
  double *u;
  MN_TRY(make_direct(ctx, p, s, &d, &u));
  d.report = report;
  d.tol = tol;
  d.max_iter = max_iter;
  MN_TRY(mn_lbfgs(ctx, variable_count(p), u, loss_per_row, &d, &options, &end));
  if (report->n_iter == 0) (void)record(&d, end.objective); /* the start is optimal */
  report->converged = report->converged || end.converged;
  MN_TRY(set_state(ctx, &d, u));
  p->expert_rank = (int64_t)(p->k * (p->labels - 1)) * p->design_rank;
  mn_scratch_release(ctx, mark);
  return mn_error_status(ctx);
}
