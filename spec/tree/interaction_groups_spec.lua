--- interaction_cst as lists of columns, by number and by name: the same trees as with a table of 0 and 1, and the paths
-- that scikit-learn allows (spec/fixtures/boosting/interaction_groups.py).
local bytes = require "spec.conformance.bytes"
local core = require "manilius.core"
local ml = require "manilius"
local support = require "spec.support"
local fixture = require "spec.fixtures.boosting.interaction_groups"

local names = { "age", "income", "rooms", "lat", "wt", "ht" }
local steps = { 2, 3, 5, 7, 11, 13 }
local X, y = {}, {}
for i = 1, 400 do
   local x = {}
   for j = 1, 6 do x[j] = i * math.sqrt(steps[j]) % 1 end
   X[i] = x
   y[i] = x[1] * x[2] + 2 * x[2] * x[3] + x[3] * x[4] + x[5] * x[6] + x[1] * x[6]
end
X = ml.Matrix(X)
local frame, labels = {}, {}
for j, name in ipairs(names) do frame[j] = { name, X:col(j) } end
frame = ml.Frame(frame)
for i = 1, 400 do labels[i] = y[i] > 1.25 and "high" or "low" end

local kinds = {
   DecisionTreeRegressor = {}, DecisionTreeClassifier = {}, RandomForestRegressor = { n_estimators = 4 },
   RandomForestClassifier = { n_estimators = 4 }, ExtraTreesRegressor = { n_estimators = 4 },
   ExtraTreesClassifier = { n_estimators = 4 }, HistGradientBoostingRegressor = { max_iter = 10 },
   HistGradientBoostingClassifier = { max_iter = 10 },
}

local function make(name, groups)
   local settings = { interaction_cst = groups }
   for key, value in pairs(kinds[name]) do settings[key] = value end
   return ml[name](settings)
end

local function fit(name, groups, rows)
   return make(name, groups):fit(rows or X, name:find "Classifier" and labels or y)
end

local function indicator_table(lists)
   local out = {}
   for g, list in ipairs(lists) do
      out[g] = { 0, 0, 0, 0, 0, 0 }
      for _, j in ipairs(list) do out[g][j] = 1 end
   end
   return ml.Matrix(out)
end

