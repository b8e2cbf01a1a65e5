local images = require "images"
local ITERATIONS = 13 -- reach the likelihood of GPy after its 50

-- GPy is not among the peers of `make bench-deps`, because GPy 1.13.2 needs Python 3.10 or so, numpy<2, scipy<=1.12 and
-- matplotlib<3.9: install these in an environment of their own.
return {
   title = "GPLVM, 500 x 784 pictures, 2 dimensions", rows = 500, bar = 0.2,
   columns = { "loglike" }, criterion = { key = "loglike", better = "higher", share = 1e-3 },
   peers = { { "GPy", "gplvm.py", "gplvm" } },
   make = function(ml, path, n)
      local X = images(ml, n, 31)
      X = ml.StandardScaler { with_std = false }:fit_transform(X)
      ml.write_npy(path "X.npy", X / X:std())
   end,
   ours = function(ml, path)
      local x = ml.read_npy(path "X.npy")
      ml.warnings(function() end)
      return function()
         return ml.GPLVM { prior = "none", normalize = false, max_iter = ITERATIONS, tol = 0 }:fit(x)
      end
   end,
   quality = function(_, model) return { loglike = model.loglike } end,
}
