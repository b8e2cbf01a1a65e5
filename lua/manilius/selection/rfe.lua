--- RFE: recursive feature elimination to a given number of columns.

local elimination = require "manilius.selection.elimination"
local estimator = require "manilius.estimator"
local parts = require "manilius.ensemble.parts"
local selection = require "manilius.selection.base"

local M = {}

local function fit(self, X, y, options)
   local data = selection.data(self, X, y, options)
   local size = selection.size_of(self.n_features_to_select, data.width) or math.max(1, data.width // 2)
   if size > data.width then
      error(("RFE: n_features_to_select must be at most the number of columns, %d, got %d"):format(data.width, size), 0)
   end
   local sizes = elimination.sizes(self, data.width, size)
   local states = elimination.run(self, data, { parts.all_rows(data.n) }, sizes, nil, function(step)
      selection.report(data, step, #sizes)
   end)
   elimination.learn(self, states[1])
   return self
end

M.RFE = selection.class {
   name = "RFE",
   predicts = true,
   params = { estimator = estimator.NONE, n_features_to_select = estimator.NONE, step = 1, importance_getter = "auto" },
   shares = { n_features_to_select = true, step = true },
   learned = { ranking = elimination.LEARNED.ranking, best = elimination.LEARNED.best },
   help = {
      use = "RFE { estimator, n_features_to_select, step = 1, importance_getter = \"auto\" }",
      brief = "Recursive feature elimination: removes the least important columns step by step.",
      objective = "remove argmin_j sum_r b_rj^2, refit, repeat",
      params = {
         estimator = elimination.PARAMS.estimator,
         n_features_to_select = "columns to select: a number (integer) or a fraction (float); nil: half of them",
         step = elimination.PARAMS.step,
         importance_getter = elimination.PARAMS.importance_getter,
      },
      notes = "Importances are absolute coefficients, so scale the columns of linear models. Among equal importances "
         .. "later columns are removed first (earlier ones in scikit-learn). predict and the like use the estimator "
         .. "fitted to the selected columns. Sample weights are supported if the estimator supports them, factor "
         .. "columns if it has one importance for each column.",
      source = "Guyon, Weston, Barnhill & Vapnik, Machine Learning 46 (2002)",
      example = [[
local X, y = ml.read_csv "examples/data/iris.csv":split "species"
local rfe = ml.RFE { ml.LogisticRegression {}, n_features_to_select = 2 }:fit(X, y)
print(rfe, table.concat(rfe:output_names(), " "), rfe.ranking)]],
   },
   check = function(self)
      elimination.check(self)
      selection.check_size(self, "n_features_to_select")
   end,
   fit = fit,
}

return M
