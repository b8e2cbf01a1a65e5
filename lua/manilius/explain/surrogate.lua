--- Surrogate models: a small tree or a linear model that is fitted to the predictions of another model, to read what
-- that model does (Craven & Shavlik, NeurIPS 8, 1996). Fidelity is the score of the surrogate against the predictions
-- of the model, on rows that it was not fitted to.
--
-- Around a row the rows of X are weighted by their distance to it, as in LIME (Ribeiro, Singh & Guestrin, KDD 2016),
-- which draws new rows instead.

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local evaluate = require "manilius.select.evaluate"
local folds = require "manilius.select.folds"
local parts = require "manilius.metrics.parts"
local response_of = require "manilius.explain.response"
local row_of = require "manilius.explain.row"
local rows = require "manilius.rows"
local show = require "manilius.metrics.text"
local text = require "manilius.text"

local M = { help = {} }

local WHO = "surrogate"
local MAX_DEPTH, TEST, WIDTH = 3, 0.25, 0.75

local function fail(form, ...)
   response_of.fail(WHO, form, ...)
end

-- --- the result ---

local Surrogate = { __name = "Surrogate" }
Surrogate.__index = Surrogate

-- The coefficients of a linear surrogate, largest first.
local function coefficient_text(model)
   local last, order, lines = require("manilius.plot.inputs").last(model), {}, { { "", "coefficient" } }
   local coef, names = last.coef, last.feature_names
   for j = 1, #coef do order[j] = j end
   table.sort(order, function(a, b)
      if math.abs(coef[a]) ~= math.abs(coef[b]) then return math.abs(coef[a]) > math.abs(coef[b]) end
      return a < b
   end)
   for i, j in ipairs(order) do
      lines[i + 1] = { show.label(names and names[j] or "x" .. j), ("%.4g"):format(coef[j]) }
   end
   lines[#lines + 1] = { "intercept", ("%.4g"):format(last.intercept) }
   return text.aligned(lines)
end

function Surrogate.__tostring(self)
   local base = self.measure == "accuracy" and (", always the most frequent class %.3g"):format(self.baseline) or ""
   local head = ("surrogate of %s for the %s%s\nfidelity %.3g (%s on %d held-out rows%s), %.3g on the rows of the fit")
      :format(self.of, self.response, self.around and ", around a row" or "", self.fidelity, self.measure, self.n_test,
      base, self.train_fidelity)
   local body = ""
   if self.kind == "tree" then body = "\n" .. self.model:text():gsub("\n$", "") end
   if self.kind == "linear" then body = "\n" .. coefficient_text(self.model) end
   return head .. body
end

--- The predictions of the surrogate.
function Surrogate:predict(X)
   return self.model:predict(X)
end

--- The rules of a tree, as its rules() gives them.
-- @return Frame
function Surrogate:rules()
   if self.kind ~= "tree" then error(('surrogate: only kind = "tree" has rules, this is %s'):format(self.kind), 2) end
   return self.model:rules()
end

--- Plot of the tree, or of the coefficients.
-- @return Figure
function Surrogate:plot()
   if self.kind == "model" then
      error("surrogate: plot requires kind = \"tree\" or \"linear\"; draw the field model instead", 2)
   end
   local title = ("Surrogate of %s, fidelity %.3g"):format(self.of, self.fidelity)
   local plot = require "manilius.plot"
   return (self.kind == "tree" and plot.tree(self.model, { title = title })
      or plot.coefficients(self.model, { title = title,
         caption = "Whiskers: 95% intervals of the fit to the predictions." }))
end

-- --- what to fit ---

-- The predictions of the model that the surrogate fits, and their name: labels if there is no target.
local function answers(model, X, kind, target)
   local does = estimator.does(model)
   if target == nil and kind ~= "linear" then
      if does == "classify" then return model:predict(X), "predicted class" end
      if does == "cluster" then return core.Factor(model:predict(X)), "cluster" end
   end
   local name, predict = response_of.of(WHO, model, target)
   return predict(X):copy(), name
end

local function has_factors(X)
   for _, column in ipairs(rows.is_frame(X) and X.columns or {}) do
      if rows.kind(column) == "Factor" then return true end
   end
   return false
end

local function linear_model(X)
   local ml = require "manilius"
   if not has_factors(X) then return ml.LinearRegression {} end
   return ml.Pipeline { ml.ColumnTransformer { { ml.OneHotEncoder { drop = "first" }, "factor" }, prefix = false,
      remainder = "passthrough" }, ml.LinearRegression {} }
end

-- The unfitted surrogate and its kind.
local function new_model(X, labels, options)
   local kind = options.kind or "tree"
   if estimator.is(kind) then
      local does = estimator.does(kind)
      if does ~= (labels and "classify" or "regress") then
         fail("kind must be a %s, because the model predicts %s, got %s", labels and "classifier" or "regressor",
            labels and "labels" or "numbers", estimator.name(kind))
      end
      return estimator.clone(kind), "model"
   end
   if kind == "linear" then return linear_model(X), kind end
   local ml = require "manilius"
   local depth = response_of.whole(WHO, "max_depth", options.max_depth or MAX_DEPTH, 1)
   return (labels and ml.DecisionTreeClassifier or ml.DecisionTreeRegressor) { max_depth = depth }, kind
end

local function check_kind(kind)
   if kind == nil or kind == "tree" or kind == "linear" or estimator.is(kind) then return end
   fail('kind must be "tree", "linear" or an estimator, got %s%s', parts.text(kind),
      type(kind) == "string" and text.near(kind, { "tree", "linear" }) or "")
end

-- --- weights around a row ---

-- exp(-(d / width)^2), d^2 the mean over columns of ((x - row) / sd)^2, or [x ~= row] for factors.
local function weights_around(model, X, given, width)
   local columns, names = response_of.columns(WHO, model, X)
   local row, sum = row_of.read(WHO, columns, names, given), core.zeros(#columns[1], 1):col(1)
   for j, column in ipairs(columns) do
      if rows.kind(column) == "Factor" then
         sum = sum + column:ne(row[j][1])
      else
         local sd = column:std()
         if sd ~= sd or row[j][1] ~= row[j][1] then fail("around requires columns without missing values") end
         if sd > 0 then sum = sum + ((column - row[j][1]) / sd):square() end
      end
   end
   local weights = (sum / (-#columns * width ^ 2)):exp()
   if weights:max() == 0 then fail("no row of X is near the row with width = %g; increase width", width) end
   return weights
end

local function width_of(options)
   local width = options.width or WIDTH
   local is_positive = type(width) == "number" and width > 0
   if not is_positive then fail("width must be a number > 0, got %s", parts.text(width)) end
   return width
end

-- --- fit ---

-- The fraction of the rows with the most frequent label, by weight.
local function baseline(labels, weights)
   local best, w = 0, weights or core.full(#labels, 1, 1):col(1)
   for i = 1, #labels.levels do best = math.max(best, labels:eq(labels.levels[i]):dot(w) / w:sum()) end
   return best
end

local function surrogate(model, X, options)
   response_of.check_model(WHO, model)
   check_kind(options.kind)
   X = rows.x(WHO, X, 0)
   local n = rows.count(X)
   if n < 4 then fail("X must have at least four rows, got %d", n) end
   local weights = options.weights and core.Vector(options.weights) or nil
   if weights and #weights ~= n then fail("weights must have %d values, one for each row, got %d", n, #weights) end
   if options.around ~= nil then
      local near = weights_around(model, X, options.around, width_of(options))
      weights = weights and weights * near or near
   end
   local y, response = answers(model, X, options.kind, options.target)
   local labels = rows.kind(y) == "Factor"
   local own, kind = new_model(X, labels, options)
   local X_train, X_test, y_train, y_test, train, test = folds.train_test_split(X, y, { test = options.test or TEST,
      seed = response_of.whole(WHO, "seed", options.seed or 0, 0) })
   local w_train, w_test = rows.take(weights, train), rows.take(weights, test)
   if options.around ~= nil and not (w_train:max() > 0 and w_test:max() > 0) then
      fail("too few rows of X are near the row with width = %g; increase width", width_of(options))
   end
   own:fit(X_train, y_train, { weights = w_train })
   local measure = labels and "accuracy" or "r2"
   local function score(at, wanted, w)
      return evaluate.score(own, at, wanted, { scoring = measure, weights = w }, 0)
   end
   return setmetatable({ model = own, kind = kind, of = estimator.title(model), response = response,
      measure = measure, fidelity = score(X_test, y_test, w_test),
      train_fidelity = score(X_train, y_train, w_train), baseline = labels and baseline(y_test, w_test) or 0.0,
      n_train = #train, n_test = #test, around = options.around ~= nil }, Surrogate)
end

M.help.surrogate = {
   name = WHO, args = { "model", "X" },
   brief = "A small tree or linear model of the predictions of any fitted model.",
   returns = "an object that prints its rules or coefficients: model (the fitted surrogate), fidelity (on held-out "
      .. "rows), train_fidelity, baseline (accuracy of the most frequent class), measure (r2 or accuracy), kind; "
      .. ":rules() (Frame), :predict(X), :plot()",
   options = {
      kind = "\"tree\" (default), \"linear\" for least squares, or an unfitted estimator",
      max_depth = "maximum depth of the tree; default 3",
      target = "class whose probability is fitted, number of a cluster or of the target; nil: a tree fits the "
         .. "predicted labels or clusters, a linear model the second of two classes or the first target",
      around = "explain the model near this row: a row number of X, a row of numbers or values by name",
      width = "with around: distance in standard deviations at which the weight of a row is 1/e; default 0.75",
      test = "fraction or number of rows held out for the fidelity; default 0.25",
      weights = "sample weights of the fit and of the fidelity",
      seed = "seed of the held-out rows; default 0",
   },
   notes = "Fidelity says how well the surrogate imitates the model, not how well either predicts; a surrogate of low "
      .. "fidelity explains little. Linear surrogates one-hot encode factors. LIME draws new rows around the row; "
      .. "this uses the rows of X, weighted by exp(-(distance / width)^2).",
   source = "Craven & Shavlik, NeurIPS 8 (1996); Ribeiro, Singh & Guestrin, KDD (2016)",
   example = [[
local X, y = ml.read_csv "examples/data/diabetes.csv":split "progression"
local model = ml.RandomForestRegressor { n_estimators = 20, seed = 1 }:fit(X, y)
print(ml.surrogate(model, X, { max_depth = 2 }))]],
}

--- A small model of the predictions of a fitted model; see M.help.
function M.surrogate(model, X, options)
   options = require("manilius.options").check(WHO, options, M.help.surrogate.options, 2)
   return (rows.rethrow(2, pcall(surrogate, model, X, options)))
end

return M
