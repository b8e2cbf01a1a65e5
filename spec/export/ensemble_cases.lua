-- Ensembles written in Lua to export: of trees, of linear models, of pipelines over a Frame, and nested. The logarithms
-- of a Matrix and of a single number may differ in rounding, so results that depend on them are only nearly equal.
local ml = require "manilius"
local core = require "manilius.core"

local nan = 0 / 0
local towns = { "Oslo", "Rome", "Lima", "Bern" }

local logs = { predict_log_proba = true }
local softmax = { predict_log_proba = true, predict_proba = true, transform = true }
local everything = { predict_log_proba = true, predict_proba = true, decision_function = true, predict = true }

--- Rows `first` to `last` of an unlimited table with some missing values.
local function frame(first, last)
   local age, town, pay = {}, {}, {}
   local n = last - first + 1
   for i = first, last do
      age[#age + 1] = i % 7 == 3 and nan or i * 37 % 61 + 0.5
      pay[#pay + 1] = i % 11 == 5 and nan or (i * 29 % 47) / 8
      if i % 13 ~= 6 then town[#age] = i > 90 and i % 5 == 0 and "Paris" or towns[i * i % 11 % 4 + 1] end
   end
   town.n = n
   return ml.Frame { { "age", age }, { "town", ml.Factor(town) }, { "pay", pay } }
end

-- A pipeline for such a table.
local function reads(final)
   return ml.Pipeline { ml.ColumnTransformer {
      { "numbers", ml.Pipeline { ml.SimpleImputer {}, ml.StandardScaler {} }, { "age", "pay" } },
      { "words", ml.Pipeline { ml.SimpleImputer { strategy = "constant" },
         ml.OneHotEncoder { handle_unknown = "ignore" } }, { "town" } },
   }, final }
end

local function of_iris(add)
   local X, y = ml.read_csv "examples/data/iris.csv":split "species"
   local new = X:slice(95, 106)
   local two, of_two = X:slice(1, 100), ml.Factor(y:take(core.range(1, 100)):totable())
   local cut = ml.Vector(150, 0)
   for i = 1, 150 do cut[i] = X.sepal_length[i] * 2 - X.petal_length[i] end
   local function classes(name, model, near)
      add(name, model:clone():fit(X, y), new, true, near)
      add(name .. "_two", model:clone():fit(two, of_two), X:slice(45, 56), true, near)
   end
   classes("bagging_trees", ml.BaggingClassifier { n_estimators = 6 }, logs)
   classes("bagging_columns", ml.BaggingClassifier { ml.LogisticRegression {}, n_estimators = 4, max_features = 2 },
      logs)
   classes("bagging_labels", ml.BaggingClassifier { ml.NearestCentroid {}, n_estimators = 4, max_samples = 0.1 }, logs)
   classes("vote_hard", ml.VotingClassifier { ml.GaussianNB {}, ml.DecisionTreeClassifier { max_depth = 2 },
      ml.Perceptron {}, weights = { 0.5, 1, 0.25 } })
   classes("vote_soft", ml.VotingClassifier { ml.GaussianNB {}, { "gone", "drop" }, ml.KNeighborsClassifier {},
      voting = "soft", weights = { 3, 1, 1 } }, logs)
   classes("stack", ml.StackingClassifier { ml.GaussianNB {}, ml.Perceptron {}, ml.DecisionTreeClassifier {},
      cv = 3 })
   classes("stack_labels", ml.StackingClassifier { ml.GaussianNB {}, ml.NearestCentroid {}, cv = 3,
      stack_method = "predict", passthrough = true, final_estimator = ml.DecisionTreeClassifier { max_depth = 4 } })
   classes("ada", ml.AdaBoostClassifier { n_estimators = 9 }, softmax)
   classes("ada_slow", ml.AdaBoostClassifier { ml.LogisticRegression {}, n_estimators = 4, learning_rate = 0.3 },
      softmax)
   classes("boosted", ml.GradientBoostingClassifier { init = ml.GaussianNB {}, n_estimators = 4, max_depth = 2 },
      everything)
   classes("nested", ml.VotingClassifier { voting = "soft",
      ml.BaggingClassifier { ml.AdaBoostClassifier { n_estimators = 3 }, n_estimators = 2 },
      ml.StackingClassifier { ml.GaussianNB {}, ml.BaggingClassifier { n_estimators = 3 }, cv = 3 } }, softmax)
   classes("searched", ml.Pipeline { ml.StandardScaler {}, ml.GridSearch { ml.BaggingClassifier { n_estimators = 3 },
      { max_features = { 1, 2 } }, cv = 3 } }, logs)
   add("boosted_exponential", ml.GradientBoostingClassifier { init = ml.GaussianNB {}, n_estimators = 3,
      loss = "exponential" }:fit(two, of_two), X:slice(45, 56), true, everything)

   local function numbers(name, model, target, near)
      add(name, model:fit(X, target or cut), new, true, near)
   end
   local Z = core.normal(60, 5, 2)
   add("bagging_matrix", ml.BaggingRegressor { n_estimators = 4, max_features = 0.5, max_samples = 20 }:fit(Z,
      Z:col(2) - Z:col(4)), core.normal(8, 5, 3))
   local pair = core.hcat(cut:as_column(), X.sepal_width:as_column())
   numbers("bagging_reals", ml.BaggingRegressor { n_estimators = 5, max_features = 3 })
   numbers("bagging_targets", ml.BaggingRegressor { ml.Ridge {}, n_estimators = 3 }, pair)
   numbers("vote_reals", ml.VotingRegressor { ml.Ridge {}, ml.DecisionTreeRegressor { max_depth = 3 },
      weights = { 0.3, 1.1 } })
   numbers("vote_targets", ml.VotingRegressor { ml.Ridge {}, ml.LinearRegression {} }, pair)
   numbers("stack_reals", ml.StackingRegressor { ml.Ridge {}, ml.KNeighborsRegressor {}, cv = 3, passthrough = true })
   numbers("ada_reals", ml.AdaBoostRegressor { n_estimators = 15, loss = "square" })
   numbers("ada_even", ml.AdaBoostRegressor { ml.Ridge {}, n_estimators = 4 })
   numbers("any_loss", ml.FunctionalGradientBoosting { n_estimators = 9, loss = "absolute_error" })
   numbers("any_loss_exp", ml.FunctionalGradientBoosting { ml.Ridge {}, n_estimators = 3, inverse = "exp",
      loss = function(counts, F) return (F:exp() - counts:mul(F)):mean() end,
      gradient = function(counts, F) return F:exp() - counts end }, cut:abs(), { predict = true })
   numbers("boosted_reals", ml.GradientBoostingRegressor { init = ml.Ridge {}, n_estimators = 5 })
   numbers("boosted_poisson", ml.HistGradientBoostingRegressor { init = ml.Ridge {}, loss = "poisson", max_iter = 5 },
      cut:abs())
   numbers("consensus_of_many", ml.RANSACRegressor { ml.BaggingRegressor { n_estimators = 3 }, min_samples = 0.5 })
   numbers("log_of_many", ml.TransformedTarget { regressor = ml.BaggingRegressor { n_estimators = 3 },
      transformer = ml.StandardScaler {} })
end

local function of_people(add)
   local X, new, kind, value = frame(1, 90), frame(91, 115), {}, {}
   for i = 1, 90 do
      value[i] = i * 37 % 61 / 9 + (i * i % 11 % 4) * 2
      kind[i] = value[i] < 4 and "low" or value[i] < 8 and "middle" or "high"
   end
   local function both(name, model, y, near) add(name, model:fit(X, y), new, true, near) end
   local linear, leaves = reads(ml.LogisticRegression {}), { min_samples_leaf = 3 }
   both("people_bagging", ml.BaggingClassifier { n_estimators = 5, max_samples = 0.5 }, kind, logs)
   both("people_bagging_columns", ml.BaggingClassifier { ml.DecisionTreeClassifier {}, n_estimators = 5,
      max_features = 2 }, kind, logs)
   both("people_bagging_linear", ml.BaggingClassifier { linear, n_estimators = 3 }, kind, logs)
   both("people_ada", ml.AdaBoostClassifier { n_estimators = 6 }, kind, softmax)
   both("people_ada_linear", ml.AdaBoostRegressor { reads(ml.Ridge {}), n_estimators = 3 }, value)
   both("people_vote", ml.VotingClassifier { linear, ml.DecisionTreeClassifier(leaves), voting = "soft" }, kind, logs)
   both("people_stack", ml.StackingClassifier { linear, ml.DecisionTreeClassifier(leaves), cv = 3, passthrough = true,
      final_estimator = ml.DecisionTreeClassifier { max_depth = 4 } }, kind)
   both("people_boosted", ml.HistGradientBoostingClassifier { init = linear, max_iter = 4 }, kind, everything)
   both("people_boosted_reals", ml.HistGradientBoostingRegressor { init = ml.DecisionTreeRegressor(leaves),
      max_iter = 4 }, value)
   both("people_passed", ml.Pipeline { ml.ColumnTransformer { { "numbers", ml.SimpleImputer {}, { "pay" } },
      { "words", "passthrough", { "town" } } }, ml.BaggingClassifier { n_estimators = 3 } }, kind, logs)
   both("people_nested", ml.VotingRegressor { ml.BaggingRegressor { reads(ml.Ridge {}), n_estimators = 2 },
      ml.StackingRegressor { ml.DecisionTreeRegressor(leaves), { "again", ml.DecisionTreeRegressor { max_depth = 2 } },
         final_estimator = ml.BaggingRegressor { n_estimators = 3 }, passthrough = true, cv = 3 } }, value)
end

return function(add)
   of_iris(add)
   of_people(add)
end
