-- Selectors that fit an estimator: against scikit-learn and boruta_py (fixtures/selection/wrappers.py), formulas, and
-- in compositions.
local ml = require "manilius"
local support = dofile "spec/support.lua"
local want = dofile "spec/fixtures/selection/wrappers.lua"
local decided = dofile "spec/fixtures/selection/boruta_decisions.lua"
local floating = dofile "spec/fixtures/selection/floating.lua"
local stability = dofile "spec/fixtures/selection/stability.lua"

local near_all, refuses = support.near_all, support.refuses

local labels, numbers = ml.Factor(want.labels), ml.Vector(want.numbers)
local X, targets = ml.Matrix(want.X), ml.Matrix(want.targets)
local p = X.cols

local function logistic() return ml.LogisticRegression { tol = 1e-10, max_iter = 10000 } end

local function list(v) return v:totable() end

-- Call a function; returns the text of the last warning, which is not printed.
local function quietly(call)
   local text
   ml.warnings(function(message) text = message end)
   call()
   ml.warnings "on"
   return text
end

local function matches(wanted, model)
   assert.same(wanted.support, list(model.support))
   assert.same(wanted.ranking, list(model.ranking))
end

describe("inverse_transform of a selector", function()
   it("gives factor columns back in a Frame", function()
      local data = ml.Frame { { "a", { 1, 2, 3, 4, 5, 6 } }, { "c", ml.Factor { "x", "y", "x", "y", "x", "y" } },
         { "b", { 3, 1, 2, 5, 4, 6 } } }
      local selector = ml.RFE { ml.DecisionTreeRegressor {}, n_features_to_select = 2 }
         :fit(data, { 10, 200, 11, 201, 12, 202 })
      assert.same({ 1, 2 }, selector.support:totable())
      local back = selector:inverse_transform(selector:transform(data))
      assert.same({ "a", "c", "b" }, back.names)
      assert.same(data.a:totable(), back.a:totable())
      assert.same(data.c:totable(), back.c:totable())
      assert.equal(0, back.b:sum())
      local ok, message = pcall(selector.inverse_transform, selector, data)
      assert.is_false(ok)
      assert.matches("RFE: X must have 2 columns, as transform returns, got 3", message)
   end)
end)

