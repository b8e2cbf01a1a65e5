--- Demands on classifiers, regressors, transformers, clusterers, outlier detectors, and partial_fit.

local core = require "manilius.core"
local data = require "manilius.check.data"
local tools = require "manilius.check.tools"
local use = require "manilius.check.use"

local need, fitted, dump = tools.need, use.fitted, use.dump

local function does(what)
   return function(class) return class.does[what] end
end
local function can(what)
   return function(class) return class.can[what] end
end
local classifies, clusters = does "classify", does "cluster"

-- Baselines ignore X.
local function learns(what)
   return function(class) return class.does[what] and not class.does.ignores_x end
end

local demands, demand = tools.new_demands()

-- --- classifiers ---

demand("a classifier separates distant classes", learns "classify", function(new, class)
   -- A threshold between the centers, for estimators of features that are present or absent.
   local settings = class.core and data.has_param(class, "binarize") and { binarize = 4 } or nil
   -- Short sequences, since some learn them one by one.
   local short = class.takes.lengths and { lengths = core.Vector(20, 3) } or nil
   local model, problem = fitted(new, class, { settings = settings, fit_options = short })
   local label = model:predict(problem.X, short)
   need(tools.rows(label) == problem.X.rows, "%d labels for %d rows", tools.rows(label), problem.X.rows)
   local right = tools.agreement(label, problem.y)
   need(right > 0.83, "only %.2f of the labels are correct", right)
end)

local label_kinds = {
   texts = { "spade", "heart", "club" }, integers = { -1, 1, 7 }, floats = { 2.0, -3.0, 1e300 },
   mixed = { "yes", 3, true }, booleans = { true, false }, ["texts of bytes"] = { "a\0b", "", "\xff" },
}

local function our_classifier(class) return class.ours and class.does.classify end

local function in_order(a, b)
   if type(a) ~= type(b) then return true end -- booleans, numbers, strings, in this order: see core/levels.h
   if type(a) == "boolean" then return not a and b end
   return a < b
end

