--- Data for the demands of manilius.check, made from what a descriptor says that an estimator takes.
-- @module manilius.check.data

local core = require "manilius.core"

local M = {}

-- Settings that suit small data, for parameters that go by a customary name.
local customary = {
   n_clusters = 3, n_components = 2, n_estimators = 10, n_neighbors = 5, perplexity = 5, min_samples = 3, n_init = 2,
   alpha = 0.1, chains = 2, burn_in = 20, draws = 30, min_ess = 20, cv = 3,
}

--- Settings for the estimator under test: those the user chose, and customary ones.
function M.settings(class)
   local settings = {}
   for _, p in ipairs(class.params) do
      local value = customary[p.name]
      local fits = value and p.kind ~= "choice" and value >= (p.low or -math.huge) and value <= (p.high or math.huge)
      if fits then settings[p.name] = value end
   end
   return settings
end

--- Does it take y, and as what: "labels", "reals" or nil.
function M.answers(class)
   if class.does.classify or class.takes.y_labels then return "labels" end
   if class.does.regress or class.takes.y_reals then return "reals" end
   return nil
end

function M.has_param(class, name)
   for _, p in ipairs(class.params) do
      if p.name == name then return p end
   end
   return nil
end

--- The parameter that says how many rounds there are at most: max_iter, or n_estimators where each is an estimator.
function M.rounds(class)
   return M.has_param(class, "max_iter") and "max_iter" or M.has_param(class, "n_estimators") and "n_estimators" or nil
end

--- Settings of a parameter that are in its range and not the default: one or two, or every other choice.
function M.other_values(p)
   local list = {}
   local function add(value)
      local above = p.open_low and value > p.low or not p.open_low and value >= p.low
      local below = p.open_high and value < p.high or not p.open_high and value <= p.high
      if above and below and value ~= p.default then list[#list + 1] = value end
   end
   if p.kind == "boolean" then return { not p.default } end
   for _, choice in ipairs(p.choices or {}) do
      if choice ~= p.default then list[#list + 1] = choice end
   end
   if p.kind == "integer" then
      for _, value in ipairs { 1, 2, 7 } do add(value) end
   elseif p.kind == "number" then
      for _, value in ipairs { 0.3, 0.9, 1.5 } do add(value) end
      if #list == 0 and p.high - p.low < math.huge then add(p.low + 0.3 * (p.high - p.low)) end
   end
   return list
end

local names = { "ash", "birch", "cedar", "elm", "fir" }

--- The class of row i, 1..k, in an order without a pattern that a split could follow.
local function group(i, k)
   return (i * 7 + i // 5) % k + 1
end

local function shift_to_non_negative(X)
   local least = X:min()
   return least < 0 and X - least or X
end

-- Few different values, all of which any sample has: categories for a class that takes factors.
local function few_values(X)
   for i = 1, X.rows do
      for j = 1, X.cols do
         local value = X:get(i, j)
         local step = math.floor(value / 8 + 0.5) * 8
         X:set(i, j, step + (value > step and 1 or 0))
      end
   end
   return X
end

--- exp(-|x - z|^2 / (2 d)), rows of X against rows of Z: what a class gets that takes a square X.
local function kernel(X, Z)
   local rows = {}
   for i = 1, X.rows do
      rows[i] = {}
      for j = 1, Z.rows do
         local d = X[i] - Z[j]
         rows[i][j] = math.exp(-d:dot(d) / (2 * X.cols))
      end
   end
   return core.Matrix(rows)
end

--- Points around k centers far from each other.
local function blobs(rows, cols, k, seed)
   local X = core.normal(rows, cols, seed)
   for i = 1, rows do
      local g = group(i, k)
      for j = 1, cols do X:set(i, j, X:get(i, j) + 8 * ((g + j) % k)) end
   end
   return X
end

local function labels(rows, k)
   local y = {}
   for i = 1, rows do y[i] = names[group(i, k)] end
   return y
end

--- A positive target, linear in the columns but for a little noise.
local function reals(X, seed)
   local noise, y = core.normal(X.rows, nil, seed + 1000), {}
   for i = 1, X.rows do
      y[i] = 0.1 * noise[i]
      for j = 1, X.cols do y[i] = y[i] + (j % 3 - 0.5) * X:get(i, j) end
   end
   local v = core.Vector(y)
   return v - v:min() + 1
end

--- A problem: { X = Matrix, y = labels, Vector or nil, new = Matrix of rows that fit does not see, group = true parts }
-- options: rows, cols, classes, seed, plain (no structure in X)
function M.make(class, options)
   options = options or {}
   local rows, seed = options.rows or 60, options.seed or 1
   local cols = class.takes.one_column and 1 or options.cols or 4
   local answers = M.answers(class)
   local k = class.takes.binary_only and 2 or options.classes or 3
   local structured = not options.plain and answers ~= "reals"
   local X = structured and blobs(rows, cols, k, seed) or core.normal(rows, cols, seed)
   local new = structured and blobs(12, cols, k, seed + 500) or core.normal(12, cols, seed + 500)
   if class.takes.factors then X, new = few_values(X), few_values(new) end
   local problem = { group = {} }
   for i = 1, rows do problem.group[i] = group(i, k) end
   if answers == "labels" then problem.y = labels(rows, k) end
   if answers == "reals" then problem.y = reals(X, seed) end
   if class.takes.non_negative then X, new = shift_to_non_negative(X), shift_to_non_negative(new) end
   if class.takes.square then X, new = kernel(X, X), kernel(new, X) end
   problem.X, problem.new = X, new
   return problem
end

--- The rows of y at these positions.
function M.take(y, positions)
   if y == nil then return nil end
   if type(y) == "userdata" then return y:take(positions) end
   local out = {}
   for i, at in ipairs(positions) do out[i] = y[at] end
   return out
end

--- A Frame of X with columns called a, b, c, ..., in the order given (positions), or as they are.
function M.frame(X, order)
   local columns, letters = {}, "abcdefghijklmnopqrstuvwxyz"
   for j = 1, X.cols do columns[j] = { letters:sub(j, j), X:col(j):totable() } end
   local chosen = {}
   for i, j in ipairs(order or core.range(X.cols):totable()) do chosen[i] = columns[j] end
   return require("manilius.frame").Frame(chosen)
end

return M
