local ml = require "manilius"
local support = require "spec.support"
local near, near_all, refuses, data = support.near, support.near_all, support.refuses, support.data
local nan = 0 / 0

-- A reference implementation of ID3: a tree of Lua tables over rows of strings. Ties are broken by the lowest index.
local function entropy(y)
   local count, sum = {}, 0
   for _, label in ipairs(y) do count[label] = (count[label] or 0) + 1 end
   for _, c in pairs(count) do sum = sum - c / #y * math.log(c / #y, 2) end
   return sum, count
end

local function parts_of(x, y, j)
   local parts, n = {}, 0
   for i, row in ipairs(x) do
      local part = parts[row[j]]
      if not part then
         part, n = { x = {}, y = {} }, n + 1
         parts[row[j]] = part
      end
      table.insert(part.x, row)
      table.insert(part.y, y[i])
   end
   return parts, n
end

local function grow(x, y)
   local all, count = entropy(y)
   local node, best = { count = count, n = #y }, nil
   for j = 1, all > 0 and #x[1] or 0 do
      local parts, n = parts_of(x, y, j)
      local gain = all
      for _, part in pairs(parts) do gain = gain - #part.y / #y * entropy(part.y) end
      if n > 1 and (not best or gain > best + 1e-9) then best, node.column, node.parts = gain, j, parts end
   end
   node.children = {}
   for level, part in pairs(node.parts or {}) do node.children[level] = grow(part.x, part.y) end
   return node
end

local function share(node, row, label)
   while node.column and node.children[row[node.column]] do node = node.children[row[node.column]] end
   return (node.count[label] or 0) / node.n
end

local function frame(x)
   local columns = {}
   for j = 1, #x[1] do
      local values = {}
      for i, row in ipairs(x) do values[i] = row[j] end
      columns[j] = { "f" .. j, ml.Factor(values) }
   end
   return ml.Frame(columns)
end

describe("ID3Classifier", function()
   it("names the trees that accept missing values", function()
      local X = ml.Frame { { "sky", ml.Factor { "sun", "rain", nil, "sun", n = 4 } }, { "wind", { 1, 2, 3, 4 } } }
      local who = "ID3Classifier: X must be finite, got nan in row 3, column 1 %('sky'%); "
         .. "impute missing values %(SimpleImputer%), or use C45Classifier and DecisionTreeClassifier, "
         .. "which accept them$"
      refuses(who, function() ml.ID3Classifier {}:fit(X, { "a", "b", "a", "b" }) end)
      for _, name in ipairs { "C45Classifier", "DecisionTreeClassifier" } do
         ml[name] {}:fit(X, { "a", "b", "a", "b" })
      end
   end)

   it("grows Mitchell's tree of PlayTennis, with his gains", function()
      local X, y = data("playtennis", "play")
      local tree = ml.ID3Classifier {}:fit(X, y)
      assert.equal(table.concat({ "outlook = overcast: yes  (4)", "outlook = rainy", "|   wind = strong: no  (2)",
         "|   wind = weak: yes  (3)", "outlook = sunny", "|   humidity = high: no  (3)",
         "|   humidity = normal: yes  (2)", "" }, "\n"), tree:text())
      -- Machine Learning (1997), section 3.4.2
      near_all({ 0.246, 0.029, 0.151, 0.048 }, tree:gains(X, y).gain, 1e-3, "gain", 1)
      local nodes = tree:nodes()
      assert.same({ "", "= overcast", "= rainy", "= sunny" }, nodes.branch:slice(1, 4):totable())
      near_all({ 0, 0.570, 0.970, 0.019 }, tree:gains(X, y, { node = 4 }).gain, 1e-3, "gain of sunny", 1)
      near(0.940, nodes.impurity[1], 1e-3)
      near(tree:gains(X, y).gain[1], nodes.gain[1], 1e-12)
      local rules = tree:rules()
      assert.equal("outlook = sunny and humidity = high", rules.rule[4])
      assert.equal("no", rules.answer[4])
      assert.equal(3, rules.cover[4])
      assert.equal("no", tree:predict({ { outlook = "sunny", temperature = "cool", humidity = "high",
         wind = "strong" } })[1])
   end)

   it("agrees with a reference implementation", function()
      local u = ml.random(300, 6, 7)
      local x, y, other = {}, {}, {}
      for i = 1, 300 do
         local row = {}
         for j = 1, 5 do row[j] = ("abcdefg"):sub(1, j + 2):sub(math.floor(u:get(i, j) * (j + 2)) + 1):sub(1, 1) end
         if i <= 200 then
            x[i] = row
            y[i] = (row[1] == "a" or row[3] == "b") and "yes" or u:get(i, 6) < 0.3 and "maybe" or "no"
         else
            other[i - 200] = row
         end
      end
      local wanted, tree = grow(x, y), ml.ID3Classifier {}:fit(frame(x), y)
      for _, rows in ipairs { x, other } do
         local got = tree:predict_proba(frame(rows))
         for i, row in ipairs(rows) do
            for c, label in ipairs { "maybe", "no", "yes" } do
               near(share(wanted, row, label), got:get(i, c), 1e-12, "row " .. i, 1)
            end
         end
      end
   end)

   it("continues when no single feature has a gain", function()
      local X = frame { { "a", "a" }, { "a", "b" }, { "b", "a" }, { "b", "b" } }
      assert.equal(1, ml.ID3Classifier {}:fit(X, { 0, 1, 1, 0 }):score(X, { 0, 1, 1, 0 }))
      assert.equal(1, ml.ID3Classifier {}:fit({ { 1 }, { 1 } }, { 0, 1 }):nodes().rows) -- rows that are alike
      assert.equal(1, ml.ID3Classifier { max_depth = 0 }:fit(X, { 0, 1, 1, 0 }):nodes().rows)
   end)

   it("predicts a level absent from a node by the node, and an unknown level by all branches", function()
      local X = frame { { "a", "p" }, { "a", "q" }, { "b", "p" }, { "b", "r" }, { "b", "r" }, { "c", "q" } }
      local tree = ml.ID3Classifier {}:fit(X, { 0, 0, 0, 1, 1, 1 })
      assert.equal("f2", tree:nodes().question[1]) -- r: 1, q: one of two, p: 0
      local shares = tree:predict_proba(ml.Frame { { "f1", ml.Factor { "b", "a" } },
         { "f2", ml.Factor { "q", "new" } } })
      near(0.5, shares:get(1, 1), 1e-12) -- among q there is no b
      near(1 / 3 + 1 / 3 * 1, shares:get(2, 1), 1e-12) -- p and q's a
   end)

   it("splits numbers at midpoints", function()
      local X = { { 40 }, { 48 }, { 60 }, { 72 }, { 80 }, { 90 } }
      local tree = ml.ID3Classifier {}:fit(X, { "n", "n", "y", "y", "y", "n" })
      assert.equal(54, tree:nodes().threshold[1]) -- Mitchell, section 3.7.2
      assert.equal(85, tree:nodes().threshold[3])
   end)

   it("supports chains of thousands of nodes, and factors with 60,000 levels", function()
      local rows, labels, level, y = {}, {}, {}, {}
      for i = 1, 3000 do rows[i], labels[i] = { i }, i % 2 end
      local chain = ml.ID3Classifier {}:fit(rows, labels)
      assert.equal(1, chain:score(rows, labels))
      assert(chain:nodes().depth:max() > 1000)
      assert.equal(3000, chain:rules().rows)
      for i = 1, 60000 do level[i], y[i] = "level " .. i, i % 3 end
      local X = ml.Frame { { "f", ml.Factor(level) } }
      local tree = ml.ID3Classifier {}:fit(X, y)
      assert.equal(60001, tree:nodes().rows)
      assert.equal(1, ml.load(tree:dump()):score(X, y))
   end)

   it("does not depend on the number of threads", function()
      local X, y = data("digits", "digit")
      support.same_for_any_threads(function() return ml.ID3Classifier {}:fit(X, y) end)
   end)

   it("refuses missing values and invalid node numbers", function()
      refuses("ID3Classifier.*X", function() ml.ID3Classifier {}:fit({ { nan }, { 1 } }, { 0, 1 }) end)
      local tree = ml.ID3Classifier {}:fit({ { 1 }, { 2 } }, { 0, 1 })
      refuses("ID3Classifier: node must be at most 3, got 4",
         function() tree:gains({ { 1 }, { 2 } }, { 0, 1 }, { node = 4 }) end)
   end)
end)
