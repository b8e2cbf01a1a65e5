--- Multiple imputation: several completed data sets, and the combination of models fitted to them by Rubin's rules.

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local options_of = require "manilius.options".check
local rows = require "manilius.rows"
local text = require "manilius.text"

local M = { help = {} }

-- --- imputation ---

local IMPUTE = "multiple_imputation"

local function check_count(who, name, value, min)
   if math.type(value) ~= "integer" or value < min then
      error(("%s: %s must be a whole number >= %d, got %s"):format(who, name, min, estimator.value_text(value)), 0)
   end
end

-- A copy of the imputer that draws from its posterior.
local function drawing(imputer)
   local copy = estimator.is(imputer) and estimator.clone(imputer)
   if not copy or estimator.get_params(copy).sample_posterior == nil then
      error(("%s: imputer must be an estimator with the parameter sample_posterior, such as IterativeImputer, got %s")
         :format(IMPUTE, estimator.got(imputer)), 0)
   end
   return estimator.set_params(copy, { sample_posterior = true })
end

local list_meta = { __name = "imputations", __plain = true }

function list_meta.__tostring(list)
   return ("%s of %d x %d"):format(text.plural(#list, "completed data set"), rows.count(list[1]), rows.width(list[1]))
end

local function impute(X, options)
   options = options_of(IMPUTE, options, M.help.multiple_imputation.options, 1)
   local m, seed, list = options.m or 5, options.seed or 0, {}
   check_count(IMPUTE, "m", m, 1)
   check_count(IMPUTE, "seed", seed, 0)
   local imputer = drawing(options.imputer or core.constructors.IterativeImputer())
   local rng = core.rng(seed)
   X = rows.x(IMPUTE, X)
   for i = 1, m do
      estimator.set_params(imputer, { seed = require "manilius.ensemble.base".seed_from(rng) })
      list[i] = imputer:fit_transform(X, nil, options.weights and { weights = options.weights } or nil)
   end
   return setmetatable(list, list_meta)
end

-- --- pooling ---

local POOL = "pool"
local NAN = 0 / 0

local function fail(...) error(POOL .. ": " .. (...):format(select(2, ...)), 0) end

-- The coefficients of a fitted model as a Frame, and its residual degrees of freedom.
local function estimates_of(model, place)
   if not (estimator.is(model) and estimator.can(model, "summary")) then
      fail("model %d must be a fitted model with summary, such as LinearRegression or GLM, got %s", place,
         estimator.value_text(model))
   end
   local summary = model:summary()
   local ok, frame = pcall(function() return summary.coefficients end)
   if not ok or not rows.is_frame(frame) or not pcall(function() return frame.estimate, frame.std_error end) then
      fail("model %d, %s, has no standard errors in its summary", place, estimator.name(model))
   end
   local df = rawget(summary, "df_residual") or rawget(summary, "df")
   local n = rawget(summary, "n")
   return frame, df or (n and n - #frame.estimate) or math.huge
end

-- Columns that name a coefficient: class, term.
local function key_columns(frame)
   local keys = {}
   for j, column in ipairs(frame.columns) do
      if rows.kind(column) == "Factor" then keys[#keys + 1] = { frame.names[j], column } end
   end
   return keys
end

local function key_of(keys, i)
   local words = {}
   for k, one in ipairs(keys) do words[k] = tostring(one[2][i]) end
   return table.concat(words, " ")
end

local function check_same(first, keys, frame, place)
   local n, own = #first.estimate, key_columns(frame)
   if #frame.estimate ~= n then
      fail("models must have the same coefficients, but model 1 has %d and model %d has %d", n, place, #frame.estimate)
   end
   for i = 1, n do
      if key_of(keys, i) ~= key_of(own, i) then
         fail("models must have the same coefficients, but coefficient %d is '%s' of model 1 and '%s' of model %d", i,
            key_of(keys, i), key_of(own, i), place)
      end
   end
end

-- Degrees of freedom of Barnard & Rubin (1999). lambda: the fraction of the variance that is due to imputation
local function freedom(m, lambda, df)
   local observed = df == math.huge and math.huge or (df + 1) / (df + 3) * df * (1 - lambda)
   return 1 / (lambda ^ 2 / (m - 1) + 1 / observed)
end

-- One row of the result from the estimates and standard errors of a coefficient.
local function combine(estimate, error_of, df_complete, level)
   local m, mean = #estimate, estimate:mean()
   local within, between = error_of:dot(error_of) / m, estimate:var(1)
   local total = within + (1 + 1 / m) * between
   local added = (1 + 1 / m) * between
   local lambda, riv = total > 0 and added / total or 0, within > 0 and added / within or NAN
   local df, se = freedom(m, lambda, df_complete), total ^ 0.5
   local t = mean / se
   local half = (df == math.huge and core.special.normal_isf or core.special.t_isf)((1 - level) / 2, df) * se
   local p = 2 * (df == math.huge and core.special.normal_sf or core.special.t_sf)(math.abs(t), df)
   return { mean, se, t, df, p, mean - half, mean + half, lambda, riv, (riv + 2 / (df + 3)) / (riv + 1) }
end

local TITLES = { "estimate", "std_error", "t", "df", "p", "low", "high", "lambda", "riv", "fmi" }

local function text_of(values, keys)
   local lines = { ("%-16s %12s %12s %9s %8s %10s %8s"):format("", "Estimate", "Std. Error", "t value", "df",
      "Pr(>|t|)", "fmi") }
   local c = values.coefficients
   for i = 1, #c.estimate do
      lines[#lines + 1] = ("%-16s %12.6g %12.6g %9.3f %8.4g %10.3g %8.3f"):format(key_of(keys, i), c.estimate[i],
         c.std_error[i], c.t[i], c.df[i], c.p[i], c.fmi[i])
   end
   lines[#lines + 1] = ("\n%s pooled by Rubin's rules; degrees of freedom of complete data: %.10g"):format(
      text.plural(values.m, "model"), values.df_complete)
   return table.concat(lines, "\n")
end

local function check_level(level)
   if type(level) ~= "number" or not (level > 0 and level < 1) then
      fail("level must be a number between 0 and 1, got %s", estimator.value_text(level))
   end
   return level
end

local function check_df(df)
   if type(df) ~= "number" or df ~= df or df <= 0 then
      fail("df must be a number > 0, got %s", estimator.value_text(df))
   end
   return df
end

local function pool(models, options)
   options = options_of(POOL, options, M.help.pool.options, 1)
   if type(models) ~= "table" or rows.is_frame(models) or estimator.is(models) then
      fail("models must be a list of fitted models, got %s", estimator.got(models))
   end
   if #models < 2 then fail("models must have at least 2 models, got %d", #models) end
   local level, frames, df = check_level(options.level or 0.95), {}, math.huge
   for i, model in ipairs(models) do
      local own
      frames[i], own = estimates_of(model, i)
      df = math.min(df, own)
   end
   df = check_df(options.df or df)
   local keys, columns = key_columns(frames[1]), {}
   for i = 2, #frames do check_same(frames[1], keys, frames[i], i) end
   for c = 1, #TITLES do columns[c] = core.Vector(#frames[1].estimate, 0) end
   for j = 1, #frames[1].estimate do
      local estimate, error_of = core.Vector(#frames), core.Vector(#frames)
      for i, frame in ipairs(frames) do estimate[i], error_of[i] = frame.estimate[j], frame.std_error[j] end
      for c, value in ipairs(combine(estimate, error_of, df, level)) do columns[c][j] = value end
   end
   local list = table.move(keys, 1, #keys, 1, {})
   for c, title in ipairs(TITLES) do list[#list + 1] = { title, columns[c] } end
   local values = { coefficients = require("manilius.frame").Frame(list), m = #models, df_complete = df, level = level }
   values.text = text_of(values, keys)
   values._order = { "coefficients", "m", "df_complete", "level", "text" }
   return require "manilius.results"(values)
end

-- --- help ---

M.help.multiple_imputation = {
   name = "multiple_imputation", args = { "X" },
   brief = "Impute X several times; the differences show the uncertainty of imputation.",
   options = { m = "number of completed data sets; default 5; 20 or more for p-values",
      seed = "random seed; default 0", imputer = "an imputer with the parameter sample_posterior; default "
         .. "IterativeImputer {}", weights = "sample weights for the imputer, or nil" },
   returns = "a list of m data sets of the kind of X (Matrix or Frame)",
   notes = "X must contain all variables of the later model, including its target; otherwise their relations to the "
      .. "imputed values are lost. Each imputation draws coefficients and noise of its regressions. Columns must be "
      .. "numeric, except for a ChainedImputer. Fit the model to each data set, then combine the fits with ml.pool.",
   source = "Rubin, Multiple Imputation for Nonresponse in Surveys (1987)",
   example = [[
local air = ml.read_csv "examples/data/airquality.csv"
local models = {}
for i, data in ipairs(ml.multiple_imputation(air, { m = 10, seed = 1 })) do
   models[i] = ml.LinearRegression { formula = "ozone ~ wind + temp" }:fit(data)
end
print(ml.pool(models))]],
}

M.help.pool = {
   name = "pool", args = { "models" },
   brief = "Combine the coefficients of models fitted to imputed data sets by Rubin's rules.",
   formula = "T = W + (1 + 1/m) B; 1/df = lambda^2 / (m - 1) + 1 / ((v + 1) / (v + 3) v (1 - lambda))",
   options = { level = "level of the intervals; default 0.95", df = "residual degrees of freedom of a model on "
      .. "complete data; default: those of the models" },
   returns = "coefficients (a Frame: term, estimate, std_error, t, df, p, low, high, lambda, riv, fmi), m, "
      .. "df_complete, level, text",
   notes = "For models whose summary has standard errors. W is the mean of their variances, B the variance of the "
      .. "estimates between them. lambda = (1 + 1/m) B / T is the fraction of the variance due to missing values, "
      .. "riv the increase relative to W, fmi the fraction of missing information. Degrees of freedom are those of "
      .. "Barnard and Rubin, as in R's mice.",
   source = "Rubin (1987); Barnard & Rubin, Biometrika 86 (1999)",
   example = M.help.multiple_imputation.example,
}

--- A list of completed copies of X.
function M.multiple_imputation(X, options)
   return (rows.rethrow(2, pcall(impute, X, options)))
end

--- Pooled coefficients of models.
function M.pool(models, options)
   return (rows.rethrow(2, pcall(pool, models, options)))
end

return M
