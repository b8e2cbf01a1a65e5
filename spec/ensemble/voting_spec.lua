local ml = require "manilius"
local common = require "spec.ensemble.common"
local fixture = require("spec.fixtures.ensemble.ensembles").voting
local support = require "spec.support"

local few, refuses = common.every_eleventh, support.refuses

local X, y = common.mixed_iris()
local Xd, yd = support.data("diabetes", "progression")

local function classifiers(settings)
   settings.estimators = { { "nb", ml.GaussianNB {} }, { "lda", ml.LinearDiscriminantAnalysis {} },
      { "knn", ml.KNeighborsClassifier { n_neighbors = 7 } } }
   return ml.VotingClassifier(settings)
end

local function regressors(settings)
   settings.estimators = { { "ols", ml.LinearRegression {} }, { "ridge", ml.Ridge { alpha = 2 } },
      { "knn", ml.KNeighborsRegressor { n_neighbors = 7 } } }
   return ml.VotingRegressor(settings)
end

-- The same model as a table with only fit and predict.
local function plain(model, takes)
   return { name = "Plain", takes = takes, clone = function() return plain(model:clone(), takes) end,
      fit = function(self, ...) model:fit(...) return self end,
      predict = function(_, ...) return model:predict(...) end,
      predict_proba = model:can "predict_proba" and function(_, ...) return model:predict_proba(...) end or nil }
end

