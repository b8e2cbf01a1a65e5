-- Exported programs are compiled and run, and compared with the models bit by bit.
local estimator = require "manilius.estimator"
local ml = require "manilius"
local programs = require "spec.export.programs"
local support = require "spec.support"
local tools = require "manilius.check.tools"

local directory, cases

local function place_of(labels, label)
   for i, one in ipairs(labels) do
      if one == label and math.type(one) == math.type(label) then return i - 1 end
   end
end

-- The result of the model for one row, in the format of the programs; a cluster is counted from 0, noise is -1.
local function computed(case, action, i)
   local X = case.rows:slice(i, i)
   local ok, made = pcall(case.model[action], case.model, X)
   if not ok then return { "refused" } end
   local values = tools.values(made)
   if action ~= "predict" then return values end
   if estimator.does(case.model) == "cluster" then return { values[1] > 0 and values[1] - 1 or -1 } end
   local classes = estimator.does(case.model) == "classify" and estimator.learned(case.model, "classes")
   if classes then return { place_of(classes, made[1]) } end
   return values
end

local results = {}

-- The same, computed once for all languages.
local function wanted(case, action, i, clusters_from)
   local key = ("%s %s %d"):format(case.name, action, i)
   results[key] = results[key] or computed(case, action, i)
   local cluster = action == "predict" and estimator.does(case.model) == "cluster"
   local label = cluster and results[key][1]
   if label then return { label == -1 and -1 or label + clusters_from } end
   return results[key]
end

local function same(a, b)
   return a == b or (a ~= a and b ~= b)
end