demand("labels keep their type and value, and classes are sorted", our_classifier, function(new, class)
   local problem = data.make(class)
   for kind, list in pairs(label_kinds) do
      local k, y = class.takes.binary_only and 2 or #list, {}
      for i = 1, problem.X.rows do y[i] = list[problem.group[i] % k + 1] end
      local model = new():fit(problem.X, y)
      local label, known = model:predict(problem.X), {}
      for _, one in ipairs(list) do known[one] = one end
      for i = 1, #label do
         local wanted = known[label[i]]
         local found = wanted ~= nil and math.type(wanted) == math.type(label[i])
         need(found, "%s: %s is not one of the labels", kind, label[i])
      end
      if kind ~= "booleans" and not class.does.ignores_x then
         need(tools.agreement(label, y) > 0.5, "%s: labels are mixed up", kind)
      end
      need(#model.classes == k, "%s: %d classes", kind, #model.classes)
      for i = 2, k do
         need(in_order(model.classes[i - 1], model.classes[i]), "%s: classes are not sorted", kind)
      end
   end
end)

demand("unused factor levels are not classes", our_classifier, function(new, class)
   local problem = data.make(class)
   local with = { "zebra" }
   for i, label in ipairs(problem.y) do with[i + 1] = label end
   local positions = {}
   for i = 1, problem.X.rows do positions[i] = i + 1 end
   local model, plain = new():fit(problem.X, core.Factor(with):take(positions)), new():fit(problem.X, problem.y)
   need(tools.equal(model.classes, plain.classes), "classes are %s", table.concat(model.classes, ", "))
   use.same_outputs("an unused level", class, model, plain, problem.new)
end)

demand("probabilities lie in [0, 1], sum to 1 and agree with predict", function(class)
   return class.can.predict_proba and not class.moves_threshold
end, function(new, class)
   for _, plain in ipairs { false, true } do
      local model, problem = fitted(new, class, { plain = plain })
      -- Tags of a sequence are predicted jointly, so the rows are sequences of their own.
      local options = class.takes.lengths and { lengths = core.Vector(problem.new.rows, 1) } or nil
      local p, label = model:predict_proba(problem.new, options), model:predict(problem.new, options)
      -- The components of a clusterer are numbered, unless fit has learned their names.
      local named, names = pcall(function() return model.classes end)
      local classes = named and names or core.range(p.cols):totable()
      need(p.rows == problem.new.rows and p.cols == #classes, "predict_proba returns %d x %d", p.rows, p.cols)
      for i = 1, p.rows do
         local sum, best = 0, 1
         for c = 1, p.cols do
            local value = p:get(i, c)
            need(value >= 0 and value <= 1 + 1e-15, "row %d has %s", i, value)
            sum = sum + value
            if value > p:get(i, best) then best = c end
         end
         need(math.abs(sum - 1) < 1e-9, "row %d adds up to %.17g", i, sum)
         local chosen = classes[best] == label[i]
         local tie = false
         for c = 1, p.cols do
            tie = tie or classes[c] == label[i] and math.abs(p:get(i, c) - p:get(i, best)) < 1e-9
         end
         need(chosen or tie, "row %d: predict says %s, the probabilities %s", i, label[i], classes[best])
      end
   end
end)

demand("predict_log_proba is the logarithm of predict_proba", function(class)
   return class.can.predict_proba and class.can.predict_log_proba
end, function(new, class)
   local model, problem = fitted(new, class, { plain = true })
   local p, l = model:predict_proba(problem.new), model:predict_log_proba(problem.new)
   for i = 1, p.rows do
      for c = 1, p.cols do
         local a, b = math.exp(l:get(i, c)), p:get(i, c)
         need(math.abs(a - b) <= 1e-9, "row %d, column %d: %s and %s", i, c, a, b)
      end
   end
end)

-- Require that the probability does not decrease with the decision.
local function need_same_ranking(score, p)
   local order = {}
   for i = 1, #score do order[i] = i end
   table.sort(order, function(a, b) return score[a] < score[b] end)
   for k = 2, #order do
      local before, after = order[k - 1], order[k]
      need(p:get(before, 2) <= p:get(after, 2) + 1e-15, "rows %d and %d: decisions %s and %s, probabilities %s and %s",
         before, after, score[before], score[after], p:get(before, 2), p:get(after, 2))
   end
end

demand("decision_function agrees with predict and ranks like the probabilities", function(class)
   return classifies(class) and class.can.decision_function and not class.moves_threshold
end, function(new, class)
   for _, k in ipairs { 2, not class.takes.binary_only and 3 or nil } do
      local model, problem = fitted(new, class, { classes = k, plain = true })
      local score, label = model:decision_function(problem.new), model:predict(problem.new)
      local p = class.can.predict_proba and model:predict_proba(problem.new)
      local kind = tools.kind(score)
      need(kind == (k == 2 and "Vector" or "Matrix"), "for %d classes it returns a %s", k, kind)
      for i = 1, problem.new.rows do
         local best
         if k == 2 then
            best = score[i] > 0 and 2 or 1
            need(not p or math.abs(score[i]) < 1e-9 or (score[i] > 0) == (p:get(i, 2) > 0.5),
               "row %d: decision %s, probability %s", i, score[i], p and p:get(i, 2))
         else
            best = 1
            for c = 2, k do
               if score:get(i, c) > score:get(i, best) then best = c end
            end
         end
         need(model.classes[best] == label[i], "row %d: predict says %s, the decision %s", i, label[i],
            model.classes[best])
      end
      if k == 2 and p then need_same_ranking(score, p) end
   end
end)

local function takes_class_weight(class) return class.takes.class_weight end

demand("class_weight = 'balanced' equals the explicit weights", takes_class_weight, function(new, class)
   local problem, kept = data.make(class, { plain = true, rows = 90 }), {}
   for i = 1, problem.X.rows do
      if problem.group[i] ~= 1 or i % 4 == 0 then kept[#kept + 1] = i end
   end
   local X, y, count = problem.X:take(kept), data.take(problem.y, kept), {}
   for _, label in ipairs(y) do count[label] = (count[label] or 0) + 1 end
   local k, weights, by_class = 0, {}, {}
   for _ in pairs(count) do k = k + 1 end
   for label, n in pairs(count) do by_class[label] = #y / (k * n) end
   for i, label in ipairs(y) do weights[i] = by_class[label] end
   local settings = use.precise(class)
   local balanced = new(settings):set_params { class_weight = "balanced" }:fit(X, y)
   local table_of = new(settings):set_params { class_weight = by_class }:fit(X, y)
   use.close_outputs("'balanced' and a table", class, balanced, table_of, problem.new, 1e-9)
   if class.takes.weights then
      use.close_outputs("'balanced' and weights", class, balanced, new(settings):fit(X, y, { weights = weights }),
         problem.new, 1e-9)
   end
end)

-- Every row occurs with both labels, because some models memorize the training data.
demand("a class with a large weight dominates", takes_class_weight, function(new, class)
   local problem, twice, y = data.make(class, { plain = true, classes = 2 }), {}, {}
   for i = 1, problem.X.rows do
      twice[2 * i - 1], twice[2 * i] = i, i
      y[2 * i - 1], y[2 * i] = "ash", "birch"
   end
   local X = problem.X:take(twice)
   local model = new():set_params { class_weight = { ash = 1e5, birch = 1e-5 } }:fit(X, y)
   local n = 0
   for _, label in ipairs(model:predict(problem.X)) do n = n + (label == "ash" and 1 or 0) end
   need(n / problem.X.rows > 0.87, "it is predicted for a fraction of only %.2f of the rows", n / problem.X.rows)
   tools.refuses(class, "an unknown class", { class.name .. ": class_weight must name classes of y, got yew" },
      function() new():set_params { class_weight = { yew = 2 } }:fit(problem.X, problem.y) end)
end)

-- --- regressors ---

demand("a regressor fits a linear target", learns "regress", function(new, class)
   local model, problem = fitted(new, class, { rows = 120 })
   local given, mean = model:predict(problem.X), problem.y:mean()
   need(tools.rows(given) == problem.X.rows, "%d values for %d rows", tools.rows(given), problem.X.rows)
   local rest, all = 0, 0
   for i = 1, problem.X.rows do
      rest = rest + (problem.y[i] - given[i]) ^ 2
      all = all + (problem.y[i] - mean) ^ 2
   end
   need(1 - rest / all > 0.5, "R2 is only %.3f", 1 - rest / all)
end)

-- --- transformers ---

local function matrix_of(model, X)
   local Z = model:transform(X)
   return tools.kind(Z) == "Sparse" and Z:todense() or Z
end

demand("transform keeps the number of rows", can "transform", function(new, class)
   local model, problem = fitted(new, class)
   need(tools.rows(model:transform(problem.X)) == problem.X.rows, "transform returns a different number of rows")
   need(tools.rows(model:transform(problem.new)) == problem.new.rows,
      "transform of new rows returns a different number of rows")
end)

demand("transform of inverse_transform gives the same result", can "inverse_transform", function(new, class)
   local settings = class.core and data.has_param(class, "ridge_alpha") and { ridge_alpha = 0 } or nil -- no shrinkage
   local model, problem = fitted(new, class, { settings = settings })
   local Z = matrix_of(model, problem.X)
   if tools.kind(Z) ~= "Matrix" then return end
   local given, back = tools.succeeds_or_explains("inverse_transform", model.inverse_transform, model, Z)
   if not given then return end
   need(tools.rows(back) == problem.X.rows, "inverse_transform returns a different number of rows")
   if class.does.approximate_inverse then return end
   local ok, where = tools.near(Z, matrix_of(model, back), 1e-6)
   need(ok, "transform of inverse_transform gives %s", where)
end)

-- --- clusterers, outliers, densities ---

--- The share of rows in the largest group of their cluster.
local function purity(label, group)
   local count, largest, sum = {}, {}, 0
   for i = 1, #label do
      local of = count[label[i]] or {}
      count[label[i]], of[group[i]] = of, (of[group[i]] or 0) + 1
      largest[label[i]] = math.max(largest[label[i]] or 0, of[group[i]])
   end
   for _, n in pairs(largest) do sum = sum + n end
   return sum / #label
end

demand("small clusters do not mix distant groups", does "fine_clusters", function(new, class)
   local problem = data.make(class)
   local found = purity(new():fit(problem.X):predict(problem.X), problem.group)
   need(found > 0.9, "the share of rows in the largest group of their cluster is only %.2f", found)
end)

demand("a clusterer finds distant groups", function(class)
   return clusters(class) and not class.does.fine_clusters
end, function(new, class)
   local problem = data.make(class)
   local model = new():fit(problem.X)
   local label = class.can.predict and model:predict(problem.X) or model.labels
   local found = tools.rand_index(label, problem.group)
   need(found > 0.4, "the adjusted Rand index is only %.2f", found)
   local max_label, seen = 0, {}
   for i = 1, #label do
      need(math.type(label[i]) == "integer" and (label[i] >= 1 or label[i] == -1), "label %s", label[i])
      max_label, seen[label[i]] = math.max(max_label, label[i]), true
   end
   for k = 1, max_label do need(seen[k], "no row has label %d, but one has %d", k, max_label) end
   if data.has_param(class, "n_clusters") then need(max_label <= model.n_clusters, "more labels than n_clusters") end
end)

demand("labels agree with predict on the training data", function(class)
   local labeled = false
   for _, field in ipairs(class.fields) do labeled = labeled or field.name == "labels" end
   return clusters(class) and class.can.predict and labeled
end, function(new, class)
   for _, plain in ipairs { false, true } do
      local problem = data.make(class, { plain = plain })
      local model = new():fit(problem.X)
      local same, where = tools.equal(model.labels, model:predict(problem.X))
      need(same, "labels and predict: %s", where)
   end
end)

demand("outliers are 1 and inliers 0, consistent with decision_function", does "outliers", function(new, class)
   local model, problem = fitted(new, class, { plain = true, rows = 100 })
   local label = model:predict(problem.X)
   local score = class.can.decision_function and model:decision_function(problem.X)
   local min_outlier, max_inlier = math.huge, -math.huge
   for i = 1, #label do
      need(label[i] == 0 or label[i] == 1, "label %s", label[i])
      if score and label[i] == 1 then min_outlier = math.min(min_outlier, score[i]) end
      if score and label[i] == 0 then max_inlier = math.max(max_inlier, score[i]) end
   end
   need(min_outlier >= max_inlier, "an outlier has the decision %s, an inlier %s", min_outlier, max_inlier)
   if data.has_param(class, "contamination") then
      local fraction = new { contamination = 0.1 }:fit(problem.X):predict(problem.X):mean()
      need(math.abs(fraction - 0.1) <= 0.05, "contamination 0.1 finds a fraction of %.2f", fraction)
   end
end)

demand("the density is higher near the data", does "density", function(new, class)
   local model, problem = fitted(new, class)
   -- Every second row is moved: a series may start anywhere, but does not jump.
   local moved = problem.X:copy()
   for i = 1, moved.rows, 2 do
      for j = 1, moved.cols do moved:set(i, j, moved[i][j] + 1000) end
   end
   local near, far = model:score_samples(problem.X):mean(), model:score_samples(moved):mean()
   need(near > far, "it is %s near and %s far", near, far)
end)

-- --- batches ---

demand("partial_fit learns batch by batch", can "partial_fit", function(new, class)
   local problem = data.make(class)
   local model, first, second = new(), {}, {}
   for i = 1, problem.X.rows do table.insert(i <= 30 and first or second, i) end
   local options = data.target_kind(class) == "labels" and { classes = { "ash", "birch", "cedar" } } or nil
   if class.takes.binary_only then options.classes[3] = nil end
   model:partial_fit(problem.X:take(first), data.take(problem.y, first), options)
   local half = class.core and dump(model)
   model:partial_fit(problem.X:take(second), data.take(problem.y, second))
   use.outputs(model, class, problem.new)
   if not class.core then return end
   need(dump(model) ~= half, "the second batch does not change the model")
   local whole = dump(model)
   need(not pcall(model.partial_fit, model, core.zeros(0, 4)), "an empty batch is accepted")
   need(dump(model) == whole, "a failed batch changes the model")
   if options then
      local y = data.take(problem.y, first)
      y[4] = "yew"
      local message = class.name .. ": y must be one of the %d classes known to the model, got yew in row 4"
      tools.refuses(class, "a new class", { message },
         function() model:partial_fit(problem.X:take(first), y) end)
   end
end)

demand("partial_fit on batches equals fit on all rows", function(class)
   return class.core and class.does.add_up
end, function(new, class)
   for _, plain in ipairs { false, true } do
      local problem = data.make(class, { plain = plain })
      local weights, model = {}, new()
      for i = 1, problem.X.rows do weights[i] = class.takes.weights and 1 + i % 3 or nil end
      local function part(first, last)
         local at = {}
         for i = first, last do at[#at + 1] = i end
         return problem.X:take(at), data.take(problem.y, at),
            { weights = class.takes.weights and data.take(weights, at) or nil }
      end
      local n, X, y, options = problem.X.rows, part(1, 7)
      if data.target_kind(class) == "labels" then
         options.classes = { "ash", "birch", not class.takes.binary_only and "cedar" or nil }
      end
      model:partial_fit(X, y, options)
      model:partial_fit(part(8, 8)):partial_fit(part(9, n))
      use.close_outputs("batches", class, new():fit(part(1, n)), model, problem.new, 1e-7)
   end
end)

demand("a batch of one class is accepted if classes are given", function(class)
   return class.core and class.can.partial_fit and data.target_kind(class) == "labels"
end, function(new, class)
   local problem, ash = data.make(class), {}
   for i, label in ipairs(problem.y) do
      if label == "ash" then ash[#ash + 1] = i end
   end
   local model = new()
   model:partial_fit(problem.X:take(ash), data.take(problem.y, ash), { classes = { "ash", "birch" } })
   need(#model.classes == 2, "there are %d classes", #model.classes)
   for action, result in pairs(use.outputs(model, class, problem.new)) do
      need(action == "predict_log_proba" or tools.finite(result), "%s is not finite", action)
   end
   tools.refuses(class, "one class for all", { class.name .. ": classes must" }, function()
      new():partial_fit(problem.X:take(ash), data.take(problem.y, ash), { classes = { "ash" } })
   end)
end)

return demands
