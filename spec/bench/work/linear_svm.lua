return require "linear_svms" {
   loss = "squared_hinge", title = "squared hinge", tol = 1e-8, share = 1e-7, reads = 20,
   peers = {
      { "liblinear -s 2 -e 0.01", "linear_svm.py", "squared" },
      { "liblinear -s 2 -e 1e-5", "linear_svm.py", "squared-exact" },
      { "liblinear -s 1 -e 0.1", "linear_svm.py", "squared-dual" },
   },
   sum = function(violations) return violations:dot(violations) end,
}
