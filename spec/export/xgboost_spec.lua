-- Models in XGBoost's JSON format, evaluated by its rules, and by XGBoost itself if it is installed.
local ml = require "manilius"
local above = require "manilius.export.xgboost".above
local support = require "spec.support"

local nan = 0 / 0

local function single(x) return (string.unpack("<f", string.pack("<f", x))) end

-- The JSON value that begins at `at`, and the position after it.
local function value_at(json, at)
   local c = json:sub(at, at)
   if c == '"' then
      local last = at
      repeat last = json:find('"', last + 1, true) until json:sub(last - 1, last - 1) ~= "\\"
      return json:sub(at + 1, last - 1), last + 1
   end
   if c ~= "[" and c ~= "{" then
      local digits = assert(json:match("^[-+%d.E]+", at), "no value")
      return tonumber(digits), at + #digits
   end
   local out = {}
   at = at + 1
   while not json:find("^[%]}]", at) do
      if c == "{" then
         local key
         key, at = value_at(json, at)
         assert(json:sub(at, at) == ":")
         out[key], at = value_at(json, at + 1)
      else
         out[#out + 1], at = value_at(json, at)
      end
      at = json:match("^,?\n?()", at)
   end
   return out, at + 1
end

local function parsed(json)
   local value, last = value_at(json, 1)
   assert.equal("\n", json:sub(last))
   return value
end

-- The value of the leaf that a row reaches.
local function leaf_of(tree, row)
   local at = 1
   while tree.left_children[at] ~= -1 do
      local x, left = row[tree.split_indices[at] + 1], true
      if x ~= x then
         left = tree.default_left[at] == 1
      elseif tree.split_type[at] == 1 then
         for k, node in ipairs(tree.categories_nodes) do
            local first = tree.categories_segments[k]
            for c = first + 1, node == at - 1 and first + tree.categories_sizes[k] or first do
               left = left and tree.categories[c] ~= x
            end
         end
      else
         left = single(x) < single(tree.split_conditions[at])
      end
      local child = (left and tree.left_children or tree.right_children)[at] + 1
      assert(tree.parents[child] == at - 1)
      at = child
   end
   return single(tree.split_conditions[at])
end

-- The raw predictions of a row, the sums of its leaf values.
local function raw_of(file, row)
   local model, out = file.learner.gradient_booster.model, {}
   for t, tree in ipairs(model.trees) do
      local c = model.tree_info[t] + 1
      out[c] = (out[c] or 0) + leaf_of(tree, row)
   end
   return out
end

-- Rows of numbers that float32 represents exactly, some missing, and a factor column.
local function problem(n)
   local u, codes, list, labels, lists = ml.normal(n, 3, 5), {}, {}, {}, {}
   local names = { "ash", "birch", "elm", "fir", "oak" }
   for i = 1, n do
      codes[i] = (i * i + i // 3) % 5
      labels[i] = names[codes[i] + 1]
      list[i] = { codes[i] }
      for j = 1, 3 do list[i][j + 1] = (i + j) % 11 == 0 and nan or math.floor(8 * u:get(i, j)) / 4 end
   end
   for j = 1, 3 do
      lists[j] = {}
      for i = 1, n do lists[j][i] = list[i][j + 1] end
   end
   local X = ml.Frame { { "tree", ml.Factor(labels) }, { "a \"b\"", lists[1] }, { "b", lists[2] }, { "c", lists[3] } }
   local y = {}
   for i = 1, n do
      local a = lists[1][i] == lists[1][i] and lists[1][i] or 1
      y[i] = (codes[i] % 2 == 0 and 2 or 0) + a ^ 2 + (lists[2][i] == lists[2][i] and lists[2][i] or -1)
   end
   return X, y, list
end

local X, y, list = problem(240)
local kinds, counts = {}, {}
for i = 1, #y do
   kinds[i] = y[i] > 3 and "high" or y[i] > 1 and "middle" or "low"
   counts[i] = math.max(0, math.floor(y[i] + 1)) + 0.0
end

local function two(i) return kinds[i] == "high" and "high" or "rest" end

local cases = {
   { ml.HistGradientBoostingRegressor { max_iter = 12 }, y, "reg:squarederror" },
   { ml.HistGradientBoostingRegressor { max_iter = 12, loss = "tweedie", power = 1.3, booster = "dart" }, counts,
      "reg:tweedie" },
   { ml.HistGradientBoostingRegressor { max_iter = 8, loss = "poisson" }, counts, "count:poisson" },
   { ml.HistGradientBoostingClassifier { max_iter = 6 }, kinds, "multi:softprob" },
   { ml.GradientBoostingClassifier { n_estimators = 8, loss = "exponential" }, "two", "binary:logistic" },
   { ml.GradientBoostingRegressor { n_estimators = 8, loss = "huber" }, y, "reg:squarederror" },
   { ml.GradientBoostingRegressor { n_estimators = 8, loss = "tweedie", power = 1.3 }, counts, "reg:tweedie" },
   { ml.HistGradientBoostingRanker { max_iter = 6 }, counts, "rank:ndcg" },
   { ml.GradientBoostingRanker { n_estimators = 6 }, counts, "rank:ndcg" },
}
for _, case in ipairs(cases) do
   if case[2] == "two" then
      case[2] = {}
      for i = 1, #y do case[2][i] = two(i) end
   end
   case[1]:fit(X, case[2])
end

local pairs_of = ml.zeros(#y, 2)
for i = 1, #y do
   pairs_of:set(i, 1, y[i])
   pairs_of:set(i, 2, counts[i] - list[i][1])
end

-- Forests and trees, with the number of outputs of the file.
local forests = {
   { ml.RandomForestRegressor { n_estimators = 9 }, y, 1 },
   { ml.RandomForestClassifier { n_estimators = 7, max_depth = 5 }, "two", 1 },
   { ml.ExtraTreesClassifier { n_estimators = 8, min_samples_leaf = 2 }, kinds, 3 },
   { ml.ExtraTreesRegressor { n_estimators = 5 }, pairs_of, 2 },
   { ml.DecisionTreeClassifier { max_depth = 4 }, kinds, 3 },
   { ml.DecisionTreeClassifier { max_depth = 4, monotonic_cst = { 0, 1, 0, 0 } }, "two", 1 },
   { ml.DecisionTreeRegressor { criterion = "absolute_error" }, y, 1 },
}
for _, case in ipairs(forests) do
   if case[2] == "two" then
      case[2] = {}
      for i = 1, #y do case[2][i] = two(i) end
   end
   case[1]:fit(X, case[2])
end

-- The outputs of a forest: probabilities of all classes (of the second of two), or values.
local function means_of(model, outputs)
   if not model:can "predict_proba" then return model:predict(X) end
   local given = model:predict_proba(X)
   return outputs == 1 and given:col(2):copy() or given
end

local function row_of(values, i)
   if type(values[1]) == "number" then return { values[i] } end
   local out = {}
   for c = 1, values.cols do out[c] = values:get(i, c) end
   return out
end

describe("export_xgboost", function()
   it("writes trees that give the raw predictions by XGBoost's rules", function()
      for _, case in ipairs(cases) do
         local model, objective = case[1], case[3]
         local file = parsed(model:export_xgboost())
         local booster = file.learner.gradient_booster.model
         assert.equal(objective, file.learner.objective.name)
         assert.equal(tostring(#booster.trees), booster.gbtree_model_param.num_trees)
         assert.equal(#booster.trees, booster.iteration_indptr[#booster.iteration_indptr])
         assert.equal(#booster.trees, (model.n_iter + 1) * #model.start)
         local stages, scale = model:staged(X), objective == "binary:logistic" and 2 or 1
         local outputs = #model.start
         local log_link = objective == "count:poisson" or objective == "reg:tweedie"
         for i = 1, #y, 7 do
            local raw = raw_of(file, list[i])
            for c = 1, outputs do
               local wanted = stages:get(i, stages.cols - outputs + c)
               support.near(scale * (log_link and math.log(wanted) or wanted), raw[c], 1e-5, objective, 1)
            end
         end
      end
   end)

   it("writes forests as one round of parallel trees whose sum is the mean", function()
      for _, case in ipairs(forests) do
         local model, outputs = case[1], case[3]
         local learner = parsed(model:export_xgboost()).learner
         local booster, count = learner.gradient_booster.model, model:get_params().n_estimators or 1
         assert.equal("reg:squarederror", learner.objective.name)
         assert.equal(tostring(outputs), learner.learner_model_param.num_target)
         assert.equal("0", learner.learner_model_param.num_class)
         assert.equal(tostring(count), booster.gbtree_model_param.num_parallel_tree)
         assert.same({ 0, count * outputs }, booster.iteration_indptr)
         assert.equal(count * outputs, #booster.trees)
         local given = means_of(model, outputs)
         for i = 1, #y, 7 do
            local raw, wanted = raw_of({ learner = learner }, list[i]), row_of(given, i)
            for c = 1, outputs do support.near(wanted[c], raw[c], 1e-5, tostring(model), 1) end
            assert.equal(outputs, #wanted)
         end
      end
   end)

   it("writes no split without levels that go right, which XGBoost rejects", function()
      local labels, codes, values, apart = { n = 40 }, {}, {}, {}
      for i = 1, 40 do
         codes[i] = i % 4 == 0 and nan or i % 4 - 1
         labels[i] = ({ "ash", "birch", "elm" })[i % 4]
         values[i] = i % 4 == 0 and 5 or -1
         apart[i] = i % 4 == 0 and "missing" or "there"
      end
      local frame = ml.Frame { { "tree", ml.Factor(labels) } }
      for _, model in ipairs {
         ml.HistGradientBoostingRegressor { max_iter = 2, min_samples_leaf = 1 }:fit(frame, values),
         ml.DecisionTreeRegressor {}:fit(frame, values), ml.DecisionTreeClassifier {}:fit(frame, apart) } do
         local booster = parsed(model:export_xgboost()).learner.gradient_booster.model
         local wanted = model:can "predict_proba" and model:predict_proba(frame):col(2) or model:predict(frame)
         local splits = 0
         for _, tree in ipairs(booster.trees) do
            for _, size in ipairs(tree.categories_sizes) do assert.is_true(size > 0) end
            splits = splits + #tree.categories_sizes
         end
         assert.is_true(splits > 0)
         for i = 1, 40 do
            local sum = 0
            for _, tree in ipairs(booster.trees) do sum = sum + leaf_of(tree, { codes[i] }) end
            support.near(wanted[i], sum, 1e-5, tostring(model), 1)
         end
      end
   end)

   it("rounds thresholds so that float32 values go the same way", function()
      for _, x in ipairs { 0.1, -0.1, 1, -1, 0, 1 + 2 ^ -40, -1 - 2 ^ -40, 1e30, -1e30, 5e-324, -5e-324, 3, 1e300 } do
         local cut = above(x)
         assert.equal(cut, single(cut))
         if x < 3e38 then
            assert(cut > x)
            local bits = string.unpack("<i4", string.pack("<f", cut)) -- the single number below the cut
            local before = bits == 0 and -0x1p-149 or bits < 0 and bits + 1 or bits - 1
            before = bits == 0 and before or string.unpack("<f", string.pack("<i4", before))
            assert(before <= x, x)
         end
      end
   end)

   it("refuses leaf values that float32 cannot represent", function()
      local column = ml.range(40)
      local function boosted(scale)
         return ml.GradientBoostingRegressor { n_estimators = 3 }:fit(column:reshape(40, 1), column * scale)
      end
      support.refuses("GradientBoostingRegressor: leaf values up to 2.05e%+61 are too large for XGBoost, which "
         .. "computes in float32; scale y", function() boosted(1e60):export_xgboost() end)
      support.refuses("leaf values up to 2.05e%-49 are too small", function() boosted(1e-50):export_xgboost() end)
      assert.is_string(boosted(1e36):export_xgboost())
      assert.is_string(boosted(0):export_xgboost())
   end)

   it("refuses models that XGBoost does not support, and writes files", function()
      support.refuses("Ridge cannot be exported to XGBoost", function() ml.Ridge {}:export_xgboost() end)
      support.refuses("C45Classifier cannot be exported to XGBoost; supported are GradientBoosting",
         function() ml.C45Classifier {}:export_xgboost() end)
      support.refuses("RandomForestRegressor: call fit before export_xgboost",
         function() ml.RandomForestRegressor {}:export_xgboost() end)
      support.refuses("HistGradientBoostingRegressor: call fit before export_xgboost",
         function() ml.HistGradientBoostingRegressor {}:export_xgboost() end)
      support.refuses("path must be a string, got number", function() cases[1][1]:export_xgboost(7) end)
      local path = os.tmpname()
      assert.equal(cases[1][1], cases[1][1]:export_xgboost(path))
      assert.equal(cases[1][1]:export_xgboost(), support.read_file(path))
      os.remove(path)
   end)

   it("agrees with XGBoost if it is installed", function()
      local python = "build/venv/bin/python"
      local there = io.open(python, "rb")
      if not there then return end
      there:close()
      local rows, paths, arguments = os.tmpname(), {}, {}
      local out = assert(io.open(rows, "wb"))
      for _, row in ipairs(list) do
         local texts = {}
         for j, v in ipairs(row) do texts[j] = v == v and ("%.17g"):format(v) or "" end
         out:write(table.concat(texts, ","), "\n")
      end
      out:close()
      local all = table.move(forests, 1, #forests, #cases + 1, table.move(cases, 1, #cases, 1, {}))
      for k, case in ipairs(all) do
         paths[k] = os.tmpname() .. ".json"
         case[1]:export_xgboost(paths[k])
         arguments[#arguments + 1] = paths[k] .. " " .. rows
      end
      local pipe = io.popen(("%s spec/export/xgboost_predict.py %s"):format(python, table.concat(arguments, " ")))
      local lines = {}
      for line in pipe:lines() do lines[#lines + 1] = line end
      local _, _, code = pipe:close()
      for _, path in ipairs(paths) do os.remove(path) end
      os.remove(rows)
      if code == 3 then return end
      assert.equal(#all * #y, #lines)
      for k, case in ipairs(all) do
         local given = k > #cases and means_of(case[1], case[3]) or case[3]:find "prob" and case[1]:predict_proba(X)
            or case[3]:find "logistic" and case[1]:predict_proba(X):col(2):copy() or case[1]:predict(X)
         for i = 1, #y do
            local wanted, c = row_of(given, i), 0
            for text in lines[(k - 1) * #y + i]:gmatch "[^,]+" do
               c = c + 1
               support.near(wanted[c], tonumber(text), 2e-5, tostring(case[1]), 1)
            end
            assert.equal(#wanted, c)
         end
      end
   end)
end)

describe("trees", function()
   it("of a forest are tables whose mean leaf values are the predictions", function()
      local model = forests[3][1]
      local given, leaves, wanted = model:trees(), model:apply(X), model:predict_proba(X)
      local tree, place = given.nodes:col "tree", {}
      for i = 1, #tree do place[tree[i]] = place[tree[i]] or i - 1 end
      assert.equal(8, #place)
      assert.same({ #tree, 3 }, { given.values.rows, given.values.cols })
      assert.is_nil((table.concat(given.nodes.names, " "):find "value"))
      for i = 1, #y, 13 do
         for c = 1, 3 do
            local sum = 0
            for t = 1, 8 do sum = sum + given.values:get(place[t] + leaves:get(i, t) // 1 | 0, c) end
            support.near(wanted:get(i, c), sum / 8, 1e-12, "row " .. i, 1)
         end
      end
      assert.is_true(given.values:get(1, 1) ~= given.values:get(1, 1)) -- the root has no value
   end)

   it("of boosting are tables whose leaf values sum to the raw predictions", function()
      local model = cases[4][1]
      local given = model:trees()
      local nodes, levels = {}, {}
      for _, name in ipairs(given.nodes.names) do nodes[name] = given.nodes:col(name):totable() end
      for _, name in ipairs(given.levels.names) do levels[name] = given.levels:col(name):totable() end
      local first, goes, outputs = {}, {}, #model.start
      for i, tree in ipairs(nodes.tree) do first[tree] = first[tree] or i end
      for i, tree in ipairs(levels.tree) do
         goes[("%d %d %d"):format(tree, levels.node[i], levels.level[i])] = levels.goes_left[i] == 1
      end
      local decision = model:decision_function(X)
      for i = 1, #y, 29 do
         local raw = model.start:totable()
         for t, root in ipairs(first) do
            local at = root
            while nodes.left[at] > 0 do
               local x, cut = list[i][nodes.feature[at] // 1 | 0], nodes.threshold[at]
               local left = x <= cut
               if cut ~= cut then left = goes[("%d %d %d"):format(t, nodes.node[at], x + 1)] end
               if x ~= x then left = nodes.missing_left[at] == 1 end
               at = root - 1 + ((left and nodes.left or nodes.right)[at] // 1 | 0)
            end
            local c = (t - 1) % outputs + 1
            raw[c] = raw[c] + nodes.value[at]
         end
         for c = 1, outputs do support.near(decision:get(i, c), raw[c], 1e-12, "row " .. i, 1) end
      end
   end)
end)
