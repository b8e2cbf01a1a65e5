#include "gp_state_space.h"
#include <math.h>
#include <string.h>

/* --- the expression as a sum of products --- */

struct reader {
  mn_context *ctx;
  const char *who;
  mn_ss_model *m;
  mn_ss_term term[MN_SS_MAX_TERMS]; /* of the operands, one after the other */
  size_t terms;
};

static mn_status too_many(const struct reader *r)
{
  return mn_fail(r->ctx, MN_BAD_ARGUMENT, "%s: the kernel has more than %d terms", r->who, MN_SS_MAX_TERMS);
}

static mn_status push_leaf(struct reader *r, size_t i)
{
  const mn_kernel *k = r->m->kernel;
  const mn_kernel_node *node = &k->node[i];
  const mn_hyperparameter *h = k->hyper + node->first;
  mn_ss_term t = { .order = 1, .variance = 1 };
  if (r->terms == MN_SS_MAX_TERMS) return too_many(r);
  switch (node->op) {
  case MN_KERNEL_OU:
  case MN_KERNEL_LAPLACIAN:
  case MN_KERNEL_MATERN12: t.length = h; break;
  case MN_KERNEL_MATERN32: t.length = h, t.order = 2; break;
  case MN_KERNEL_MATERN52: t.length = h, t.order = 3; break;
  case MN_KERNEL_WHITE: t.white = true; /* fall through */
  case MN_KERNEL_CONSTANT:
    t.variance = h->value;
    t.power[i] = 1;
    break;
  default:
    return mn_fail(
        r->ctx, MN_BAD_ARGUMENT,
        "%s: kernel %s has no state-space form; use Matern, OrnsteinUhlenbeck, Laplacian, Constant and White, "
        "or another estimator",
        r->who, mn_kernel_types[node->op].label);
  }
  r->term[r->terms++] = t;
  return MN_OK;
}

static mn_status multiply(struct reader *r, const mn_ss_term *a, const mn_ss_term *b, mn_ss_term *out)
{
  if (a->length && b->length && !a->white && !b->white)
    return mn_fail(r->ctx, MN_BAD_ARGUMENT,
                   "%s: the kernel has a product of two Matern kernels, for which there is no state-space form here; "
                   "use a sum",
                   r->who);
  *out = (mn_ss_term){ .white = a->white || b->white, .variance = a->variance * b->variance };
  const mn_ss_term *curve = a->length ? a : b; /* white noise times a Matern kernel, which is 1 at 0 */
  out->length = out->white ? NULL : curve->length;
  out->order = out->white ? 1 : curve->order;
  for (size_t i = 0; i < r->m->kernel->nodes; i++) out->power[i] = a->power[i] + b->power[i];
  return MN_OK;
}

/* Multiply the last `right` terms with the `left` terms before them. */
static mn_status multiply_sums(struct reader *r, size_t left, size_t right)
{
  mn_ss_term out[MN_SS_MAX_TERMS];
  const mn_ss_term *a = r->term + r->terms - left - right, *b = a + left;
  const size_t first = r->terms - left - right;
  if (first + left * right > MN_SS_MAX_TERMS) return too_many(r);
  for (size_t i = 0; i < left; i++)
    for (size_t j = 0; j < right; j++) MN_TRY(multiply(r, &a[i], &b[j], &out[i * right + j]));
  memcpy(r->term + first, out, left * right * sizeof *out);
  r->terms = first + left * right;
  return MN_OK;
}

