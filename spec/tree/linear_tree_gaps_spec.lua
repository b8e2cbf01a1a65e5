--- LinearTreeRegressor with missing values and factors, compared with a slow reference that tries all splits and fits a
-- Ridge to the rows of each side, with missing values replaced by the mean of that side.
local ml = require "manilius"
local support = require "spec.support"
local near, near_all, refuses = support.near, support.near_all, support.refuses
local nan = 0 / 0

local TINY = 1e-9

-- Mean and scale of the columns. rows[i][j] is nan if missing, a string for a level; factor[j]: column j is a factor.
local function describe_columns(rows, factor)
   local mean, scale = {}, {}
   for j = 1, #factor do
      local values = {}
      for _, row in ipairs(rows) do
         if not factor[j] and row[j] == row[j] then values[#values + 1] = row[j] end
      end
      local v = ml.Vector(values)
      mean[j] = #values > 0 and v:mean() or 0
      local variance = #values > 0 and (v - mean[j]):square():mean() or 0
      scale[j] = not factor[j] and variance > 0 and 1 / math.sqrt(variance) or 0
   end
   return mean, scale
end

-- Ridge on the rows of a list, with missing values replaced by means of the list, or of the parent if all are missing.
local function leaf_model(of, list, above)
   local means, Z, t = {}, {}, {}
   for _, j in ipairs(of.numbers) do
      local sum, n = 0, 0
      for _, i in ipairs(list) do
         if of.rows[i][j] == of.rows[i][j] then sum, n = sum + of.rows[i][j], n + 1 end
      end
      means[j] = n > 0 and sum / n or above and above[j] or 0
   end
   local function z_of(row)
      local z = {}
      for k, j in ipairs(of.numbers) do
         local x = row[j] == row[j] and row[j] or means[j]
         z[k] = (x - of.mean[j]) * of.scale[j]
      end
      return #z > 0 and z or { 0 }
   end
   for k, i in ipairs(list) do Z[k], t[k] = z_of(of.rows[i]), of.y[i] end
   local ridge = ml.Ridge { alpha = of.alpha }:fit(Z, t)
   local off = ml.Vector(t) - ridge:predict(Z)
   local function predict(row) return ridge:predict({ z_of(row) })[1] end
   return { means = means, loss = off:dot(off), residual = off, predict = predict }
end

local function partition(of, list, is_left)
   local left, right = {}, {}
   for _, i in ipairs(list) do table.insert(is_left(of.rows[i]) and left or right, i) end
   return left, right
end

-- All sets of levels of a factor that may go left; with many levels, those that come first in the sorted order.
local function level_sets(of, list, j, model)
   local levels, sum, count = {}, {}, {}
   for k, i in ipairs(list) do
      local level = of.rows[i][j]
      if level == level then
         if not sum[level] then
            levels[#levels + 1] = level
            sum[level], count[level] = 0, 0
         end
         sum[level], count[level] = sum[level] + model.residual[k], count[level] + 1
      end
   end
   table.sort(levels)
   local sets = {}
   if #levels <= 10 and 2 ^ (#levels - 1) <= of.max_bins then
      for bits = 1, 2 ^ #levels - 1 do
         local set = {}
         for k, level in ipairs(levels) do
            if math.floor(bits) >> (k - 1) & 1 == 1 then set[level] = true end
         end
         sets[#sets + 1] = set
      end
   else
      table.sort(levels, function(a, b) return sum[a] / count[a] < sum[b] / count[b] end)
      for n = 1, #levels do
         local set = {}
         for k = 1, n do set[levels[k]] = true end
         sets[#sets + 1] = set
      end
   end
   return sets
end

local function candidates(of, list, model)
   local found = {}
   for j, factor in ipairs(of.factor) do
      local has_missing = false
      for _, i in ipairs(list) do has_missing = has_missing or of.rows[i][j] ~= of.rows[i][j] end
      local sides = {}
      if factor then
         for _, set in ipairs(level_sets(of, list, j, model)) do
            sides[#sides + 1] = function(x) return set[x] == true end
         end
      else
         local values = {}
         for _, i in ipairs(list) do
            if of.rows[i][j] == of.rows[i][j] then values[#values + 1] = of.rows[i][j] end
         end
         table.sort(values)
         for k, v in ipairs(values) do
            local next = values[k + 1]
            if next ~= v then
               local cut = next and (v + next) / 2 or math.huge
               sides[#sides + 1] = function(x) return x <= cut end
            end
         end
      end
      for missing_left = 0, has_missing and 1 or 0 do
         for _, side in ipairs(sides) do
            found[#found + 1] = { column = j, has_missing = has_missing, is_left = function(row)
               if row[j] ~= row[j] then return missing_left == 1 end
               return side(row[j])
            end }
         end
      end
   end
   return found
end

local function grow(of, list, above, depth)
   local model = leaf_model(of, list, above)
   local node = { model = model, rows = #list }
   if depth == 0 or #list < 2 * of.min_rows then return node end
   local best, best_loss = nil, model.loss * (1 - TINY)
   for _, candidate in ipairs(candidates(of, list, model)) do
      local left, right = partition(of, list, candidate.is_left)
      if #left >= of.min_rows and #right >= of.min_rows then
         local loss = leaf_model(of, left, model.means).loss + leaf_model(of, right, model.means).loss
         if loss < best_loss then best, best_loss = candidate, loss * (1 - TINY) end
      end
   end
   if not best then return node end
   local left, right = partition(of, list, best.is_left)
   node.split, node.heavy_left = best, #left > #right
   node.left, node.right = grow(of, left, model.means, depth - 1), grow(of, right, model.means, depth - 1)
   node.levels = {}
   for _, i in ipairs(list) do
      local x = of.rows[i][best.column]
      if x == x then node.levels[x] = true end
   end
   return node
end

-- Rows with a value that the node has not seen go with most of its rows.
local function predict_row(of, node, row)
   while node.split do
      local x, left = row[node.split.column]
      local missing = x ~= x or of.factor[node.split.column] and not of.known[node.split.column][x]
      if missing then
         left = node.heavy_left
         if node.split.has_missing then left = node.split.is_left { [node.split.column] = nan } end
      elseif of.factor[node.split.column] and not node.levels[x] then
         left = node.heavy_left
      else
         left = node.split.is_left(row)
      end
      node = left and node.left or node.right
   end
   return node.model.predict(row), node
end

local function reference_tree(rows, y, factor, settings, depth)
   local of = { rows = rows, y = y, factor = factor, numbers = {}, known = {}, max_bins = settings.max_bins or 64,
      alpha = settings.alpha, min_rows = settings.min_samples_leaf }
   of.mean, of.scale = describe_columns(rows, factor)
   for j = 1, #factor do
      of.known[j] = {}
      if not factor[j] then of.numbers[#of.numbers + 1] = j end
      for _, row in ipairs(rows) do
         if row[j] == row[j] then of.known[j][row[j]] = true end
      end
   end
   local all = {}
   for i = 1, #rows do all[i] = i end
   local root = grow(of, all, nil, depth)
   return function(row) return predict_row(of, root, row) end, root
end

local function frame_of(rows, factor)
   local columns = {}
   for j, by_levels in ipairs(factor) do
      local values = { n = #rows }
      for i, row in ipairs(rows) do
         if by_levels then
            values[i] = row[j] == row[j] and row[j] or nil
         else
            values[i] = row[j]
         end
      end
      columns[j] = { "c" .. j, by_levels and ml.Factor(values) or ml.Vector(values) }
   end
   return ml.Frame(columns)
end

-- n rows of numbers or, if factor[j], of levels; a share of the values is missing.
local function make(n, factor, share, seed, levels)
   local U, E, rows, y = ml.random(n, 2 * #factor, seed), ml.normal(n, nil, seed + 1), {}, {}
   for i = 1, n do
      rows[i] = {}
      local slope = 1
      for j, by_levels in ipairs(factor) do
         local u = U:get(i, j)
         rows[i][j] = by_levels and ("level %02d"):format(math.floor(u * (levels or 5))) or 4 * u - 2
         if by_levels then slope = math.floor(u * (levels or 5)) % 2 == 0 and 1 or -2 end
         if U:get(i, #factor + j) < (type(share) == "table" and share[j] or share) then rows[i][j] = nan end
      end
      local a = not factor[1] and rows[i][1] == rows[i][1] and rows[i][1] or 0.7
      y[i] = (a > 0.5 and 3 - a or slope * a) + slope + 0.2 * E[i]
   end
   return rows, y
end

local function check(what, rows, y, factor, settings, depth, new)
   local reference, root = reference_tree(rows, y, factor, settings, depth)
   local options = { max_depth = depth, unpruned = true, max_bins = 1000000 }
   for key, value in pairs(settings) do options[key] = value end
   local X = frame_of(rows, factor)
   local model = ml.LinearTreeRegressor(options):fit(X, y)
   local wanted, fresh = {}, {}
   assert(model:nodes().rows > 3, what)
   for i, row in ipairs(rows) do wanted[i] = reference(row) end
   near_all(wanted, model:predict(X), 1e-7, what, 1)
   for i, row in ipairs(new) do fresh[i] = reference(row) end
   near_all(fresh, model:predict(frame_of(new, factor)), 1e-7, what .. ", new rows", 1)
   return model, root
end

describe("LinearTreeRegressor with missing values", function()
   it("equals the reference tree", function()
      local factor = { false, false, false }
      for seed, share in ipairs { 0.15, 0.5, { 0.3, 0, 0 }, { 0, 0, 0.4 } } do
         local rows, y = make(50, factor, share, seed)
         local new = make(30, factor, 0.4, seed + 100)
         for _, settings in ipairs { { alpha = 0.01, min_samples_leaf = 5 }, { alpha = 2, min_samples_leaf = 8 } } do
            check("share " .. seed, rows, y, factor, settings, 3, new)
         end
      end
   end)

   it("may separate missing values from all others", function()
      local rows, y = {}, {}
      for i = 1, 40 do
         local has_missing = i * 7 % 4 == 0
         rows[i], y[i] = { has_missing and nan or i * 13 % 40, i }, (has_missing and 5 or -5) + 0.1 * i
      end
      local model = ml.LinearTreeRegressor { alpha = 1e-9 }:fit(rows, y)
      assert.matches("^x1 is not missing: .*\nx1 is missing: ", model:text())
      assert.equal("x1 is missing", model:rules().rule[2])
      near_all(y, model:predict(rows), 1e-6)
      local factor = { true, false }
      local mixed = {}
      for i = 1, 40 do mixed[i] = { rows[i][1] == rows[i][1] and "here" or nan, i } end
      local by_level = ml.LinearTreeRegressor { alpha = 1e-9 }:fit(frame_of(mixed, factor), y)
      assert.matches("^c1 is missing: .*\nc1 is not missing: ", by_level:text())
      near_all(y, by_level:predict(frame_of(mixed, factor)), 1e-6)
   end)

   it("replaces a missing value by the mean of the leaf, or of its parent if the leaf has none", function()
      local rows, y = {}, {}
      for i = 1, 40 do
         rows[i] = { i, i > 20 and nan or i % 7 }
         y[i] = (i <= 20 and 3 * (i % 7) + i or 900 - i) + i * i % 5
      end
      local model = ml.LinearTreeRegressor { alpha = 1e-9, max_depth = 1, smoothing = 5 }:fit(rows, y)
      near_all({ 20.5 }, model:nodes().threshold:slice(1, 1), 0)
      near_all({ 10.5, 3.15, 30.5, 3.15 }, model.means:flatten(), 1e-12)
      for leaf, x in ipairs { 4, 33 } do
         near(model:predict({ { x, 3.15 } })[1], model:predict({ { x, nan } })[1], 1e-9, "leaf " .. leaf)
      end
      -- If there were none in fit, a missing value goes with most rows, and counts as the mean of that leaf.
      local X = ml.normal(90, 2, 3)
      for i = 1, 90 do X:set(i, 1, i) end
      local t = {}
      for i = 1, 90 do t[i] = i <= 30 and X:get(i, 2) or 40 - 3 * X:get(i, 2) end
      local whole = ml.LinearTreeRegressor { max_depth = 1 }:fit(X, t)
      assert.is_false(whole:nodes().missing_left[1] == true or whole:nodes().missing_left[1] == 1)
      near(whole:predict({ { whole.means:get(2, 1), 0.5 } })[1], whole:predict({ { nan, 0.5 } })[1], 1e-12)
      local heavy_mean = ml.Vector(t):slice(31, 90):mean()
      near(heavy_mean, whole:predict({ { nan, nan } })[1], 1e-9) -- all missing: the mean of the leaf
   end)

   it("ignores columns without any value, and treats integer weights as repeated rows", function()
      local rows, y = make(40, { false, false }, 0.2, 9)
      local wide, twice, again, w = {}, {}, {}, {}
      for i, row in ipairs(rows) do
         wide[i] = { row[1], nan, row[2] }
         w[i] = i % 3
         for _ = 1, w[i] do
            twice[#twice + 1] = row
            again[#again + 1] = y[i]
         end
      end
      local settings = { unpruned = true, min_samples_leaf = 4, max_depth = 3, max_bins = 100000 }
      local plain = ml.LinearTreeRegressor(settings):fit(rows, y)
      local model = ml.LinearTreeRegressor(settings):fit(wide, y)
      near_all(plain:predict(rows), model:predict(wide), 1e-9)
      for leaf = 1, model.coef.rows do assert.equal(0, model.coef:get(leaf, 2)) end
      near_all(ml.LinearTreeRegressor(settings):fit(twice, again):predict(rows),
         ml.LinearTreeRegressor(settings):fit(rows, y, { weights = w }):predict(rows), 1e-7, "weights", 1)
   end)

   it("does not depend on units or the number of threads, with max_bins", function()
      local rows, y = make(400, { false, false, false }, 0.2, 5)
      local X = ml.Matrix(rows)
      local model = ml.LinearTreeRegressor { max_bins = 16 }:fit(X, y)
      assert(model:score(X, y) > 0.8)
      assert.equal(model:predict(X), ml.LinearTreeRegressor { max_bins = 16 }:fit(X * 1024, y):predict(X * 1024))
      support.same_for_any_threads(function() return ml.LinearTreeRegressor { unpruned = true }:fit(X, y) end)
   end)

   it("refuses missing values if the archive is too old", function()
      local old = ml.load(support.read_file "spec/fixtures/golden/1/LinearTreeRegressor.mn")
      local row = {}
      for j = 1, old.n_features do row[j] = j == 2 and nan or 0 end
      assert.equal(0, old.means.rows)
      refuses("LinearTreeRegressor: X must have no missing values .*got nan in row 1, column 2; fit it again",
         function() old:predict { row } end)
      row[2] = 0
      assert.is_number(old:predict({ row })[1])
   end)
end)

describe("LinearTreeRegressor with factors", function()
   it("equals the reference tree with few levels, and uses only numbers in its leaves", function()
      for seed, share in ipairs { 0, 0.2, { 0, 0.5, 0.1 } } do
         local factor = { false, true, false }
         local rows, y = make(60, factor, share, 20 + seed)
         local new = make(30, factor, 0.3, 120 + seed)
         new[1][2] = "a level unseen"
         local model = check("share " .. seed, rows, y, factor, { alpha = 0.1, min_samples_leaf = 6 }, 3, new)
         for leaf = 1, model.coef.rows do assert.equal(0, model.coef:get(leaf, 2)) end
         assert(model.feature_importances[2] > 0)
      end
   end)

   it("sorts many levels by their mean residual", function()
      local factor = { false, true }
      local rows, y = make(90, factor, 0.1, 41, 14)
      local new = make(40, factor, 0.2, 141, 17)
      check("14 levels", rows, y, factor, { alpha = 0.1, min_samples_leaf = 5, max_bins = 1000 }, 2, new)
   end)

   it("separates levels that differ only in the slope", function()
      local x, town, y = {}, {}, {}
      for i = 1, 200 do
         x[i], town[i] = i % 20 - 9.5, ("abcdef"):sub(i % 6 + 1, i % 6 + 1)
         y[i] = town[i]:find "[ace]" and 2 * x[i] or -x[i]
      end
      local X = ml.Frame { { "x", x }, { "town", ml.Factor(town) } }
      local model = ml.LinearTreeRegressor { alpha = 1e-9 }:fit(X, y)
      local text = model:text()
      assert(text:find("town in {a, c, e}", 1, true) or text:find("town in {b, d, f}", 1, true), text)
      near_all({ -1, 2 }, ml.Vector { math.min(model.coef:get(1, 1), model.coef:get(2, 1)),
         math.max(model.coef:get(1, 1), model.coef:get(2, 1)) }, 1e-6)
      assert.equal(2, model.coef.rows)
   end)

   it("has constant leaves without numeric columns", function()
      local rows, y = make(80, { true, true }, 0.1, 77)
      local X = frame_of(rows, { true, true })
      local settings = { min_samples_leaf = 5, max_depth = 2 }
      local linear = ml.LinearTreeRegressor { unpruned = true, min_samples_leaf = 5, max_depth = 2 }:fit(X, y)
      near_all(linear.intercept, ml.Vector(linear.intercept:totable()), 0)
      for i = 1, linear.coef.rows do assert.same({ 0, 0 }, linear.coef[i]:totable()) end
      local means = ml.DecisionTreeRegressor(settings):fit(X, y)
      assert(linear:score(X, y) >= means:score(X, y) - 1e-12)
   end)

   it("is saved and loaded, with levels as bit sets and as lists", function()
      local level, x, y = {}, {}, {}
      for i = 1, 900 do
         level[i], x[i] = "level " .. i * 7 % 300, i % 13
         y[i] = (i * 7 % 300 % 9 == 0 and 5 or 0) + 0.3 * x[i]
      end
      local X = ml.Frame { { "f", ml.Factor(level) }, { "x", x } }
      local model = ml.LinearTreeRegressor { unpruned = true, max_depth = 4 }:fit(X, y)
      assert(model:score(X, y) > 0.9)
      local loaded = ml.load(model:dump())
      assert.equal(model:predict(X), loaded:predict(X))
      assert.equal(model:dump(), loaded:dump())
   end)
end)