describe("RFE", function()
   it("is that of scikit-learn", function()
      matches(want.rfe, ml.RFE { logistic() }:fit(X, labels))
      matches(want.rfe_steps, ml.RFE { logistic(), n_features_to_select = 2, step = 3 }:fit(X, labels))
      matches(want.rfe_share, ml.RFE { ml.Ridge {}, n_features_to_select = 0.3, step = 0.25 }:fit(X, numbers))
      matches(want.rfe_targets, ml.RFE { ml.LinearRegression {}, n_features_to_select = 3 }:fit(X, targets))
   end)

   it("predicts with the estimator fitted to the selected columns", function()
      local rfe = ml.RFE { logistic(), n_features_to_select = 3 }:fit(X, labels)
      local own = logistic():fit(rfe:transform(X), labels)
      assert.same(tostring(own:predict_proba(X:select(list(rfe.support)))), tostring(rfe:predict_proba(X)))
      assert.equal(own:score(rfe:transform(X), labels), rfe:score(X, labels))
      assert.same(list(own.coef:row(1)), list(rfe.coef:row(1)))
   end)

   it("removes the later of equal columns first", function()
      local equal = function(model) return ml.ones(1, model.n_features):flatten() end
      local rfe = ml.RFE { ml.Ridge {}, n_features_to_select = 6, importance_getter = equal }:fit(X, numbers)
      assert.same({ 1, 1, 1, 1, 1, 1, 2, 3, 4 }, list(rfe.ranking))
   end)

   it("takes importances from forests, fields, parts and functions", function()
      local tree = ml.RFE { ml.DecisionTreeRegressor { max_depth = 3 }, n_features_to_select = 2 }:fit(X, numbers)
      assert.same({ 2, 5 }, list(tree.support))
      local pipe = ml.Pipeline { ml.StandardScaler {}, ml.Ridge {} }
      for _, getter in ipairs { "auto", "coef", "ridge.coef", function(model) return model.ridge.coef end } do
         local rfe = ml.RFE { pipe, n_features_to_select = 3, importance_getter = getter }:fit(X, numbers)
         assert.same({ 2, 5, 9 }, list(rfe.support))
      end
      local by_name = ml.RFE { ml.GaussianNB {}, n_features_to_select = 1, importance_getter = function(model)
         return model.theta:argmax "rows"
      end }
      refuses("RFE: the importances of GaussianNB must be one number for each of 9 columns, got 3", by_name.fit,
         by_name, X, labels)
   end)

   it("refuses what it cannot use", function()
      refuses("RFE: estimator must be an estimator, got nil", ml.RFE, {})
      refuses("RFE: step must be a whole number >= 1 or a fraction", ml.RFE, { ml.Ridge {}, step = 0 })
      local knn = ml.RFE { ml.KNeighborsClassifier {} }
      refuses("RFE: estimator must have coef or feature_importances, got KNeighborsClassifier", knn.fit, knn, X, labels)
      local big = ml.RFE { ml.Ridge {}, n_features_to_select = 10 }
      refuses("RFE: n_features_to_select must be at most the number of columns, 9, got 10", big.fit, big, X, numbers)
   end)

   it("supports factor columns if there is one importance for each column", function()
      local factor = ml.Factor(want.labels)
      local frame = ml.Frame { { "noise", X:col(8):copy() }, { "group", factor }, { "a", X:col(1):copy() } }
      local rfe = ml.RFE { ml.DecisionTreeRegressor {}, n_features_to_select = 1 }:fit(frame, factor:codes())
      assert.same({ "group" }, rfe:output_names())
      assert.same({ "group" }, rfe:transform(frame).names)
   end)
end)

