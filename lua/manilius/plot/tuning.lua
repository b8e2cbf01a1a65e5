--- Plots of tuned parameters: errors over penalties, search results, pruning paths.

local core = require "manilius.core"
local curves = require "manilius.select.curves"
local define = require "manilius.plot.diagnose"
local estimator = require "manilius.estimator"
local inputs = require "manilius.plot.inputs"
local landscape = require "manilius.plot.landscape"
local parts = require "manilius.metrics.parts"
local rows = require "manilius.rows"

local fail, text = parts.fail, parts.text

-- --- penalties ---

-- The strongest penalty, the smallest C, whose score is within one standard error of the best one.
local function one_se_of(x, score, se)
   local best, out = 1, nil
   for i = 2, #x do
      if score[i] > score[best] then best = i end
   end
   for i = 1, #x do
      if score[i] >= score[best] - se[best] and (not out or x[i] < out) then out = x[i] end
   end
   return out
end

-- { x, y, se, ratio, x_name, y_name, best, one_se } of a fitted CV estimator. `ratio` is the fraction
-- of the L1 penalty.
local function error_path(model)
   local function learned(name) return estimator.learned(model, name) end
   if learned "mse_path" then
      return { x = learned "grid_alpha", y = learned "mse", se = learned "se", ratio = learned "grid_l1_ratio",
         x_name = "alpha", y_name = "mean squared error", best = learned "alpha_min", one_se = learned "alpha_1se" }
   elseif learned "score_path" then
      local folds = learned "score_path"
      local se = core.Vector(folds.rows)
      for i = 1, folds.rows do se[i] = folds:row(i):copy():std() / math.sqrt(folds.cols) end
      local x, score = learned "grid_C", learned "mean_score"
      return { x = x, y = score, se = se, ratio = learned "grid_l1_ratio", x_name = "C",
         one_se = one_se_of(x, score, se),
         y_name = model.scoring == "accuracy" and "accuracy" or "negative log loss", best = learned "C" }
   elseif learned "best_score" and learned "scores" and learned "alpha" then
      local given = model.alphas
      return { x = core.Vector(given or { 0.1, 1, 10 }), y = learned "scores" * -1, x_name = "alpha",
         y_name = "mean squared leave-one-out error", best = learned "alpha" }
   end
   fail("model must be a fitted estimator that chooses its penalty by cross-validation, such as LassoCV, got %s",
      estimator.name(model))
end