local function as_lists(lists)
   local out = {}
   for g, list in ipairs(lists) do out[g] = table.move(list, 1, #list, 1, {}) end
   return out
end

-- The columns of every path from a root to a leaf.
local function paths(model)
   local nodes, found, seen = model:trees().nodes, {}, {}
   local tree, node, left, right, feature = nodes.tree, nodes.node, nodes.left, nodes.right, nodes.feature
   for i = 1, #tree do
      if node[i] == 1 then seen = { [1] = {} } end
      local here = seen[node[i]]
      if left[i] == 0 then
         found[#found + 1] = here
      else
         local below = { [feature[i]] = true }
         for j in pairs(here) do below[j] = true end
         seen[left[i]], seen[right[i]] = below, below
      end
   end
   return found
end

local function is_inside(path, group)
   local has = {}
   for _, j in ipairs(group) do has[j] = true end
   for j in pairs(path) do
      if not has[j] then return false end
   end
   return true
end

describe("interaction_cst", function()
   it("gives the same trees as lists and as a table of 0 and 1", function()
      for name in pairs(kinds) do
         for case, of in pairs(fixture) do
            local expected = fit(name, indicator_table(of.given)):predict(X)
            assert.equal(expected, fit(name, of.given):predict(X), name .. " " .. case)
         end
      end
   end)

   it("accepts column names of a Frame, and mixed kinds of lists", function()
      for name in pairs(kinds) do
         local expected = fit(name, indicator_table { { 1, 2 }, { 3, 4 } }, frame):predict(frame)
         for _, groups in ipairs { { { "age", "income" }, { "lat", "rooms" } }, { { 2, 1 }, { "rooms", "lat" } } } do
            assert.equal(expected, fit(name, groups, frame):predict(frame), name)
         end
      end
   end)

   it("allows on a path what scikit-learn does: columns of one group, with one more group of all others", function()
      for name in pairs(kinds) do
         for case, of in pairs(fixture) do
            local longest = 0
            for _, path in ipairs(paths(fit(name, of.given))) do
               local good, size = false, 0
               for _, group in ipairs(of.groups) do good = good or is_inside(path, group) end
               for _ in pairs(path) do size = size + 1 end
               longest = math.max(longest, size)
               assert(good, name .. " " .. case)
            end
            assert(longest > 1 or case == "alone", name .. " " .. case)
         end
      end
   end)

   it("is returned as it was given, also by a clone, a loaded model and set_params", function()
      for _, groups in ipairs { { { 2, 1 }, { 3 } }, { { "wt", "age" }, { 1, 2 }, { "ht" } }, { { 1 } } } do
         for name in pairs(kinds) do
            local model = fit(name, groups, frame)
            local other = make(name, { { 1, 0, 0, 0, 0, 1 } }):set_params(model:get_params())
            for _, one in ipairs { model, model:clone(), ml.load(model:dump()), other } do
               assert.same(groups, as_lists(one.interaction_cst))
               assert.same(groups, as_lists(one:get_params().interaction_cst))
            end
            assert.equal(model:predict(frame), ml.load(model:dump()):predict(frame))
            assert.is_nil(model:set_params { interaction_cst = ml.unset }.interaction_cst)
            assert.equal(6, model:set_params { interaction_cst = indicator_table { { 1, 2 } } }.interaction_cst.cols)
         end
      end
      local text = tostring(make("DecisionTreeRegressor", { { 2, 1 }, { "wt" } })):gsub("%s+", " ")
      assert.matches('interaction_cst = { { 2, 1 }, { "wt" } }', text, 1, true)
   end)

   it("in a damaged archive is refused or valid", function()
      local body = bytes.body(make("DecisionTreeRegressor", { { 2, 1 }, { "wt", "age" } }):dump())
      for at = 1, #body do
         for _, flip in ipairs { 1, 128 } do
            local damaged = body:sub(1, at - 1) .. string.char(body:byte(at) ~ flip) .. body:sub(at + 1)
            local ok, model = pcall(ml.load, bytes.seal(damaged))
            if ok then
               local again = model:clone():set_params(model:get_params())
               assert.equal(tostring(model), tostring(again))
               pcall(model.fit, model, frame, y)
            end
         end
      end
   end)

   it("is unchanged if memory runs out", function()
      local model = make("DecisionTreeRegressor", { { 2, 1 }, { "wt" } })
      local before = model:dump()
      for n = 0, 1000 do
         core.memory.fail_after(n)
         local ok = pcall(model.set_params, model, { interaction_cst = { { "age" }, { 1, 2, 3 } } })
         core.memory.fail_after(-1)
         if ok then
            assert(n > 2)
            break
         end
         assert.equal(before, model:dump())
      end
      assert.same({ { "age" }, { 1, 2, 3 } }, as_lists(model.interaction_cst))
   end)

   it("explains invalid lists", function()
      local function refuses(name, text, groups, rows)
         support.refuses(name .. ": interaction_cst " .. text:gsub("%p", "%%%0") .. "$", function()
            local model = make(name, groups)
            if rows then model:fit(rows, y) end
         end)
      end
      for _, name in ipairs { "DecisionTreeRegressor", "HistGradientBoostingRegressor" } do
         local form = "must be lists of columns, or a matrix of numbers from 0 to 1 or nil, got "
         refuses(name, form .. "an empty table", {})
         refuses(name, form .. 'string "pairwise"', "pairwise")
         refuses(name, "must be lists of columns, from 1, or a table of 0 and 1, got 0 and 2",
            { { 0, 1 }, { 2, 3 } })
         refuses(name, "must contain columns in each list, got none in list 2", { { 1, 2 }, {} })
         refuses(name, "must contain columns in each list, got none in list 1", { {} })
         refuses(name, "must give the columns of a list all by number or all by name, got both in list 2",
            { { 1 }, { "age", 2 } })
         refuses(name, "must contain columns by number, from 1, or by name, got 1.5 in list 1", { { 1.5, 2 } })
         refuses(name, "must contain columns by number, from 1, or by name, got -1 in list 2", { { 1, 2 }, { -1 } })
         refuses(name, "must contain columns by number, from 1, or by name, got '' in list 1", { { "" } })
         refuses(name, "must contain columns by number, from 1, or by name, got boolean in list 1", { { "age", true } })
         refuses(name, "must be from 0 to 1, got 2 in row 1, column 3", ml.Matrix { { 0, 1, 2 } })
         refuses(name, "must give columns from 1 to 6, got 7 in list 2", { { 1, 2 }, { 3, 7 } }, X)
         refuses(name, "must not repeat a column within a list, got column 2 twice in list 1", { { 2, 3, 2 } }, X)
         refuses(name, "must name columns of X, got 'incme' in list 2; did you mean 'income'?",
            { { "age" }, { "incme", "wt" } }, frame)
         refuses(name, "must give columns by number, or as x1, x2, ..., because X has no column names, "
            .. "got 'age' in list 1",
            { { "age" } }, X)
         refuses(name, "must have 6 columns like X, got 2; lists number columns from 1", { { 0, 1 } }, X)
      end
   end)
end)
