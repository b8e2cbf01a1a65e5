--- ClassifierChain and RegressorChain: one model per target, whose features include the earlier targets.
--
--    y_j = f_j(x, y_1, ..., y_(j-1))
--
-- In fit the earlier targets are those of y, or with `cv` out-of-fold predictions of their models; in predict they are
-- predictions. Read, Pfahringer, Holmes & Frank, Machine Learning 85 (2011).

local base = require "manilius.ensemble.base"
local core = require "manilius.core"
local estimator = require "manilius.estimator"
local parts = require "manilius.ensemble.parts"
local rows = require "manilius.rows"
local targets = require "manilius.compose.targets"
local text = require "manilius.text"

local M = {}

local METHODS = { "predict", "predict_proba", "predict_log_proba", "decision_function" }

local function check(self)
   base.check_base(self)
   base.check_whole(self, "seed", 0)
   local who, order, method = estimator.name(self), self.order, rawget(self, "chain_method")
   if order ~= nil and order ~= "random" and type(order) ~= "table" then
      error(("%s: order must be a list of columns of y, \"random\" or nil, got %s"):format(who,
         estimator.value_text(order)), 0)
   end
   if method == nil then return end
   if not text.contains(METHODS, method) then
      error(("%s: chain_method must be one of %s, got %s"):format(who, table.concat(METHODS, ", "),
         estimator.value_text(method)), 0)
   end
   if not estimator.can(self.estimator, method) then
      error(("%s: chain_method: the estimator %s does not have %s"):format(who, estimator.name(self.estimator),
         method), 0)
   end
end

-- --- the order of the targets ---

local function index_of(self, column)
   if type(column) == "string" then
      for j, name in ipairs(self.target_names or {}) do
         if name == column then return j end
      end
   end
   local index = math.tointeger(column)
   return index and index >= 1 and index <= self.n_targets and index or nil
end

