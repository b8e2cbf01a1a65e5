--- Algorithms of the splitters in manilius.select.folds.

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local rows = require "manilius.rows"

local M = {}

-- --- checks ---

local function whole(who, name, value, low, high, what)
   if math.type(value) ~= "integer" or value < low or (high and value > high) then
      error(("%s: %s must be a whole number %s, got %s"):format(who, name,
         high and ("from %d to %s%d"):format(low, what and what .. ", " or "", high) or (">= %d"):format(low),
         estimator.not_whole(value)), 0)
   end
end

-- A number of rows from a fraction or a number; `round` rounds fractional counts.
local function count_of(who, name, value, n, round)
   if math.type(value) == "integer" and value >= 1 and value < n then return value end
   if math.type(value) == "float" and value > 0 and value < 1 then return round(value * n) end
   error(("%s: %s must be a fraction in (0, 1) or a number of rows from 1 to %d, got %s"):format(who, name,
      n - 1, estimator.value_text(value)), 0)
end

-- Numbers of training and test rows.
local function sizes(who, self, n)
   local n_test = self.test and count_of(who, "test", self.test, n, math.ceil)
   local n_train = self.train and count_of(who, "train", self.train, n, math.floor)
   n_test = math.tointeger(n_test or n - n_train)
   n_train = math.tointeger(n_train or n - n_test)
   if n_test < 1 or n_train < 1 or n_test + n_train > n then
      error(("%s: train and test must add up to at most %d rows, got %d and %d"):format(who, n, n_train, n_test), 0)
   end
   return n_train, n_test
end

-- --- building blocks ---

