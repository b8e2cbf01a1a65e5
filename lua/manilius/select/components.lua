--- ml.choose_components: the number of principal components by several criteria.

local core = require "manilius.core"
local majority = require "manilius.majority"
local options_of = require "manilius.options"
local parts = require "manilius.metrics.parts"
local progress = require "manilius.progress"
local rows = require "manilius.rows"
local text = require "manilius.text"

local fail = parts.fail
local M = { help = {} }

local WHO = "choose_components"

-- --- the result ---

local Choice = { __name = "ChoiceOfComponents" }
Choice.__index = Choice

local MAX_SHOWN = 15
-- Columns shown for each criterion; those of the mean and the standard error of references are in the table only.
local SHOWN = { scree = "variance", kaiser = "variance", broken_stick = "broken_stick", parallel = "parallel",
   mle = "evidence", likelihood = "likelihood" }

-- The numbers of components chosen by as many criteria as k, including k, ascending.
local function tied(choice)
   local list = {}
   for k, count in pairs(choice.votes) do
      if count == choice.votes[choice.k] then list[#list + 1] = k end
   end
   table.sort(list)
   return list
end

--- "3 components by most criteria", that several numbers are chosen equally often, or that no two criteria agree.
function Choice:headline()
   if #self.criteria == 1 then return text.plural(self.k, "component") end
   if self.votes[self.k] > 1 then
      local list = tied(self)
      if #list == 1 then return text.plural(self.k, "component") .. " by most criteria" end
      return table.concat(list, " or ") .. " components: as many criteria for each"
   end
   local most = self.k
   for k in pairs(self.votes) do most = math.max(most, k) end
   return ("%d to %d components: no two criteria agree"):format(self.k, most)
end

function Choice.__tostring(self)
   local shown = math.min(MAX_SHOWN, self.table.rows)
   local lines, seen = { { "components" } }, { variance = true }
   for c = 1, shown do lines[c + 1] = { tostring(c) } end
   local function add(title, values)
      local numbers = text.numbers(values:slice(1, shown):totable(), 5, "-")
      table.insert(lines[1], title)
      for c, value in ipairs(numbers) do table.insert(lines[c + 1], value) end
   end
   add("variance", self.table.variance)
   local choices = {}
   for i, name in ipairs(self.criteria) do
      choices[i] = ("%s %d"):format(name, self.best[name])
      local column = SHOWN[name]
      if not seen[column] then add(column, self.table[column]) end
      seen[column] = true
   end
   return ("%s (%s)\n%s%s"):format(self:headline(), table.concat(choices, ", "),
      text.aligned(lines), shown < self.table.rows and ("\n... %d more"):format(self.table.rows - shown) or "")
end

--- Variances with those of rows without structure, and the other criteria, a panel each.
-- @return Figure
function Choice:plot(options)
   return (require("manilius.plot").choose_components(self, options or {}))
end

-- --- criteria ---

local function pca(X)
   return require("manilius").PCA {}:fit(X)
end

-- Variances of the components; of standardized columns the eigenvalues of the correlation matrix.
local function variances(X, scale)
   local values = pca(X).explained_variance
   return scale and values * ((X.rows - 1) / X.rows) or values
end

local function standardized(X)
   return require("manilius").StandardScaler {}:fit_transform(X)
end

-- The number of values before the first that is not above its limit.
local function leading(values, limits)
   for c = 1, #values do
      if values[c] <= limits[c] then return c - 1 end
   end
   return #values
end

local function largest(values)
   local best
   for c = 1, #values do
      if values[c] == values[c] and (not best or values[c] > values[best]) then best = c end
   end
   return best
end

-- The smallest number whose value is within one standard error of the largest (Breiman et al. 1984).
local function within_error(values, se)
   local best = largest(values)
   for c = 1, best or 0 do
      if values[c] >= values[best] - se[best] then return c end
   end
end

-- Rows without structure: normal values with the standard deviations of the columns of X, or its columns, each in
-- another order.
local function reference_rows(task, b)
   local X = task.X
   if task.reference == "normal" then
      local out = core.normal(X.rows, X.cols, task.seed + b)
      local sd = X:std("cols", 1)
      for j = 1, X.cols do
         for i = 1, X.rows do out:set(i, j, out:get(i, j) * sd[j]) end
      end
      return out
   end
   local rng, out = core.rng(task.seed, b), X:copy()
   for j = 1, X.cols do
      local column = X:col(j):take(rng:permutation(X.rows))
      for i = 1, X.rows do out:set(i, j, column[i]) end
   end
   return out
end

-- Horn (1965): variances of rows without structure; their mean, and their quantile.
local function parallel(task)
   local drawn, count = {}, #task.variance
   for b = 1, task.references do
      local made = reference_rows(task, b)
      drawn[b] = variances(task.scale and standardized(made) or made, task.scale)
      task.tick()
   end
   local mean, limit = {}, {}
   for c = 1, count do
      local values = {}
      for b = 1, task.references do values[b] = drawn[b][c] end
      local list = core.Vector(values)
      mean[c], limit[c] = list:mean(), list:quantile(task.quantile)
   end
   return leading(task.variance, limit), { parallel = limit, parallel_mean = mean }
end

-- Minka (2000).
local function mle(task)
   local values = pca(task.X):evidence()
   local column = values:totable()
   column[#column + 1] = 0 / 0
   return largest(values), { evidence = column }
end

-- The mean log density of probabilistic PCA with c components at rows Z, from one fit with all components: the squared
-- scores beyond c are noise.
local function log_densities(model, Z, count)
   local p, variance = Z.cols, model.explained_variance
   local scores, centered = model:transform(Z), Z - model.mean
   local squares, rest = {}, (centered ^ 2):sum() / Z.rows
   local noise = variance:sum()
   local within, log_det, out = 0, 0, {}
   for c = 1, #variance do squares[c] = scores:col(c):copy():square():mean() end
   for c = 1, count do
      if c >= #variance then
         out[c] = 0 / 0
      else
         within, log_det = within + squares[c] / variance[c], log_det + math.log(variance[c])
         rest, noise = rest - squares[c], noise - variance[c]
         local v = noise / (#variance - c)
         out[c] = -(p * math.log(2 * math.pi) + log_det + (p - c) * math.log(v) + within + math.max(rest, 0) / v) / 2
      end
   end
   return out
end

local function likelihood(task)
   local sums, sum_squares, count, folds = {}, {}, #task.variance, task.folds
   for c = 1, count do sums[c], sum_squares[c] = 0, 0 end
   for _, split in ipairs(folds) do
      local values = log_densities(pca(task.X:take(split.train)), task.X:take(split.test), count)
      for c = 1, count do
         sums[c], sum_squares[c] = sums[c] + values[c], sum_squares[c] + values[c] ^ 2
      end
      task.tick()
   end
   local mean, se = {}, {}
   for c = 1, count do
      mean[c] = sums[c] / #folds
      se[c] = math.sqrt(math.max(sum_squares[c] / #folds - mean[c] ^ 2, 0) / (#folds - 1))
   end
   return within_error(mean, se), { likelihood = mean, likelihood_se = se }
end

-- The last component before the variances bend most: the largest second difference (Raiche et al. 2013).
local function scree(task)
   local bends, v = { 0 / 0 }, task.variance
   for c = 2, #v - 1 do bends[c] = v[c + 1] - 2 * v[c] + v[c - 1] end
   local at = largest(bends)
   return at and at - 1 or 1, {}
end

-- Variances above their mean: above 1 if columns are standardized.
local function kaiser(task)
   local limits, mean = {}, task.variance:sum() / task.X.cols
   for c = 1, #task.variance do limits[c] = mean * (1 + 1e-12) end
   return leading(task.variance, limits), {}
end

-- The expected parts of a stick that is broken at random (Frontier 1976).
local function broken_stick(task)
   local p, parts_of, sum = task.X.cols, {}, 0
   for c = p, 1, -1 do
      sum = sum + 1 / c
      parts_of[c] = sum / p * task.variance:sum()
   end
   local limits = {}
   for c = 1, #task.variance do limits[c] = parts_of[c] end
   return leading(task.variance, limits), { broken_stick = limits }
end

local CRITERIA = { parallel = parallel, mle = mle, likelihood = likelihood, scree = scree, kaiser = kaiser,
   broken_stick = broken_stick }
local NAMES = { "parallel", "mle", "likelihood", "scree", "kaiser", "broken_stick" }
local COLUMNS = { "variance", "parallel", "parallel_mean", "evidence", "likelihood", "likelihood_se", "broken_stick" }

-- --- the search ---

local function criteria_of(given, X)
   local tall = X.rows > X.cols
   if given == nil then return tall and { "parallel", "mle", "likelihood", "scree" } or { "parallel", "scree" } end
   if type(given) == "string" then given = { given } end
   if type(given) ~= "table" or #given == 0 then
      fail("criteria must be from %s, got %s", table.concat(NAMES, ", "), parts.text(given))
   end
   for _, name in ipairs(given) do
      if not CRITERIA[name] then
         fail("criteria must be from %s, got %s%s", table.concat(NAMES, ", "), parts.text(name),
            type(name) == "string" and parts.hint(name, NAMES) or "")
      end
      if name == "mle" and not tall then
         fail("the criterion mle requires more rows than columns, got %d and %d", X.rows, X.cols)
      end
   end
   return given
end

local function folds_of(cv, seed, n)
   if cv == nil or math.type(cv) == "integer" then
      return require("manilius").KFold { k = cv or math.min(5, n), shuffle = true, seed = seed }:split(n)
   end
   if type(cv) ~= "table" or not cv.split then
      fail("cv must be a number of folds or a splitter, got %s", parts.text(cv))
   end
   return cv:split(n)
end

local function new_task(X, o)
   local numbers = core.Matrix(rows.plain(X))
   if numbers.rows < 3 or numbers.cols < 2 then
      fail("X must have at least 3 rows and 2 columns, got %d and %d", numbers.rows, numbers.cols)
   end
   local scale = o.scale == nil or o.scale
   if type(scale) ~= "boolean" then fail("scale must be true or false, got %s", parts.text(scale)) end
   local task = { X = scale and standardized(numbers) or numbers, scale = scale, seed = parts.whole(o, "seed", 0, 0),
      references = parts.whole(o, "references", 50, 2), quantile = parts.number(o, "quantile", 0.95, 0, 1),
      reference = parts.choice(o, "reference", { "normal", "permuted" }, "normal") }
   task.criteria = criteria_of(o.criteria, numbers)
   task.folds = folds_of(o.cv, task.seed, numbers.rows)
   task.variance = variances(task.X, scale)
   return task
end

local function count_steps(task)
   local steps, each = 1, { parallel = task.references, likelihood = #task.folds }
   for _, name in ipairs(task.criteria) do steps = steps + (each[name] or 0) end
   return steps
end

local function choose(X, o)
   local task = new_task(rows.x(WHO, X, 0), o)
   local shown <close> = progress.task(WHO, count_steps(task))
   local done, best = 0, {}
   task.tick = function()
      done = done + 1
      shown:at(done)
   end
   local found = { variance = task.variance:totable() }
   for _, name in ipairs(task.criteria) do
      local columns
      best[name], columns = CRITERIA[name](task)
      best[name] = best[name] and math.tointeger(best[name])
      for column, values in pairs(columns) do found[column] = values end
   end
   local names, columns = { "component" }, { core.range(1, #task.variance) }
   for _, name in ipairs(COLUMNS) do
      if found[name] then names[#names + 1], columns[#columns + 1] = name, core.Vector(found[name]) end
   end
   local k, votes = majority(best)
   if not k then fail("no criterion chooses a number of components; X may be constant") end
   return setmetatable({ k = k, best = best, votes = votes, criteria = task.criteria, scaled = task.scale,
      table = rows.frame(names, columns) }, Choice)
end

M.help.choose_components = {
   name = WHO, args = { "X" },
   brief = "The number of principal components by several criteria.",
   formula = "parallel: leading variances above the quantile of those of rows without structure",
   returns = "an object that prints as a table: k (chosen by most criteria; ties: the smallest), best (choice by "
      .. "criterion), votes, table (Frame); :plot() draws the variances and criteria",
   options = {
      criteria = "list of parallel, mle, likelihood, scree, kaiser, broken_stick; default: the first four, or "
         .. "parallel and scree if there are no more rows than columns",
      scale = "true (default): standardize the columns first, so that variances are those of correlations",
      references = "number of data sets without structure for parallel; default 50",
      quantile = "quantile of their variances that components must exceed; default 0.95",
      reference = "'normal' (default): independent normal columns; 'permuted': the columns of X, each in random order",
      cv = "folds of likelihood: a number (default 5, shuffled) or a splitter such as ml.KFold { k = 10 }",
      seed = "seed of references and folds; default 0",
   },
   notes = "parallel: Horn's analysis. mle: Minka's evidence. likelihood: the smallest number whose mean log density "
      .. "of held-out rows is within a standard error of the best. scree: the last component before the sharpest bend. "
      .. "kaiser: variances above their mean; usually too many. Criteria often disagree: look at the plot.",
   source = "Horn (1965); Minka (2000); Raiche et al. (2013); Frontier (1976)",
   example = [[
local X = ml.read_csv "examples/data/wine.csv":drop { "class" }
print(ml.choose_components(X))]],
}

--- Compare numbers of components; see M.help.
function M.choose_components(X, options)
   options = options_of.check(WHO, options, M.help.choose_components.options, 2)
   return parts.finish(WHO, pcall(choose, X, options))
end

return M
