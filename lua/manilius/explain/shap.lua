--- Shapley values of predictions: the contribution of each column to the difference between the prediction for a row
-- and the mean prediction for background rows (Lundberg & Lee, NeurIPS 30, 2017).
--
-- The value of a set of columns S for a row x is v(S) = mean over background rows b of f(x in S, b elsewhere), the
-- interventional definition. The Shapley value of column j is the mean of v(S with j) - v(S) over the orders in which
-- columns are added; S are the columns before j. With few columns it is summed over all sets S. Otherwise orders are
-- sampled and used with their reverses, which removes the error of all interactions of two columns (Mitchell, Cooper,
-- Frank & Holmes, JMLR 23, 2022).

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local progress = require "manilius.progress"
local response_of = require "manilius.explain.response"
local rows = require "manilius.rows"
local show = require "manilius.metrics.text"
local text = require "manilius.text"

local M = { help = {} }

local WHO = "shap"
local MAX_SHOWN, BLOCK_ROWS = 30, 20000

local function fail(form, ...)
   response_of.fail(WHO, form, ...)
end

-- --- the result ---

local Shap = { __name = "ShapleyValues" }
Shap.__index = Shap

function Shap.__tostring(self)
   local t, lines = self.table, { { "", "mean |value|", "std. error" } }
   for i = 1, math.min(#t.feature, MAX_SHOWN) do
      lines[i + 1] = { show.label(t.feature[i]), ("%.4g"):format(t.importance[i]), ("%.2g"):format(t.std_error[i]) }
   end
   return ("Shapley values of %s for the %s, base %.4g, method %s\n%s"):format(
      text.plural(self.values.rows, "row"), self.response, self.base, self.method, text.aligned(lines))
end

--- Plot of the values. options: kind, top, as in ml.plot.shap.
-- @return Figure
function Shap:plot(options)
   options = require("manilius.options").check("plot", options, { kind = true, top = true }, 2)
   return (require("manilius.plot").shap(self, { kind = options.kind, top = options.top }))
end

-- A Frame with a row for each column of X, the most important first.
local function table_of(values, errors, names)
   local order, mean, labels, importance, error_of = {}, values:abs():mean "cols", {}, {}, {}
   for j = 1, #names do order[j] = j end
   table.sort(order, function(a, b)
      if mean[a] ~= mean[b] then return mean[a] > mean[b] end
      return a < b
   end)
   local mean_error = errors:mean "cols"
   for i, j in ipairs(order) do labels[i], importance[i], error_of[i] = names[j], mean[j], mean_error[j] end
   return rows.frame({ "feature", "importance", "std_error" }, { core.Factor(labels), core.Vector(importance),
      core.Vector(error_of) })
end

-- --- linear models ---

-- The coefficients of a model whose predictions are intercept + X * coef in all these rows, otherwise nil.
local function coefficients(model, predict, columns, background)
   local coef, intercept = estimator.learned(model, "coef"), estimator.learned(model, "intercept")
   if rows.kind(coef) ~= "Vector" or #coef ~= #columns or type(intercept) ~= "number" then return nil end
   for _, part in ipairs { columns, background } do
      local sum = core.full(#part[1], 1, intercept):col(1)
      for j, column in ipairs(part) do
         if rows.kind(column) ~= "Vector" then return nil end
         sum = sum + column * coef[j]
      end
      local out = predict(part)
      local agrees = (out - sum):abs():max() <= 1e-9 * (1 + out:abs():max())
      if not agrees then return nil end
   end
   return coef
end

local function linear_values(coef, columns, background)
   local list = {}
   for j, column in ipairs(columns) do list[j] = ((column - background[j]:mean()) * coef[j]):as_column() end
   return core.hcat(table.unpack(list))
end

-- --- sets of columns ---

-- v(S) of the rows of a block, from columns of which those in S have the values of the rows.
local function mean_prediction(block, mixed)
   return block.predict(mixed):copy():reshape(block.n, block.m):mean "rows"
end

-- v(S) of the set with these bits.
local function value_of_set(block, set, p)
   if set == 0 then return block.base end
   if set == (1 << p) - 1 then return block.full end
   local mixed = {}
   for j = 1, p do mixed[j] = set >> (j - 1) & 1 == 1 and block.x[j] or block.background[j] end
   return mean_prediction(block, mixed)
end

-- For each size s of a set: 1 / (p C(p - 1, s)), the fraction of the orders in which exactly this set comes before a
-- given column.
local function set_weights(p)
   local weights = { [0] = 1 / p }
   for s = 1, p - 1 do weights[s] = weights[s - 1] * s / (p - s) end
   return weights
end

-- The values of the rows of a block, summed over all sets.
local function exact_block(block, p)
   local weights, sums = set_weights(p), {}
   for set = 0, (1 << p) - 1 do
      local value, size = value_of_set(block, set, p), 0
      for j = 0, p - 1 do size = size + (set >> j & 1) end
      for j = 1, p do
         local has_column = set >> (j - 1) & 1 == 1
         local term = value * (has_column and weights[size - 1] or -weights[size])
         sums[j] = sums[j] and sums[j] + term or term
      end
   end
   for j = 1, p do sums[j] = sums[j]:as_column() end
   return core.hcat(table.unpack(sums)), core.zeros(block.n, p)
end

-- The contributions of one order: add the columns one after another. Row j of the result has those of column j.
local function add_contributions(block, order, sums)
   local mixed, before = table.move(block.background, 1, #order, 1, {}), block.base
   for step, j in ipairs(order) do
      mixed[j] = block.x[j]
      local after = step == #order and block.full or mean_prediction(block, mixed)
      sums[j] = sums[j] and sums[j] + (after - before) or after - before
      before = after
   end
end

local function reversed(order)
   local out = {}
   for i = 1, #order do out[i] = order[#order + 1 - i] end
   return out
end

-- Means over pairs of an order and its reverse, and their standard errors, as Matrices of the rows of a block.
local function block_values(block, orders)
   local sum, squares, p = {}, {}, #orders[1]
   for _, order in ipairs(orders) do
      local pair = {}
      add_contributions(block, order, pair)
      add_contributions(block, reversed(order), pair)
      for j = 1, p do
         local value = pair[j] * 0.5
         sum[j] = sum[j] and sum[j] + value or value
         squares[j] = squares[j] or {}
         squares[j][#squares[j] + 1] = value
      end
   end
   local values, errors, k = {}, {}, #orders
   for j = 1, p do
      local mean, spread = sum[j] / k, core.zeros(block.n, 1):col(1)
      for _, value in ipairs(squares[j]) do spread = spread + (value - mean):square() end
      values[j], errors[j] = mean:as_column(), (spread / (k * (k - 1))):sqrt():as_column()
   end
   return core.hcat(table.unpack(values)), core.hcat(table.unpack(errors))
end

-- Different pairs of an order and its reverse.
local function random_orders(p, settings)
   local orders, drawn, r = {}, {}, 1
   while #orders < settings.repeats do
      local order = core.rng(settings.seed, r + 1):permutation(p):totable()
      for j = 1, p do order[j] = math.tointeger(order[j]) end
      local key, back = table.concat(order, " "), table.concat(reversed(order), " ")
      if not drawn[key] then orders[#orders + 1] = order end
      drawn[key], drawn[back], r = true, true, r + 1
   end
   return orders
end

-- Values, standard errors and base by predictions alone, and the method. All sets are used if they take at most as many
-- predictions as the orders.
local function values_by_sets(predict, columns, background, settings)
   local n, m, p = #columns[1], #background[1], #columns
   local full, base = predict(columns):copy(), predict(background):copy():mean()
   local is_exact = 2.0 ^ p - 2 <= 2 * (p - 1) * settings.repeats
   local orders, values, errors = not is_exact and random_orders(p, settings) or nil, {}, {}
   local step = math.max(1, BLOCK_ROWS // m)
   local shown <close> = progress.task(WHO, n)
   for first = 1, n, step do
      shown:at(first - 1)
      local last = math.min(first + step - 1, n)
      local of_x, of_background = response_of.pairing(first, last, m)
      local block = { x = response_of.repeated(columns, of_x),
         background = response_of.repeated(background, of_background),
         n = last - first + 1, m = m, predict = predict, full = full:slice(first, last):copy(),
         base = core.full(last - first + 1, 1, base):col(1) }
      local values_of, given = is_exact and exact_block or block_values, is_exact and p or orders
      values[#values + 1], errors[#errors + 1] = values_of(block, given)
   end
   return core.vcat(table.unpack(values)), core.vcat(table.unpack(errors)), base, is_exact and "exact" or "permutation"
end

-- --- any model ---

local function read_background(X, names, given, settings)
   if given == nil then return response_of.sample(X, settings.max_background, settings.seed) end
   given = rows.x(WHO, given, 0)
   if rows.count(given) == 0 then fail("background must have at least one row, got none") end
   if rows.kind(given) ~= rows.kind(X) or rows.width(given) ~= #names then
      fail("background must be a %s of the %d columns of X, got a %s of %d", rows.kind(X), #names, rows.kind(given),
         rows.width(given))
   end
   for j, name in ipairs(rows.is_frame(X) and given.names or {}) do
      if name ~= names[j] then fail("column %d of background must be '%s' as in X, got '%s'", j, names[j], name) end
   end
   return response_of.sample(given, settings.max_background, settings.seed)
end

local function settings_of(options)
   local seed = options.seed == nil and 0 or options.seed
   return { repeats = response_of.whole(WHO, "n_permutations", options.n_permutations or 10, 2),
      max_background = response_of.whole(WHO, "max_background", options.max_background or 100, 1),
      seed = response_of.whole(WHO, "seed", seed, 0) }
end

-- The values that a tree model computes itself, as the result of values_by_sets; nil if they do not add up to the
-- response.
local function tree_values(model, X, names, response)
   if rows.kind(model) ~= "Model" or not estimator.can(model, "shap") then return nil end
   local all, p, wanted = model:shap(X), #names, response(X):copy()
   if all.values.cols ~= p * #all.base then return nil end
   for output = 1, #all.base do
      local values = all.values:select(core.range((output - 1) * p + 1, output * p):totable())
      local sums = values:sum "rows" + all.base[output]
      if (sums - wanted):abs():max() <= 1e-6 * (1 + wanted:abs():max()) then
         return values, core.zeros(values.rows, p), all.base[output]
      end
   end
end

local function shap(model, X, options)
   response_of.check_model(WHO, model)
   X = rows.x(WHO, X, 0)
   if rows.count(X) == 0 then fail("X must have at least one row, got none") end
   local settings = settings_of(options)
   local columns, names, assemble = response_of.columns(WHO, model, X)
   local response, predict_rows = response_of.of(WHO, model, options.target, options.response)
   local function predict(list) return predict_rows(assemble(list)) end
   local method = "tree"
   local values, errors, base
   if options.background == nil then values, errors, base = tree_values(model, X, names, predict_rows) end
   if not values then
      local background = response_of.columns(WHO, model, read_background(X, names, options.background, settings))
      local coef = coefficients(model, predict, columns, background)
      if coef then
         method, values, errors = "linear", linear_values(coef, columns, background), core.zeros(#columns[1], #names)
         base = predict(background):copy():mean()
      else
         values, errors, base, method = values_by_sets(predict, columns, background, settings)
      end
   end
   return setmetatable({ values = values, std_error = errors, base = base, features = names, X = X, method = method,
      response = response, table = table_of(values, errors, names), model = estimator.last_title(model) }, Shap)
end

M.help.shap = {
   name = WHO, args = { "model", "X" },
   brief = "Shapley values (SHAP) of the predictions of any fitted model.",
   formula = "phi_j = mean over orders of v(S + j) - v(S), v(S) = mean_b f(x in S, b elsewhere)",
   returns = "an object that prints as a table: values and std_error (Matrices, rows x columns), base, features, "
      .. "method, response, table (Frame, most important first); :plot { kind =, top = }",
   options = {
      background = "rows whose values replace those of absent columns; default: X",
      max_background = "maximum number of background rows, drawn at random if there are more; default 100",
      n_permutations = "number of random orders of the columns, each of which is also used in reverse; default 10",
      target = "class (default: the second of two), number of a cluster, or number of the target if there are several",
      response = response_of.RESPONSE,
      seed = "seed of the orders and of the background rows; default 0",
   },
   notes = "The values of a row and base add up to the response. Linear models (classifiers with "
      .. 'response = "decision_function"): exact, coef * (x - mean of the background). Trees without a background: '
      .. "exact, but absent columns are averaged over the training rows of each node. All others: exact over all sets "
      .. "of columns if that takes no more predictions than the orders (up to 6 columns by default), else sampled, "
      .. "with standard errors over the pairs of orders.",
   source = "Lundberg & Lee, NeurIPS 30 (2017); Mitchell et al., JMLR 23 (2022)",
   example = [[
local X, y = ml.read_csv "examples/data/diabetes.csv":split "progression"
local model = ml.KNeighborsRegressor { n_neighbors = 20 }:fit(X, y)
print(ml.shap(model, X:head(5), { background = X, max_background = 20 }))]],
}

--- Shapley values of the predictions of a fitted model; see M.help.
function M.shap(model, X, options)
   options = require("manilius.options").check(WHO, options, M.help.shap.options, 2)
   return (rows.rethrow(2, pcall(shap, model, X, options)))
end

return M
