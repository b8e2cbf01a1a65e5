/* Parameters and learned fields of support vector machines, in display order. */
#ifndef MN_SVM_SVM_PARAMS_H
#define MN_SVM_SVM_PARAMS_H
#include "svm.h"

#define MN_SVM_KERNEL_PARAMS                                                                                           \
  MN_KERNEL_PARAM(mn_svm, kernel, MN_KERNEL_RBF, "name of a kernel, or a kernel built with ml.kernel"),                \
      MN_REAL(mn_svm, gamma, MN_UNSET_REAL, MN_GREATER_THAN(0),                                                        \
              "scale in the kernels rbf, poly, sigmoid, laplacian and chi2; nil: 1 / (features * variance of the "     \
              "values of X), or 1 for chi2"),                                                                          \
      MN_REAL(mn_svm, degree, 3, MN_AT_LEAST(0), "degree of the kernel poly"),                                         \
      MN_REAL(mn_svm, coef0, 0, MN_NO_LIMITS(), "constant term of the kernels poly and sigmoid")

#define MN_SVM_SOLVER_PARAMS                                                                                           \
  MN_REAL(mn_svm, tol, 1e-3, MN_GREATER_THAN(0),                                                                       \
          "stop when the violation of the optimality conditions and the relative duality gap are at most this"),       \
      MN_COUNT(mn_svm, max_iter, 10000, MN_CLOSED(1, INT32_MAX), "maximum number of rounds over working sets"),        \
      MN_FLAG(mn_svm, shrinking, true, "skip rows whose coefficients are probably at a bound"),                        \
      MN_REAL(mn_svm, cache_size, 200, MN_GREATER_THAN(0),                                                             \
              "size of the kernel cache of each binary problem, in megabytes")

/* functions: the word for the rows of dual_coef, "1" or a variable dimension. */
#define MN_SVM_FIELDS(functions)                                                                                       \
  MN_LEARNED(MN_KIND_KERNEL, mn_svm, fitted_kernel, "", "kernel with its hyperparameters"),                            \
      MN_INDEXES(mn_svm, support, "vectors?", "training rows of the support vectors, without rows of weight 0"),       \
      MN_MATRIX(mn_svm, support_vectors, "vectors? x features?", "support vectors; empty if X was sparse"),            \
      MN_LEARNED(MN_KIND_CSR, mn_svm, sparse_vectors, "vectors? x features?", "support vectors if X was sparse"),      \
      MN_INDEXES(mn_svm, place, "vectors? < features", NULL),                                                          \
      MN_MATRIX(mn_svm, dual_coef, functions "? x vectors?", "coefficients of the support vectors"),                   \
      MN_VECTOR(mn_svm, intercept, "problems",                                                                         \
                "intercept of each binary problem; a single one in regression and outlier detection"),                 \
      MN_OPTIONAL_NUMBER(mn_svm, duality_gap,                                                                          \
                         "upper bound on how far the objective is from its optimum; nil if the "                       \
                         "kernel is not positive semidefinite")

#endif
