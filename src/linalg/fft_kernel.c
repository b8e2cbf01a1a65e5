#include "../core/clones.h"
#include "fft.h"

typedef double lanes __attribute__((vector_size(64)));

/* Where a stage reads and writes: complex elements of lanes, real and imaginary parts interleaved. */
struct stage {
  size_t m, s;     /* the length that is left, and the number of transforms side by side      */
  size_t re, im;   /* 0 and 1, or swapped for the inverse                                     */
  const lanes *x;  /* element q + s (p + m j)                                                 */
  lanes *y;        /* element q + s (r p + t)                                                 */
  const double *w; /* 2 (r - 1) numbers for each p                                            */
};

#define INLINE static inline __attribute__((always_inline))

/* out = (re + i im) times the power t of the twiddle factor. */
INLINE void store(const struct stage *g, lanes *out, size_t t, const double *w, lanes re, lanes im)
{
  const double c = w[2 * t - 2], s = w[2 * t - 1];
  out[2 * g->s * t + g->re] = re * c - im * s;
  out[2 * g->s * t + g->im] = re * s + im * c;
}

INLINE void first(const struct stage *g, lanes *out, lanes re, lanes im)
{
  out[g->re] = re;
  out[g->im] = im;
}

INLINE void butterfly2(const struct stage *g, const lanes *x, lanes *y, const double *w)
{
  const size_t by = 2 * g->s * g->m;
  const lanes ar = x[g->re], ai = x[g->im], br = x[by + g->re], bi = x[by + g->im];
  first(g, y, ar + br, ai + bi);
  store(g, y, 1, w, ar - br, ai - bi);
}

INLINE void butterfly3(const struct stage *g, const lanes *x, lanes *y, const double *w)
{
  const double sine = 0.86602540378443864676;
  const size_t by = 2 * g->s * g->m;
  const lanes ar = x[g->re], ai = x[g->im], br = x[by + g->re], bi = x[by + g->im];
  const lanes cr = x[2 * by + g->re], ci = x[2 * by + g->im];
  const lanes sr = br + cr, si = bi + ci, dr = sine * (br - cr), di = sine * (bi - ci);
  const lanes hr = ar - 0.5 * sr, hi = ai - 0.5 * si;
  first(g, y, ar + sr, ai + si);
  store(g, y, 1, w, hr + di, hi - dr);
  store(g, y, 2, w, hr - di, hi + dr);
}

INLINE void butterfly4(const struct stage *g, const lanes *x, lanes *y, const double *w)
{
  const size_t by = 2 * g->s * g->m;
  const lanes ar = x[g->re], ai = x[g->im], br = x[by + g->re], bi = x[by + g->im];
  const lanes cr = x[2 * by + g->re], ci = x[2 * by + g->im], dr = x[3 * by + g->re], di = x[3 * by + g->im];
  const lanes er = ar + cr, ei = ai + ci, fr = ar - cr, fi = ai - ci;
  const lanes gr = br + dr, gi = bi + di, hr = br - dr, hi = bi - di;
  first(g, y, er + gr, ei + gi);
  store(g, y, 1, w, fr + hi, fi - hr);
  store(g, y, 2, w, er - gr, ei - gi);
  store(g, y, 3, w, fr - hi, fi + hr);
}

INLINE void butterfly5(const struct stage *g, const lanes *x, lanes *y, const double *w)
{
  const double c1 = 0.30901699437494742410, c2 = -0.80901699437494742410;
  const double s1 = 0.95105651629515357212, s2 = 0.58778525229247312917;
  const size_t by = 2 * g->s * g->m;
  const lanes ar = x[g->re], ai = x[g->im];
  const lanes br = x[by + g->re] + x[4 * by + g->re], bi = x[by + g->im] + x[4 * by + g->im];
  const lanes cr = x[2 * by + g->re] + x[3 * by + g->re], ci = x[2 * by + g->im] + x[3 * by + g->im];
  const lanes dr = x[by + g->re] - x[4 * by + g->re], di = x[by + g->im] - x[4 * by + g->im];
  const lanes er = x[2 * by + g->re] - x[3 * by + g->re], ei = x[2 * by + g->im] - x[3 * by + g->im];
  const lanes pr = ar + c1 * br + c2 * cr, pi = ai + c1 * bi + c2 * ci;
  const lanes qr = ar + c2 * br + c1 * cr, qi = ai + c2 * bi + c1 * ci;
  const lanes ur = s1 * dr + s2 * er, ui = s1 * di + s2 * ei, vr = s2 * dr - s1 * er, vi = s2 * di - s1 * ei;
  first(g, y, ar + br + cr, ai + bi + ci);
  store(g, y, 1, w, pr + ui, pi - ur);
  store(g, y, 2, w, qr + vi, qi - vr);
  store(g, y, 3, w, qr - vi, qi + vr);
  store(g, y, 4, w, pr - ui, pi + ur);
}

#define STAGE(radix)                                                                                                   \
  for (size_t p = 0; p < g->m; p++)                                                                                    \
    for (size_t q = 0; q < g->s; q++)                                                                                  \
  butterfly##radix(g, g->x + 2 * (q + g->s * p), g->y + 2 * (q + g->s * (radix)*p), g->w + 2 * ((radix)-1) * p)

static MN_CLONES(void, run_stage, (size_t radix, const struct stage *given), (radix, given))
{
  const struct stage copy = *given, *const g = &copy;
  if (radix == 2) STAGE(2);
  if (radix == 3) STAGE(3);
  if (radix == 4) STAGE(4);
  if (radix == 5) STAGE(5);
}

double *mn_fft_lanes(const mn_fft *f, bool inverse, double *x, double *work)
{
  struct stage g = { .m = f->n, .s = 1, .re = inverse, .im = !inverse, .w = f->twiddle };
  for (size_t i = 0; i < f->stages; i++) {
    const size_t r = f->radix[i];
    double *const from = x;
    g.m /= r;
    g.x = (const lanes *)(const void *)from;
    g.y = (lanes *)(void *)work;
    run_stage(r, &g);
    g.w += 2 * (r - 1) * g.m;
    g.s *= r;
    x = work;
    work = from;
  }
  return x;
}