-- The targets in the order of the list, by index or name.
local function listed(self)
   local who, order, seen = estimator.name(self), {}, {}
   for i, column in ipairs(self.order) do
      local index = index_of(self, column)
      if not index then
         error(("%s: order must name columns of y, got %s"):format(who, estimator.value_text(column)), 0)
      end
      if seen[index] then error(("%s: order has the column %s twice"):format(who, column), 0) end
      order[i], seen[index] = index, true
   end
   if #order ~= self.n_targets then
      error(("%s: order must have each of the %d columns of y, got %d"):format(who, self.n_targets, #order), 0)
   end
   return order
end

local function order_of(self)
   if type(self.order) == "table" then return listed(self) end
   local order = self.order == "random" and core.rng(self.seed):permutation(self.n_targets)
      or core.range(1, self.n_targets)
   order = order:totable()
   for i, index in ipairs(order) do order[i] = math.tointeger(index) end
   return order
end

-- --- a target as features of the next models ---

local function chain_method_of(self)
   return rawget(self, "chain_method") or "predict"
end

local function is_classifier(self)
   return estimator.class_of(self).classifies == true
end

-- Class indices as columns: 0 and 1 for two classes, else an indicator of each.
local function code_columns(self, j, codes)
   local k = #targets.classes(self, j)
   return k == 2 and (codes - 1):as_column() or parts.indicators(codes, k)
end

-- An output of the model of target j as columns. known: its classes
local function output_columns(self, j, method, value, known)
   if not is_classifier(self) then return parts.as_matrix(parts.numbers(value)) end
   local who, name, classes = estimator.name(self), targets.name(self, j), targets.classes(self, j)
   if method == "predict" then return code_columns(self, j, parts.codes(who, name, value, classes)) end
   if method ~= "decision_function" then
      value = parts.align(who, name, value, known, classes)
      return #classes == 2 and value:col(2):copy():as_column() or value
   end
   if known and #known ~= #classes then
      error(("%s: member '%s': the training rows of a fold have %d of %d classes; stratify the folds"):format(who, name,
         #known, #classes), 0)
   end
   return parts.as_matrix(value)
end

-- Names of the columns that target j adds to X.
local function added_names(self, j, width)
   local names, name = {}, "chain__" .. targets.name(self, j)
   for c = 1, width do
      names[c] = width == 1 and name or name .. "__" .. tostring(targets.classes(self, j)[c])
   end
   return names
end

local function append(self, X, j, columns)
   return rows.append_columns(X, columns, added_names(self, j, columns.cols))
end

-- --- fit ---

-- X with all targets but the last in the order of the chain, and the number of columns that each model sees.
local function with_true_targets(self, data, columns)
   local X, widths = data.X, {}
   for i, j in ipairs(self.chain_order) do
      widths[i] = rows.width(X)
      if i < self.n_targets then
         local column = columns[j]
         X = append(self, X, j, is_classifier(self) and code_columns(self, j, column:codes()) or column:as_column())
      end
   end
   return X, widths
end

-- The models of a chain on true targets do not depend on each other.
local function fit_together(self, data, columns)
   local X, widths = with_true_targets(self, data, columns)
   local task = { models = {}, jobs = {}, columns = {}, targets = columns, folds = { parts.all_rows(data.n) } }
   local names = {}
   for i, j in ipairs(self.chain_order) do
      names[i], task.models[i], task.jobs[i] = targets.name(self, j), self.estimator, { i, 1, keep = true, target = j }
      task.columns[i] = i < self.n_targets and core.range(1, widths[i]):totable() or nil
      for k, at in ipairs(task.columns[i] or {}) do task.columns[i][k] = math.tointeger(at) end
   end
   parts.fit_all(self, setmetatable({ X = X }, { __index = data }), names, task)
end

-- One model on all rows, and its out-of-fold predictions as columns unless it is the last.
local function fit_link(self, data, column, i)
   local j, method, last = self.chain_order[i], chain_method_of(self), i == self.n_targets
   local splits = last and {} or parts.splits(data, self.cv, is_classifier(self), column)
   local task = { models = { self.estimator }, jobs = { { 1, 1, keep = true, target = 1 } }, targets = { column },
      folds = { parts.all_rows(data.n), table.unpack(splits) }, want = { [method] = true } }
   for f = 1, #splits do task.jobs[f + 1] = { 1, f + 1, target = 1 } end
   local results, pieces = parts.run(data, { targets.name(self, j) }, task), {}
   for f = 1, #splits do
      local result = results[f + 1]
      pieces[f] = output_columns(self, j, method, result.test[method], result.classes)
   end
   self.estimators[i] = results[1].model
   return not last and parts.merge_folds(pieces, splits) or nil
end

local function fit_one_by_one(self, data, columns)
   local link = setmetatable({ X = data.X }, { __index = data })
   for i, j in ipairs(self.chain_order) do
      local added = fit_link(self, link, columns[j], i)
      if added then link.X = append(self, link.X, j, added) end
      if data.report and data.report(i, self.n_targets) == "cancel" then
         error("cancelled by the progress function", 0)
      end
   end
end

local function fit(self, X, y, options)
   local data = parts.start_fit(self, X, y, options, { "groups" })
   local columns = targets.learn(self, data, y)
   self.chain_order, self.estimators = order_of(self), {}
   local fit_all = self.cv == nil and fit_together or fit_one_by_one
   fit_all(self, data, columns)
   return self
end

-- --- use ---

-- The outputs of `method` of each model, by target.
local function outputs(self, X, method)
   local chain_method, list = chain_method_of(self), {}
   X = base.select_columns(self, X, core.range(1, self.n_features):totable())
   for i, j in ipairs(self.chain_order) do
      local model, name = self.estimators[i], targets.name(self, j)
      list[j] = parts.call(self, name, model, method, X)
      if i < self.n_targets then
         local value = method == chain_method and list[j] or parts.call(self, name, model, chain_method, X)
         X = append(self, X, j, output_columns(self, j, chain_method, value, estimator.learned(model, "classes")))
      end
   end
   return list
end

-- Decisions side by side: one column for a target of two classes.
local function decision(self, X)
   local list = outputs(self, X, "decision_function")
   if self.n_targets == 1 then return list[1] end
   for j, value in ipairs(list) do list[j] = parts.as_matrix(value) end
   return core.hcat(table.unpack(list))
end

-- --- the classes ---

local ORDER = "list of columns of y (numbers or names) in the order of the chain, or \"random\"; nil: as in y"
local CV = "folds of out-of-fold predictions that the next models are fitted on: a number, a splitter or a list of "
   .. "splits; nil: fit them on the targets themselves"
local SEED = "seed of the random order"

local function define(definition)
   definition.learned = targets.learned(definition.classifies, { estimators = "list of fitted models, in the order of "
      .. "the chain", chain_order = "list of the columns of y, by number, in the order of the chain" })
   definition.check, definition.fit = check, fit
   return targets.class(definition, outputs)
end

M.ClassifierChain = define {
   name = "ClassifierChain",
   does = "classify",
   classifies = true,
   params = { estimator = estimator.NONE, order = estimator.NONE, cv = estimator.NONE, chain_method = "predict",
      seed = 0 },
   help = {
      use = "ClassifierChain { estimator, order = { 2, 1, 3 } }",
      brief = "Chain of classifiers for several targets: earlier targets become features.",
      objective = "y_j = f_j(x, y_1, ..., y_(j-1))",
      params = { estimator = "the classifier, default LogisticRegression {}; may be given first, without a name",
         order = ORDER, cv = CV, seed = SEED,
         chain_method = "output that later models get as features in predict (and in fit, "
            .. "with cv): predict, predict_proba, predict_log_proba or decision_function" },
      notes = "For targets that depend on each other. A target adds one column to X: 0 or 1 for two classes, otherwise "
         .. "an indicator of each class. Unlike in scikit-learn, targets may have more than two classes, and "
         .. "predict_proba is a list with a Matrix per target. Without cv all models are fitted in threads at once; "
         .. "with cv one after the other. The mean over several random orders often predicts better than one.",
      source = "Read, Pfahringer, Holmes & Frank, Machine Learning 85 (2011)",
      example = [[
local penguins = ml.read_csv("examples/data/penguins.csv"):dropna()
local X, y = penguins:select { "bill_length_mm", "body_mass_g" }, penguins:select { "species", "sex" }
local chain = ml.ClassifierChain { ml.LogisticRegression { C = 100 }, order = { "species", "sex" }, cv = 5 }:fit(X, y)
print(chain:score(X, y), chain:predict(X:slice(1, 3)))]],
   },
   construct = base.construct_binary,
   can = function(self, name)
      if name == "predict_proba" or name == "predict_log_proba" or name == "decision_function" then
         return estimator.can(self.estimator, name)
      end
      return name == "predict" or not estimator.is_action(name)
   end,
   decision_function = rows.rethrowing(decision),
}

M.RegressorChain = define {
   name = "RegressorChain",
   does = "regress",
   params = { estimator = estimator.NONE, order = estimator.NONE, cv = estimator.NONE, seed = 0 },
   help = {
      use = "RegressorChain { estimator, order = { 2, 1, 3 } }",
      brief = "Chain of regressors for several targets: earlier targets become features.",
      objective = "y_j = f_j(x, y_1, ..., y_(j-1))",
      params = { estimator = "the regressor, default Ridge {}; may be given first, without a name", order = ORDER,
         cv = CV, seed = SEED },
      notes = "For targets that depend on each other in ways that the regressor can use: a chain of unpenalized linear "
         .. "regressions predicts the same as independent ones. Without cv all models are fitted in threads at once; "
         .. "with cv one after the other, on out-of-fold predictions as in predict.",
      source = "Read, Pfahringer, Holmes & Frank, Machine Learning 85 (2011)",
      example = [[
local linnerud = ml.read_csv "examples/data/linnerud.csv"
local X, y = linnerud:select { "chins", "situps", "jumps" }, linnerud:select { "weight", "waist", "pulse" }
local model = ml.RegressorChain { ml.DecisionTreeRegressor { max_depth = 2 }, order = { "waist", "weight", "pulse" },
   cv = 5 }:fit(X, y)
print(model:predict(X:slice(1, 3)))]],
   },
   construct = base.construct(function() return core.constructors.Ridge() end),
   can = function(_, name) return name == "predict" or not estimator.is_action(name) end,
}

return M
