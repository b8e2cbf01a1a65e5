--- Models of formulas: an estimator that is fitted to what a formula makes of a Frame.
-- @module manilius.formula_model

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local design = require "manilius.formula_design"
local formula = require "manilius.formula"
local rows = require "manilius.rows"

local M = {}

local WHO = "FormulaModel"

-- A Frame, or after fit rows given by name.
local function need_frame(X, self)
   if self then X = rows.from_named(WHO, X, self.columns, self.factors) end
   if not rows.is_frame(X) then error(("%s: X must be a Frame, got %s"):format(WHO, rows.kind(X)), 0) end
   return X
end

-- What is predicted, where the formula has a left side and nobody gave it.
local function answer(self, X, y)
   if y ~= nil then return y end
   local left = formula.parse(self.formula).left
   if not left then error(("%s: the formula '%s' has no left side; give y"):format(WHO, self.formula), 0) end
   return design.values(X, left)
end

local definition = {
   name = WHO,
   ours = true,
   params = { model = estimator.NONE, formula = estimator.NONE },
   learned = { design = "what the rows of the fit decided: levels of factors, polynomials",
      terms = "the columns of the design, a name for each coefficient" },
   private = { design = true, columns = true, factors = true, before = true },
   help = {
      brief = "A model of a formula, as in R: \"mpg ~ wt + factor(cyl) + wt:hp + poly(disp, 2)\".",
      use = "FormulaModel { model =, formula = }, or ml.LinearRegression { formula =, ... }",
      params = { model = "an estimator that is not fitted", formula = "a text" },
      notes = "fit(frame) takes what is predicted from the left side; a y that is given goes before it. On the right: "
         .. "a + b, a:b, a * b, a / b, (a + b)^2, - a, . for all other columns, - 1 for no constant; variables are "
         .. "columns (`in backticks` where they are no words), factor(x), poly(x, degree), "
         .. "poly(x, degree, raw = TRUE), I(arithmetic), log(x) and other functions of numbers; offset(log(time)) goes "
         .. "to models that have a parameter offset. Factors are coded as in R, by treatment contrasts. "
         .. "Predictions are on the scale of the left side. Missing values are refused, not dropped. The fields and "
         .. "operations of the model are those of this one.",
      source = "Wilkinson & Rogers, Applied Statistics 22 (1973); Chambers & Hastie, Statistical Models in S (1992)",
      example = [[
local cars = ml.read_csv "examples/data/mtcars.csv"
print(ml.LinearRegression { formula = "mpg ~ wt + factor(cyl)" }:fit(cars):summary())]],
   },
   more_names = function(self)
      local names = {}
      if rawget(self, "fitted") and rows.kind(self.model) == "Model" then
         for name in pairs(self.model) do names[#names + 1] = name end
      end
      return names
   end,
   does = function(self) return estimator.does(self.model) end,
   check = function(self)
      if not estimator.is(self.model) then
         error(("%s: model must be an estimator, got %s"):format(WHO, estimator.value_text(self.model)), 0)
      end
      if type(self.formula) ~= "string" then
         error(("%s: formula must be a text, got %s"):format(WHO, type(self.formula)), 0)
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

-- A setting of the model that the formula decides; what it was is kept, for another formula may decide otherwise.
local function decide(self, name, value, without)
   local ok, before = pcall(function()
      local was = estimator.get_params(self.model)[name]
      estimator.set_params(self.model, { [name] = value })
      return was
   end)
   if not ok then
      error(("%s: %s %s '%s'"):format(WHO, estimator.name(self.model), without, self.formula), 0)
   end
   self.before = self.before or {}
   self.before[#self.before + 1] = { name, before }
end

function definition.fit(self, X, y, options)
   need_frame(X)
   y = answer(self, X, y)
   self.design = design.learn(self.formula, X)
   local columns = design.apply(self.design, X)
   self.terms = columns.names
   self.columns, self.factors = rows.named_columns(X)
   if not self.design.constant then
      decide(self, "fit_intercept", false, "has a constant term, for which there is no place in")
   end
   if self.design.offset then decide(self, "offset", self.design.offset, "takes no offset, but there is one in") end
   self.model:fit(columns, y, options)
   return self
end

--- The same settings, not fitted: those that the formula decided are as they were before.
function definition.clone(self)
   local copy = estimator.clone_settings(self)
   for _, setting in ipairs(rawget(self, "before") or {}) do
      local value = setting[2]
      if value == nil then value = core.unset end
      estimator.set_params(copy.model, { [setting[1]] = value })
   end
   return copy
end

-- A Frame, or rows given by name, as the model knows it.
local function designed(self, X)
   X = rows.from_named(WHO, X, self.columns, self.factors)
   return rows.is_frame(X) and design.apply(self.design, X) or X
end

for _, action in ipairs { "predict", "predict_proba", "predict_log_proba", "decision_function" } do
   definition[action] = function(self, X, options)
      return (rows.relay(2, pcall(function()
         return self.model[action](self.model, designed(self, need_frame(X, self)), options)
      end)))
   end
end

--- The score of predictions against the left side of the formula, or against y.
function definition.score(self, X, y, options)
   estimator.need_fitted(self, "score", 2)
   return (rows.relay(2, pcall(function()
      y = answer(self, need_frame(X), y)
      return self.model:score(designed(self, X), y, options)
   end)))
end

-- Does the operation look at y? The frame that it is asked about has it then.
local function needs_y(model, name)
   if not core.constructors[model.class] then return false end
   for _, operation in ipairs(estimator.describe(model).operations or {}) do
      if operation.name == name then return operation.needs_y end
   end
   return false
end

-- Fields and operations of the model: coef, summary, ...
function definition.index(self, key)
   local model = rawget(self, "model")
   if model == nil or type(key) ~= "string" or not rawget(self, "fitted") then return nil end
   local ok, found = pcall(function() return model[key] end)
   if not ok then return nil end
   if type(found) ~= "function" then return found end
   return function(this, X, ...)
      if this ~= self then return found(this, X, ...) end
      local more = table.pack(...)
      return (rows.relay(2, pcall(function()
         if more[1] == nil and rows.is_frame(X) and needs_y(model, key) then
            more[1], more.n = answer(self, X), math.max(more.n, 1)
         end
         return found(model, designed(self, X), table.unpack(more, 1, more.n))
      end)))
   end
end

M.FormulaModel = estimator.class(definition)

--- A model from settings among which is a formula.
function M.of(constructor, settings)
   local own = {}
   for name, value in pairs(settings) do
      if name ~= "formula" then own[name] = value end
   end
   return M.FormulaModel { model = constructor(own), formula = settings.formula }
end

return M