mn_status mn_ss_read(mn_context *ctx, const char *who, const mn_kernel *kernel, mn_ss_model *m)
{
  struct reader r = { .ctx = ctx, .who = who, .m = m };
  size_t size[MN_KERNEL_MAX_NODES], top = 0;
  *m = (mn_ss_model){ .kernel = kernel };
  for (size_t i = 0; i < kernel->nodes; i++) {
    const mn_kernel_op op = kernel->node[i].op;
    if (op == MN_KERNEL_POWER)
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: a power of a kernel has no state-space form here", who);
    if (op < MN_KERNEL_SUM) {
      MN_TRY(push_leaf(&r, i));
      size[top++] = 1;
      continue;
    }
    top--;
    if (op == MN_KERNEL_PRODUCT) {
      MN_TRY(multiply_sums(&r, size[top - 1], size[top]));
      size[top - 1] *= size[top];
    } else {
      size[top - 1] += size[top];
    }
  }
  for (size_t i = 0; i < r.terms; i++) {
    m->noise += r.term[i].white ? r.term[i].variance : 0;
    if (r.term[i].white) continue;
    m->term[m->terms++] = r.term[i];
    m->states += r.term[i].order;
  }
  if (m->states == 0) return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: the kernel must have a part beside White", who);
  for (size_t i = 0, white = m->terms; i < r.terms; i++) /* after the others, for derivatives */
    if (r.term[i].white) m->term[white++] = r.term[i];
  return MN_OK;
}

/* --- matrices --- */

/* F + 1, whose power of the number of states is 0, its square, and P for variance 1. */
struct form {
  double n[3][3], n2[3][3], p[3][3];
};

static const struct form forms[] = {
  { .n = { { 0 } }, .n2 = { { 0 } }, .p = { { 1 } } },
  { .n = { { 1, 1 }, { -1, -1 } }, .n2 = { { 0 } }, .p = { { 1, 0 }, { 0, 1 } } },
  { .n = { { 1, 1, 0 }, { 0, 1, 1 }, { -1, -3, -2 } },
    .n2 = { { 1, 2, 1 }, { -1, -2, -1 }, { 1, 2, 1 } },
    .p = { { 1, 0, -1. / 3 }, { 0, 1. / 3, 0 }, { -1. / 3, 0, 1 } } },
};

static double scaled_step(const mn_ss_term *t, double step)
{
  return t->length ? sqrt(2 * (double)t->order - 1) * step / t->length->value : 0;
}

void mn_ss_stationary(const mn_ss_model *m, double *p)
{
  memset(p, 0, m->states * m->states * sizeof *p);
  for (size_t k = 0, at = 0; k < m->terms; at += m->term[k].order, k++)
    for (size_t i = 0; i < m->term[k].order; i++)
      for (size_t j = 0; j < m->term[k].order; j++)
        p[(at + i) * m->states + at + j] = m->term[k].variance * forms[m->term[k].order - 1].p[i][j];
}

/* exp(-tau) (1 + N tau + N^2 tau^2 / 2) of one term. */
static void term_transition(const mn_ss_term *t, double step, double a[3][3])
{
  const struct form *f = &forms[t->order - 1];
  const double tau = scaled_step(t, step), decay = exp(-tau);
  for (size_t i = 0; i < t->order; i++)
    for (size_t j = 0; j < t->order; j++)
      a[i][j] = decay * ((double)(i == j) + tau * f->n[i][j] + tau * tau / 2 * f->n2[i][j]);
}

/* left * P * right' of the form, times factor. */
static void sandwich(const mn_ss_term *t, const double left[3][3], const double right[3][3], double factor,
                     double out[3][3])
{
  const struct form *f = &forms[t->order - 1];
  for (size_t i = 0; i < t->order; i++)
    for (size_t j = 0; j < t->order; j++) {
      out[i][j] = 0;
      for (size_t k = 0; k < t->order; k++)
        for (size_t l = 0; l < t->order; l++) out[i][j] += factor * left[i][k] * f->p[k][l] * right[j][l];
    }
}

/* Q of the form for variance 1. Those of one or two states have no cancellation in the terms that matter most. */
static void term_noise(const mn_ss_term *t, double step, const double a[3][3], double q[3][3])
{
  const double tau = scaled_step(t, step);
  sandwich(t, a, a, -1, q);
  for (size_t i = 0; i < t->order; i++)
    for (size_t j = 0; j < t->order; j++) q[i][j] += forms[t->order - 1].p[i][j];
  if (t->order == 1) q[0][0] = -expm1(-2 * tau);
}

