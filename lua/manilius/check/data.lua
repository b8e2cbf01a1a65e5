--- Test data for the demands of manilius.check, generated to suit the inputs that an estimator supports.

local core = require "manilius.core"

local M = {}

-- Settings for small data, by parameter name.
local small_settings = {
   n_clusters = 3, n_components = 2, n_estimators = 10, n_neighbors = 5, perplexity = 5, min_samples = 3, n_init = 2,
   alpha = 0.1, chains = 2, burn_in = 20, draws = 30, min_ess = 20, cv = 3,
   n_columns = 16, n_starts = 10, eps = 3, xi = 0.2, n_epochs = 40, num_iters = 45, early_exaggeration_iter = 25,
}

-- Fewer iterations of those that take long.
local few_iterations = { GPLVM = 15, BayesianGPLVM = 15, LinearGaussianStateSpace = 20, TSNE = 60 }

--- Settings for tests on small data.
function M.settings(class)
   local settings = { max_iter = few_iterations[class.name] }
   for _, p in ipairs(class.params) do
      local value = small_settings[p.name]
      local fits = value and p.kind ~= "choice" and value >= (p.low or -math.huge) and value <= (p.high or math.huge)
      if fits then settings[p.name] = value end
   end
   return settings
end

--- The kind of y that the estimator requires: "labels", "reals" or nil.
function M.target_kind(class)
   -- A clusterer that takes labels does without: they are states that are known.
   local needs_labels = class.takes.y_labels and not class.does.cluster
   if class.does.classify or needs_labels then return "labels" end
   if class.does.regress or class.takes.y_reals then return "reals" end
   return nil
end

--- Is X a matrix of numbers, of any values and columns?
function M.is_plain(class)
   return not class.takes.square and not class.takes.texts
end

--- The description of a parameter, or nil.
function M.has_param(class, name)
   for _, p in ipairs(class.params) do
      if p.name == name then return p end
   end
   return nil
end

--- Settings with which the estimator accepts a sparse X: those given, without centering.
function M.sparse_settings(class, settings)
   settings = settings or {}
   for _, name in ipairs { "with_mean", "with_centering" } do
      if M.has_param(class, name) then settings[name] = false end
   end
   return settings
end

--- The name of the parameter for the maximum number of iterations: max_iter or n_estimators.
function M.rounds(class)
   return M.has_param(class, "max_iter") and "max_iter" or M.has_param(class, "n_estimators") and "n_estimators" or nil
end

--- Valid values of a parameter other than its default.
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

--- The class of row i, 1..k, in an irregular order.
local function group(i, k)
   return (i * 7 + i // 5) % k + 1
end

local function shift_to_non_negative(X)
   local min = X:min()
   return min < 0 and X - min or X
end

-- Round to a few distinct values that occur in any sample, for estimators that treat columns as categories.
local function few_values(X)
   local rows = X:totable()
   for _, row in ipairs(rows) do
      for j, value in ipairs(row) do
         local step = math.floor(value / 8 + 0.5) * 8
         row[j] = step + (value > step and 1 or 0)
      end
   end
   return core.Matrix(rows)
end

--- The kernel matrix exp(-|x - z|^2 / (2 d)) of the rows of X and Z, for estimators that require a square X.
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

--- Normal samples around k distant centers.
local function blobs(rows, cols, k, seed)
   local centers, shifts = {}, {}
   for g = 1, k do
      centers[g] = {}
      for j = 1, cols do centers[g][j] = 8 * ((g + j) % k) end
   end
   for i = 1, rows do shifts[i] = centers[group(i, k)] end
   return core.normal(rows, cols, seed) + core.Matrix(shifts)
end

-- Let the first column differ between the groups, for estimators that require one that does.
local function separate_first(X, k)
   for i = 1, X.rows do X:set(i, 1, X:get(i, 1) + 8 * group(i, k)) end
end

local function labels(rows, k)
   local y = {}
   for i = 1, rows do y[i] = names[group(i, k)] end
   return y
end

--- A positive target, linear in the columns, with a little noise.
local function reals(X, seed)
   local noise, y = core.normal(X.rows, nil, seed + 1000), {}
   for i = 1, X.rows do
      local sum = 0.1 * noise[i]
      for j, value in ipairs(X[i]:totable()) do sum = sum + (j % 3 - 0.5) * value end
      y[i] = sum
   end
   local v = core.Vector(y)
   return v - v:min() + 1
end

-- Rows of numbers as tables of named values.
local function records(X)
   local list = X:totable()
   for i, row in ipairs(list) do
      list[i] = { kind = names[math.floor(row[1]) % #names + 1] }
      for j, value in ipairs(row) do list[i]["x" .. j] = value end
   end
   return core.records(list)
end

local words = { "ash", "Ash", "\u{e9}lan", "elan", "x-ray", "a" }

-- Rows of numbers as texts: a word by each sign, and a word with each number, rounded.
local function texts(X)
   local list = X:totable()
   for i, row in ipairs(list) do
      for j, value in ipairs(row) do
         row[j] = ("%s %s%d"):format(words[(value > 0 and j or i) % #words + 1], names[j % #names + 1], value // 1)
      end
      list[i] = table.concat(row, ", ")
   end
   return core.Factor(list)
end

--- A problem: { X = Matrix, y = labels, Vector or nil, new = Matrix of other rows, group = true class of each row }.
-- For an estimator of texts, X and new are Frames with one column of them.
-- options: rows, cols, classes, seed, plain (true: no clusters in X)
function M.make(class, options)
   options = options or {}
   local rows, seed = options.rows or 60, options.seed or 1
   local cols = class.takes.one_column and 1 or options.cols or 4
   local kind = M.target_kind(class)
   local k = class.takes.binary_only and 2 or options.classes or 3
   local structured = not options.plain and kind ~= "reals"
   local X = structured and blobs(rows, cols, k, seed) or core.normal(rows, cols, seed)
   local new = structured and blobs(12, cols, k, seed + 500) or core.normal(12, cols, seed + 500)
   if class.takes.y_labels and options.plain then separate_first(X, k) end
   if class.takes.factors then X, new = few_values(X), few_values(new) end
   local problem = { group = {} }
   for i = 1, rows do problem.group[i] = group(i, k) end
   if kind == "labels" then problem.y = labels(rows, k) end
   if kind == "reals" then problem.y = reals(X, seed) end
   if class.takes.non_negative then X, new = shift_to_non_negative(X), shift_to_non_negative(new) end
   if class.takes.square then X, new = kernel(X, X), kernel(new, X) end
   if class.takes.texts then
      local encode = class.takes.records and records or texts
      local frame = require("manilius.frame").Frame
      X, new = frame { { "text", encode(X) } }, frame { { "text", encode(new) } }
   end
   problem.X, problem.new = X, new
   return problem
end

--- The elements of y at these positions.
function M.take(y, positions)
   if y == nil then return nil end
   if type(y) == "userdata" then return y:take(positions) end
   local out = {}
   for i, at in ipairs(positions) do out[i] = y[at] end
   return out
end

--- X as a Frame with columns a, b, c, ..., optionally in a given order (a list of indices).
function M.frame(X, order)
   if X.names then return X end -- texts
   local columns, letters = {}, "abcdefghijklmnopqrstuvwxyz"
   for j = 1, X.cols do columns[j] = { letters:sub(j, j), X:col(j):totable() } end
   local chosen = {}
   for i, j in ipairs(order or core.range(X.cols):totable()) do chosen[i] = columns[j] end
   return require("manilius.frame").Frame(chosen)
end

return M
