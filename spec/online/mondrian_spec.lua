local ml = require "manilius"
local bytes = require "spec.conformance.bytes"
local support = require "spec.support"

local memory = require "manilius.core".memory
local threads = memory.threads

local CLASSES = { "a", "b", "c" }

-- Rows with classes in bands, some of them random.
local function labeled(n, seed)
   local X, u, y = ml.random(n, 2, seed), ml.random(n, nil, seed + 100), {}
   for i = 1, n do
      local v = u[i] < 0.1 and 3 * u[i] * 10 or 3 * (X:get(i, 1) + X:get(i, 2)) / 2
      y[i] = CLASSES[math.min(3, 1 + v // 1 | 0)]
   end
   return X, y
end

local function measured(n, seed)
   local X, noise, y = ml.random(n, 2, seed), ml.normal(n, nil, seed + 100), {}
   for i = 1, n do y[i] = math.sin(5 * X:get(i, 1)) + X:get(i, 2) + 0.1 * noise[i] end
   return X, y
end

local function rows_of(y, first, last) return table.move(y, first, last, 1, {}) end

local function in_batches(model, X, y, size)
   for first = 1, X.rows, size do
      local last = math.min(X.rows, first + size - 1)
      model:partial_fit(X:slice(first, last), rows_of(y, first, last),
         type(y[1]) == "string" and { classes = CLASSES } or nil)
   end
   return model
end

-- Two samples: the largest difference of their distribution functions, as a fraction of what one in a thousand pairs
-- of samples from one distribution exceeds (Smirnov's limit).
local function difference(a, b)
   local at, largest = {}, 0
   for _, v in ipairs(a) do at[#at + 1] = { v, 1 / #a } end
   for _, v in ipairs(b) do at[#at + 1] = { v, -1 / #b } end
   table.sort(at, function(p, q) return p[1] < q[1] end)
   local sum = 0
   for i, p in ipairs(at) do
      sum = sum + p[2]
      if not at[i + 1] or at[i + 1][1] > p[1] then largest = math.max(largest, math.abs(sum)) end
   end
   return largest / (1.95 * math.sqrt((#a + #b) / (#a * #b)))
end

describe("MondrianForestClassifier", function()
   -- Two rows at 0 and 1: the threshold is uniform, its time exponential; discount 10 for a box of length 1.
   it("gives the probabilities of two rows computed by hand", function()
      local model = ml.MondrianForestClassifier { n_estimators = 40000, seed = 3 }:fit({ { 0 }, { 1 } }, { "a", "b" })
      local near_a, near_b = 0.25 / 10.25, 0.75 / 10.75 -- discounts of a new leaf at 0.25 below each leaf
      assert.near(0.75 * (1 - near_a / 2) + 0.25 * near_b / 2, model:predict_proba { { 0.25 } }[1][1], 0.01)
      -- At 2 it branches off above the root (with mean probability 1/2), otherwise below the leaf at 1.
      assert.near(0.5 * 0.5 + 0.5 * (1 - 0.5 / 11), model:predict_proba { { 2 } }[1][2], 0.01)
      assert.near(1, model:predict_proba { { 0 } }[1][1], 1e-12)
   end)

   it("predicts equal probabilities far from all rows, and confident ones among many", function()
      local X, y = labeled(300, 1)
      local model = ml.MondrianForestClassifier { n_estimators = 50 }:fit(X, y)
      local far = model:predict_proba { { 1e6, -1e6 } }
      for k = 1, 3 do assert.near(1 / 3, far[1][k], 0.15) end
      local inside = model:predict_proba { { 0.1, 0.1 }, { 0.9, 0.9 } }
      assert.is_true(inside[1][1] > 0.7 and inside[2][3] > 0.7) -- a tenth of the rows has a class at random
   end)

   it("splits up to the lifetime, and smooths more with a smaller discount", function()
      local X, y = labeled(300, 1)
      local short = ml.MondrianForestClassifier { n_estimators = 200, lifetime = 1 }:fit(X, y)
      local full = ml.MondrianForestClassifier { n_estimators = 200 }:fit(X, y)
      -- The mean number of cells of a Mondrian process on a box is (1 + lifetime a)(1 + lifetime b).
      local low, high = X:min "cols", X:max "cols"
      local cells = (1 + high[1] - low[1]) * (1 + high[2] - low[2])
      assert.near(cells, short:structure().leaves:mean(), 0.3)
      assert.is_true(full:structure().leaves:mean() > 50)
      local smooth = ml.MondrianForestClassifier { n_estimators = 200, discount = 0.01 }:fit(X, y)
      local Z = ml.random(50, 2, 77)
      assert.is_true(smooth:predict_proba(Z):max "rows":mean() < full:predict_proba(Z):max "rows":mean() - 0.05)
   end)

   it("pauses blocks of one class", function()
      local model = ml.MondrianForestClassifier { n_estimators = 30 }:fit({ { 1 }, { 2 }, { 3 }, { 11 }, { 12 } },
         { "a", "a", "a", "b", "b" })
      assert.is_true(model:structure().leaves:max() <= 4)
      model:partial_fit({ { 2.5 } }, { "b" }) -- ends the pause of the block of a
      assert.is_true(model:structure().leaves:min() >= 3)
      assert.are.equal(6, model.n_rows)
   end)

   it("accepts duplicate rows with different labels", function()
      local model = ml.MondrianForestClassifier { n_estimators = 20 }:fit({ { 1, 1 }, { 1, 1 }, { 1, 1 } },
         { "a", "b", "b" })
      assert.near(2 / 3, model:predict_proba { { 1, 1 } }[1][2], 1e-12)
      model:partial_fit({ { 1, 1 } }, { "a" }):partial_fit({ { 1, 2 } }, { "a" })
      assert.near(1 / 2, model:predict_proba { { 1, 1 } }[1][2], 1e-12)
   end)
end)

describe("MondrianForestRegressor", function()
   -- Two rows again: given the time t of the split all is normal; the mean over t is a sum.
   it("gives mean and standard deviation of two rows computed by hand", function()
      local model = ml.MondrianForestRegressor { n_estimators = 40000, min_samples_split = 2, seed = 3 }
      model:fit({ { 0 }, { 1 } }, { 0, 1 })
      local slope, noise, mean, square, steps = 0.5, 1 / 3, 0, 0, 20000
      for i = 1, steps do
         local t = -math.log((i - 0.5) / steps)
         local s = 2 / (1 + math.exp(-slope * t))
         local function both(m, v, n, w) return (m * w + n * v) / (v + w), v * w / (v + w) end
         local m, v = both(0.5, s - 1, 1, 2 - s + noise) -- the root: from above, and from the other leaf
         m, v = both(m, v + 2 - s, 0, noise)
         mean = mean + m / steps
         square = square + (0.25 * (v + noise) + m * m) / steps
      end
      local given = model:predict_interval { { 0 } }
      assert.near(mean, given.mean[1], 2e-3)
      assert.near(math.sqrt(square - mean * mean), given.std[1], 2e-3)
      assert.near(1 / 3, model.noise, 1e-15)
      assert.are.equal(given.mean[1], model:predict({ { 0 } })[1])
   end)

   it("is uncertain far from the rows, with correct coverage", function()
      local X, y = measured(400, 5)
      local model = ml.MondrianForestRegressor { n_estimators = 50 }:fit(X, y)
      local near, far = model:predict_interval { { 0.5, 0.5 } }, model:predict_interval { { 30, 30 } }
      assert.is_true(far.std[1] > 3 * near.std[1])
      local sd = ml.Vector(y):std()
      assert.is_true(far.std[1] > 0.8 * sd and far.std[1] < 1.5 * sd)
      local Z, z = measured(400, 6)
      local given, inside = model:predict_interval(Z, { level = 0.9 }), 0
      for i = 1, 400 do
         if z[i] >= given.low[i] and z[i] <= given.high[i] then inside = inside + 1 end
      end
      assert.is_true(inside >= 0.85 * 400)
      assert.is_true(model:score(Z, z) > 0.9)
   end)

   it("predicts a constant y with certainty", function()
      local model = ml.MondrianForestRegressor { n_estimators = 10 }:fit(ml.random(30, 2, 1), ml.ones(30, 1):col(1) * 7)
      assert.near(7, model:predict({ { 0.3, 5 } })[1], 1e-12)
      assert.are.equal(0, model:predict_interval({ { 0.3, 5 } }).std[1])
   end)
end)

describe("a Mondrian forest", function()
   it("does not depend on batches or on the number of threads", function()
      for name, make in pairs { MondrianForestClassifier = labeled, MondrianForestRegressor = measured } do
         local X, y = make(150, 2)
         local action = name:find "Class" and "predict_proba" or "predict"
         local Z, given = ml.random(40, 2, 9), {}
         for i, size in ipairs { 1, 7, 150 } do
            threads(i)
            local model = in_batches(ml[name] { n_estimators = 8, seed = 5 }, X, y, size)
            given[i] = model[action](model, Z)
         end
         threads(0)
         assert.are.equal(0, (given[1] - given[2]):abs():max())
         assert.are.equal(0, (given[1] - given[3]):abs():max())
      end
   end)

   -- Trees of fit and trees that learned shuffled rows one by one have the same distribution (theorem of the
   -- paper). Each comparison fails for one seed in a thousand.
   it("has the same distribution whether rows are learned at once or one by one", function()
      for name, make in pairs { MondrianForestClassifier = labeled, MondrianForestRegressor = measured } do
         local X, y = make(40, 7)
         local order = ml.permutation(40, 8):totable()
         local XS, ys = X:take(order), {}
         for i, at in ipairs(order) do ys[i] = y[at] end
         local points = { { 0.5, 0.5 }, { 0.1, 0.8 }, { 1.2, 0.3 } }
         local whole, single = { {}, {}, {}, {}, {} }, { {}, {}, {}, {}, {} }
         local function note(model, lists)
            local p = name:find "Class" and model:predict_proba(points):col(2) or model:predict(points)
            for i = 1, 3 do table.insert(lists[i], p[i]) end
            local structure = model:structure()
            table.insert(lists[4], structure.leaves[1])
            table.insert(lists[5], structure.depth[1])
         end
         for seed = 1, 500 do
            local settings = { n_estimators = 1, seed = seed, min_samples_split = name:find "Reg" and 3 or nil }
            note(ml[name](settings):fit(X, y), whole)
            settings.seed = seed + 10000
            note(in_batches(ml[name](settings), XS, ys, 1), single)
         end
         for i = 1, 5 do
            local d = difference(whole[i], single[i])
            assert.is_true(d < 1, ("%s, measure %d: %.2f of the limit"):format(name, i, d))
         end
         -- The comparison has enough power: another order of y gives another distribution.
         local other = { {}, {}, {}, {}, {} }
         for seed = 1, 500 do note(ml[name] { n_estimators = 1, seed = seed }:fit(XS, y), other) end
         assert.is_true(difference(whole[2], other[2]) > 1)
      end
   end)

   -- Only boxes of more than three rows are stored, and none in the archive: 712 and 913 KB per tree with all of
   -- them in both.
   it("stores boxes of large blocks only, and derives them after loading", function()
      local X, u, labels = ml.normal(2000, 10, 1), ml.random(2000, nil, 5), {}
      for i = 1, 2000 do labels[i] = u[i] < 0.5 and "a" or "b" end
      for name, limits in pairs { MondrianForestClassifier = { 400, 215 }, MondrianForestRegressor = { 480, 295 } } do
         local y = name:find "Class" and labels or u
         local settings = { n_estimators = 10, seed = 3, min_samples_split = name:find "Reg" and 2 or nil }
         local model = ml[name](settings)
         collectgarbage()
         local before = memory.live()
         model:fit(X, y)
         collectgarbage()
         assert.is_true(memory.live() - before < limits[1] * 1000 * 10)
         assert.is_true(#model:dump() < limits[2] * 1000 * 10)
      end
   end)

   it("continues identically after saving and loading", function()
      for name, make in pairs { MondrianForestClassifier = labeled, MondrianForestRegressor = measured } do
         local X, y = make(30, 12)
         X = (X * 6):floor() -- many rows in one leaf, including duplicates
         local settings = { n_estimators = 6, seed = 2, lifetime = 0.5,
            min_samples_split = name:find "Reg" and 6 or nil }
         local model = ml[name](settings):partial_fit(X:slice(1, 1), { y[1] },
            type(y[1]) == "string" and { classes = CLASSES } or nil)
         local loaded = ml.load(model:dump())
         for i = 2, 30 do
            model:partial_fit(X:slice(i, i), { y[i] })
            loaded = ml.load(loaded:partial_fit(X:slice(i, i), { y[i] }):dump())
            local action = name:find "Class" and "predict_proba" or "predict"
            assert.are.equal(0, (model[action](model, X * 1.3) - loaded[action](loaded, X * 1.3)):abs():max())
         end
         assert.are.equal(model:dump(), loaded:dump())
      end
   end)

   it("is not changed in place while another call is using it", function()
      local X, y = measured(60, 3)
      local model = ml.MondrianForestRegressor { n_estimators = 5 }:fit(X, y)
      local copy = ml.load(model:dump())
      local row = 0
      ml.SGDRegressor { max_iter = 5, tol = 0 }:fit(X, y, { on_iter = function()
         row = row + 1
         model:partial_fit({ { row, row } }, { row })
      end })
      assert.is_true(row >= 5)
      for i = 1, row do copy:partial_fit({ { i, i } }, { i }) end
      support.near_all(copy:predict(X), model:predict(X), 0)
   end)

   it("keeps the old model when a row is refused", function()
      local X, y = labeled(60, 3)
      local model = ml.MondrianForestClassifier { n_estimators = 5 }:fit(X, y)
      local before = model:dump()
      support.refuses("y must be one of the 3 classes known to the model, got d", function()
         model:partial_fit({ { 1, 1 } }, { "d" })
      end)
      support.refuses("X must have 2 columns, as in fit, got 1", function() model:partial_fit({ { 1 } }, { "a" }) end)
      support.refuses("X must be below 1e300 in absolute value %(distances must not overflow%), got 1e%+300 in "
         .. "row 2, column 1", function() model:partial_fit({ { 1, 2 }, { 1e300, 0 } }, { "a", "b" }) end)
      assert.are.equal(before, model:dump())
   end)

   -- The root is a leaf, and the two splits are children of each other.
   it("is not loaded if nodes form a cycle detached from the root", function()
      local model = ml.MondrianForestClassifier { n_estimators = 1 }:fit({ { 0 }, { 1 }, { 2 } }, { "a", "b", "a" })
      local records, at = bytes.records(model:dump()), {}
      for i, record in ipairs(records) do at[record.name] = i end
      local function edit(name, format, change)
         local list, where, n = {}, 9, ("<I8"):unpack(records[at[name]].value)
         for i = 0, n - 1 do list[i], where = (format):unpack(records[at[name]].value, where) end
         change(list)
         local value = { ("<I8"):pack(n) }
         for i = 0, n - 1 do value[i + 2] = (format):pack(list[i]) end
         records = bytes.replaced(records, at[name],
            { { kind = records[at[name]].kind, name = name, value = table.concat(value) } })
         return list
      end
      local child = edit("child", "<i4", function() end)
      local split, leaf = 1, 2
      if child[2] < 0 then split, leaf = 2, 1 end
      assert.same({ 1, 2, 3, 4 }, { child[0], child[1], child[2 * split], child[2 * split + 1] })
      edit("root", "<i4", function(root) root[0] = leaf end)
      edit("child", "<i4", function(to)
         to[0], to[1], to[2 * split], to[2 * split + 1] = split, 3, 0, 4
      end)
      edit("parent", "<i4", function(parent) parent[0], parent[3], parent[leaf] = split, 0, -1 end)
      edit("time", "<d", function(time) time[split] = time[0] end)
      support.refuses("the trees are invalid", function() ml.load(bytes.archive(records)) end)
   end)
end)
