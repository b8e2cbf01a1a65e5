/* Parameters and learned fields of support vector machines, in display order. */
#ifndef MN_SVM_SVM_PARAMS_H
#define MN_SVM_SVM_PARAMS_H
#include "svm.h"

#define MN_SVM_KERNEL_PARAMS                                                                                           \
  MN_KERNEL_MODEL_PARAMS(MN_KERNEL_RBF,                                                                                \
                         "scale in the kernels rbf, poly, sigmoid, laplacian and chi2; nil: 1 / (features * variance " \
                         "of the values of X), or 1 for chi2; sample weights count in the variance, unlike in "        \
                         "scikit-learn",                                                                               \
                         0)

#define MN_SVM_SOLVER_PARAMS                                                                                           \
  MN_REAL(mn_svm, tol, 1e-3, MN_GREATER_THAN(0),                                                                       \
          "stop when the violation of the optimality conditions and the relative duality gap are at most this"),       \
      MN_COUNT(mn_svm, max_iter, 10000, MN_CLOSED(1, INT32_MAX), "maximum number of rounds over working sets"),        \
      MN_FLAG(mn_svm, shrinking, true, "skip rows whose coefficients are probably at a bound"),                        \
      MN_REAL(mn_svm, cache_size, 200, MN_GREATER_THAN(0),                                                             \
              "size of the kernel cache of each binary problem, in megabytes")

/* The stored rows under the names of support vectors. */
#define MN_SVM_ROWS(kind_, name_, member, shape_, text)                                                                \
  {                                                                                                                    \
    .name = (name_), .kind = (kind_), .offset = offsetof(mn_kernel_model, member), .shape = (shape_), .brief = (text)  \
  }

/* functions: the word for the rows of dual_coef, "1" or a variable dimension. */
#define MN_SVM_FIELDS(functions)                                                                                       \
  MN_LEARNED(MN_KIND_KERNEL, mn_kernel_model, fitted_kernel, "", "kernel with its hyperparameters"),                   \
      MN_INDEXES(mn_svm, support, "vectors?", "training rows of the support vectors, without rows of weight 0"),       \
      MN_SVM_ROWS(MN_KIND_MATRIX, "support_vectors", x, "vectors? x features?",                                        \
                  "support vectors; empty if X was sparse"),                                                           \
      MN_SVM_ROWS(MN_KIND_CSR, "sparse_vectors", sparse_x, "vectors? x features?", "support vectors if X was sparse"), \
      MN_INDEXES(mn_kernel_model, place, "vectors? < features", NULL),                                                 \
      MN_MATRIX(mn_svm, dual_coef, functions "? x vectors?", "coefficients of the support vectors"),                   \
      MN_VECTOR(mn_svm, intercept, "problems",                                                                         \
                "intercept of each binary problem; a single one in regression and outlier detection"),                 \
      MN_OPTIONAL_NUMBER(mn_svm, duality_gap,                                                                          \
                         "upper bound on how far the objective is from its optimum; nil if the "                       \
                         "kernel is not positive semidefinite")

#endif
