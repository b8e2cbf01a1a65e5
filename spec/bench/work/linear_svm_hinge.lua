return require "linear_svms" {
   loss = "hinge", title = "hinge", tol = 1e-5, share = 1e-5, reads = 10,
   peers = {
      { "liblinear -s 3 -e 0.1", "linear_svm.py", "hinge" },
      { "liblinear -s 3 -e 1e-3", "linear_svm.py", "hinge-exact" },
   },
   sum = function(violations) return violations:sum() end,
}