-- The split whose test rows are those with in_test[row].
local function split_by(n, in_test, in_train)
   local train, test = {}, {}
   for row = 1, n do
      if in_test[row] then
         test[#test + 1] = row
      elseif not in_train or in_train[row] then
         train[#train + 1] = row
      end
   end
   return { train = core.Vector(train), test = core.Vector(test) }
end

-- Splits from the test fold of each row, a list or a Vector.
local function splits_of(fold_of, k)
   return core.fold_splits(rows.kind(fold_of) == "Vector" and fold_of or core.Vector(fold_of), k)
end

local function shuffled(list, rng)
   local order, out = rng:permutation(#list):totable(), {}
   for i = 1, #list do out[i] = list[order[i]] end
   return out
end

local function identity(n)
   local list = {}
   for i = 1, n do list[i] = i end
   return list
end

-- Fold numbers of n rows in order; fold sizes differ by at most one, larger folds first.
local function contiguous(n, k)
   local fold_of = {}
   for fold = 1, k do
      for _ = 1, n // k + (fold <= n % k and 1 or 0) do fold_of[#fold_of + 1] = fold end
   end
   return fold_of
end

--- Class codes of labels in order of appearance, and the number of rows of each.
local function codes_of(who, what, labels, n)
   if labels == nil then error(("%s: %s must be given, got nil"):format(who, what), 0) end
   local kind = rows.kind(labels)
   if kind ~= "Factor" and kind ~= "Vector" and kind ~= "table" then
      error(("%s: %s must be a Factor, a Vector or a list, got %s"):format(who, what, kind), 0)
   end
   if #labels ~= n then error(("%s: %s must have as many rows as X, %d, got %d"):format(who, what, n, #labels), 0) end
   local code, codes, counts, values = {}, {}, {}, {}
   local plain = type(labels) == "userdata" and labels:totable() or labels
   for row = 1, n do
      local label = plain[row]
      if label == nil or label ~= label then
         error(("%s: %s must not have missing labels, got one in row %d"):format(who, what, row), 0)
      end
      if type(label) == "number" and label ~= math.floor(label) then
         error(("%s: %s must be labels, got %s in row %d"):format(who, what, estimator.value_text(label), row), 0)
      end
      if not code[label] then
         values[#values + 1] = label
         code[label] = #values
      end
      local c = code[label]
      codes[row] = c
      counts[c] = (counts[c] or 0) + 1
   end
   return codes, counts, values
end

-- --- k folds ---

local function kfold(self, n, rng)
   whole("KFold", "k", self.k, 2, n, "the number of rows")
   local fold_of = contiguous(n, self.k)
   if rng then
      local order, moved = rng:permutation(n):totable(), {}
      for i = 1, n do moved[order[i]] = fold_of[i] end
      fold_of = moved
   end
   return splits_of(fold_of, self.k)
end

-- The values of consecutive parts of a Vector, shuffled within each part.
local function shuffled_within(values, sizes_of_parts, rng)
   local order = {}
   for _, size in ipairs(sizes_of_parts) do
      local first = #order
      for i, at in ipairs(rng:permutation(size):totable()) do order[first + i] = first + at end
   end
   return values:take(order)
end

-- Rows sorted by class are assigned to the folds in turn, which balances both fold sizes and class proportions (as in
-- scikit-learn).
local function stratified(self, n, y, rng)
   local who = "StratifiedKFold"
   local plain = rows.kind(y) == "Factor" and #y == n and not y:ismissing():any()
   local codes = plain and y:codes() or core.Vector((codes_of(who, "y", y, n)))
   local k = math.type(self.k) == "integer" and math.max(1, math.min(self.k, n + 1)) or 1 -- checked below
   local place, folds, counts = core.strata(codes, k)
   local max, min = 0, math.huge
   for _, count in ipairs(counts) do max, min = math.max(max, count), math.min(min, count) end
   whole(who, "k", self.k, 2, max, "the rows of the largest class")
   if min < self.k then
      rows.warn(("%s: the smallest class has %d row%s, fewer than k = %d"):format(who, min, min == 1 and "" or "s",
         self.k))
   end
   if rng then folds = shuffled_within(folds, counts, rng) end
   return splits_of(folds:take(place), self.k)
end

-- --- leaving out ---

-- All combinations of p of the numbers 1..n, in lexicographic order: calls use(list), which must not keep the list.
local function combinations(n, p, use)
   local chosen = identity(p)
   while true do
      use(chosen)
      local i = p
      while i >= 1 and chosen[i] == n - p + i do i = i - 1 end
      if i == 0 then return end
      chosen[i] = chosen[i] + 1
      for j = i + 1, p do chosen[j] = chosen[j - 1] + 1 end
   end
end

local MAX_SPLITS = 100000

local function leave_p_out(who, p, n)
   whole(who, "p", p, 1, n - 1, "one less than the number of rows")
   local count = 1
   for i = 1, math.min(p, n - p) do count = count * (n - i + 1) / i end
   if count > MAX_SPLITS then
      error(("%s: p = %d of %d rows are %.2g splits, more than %d; use ShuffleSplit"):format(who, p, n, count,
         MAX_SPLITS), 0)
   end
   local splits = {}
   combinations(n, p, function(chosen)
      local in_test = {}
      for _, row in ipairs(chosen) do in_test[row] = true end
      splits[#splits + 1] = split_by(n, in_test)
   end)
   return splits
end

-- --- random splits ---

local function mark(list, first, last)
   local set = {}
   for i = first, last do set[list[i]] = true end
   return set
end

local function random_split(n, n_train, n_test, rng)
   local order = rng:permutation(n):totable()
   return split_by(n, mark(order, 1, n_test), mark(order, n_test + 1, n_test + n_train))
end

-- Divide `total` rows among the classes in proportion to their rows, by largest remainders.
local function proportions(counts, n, total)
   local share, rest, left = {}, {}, total
   for c, count in ipairs(counts) do
      local exact = count * total / n
      share[c] = math.floor(exact)
      rest[c] = { c = c, part = exact - share[c] }
      left = left - share[c]
   end
   table.sort(rest, function(a, b)
      if a.part ~= b.part then return a.part > b.part end
      return a.c < b.c
   end)
   for i = 1, left do share[rest[i].c] = share[rest[i].c] + 1 end
   return share
end

-- classes: the code of each row, and the number of rows and the label of each class
local function stratified_split(who, classes, n_train, n_test, rng)
   local codes, counts = classes.codes, classes.counts
   local n = #codes
   if #counts > n_train or #counts > n_test then
      error(("%s: train and test must have at least one row for each of %d classes, got %d and %d rows"):format(who,
         #counts, n_train, n_test), 0)
   end
   for c, count in ipairs(counts) do
      if count < 2 then
         error(("%s: each class must have at least 2 rows, got 1 of class %s"):format(who,
            estimator.value_text(classes.values[c])), 0)
      end
   end
   local train_share = proportions(counts, n, n_train)
   local rest = {}
   for c, count in ipairs(counts) do rest[c] = count - train_share[c] end
   local test_share = proportions(rest, n - n_train, n_test)
   local of_class = {}
   for c in ipairs(counts) do of_class[c] = {} end
   for row, c in ipairs(codes) do table.insert(of_class[c], row) end
   local in_train, in_test = {}, {}
   for c, list in ipairs(of_class) do
      list = shuffled(list, rng)
      for i = 1, train_share[c] do in_train[list[i]] = true end
      for i = train_share[c] + 1, train_share[c] + test_share[c] do in_test[list[i]] = true end
   end
   return split_by(n, in_test, in_train)
end

-- Split whole groups; sizes count groups.
local function group_split(who, self, groups, n, rng)
   local codes, _, values = codes_of(who, "groups", groups, n)
   if #values < 2 then error(who .. ": groups must hold at least 2 distinct labels, got 1", 0) end
   local n_train, n_test = sizes(who, self, #values)
   local order = rng:permutation(#values):totable()
   local test, train = mark(order, 1, n_test), mark(order, n_test + 1, n_test + n_train)
   local in_test, in_train = {}, {}
   for row, c in ipairs(codes) do in_test[row], in_train[row] = test[c], train[c] end
   return split_by(n, in_test, in_train)
end

local function times(count, seed, make)
   local splits = {}
   for i = 1, count do splits[i] = make(core.rng(seed, i)) end
   return splits
end

-- --- exports ---

M.whole, M.sizes, M.codes_of, M.times = whole, sizes, codes_of, times
M.split_by, M.splits_of, M.shuffled, M.identity = split_by, splits_of, shuffled, identity
M.contiguous, M.combinations = contiguous, combinations
M.kfold, M.stratified, M.leave_p_out = kfold, stratified, leave_p_out
M.random_split, M.stratified_split, M.group_split = random_split, stratified_split, group_split

return M