describe("RFECV", function()
   it("is that of scikit-learn", function()
      local model = ml.RFECV { logistic() }:fit(X, labels)
      matches(want.rfecv, model)
      assert.same(want.rfecv.n_features, list(model.scores.n_features))
      near_all(want.rfecv.mean, model.scores.mean, 1e-12, "mean")
      near_all(want.rfecv.fold_2, model.scores.fold_2, 1e-12, "fold 2")
      assert.equal(#model.support, model.n_selected)
   end)

   it("chooses small losses, in steps", function()
      local model = ml.RFECV { ml.LinearRegression {}, cv = 4, step = 2, min_features_to_select = 2, scoring = "mse" }
      model:fit(X, numbers)
      matches(want.rfecv_steps, model)
      for i, mean in ipairs(want.rfecv_steps.mean) do assert.near(-mean, model.scores.mean[i], 1e-9) end
   end)

   it("chooses fewer columns within one standard error", function()
      local one = ml.RFECV { ml.LinearRegression {}, one_standard_error = true }:fit(X, numbers)
      local best = one.scores.mean:argmax()
      local limit = one.scores.mean[best] - one.scores.sd[best] / math.sqrt(5)
      for i = 1, p do
         if one.scores.mean[i] >= limit then
            assert.equal(one.scores.n_features[i], one.n_selected)
            break
         end
      end
   end)

   it("keeps groups together", function()
      local groups = {}
      for i = 1, X.rows do groups[i] = i % 4 end
      local model = ml.RFECV { ml.Ridge {}, cv = ml.GroupKFold { k = 4 } }:fit(X, numbers, { groups = groups })
      assert.equal("fold_4", model.scores.names[#model.scores.names])
   end)
end)

describe("SequentialFeatureSelector", function()
   local function selected(y, given) return list(ml.SequentialFeatureSelector(given):fit(X, y).support) end

   it("is that of scikit-learn", function()
      assert.same(want.forward, selected(numbers, { ml.LinearRegression {}, n_features_to_select = 3 }))
      assert.same(want.backward, selected(numbers, { ml.LinearRegression {}, n_features_to_select = 4,
         direction = "backward" }))
      assert.same(want.forward_auto, selected(labels, { ml.KNeighborsClassifier {} }))
      assert.same(want.backward_auto, selected(numbers, { ml.LinearRegression {}, direction = "backward" }))
      assert.same(want.forward_tol, selected(numbers, { ml.LinearRegression {}, tol = 0.02 }))
      assert.same(want.backward_tol, selected(numbers, { ml.LinearRegression {}, tol = -0.01, direction = "backward" }))
   end)

   -- y = x1 + x2; x3 is the best single column, and useless beside the other two.
   it("floats as mlxtend, forward and backward", function()
      for _, case in ipairs(floating) do
         for _, direction in ipairs { "forward", "backward" } do
            for i, wanted in ipairs(case[direction]) do
               local model = ml.SequentialFeatureSelector { ml.LinearRegression {}, n_features_to_select = i + 2,
                  cv = 4, direction = direction, floating = true }
               assert.same(wanted, list(model:fit(case.X, case.y).support))
            end
         end
      end
   end)

   it("floats back to better sets", function()
      local a, b, e = ml.normal(80, nil, 1), ml.normal(80, nil, 2), ml.normal(80, nil, 3)
      local Z, y = ml.hcat(a:as_column(), b:as_column(), (a + b + e * 0.3):as_column(), e:as_column()), a + b
      local given = { ml.LinearRegression {}, n_features_to_select = 2, scoring = "mse" }
      assert.same({ 3, 4 }, list(ml.SequentialFeatureSelector(given):fit(Z, y).support))
      given.n_features_to_select, given.floating = 3, true
      local model = ml.SequentialFeatureSelector(given):fit(Z, y)
      local best = {}
      for i = 1, #model.history.step do
         local size, score = model.history.n_features[i], model.history.score[i]
         assert.is_true(model.history.action[i] == "add" or not best[size] or score < best[size])
         best[size] = math.min(best[size] or score, score)
      end
      assert.equal(3, #model.support)
   end)

   it("refuses impossible numbers", function()
      local model = ml.SequentialFeatureSelector { ml.Ridge {}, n_features_to_select = 9 }
      refuses("n_features_to_select must be less than the number of columns, 9, got 9", model.fit, model, X, numbers)
      refuses("direction must be forward or backward, got \"backwards\"; did you mean 'backward'",
         ml.SequentialFeatureSelector, { ml.Ridge {}, direction = "backwards" })
      refuses("tol must be >= 0", ml.SequentialFeatureSelector, { ml.Ridge {}, tol = -1 })
   end)
end)

describe("SelectFromModel", function()
   it("is that of scikit-learn", function()
      local models = { logistic = logistic, lasso = function() return ml.Lasso { alpha = 0.1 } end,
         ridge = function() return ml.Ridge {} end }
      for _, case in ipairs(want.from_model) do
         local name, given, columns, threshold = table.unpack(case)
         given[1] = models[name]()
         local model = ml.SelectFromModel(given):fit(X, name == "logistic" and labels or numbers)
         assert.same(columns, list(model.support))
         if threshold > -math.huge then support.near(threshold, model.threshold_value, 1e-4, name) end
      end
   end)

   it("uses a fitted estimator", function()
      local ridge = ml.Ridge {}:fit(X, numbers)
      local model = ml.SelectFromModel { ridge, prefit = true, max_features = 2 }:fit(X)
      assert.same({ 2, 5 }, list(model.support))
      assert.same({ 2, 5 }, list(ml.load(model:dump()).support))
      refuses("with prefit = true the estimator must be fitted, got Ridge", ml.SelectFromModel, { ml.Ridge {},
         prefit = true })
      refuses("threshold must be a number", ml.SelectFromModel, { ml.Ridge {}, threshold = "2*mode" })
   end)

   it("warns when nothing is selected, and transform is an error", function()
      local model = ml.SelectFromModel { ml.Lasso { alpha = 1e6 } }
      local text = quietly(function() model:fit(X, numbers) end)
      assert.matches("no column has an importance >= 1e%-05", text)
      refuses("SelectFromModel: no column was selected", model.transform, model, X)
   end)
end)

describe("StabilitySelection", function()
   local function fitted(given)
      given[1] = given[1] or ml.Lasso { alpha = 0.1 }
      return ml.StabilitySelection(given):fit(X, numbers)
   end

   it("finds the columns with an effect, and its bounds are those of the papers", function()
      local model = fitted { max_features = 4, threshold = 0.9, n_pairs = 25 }
      assert.same({ 2, 5, 9 }, list(model.support))
      local q, pi, B = model.n_selected_mean, 0.9, 25
      assert.near(q * q / p / (2 * pi - 1), model.expected_false_bound, 1e-12)
      assert.near(4 * (1 - pi + 1 / (2 * B)) / (1 + 1 / B) * q * q / p, model.unimodal_bound, 1e-12)
      local half = fitted { max_features = 2, threshold = 0.7, n_pairs = 25 }
      assert.equal(2, half.n_selected_mean)
      assert.near(1 / (2 * (2 * 0.7 - 1 - 1 / 50)) * 4 / p, half.unimodal_bound, 1e-12)
   end)

   -- Both count over random halves, here 500 and there 4,000 (1,500 for labels): 4.5 standard errors of the difference.
   local function same_frequency(wanted, got, halves)
      local v = math.max(wanted * (1 - wanted), 1 / halves)
      assert.near(wanted, got, 4.5 * math.sqrt(v / 500 + v / halves))
   end

   it("selects as often as scikit-learn over halves: the lasso on a path, and its largest coefficients", function()
      local model = ml.StabilitySelection { ml.Lasso { tol = 1e-8 }, param = "alpha", values = stability.alphas,
         n_pairs = 250 }:fit(stability.X, stability.y)
      for j, row in ipairs(stability.path) do
         for v, wanted in ipairs(row) do same_frequency(wanted, model.path[j][v], 4000) end
      end
      assert.near(stability.path_number, model.n_selected_mean, 0.25) -- of single halves it has a deviation of 1.2
      local few = ml.StabilitySelection { ml.Lasso { alpha = stability.alphas[1], tol = 1e-8 }, max_features = 3,
         n_pairs = 250 }:fit(stability.X, stability.y)
      for j, wanted in ipairs(stability.few) do same_frequency(wanted, few.frequencies[j], 4000) end
      assert.equal(stability.few_number, few.n_selected_mean)
   end)

   it("selects as often as scikit-learn over halves of each class", function()
      local model = ml.StabilitySelection { ml.LogisticRegression { penalty = "l1", C = 0.15 }, n_pairs = 250 }
         :fit(stability.W, ml.Factor(stability.label))
      for j, wanted in ipairs(stability.logistic) do same_frequency(wanted, model.frequencies[j], 1500) end
      assert.near(stability.logistic_number, model.n_selected_mean, 0.25)
   end)

   -- q of p columns in each half: the bound is p times the largest probability of a column that is selected with
   -- probability q / p.
   it("bounds falsely selected columns by the largest probability among unimodal distributions", function()
      local noise, y = ml.normal(60, 20, 3), ml.normal(60, nil, 4)
      for _, case in ipairs(stability.unimodal) do
         local model = ml.StabilitySelection { ml.Ridge {}, max_features = math.floor(20 * case.share + 0.5),
            threshold = case.threshold, n_pairs = case.pairs }
         quietly(function() model:fit(noise, y) end)
         assert.near(20 * case.largest, model.unimodal_bound, 1e-9)
      end
   end)

   -- 3 columns with an effect among 30 alike: the others are selected no more often than at random.
   it("selects fewer false columns than its bounds, on average over data sets", function()
      local sum, found, bound, unimodal = 0, 0, 0, 0
      for r = 1, 40 do
         local A = ml.normal(80, 30, r)
         local y = (A:col(1) + A:col(2) + A:col(3)) * 0.7 + ml.normal(80, nil, 100 + r)
         local model = ml.StabilitySelection { ml.Lasso { alpha = 0.01 }, max_features = 6, threshold = 0.6,
            n_pairs = 20, seed = r }
         quietly(function() model:fit(A, y) end)
         for _, j in ipairs(list(model.support)) do
            if j > 3 then sum = sum + 1 / 40 else found = found + 1 / 40 end
         end
         bound, unimodal = model.expected_false_bound, model.unimodal_bound
      end
      assert.is_true(found > 2.8)
      assert.is_true(sum > 0.02 and sum < unimodal and unimodal < bound, ("%g %g %g"):format(sum, unimodal, bound))
   end)

   it("takes the largest frequency over a path", function()
      local model = fitted { param = "alpha", values = { 0.02, 0.1, 0.5 }, n_pairs = 10 }
      for j = 1, p do assert.equal(model.path:row(j):max(), model.frequencies[j]) end
      for v, alpha in ipairs { 0.02, 0.1, 0.5 } do
         local alone = fitted { ml.Lasso { alpha = alpha }, n_pairs = 10 }
         assert.same(list(alone.frequencies), list(model.path:col(v):copy()))
      end
   end)

   it("halves labels within classes", function()
      local y = {}
      for i = 1, X.rows do y[i] = i <= 2 and "rare" or X:get(i, 1) > 0 and "a" or "b" end
      local model = ml.StabilitySelection { ml.LogisticRegression {}, max_features = 1, n_pairs = 5 }:fit(X, y)
      assert.same({ 1 }, list(model.support))
      y[1] = "single"
      refuses('each class must have at least 2 rows, got 1 of class "rare"', model.fit, model, X, y)
   end)
end)

describe("Boruta", function()
   local iris, species = ml.read_csv "examples/data/iris.csv":split "species"
   local noisy = ml.hcat(iris:matrix(), ml.Matrix(want.noise))

   it("confirms the columns that boruta_py confirms", function()
      local model = ml.Boruta { ml.RandomForestClassifier { n_estimators = 30 }, max_iter = 60, seed = 1 }
      quietly(function() model:fit(noisy, species) end)
      assert.same(want.boruta, list(model.support))
      assert.equal("confirmed", model.decisions[3])
      assert.equal("rejected", model.decisions[12])
      assert.equal(1, model.ranking[3])
      assert.is_true(model.ranking[12] >= 3)
   end)

   -- Importances that exceed those of the shadows in the iterations that boruta_py was given: the same decisions after
   -- each iteration, and the same columns left out.
   it("decides as boruta_py on the same hits", function()
      for _, case in ipairs(decided.tests) do
         local columns, y, steps = {}, ml.normal(12, nil, 2), case.steps
         for j = 1, case.columns do columns[j] = { "column_" .. j, ml.normal(12, nil, j) } end
         local A = ml.Frame(columns)
         for last = 1, #steps, #steps > 20 and 3 or 1 do
            local round = 0
            local given = { ml.Ridge {}, max_iter = last, importance_getter = function(model)
               round = round + 1
               local importances = {}
               for k, name in ipairs(model.feature_names) do -- active columns are x1, x2, ...
                  local i = tonumber(name:match "^x(%d+)$")
                  importances[k] = i and steps[round].hit[i] == 1 and 2 or 1
               end
               return importances
            end }
            for name, value in pairs(case.params) do given[name] = value end
            local model = ml.Boruta(given)
            quietly(function() model:fit(A, y) end)
            local letters = {}
            for j = 1, case.columns do letters[j] = model.decisions[j]:sub(1, 1) end
            assert.equal(steps[last].decisions, table.concat(letters))
            local active = last > 1 and steps[last - 1].decisions or ("t"):rep(case.columns)
            for j = 1, case.columns do
               local left_out = model.importance_history[last][j] ~= model.importance_history[last][j]
               assert.equal(active:sub(j, j) == "r", left_out)
            end
            if last == #steps then assert.same(case.hits, list(model.hits)) end
         end
      end
   end)

   -- boruta_py decides the same for three seeds.
   it("decides as boruta_py where the case is clear", function()
      local forest = { n_estimators = 60 }
      local friedman = ml.Boruta { ml.RandomForestRegressor(forest), max_iter = 60 }
      friedman:fit(decided.X, decided.y)
      assert.same(decided.friedman, list(friedman.decisions))
      local wine, class = ml.read_csv "examples/data/wine.csv":split "class"
      local W = ml.hcat(wine:matrix(), wine:matrix():take(ml.Vector(decided.order)))
      local model = ml.Boruta { ml.RandomForestClassifier(forest), max_iter = 60, two_step = false }
      model:fit(W, ml.Factor(class))
      assert.same(decided.wine, list(model.decisions))
   end)

   -- Each column separates two rows, and a tree takes the first one: by chance each column has 1 in 12 of 40 hits.
   it("does not prefer columns for their position", function()
      local model = ml.Boruta { ml.DecisionTreeRegressor {}, max_iter = 40, include_tentative = true, alpha = 1e-12 }
      model:fit(ml.normal(2, 6, 7), { 0, 1 })
      for j = 1, 6 do assert.is_true(model.hits[j] <= 12, tostring(model.hits)) end
   end)

   it("names the rows and columns of X in errors, not those of the shadows", function()
      local model, A = ml.Boruta { ml.Ridge {} }, ml.normal(10, 3, 1)
      A:set(4, 2, 0 / 0)
      refuses("Boruta: Ridge: X must be finite, got nan in row 4, column 2", model.fit, model, A, ml.normal(10, nil, 2))
   end)

   it("appends shuffled factor columns of Frames", function()
      local frame = ml.Frame { { "kind", species }, { "noise", ml.normal(150, nil, 1) } }
      local model = ml.Boruta { ml.DecisionTreeClassifier {}, max_iter = 25 }:fit(frame, species)
      assert.same({ "kind" }, model:output_names())
   end)

   it("keeps undecided columns on request", function()
      local few = { ml.RandomForestClassifier { n_estimators = 5 }, max_iter = 2, include_tentative = true }
      local model = ml.Boruta(few):fit(iris, species) -- two iterations decide nothing
      assert.equal(4, #model.support)
      assert.equal(4, #model.tentative)
   end)
end)

describe("selectors in compositions", function()
   it("are searched, saved and cloned", function()
      local pipe = ml.Pipeline { ml.RFE { logistic() }, ml.GaussianNB {} }
      local search = ml.GridSearch { pipe, { rfe__estimator__C = { 0.01, 1 }, rfe__n_features_to_select = { 1, 4 } },
         cv = 3 }:fit(X, labels)
      local model = ml.load(search.best:dump())
      assert.same(tostring(search.best:predict(X)), tostring(model:predict(X)))
      assert.equal(search.best.rfe.n_features_to_select, model:clone().rfe.n_features_to_select)
   end)

   -- Noise and a coin: choosing columns before the folds are made finds "structure", inside of them it does not.
   it("do not leak: selection inside the folds of noise scores at chance", function()
      local noise, coin = ml.normal(60, 300, 8), {}
      for i = 1, 60 do coin[i] = i % 2 == 0 and "heads" or "tails" end
      for _, selector in ipairs { ml.SelectFromModel { ml.Ridge {}, threshold = -math.huge, max_features = 10 },
         ml.RFE { ml.Ridge {}, n_features_to_select = 10, step = 0.5 } } do
         local y = ml.Factor(coin):codes()
         local before = selector:clone():fit(noise, y):transform(noise)
         local leaked = ml.cross_validate(ml.Ridge {}, before, y).mean.r2
         local honest = ml.cross_validate(ml.Pipeline { selector, ml.Ridge {} }, noise, y).mean.r2
         assert.is_true(leaked > 0.3, "before: " .. leaked)
         assert.is_true(honest < 0.1, "inside: " .. honest)
      end
      local tests = ml.SelectKBest { k = 10 }
      local inside = ml.cross_validate(ml.Pipeline { tests, ml.LogisticRegression {} }, noise, coin).mean.accuracy
      local outside = ml.cross_validate(ml.LogisticRegression {}, tests:fit(noise, coin):transform(noise), coin)
      assert.is_true(inside < 0.65 and outside.mean.accuracy > 0.75)
   end)
end)
