/* The micro-kernels for each instruction set, after BLIS (Van Zee & van de Geijn, ACM TOMS 41 (2015)). */
#include "gemm_kernel.h"
#include <float.h>
#include <math.h>

#define UNROLL _Pragma("GCC unroll 16")

/* Every CPU of the architecture: 16 registers of 16 bytes on x86-64, 32 elsewhere. */
#define TARGET
#define BYTES 16
#define ROWS 4
#if defined(__x86_64__)
#define VECTORS 2
#else
#define VECTORS 4
#endif
#define DEPTH 256
#define REAL double
#define NAME(x) x##_baseline_f64
#include "gemm_tile.h"
#define DEPTH 256
#define REAL float
#define NAME(x) x##_baseline_f32
#include "gemm_tile.h"
#define NAME(x) x##_baseline
#include "rows_tile.h"
#undef TARGET
#undef BYTES
#undef ROWS
#undef VECTORS

const mn_product_kernels mn_kernels_baseline = { "baseline",
                                                 &gemm_baseline_f64,
                                                 &gemm_baseline_f32,
                                                 distance2_baseline,
                                                 assigned_distance2_baseline,
                                                 add_labeled_rows_baseline,
                                                 matrix_times_vector_baseline,
                                                 add_vector_times_matrix_baseline,
                                                 rbf_from_products_baseline };

#if defined(__x86_64__)

/* 16 registers of 32 bytes: 12 sums, 3 of the right operand, 1 of the left; or, for panels of 16 columns rather than
 * 24, 12, 2 and 2. */
#define TARGET __attribute__((target("avx2,fma")))
#define BYTES 32
#define ROWS 4
#define VECTORS 3
#define DEPTH 256
#define REAL double
#define NAME(x) x##_avx2_f64
#include "gemm_tile.h"
#undef ROWS
#undef VECTORS
#define ROWS 6
#define VECTORS 2
#define DEPTH 256
#define REAL float
#define NAME(x) x##_avx2_f32
#include "gemm_tile.h"
#define NAME(x) x##_avx2
#include "rows_tile.h"
#undef TARGET
#undef BYTES
#undef ROWS
#undef VECTORS

const mn_product_kernels mn_kernels_avx2 = { "avx2",
                                             &gemm_avx2_f64,
                                             &gemm_avx2_f32,
                                             distance2_avx2,
                                             assigned_distance2_avx2,
                                             add_labeled_rows_avx2,
                                             matrix_times_vector_avx2,
                                             add_vector_times_matrix_avx2,
                                             rbf_from_products_avx2 };

/* 32 registers of 64 bytes: 24 sums, 3 of the right operand, 1 of the left. */
#define TARGET __attribute__((target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl")))
#define BYTES 64
#define ROWS 8
#define VECTORS 3
#define DEPTH 192
#define REAL double
#define NAME(x) x##_avx512_f64
#include "gemm_tile.h"
#define DEPTH 192
#define REAL float
#define NAME(x) x##_avx512_f32
#include "gemm_tile.h"
#define NAME(x) x##_avx512
#include "rows_tile.h"

const mn_product_kernels mn_kernels_avx512 = { "avx512",
                                               &gemm_avx512_f64,
                                               &gemm_avx512_f32,
                                               distance2_avx512,
                                               assigned_distance2_avx512,
                                               add_labeled_rows_avx512,
                                               matrix_times_vector_avx512,
                                               add_vector_times_matrix_avx512,
                                               rbf_from_products_avx512 };

#endif
