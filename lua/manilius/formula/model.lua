--- FormulaModel: an estimator fitted to the design matrix of a formula.

local core = require "manilius.core"
local design = require "manilius.formula.design"
local estimator = require "manilius.estimator"
local formula = require "manilius.formula"
local core_models = require "manilius.core_models"
local rows = require "manilius.rows"
local text = require "manilius.text"

local M = {}

local WHO = "FormulaModel"

-- Require a Frame, or after fit also rows by name.
local function need_frame(X, self)
   if self then X = rows.from_named(WHO, X, self.columns, self.factors) end
   if not rows.is_frame(X) then error(("%s: X must be a Frame, got %s"):format(WHO, rows.kind(X)), 0) end
   return X
end

-- The target: y if given, otherwise the left side of the formula.
-- learning: true to store what is learned from these rows about the left side
local function find_target(self, X, y, learning)
   local key = type(y) == "table" and getmetatable(y) == nil and next(y)
   if type(key) == "string" and #y == 0 then
      error(("%s: y must be a list or nil, got a table with the key '%s'; options are the third argument: (X, nil, "
         .. "options)"):format(estimator.name(self.model), key), 0)
   end
   if y ~= nil then return y end
   y = design.left(self.formula, X, rawget(self, "design"), learning)
   return y or error(("%s: the formula '%s' has no left side; give y"):format(WHO, self.formula), 0)
end

