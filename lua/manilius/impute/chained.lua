--- ChainedImputer: predict the missing values of each column from the other columns by any estimator, in rounds.
--
--    in each round, for each column j:   x_j = f_j(the other columns, completed)  where it is missing,
--
-- f_j fitted to the rows that have x_j. Columns of numbers take a regressor, factor columns a classifier. To draw
-- values, f_j is fitted to a bootstrap sample; a missing number is its prediction plus the residual of a row that the
-- sample leaves out, a missing label is drawn by its probability. Residuals of rows that f_j was fitted to would be too
-- small, and values of rows with near predictions (predictive mean matching) bias slopes toward 0 if f_j is flexible.
-- ml.IterativeImputer { estimator = ... } makes one. van Buuren & Groothuis-Oudshoorn, J. Stat. Software 45 (2011).

local base = require "manilius.ensemble.base"
local core = require "manilius.core"
local estimator = require "manilius.estimator"
local parts = require "manilius.ensemble.parts"
local rows = require "manilius.rows"
local text = require "manilius.text"

local M = {}

local WHO = "ChainedImputer"
local ORDERS = { "ascending", "descending", "roman", "arabic", "random" }
local STRATEGIES = { "mean", "median", "most_frequent" }

-- --- settings ---

local function check_choice(self, name, choices)
   if not text.contains(choices, self[name]) then
      error(("%s: %s must be one of %s, got %s"):format(WHO, name, table.concat(choices, ", "),
         estimator.value_text(self[name])), 0)
   end
end

local function check_model(self, name, does)
   local model = rawget(self, name)
   if model == nil then return end
   local found = estimator.is(model) and estimator.can(model, "predict") and (estimator.does(model) or does)
   if found ~= does then
      error(("%s: %s must be an estimator that can %s, got %s"):format(WHO, name, does, estimator.got(model)), 0)
   end
end

local function check_probabilities(self)
   local classifier = rawget(self, "classifier")
   if self.sample_posterior and classifier and not estimator.can(classifier, "predict_proba") then
      error(("%s: sample_posterior requires a classifier with predict_proba, got %s"):format(WHO,
         estimator.got(classifier)), 0)
   end
end

local function check(self)
   check_model(self, "estimator", "regress")
   check_model(self, "classifier", "classify")
   base.check_whole(self, "max_iter", 1)
   base.check_whole(self, "seed", 0)
   for _, name in ipairs { "skip_complete", "add_indicator", "sample_posterior" } do base.check_flag(self, name) end
   check_probabilities(self)
   check_choice(self, "imputation_order", ORDERS)
   check_choice(self, "initial_strategy", STRATEGIES)
   for _, name in ipairs { "tol", "min_value", "max_value" } do
      local value = rawget(self, name)
      if value ~= nil and (type(value) ~= "number" or value ~= value or name == "tol" and value < 0) then
         error(("%s: %s must be a number%s, got %s"):format(WHO, name, name == "tol" and " >= 0" or "",
            estimator.value_text(value)), 0)
      end
   end
end

-- --- columns ---

local function is_factor(column) return rows.kind(column) == "Factor" end

-- The rows where a column is missing, and the others.
local function split_rows(column)
   local missing = is_factor(column) and column:ismissing() or column:isnan()
   return missing:nonzero(), (1 - missing):nonzero()
end

-- A copy of the column with new values in these rows.
local function with_values(column, places, values)
   local list = column:totable()
   for i, at in ipairs(places:totable()) do list[at] = values[i] end
   if not is_factor(column) then return core.Vector(list) end
   return core.Factor(list, column.levels)
end

local function clip(self, values)
   local low, high = rawget(self, "min_value"), rawget(self, "max_value")
   if low then values = values:maximum(low) end
   return high and values:minimum(high) or values
end

local function others(state, j)
   local places = {}
   for k = 1, #state.columns do places[#places + 1] = k ~= j and k or nil end
   local columns, names = {}, {}
   for i, k in ipairs(places) do columns[i], names[i] = state.columns[k], state.names[k] end
   return state.is_frame and rows.frame(names, columns) or core.hcat(table.unpack(columns))
end