-- The candidates of one fraction of the L1 penalty, by ascending penalty; candidates <= 0 have no place on the axis.
local function candidates_of(path, ratio)
   local order = {}
   for i = 1, #path.x do
      if (not ratio or path.ratio[i] == ratio) and path.x[i] > 0 then order[#order + 1] = i end
   end
   table.sort(order, function(a, b) return path.x[a] < path.x[b] end)
   local x, y, low, high = {}, {}, {}, {}
   for k, i in ipairs(order) do
      x[k], y[k] = path.x[i], path.y[i]
      if path.se then low[k], high[k] = y[k] - path.se[i], y[k] + path.se[i] end
   end
   return x, y, low, high
end

local function ratios_of(path)
   local list, seen = {}, {}
   for i = 1, path.ratio and #path.ratio or 0 do
      local ratio = path.ratio[i]
      if not seen[ratio] then list[#list + 1] = ratio end
      seen[ratio] = true
   end
   if #list < 2 then return { false } end
   table.sort(list)
   return list
end

local function penalty(model)
   model = inputs.last(inputs.model(model))
   local path = error_path(model)
   local ratios, layers = ratios_of(path), {}
   for k, ratio in ipairs(ratios) do
      local x, y, low, high = candidates_of(path, ratio)
      if path.se and #ratios == 1 then
         layers[#layers + 1] = { kind = "band", x = x, low = low, high = high, color = k }
      end
      layers[#layers + 1] = { kind = "line", x = x, y = y, color = k, markers = #x <= 20,
         name = ratio and ("l1_ratio %.4g"):format(ratio) or nil }
   end
   layers[#layers + 1] = { kind = "rule", at_x = path.best, color = "black", dash = "solid",
      name = ("best: %.4g"):format(path.best) }
   if path.one_se and path.one_se ~= path.best then
      layers[#layers + 1] = { kind = "rule", at_x = path.one_se, color = "black", dash = "dashed",
         name = ("within 1 SE: %.4g"):format(path.one_se) }
   end
   return { title = "Penalties of " .. estimator.name(model),
      caption = path.se and #ratios == 1 and "band: one standard error over the folds" or nil,
      panels = { { x = path.x_name, y = path.y_name, x_log = true, legend = true, layers = layers } } }
end

-- --- search results ---

local function is_mean(name) return name == "mean_score" or name:find "^mean_score_" ~= nil end

-- The names of the parameters of a search: the columns before the first mean score.
local function searched(frame)
   local names = {}
   for _, name in ipairs(frame.names) do
      if is_mean(name) then return names end
      names[#names + 1] = name
   end
   fail("search must be a fitted search such as GridSearch, or its results")
end

-- Results with the mean and standard deviation of one score, which are named mean_score and sd_score, and its name.
local function with_score(frame, score)
   local known, names = {}, searched(frame)
   if parts.place(frame.names, "mean_score") then return frame, score or "score" end
   for _, name in ipairs(frame.names) do known[#known + 1] = name:match "^mean_score_(.*)$" end
   score = score or known[1]
   if not parts.place(known, score) then
      fail("scoring must be a score of the search, %s, got %s%s", parts.texts(known), text(score),
         parts.hint(score, known))
   end
   local columns = {}
   for i, name in ipairs(names) do columns[i] = frame:col(name) end
   for _, start in ipairs { "mean_score", "sd_score" } do
      names[#names + 1], columns[#columns + 1] = start, frame:col(start .. "_" .. score)
   end
   return rows.frame(names, columns), score
end

-- The parameters to draw: as given, else those with several values.
local function chosen_params(frame, o)
   local all = searched(frame)
   if o.params ~= nil then
      local list = type(o.params) == "table" and o.params or { o.params }
      if #list < 1 or #list > 2 then fail("params must be one or two names, got %d", #list) end
      for _, name in ipairs(list) do
         if not parts.place(all, name) then
            fail("params must be of %s, got %s%s", table.concat(all, ", "), text(name), parts.hint(name, all))
         end
      end
      return list
   end
   local out = {}
   for _, name in ipairs(all) do
      local seen, count = {}, 0
      for i = 1, frame.rows do
         local key = tostring(frame[name][i])
         count, seen[key] = count + (seen[key] and 0 or 1), true
      end
      if count > 1 then out[#out + 1] = name end
   end
   if #out == 0 then out[1] = all[1] end
   return table.move(out, 1, math.min(2, #out), 1, {})
end

-- The different values of a parameter, ascending; { value, label }. Labels stay in the order of the search.
local function values_of(frame, name)
   local column, out, seen, is_number = frame[name], {}, {}, rows.kind(frame[name]) == "Vector"
   for i = 1, frame.rows do
      local value = column[i]
      local key = tostring(value)
      if value ~= nil and value == value and not seen[key] then
         seen[key] = true
         out[#out + 1] = { value, is_number and ("%.4g"):format(value) or key }
      end
   end
   if is_number then table.sort(out, function(a, b) return a[1] < b[1] end) end
   return out, is_number
end

local function best_of(frame, greater, matches)
   local best
   for i = 1, frame.rows do
      local score = frame.mean_score[i]
      if score == score and matches(i) and (not best or greater and score > frame.mean_score[best]
         or not greater and score < frame.mean_score[best]) then
         best = i
      end
   end
   return best
end

local function is_wide(values)
   local low, high = values[1][1], values[#values][1]
   return #values > 2 and low > 0 and high / low >= 50
end

local function one_parameter(frame, greater, name, score)
   local values, is_number = values_of(frame, name)
   local x, y, low, high, ticks = {}, {}, {}, {}, {}
   for _, value in ipairs(values) do
      local i = best_of(frame, greater, function(r) return frame[name][r] == value[1] end)
      if i then
         local k, sd = #x + 1, frame.sd_score[i]
         x[k], y[k] = is_number and value[1] or k, frame.mean_score[i]
         low[k], high[k] = y[k] - sd, y[k] + sd
         ticks[k] = { k, value[2] }
      end
   end
   local whiskers = { kind = "segments", x1 = x, y1 = low, x2 = x, y2 = high, color = 1, width = 1.2 }
   local values_layer = { kind = is_number and "line" or "points", x = x, y = y, color = 1 }
   if is_number then values_layer.markers = true end
   return { x = name, y = score, x_log = is_number and is_wide(values) or nil, x_ticks = not is_number and ticks or nil,
      x_range = not is_number and { 0.5, #x + 0.5 } or nil, legend = false, layers = { whiskers, values_layer } }
end

local function two_parameters(frame, greater, names, score)
   local xs, ys = values_of(frame, names[1]), values_of(frame, names[2])
   local z, ticks, best, at = {}, { {}, {} }, nil, nil
   for i, y in ipairs(ys) do
      z[i], ticks[2][i] = {}, { i, y[2] }
      for j, x in ipairs(xs) do
         local r = best_of(frame, greater, function(k)
            return frame[names[1]][k] == x[1] and frame[names[2]][k] == y[1]
         end)
         z[i][j], ticks[1][j] = r and frame.mean_score[r] or 0 / 0, { j, x[2] }
         local v = z[i][j]
         if v == v and (not best or greater and v > best or not greater and v < best) then best, at = v, { j, i } end
      end
   end
   local layers = { { kind = "heat", z = z, cell_text = #xs * #ys <= 120 } }
   if at then
      layers[2] = { kind = "rectangles", x1 = { at[1] - 0.5 }, x2 = { at[1] + 0.5 }, y1 = { at[2] - 0.5 },
         y2 = { at[2] + 0.5 }, color = "red", opacity = 0, width = 3 }
   end
   return { x = names[1], y = names[2], color_label = score, x_ticks = ticks[1], y_ticks = ticks[2],
      x_range = { 0.5, #xs + 0.5 }, y_range = { 0.5, #ys + 0.5 }, layers = layers }
end

-- Parameters with this many values each, of which few pairs were tried, are drawn as points.
local MIN_SCATTERED, MAX_FILLED = 6, 0.4

-- A landscape of two scattered numeric parameters and what it shows; nil for a grid.
local function scattered(frame, greater, names, all, score)
   local xs, x_numeric = values_of(frame, names[1])
   local ys, y_numeric = values_of(frame, names[2])
   if not (x_numeric and y_numeric) or math.min(#xs, #ys) < MIN_SCATTERED then return nil end
   local x, y, scores = frame[names[1]], frame[names[2]], frame.mean_score
   local at = scores:isfinite():mul(x:isfinite()):mul(y:isfinite()):nonzero()
   if #at < 2 or #at > MAX_FILLED * #xs * #ys then return nil end
   local panel, has_map = landscape(x:take(at), y:take(at), scores:take(at), { x_name = names[1], y_name = names[2],
      x_log = is_wide(xs) or nil, y_log = is_wide(ys) or nil, label = score, greater = greater, map = #all == 2 })
   return panel, (has_map and "color: mean of a Gaussian process of the scores; points: candidates"
      or "points: candidates, at other values of the other parameters") .. "; red: the best"
end

-- Are higher values of a score better, if it is one of the library?
local function is_greater(score)
   local known = require("manilius.metrics").scorers[score]
   return known and known.greater
end

-- The results of a search by one score, whether higher ones are better, and the name of the score.
local function results_of(given, o)
   local frame = given
   if not rows.is_frame(given) then frame = estimator.is(given) and estimator.learned(given, "results") end
   if not rows.is_frame(frame) then
      fail("search must be a fitted search such as GridSearch, or its results, got %s", text(given))
   end
   local origin = frame == given and rows.origin(given) or { scoring = given.judge, greater = given.greater }
   local one, score = with_score(frame, o.scoring or origin.scoring)
   local greater = origin.greater
   if score ~= origin.scoring then greater = is_greater(score) end
   return one, parts.flag(o, "greater", greater ~= false), score
end

local function search(given, o)
   local frame, greater, score = results_of(given, o)
   local names, all = chosen_params(frame, o), searched(frame)
   local caption = #names < #all and "best score over the other parameters" or nil
   if #names == 1 then
      caption = "whiskers: one standard deviation over the folds" .. (caption and "; " .. caption or "")
   end
   local panel
   if #names == 1 then
      panel = one_parameter(frame, greater, names[1], score)
   else
      local about
      panel, about = scattered(frame, greater, names, all, score)
      caption = about or caption
      panel = panel or two_parameters(frame, greater, names, score)
   end
   return { title = "Search results", caption = caption, panels = { panel } }
end

-- --- brackets ---

-- The candidates of a bracket as one line each: resource and score, by round.
local function paths_of(history, bracket)
   local paths, order = {}, {}
   for i = 1, #history.bracket do
      local c = history.candidate[i]
      if history.bracket[i] == bracket then
         if not paths[c] then paths[c], order[#order + 1] = { x = {}, y = {} }, c end
         table.insert(paths[c].x, history.resource[i])
         table.insert(paths[c].y, history.mean_score[i])
      end
   end
   return paths, order
end

local function has_finite(list) return core.Vector(list):isfinite():sum() > 0 end

local function bracket_panel(given, bracket, count)
   local history, layers = given.history, {}
   local paths, order = paths_of(history, bracket)
   for _, c in ipairs(order) do
      if c ~= given.best_index and has_finite(paths[c].y) then
         layers[#layers + 1] = { kind = "line", x = paths[c].x, y = paths[c].y, color = "grey", markers = true,
            width = 1 }
      end
   end
   local best = paths[given.best_index]
   if best then
      layers[#layers + 1] = { kind = "line", x = best.x, y = best.y, color = 1, markers = true, width = 2.5 }
   end
   local all, scores = history.resource, history.mean_score
   scores = scores:take(scores:isfinite():nonzero())
   local margin = 0.06 * math.max(scores:max() - scores:min(), 1e-9)
   return { title = count > 1 and ("bracket %d: %d candidates"):format(bracket, #order) or nil,
      x = given.resource or "training rows", y = given.judge, x_log = all:max() / all:min() >= 5, legend = false,
      x_range = { all:min() / 1.15, all:max() * 1.15 },
      y_range = { scores:min() - margin, scores:max() + margin }, layers = layers }
end

local function brackets(given)
   local history = estimator.is(given) and estimator.learned(given, "history")
   if not rows.is_frame(history) then
      fail("search must be a fitted HyperbandSearch, HalvingGridSearch or HalvingRandomSearch, got %s",
         estimator.is(given) and estimator.name(given) or text(given))
   end
   local count, panels = history.bracket:max(), {}
   for b = 1, count do panels[b] = bracket_panel(given, b, count) end
   return { title = "Rounds of " .. estimator.name(given), columns = count > 1 and 2 or 1, aligned = true,
      panels = panels, caption = "one line for each candidate, the best one in color", width = count > 1 and 900 or nil,
      height = count > 1 and 40 + 280 * ((count + 1) // 2) or nil }
end

-- --- pruning ---

local MAX_STEPS = 30

-- At most MAX_STEPS positions of a path of n steps, with the first and the last.
local function steps_of(n)
   local out, count = {}, math.min(n, MAX_STEPS)
   for k = 1, count do out[k] = count > 1 and 1 + (k - 1) * (n - 1) // (count - 1) or 1 end
   return out
end

local function count_leaves(tree)
   local left, count = tree:nodes().left, 0
   for i = 1, #left do count = count + (left[i] == left[i] and 0 or 1) end
   return count
end

local function with_alpha(tree, alpha)
   local copy = estimator.clone(tree)
   estimator.set_params(copy, { ccp_alpha = alpha })
   return copy
end

local function pruning(tree, X, y, o)
   tree = inputs.model(tree)
   if not estimator.can(tree, "cost_complexity_path") then
      fail("tree must be a decision tree with ccp_alpha, such as DecisionTreeClassifier, got %s", estimator.name(tree))
   end
   if y == nil then fail("y must be given after X, got nil") end
   local path = with_alpha(tree, 0):fit(X, y):cost_complexity_path()
   local at, alphas, impurities, leaves = steps_of(#path.ccp_alphas), {}, {}, {}
   for k, i in ipairs(at) do
      alphas[k], impurities[k] = path.ccp_alphas[i], path.impurities[i]
      leaves[k] = count_leaves(with_alpha(tree, alphas[k]):fit(X, y))
   end
   local options = { param = "ccp_alpha", values = alphas }
   for _, name in ipairs { "cv", "scoring", "groups", "threads" } do options[name] = o[name] end
   local found = curves.validation_curve(tree, X, y, options)
   local best, greater = 1, parts.flag(o, "greater", true)
   for k = 2, #alphas do -- the smallest of equally good trees
      local a, b = found.test_mean[k], found.test_mean[best]
      if greater and a >= b or not greater and a <= b then best = k end
   end
   -- The tree without splits needs no space: often its ccp_alpha is far from the others.
   local last, before = alphas[#alphas], alphas[#alphas - 1]
   local x_range = before and before > 0 and last > 3 * before and { 0, 1.3 * before } or nil
   local function steps(values, name, color)
      return { kind = "line", x = alphas, y = values, steps = true, name = name, color = color }
   end
   local rule = { kind = "rule", at_x = alphas[best], color = "grey", dash = "dotted" }
   return { title = "Pruning path of " .. estimator.name(tree), columns = 1, width = 640, height = 720, aligned = true,
      caption = ("dotted: the smallest tree with the best test score, ccp_alpha %.4g, %d leaves"):format(alphas[best],
         leaves[best]),
      panels = { { y = "impurity", x_range = x_range, layers = { steps(impurities, nil, 1), rule } },
         { y = "leaves", x_range = x_range, layers = { steps(leaves, nil, 1), rule } },
         { x = "ccp_alpha", y = type(o.scoring) == "string" and o.scoring or "score", x_range = x_range, legend = true,
            legend_position = "bottom left",
            layers = { steps(found.train_mean, "train", 2), steps(found.test_mean, "test", 1), rule } } } }
end

-- --- definitions ---

return function(module)
   define(module, "penalty", { args = { "model" }, fn = penalty,
      brief = "Cross-validated error over the penalties of LassoCV, RidgeCV and the like.",
      notes = "Lines mark the best penalty, and the strongest penalty within one standard error of it. Accepts "
         .. "LassoCV, ElasticNetCV, RidgeCV and LogisticRegressionCV, also at the end of a pipeline.",
      options = {} })
   define(module, "search", { args = { "search" }, fn = search,
      brief = "Results of a search: the score over one parameter, or over two as a heat map.",
      notes = "Also accepts the Frame search.results. A red border marks the best cell. Values that form no grid, as "
         .. "those of BayesSearch, are points over the mean of a Gaussian process of the scores.",
      options = { params = "one or two names of parameters; default: the first two with several values",
         scoring = "name of the score to draw, of several; default: that by which candidates are ranked",
         greater = "false if lower scores are better; default: as known of the score, else true" } })
   define(module, "brackets", { args = { "search" }, fn = brackets, source = "Li et al., JMLR 18 (2018)",
      brief = "Rounds of a halving search or Hyperband: the score of each candidate over the resource.",
      notes = "One panel for each bracket of HyperbandSearch. Scores on few rows are usually lower: compare candidates "
         .. "at the same resource.",
      options = {} })
   define(module, "pruning", { args = { "tree", "X", "y" }, fn = pruning, source = "Breiman et al. (1984), chapter 3",
      brief = "Pruning path of a tree: impurity, leaves and cross-validated score over ccp_alpha.",
      notes = "At most 30 steps of the path are evaluated.",
      options = { cv = "folds: a number or a splitter; default 5", scoring = "a score; default: that of the model",
         groups = "a label for each row: rows of a group stay together", threads = "default: all cores",
         greater = "false if lower scores are better; default true" } })
end
