-- Missing values in the text and rules of decision trees, checked by parsing the rules.
local ml = require "manilius"
local nan = 0 / 0

local function rules_of(tree) return tree:rules().rule:totable() end

describe("the text of a tree fitted with missing values", function()
   it("shows on which side of a split they go", function()
      local X = ml.Frame { { "age", { 1, 2, 3, 4, 5, 6, nan, nan } }, { "fare", { 1, 2, 1, 2, 1, 2, 1, 2 } } }
      local young = ml.DecisionTreeRegressor {}:fit(X, { 7, 7, 7, 0, 0, 0, 7, 7 })
      assert.equal("age <= 3.5 or missing: 7  (5)\nage > 3.5: 0  (3)\n", young:text())
      assert.same({ "age <= 3.5 or missing", "age > 3.5" }, rules_of(young))
      local old = ml.DecisionTreeClassifier {}:fit(X, { "a", "a", "a", "b", "b", "b", "b", "b" })
      assert.equal("age <= 3.5: a  (3)\nage > 3.5 or missing: b  (5)\n", old:text())
      assert.same({ "age <= 3.5", "age > 3.5 or missing" }, rules_of(old))
      assert.same({ "age <= 3.5", "", "" }, old:nodes().question:totable())
   end)

   it("mentions them in rules whose bounds on the feature they satisfy", function()
      local X = ml.Frame { { "age", { 1, 2, 3, 4, 5, 6, nan, nan } }, { "fare", { 1, 1, 1, 1, 1, 1, 1, 5 } } }
      local tree = ml.DecisionTreeRegressor {}:fit(X, { 0, 0, 9, 9, 40, 40, 9, 0 })
      assert.equal("age <= 4.5 or missing\n"
         .. "|   age <= 2.5: 0  (2)\n"
         .. "|   age > 2.5 or missing\n"
         .. "|   |   fare <= 3: 9  (3)\n"
         .. "|   |   fare > 3: 0  (1)\n"
         .. "age > 4.5: 40  (2)\n", tree:text())
      assert.same({ "age > 4.5", "age <= 2.5", "(2.5 < age <= 4.5 or missing) and fare <= 3",
         "(2.5 < age <= 4.5 or missing) and fare > 3" }, rules_of(tree))
   end)

   it("omits them where none can occur", function()
      local X = ml.Frame { { "age", { 1, 2, 3, 4, 5, 6, nan, nan } } }
      local tree = ml.DecisionTreeRegressor {}:fit(X, { 0, 0, 9, 40, 40, 40, 40, 40 })
      assert.equal("age <= 3.5\n|   age <= 2.5: 0  (2)\n|   age > 2.5: 9  (1)\nage > 3.5 or missing: 40  (5)\n",
         tree:text())
      assert.same({ "age > 3.5 or missing", "age <= 2.5", "age <= 3.5 and age > 2.5" }, rules_of(tree))
      local weights = { 1, 1, 1, 1, 1, 1, 0, 0 } -- the same rows as without them
      local whole = tree:clone():fit(X, { 0, 0, 9, 40, 40, 40, 40, 40 }, { weights = weights })
      assert.not_matches("missing", whole:text())
      tree:fit({ { 1 }, { 2 } }, { 1, 2 })
      assert.equal("x1 <= 1.5: 1  (1)\nx1 > 1.5: 2  (1)\n", tree:text())
   end)

   it("shows them for factors, too", function()
      local X = ml.Frame { sex = ml.Factor { "m", "m", "f", "f", "f", n = 6 } }
      local tree = ml.DecisionTreeRegressor {}:fit(X, { 1, 1, 5, 5, 5, 1 })
      assert.equal("sex in {m} or missing: 1  (3)\nsex not in {m}: 5  (3)\n", tree:text())
      assert.same({ "sex in {m} or missing", "sex not in {m}" }, rules_of(tree))
      tree:fit(X, { 5, 5, 1, 1, 1, 1 })
      assert.equal("sex in {m}: 5  (2)\nsex not in {m} or missing: 1  (4)\n", tree:text())
      local few = ml.Frame { sex = ml.Factor { "m", "f", n = 6 } }
      local parted = ml.DecisionTreeRegressor {}:fit(few, { 9, 9, 1, 1, 1, 1 })
      assert.equal("sex is not missing: 9  (2)\nsex is missing: 1  (4)\n", parted:text())
      local number = ml.DecisionTreeRegressor {}:fit({ { 1 }, { 2 }, { nan } }, { 9, 9, 1 })
      assert.same({ "x1 is not missing", "x1 is missing" }, rules_of(number))
   end)

   it("states in rules that a value is missing or present if no bound does", function()
      local X = ml.Frame { { "size", { 1, 2, 3, 4, 5, 6, nan, nan } } }
      local cut = ml.DecisionTreeRegressor {}:fit(X, { 0, 0, 0, 9, 9, 9, 12, 12 })
      assert.equal("size <= 3.5: 0  (3)\nsize > 3.5 or missing\n|   size is not missing: 9  (3)\n"
         .. "|   size is missing: 12  (2)\n", cut:text())
      assert.same({ "size <= 3.5", "size > 3.5", "size is missing" }, rules_of(cut))
      local parted = ml.DecisionTreeRegressor {}:fit(X, { 0, 0, 0, 9, 9, 9, 20, 20 })
      assert.matches("^size is not missing\n", parted:text())
      assert.same({ "size is missing", "size <= 3.5", "size > 3.5" }, rules_of(parted))
      local levels = ml.Frame { k = ml.Factor { "a", "a", "b", "b", "c", "c", n = 8 } }
      parted:fit(levels, { 9, 9, 0, 0, 0, 0, 20, 20 })
      assert.matches("^k is missing: 20  %(2%)\nk is not missing\n", parted:text())
      assert.same({ "k is missing", "k in {a}", "k not in {a}" }, rules_of(parted))
   end)

   it("is the same after cloning and saving, and for linear-model trees", function()
      local rows, y = {}, {}
      for i = 1, 60 do rows[i], y[i] = { i % 10 == 0 and nan or i }, i < 30 and i or 90 - 3 * i end
      local tree = ml.LinearTreeRegressor {}:fit(rows, y)
      assert.matches("x1 [<>]=? [%d.]+ or missing", tree:text())
      local again = ml.load(tree:dump())
      assert.equal(tree:text(), again:text())
      assert.equal(tree:dump(), again:dump())
      assert.equal(tree:text(), tree:clone():fit(rows, y):text())
   end)
end)

