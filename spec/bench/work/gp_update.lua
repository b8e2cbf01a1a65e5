local files = require "data"
local measure = require "measure"

return {
   title = "Gaussian process: one row added to 2,000 x 5, and the oldest removed", rows = 2000,
   columns = { "add_seconds", "refit_seconds", "share_of_search" }, -- without removal; a fit at the same
   -- hyperparameters; of a fit that finds them
   bar_seconds = 0.02, peers = {},
   make = require "work.gp_search".make,
   ours = function(ml, path)
      local data, k = files.read(ml, path), ml.kernel
      local kernel = 1.2 * k.RBF { length = 1.5 } + k.White { noise = 0.1 }
      data.settings = { kernel = kernel, optimizer = "none", window = data.x.rows }
      data.model = ml.GaussianProcessRegressor(data.settings):fit(data.x, data.y)
      data.row, data.value, data.ml = data.x:slice(1, 1) * 0.9, { 0.5 }, ml
      return data
   end,
   measure = function(data)
      local seconds = measure.median_call(function() data.model:partial_fit(data.row, data.value) end, 21, 1)
      local growing = data.ml.GaussianProcessRegressor { kernel = data.settings.kernel, optimizer = "none" }
      growing:fit(data.x, data.y)
      local add = measure.median_call(function() growing:partial_fit(data.row, data.value) end, 21, 1)
      local start = os.clock()
      data.ml.GaussianProcessRegressor(data.settings):fit(data.x, data.y)
      local refit = os.clock() - start
      start = os.clock()
      data.ml.GaussianProcessRegressor { kernel = data.settings.kernel }:fit(data.x, data.y)
      local search = os.clock() - start
      local figures = { seconds = seconds, add_seconds = add, refit_seconds = refit,
         share_of_search = seconds / search, runs = 21 }
      return figures, figures
   end,
   quality = function() end,
}