local definition = {
   name = WHO,
   ours = true,
   params = { model = estimator.NONE, formula = estimator.NONE },
   learned = { design = "what fit learned about the variables: levels, polynomials, knots, means",
      terms = "names of the columns of the design matrix, one per coefficient" },
   private = { design = true, columns = true, factors = true, before = true },
   help = {
      brief = "A model specified by a formula as in R: \"mpg ~ wt + factor(cyl) + wt:hp\".",
      use = "FormulaModel { model =, formula = }, or ml.LinearRegression { formula =, ... }",
      params = { model = "the estimator", formula = "the formula, a string" },
      notes = "fit(frame) takes the target from the left side unless y is given; options come third: "
         .. "fit(frame, nil, { weights = w }). Terms: a + b, a:b, a * b, a / b, "
         .. "(a + b)^2, - a, . (all other columns), - 1 (no intercept). Variables: columns, factor(x), ordered(x), "
         .. "relevel(x, ref = \"b\"), C(x, contr.sum), cut(x, breaks), poly(x, 2), bs(x, df = 5), ns(x, df = 3), "
         .. "scale(x), I(arithmetic), log(x), comparisons, offset(x). Columns are those of R's model.matrix. Levels, "
         .. "knots and scales are learned by fit; unseen levels and missing values are errors.",
      source = "Wilkinson & Rogers, Applied Statistics 22 (1973); Chambers & Hastie, Statistical Models in S (1992)",
      example = [[
local cars = ml.read_csv "examples/data/mtcars.csv"
print(ml.LinearRegression { formula = "mpg ~ wt + factor(cyl)" }:fit(cars):summary())]],
   },
   tostring = function(self)
      local head = estimator.one_line(self)
      if rows.kind(self.model) == "Model" then return require "manilius.show".model(self.model, head) end
      return head
   end,
   more_names = function(self)
      local names = {}
      if rawget(self, "fitted") and rows.kind(self.model) == "Model" then
         for name in pairs(self.model) do names[#names + 1] = name end
      end
      return names
   end,
   does = function(self) return estimator.does(self.model) end,
   find_target = function(self, X)
      if not rows.is_frame(X) or not formula.parse(self.formula).left then return nil end
      local places = formula.on_the_right(self.formula, X.names)
      return find_target(self, X), #places > 0 and rows.columns(X, places) or X
   end,
   check = function(self)
      if not estimator.is(self.model) then
         error(("%s: model must be an estimator, got %s"):format(WHO, estimator.value_text(self.model)), 0)
      end
      if type(self.formula) ~= "string" then
         error(("%s: formula must be a string, got %s"):format(WHO, type(self.formula)), 0)
      end
      formula.parse(self.formula)
   end,
   one_line = function(self)
      local inside = estimator.one_line(self.model):gsub("%s*}$", "")
      return ("%s%s formula = %q }"):format(inside, inside:find "{%s*$" and "" or ",", tostring(self.formula))
   end,
   can = function(self, name)
      return name == "fit" or name == "score" or estimator.can(self.model, name)
   end,
}

-- Set a parameter of the model that the formula determines, and remember its previous value for clone. `reason` says
-- what the formula requires, for the error.
local function set_from_formula(self, name, value, reason)
   local ok, before = rows.try(function()
      local was = estimator.get_params(self.model)[name]
      estimator.set_params(self.model, { [name] = value })
      return was
   end)
   if not ok then
      error(("%s: the formula '%s' %s"):format(WHO, self.formula, reason:format(estimator.name(self.model))), 0)
   end
   self.before = self.before or {}
   self.before[#self.before + 1] = { name, before }
end

-- Raise an error if the design has no columns and the model does not support that.
local function need_terms(self)
   if #self.design.terms > 0 or self.design.offset then return end
   local model = self.model
   if rows.kind(model) == "Model" and estimator.describe(model).takes.no_columns then return end
   error(("%s: the formula '%s' has no terms except the intercept, which %s does not support; LinearRegression, GLM, "
      .. "RobustRegression and QuantileRegressor do"):format(WHO, self.formula, estimator.name(model)), 0)
end

-- Raise an error if the parameter offset of the model names a column of the Frame that the design does not have.
local function need_offset_term(self, X)
   local offset = rows.kind(self.model) == "Model" and estimator.get_params(self.model).offset
   if type(offset) ~= "string" or text.contains(self.terms, offset) then return end
   if not text.contains(X.names, offset) then return end
   error(("%s: offset = '%s' names a column that is not in the formula; write offset(%s) in the formula instead")
      :format(estimator.name(self.model), offset, offset), 0)
end

-- Learn the design from these rows; returns its columns and the target.
local function learn_design(self, X, y)
   need_frame(X)
   self.design = design.learn(self.formula, X)
   y = find_target(self, X, y, true)
   local columns
   columns, self.design.term_of = design.apply(self.design, X)
   need_terms(self)
   self.terms = rows.is_frame(columns) and columns.names or {}
   self.columns, self.factors = rows.named_columns(X)
   if not self.design.offset then need_offset_term(self, X) end
   if not self.design.constant then
      set_from_formula(self, "fit_intercept", false, "has no intercept, but %s has no parameter fit_intercept")
   end
   if self.design.offset then
      set_from_formula(self, "offset", self.design.offset, "has an offset, which %s does not support")
   end
   return columns, y
end

function definition.fit(self, X, y, options)
   local columns
   columns, y = learn_design(self, X, y)
   self.model:fit(columns, y, options)
   return self
end

local LEARNED = { "model", "design", "terms", "columns", "factors", "before" }

-- A copy to fit, so that an error leaves the model unchanged, and a function that stores what it learned.
local function fitting_copy(self)
   local copy = { formula = self.formula, model = estimator.clone(self.model), before = rawget(self, "before") }
   return copy, function(model)
      for _, name in ipairs(LEARNED) do rawset(model, name, copy[name]) end
      rawset(model, "fitted", true)
   end
end

--- Fit in the background, if the model is a built-in estimator or a Pipeline of them. The design is computed first.
-- Returns a job: done(), wait([seconds]), cancel(), progress, model.
function definition.fit_async(self, X, y, options)
   if not core_models.is(self.model) then
      error(("%s: fit_async requires a built-in estimator or a Pipeline of them, got %s"):format(WHO,
         estimator.name(self.model)), 2)
   end
   estimator.need_no_job(self, "fitted", 2)
   local copy, store = fitting_copy(self:clone())
   local columns, target = rows.rethrow(2, pcall(learn_design, copy, X, y))
   local plan = core.plan(require("manilius.select.evaluate").to_plan(copy.model))
   local job = rows.rethrow(2, pcall(core.plan_fit_async, self, plan, columns, target, options, function(model, fitted)
      copy.model = core_models.restore(copy.model, fitted)
      store(model)
   end))
   estimator.set_job(self, job)
   return job
end

--- Update the model with more rows. The first call determines the design: levels of factors, means, knots.
function definition.partial_fit(self, X, y, options)
   local model = self.model
   if not estimator.can(model, "partial_fit") then
      error(("%s: %s has no partial_fit"):format(WHO, estimator.name(model)), 0)
   end
   if rawget(self, "fitted") then
      X = rows.from_named(WHO, X, self.columns, self.factors)
      y = find_target(self, need_frame(X), y)
      model:partial_fit(design.apply(self.design, X), y, options)
      return
   end
   local copy, store = fitting_copy(self)
   local columns
   columns, y = learn_design(copy, X, y)
   copy.model:partial_fit(columns, y, options)
   store(self)
end

--- An unfitted copy; parameters that were set from the formula have their previous values.
function definition.clone(self)
   local copy = estimator.clone_settings(self)
   for _, setting in ipairs(rawget(self, "before") or {}) do
      local value = setting[2]
      if value == nil then value = core.unset end
      estimator.set_params(copy.model, { [setting[1]] = value })
   end
   return copy
end

-- The design matrix of a Frame or of rows by name.
local function design_matrix(self, X)
   X = rows.from_named(WHO, X, self.columns, self.factors)
   return rows.is_frame(X) and design.apply(self.design, X) or X
end

for _, action in ipairs { "predict", "predict_proba", "predict_log_proba", "decision_function" } do
   definition[action] = function(self, X, options)
      return (rows.rethrow(2, pcall(function()
         return self.model[action](self.model, design_matrix(self, need_frame(X, self)), options)
      end)))
   end
end

--- The score of predictions against the left side of the formula, or against y.
function definition.score(self, X, y, options)
   estimator.need_fitted(self, "score", 2)
   return (rows.rethrow(2, pcall(function()
      y = find_target(self, need_frame(X), y)
      return self.model:score(design_matrix(self, X), y, options)
   end)))
end

-- Whether the operation takes y, which then comes from the frame.
local function takes_y(model, name)
   if not core.constructors[model.class] then return false end
   for _, operation in ipairs(estimator.describe(model).operations or {}) do
      if operation.name == name then return operation.needs_y or operation.takes_rows end
   end
   return false
end

-- The analysis of variance of the terms of the formula instead of the columns. Archives of 0.1 have no term_of.
local function anova(self, X, y, options)
   local model, term_of, takes_rows = self.model, self.design.term_of, rows.is_frame(X)
   if not takes_rows then options = X end
   if not takes_rows and takes_y(model, "anova") then
      error(("%s: anova requires the Frame of fit, as in model:anova(frame)"):format(estimator.name(model)), 0)
   end
   local given = {}
   for name, value in pairs(options or {}) do given[name] = value end
   local own = given.terms == nil and term_of and #term_of > 0
   if own then given.terms = term_of end
   local out = takes_rows and model:anova(design_matrix(self, X), y or find_target(self, X), given)
      or model:anova(given)
   if not own then return out end
   local names = {}
   for i, term in ipairs(out:col "term":totable()) do names[i] = term end
   local first = names[1] == "NULL" and 1 or 0
   for t, variables in ipairs(self.design.terms) do names[first + t] = table.concat(variables, ":") end
   return out:with { term = core.Factor(names) }
end

-- Raise an error for fields and operations of the model, which require fit.
local function need_fit_for(model, key)
   if rows.kind(model) ~= "Model" then return end
   local class = estimator.describe(model)
   for _, operation in ipairs(class.operations) do
      if operation.name == key then error(("%s: call fit before %s"):format(model.class, key), 4) end
   end
   for _, field in ipairs(class.fields) do
      if field.name == key then error(("%s: '%s' is learned by fit; call fit first"):format(model.class, key), 4) end
   end
end

-- Whether the value is a table of options instead of a row by name: none of its keys is a column.
local function is_options(self, value)
   if type(value) ~= "table" or getmetatable(value) ~= nil or next(value) == nil then return false end
   for name in pairs(value) do
      if type(name) ~= "string" or text.contains(self.columns or {}, name) then return false end
   end
   return true
end

-- Fields and operations of the model: coef, summary, ...
function definition.index(self, key)
   local model = rawget(self, "model")
   if model == nil or type(key) ~= "string" then return nil end
   if not rawget(self, "fitted") then
      need_fit_for(model, key)
      return nil
   end
   local ok, found = rows.try(function() return model[key] end)
   if not ok then return nil end
   if type(found) ~= "function" then return found end
   return function(this, X, ...)
      if this ~= self then return found(this, X, ...) end
      local more = table.pack(...)
      return (rows.rethrow(2, pcall(function()
         if key == "anova" then return anova(self, X, more[1], more[2]) end
         if more.n == 0 and takes_y(model, key) and is_options(self, X) then return found(model, X) end
         if type(more[1]) == "table" and takes_y(model, key) then find_target(self, X, more[1]) end
         if more[1] == nil and rows.is_frame(X) and takes_y(model, key) then
            more[1], more.n = find_target(self, X), math.max(more.n, 1)
         end
         return found(model, design_matrix(self, X), table.unpack(more, 1, more.n))
      end)))
   end
end

M.FormulaModel = estimator.class(definition)

--- Make a FormulaModel from the parameters of an estimator and a formula.
function M.of(constructor, settings)
   local own = {}
   for name, value in pairs(settings) do
      if name ~= "formula" then own[name] = value end
   end
   return M.FormulaModel { model = constructor(own), formula = settings.formula }
end

return M