-- The completed columns, and the rows to complete.
local function start(self, X)
   local columns, names = rows.split_columns(WHO, X, self.feature_names)
   local filled = rows.split_columns(WHO, self.initial:transform(X), self.feature_names)
   local state = { columns = {}, names = names, is_frame = rows.is_frame(X), missing = {}, observed = {}, scale = 0 }
   for j, column in ipairs(columns) do
      state.columns[j] = is_factor(column) and filled[j] or filled[j]:copy()
      state.missing[j], state.observed[j] = split_rows(column)
      if not is_factor(column) then state.scale = math.max(state.scale, state.columns[j]:abs():max()) end
   end
   return state
end

-- The completed columns, and those of the indicator of X.
local function finish(self, state, X)
   local columns, names = state.columns, state.names
   if self.indicator and #self.indicator.indicator_features > 0 then
      columns, names = table.move(columns, 1, #columns, 1, {}), table.move(names, 1, #names, 1, {})
      for k, column in ipairs((rows.split_columns(WHO, self.indicator:transform(X)))) do
         columns[#columns + 1], names[#names + 1] = column, self.indicator:output_names()[k]
      end
   end
   if state.is_frame then return rows.frame(names, columns) end
   return core.hcat(table.unpack(columns))
end

-- --- drawing ---

-- A number in [0, 1) for each row, the same in fit and transform.
local function draws(self, state, s)
   return core.random(rows.count(state.columns[1]), nil, base.seed_from(core.rng(self.seed, s)))
end

-- For the draws of a step of numbers: the residuals of rows that the model was not fitted to.
local function residuals_of(self, state, j, model, left)
   local predicted = parts.call(self, state.names[j], model, "predict", rows.take(others(state, j), left))
   return state.columns[j]:take(left) - parts.numbers(predicted)
end

local function draw_numbers(predicted, residuals, random)
   return predicted + residuals:take((random * #residuals):floor() + 1)
end

local function draw_labels(model, proba, random)
   local list, classes = {}, model.classes
   for i = 1, proba.rows do
      local c, left = 1, random[i]
      while c < proba.cols and left >= proba:get(i, c) do c, left = c + 1, left - proba:get(i, c) end
      list[i] = classes[c]
   end
   return list
end

-- Values of step s for the rows of X, which are `places` of the state.
local function draw(self, state, s, model, X, places)
   local j = self.order[s]
   local random = draws(self, state, s):take(places)
   if is_factor(state.columns[j]) then
      return draw_labels(model, parts.call(self, state.names[j], model, "predict_proba", X), random)
   end
   local predicted = parts.numbers(parts.call(self, state.names[j], model, "predict", X))
   return draw_numbers(predicted, self.residuals[s], random)
end

-- --- steps ---

-- Replace the missing values of the column of step s. Returns how much they changed: relative to the largest value of
-- X; for a factor, the fraction of changed labels.
local function complete(self, state, s)
   local j, model = self.order[s], self.estimators[s]
   local places, column = state.missing[j], state.columns[j]
   if #places == 0 then return 0 end
   local X = rows.take(others(state, j), places)
   local values = self.sampled and draw(self, state, s, model, X, places)
      or parts.call(self, state.names[j], model, "predict", X)
   if not is_factor(column) then values = clip(self, parts.numbers(values)) end
   local before = column:take(places)
   state.columns[j] = with_values(column, places, values)
   if not is_factor(column) then
      return state.scale > 0 and (values - before):abs():max() / state.scale or 0
   end
   local changed = 0
   for i = 1, #places do changed = changed + (before[i] ~= values[i] and 1 or 0) end
   return changed / #places
end

-- --- fit ---

local function base_of(self, state, j)
   if not is_factor(state.columns[j]) then return self.estimator end
   local classifier = rawget(self, "classifier")
   if not classifier and #state.missing[j] > 0 then
      error(("%s: column '%s' is a factor with missing values; set classifier"):format(WHO, state.names[j]), 0)
   end
   return classifier
end

-- The columns in the order of imputation; complete factor columns only if there is a classifier.
local function order_of(self, state, rng)
   local list = {}
   for j in ipairs(state.columns) do
      local wanted = #state.missing[j] > 0 or not self.skip_complete
      if base_of(self, state, j) and wanted and #state.columns > 1 then list[#list + 1] = j end
   end
   local how, count = self.imputation_order, function(j) return #state.missing[j] end
   if how == "random" then
      local random = {}
      for i, at in ipairs(rng:permutation(math.max(#list, 1)):totable()) do random[i] = list[at // 1 | 0] end
      return random
   end
   if how == "ascending" or how == "descending" then
      table.sort(list, function(a, b) return count(a) < count(b) or count(a) == count(b) and a < b end)
   end
   local reversed = {}
   for i = #list, 1, -1 do reversed[#reversed + 1] = list[i] end
   return (how == "descending" or how == "arabic") and reversed or list
end

-- A column with a single value or label is filled with it: not every estimator accepts such a target.
local function is_constant(column)
   if is_factor(column) then return #column:drop_levels().levels < 2 end
   return column:min() == column:max()
end

-- A sample of the rows with replacement, and the rows that it leaves out, or all rows if there are none.
local function bootstrap(observed, rng)
   local n = #observed
   local drawn = (core.random(n, nil, base.seed_from(rng)) * n):floor() + 1
   local left = core.Vector(n, 1)
   for i = 1, n do left[drawn[i] // 1 | 0] = 0 end
   local out = left:nonzero()
   return observed:take(drawn), #out > 0 and observed:take(out) or observed
end

local function fit_step(self, state, j, weights, rng)
   local model = base.fresh(base_of(self, state, j), rng)
   local observed = state.observed[j]
   local left = observed
   if self.sampled then observed, left = bootstrap(observed, rng) end
   local target = state.columns[j]:take(observed)
   if is_constant(target) then return nil end
   local options = weights and { weights = weights:take(observed) } or nil
   local ok, message = pcall(model.fit, model, rows.take(others(state, j), observed), target, options)
   if not ok then parts.raise(self, state.names[j], message) end
   return model, left
end

local function run_round(self, state, weights, rng)
   local change = 0
   for _, j in ipairs(order_of(self, state, rng)) do
      local model, left = fit_step(self, state, j, weights, rng)
      local s = #self.order + 1
      if model then
         self.order[s], self.estimators[s] = j, model
         if self.sampled then
            self.residuals[s] = is_factor(state.columns[j]) and {} or residuals_of(self, state, j, model, left)
         end
         change = math.max(change, complete(self, state, s))
      end
   end
   return change
end

local function check_options(options)
   require "manilius.options".check("fit of " .. WHO, options, { weights = true, on_iter = true }, 1)
   return options or {}
end

-- X, weights without rows of weight 0.
local function read_data(X, options)
   X = rows.x(WHO, X)
   local weights = options.weights
   if weights == nil then return X end
   weights = parts.check_weights(WHO, weights, rows.count(X))
   local kept = weights:nonzero()
   return rows.take(X, kept), weights:take(kept)
end

local function fit(self, X, _, options)
   options = check_options(options)
   local weights
   X, weights = read_data(X, options)
   parts.learn(self, { X = X })
   local report = options.on_iter ~= nil and require "manilius.progress".caller(WHO, options.on_iter)
   self.initial = core.constructors.SimpleImputer { strategy = self.initial_strategy }
   local ok, failed = pcall(self.initial.fit, self.initial, X, nil, weights and { weights = weights } or nil)
   if not ok then error((failed:gsub("^SimpleImputer", WHO):gsub(" or set keep_empty_features", "")), 0) end
   self.indicator = self.add_indicator and core.constructors.MissingIndicator { error_on_new = false }:fit(X) or nil
   local state, rng = start(self, X), core.rng(self.seed)
   self.order, self.estimators, self.trace, self.converged = {}, {}, {}, false
   self.sampled, self.residuals = self.sample_posterior, self.sample_posterior and {} or nil
   for round = 1, self.max_iter do
      local change = run_round(self, state, weights, rng)
      self.n_iter, self.trace[round] = round, change
      self.converged = change == 0 or not self.sampled and change < self.tol -- draws do not converge
      local reply = report and report(round, self.max_iter)
      if self.converged or reply == "stop" then break end
      if reply == "cancel" then error("cancelled", 0) end
   end
   return self
end

local function transform(self, X)
   local places = core.range(1, self.n_features):totable()
   for k, at in ipairs(places) do places[k] = math.tointeger(at) end
   X = base.select_columns(self, X, places)
   local state = start(self, X)
   for s in ipairs(self.order) do complete(self, state, s) end
   return finish(self, state, X)
end

--- Names of the columns of transform: those of X, or x1, x2, ..., and of the indicators.
local function output_names(self)
   estimator.need_fitted(self, "output_names", 2)
   local names = {}
   for j = 1, self.n_features do names[j] = self.feature_names and self.feature_names[j] or "x" .. j end
   for _, name in ipairs(self.indicator and self.indicator:output_names() or {}) do names[#names + 1] = name end
   return names
end

-- Older archives lack these parameters.
local function restored(fields)
   fields.add_indicator, fields.sample_posterior = fields.add_indicator or false, fields.sample_posterior or false
   return fields
end

-- --- class ---

M.ChainedImputer = estimator.class {
   name = WHO,
   ours = true,
   does = "transform",
   params = { estimator = estimator.NONE, classifier = estimator.NONE, max_iter = 10, tol = 1e-3,
      imputation_order = "ascending", initial_strategy = "mean", skip_complete = false, min_value = estimator.NONE,
      max_value = estimator.NONE, add_indicator = false, sample_posterior = false, seed = 0 },
   learned = { n_features = "number of columns of X", feature_names = "column names of X, if X is a Frame",
      initial = "the fitted SimpleImputer of the initial values", n_iter = "number of rounds",
      order = "column that each step imputes, over all rounds", estimators = "fitted model of each step",
      indicator = "the fitted MissingIndicator, or nil", sampled = "whether values are drawn",
      residuals = "with sample_posterior, for each step of a numeric column the residuals of the rows left out",
      trace = "largest change in each round", converged = "whether the change was less than tol" },
   help = {
      use = "ChainedImputer { estimator }, or IterativeImputer { estimator = ... }",
      brief = "Imputes each column by predictions of any estimator from the other columns.",
      objective = "in each round, for each column j: x_j = f_j(the other columns, completed)",
      params = { estimator = "regressor for columns of numbers, default BayesianRidge {}; may be given first, without "
         .. "a name", classifier = "classifier for factor columns with missing values; nil: they must have none",
         max_iter = "maximum number of rounds", tol = "stop when no value changes by more than this, relative to the "
            .. "largest value of X, and no larger fraction of labels",
         imputation_order = "order of the columns: ascending or descending by their number of missing values, roman "
         .. "(from left), arabic (from right), random", initial_strategy = "initial values: mean, median or "
         .. "most_frequent; factor columns use their most frequent level",
         skip_complete = "fit no models for columns without missing values in fit",
         min_value = "lower limit of imputed numbers; nil: none",
         max_value = "upper limit of imputed numbers; nil: none",
         add_indicator = "append a column of 0 and 1 for each column with missing values in fit",
         sample_posterior = "draw the values, for ml.multiple_imputation: models are fitted to bootstrap samples; "
            .. "numbers get residuals of rows left out, labels are drawn by their probability", seed = "random seed" },
      notes = "IterativeImputer without estimator runs BayesianRidge in C, much faster. With factor columns in X the "
         .. "estimators must accept them, such as trees, or be pipelines "
         .. "that encode them. Sample weights are passed to the estimators.",
      source = "van Buuren & Groothuis-Oudshoorn, J. Statistical Software 45 (2011); Stekhoven & Buehlmann, "
         .. "Bioinformatics 28 (2012)",
      example = [[
local penguins = ml.read_csv "examples/data/penguins.csv"
local imputer = ml.IterativeImputer { estimator = ml.RandomForestRegressor { n_estimators = 20 },
   classifier = ml.RandomForestClassifier { n_estimators = 20 }, max_iter = 2 }
print(imputer:fit_transform(penguins):slice(1, 4))]],
   },
   construct = base.construct(function() return core.constructors.BayesianRidge() end),
   check = check,
   can = function(_, name) return name == "transform" or not estimator.is_action(name) end,
   fit = fit,
   transform = rows.rethrowing(transform),
   restored = restored,
   output_names = output_names,
}

--- The model in Lua if an estimator is given, otherwise nil.
function M.of(settings)
   return rawget(settings, "estimator") ~= nil and M.ChainedImputer(settings) or nil
end

return M