static void write_block(const mn_ss_model *m, size_t at, size_t order, double factor, const double block[3][3],
                        double *out)
{
  for (size_t i = 0; i < order; i++)
    for (size_t j = 0; j < order; j++) out[(at + i) * m->states + at + j] = factor * block[i][j];
}

void mn_ss_transition(const mn_ss_model *m, double step, double *a, double *q)
{
  memset(a, 0, m->states * m->states * sizeof *a);
  memset(q, 0, m->states * m->states * sizeof *q);
  for (size_t k = 0, at = 0; k < m->terms; at += m->term[k].order, k++) {
    const mn_ss_term *t = &m->term[k];
    double block[3][3] = { { 0 } }, noise[3][3];
    term_transition(t, step, block);
    term_noise(t, step, (const double(*)[3])block, noise);
    write_block(m, at, t->order, 1, (const double(*)[3])block, a);
    write_block(m, at, t->order, t->variance, (const double(*)[3])noise, q);
  }
}

/* By the logarithm of the length: dtau = -tau, so that dA = -tau F A with F = N - 1, and dQ = -(dA P A' + A P dA'). */
static void length_derivative(const mn_ss_term *t, double step, double da[3][3], double dq[3][3])
{
  const struct form *f = &forms[t->order - 1];
  const double tau = scaled_step(t, step);
  double a[3][3] = { { 0 } }, one[3][3], other[3][3];
  term_transition(t, step, a);
  for (size_t i = 0; i < t->order; i++)
    for (size_t j = 0; j < t->order; j++) {
      da[i][j] = tau * a[i][j];
      for (size_t k = 0; k < t->order; k++) da[i][j] -= tau * f->n[i][k] * a[k][j];
    }
  sandwich(t, (const double(*)[3])da, (const double(*)[3])a, -t->variance, one);
  sandwich(t, (const double(*)[3])a, (const double(*)[3])da, -t->variance, other);
  for (size_t i = 0; i < t->order; i++)
    for (size_t j = 0; j < t->order; j++) dq[i][j] = one[i][j] + other[i][j];
}

void mn_ss_derivative(const mn_ss_model *m, size_t node, double step, double *da, double *dq)
{
  memset(da, 0, m->states * m->states * sizeof *da);
  memset(dq, 0, m->states * m->states * sizeof *dq);
  for (size_t k = 0, at = 0; k < m->terms; at += m->term[k].order, k++) {
    const mn_ss_term *t = &m->term[k];
    double block[3][3] = { { 0 } }, noise[3][3] = { { 0 } };
    if (t->length == m->kernel->hyper + m->kernel->node[node].first) {
      length_derivative(t, step, block, noise);
      write_block(m, at, t->order, 1, (const double(*)[3])block, da);
      write_block(m, at, t->order, 1, (const double(*)[3])noise, dq);
    } else if (t->power[node] > 0) {
      term_transition(t, step, block);
      term_noise(t, step, (const double(*)[3])block, noise);
      write_block(m, at, t->order, (double)t->power[node] * t->variance, (const double(*)[3])noise, dq);
    }
  }
}

void mn_ss_stationary_derivative(const mn_ss_model *m, size_t node, double *dp, double *dnoise)
{
  memset(dp, 0, m->states * m->states * sizeof *dp);
  *dnoise = 0;
  for (size_t k = 0, at = 0; k < m->terms; at += m->term[k].order, k++)
    write_block(m, at, m->term[k].order, (double)m->term[k].power[node] * m->term[k].variance,
                forms[m->term[k].order - 1].p, dp);
  for (size_t k = m->terms; k < MN_SS_MAX_TERMS && m->term[k].white; k++)
    *dnoise += (double)m->term[k].power[node] * m->term[k].variance;
}

void mn_ss_observation(const mn_ss_model *m, double *h)
{
  memset(h, 0, m->states * sizeof *h);
  for (size_t k = 0, at = 0; k < m->terms; at += m->term[k].order, k++) h[at] = 1;
}
