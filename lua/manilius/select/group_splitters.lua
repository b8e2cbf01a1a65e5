--- Algorithms of the splitters of groups.

local core = require "manilius.core"
local base = require "manilius.select.splitters"

local M = {}

-- Labels in ascending order, numbers before strings.
local function ascending(values)
   local order = base.identity(#values)
   table.sort(order, function(a, b)
      local x, y = values[a], values[b]
      if type(x) == type(y) and type(x) ~= "boolean" then return x < y end
      return tostring(x) < tostring(y)
   end)
   return order
end

-- Assign the groups, largest first, each to the fold with the fewest rows so far.
function M.grouped(self, n, groups, rng)
   local who = self.class
   local codes, counts, values = base.codes_of(who, "groups", groups, n)
   base.whole(who, "k", self.k, 2, #values, "the number of groups")
   local order = rng and base.shuffled(base.identity(#values), rng) or ascending(values)
   local rank = {}
   for i, c in ipairs(order) do rank[c] = i end
   table.sort(order, function(a, b)
      if counts[a] ~= counts[b] then return counts[a] > counts[b] end
      return rank[a] > rank[b]
   end)
   local size, fold_of_group = {}, {}
   for fold = 1, self.k do size[fold] = 0 end
   for _, c in ipairs(order) do
      local smallest = 1
      for fold = 2, self.k do
         if size[fold] < size[smallest] then smallest = fold end
      end
      size[smallest] = size[smallest] + counts[c]
      fold_of_group[c] = smallest
   end
   local fold_of = {}
   for row, c in ipairs(codes) do fold_of[row] = fold_of_group[c] end
   return base.splits_of(fold_of, self.k)
end

-- Groups in ascending order: the number of each row's group, and their count.
local function group_numbers(who, groups, n)
   local codes, _, values = base.codes_of(who, "groups", groups, n)
   local rank = {}
   for i, c in ipairs(ascending(values)) do rank[c] = i end
   for row = 1, n do codes[row] = rank[codes[row]] end
   return codes, #values
end

--- Each set of p groups is the test set once.
function M.leave_groups_out(who, p, n, groups)
   local number, count = group_numbers(who, groups, n)
   if count < p + 1 then
      error(("%s: groups must hold at least %d distinct labels, got %d"):format(who, p + 1, count), 0)
   end
   local splits = {}
   base.combinations(count, p, function(chosen)
      local left_out, in_test = {}, {}
      for _, group in ipairs(chosen) do left_out[group] = true end
      for row = 1, n do in_test[row] = left_out[number[row]] end
      splits[#splits + 1] = base.split_by(n, in_test)
   end)
   return splits
end

-- --- stratified groups ---

local function deviation(values)
   local sum, square = 0, 0
   for _, value in ipairs(values) do sum = sum + value end
   local mean = sum / #values
   for _, value in ipairs(values) do square = square + (value - mean) ^ 2 end
   return math.sqrt(square / #values)
end

-- The number of rows of each class in each group.
local function class_counts(number, count, codes, classes)
   local counts = {}
   for g = 1, count do
      counts[g] = {}
      for c = 1, classes do counts[g][c] = 0 end
   end
   for row, g in ipairs(number) do counts[g][codes[row]] = counts[g][codes[row]] + 1 end
   return counts
end

-- Mean over the classes of the standard deviation over the folds of the fraction of the class, if `fold` gets `group`.
local function imbalance(folds, fold, group, totals)
   local sum, shares = 0, {}
   for c, total in ipairs(totals) do
      for f, counts in ipairs(folds) do shares[f] = (counts[c] + (f == fold and group[c] or 0)) / total end
      sum = sum + deviation(shares)
   end
   return sum / #totals
end

-- Two numbers that differ by rounding only.
local function is_close(a, b) return math.abs(a - b) <= 1e-8 + 1e-5 * math.abs(b) end

-- The fold with the smallest imbalance; ties are broken by the fewest rows.
local function best_fold(folds, rows_of, group, totals)
   local best, least, fewest
   for f in ipairs(folds) do
      local value = imbalance(folds, f, group, totals)
      if not best or value < least or is_close(value, least) and rows_of[f] < fewest then
         best, least, fewest = f, value, rows_of[f]
      end
   end
   return best
end

-- Groups by descending deviation of their class counts; ties keep the order.
local function by_deviation(counts, order)
   local spread, place = {}, {}
   for i, g in ipairs(order) do spread[g], place[g] = deviation(counts[g]), i end
   table.sort(order, function(a, b)
      if spread[a] ~= spread[b] then return spread[a] > spread[b] end
      return place[a] < place[b]
   end)
   return order
end

-- The fold of each group, assigned one after the other.
local function assign(counts, order, k, totals)
   local folds, rows_of, fold_of = {}, {}, {}
   for f = 1, k do
      folds[f], rows_of[f] = {}, 0
      for c in ipairs(totals) do folds[f][c] = 0 end
   end
   for _, g in ipairs(order) do
      local f = best_fold(folds, rows_of, counts[g], totals)
      for c, count in ipairs(counts[g]) do folds[f][c], rows_of[f] = folds[f][c] + count, rows_of[f] + count end
      fold_of[g] = f
   end
   return fold_of
end

--- k folds of whole groups with similar class proportions, as in scikit-learn.
function M.stratified_groups(self, n, y, groups, rng)
   local who = self.class
   local codes, totals = base.codes_of(who, "y", y, n)
   local number, count = group_numbers(who, groups, n)
   base.whole(who, "k", self.k, 2, count, "the number of groups")
   local order = base.identity(count)
   if rng then order = base.shuffled(order, rng) end
   local counts = class_counts(number, count, codes, #totals)
   local fold_of_group, fold_of = assign(counts, by_deviation(counts, order), self.k, totals), {}
   for row, g in ipairs(number) do fold_of[row] = fold_of_group[g] end
   return base.splits_of(fold_of, self.k)
end

-- --- given folds ---

--- The folds of the setting test_fold, in ascending order.
function M.predefined(self, n)
   local who, given = self.class, self.test_fold
   if given == nil then error(who .. ": test_fold must be given, got nil", 0) end
   if #given ~= n then
      error(("%s: test_fold must have as many rows as X, %d, got %d"):format(who, n, #given), 0)
   end
   local seen, folds = {}, {}
   for row = 1, n do
      local fold = given[row]
      if type(fold) ~= "number" or fold ~= math.floor(fold) or fold < -1 then
         error(("%s: test_fold must hold whole numbers >= -1, got %s in row %d"):format(who, tostring(fold), row), 0)
      end
      if fold >= 0 and not seen[fold] then seen[fold], folds[#folds + 1] = true, fold end
   end
   if #folds == 0 then error(who .. ": test_fold must name at least one fold, got -1 only", 0) end
   table.sort(folds)
   local splits, fold_at = {}, core.Vector(given)
   for i, fold in ipairs(folds) do
      splits[i] = { train = fold_at:ne(fold):nonzero(), test = fold_at:eq(fold):nonzero() }
   end
   return splits
end

return M
