/* The LAPACK and BLAS routines used by src/factorization/lapack*.c, loaded on first use.
 *
 * Fortran conventions: all arguments by address, column-major matrices, 32-bit integers, and after the listed arguments
 * one hidden length for each string. The memory of a row-major m x n matrix is a column-major n x m one, so a row-major
 * lower triangle is an upper one ("U") to LAPACK. */
#ifndef MN_LINALG_LAPACK_TABLE_H
#define MN_LINALG_LAPACK_TABLE_H
#include "../core/finite_kernel.h"
#include "../core/context.h"

/* X(name, arguments): const is not part of the Fortran interface, but LAPACK does not change the arguments marked so.
 */
#define MN_LAPACK_ROUTINES(X)                                                                                          \
  X(dpotrf, (const char *uplo, const int *n, double *a, const int *lda, int *info, size_t))                            \
  X(dpocon, (const char *uplo, const int *n, const double *a, const int *lda, const double *norm, double *rcond,       \
             double *work, int *iwork, int *info, size_t))                                                             \
  X(dpotri, (const char *uplo, const int *n, double *a, const int *lda, int *info, size_t))                            \
  X(dtrsm,                                                                                                             \
    (const char *side, const char *uplo, const char *trans, const char *diag, const int *m, const int *n,              \
     const double *alpha, const double *a, const int *lda, double *b, const int *ldb, size_t, size_t, size_t, size_t)) \
  X(dtrsv, (const char *uplo, const char *trans, const char *diag, const int *n, const double *a, const int *lda,      \
            double *x, const int *incx, size_t, size_t, size_t))                                                       \
  X(dtrcon, (const char *norm, const char *uplo, const char *diag, const int *n, const double *a, const int *lda,      \
             double *rcond, double *work, int *iwork, int *info, size_t, size_t, size_t))                              \
  X(dsyevd, (const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *w, double *work,     \
             const int *lwork, int *iwork, const int *liwork, int *info, size_t, size_t))                              \
  X(dsytrd, (const char *uplo, const int *n, double *a, const int *lda, double *d, double *e, double *tau,             \
             double *work, const int *lwork, int *info, size_t))                                                       \
  X(dsterf, (const int *n, double *d, double *e, int *info))                                                           \
  X(dstein, (const int *n, const double *d, const double *e, const int *m, const double *w, const int *iblock,         \
             const int *isplit, double *z, const int *ldz, double *work, int *iwork, int *ifail, int *info))           \
  X(dormtr, (const char *side, const char *uplo, const char *trans, const int *m, const int *n, const double *a,       \
             const int *lda, const double *tau, double *c, const int *ldc, double *work, const int *lwork, int *info,  \
             size_t, size_t, size_t))                                                                                  \
  X(dgesdd,                                                                                                            \
    (const char *jobz, const int *m, const int *n, double *a, const int *lda, double *s, double *u, const int *ldu,    \
     double *vt, const int *ldvt, double *work, const int *lwork, int *iwork, int *info, size_t))                      \
  X(dgesvd,                                                                                                            \
    (const char *jobu, const char *jobvt, const int *m, const int *n, double *a, const int *lda, double *s, double *u, \
     const int *ldu, double *vt, const int *ldvt, double *work, const int *lwork, int *info, size_t, size_t))          \
  X(dgeqrf,                                                                                                            \
    (const int *m, const int *n, double *a, const int *lda, double *tau, double *work, const int *lwork, int *info))   \
  X(dorgqr, (const int *m, const int *n, const int *k, double *a, const int *lda, const double *tau, double *work,     \
             const int *lwork, int *info))                                                                             \
  X(dormqr,                                                                                                            \
    (const char *side, const char *trans, const int *m, const int *n, const int *k, const double *a, const int *lda,   \
     const double *tau, double *c, const int *ldc, double *work, const int *lwork, int *info, size_t, size_t))         \
  X(dgeqp3, (const int *m, const int *n, double *a, const int *lda, int *jpvt, double *tau, double *work,              \
             const int *lwork, int *info))                                                                             \
  X(dtzrzf,                                                                                                            \
    (const int *m, const int *n, double *a, const int *lda, double *tau, double *work, const int *lwork, int *info))   \
  X(dormrz, (const char *side, const char *trans, const int *m, const int *n, const int *k, const int *l,              \
             const double *a, const int *lda, const double *tau, double *c, const int *ldc, double *work,              \
             const int *lwork, int *info, size_t, size_t))                                                             \
  X(dtpqrt, (const int *m, const int *n, const int *l, const int *nb, double *a, const int *lda, double *b,            \
             const int *ldb, double *t, const int *ldt, double *work, int *info))

typedef struct mn_lapack {
#define MN_LAPACK_FIELD(name, arguments) void(*name) arguments;
  MN_LAPACK_ROUTINES(MN_LAPACK_FIELD)
#undef MN_LAPACK_FIELD
} mn_lapack;

/* The routines; the first call in the process loads a library. MN_BAD_ARGUMENT if none is found. Thread-safe. */
mn_status mn_lapack_get(mn_context *ctx, const mn_lapack **lapack);

/* Convert n to int. MN_BAD_ARGUMENT, with `what` in the message, if it does not fit. */
mn_status mn_lapack_int(mn_context *ctx, const char *what, size_t n, int *result);

/* out (cols x rows) = x (rows x cols) transposed, both row-major with the given distances between rows. */
void mn_transpose_into(size_t rows, size_t cols, const double *x, size_t x_stride, double *out, size_t out_stride);

#endif
