--- Names: what is mistyped is answered with the nearest, pairs lists what is there, and nil can be said in a table.
local core = require "manilius.core"
local ml = require "manilius"
local support = require "spec.support"

local refuses = support.refuses_exactly

local function reading(object, name)
   return function() return object[name] end
end

local function writing(object, name, value)
   return function() object[name] = value end
end

local X = ml.Frame { { "width", { 1, 2, 3, 4 } }, { "height", { 2, 1, 4, 3 } } }
local y = ml.Factor { "a", "a", "b", "b" }

local function pipeline()
   return ml.Pipeline { ml.StandardScaler {}, { "classifier", ml.LogisticRegression {} } }
end

local function search()
   return ml.GridSearch { ml.LogisticRegression {}, { C = { 1, 2 } }, cv = 2 }
end

describe("a mistyped name", function()
   it("of the module or of a function in it", function()
      refuses("manilius has no 'Rigde'; did you mean 'Ridge'?", reading(ml, "Rigde"))
      refuses("manilius has no 'XGBClassifier'; did you mean 'HistGradientBoostingClassifier'?",
         reading(ml, "XGBClassifier")) -- not SGDClassifier, which is spelled alike
      refuses("manilius has no 'cross_valdate'; did you mean 'cross_validate'?", reading(ml, "cross_valdate"))
      refuses("metrics has no 'acuracy'; did you mean 'accuracy'?", reading(ml.metrics, "acuracy"))
      refuses("special has no 'gama'; did you mean 'gamma'?", reading(ml.special, "gama"))
      refuses("Frame has no function 'form'; did you mean 'from'?", reading(ml.Frame, "form"))
   end)

   it("of a parameter", function()
      refuses("Ridge has no parameter 'aplha'; did you mean 'alpha'?", ml.Ridge, { aplha = 1 })
      refuses("Ridge has no parameter 'zzz'; its parameters are alpha, fit_intercept", ml.Ridge, { zzz = 1 })
      refuses("KFold has no parameter 'seeds'; did you mean 'seed'?", ml.KFold, { seeds = 1 })
      refuses("KFold has no parameter 'parts'; there are k, seed, shuffle", ml.KFold, { parts = 1 })
      refuses("GridSearch has no parameter 'scorng'; did you mean 'scoring'?", ml.GridSearch,
         { ml.Ridge {}, { alpha = { 1 } }, scorng = "r2" })
      refuses("Pipeline has no parameter 'clasifier'; did you mean 'classifier'?",
         function() pipeline():set_params { clasifier__C = 1 } end)
      refuses("LogisticRegression has no parameter 'c_'; its parameters are C, penalty, l1_ratio, fit_intercept, "
         .. "solver, max_iter, tol, std_errors",
         function() pipeline():set_params { classifier__c_ = 1 } end)
      refuses("FeatureUnion has no parameter 'prefx'; did you mean 'prefix'?", ml.FeatureUnion,
         { ml.StandardScaler {}, prefx = true })
   end)

   it("of a score, wherever it is named", function()
      refuses("cross_validate: there is no score 'acuracy'; did you mean 'accuracy'?", ml.cross_validate,
         ml.LogisticRegression {}, X, y, { cv = 2, scoring = { "acuracy" } })
      refuses("GridSearch: there is no score 'acuracy'; did you mean 'accuracy'?", ml.GridSearch,
         { ml.LogisticRegression {}, { C = { 1 } }, scoring = "acuracy" })
      refuses("LogisticRegression:score: there is no score 'f_1'; did you mean 'f1'?",
         function() ml.LogisticRegression {}:fit(X, y):score(X, y, { scoring = "f_1" }) end)
   end)

   it("of which the name is the beginning, or that begins the name", function()
      refuses("metrics has no 'confusion'; did you mean 'confusion_matrix'?", reading(ml.metrics, "confusion"))
      refuses("train_test_split has no option 'test_size'; did you mean 'test'?", ml.train_test_split, X, y,
         { test_size = 0.2 })
   end)

   it("or options that are no table", function()
      refuses('LogisticRegression:score: options must be a table, as { scoring = "accuracy" }, got "f1"', function()
         ml.LogisticRegression {}:fit(X, y):score(X, y, "f1")
      end)
      refuses("GridSearch: parameters must be a table, got Ridge; write GridSearch { ... }", ml.GridSearch, ml.Ridge {})
   end)

   it("of a field of a model, a pipeline, a search, a splitter", function()
      refuses("Ridge has no 'intercpt'; did you mean 'intercept'?", reading(ml.Ridge {}, "intercpt"))
      refuses("Pipeline has no 'clasifier'; did you mean 'classifier'?", reading(pipeline(), "clasifier"))
      refuses("GridSearch has no 'bset'; did you mean 'best'?", reading(search(), "bset"))
      refuses("GridSearch: 'best' is learned by fit; call fit first", reading(search(), "best"))
      refuses("KFold has no 'n_splits'; did you mean 'k'?", reading(ml.KFold {}, "n_splits"))
      refuses("ColumnTransformer has no 'colums'", reading(ml.ColumnTransformer { { ml.StandardScaler {}, "width" } },
         "colums"))
      assert.is_nil(pipeline()[3])
      assert.is_nil(search().scoring)
   end)

   it("or form of a call", function()
      refuses("Pipeline: call fit with a colon, as in model:fit(X)", function() pipeline().fit(X, y) end)
      refuses("Pipeline: parameters must be a table, got Ridge; write Pipeline { ... }", ml.Pipeline, ml.Ridge {})
      refuses("KFold: parameters must be given by name, as in k = 5", ml.KFold, { 5 })
      refuses('Pipeline: part 1 must be an estimator, { name, estimator } or "passthrough", got function; call the '
         .. "constructor, as in Ridge {}", ml.Pipeline, { ml.Ridge })
      refuses("ColumnTransformer has no parameter 'remaindr'; did you mean 'remainder'?", ml.ColumnTransformer,
         { { ml.StandardScaler {}, "width" }, remaindr = "drop" })
      refuses("TransformedTarget: func must be log, log1p, sqrt or a function, got 'lgo'; did you mean 'log'?",
         ml.TransformedTarget, { regressor = ml.Ridge {}, func = "lgo" })
      refuses("cross_val_predict: LogisticRegression has no predict_prob; did you mean 'predict_proba'?",
         ml.cross_val_predict, ml.LogisticRegression {}, X, y, { cv = 2, method = "predict_prob" })
   end)

   it("of a result", function()
      local cv = ml.cross_validate(ml.LogisticRegression {}, X, y, { cv = 2 })
      refuses("the result of cross_validate has no 'men'; did you mean 'mean'?", reading(cv, "men"))
      refuses("there is no score 'acuracy'; did you mean 'accuracy'?", reading(cv.mean, "acuracy"))
      assert.is_nil(cv.models)
      refuses("there is no setting 'c'; did you mean 'C'?", reading(search():fit(X, y).best_params, "c"))
   end)

   it("of a column, a method, an option", function()
      refuses("Frame has no column or method 'widht'; did you mean 'width'?", reading(X, "widht"))
      refuses("Matrix has no 'flaten'; did you mean 'flatten'?", reading(ml.eye(2), "flaten"))
      refuses("read_csv has no option 'delimeter'; did you mean 'delimiter'?", ml.read_csv, "x.csv",
         { delimeter = ";" })
      refuses("train_test_split has no option 'tset'; did you mean 'test'?", ml.train_test_split, X, y, { tset = 1 })
   end)
end)

