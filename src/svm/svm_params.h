/* Parameters and learned fields of support vector machines, in display order. */
#ifndef MN_SVM_SVM_PARAMS_H
#define MN_SVM_SVM_PARAMS_H
#include "svm.h"

#define MN_SVM_KERNEL_PARAMS                                                                                           \
  MN_KERNEL_PARAM(mn_svm, kernel, MN_KERNEL_RBF, "name of a kernel, or a value of ml.kernel"),                         \
      MN_REAL(mn_svm, gamma, MN_UNSET_REAL, MN_GREATER_THAN(0),                                                        \
              "factor of named kernels; unset: 1 / (features * variance of the values of X)"),                         \
      MN_REAL(mn_svm, degree, 3, MN_AT_LEAST(0), "degree of the kernel 'poly'"),                                       \
      MN_REAL(mn_svm, coef0, 0, MN_NO_LIMITS(), "constant of the kernels 'poly' and 'sigmoid'")

#define MN_SVM_SOLVER_PARAMS                                                                                           \
  MN_REAL(mn_svm, tol, 1e-3, MN_GREATER_THAN(0),                                                                       \
          "largest violation of the optimality conditions, and duality gap relative to the objective"),                \
      MN_COUNT(mn_svm, max_iter, 10000, MN_CLOSED(1, INT32_MAX), "maximum number of rounds over working sets"),        \
      MN_FLAG(mn_svm, shrinking, true, "leave out rows that are probably at a bound"),                                 \
      MN_REAL(mn_svm, cache_size, 200, MN_GREATER_THAN(0), "megabytes of kernel values kept by each machine")

/* functions: the word for the rows of dual_coef, "1" or a variable dimension. */
#define MN_SVM_FIELDS(functions)                                                                                       \
  MN_LEARNED(MN_KIND_KERNEL, mn_svm, fitted_kernel, "", "kernel with its hyperparameters"),                            \
      MN_INDEXES(mn_svm, support, "vectors?", "training rows of the support vectors, without rows of weight 0"),       \
      MN_MATRIX(mn_svm, support_vectors, "vectors? x features?", "support vectors; empty if X was sparse"),            \
      MN_LEARNED(MN_KIND_CSR, mn_svm, sparse_vectors, "vectors? x features?", "support vectors if X was sparse"),      \
      MN_INDEXES(mn_svm, place, "vectors? < features", NULL),                                                          \
      MN_MATRIX(mn_svm, dual_coef, functions "? x vectors?", "coefficients of the support vectors"),                   \
      MN_VECTOR(mn_svm, intercept, "problems", "intercept of each machine"),                                           \
      MN_OPTIONAL_NUMBER(mn_svm, duality_gap,                                                                          \
                         "how far the objective is from its optimum at most; nil if the kernel "                       \
                         "is not positive semidefinite")

#endif
