-- Trees to export: factors with few and with many levels, missing values, unseen levels, several classes and targets.
local ml = require "manilius"
local core = require "manilius.core"

local nan = 0 / 0
local towns = { "Oslo", "Rome", "Lima", "Bern", "Kyiv", "Baku" }

local function town(i) return towns[i * i % 11 % 6 + 1] end
local function street(i) return "street " .. i * 17 % 90 end

--- Rows `first` to `last` of an unlimited table.
local function frame(first, last)
   local age, town_of, street_of, pay = {}, {}, {}, {}
   for i = first, last do
      age[#age + 1] = i % 7 == 3 and nan or i * 37 % 61 + 0.5
      pay[#pay + 1] = i % 11 == 5 and nan or (i * 29 % 47) / 8
      local n = #age
      if i % 13 ~= 6 then town_of[n] = i > 150 and i % 5 == 0 and "Paris" or town(i) end
      street_of[n] = i > 150 and i % 4 == 0 and "a street unseen" or street(i)
   end
   local n = last - first + 1
   town_of.n, street_of.n = n, n
   return ml.Frame { { "age", age }, { "town", ml.Factor(town_of) }, { "street", ml.Factor(street_of) },
      { "pay", pay } }
end

local function value(i)
   return i * 37 % 61 / 9 + (#town(i) == 4 and i % 3 or 4) + (i * 17 % 90 % 7) ^ 2 / 4 + (i % 7 == 3 and 3 or 0)
end

return function(add)
   local X, new, y, kind, half, pair = frame(1, 150), frame(151, 175), {}, {}, {}, {}
   for i = 1, 150 do
      y[i] = value(i)
      kind[i] = y[i] < 5 and "low" or y[i] < 9 and "middle" or "high"
      half[i] = y[i] > 7
      pair[i] = { y[i], -y[i] * (i % 4) }
   end
   local function both(name, class, settings, Y)
      add(name, class(settings):fit(X, Y), new)
   end
   for name, class in pairs { tree = ml.DecisionTreeClassifier, forest = ml.RandomForestClassifier,
      extra = ml.ExtraTreesClassifier } do
      local few = name ~= "tree" and 7 or nil
      both(name .. "_levels_labels", class, { n_estimators = few, min_samples_leaf = 2 }, kind)
      both(name .. "_levels_two", class, { n_estimators = few, max_depth = 5 }, half)
   end
   for name, class in pairs { tree = ml.DecisionTreeRegressor, forest = ml.RandomForestRegressor,
      extra = ml.ExtraTreesRegressor } do
      local few = name ~= "tree" and 7 or nil
      both(name .. "_levels_reals", class, { n_estimators = few }, y)
      both(name .. "_levels_targets", class, { n_estimators = few, min_samples_leaf = 3 }, pair)
      both(name .. "_levels_poisson", class, { n_estimators = few, criterion = "poisson" }, y)
   end
   both("c45_levels_labels", ml.C45Classifier, { min_num_obj = 1, unpruned = true }, kind)
   both("c45_levels_two", ml.C45Classifier, { use_laplace = true }, half)
   local small = { max_iter = 12, min_samples_leaf = 4 }
   both("boosting_levels_labels", ml.HistGradientBoostingClassifier, small, kind)
   both("boosting_levels_two", ml.HistGradientBoostingClassifier, small, half)
   both("boosting_levels_reals", ml.HistGradientBoostingRegressor, small, y)
   both("boosting_dart", ml.HistGradientBoostingRegressor, { booster = "dart", rate_drop = 0.5, max_iter = 9 }, y)
   local few = { n_estimators = 12, max_depth = 4 }
   both("exact_boosting_labels", ml.GradientBoostingClassifier, few, kind)
   both("exact_boosting_two", ml.GradientBoostingClassifier, few, half)
   both("exact_boosting_exponential", ml.GradientBoostingClassifier, { loss = "exponential", n_estimators = 9 }, half)
   both("exact_boosting_reals", ml.GradientBoostingRegressor, few, y)
   both("exact_boosting_poisson", ml.GradientBoostingRegressor, { loss = "poisson", n_estimators = 9 }, y)
   both("exact_boosting_tweedie", ml.GradientBoostingRegressor, { loss = "tweedie", n_estimators = 9 }, y)

   local numbers = core.normal(80, 3, 4)
   local grows = {}
   for i = 1, 80 do grows[i] = numbers:get(i, 1) + 0.3 * numbers:get(i, 2) > 0 and "yes" or "no" end
   add("tree_monotone", ml.DecisionTreeClassifier { monotonic_cst = { 1, 0, 0 }, max_depth = 3 }:fit(numbers,
      grows), core.normal(9, 3, 5))
   local bent = {}
   for i = 1, 80 do bent[i] = math.abs(numbers:get(i, 1)) - numbers:get(i, 3) end
   local linear = ml.LinearTreeRegressor { unpruned = true, smoothing = 5 }
   add("tree_linear", linear:fit(numbers, bent), core.normal(9, 3, 5))
   both("tree_linear_levels", ml.LinearTreeRegressor, { unpruned = true, smoothing = 3, min_samples_leaf = 6 }, y)
   add("tree_leaf", ml.DecisionTreeRegressor {}:fit({ { 1 }, { 2 } }, { 3, 3 }), ml.Matrix { { 0 }, { nan } })
end
