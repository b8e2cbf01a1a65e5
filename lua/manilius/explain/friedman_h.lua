--- Friedman's H statistic: how much of a fitted model is interaction (Friedman & Popescu, Annals of Applied Statistics
-- 2, 2008, section 8.1).
--
-- F_S is the partial dependence on the columns S at the sampled rows, centered. For two columns H^2 is the fraction of
-- the sum of squares of F_jk that F_j + F_k does not explain; for column j and all others, the fraction of that of the
-- prediction that F_j + F_(all but j) does not explain.

local core = require "manilius.core"
local progress = require "manilius.progress"
local response_of = require "manilius.explain.response"
local rows = require "manilius.rows"
local show = require "manilius.metrics.text"
local text = require "manilius.text"

local M = { help = {} }

local WHO, MAX_SHOWN = "friedman_h", 15

-- --- the result ---

local Statistic = { __name = "FriedmanH" }
Statistic.__index = Statistic

function Statistic.__tostring(self)
   local t, pairs_of, lines = self.total, self.pairs, { { "", "H" } }
   for i = 1, math.min(#t.feature, MAX_SHOWN) do
      lines[#lines + 1] = { show.label(t.feature[i]) .. " x all others", ("%.3f"):format(t.h[i]) }
   end
   for i = 1, math.min(#pairs_of.first, MAX_SHOWN) do
      lines[#lines + 1] = { show.label(pairs_of.first[i]) .. " x " .. show.label(pairs_of.second[i]),
         ("%.3f"):format(pairs_of.h[i]) }
   end
   return ("interactions in the %s, at %d rows\n%s"):format(self.response, self.rows, text.aligned(lines))
end

--- Bar plot of the pairs, strongest first.
-- @param options top: maximum number of bars, default 20
-- @return a figure
function Statistic:plot(options)
   options = require("manilius.options").check("plot", options, { top = true }, 2)
   local top = rows.rethrow(2, pcall(response_of.whole, "plot", "top", options.top or 20, 1))
   local names, shown = {}, self.pairs:head(top)
   for i, first in ipairs(shown.first:totable()) do names[i] = first .. " x " .. shown.second[i] end
   return (require("manilius.plot").bar(names, shown.h, { horizontal = true, x_label = "Friedman's H",
      title = "Interactions in the " .. self.response }))
end

-- --- the statistic ---

-- The centered partial dependence on the columns in `set` (list of booleans).
local function dependence(grid, set)
   local mixed = {}
   for j = 1, #grid.x do mixed[j] = set[j] and grid.x[j] or grid.background[j] end
   local mean = grid.predict(mixed):copy():reshape(grid.n, grid.n):mean "rows"
   return mean - mean:mean()
end

-- H of the sum of squares of `rest` relative to that of `whole`; 0 if `whole` is constant up to rounding.
local function ratio(rest, whole, tiny)
   local all = whole:dot(whole)
   return all > tiny and math.sqrt(rest:dot(rest) / all) or 0
end

local function sorted(list)
   table.sort(list, function(a, b)
      if a.h ~= b.h then return a.h > b.h end
      if a.j ~= b.j then return a.j < b.j end
      return (a.k or 0) < (b.k or 0)
   end)
   return list
end

local function all_but(p, j)
   local set = {}
   for i = 1, p do set[i] = i ~= j end
   return set
end

local function measure(grid, f, chosen, tiny)
   local p, single, total, pairs_of = #grid.x, {}, {}, {}
   local shown <close> = progress.task(WHO, #chosen)
   for at, j in ipairs(chosen) do
      shown:at(at - 1)
      single[j] = dependence(grid, { [j] = true })
      total[at] = { j = j, h = p > 1 and ratio(f - single[j] - dependence(grid, all_but(p, j)), f, tiny) or 0 }
      for before = 1, at - 1 do
         local i = chosen[before]
         local both = dependence(grid, { [i] = true, [j] = true })
         pairs_of[#pairs_of + 1] = { j = i, k = j, h = ratio(both - single[i] - single[j], both, tiny) }
      end
   end
   return sorted(total), sorted(pairs_of)
end

local function column_of(list, field, names)
   local out = {}
   for i, one in ipairs(list) do out[i] = names and names[one[field]] or one[field] end
   return names and core.Factor(out) or core.Vector(out)
end

local function chosen_columns(names, given)
   local chosen, seen = {}, {}
   if given ~= nil and (type(given) ~= "table" or #given == 0) then
      response_of.fail(WHO, "columns must be a list of names or numbers, got %s", require("manilius.metrics.parts")
         .text(given))
   end
   for i = 1, #(given or names) do
      local j = given and response_of.column_index(WHO, names, given[i]) or i
      if seen[j] then response_of.fail(WHO, "columns must be different, got '%s' twice", names[j]) end
      chosen[i], seen[j] = j, true
   end
   return chosen
end

local function friedman_h(model, X, options)
   response_of.check_model(WHO, model)
   X = rows.x(WHO, X, 0)
   if rows.count(X) < 2 then response_of.fail(WHO, "X must have at least two rows, got %d", rows.count(X)) end
   local seed = response_of.whole(WHO, "seed", options.seed == nil and 0 or options.seed, 0)
   X = response_of.sample(X, response_of.whole(WHO, "max_rows", options.max_rows or 100, 2), seed)
   local columns, names, assemble = response_of.columns(WHO, model, X)
   local chosen = chosen_columns(names, options.columns)
   local response, predict = response_of.of(WHO, model, options.target, options.response)
   local n = rows.count(X)
   local of_x, of_background = response_of.pairing(1, n, n)
   local grid = { n = n, x = response_of.repeated(columns, of_x),
      background = response_of.repeated(columns, of_background),
      predict = function(list) return predict(assemble(list)) end }
   local f = predict(X):copy()
   local tiny = 1e-24 * n * f:abs():max() ^ 2
   local total, pairs_of = measure(grid, f - f:mean(), chosen, tiny)
   return setmetatable({ response = response, rows = n,
      total = rows.frame({ "feature", "h" }, { column_of(total, "j", names), column_of(total, "h") }),
      pairs = rows.frame({ "first", "second", "h" }, { column_of(pairs_of, "j", names), column_of(pairs_of, "k", names),
         column_of(pairs_of, "h") }) }, Statistic)
end

M.help.friedman_h = {
   name = WHO, args = { "model", "X" },
   brief = "Friedman's H: strength of the interactions in a fitted model.",
   formula = "H_jk^2 = sum (F_jk - F_j - F_k)^2 / sum F_jk^2, F the centered partial dependence",
   returns = "an object that prints as a table: pairs (Frame: first, second, h), total (Frame: feature, h: each column "
      .. "with all others), both strongest first; :plot { top = 20 }",
   options = {
      columns = "names or numbers of the columns to compare; default: all",
      max_rows = "maximum number of rows, drawn at random if there are more; default 100",
      target = "class (default: the second of two), number of a cluster, or number of the target if there are several",
      response = response_of.RESPONSE,
      seed = "seed of the rows; default 0",
   },
   notes = "0: no interaction, the effects add up. 1: only interaction. H exceeds 1 where effects cancel at the rows "
      .. "of X, so that the prediction hardly varies. Time grows with max_rows^2 and with the number of pairs. A "
      .. "large H means little if both columns hardly matter: look at total too. Correlated columns give unrealistic "
      .. "rows.",
   source = "Friedman & Popescu, Annals of Applied Statistics 2 (2008)",
   example = [[
local X, y = ml.read_csv "examples/data/diabetes.csv":split "progression"
local model = ml.DecisionTreeRegressor { max_depth = 4 }:fit(X, y)
print(ml.friedman_h(model, X, { columns = { "bmi", "s5", "bp" }, max_rows = 50 }))]],
}

--- Friedman's H statistic of a fitted model; see M.help.
function M.friedman_h(model, X, options)
   options = require("manilius.options").check(WHO, options, M.help.friedman_h.options, 2)
   return (rows.rethrow(2, pcall(friedman_h, model, X, options)))
end

return M