describe("assigning", function()
   it("what an object of ours does not have is refused, with the nearest", function()
      refuses("Ridge: 'alpha' cannot be assigned; use set_params{ ... }", writing(ml.Ridge {}, "alpha", 2))
      refuses("Pipeline has no 'clasifier'; did you mean 'classifier'?", writing(pipeline(), "clasifier", 1))
      refuses("GridSearch has no 'scorng'; did you mean 'scoring'?", writing(search(), "scorng", "r2"))
      refuses("GridSearch: 'best' cannot be assigned", writing(search(), "best", 1))
      refuses("KFold has no 'sed'; did you mean 'seed'?", writing(ml.KFold {}, "sed", 1))
      refuses("Matrix: 'foo' cannot be set", writing(ml.eye(2), "foo", 1))
   end)

   it("a setting of a search or splitter checks it as set_params does", function()
      local one = search()
      one.scoring = "accuracy"
      assert.equal("accuracy", one.scoring)
      refuses("GridSearch: there is no score 'acuracy'; did you mean 'accuracy'?",
         writing(search(), "scoring", "acuracy"))
      refuses("KFold: seed must be a whole number >= 0, got -1", writing(ml.KFold {}, "seed", -1))
   end)

   it("is free in a class of one's own, and in the module", function()
      local Own = ml.Estimator { name = "SpecFree", does = "regress", fit = function(self)
         self.kept = 1
         return self
      end, predict = function(_, data) return ml.Vector(#data) end }
      local model = Own {}
      model.note = "mine"
      assert.equal("mine", model.note)
      assert.is_nil(model.nothing)
      assert.equal(1, model:fit({ { 1 } }, { 1 }).kept)
      ml.spec_own_name = 1
      assert.equal(1, ml.spec_own_name)
      ml.spec_own_name = nil
   end)
end)

describe("pairs", function()
   local function names_of(object)
      local list, seen = {}, {}
      for name, value in pairs(object) do
         assert.is_not_nil(value)
         list[#list + 1] = name
         seen[name] = true
      end
      return list, seen
   end

   it("lists the module in order, names that are not loaded yet as well", function()
      local list, seen = names_of(ml)
      local sorted = table.move(list, 1, #list, 1, {})
      table.sort(sorted)
      assert.same(sorted, list)
      for _, name in ipairs { "Ridge", "Pipeline", "read_csv", "metrics", "find", "unset" } do
         assert.is_true(seen[name], name)
      end
      for name, value in pairs(ml) do assert.is_true(rawequal(value, ml[name])) end
   end)

   it("lists settings, what was learned, then methods", function()
      local list, seen = names_of(ml.Ridge {}:fit(X, { 1, 2, 3, 4 }))
      for _, name in ipairs { "alpha", "coef", "fitted", "predict", "save", "score" } do assert.is_true(seen[name]) end
      assert.is_nil(seen.predict_proba)
      assert.is_true(#list > 15)
      assert.is_nil(select(2, names_of(ml.Ridge {})).coef)
      seen = select(2, names_of(pipeline():fit(X, y)))
      for _, name in ipairs { "standardscaler", "classifier", "steps", "predict_proba", "classes" } do
         assert.is_true(seen[name], name)
      end
      assert.is_nil(seen.models)
      seen = select(2, names_of(search():fit(X, y)))
      for _, name in ipairs { "best", "best_params", "results", "cv", "predict" } do
         assert.is_true(seen[name], name)
      end
      assert.same({ "class", "k", "shuffle", "split" }, (names_of(ml.KFold {})))
      assert.same({ "width", "height" }, (names_of(X)))
   end)
end)

describe("unset", function()
   it("stands for nil in constructors and set_params", function()
      assert.is_nil(ml.RidgeCV { alphas = ml.unset }.alphas)
      local model = ml.RidgeCV { alphas = { 1, 2 } }
      assert.is_nil(model:set_params { alphas = ml.unset }.alphas)
      assert.is_nil(ml.LogisticRegression { class_weight = "balanced" }:set_params { class_weight = ml.unset }
         .class_weight)
      assert.is_nil(ml.KFold { seed = ml.unset }.seed)
      local one = search():set_params { scoring = "accuracy" }
      assert.is_nil(one:set_params { scoring = ml.unset }.scoring)
      assert.is_nil(ml.Pipeline { ml.RidgeCV { alphas = { 1 } } }:set_params { ridgecv__alphas = ml.unset }
         :get_params().ridgecv__alphas)
   end)

   it("is refused where a setting cannot be nil", function()
      local ok, message = pcall(ml.Ridge, { alpha = ml.unset })
      assert.is_false(ok)
      assert.matches("Ridge: alpha must be a number >= 0, got nil", message)
   end)

   it("is a candidate of a search, shown as nil, kept by archives", function()
      local data, answers = ml.normal(30, 3, 1), ml.normal(30, nil, 2)
      local one = ml.GridSearch { ml.PCA {}, { n_components = { 1, ml.unset } }, cv = 2,
         scoring = function() return 1 end }
      local found = ml.GridSearch { ml.Pipeline { ml.PCA {}, ml.LinearRegression {} },
         { pca__n_components = { ml.unset, 1 } }, cv = 2, scoring = "r2" }:fit(data, answers)
      assert.equal("nil", found.results:col("pca__n_components")[1])
      assert.matches("grid   { n_components = { 1, nil } }", tostring(one))
      local again = ml.load(ml.dump { value = ml.unset, found = found })
      assert.is_true(rawequal(ml.unset, again.value))
      assert.equal("nil", again.found.results:col("pca__n_components")[1])
      assert.equal(ml.dump(found), ml.dump(again.found))
   end)
end)

describe("where the host took io away", function()
   it("no file is opened, and texts are taken", function()
      local path = os.tmpname()
      ml.parse_csv "a,b\n1,2\n":write_csv(path)
      local frame, model, data = ml.parse_csv "a\n1\n", ml.Ridge {}, ml.Sparse.from { { 0, 1 } }
      local calls = {
         read_csv = function() ml.read_csv(path) end,
         read_tsv = function() ml.read_tsv(path) end,
         csv_chunks = function() ml.csv_chunks(path) end,
         read_jsonl = function() ml.read_jsonl(path) end,
         read_npy = function() ml.read_npy(path) end,
         read_npz = function() ml.read_npz(path) end,
         read_svmlight = function() ml.read_svmlight(path) end,
         write_csv = function() frame:write_csv(path) end,
         write_npy = function() ml.write_npy(path, { { 1 } }) end,
         write_svmlight = function() ml.write_svmlight(path, data, { 1 }) end,
         save = function() model:save(path) end,
         load = function() ml.load(path) end,
         ["save "] = function() core.write_bytes(path, "x") end,
      }
      local kept, results = io, {}
      for _, instead in ipairs { false, {} } do
         for name, call in pairs(calls) do
            _G.io = instead or nil
            local ok, message = pcall(call)
            _G.io = kept
            results[#results + 1] = { name:gsub(" ", ""), ok, message }
         end
      end
      for _, result in ipairs(results) do
         assert.is_false(result[2], result[1])
      end
      _G.io = nil
      local text, bytes, parsed = frame:to_csv(), model:dump(), ml.parse_csv "a\n1\n"
      local loaded = ml.load(bytes)
      _G.io = kept
      assert.equal("a\n1\n", text)
      assert.equal(frame, parsed)
      assert.equal(1, loaded.alpha)
      assert.equal("a,b\n1,2\n", ml.read_csv(path):to_csv())
      os.remove(path)
      for _, result in ipairs(results) do assert.matches(result[1] .. " needs the io library", result[3]) end
   end)
end)

describe("a name of another library", function()
   it("of a parameter or option", function()
      refuses("RandomForestClassifier has no parameter 'random_state'; did you mean 'seed'?", ml.RandomForestClassifier,
         { random_state = 1 })
      refuses("KFold has no parameter 'n_splits'; did you mean 'k'?", ml.KFold, { n_splits = 5 })
      refuses("ShuffleSplit has no parameter 'test_size'; did you mean 'test'?", ml.ShuffleSplit, { test_size = 0.2 })
      refuses("train_test_split has no option 'test_size'; did you mean 'test'?", ml.train_test_split, X, y,
         { test_size = 0.2 })
      refuses("cross_validate has no option 'n_splits'; did you mean 'cv'?", ml.cross_validate, ml.Ridge {}, X, y,
         { n_splits = 2 })
      refuses("HistGradientBoostingRegressor has no parameter 'reg_lambda'; did you mean 'l2_regularization'?",
         ml.HistGradientBoostingRegressor, { reg_lambda = 1 })
      refuses("metrics.f1: there is no option 'pos_label'; did you mean 'positive'?", ml.metrics.f1, y, y,
         { pos_label = "a" })
      refuses("HistGradientBoostingRegressor has no parameter 'gamma'; did you mean 'min_split_gain'?",
         ml.HistGradientBoostingRegressor, { gamma = 1 })
      refuses("ShuffleSplit has no parameter 'n_splits'; did you mean 'n'?", ml.ShuffleSplit, { n_splits = 5 })
      refuses("RandomSearch has no parameter 'n_iter'; did you mean 'n'?", ml.RandomSearch,
         { ml.Ridge {}, { alpha = { 1 } }, n_iter = 3 })
      refuses("LassoCV has no parameter 'folds'; did you mean 'cv'?", ml.LassoCV, { folds = 3 })
      refuses("cross_validate has no option 'metric'; did you mean 'scoring'?", ml.cross_validate, ml.Ridge {}, X, y,
         { metric = "r2" })
      local ols = ml.LinearRegression {}:fit({ { 1 }, { 2 }, { 3 } }, { 1, 2, 4 })
      refuses("LinearRegression:summary has no parameter 'cov_type'; did you mean 'covariance'?", ols.summary, ols,
         { { 1 }, { 2 }, { 3 } }, { 1, 2, 4 }, { cov_type = "HC3" })
      refuses("manilius has no 't_test'; did you mean 'test.t'?", reading(ml, "t_test"))
      refuses("manilius has no 'prcomp'; did you mean 'PCA'?", reading(ml, "prcomp"))
      refuses("read_csv has no option 'sep'; did you mean 'delimiter'?", ml.read_csv, "x.csv", { sep = ";" })
      refuses("metrics has no 'r2_score'; did you mean 'r2'?", reading(ml.metrics, "r2_score"))
   end)

   it("of a setting without counterpart", function()
      refuses("Ridge has no parameter 'random_state'; it uses no random numbers, so it needs no seed", ml.Ridge,
         { random_state = 1 })
      refuses("GridSearch has no parameter 'n_folds'; did you mean 'cv'?", ml.GridSearch,
         { ml.Ridge {}, { alpha = { 1 } }, n_folds = 3 })
      for name, note in pairs { n_folds = "folds are made by ml.KFold", cv = "ml.cross_validate and the searches have",
         test_size = "ml.train_test_split has", scoring = "ml.cross_validate and the searches have the option scoring",
         pos_label = "metrics and scorers have" } do
         local ok, message = pcall(ml.Ridge, { [name] = 1 })
         assert(not ok and message:find(("Ridge has no parameter '%s'; %s"):format(name, note), 1, true), message)
      end
      refuses("RandomForestClassifier has no parameter 'n_splits'; folds are made by ml.KFold { k = 5 } and by the "
         .. "option cv of ml.cross_validate and the searches", ml.RandomForestClassifier, { n_splits = 5 })
      refuses("KMeans has no parameter 'n_jobs'; ml.threads(n) sets the number of threads for all models", ml.KMeans,
         { n_jobs = 1 })
   end)

   it("of an estimator under another name", function()
      refuses("manilius has no 'LarsCV'; did you mean 'Lars'?", reading(ml, "LarsCV"))
      refuses("manilius has no 'LabelEncoder'; did you mean 'Factor'?", reading(ml, "LabelEncoder"))
   end)

   it("of a metric, a plot or a data set", function()
      refuses("manilius has no 'adjusted_rand_score'; did you mean 'metrics.ari'?", reading(ml, "adjusted_rand_score"))
      refuses("manilius has no 'jaccard_score'; did you mean 'metrics.jaccard'?", reading(ml, "jaccard_score"))
      refuses("manilius has no 'roc_curve'; did you mean 'metrics.roc_curve'?", reading(ml, "roc_curve"))
      refuses("manilius has no 'RocCurveDisplay'; did you mean 'plot.roc'?", reading(ml, "RocCurveDisplay"))
      refuses("manilius has no 'make_blobs'; sample data sets are not part of manilius; use 'read_csv', 'normal' or "
         .. "'random'", reading(ml, "make_blobs"))
   end)

   it("of an estimator that does not exist", function()
      refuses("manilius has no 'Prophet'; additive forecasting models with holidays are not part of manilius; use "
         .. "'StructuralTimeSeries' or 'ARIMA'", reading(ml, "Prophet"))
      refuses("manilius has no 'MLPClassifier'; neural networks are not part of manilius; use "
         .. "'HistGradientBoostingClassifier', 'RandomForestClassifier' or 'LogisticRegression'",
         reading(ml, "MLPClassifier"))
      refuses("help: unknown name 'LatentDirichletAllocation'; matrix factorizations other than PCA, TruncatedSVD and "
         .. "NMF are not part of manilius; use 'PCA', 'TruncatedSVD', 'NMF' or 'FactorAnalysis'", ml.help,
         "LatentDirichletAllocation")
      refuses("help: unknown name 'random_state'; here it is 'seed': ml.find \"seed\"", ml.help, "random_state")
   end)

   it("stands in the lists only if it is not a name of this library", function()
      for name in pairs(ml) do assert.is_nil(require "manilius.help.absent".hint(name), name) end
   end)
end)
