/* Quintic B-splines on a grid of spacing 1. */
#ifndef MN_MANIFOLD_TSNE_SPLINE_H
#define MN_MANIFOLD_TSNE_SPLINE_H

enum { MN_SPLINE = 6 /* nodes that have a share in a point, along each axis */ };

/* Values at the nodes around a point, where t in [0, 1) is its distance from the third. */
static inline void mn_tsne_spline_values(double t, double b[MN_SPLINE])
{
  const double s = 1 - t, t5 = t * t * t * t * t;
  b[0] = s * s * s * s * s / 120;
  b[1] = (26 + t * (-50 + t * (20 + t * (20 + t * (-20 + 5 * t))))) / 120;
  b[2] = (66 + t * t * (-60 + t * t * (30 - 10 * t))) / 120;
  b[3] = (26 + t * (50 + t * (20 + t * (-20 + t * (-20 + 10 * t))))) / 120;
  b[4] = (1 + t * (5 + t * (10 + t * (10 + t * (5 - 5 * t))))) / 120;
  b[5] = t5 / 120;
}

/* Derivatives by the position of the point. */
static inline void mn_tsne_spline_slopes(double t, double b[MN_SPLINE])
{
  const double s = 1 - t;
  b[0] = -s * s * s * s / 24;
  b[1] = (-10 + t * (8 + t * (12 + t * (-16 + 5 * t)))) / 24;
  b[2] = t * (-24 + t * t * (24 - 10 * t)) / 24;
  b[3] = (10 + t * (8 + t * (-12 + t * (-16 + 10 * t)))) / 24;
  b[4] = (1 + t * (4 + t * (6 + t * (4 - 5 * t)))) / 24;
  b[5] = t * t * t * t / 24;
}

#endif
