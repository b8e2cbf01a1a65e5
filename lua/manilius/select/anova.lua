--- Comparison of nested models: F tests of least squares, likelihood-ratio tests of generalized linear models.

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local rows = require "manilius.rows"

local M = { help = {} }

local WHO = "anova"
local NAN = 0 / 0

local function fail(...) error(WHO .. ": " .. (...):format(select(2, ...)), 0) end

-- The fitted LinearRegression or GLM of an argument, which may have a formula.
local function linear_model(value, place)
   local model = value
   if estimator.is(model) and estimator.name(model) == "FormulaModel" then model = model.model end
   local name = estimator.is(model) and estimator.name(model)
   if name ~= "LinearRegression" and name ~= "GLM" then
      fail("model %d must be a LinearRegression or GLM, got %s", place, estimator.value_text(value))
   end
   if not model.fitted then fail("model %d must be fitted", place) end
   if name == "GLM" and model.alpha > 0 then fail("model %d must have alpha = 0, got %g", place, model.alpha) end
   if name == "LinearRegression" and model.n_targets > 1 then
      fail("model %d must have 1 target, got %d", place, model.n_targets)
   end
   return model, name
end

-- What a test needs of a model.
local function facts(model, name)
   local s = model:summary()
   if name == "LinearRegression" then
      return { df = s.df, rest = model.rss, scale = s.sigma ^ 2, n = s.n, estimated = true }
   end
   return { df = s.df_residual, rest = s.deviance, scale = s.dispersion, n = s.n, kind = model.family,
      estimated = s.coefficients.names[4] == "t" }
end

-- Whether the models can be nested fits of the same observations.
local function check_pair(list, i, names)
   local a, b = list[1], list[i]
   if names[i] ~= names[1] then fail("models must be of one kind, got %s and %s", names[1], names[i]) end
   if a.kind ~= b.kind then fail("models must have one family, got '%s' and '%s'", a.kind, b.kind) end
   if a.n ~= b.n then fail("models must be fitted to the same rows, got %g and %g observations", a.n, b.n) end
end

-- Degrees of freedom, difference, statistic and p of a model against the one before it. `largest` has the scale.
local function test(before, now, largest)
   local df, less = before.df - now.df, before.rest - now.rest
   if df == 0 then return 0, less, NAN, NAN end
   local scaled = less / df / largest.scale
   if largest.estimated then
      return df, less, scaled, core.special.f_sf(math.max(scaled, 0), math.abs(df), largest.df)
   end
   local chi2 = scaled * math.abs(df)
   return df, less, chi2, core.special.chi2_sf(math.max(chi2, 0), math.abs(df))
end

local function anova(...)
   local models, list, names = table.pack(...), {}, {}
   if models.n < 2 then fail("at least 2 models expected, got %d; model:anova() tests the columns of one", models.n) end
   for i = 1, models.n do
      local model
      model, names[i] = linear_model(models[i], i)
      list[i] = facts(model, names[i])
      check_pair(list, i, names)
   end
   local largest = list[1]
   for _, one in ipairs(list) do largest = one.df < largest.df and one or largest end
   local columns = { {}, {}, {}, { NAN }, { NAN }, { NAN }, { NAN } }
   for i, one in ipairs(list) do
      columns[1][i], columns[2][i], columns[3][i] = i, one.df, one.rest
      if i > 1 then columns[4][i], columns[5][i], columns[6][i], columns[7][i] = test(list[i - 1], one, largest) end
   end
   local squares = names[1] == "LinearRegression"
   local titles = { "model", "df_residual", squares and "rss" or "residual_deviance", "df",
      squares and "sum_sq" or "deviance", largest.estimated and "f" or "chi2", "p" }
   local pairs_of = {}
   for j, title in ipairs(titles) do pairs_of[j] = { title, columns[j] } end
   return require("manilius.frame").Frame(pairs_of)
end

M.help.anova = {
   name = "anova", args = { "model1", "model2", "..." },
   brief = "Test nested LinearRegression or GLM models, each against the one before it.",
   formula = "F = (rss_1 - rss_2) / (df_1 - df_2) / sigma^2, chi2 = (deviance_1 - deviance_2) / dispersion",
   returns = "a Frame: model, df_residual, rss (GLM: residual_deviance), df, sum_sq (deviance), f (chi2 where the "
      .. "dispersion is known), p",
   notes = "As R's anova(model1, model2). The models must be nested and fitted to the same rows; sigma^2 and the "
      .. "dispersion are those of the largest model. model:anova() tests the columns or terms of one model.",
   source = "Chambers & Hastie, Statistical Models in S (1992), chapters 4 and 6",
   example = [[
local cars = ml.read_csv "examples/data/mtcars.csv"
local small = ml.LinearRegression { formula = "mpg ~ wt" }:fit(cars)
local large = ml.LinearRegression { formula = "mpg ~ wt + factor(cyl)" }:fit(cars)
print(ml.anova(small, large))]],
}

--- Test nested models, each against the one before it.
function M.anova(...)
   return (rows.rethrow(2, pcall(anova, ...)))
end

return M
