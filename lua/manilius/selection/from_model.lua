--- SelectFromModel: select the columns whose importance in a fitted model is at least a threshold.

local base = require "manilius.ensemble.base"
local core = require "manilius.core"
local estimator = require "manilius.estimator"
local parts = require "manilius.ensemble.parts"
local rows = require "manilius.rows"
local selection = require "manilius.selection.base"

local M = {}

local WHO = "SelectFromModel"
local WANTED = "a number, \"mean\", \"median\", or a multiple such as \"1.25*median\""

-- --- the threshold ---

-- The factor and the name in "1.25*median"; nil if the text is invalid.
local function parse(value)
   if type(value) ~= "string" then return nil end
   local factor, name = value:match "^%s*([^*]-)%s*%*%s*(%a+)%s*$"
   if not factor then factor, name = "1", value:match "^%s*(%a+)%s*$" end
   factor = tonumber(factor)
   return factor and (name == "mean" or name == "median") and factor or nil, name
end

-- Does the penalty set coefficients to 0? Decided as in scikit-learn: by the parameters penalty and l1_ratio, and by
-- the name of the class.
local function is_sparse(model)
   local class = estimator.class_of(model)
   if class and class.name == "Pipeline" then return is_sparse(model.models[#model.models]) end
   local params = estimator.get_params(model)
   return params.penalty == "l1" or params.l1_ratio == 1 or estimator.name(model):find("Lasso", 1, true) ~= nil
end

local SMALL = 1e-5

local function threshold_of(self, model, importance)
   if type(self.threshold) == "number" then return self.threshold end
   if self.threshold == nil and is_sparse(model) then return SMALL end
   local factor, name = parse(self.threshold or "mean")
   local values = core.Vector(importance)
   return factor * (name == "mean" and values:mean() or values:median())
end

-- --- fit ---

local function check(self)
   selection.check(self)
   if self.threshold ~= nil and type(self.threshold) ~= "number" and not parse(self.threshold) then
      selection.wrong(self, "threshold", WANTED .. " or nil")
   end
   if self.max_features ~= nil then base.check_whole(self, "max_features", 1) end
   base.check_flag(self, "prefit")
   if self.norm_order ~= math.huge then selection.check_number(self, "norm_order", 1, math.huge) end
   if self.prefit and not estimator.learned(self.estimator, "fitted") then
      error(("%s: with prefit = true the estimator must be fitted, got %s, not fitted"):format(WHO,
         estimator.name(self.estimator)), 0)
   end
end

-- What fit learns from the shape of X if the estimator is fitted already.
local function learn_shape(self, X)
   X = rows.x(WHO, X)
   self.n_features = rows.width(X)
   self.feature_names = rows.is_frame(X) and table.move(X.names, 1, #X.names, 1, {}) or nil
   return self.estimator
end

local function fit_model(self, X, y, options)
   if self.prefit then return learn_shape(self, X) end
   local data = selection.data(self, X, y, options)
   local results = selection.run(data, { models = { self.estimator }, jobs = { { 1, 1, keep = true } },
      folds = { parts.all_rows(data.n) } })
   selection.report(data, 1, 1)
   return results[1].model
end

local function fit(self, X, y, options)
   local model = fit_model(self, X, y, options)
   local importance = selection.importances(self, model, self.n_features, self.norm_order)
   local threshold, keep = threshold_of(self, model, importance), {}
   for i, j in ipairs(selection.order(importance)) do
      keep[j] = importance[j] >= threshold and i <= (self.max_features or math.huge)
   end
   self.best, self.threshold_value, self.importances = model, threshold, core.Vector(importance)
   self.support = selection.support(keep, self.n_features)
   if #self.support == 0 then
      rows.warn(("%s: no column has an importance >= %.6g; lower the threshold"):format(WHO, threshold))
   end
   return self
end

-- A clone keeps a fitted estimator that is used as it is.
local function clone(self)
   local copy = estimator.clone_settings(self)
   if rawget(self, "prefit") then rawset(copy, "estimator", rawget(self, "estimator")) end
   return copy
end

M.SelectFromModel = selection.class {
   name = WHO,
   params = { estimator = estimator.NONE, threshold = estimator.NONE, prefit = false, norm_order = 1,
      max_features = estimator.NONE, importance_getter = "auto" },
   learned = { best = "the fitted estimator", threshold_value = "the threshold as a number",
      importances = "Vector: importance of each column" },
   help = {
      use = "SelectFromModel { estimator, threshold, prefit = false, norm_order = 1, max_features, ... }",
      brief = "Selects columns by their importance in one fitted model.",
      objective = "keep j where importance_j >= threshold",
      params = {
         estimator = selection.ESTIMATOR,
         threshold = WANTED .. "; nil: 1e-5 if the penalty is L1, else \"mean\"",
         prefit = "the estimator is already fitted; fit then needs only X",
         norm_order = "order of the norm of the coefficients of several classes or targets; math.huge: the largest",
         max_features = "maximum number of columns to select; nil: no limit",
         importance_getter = selection.IMPORTANCE,
      },
      notes = "Scale the columns of linear models. Ties are broken by the lowest index. If no column reaches the "
         .. "threshold, fit warns and transform raises an error. Sample weights are supported if the estimator "
         .. "supports them, factor columns if it has one importance for each column.",
      source = "Pedregosa et al., JMLR 12 (2011)",
      example = [[
local X, y = ml.read_csv "examples/data/diabetes.csv":split "progression"
local chosen = ml.SelectFromModel { ml.Lasso { alpha = 5 } }:fit(X, y)
print(chosen, table.concat(chosen:output_names(), " "))]],
   },
   check = check,
   clone = clone,
   fit = fit,
}

return M
