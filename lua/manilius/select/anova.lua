--- Comparison of nested models: F tests of least squares, likelihood-ratio tests of generalized linear models.

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local formula = require "manilius.formula"
local rows = require "manilius.rows"

local M = { help = {} }

local WHO = "anova"
local NAN = 0 / 0
local TOLERANCE = 1e-6 -- relative, of deviances and sums of squares

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

-- The columns of the Frame that a model uses, as a list; nil if they have no names.
local function used_columns(value, model)
   if value == model then return model.feature_names end
   local terms, used = { "~ 1" }, {}
   for _, variables in ipairs(value.design.terms) do terms[#terms + 1] = table.concat(variables, ":") end
   for i, place in ipairs(formula.on_the_right(table.concat(terms, " + "), value.columns)) do
      used[i] = value.columns[place]
   end
   return used
end

-- What a test needs of a model. `total` is the total sum of squares or null deviance, which nested models share.
local function test_input(value, model, name)
   local s, out = model:summary(), { columns = used_columns(value, model), sum = model.n }
   out.null = tostring(model.fit_intercept)
   if name == "LinearRegression" then
      out.df, out.rest, out.scale, out.n, out.estimated = s.df, model.rss, s.sigma ^ 2, s.n, true
      out.total, out.comparable = model.tss, true
      return out
   end
   out.df, out.rest, out.scale, out.n, out.kind = s.df_residual, s.deviance, s.dispersion, s.n, model.family
   out.estimated = s.coefficients.names[4] == "t"
   out.total, out.null = model.null_deviance, out.null .. tostring(model.offset)
   out.comparable = model.family ~= "negative_binomial" or model.theta ~= nil -- each estimate has its own deviance
   return out
end

local function differ(a, b) return math.abs(a - b) > TOLERANCE * math.max(math.abs(a), math.abs(b)) end

-- Whether the models can be nested fits of the same observations.
local function check_pair(list, i, names)
   local a, b = list[1], list[i]
   if names[i] ~= names[1] then fail("models must be of one kind, got %s and %s", names[1], names[i]) end
   if a.kind ~= b.kind then fail("models must have one family, got '%s' and '%s'", a.kind, b.kind) end
   if a.n ~= b.n then
      fail("models must be fitted to the same rows, got %g and %g observations (rows of weight 0 do not count)", a.n,
         b.n)
   end
   if differ(a.sum, b.sum) then
      fail("models must have the same sample weights, but models 1 and %d have sums of weights %g and %g", i, a.sum,
         b.sum)
   end
   if a.comparable and b.comparable and a.null == b.null and differ(a.total, b.total) then
      fail("models must have the same response and sample weights, but models 1 and %d have %s %g and %g", i,
         names[1] == "GLM" and "null deviances" or "total sums of squares", a.total, b.total)
   end
end

-- The first column of the small model that the large one does not have.
local function missing_column(small, large)
   local has = {}
   for _, name in ipairs(large.columns or {}) do has[name] = true end
   for _, name in ipairs(large.columns and small.columns or {}) do
      if not has[name] then return name end
   end
end

-- Whether model i and the one before it are nested: the larger one has the columns of the smaller and fits no worse.
local function check_nested(list, i)
   local a, b = list[i - 1], list[i]
   local small, large, from, to = a, b, i - 1, i
   if a.df < b.df then small, large, from, to = b, a, i, i - 1 end
   local missing = missing_column(small, large)
   if missing then
      fail("models must be nested, but model %d has the column '%s' and the larger model %d does not; compare them by "
         .. "the aic of summary", from, missing, to)
   end
   if not (a.comparable and b.comparable) then return end
   local gain, slack = small.rest - large.rest, TOLERANCE * math.max(math.abs(small.rest), math.abs(small.total))
   if gain < -slack or small.df == large.df and gain > slack then
      fail("models must be nested, but models %d and %d are not: %s; compare them by the aic of summary", from, to,
         small.df == large.df and "they have equally many coefficients and different fits"
         or "the one with more coefficients fits worse")
   end
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
      list[i] = test_input(models[i], model, names[i])
      check_pair(list, i, names)
      if i > 1 then check_nested(list, i) end
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
   notes = "The same as R's anova(model1, model2). The models must be nested and fitted to the same response, rows "
      .. "and sample weights; mismatches that the fits show are errors. sigma^2 and the dispersion are those of the "
      .. "largest model. model:anova() tests the columns or terms of one model.",
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