-- Equal, or within a few units in the last place of the largest number of the row, because of cancellation.
local function compare(case, action, i, want, got, exact)
   local what = ("%s %s, row %d"):format(case.name, action, i)
   assert(got, what .. ": nothing")
   if want[1] == "refused" and (got[1] ~= got[1] or got[1] == -1) then return end -- how functions of one number say so
   assert(#want == #got, ("%s: %d values, not %d"):format(what, #got, #want))
   local largest = 0
   for _, value in ipairs(want) do
      if type(value) == "number" and math.abs(value) < math.huge then largest = math.max(largest, math.abs(value)) end
   end
   for k = 1, #want do
      local near = not exact and type(want[k]) == "number" and type(got[k]) == "number"
         and math.abs(want[k] - got[k]) <= (case.tolerance or 16 * 2.2e-16) * largest
      assert(near or same(want[k], got[k]), ("%s, value %d: wanted %s, got %s"):format(what, k, want[k], got[k]))
   end
end

-- C programs use log1p, expm1, erfc and pow of the platform, Lua programs our own; they may differ in rounding.
local own_in_lua = { "local function log1p", "local function expm1", "erfc(", " ^ " }
local of_matrices = { target_log = true } -- whose exp is another than that of one number

local exact_in_lua = {}
local function is_exact_in_lua(case)
   if exact_in_lua[case] == nil then
      local text = case.lua
      exact_in_lua[case] = not of_matrices[case.name]
      for _, one in ipairs(own_in_lua) do
         if text:find(one, 1, true) then exact_in_lua[case] = false end
      end
   end
   return exact_in_lua[case]
end

local function compare_all(found, clusters_from, in_lua)
   local compared = 0
   for _, case in ipairs(cases) do
      for _, action in ipairs(programs.actions) do
         for i = 1, case.rows.rows do
            local got = found[("%s %s %d"):format(case.name, action, i)]
            if got then
               local exact = case.exact and not case.near[action] and (not in_lua or is_exact_in_lua(case))
               compare(case, action, i, wanted(case, action, i, clusters_from), got, exact)
               compared = compared + 1
            end
         end
      end
   end
   assert(compared > 1000, "only " .. compared .. " results")
end

describe("an exported model", function()
   setup(function()
      directory = os.tmpname()
      os.remove(directory)
      assert(os.execute("mkdir " .. directory .. " " .. directory .. "/c"))
      cases = require "spec.export.cases"
   end)

   teardown(function() os.execute("rm -r " .. directory) end)

   it("predicts the same as C99, and keeps its labels", function()
      local found = programs.run_c(directory .. "/c", cases)
      compare_all(found, 0, false)
      for _, case in ipairs(cases) do
         if case.name:find "^labels_" then
            for i, label in ipairs(case.model.classes) do
               local got = found[("%s label %d"):format(case.name, i - 1)]
               local text = math.type(label) == "float" and ("%.17g"):format(label) or tostring(label)
               local hex = text:gsub(".", function(c) return ("%02x"):format(c:byte()) end)
               assert.equal(tonumber(hex) or hex, got[1])
               if math.type(label) == "integer" then assert.equal(label, got[4]) end
               if math.type(label) == "float" then assert.equal(label, got[3]) end
            end
         end
      end
   end)

   it("predicts the same as Lua 5.1, 5.3, 5.4 and LuaJIT", function()
      programs.write_lua(directory, cases)
      for _, interpreter in ipairs { "lua5.1", "lua5.3", "lua5.4", "luajit" } do
         compare_all(programs.run_lua(interpreter, directory), 1, true)
      end
   end)

   it("refuses rows that the model refuses", function()
      local model = ml.Ridge {}:fit({ { 1 }, { 2 }, { 4 } }, { 1, 2, 3 })
      local program = load(model:export_lua())()
      support.refuses("column 1 must be finite", function() program.predict { 0 / 0 } end)
      support.refuses("column 1 must be finite", function() program.predict { math.huge } end)
      support.refuses("value 1 of the row must be a number, got string", function() program.predict { "3" } end)
      support.refuses("a row must be a table, got number", function() program.predict(3) end)
      local encoder = ml.OneHotEncoder {}:fit { { 1 }, { 2 } }
      support.refuses("categories that fit saw", function() load(encoder:export_lua())().transform { 3 } end)
   end)

   it("is written to a path, which returns the model", function()
      local path = os.tmpname()
      local model = ml.Ridge {}:fit({ { 1 }, { 2 } }, { 1, 2 })
      assert.equal(model, model:export_c(path, { name = "ridge" }))
      local file = io.open(path)
      assert.equal(model:export_c { name = "ridge" }, file:read "a")
      file:close()
      os.remove(path)
   end)

   it("is refused with the reason", function()
      local X, y = { { 1 }, { 2 }, { 3 } }, { 1, 2, 4 }
      local square = function(v) return v:mul(v) end
      local target = ml.TransformedTarget { regressor = ml.Ridge {}, func = square, inverse = square }:fit(X, y)
      support.refuses("TransformedTarget cannot be exported: func is a Lua function", function()
         target:export_c()
      end)
      local Mine = ml.Estimator { name = "MineForExport", does = "regress", fit = function(self) return self end,
         predict = function(_, Z) return ml.Vector(#Z, 1) end }
      support.refuses("MineForExport cannot be exported: it is written in Lua", function()
         Mine {}:fit(X, y):export_lua()
      end)
      local bag = ml.BaggingRegressor { Mine {}, n_estimators = 2 }:fit(X, y)
      support.refuses("MineForExport cannot be exported: it is written in Lua", function() bag:export_c() end)
      support.refuses("Pipeline: call fit before export", function() ml.Pipeline { ml.Ridge {} }:export_c() end)
      local passed = ml.ColumnTransformer { { "passthrough", { "a" } } }
      support.refuses("ColumnTransformer cannot be exported: a factor column passes through it unchanged", function()
         passed:fit(ml.Frame { { "a", ml.Factor { "x", "y" } } }):export_lua()
      end)
   end)

   it("has few locals, and grows linearly with the model", function()
      local steps = {}
      for i = 1, 150 do steps[i] = { "step" .. i, ml.StandardScaler {} } end
      local X = ml.Matrix { { 1, 2 }, { 2, 5 }, { 4, 3 } }
      local long = ml.Pipeline(steps):fit(X)
      programs.write(directory .. "/long.lua", long:export_lua())
      assert.equal("3\n", programs.run(('lua5.1 -e \'local m = dofile "%s/long.lua" print(#m.transform { 1, 2 } + 1)\'')
         :format(directory)))
      local function size(n)
         local model = ml.KNeighborsRegressor { n_neighbors = 1 }:fit(ml.normal(n, 4, 1), ml.normal(n, nil, 2))
         return #model:export_lua(), #model:export_c()
      end
      local lua1, c1 = size(10000)
      local lua2, c2 = size(20000)
      assert.is_true(lua2 < 2.05 * lua1 and c2 < 2.05 * c1)
      local function forest(trees)
         local model = ml.RandomForestRegressor { n_estimators = trees }
         model:fit(ml.normal(500, 4, 1), ml.normal(500, nil, 2))
         return #model:export_lua(), #model:export_c()
      end
      lua1, c1 = forest(20)
      lua2, c2 = forest(40)
      assert.is_true(lua2 < 2.1 * lua1 and c2 < 2.1 * c1)
   end)

   it("shares the code of the members of an ensemble, and supports many of them", function()
      local X = ml.normal(400, 4, 1)
      local y = X:col(1):gt(0) + ml.normal(400, nil, 2):gt(0.3)
      local function size(n)
         local model = ml.BaggingClassifier { n_estimators = n }:fit(X, y)
         return #model:export_lua(), #model:export_c()
      end
      local lua1, c1 = size(50)
      local lua2, c2 = size(100)
      assert.is_true(lua2 < 2.1 * lua1 and c2 < 2.1 * c1)
      local forest = ml.RandomForestClassifier { n_estimators = 100, max_features = 4 }:fit(X, y)
      assert.is_true(lua2 < 1.2 * #forest:export_lua() and c2 < 1.3 * #forest:export_c())
      local stumps = ml.AdaBoostClassifier { n_estimators = 300 }:fit(X, y)
      local text = stumps:export_lua()
      assert.equal(1, select(2, text:gsub("DecisionTreeClassifier predict_log_proba", "")))
      programs.write(directory .. "/stumps.lua", text)
      local row = { 0.5, -0.2, 0.1, 1.5 }
      for _, interpreter in ipairs { "lua5.1", "lua5.3", "lua5.4", "luajit" } do
         local said = programs.run(("%s -e 'print(dofile(\"%s/stumps.lua\").predict { %s })'"):format(interpreter,
            directory, table.concat(row, ", ")))
         assert.equal(stumps:predict({ row })[1], tonumber(said))
      end
   end)
end)