-- --- parsing the rules ---

local function set_of(words)
   local set = {}
   for level in words:gmatch "[^, ]+" do set[level] = true end
   return set
end

-- Whether the condition holds for the row; nil is a missing value.
local function holds(condition, row)
   local said, missing = condition:gsub("^%((.*)%)$", "%1"):gsub(" or missing$", "")
   local name, negation = said:match "^(%w+) is (n?o?t? ?)missing$"
   if name then return (row[name] == nil) == (negation == "") end
   local low, between, high = said:match "^(%S+) < (%w+) <= (%S+)$"
   if not low then name = said:match "^%w+" end
   local value = row[name or between]
   if value == nil then return missing == 1 end
   if low then return value > tonumber(low) and value <= tonumber(high) end
   local negated, levels = said:match "^%w+( ?n?o?t?) in {(.*)}$"
   if levels then return (set_of(levels)[value] or false) == (negated == "") end
   local sign, cut = said:match "^%w+ ([<>]=?) (%S+)$"
   if sign == "<=" then return value <= tonumber(cut) end
   return value > tonumber(cut)
end

local function keeps(rule, row)
   for condition in (rule .. " and "):gmatch "(.-) and " do
      if condition ~= "always" and not holds(condition, row) then return false end
   end
   return true
end

-- n rows with missing values: two features of small integers, two factors.
local function rows_with_gaps(n, seed)
   local noise, rows = ml.random(n, 10, seed), {}
   for i = 1, n do
      local function there(j) return noise:get(i, j) > 0.25 end
      rows[i] = {
         a = there(1) and math.floor(12 * noise:get(i, 2)) or nil,
         b = there(3) and math.floor(5 * noise:get(i, 4)) or nil,
         c = there(5) and ("uvwxyz"):sub(math.floor(6 * noise:get(i, 6)) + 1):sub(1, 1) or nil,
         d = there(7) and (noise:get(i, 8) > 0.4 and "yes" or "no") or nil,
         y = 4 * noise:get(i, 9) + (noise:get(i, 1) < 0.25 and 2 or 0) + (noise:get(i, 7) < 0.25 and 3 or 0)
            + 3 * noise:get(i, 6) + 4 * noise:get(i, 2),
      }
   end
   return rows
end

local function frame_of(rows)
   local columns = { a = {}, b = {}, c = { n = #rows }, d = { n = #rows }, y = {} }
   for i, row in ipairs(rows) do
      for name, column in pairs(columns) do column[i] = row[name] end
      columns.a[i], columns.b[i] = row.a or nan, row.b or nan
   end
   return ml.Frame { { "a", columns.a }, { "b", columns.b }, { "c", ml.Factor(columns.c) },
      { "d", ml.Factor(columns.d) } }, columns.y
end

describe("the rules of a tree", function()
   local makers = {
      best = function() return ml.DecisionTreeRegressor { min_samples_leaf = 2 } end,
      random = function(seed) return ml.DecisionTreeRegressor { splitter = "random", seed = seed } end,
      classes = function() return ml.DecisionTreeClassifier {} end,
      lines = function() return ml.LinearTreeRegressor { unpruned = true, min_samples_leaf = 3 } end,
   }
   for name, make in pairs(makers) do
      it("match each row exactly once, by the rule of its leaf (" .. name .. ")", function()
         local said = 0
         for seed = 1, 12 do
            local rows = rows_with_gaps(80, seed)
            local X, y = frame_of(rows)
            for i = 1, name == "classes" and #y or 0 do y[i] = y[i] > 8 and "high" or y[i] > 6 and "mid" or "low" end
            local tree = make(seed):fit(X, y)
            local leaf, rules, nodes, number = tree:apply(X), rules_of(tree), tree:nodes(), {}
            for i = 1, nodes.rows do
               if nodes.left[i] ~= nodes.left[i] then number[#number + 1] = i end
            end
            assert.equal(#number, #rules)
            for i, row in ipairs(rows) do
               local kept = {}
               for k, rule in ipairs(rules) do
                  if keeps(rule, row) then kept[#kept + 1] = number[k] end
               end
               assert.same({ leaf[i] }, kept)
            end
            for _, rule in ipairs(rules) do said = said + (rule:find("or missing", 1, true) and 1 or 0) end
         end
         assert(said > 50, said)
      end)
   end
end)