describe("VotingClassifier", function()
   for name, weights in pairs { plain = false, weighted = { 3, 2, 2 } } do
      it("agrees with scikit-learn, " .. name, function()
         local wanted = fixture[name]
         local hard = classifiers { weights = weights or nil }:fit(X, y)
         local soft = classifiers { weights = weights or nil, voting = "soft" }:fit(X, y)
         assert.same(wanted.hard, hard:predict(few(X)):totable())
         assert.same(wanted.soft, soft:predict(few(X)):totable())
         support.near_rows(wanted.proba, soft:predict_proba(few(X)):totable(), 1e-9, "proba", 1)
         support.near(wanted.score, hard:score(X, y), 1e-12)
      end)
   end

   it("breaks ties by the lowest index, and weights votes", function()
      local function says(label)
         return { name = "Says", fit = function(self) return self end,
            predict = function(_, rows) return ml.Factor { label }:take(ml.Vector(rows.rows, 1)) end }
      end
      local data, labels = ml.Matrix { { 1 }, { 2 }, { 3 } }, { "a", "b", "c" }
      local members = { { "one", says "c" }, { "two", says "b" } }
      local vote = ml.VotingClassifier { estimators = members }:fit(data, labels)
      assert.same({ "b", "b", "b" }, vote:predict(data):totable())
      vote = ml.VotingClassifier { estimators = members, weights = { 2, 1.5 } }:fit(data, labels)
      assert.same({ "c", "c", "c" }, vote:predict(data):totable())
      assert.same({ { 3, 2 }, { 3, 2 }, { 3, 2 } }, vote:transform(data):totable())
   end)

   it("is bit-identical for members in Lua or C and any number of threads", function()
      local core = { ml.LogisticRegression {}, ml.DecisionTreeClassifier { max_depth = 2 }, voting = "soft" }
      local lua = { plain(core[1]), core[2], voting = "soft" }
      local wanted = ml.VotingClassifier(lua):fit(X, y):predict_proba(X)
      assert.equal(wanted, ml.VotingClassifier(core):fit(X, y):predict_proba(X))
      support.same_for_any_threads(function() return ml.VotingClassifier(core):fit(X, y) end)
   end)

   it("treats weights like repeated rows; members must support them", function()
      local w, often = {}, {}
      for i = 1, X.rows do
         w[i] = i % 3
         for _ = 1, w[i] do often[#often + 1] = i end
      end
      local weighed = classifiers { voting = "soft" }:set_params { knn = "drop" }
      local repeated = weighed:clone():fit(X:take(often), y:take(often))
      weighed:fit(X, y, { weights = w })
      support.near_rows(repeated:predict_proba(X):totable(), weighed:predict_proba(X):totable(), 1e-9, "proba", 1)
      refuses("VotingClassifier: member 'mine': Plain does not support weights", function()
         ml.VotingClassifier { { "mine", plain(ml.GaussianNB {}) } }:fit(X, y, { weights = w })
      end)
      ml.VotingClassifier { { "mine", plain(ml.GaussianNB {}, { "weights" }) } }:fit(X, y, { weights = w })
   end)

   it("sets members and nested settings, drops members, and clones unfitted", function()
      local vote = classifiers { voting = "soft" }
      vote:set_params { knn__n_neighbors = 3, weights = { 1, 0, 2 } }
      assert.equal(3, vote:get_params().knn__n_neighbors)
      vote:fit(X, y)
      assert.equal(3, #vote.estimators)
      assert.equal(vote.knn, vote.named_estimators.knn)
      assert.is_true(vote.knn.fitted)
      assert.is_false(vote:clone().fitted)
      assert.is_false(vote:clone().knn.fitted)
      vote = classifiers {}:set_params { nb = "drop" }:fit(X, y)
      assert.equal(2, #vote.estimators)
      refuses("VotingClassifier has no parameter 'kmn'; did you mean 'knn'", function()
         vote:set_params { kmn = "drop" }
      end)
      refuses("VotingClassifier: voting must be hard or soft, got \"sfot\"; did you mean 'soft'", function()
         vote:set_params { voting = "sfot" }
      end)
      assert.equal("hard", vote.voting)
      refuses("at least one member must not be dropped", function()
         vote:set_params { lda = "drop", knn = "drop" }
      end)
   end)

   it("names the member that fails, and is unchanged afterwards", function()
      local vote = ml.VotingClassifier { ml.GaussianNB {}, { "few", ml.KNeighborsClassifier { n_neighbors = 100 } } }
      vote:fit(X, y)
      local before = vote:dump()
      refuses("VotingClassifier: member 'few': KNeighborsClassifier: ", function()
         vote:fit(X:slice(1, 50), y:slice(1, 50))
      end)
      assert.equal(before, vote:dump())
      refuses("VotingClassifier: member 'gaussiannb': GaussianNB: X must have", function()
         vote:predict { { 1, 2 } }
      end)
   end)

   it("refuses invalid settings", function()
      refuses("must have at least one part", function() ml.VotingClassifier {} end)
      refuses("part 1 must be an estimator, { name, estimator } or \"drop\", got \"passthrough\"",
         function() ml.VotingClassifier { "passthrough" } end)
      refuses("all members must have predict; 'standardscaler'", function()
         ml.VotingClassifier { ml.StandardScaler {} }
      end)
      refuses("voting = \"soft\" requires predict_proba; 'nearestcentroid'", function()
         ml.VotingClassifier { ml.NearestCentroid {}, voting = "soft" }
      end)
      refuses("weights must be 1 numbers, one per member", function()
         ml.VotingClassifier { ml.GaussianNB {}, weights = { 1, 2 } }
      end)
      refuses("weights must be numbers >= 0, got %-1 for 'gaussiannb'", function()
         ml.VotingClassifier { ml.GaussianNB {}, weights = { -1 } }
      end)
      refuses("VotingClassifier:fit has no option 'wieghts'; did you mean 'weights'", function()
         classifiers {}:fit(X, y, { wieghts = {} })
      end)
      refuses("member 'mine': predicts \"yew\", which is not a class of y", function()
         local mine = { fit = function(self) return self end, predict = function() return { "yew" } end }
         ml.VotingClassifier { { "mine", mine } }:fit(X, y):predict(X)
      end)
   end)

   it("calls on_iter for each member, and can be cancelled", function()
      local seen = {}
      classifiers {}:fit(X, y, { on_iter = function(state) seen[#seen + 1] = state.done end })
      assert.equal(3, seen[#seen])
      refuses("cancelled by the progress function", function()
         classifiers {}:fit(X, y, { on_iter = function() return "cancel" end })
      end)
   end)

   it("is saved, loaded and printed, and works in pipelines and searches", function()
      local vote = classifiers { voting = "soft", weights = { 1, 2, 3 } }:fit(X, y)
      local again = ml.load(vote:dump())
      assert.equal(vote:predict_proba(X), again:predict_proba(X))
      assert.is_true(vote:dump() == again:dump())
      assert.matches("VotingClassifier, fitted: 4 features, 3 classes\n  nb   GaussianNB", tostring(vote))
      local pipe = ml.Pipeline { ml.StandardScaler {}, vote:clone() }
      local search = ml.GridSearch { pipe, { votingclassifier__knn__n_neighbors = { 3, 7 },
         votingclassifier__voting = { "hard", "soft" } }, cv = 3 }:fit(X, y)
      assert.is_true(search.best_score > 0.94)
      assert.equal(4, #search.results.mean_score)
   end)
end)

describe("VotingRegressor", function()
   for name, weights in pairs { plain = false, weighted = { 3, 2, 2 } } do
      it("agrees with scikit-learn, " .. name, function()
         local mean = regressors { weights = weights or nil }:fit(Xd, yd)
         support.near_all(fixture[name].mean, mean:predict(few(Xd)):totable(), 1e-9, "mean")
      end)
   end

   it("transform returns the predictions of its members, with names for a Frame", function()
      local mean = regressors {}:fit(Xd, yd)
      local Z = mean:transform(Xd)
      assert.same({ "ols", "ridge", "knn" }, Z.names)
      assert.equal(mean.knn:predict(Xd), Z.knn)
   end)

   it("supports several targets", function()
      local Y = ml.hcat(yd, yd * 2)
      local mean = ml.VotingRegressor { ml.Ridge {}, ml.LinearRegression {} }:fit(Xd, Y)
      local P = mean:predict(Xd)
      assert.equal(2, P.cols)
      support.near_all(P:col(2):totable(), (P:col(1) * 2):totable(), 1e-9)
   end)
end)
