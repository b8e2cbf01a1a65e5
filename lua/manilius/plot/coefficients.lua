--- Plots of the coefficients of linear models, of feature importances and of regularization paths.

local core = require "manilius.core"
local bar_labels = require "manilius.draw.bar_labels"
local define = require "manilius.plot.diagnose"
local estimator = require "manilius.estimator"
local importance_table = require "manilius.select.importance_table"
local inputs = require "manilius.plot.inputs"
local parts = require "manilius.metrics.parts"
local rows = require "manilius.rows"

local fail, text = parts.fail, parts.text

-- --- coefficients ---

-- The coefficients of a linear model as a list of Vectors, one for each target or class.
local function coefficient_rows(last)
   local coef = estimator.learned(last, "coef")
   if coef == nil then fail("model must be a fitted linear model, but %s has no coef", estimator.name(last)) end
   local values = parts.numbers("coef", coef)
   if rows.kind(values) == "Vector" then return { values } end
   local out = {}
   for i = 1, values.rows do out[i] = values:row(i):copy() end
   return out
end

-- The names of the rows of coefficients: classes, or targets if there are several.
local function row_names(last, count)
   local classes = estimator.learned(last, "classes")
   local out = {}
   for i = 1, count do
      out[i] = classes and #classes == count and tostring(classes[i]) or count > 1 and "target " .. i or nil
   end
   return out
end

local function chosen_row(last, list, o)
   local target = parts.whole(o, "target", 1, 1)
   if target > #list then fail("target must be from 1 to %d, got %d", #list, target) end
   return list[target], row_names(last, #list)[target]
end

-- The positions of the values in descending order of size(value), by default the absolute value.
local function by_size(values, size)
   local order = {}
   size = size or math.abs
   for i = 1, #values do order[i] = i end
   table.sort(order, function(a, b)
      local x, y = size(values[a]), size(values[b])
      if x ~= y then return x > y end
      return a < b
   end)
   return order
end

-- --- bars ---

local function bar_panel(names, values, low, high, o, title)
   local count = math.min(parts.whole(o, "top", 20, 1), #values)
   local order = table.move(by_size(values, o.size), 1, count, 1, {})
   if not parts.flag(o, "sort", true) then table.sort(order) end
   local at, y, y_low, y_high, ticks = {}, {}, {}, {}, {}
   for place, i in ipairs(order) do
      at[place], y[place] = count + 1 - place, values[i]
      y_low[place], y_high[place] = low and low[i], high and high[i]
      ticks[place] = { at[place], names[i] }
   end
   return { title = title, x = o.label or "coefficient", y_ticks = ticks, y_range = { 0.4, count + 0.6 },
      layers = {
         { kind = "bars", x = at, y = y, low = low and y_low, high = high and y_high, horizontal = true,
            labels = bar_labels.of(y), width = 0.7, color = 1 },
         { kind = "rule", at_x = 0, color = "black", dash = "solid", width = 1 },
      } },
      #values - count
end

local function bar_height(count)
   return math.max(240, 130 + 22 * count)
end

-- The intervals of the coefficients without the intercept, low, high and kind; nil if the model's summary has none.
local function intervals(last, o, values)
   if o.level ~= nil and not (type(o.level) == "number" and o.level > 0 and o.level < 1) then
      fail("level must be a number between 0 and 1, got %s", text(o.level))
   end
   local class = estimator.class_of(last)
   if class and class.name == "FormulaModel" then last = last.model end
   if rows.kind(last) ~= "Model" or not estimator.can(last, "summary") then return nil end
   local ok, table_of = rows.try(function()
      return last:summary({ level = o.level, target = o.target }).coefficients
   end)
   if not ok or not rows.is_frame(table_of) or #table_of.term < #values then return nil end
   local columns = {}
   for _, name in ipairs(table_of.names) do columns[name] = true end
   if not (columns.low and columns.high) then return nil end
   local low, high, first = {}, {}, #table_of.term - #values
   for i = 1, #values do
      if table_of.estimate[first + i] ~= values[i] then return nil end -- rows differ, as with an offset
      low[i], high[i] = table_of.low[first + i], table_of.high[first + i]
      if low[i] ~= low[i] then return nil end -- no interval, as for collinear columns or a penalty
   end
   return low, high, columns.p and "confidence" or "posterior"
end

local MAX_PANELS = 6

local function coefficients(model, o)
   model = inputs.model(model)
   local last = inputs.last(model)
   local list = coefficient_rows(last)
   local names = inputs.feature_names(model, #list[1])
   if #list > 1 and o.target == nil then
      local titles, panels, hidden = row_names(last, #list), {}, nil
      for i = 1, math.min(#list, MAX_PANELS) do
         panels[i], hidden = bar_panel(names, list[i], nil, nil, o, titles[i])
      end
      local left = #list - #panels
      return { title = "Coefficients of " .. inputs.title(model), panels = panels,
         columns = #panels <= 3 and #panels or 3, width = 320 + 300 * math.min(#panels, 3),
         height = bar_height(#list[1] - hidden) * math.ceil(#panels / 3),
         caption = left > 0 and ("the first %d of %d; select others with target"):format(#panels, #list) or nil }
   end
   local values, title = chosen_row(last, list, o)
   local low, high, kind = intervals(last, o, values)
   local panel, hidden = bar_panel(names, values, low, high, o, title)
   local caption = low and ("whiskers: %g%% %s intervals"):format(100 * (o.level or 0.95), kind) or nil
   if hidden > 0 then
      caption = (caption and caption .. "; " or "") .. ("the %d largest of %d"):format(#values - hidden, #values)
   end
   return { title = "Coefficients of " .. inputs.title(model), caption = caption, panels = { panel },
      height = bar_height(#values - hidden) }
end

-- --- importances ---

-- The mean of each column, and the mean minus and plus the standard deviation.
local function summarize_repeats(matrix)
   local mean, low, high = {}, {}, {}
   for j = 1, matrix.cols do
      local column = matrix:col(j):copy()
      local sd = matrix.rows > 1 and column:std() or 0
      mean[j] = column:mean()
      low[j], high[j] = mean[j] - sd, mean[j] + sd
   end
   return core.Vector(mean), low, high
end

-- The out-of-bag importances of a forest and the ends of their whiskers; nil if it has none. The standard error of a
-- single tree is nan.
local function oob_importance(model)
   local values, se = estimator.learned(model, "permutation_importances"), estimator.learned(model, "permutation_se")
   if values == nil or #values == 0 then return nil end
   local low, high = {}, {}
   for j = 1, #values do
      local whisker = se[j] == se[j] and se[j] or 0
      low[j], high[j] = values[j] - whisker, values[j] + whisker
   end
   return values, low, high
end

-- The importances that a model has learned: names, values, ends of the whiskers or nil, title, label of the values,
-- label of the whiskers.
local function learned_importance(model)
   model = inputs.model(model)
   local last = inputs.last(model)
   local values, low, high = oob_importance(last)
   if values then
      return inputs.feature_names(model, #values), values, low, high,
         "Permutation importance in " .. inputs.title(model),
         "increase in out-of-bag loss when the column is shuffled", "one standard error over trees"
   end
   values = estimator.learned(last, "feature_importances")
   if values == nil then
      fail("model must have feature_importances, but %s does not have it; use a result of ml.permutation_importance",
         estimator.name(last))
   end
   local std = estimator.learned(last, "importances_std")
   if std then
      low, high = {}, {}
      for j = 1, #values do low[j], high[j] = math.max(values[j] - std[j], 0), values[j] + std[j] end
   end
   return inputs.feature_names(model, #values), values, low, high, "Importance in " .. inputs.title(model),
      "importance", "one standard deviation over trees"
end

local function importance(names, values, o)
   local label, title, caption, low, high = "importance", "Importance", nil, o.low, o.high
   if values == nil and importance_table.is(names) then
      label = (names.greater and "decrease in " or "increase in ") .. names.scoring
      title, caption, low, high = importance_table.picture(names)
      names, values = names.features, names.importance
   elseif values == nil then
      names, values, low, high, title, label, caption = learned_importance(names)
      caption = low and "whiskers: " .. caption or nil
   end
   local numbers, n, cols = parts.numbers("values", values)
   local mean = numbers
   if cols > 1 or rows.kind(numbers) == "Matrix" and #names == cols then
      mean, low, high = summarize_repeats(core.Matrix(numbers))
      caption = ("mean and standard deviation of %d repeats"):format(n)
   end
   if rows.kind(mean) == "Matrix" then mean = mean:flatten() end
   if type(names) ~= "table" or #names ~= #mean then
      fail("names must be a list of %d strings, got %s", #mean, type(names) == "table" and "a list of " .. #names
         or text(names))
   end
   if (low == nil) ~= (high == nil) then fail("low and high must be given together") end
   if low and (#low ~= #mean or #high ~= #mean) then
      fail("low and high must have %d values, got %d and %d", #mean, #low, #high)
   end
   -- Negative importances are noise, and come last.
   local options = { top = o.top, sort = o.sort, label = label, size = function(value) return value end }
   local panel, hidden = bar_panel(names, mean, low, high, options)
   if hidden > 0 then
      caption = (caption and caption .. "; " or "") .. ("the %d largest of %d"):format(#mean - hidden, #mean)
   end
   return { title = title, caption = caption, panels = { panel }, height = bar_height(#mean - hidden) }
end

-- --- evidence of naive Bayes ---

local MAX_LABEL = 21 -- characters that fit beside a bar

-- "column = level". The name of the column is shortened in the middle, since names often differ at their ends only.
local function value_name(feature, level)
   local room, length = MAX_LABEL - 3 - (utf8.len(level) or #level), utf8.len(feature)
   if length and length > room and room > 4 then
      local tail = (room - 1) // 2
      feature = feature:sub(1, utf8.offset(feature, room - tail) - 1) .. "\u{2026}"
         .. feature:sub(utf8.offset(feature, -tail))
   end
   return feature .. " = " .. level
end

-- The rows of class `label` in the Frame of a summary: names and values.
local function evidence_of(frame, label, measure, features)
   local names, values = {}, {}
   for i = 1, #frame.class do
      if frame.class[i] == label then
         local feature = features[frame.column[i]]
         local level = parts.place(frame.names, "value") and tostring(frame.value[i])
         names[#names + 1] = level and value_name(feature, level) or feature
         values[#values + 1] = frame[measure][i]
      end
   end
   return names, values
end

local function evidence(model, o)
   model = inputs.model(model)
   local last = inputs.last(model)
   local top = parts.whole(o, "top", 10, 1)
   local ok, found = rows.try(function() return last:summary { top = top } end)
   local frame = ok and type(found) == "table" and rawget(found, "evidence")
   if not rows.is_frame(frame) then
      fail("model must be a fitted naive Bayes classifier, got %s", estimator.name(last))
   end
   local measure = parts.place(frame.names, "log_odds") and "log_odds" or "information"
   local features = inputs.feature_names(model, estimator.learned(last, "n_features"))
   local panels, levels = {}, frame.class.levels
   for c = 1, math.min(#levels, MAX_PANELS) do
      local names, values = evidence_of(frame, levels[c], measure, features)
      panels[c] = bar_panel(names, core.Vector(values), nil, nil, { top = top, label = "log-odds" }, levels[c])
   end
   local columns = #panels <= 3 and #panels or 3
   return { title = "What speaks for each class of " .. inputs.title(model), panels = panels, columns = columns,
      caption = measure == "log_odds" and "change of the log-odds of a class by each value"
         or "mean change of the log-odds by the column over the rows of a class",
      width = 200 + 400 * columns, height = bar_height(math.min(top, #frame.class // #levels))
         * math.ceil(#panels / columns) }
end

-- --- paths ---

local function ends_with(name, param)
   return name == param or name:sub(-#param - 2) == "__" .. param
end

-- The name of the penalty parameter.
local function penalty_parameter(model, o)
   local names = parts.sorted_keys(estimator.get_params(model))
   if o.param ~= nil then
      if not parts.place(names, o.param) then
         fail("param must be a parameter of %s, got %s%s", estimator.name(model), text(o.param),
            parts.hint(o.param, names))
      end
      return o.param
   end
   for _, wanted in ipairs { "alpha", "C" } do
      for _, name in ipairs(names) do
         if ends_with(name, wanted) then return name end
      end
   end
   fail("model must have the parameter alpha or C, but %s does not have it; set param, and alphas to its values",
      estimator.name(model))
end

local function is_inverse(param)
   return ends_with(param, "C")
end

local function default_grid(param)
   local out = {}
   for i = 0, 49 do out[i + 1] = 10 ^ ((is_inverse(param) and -4 or -3) + (is_inverse(param) and 6 or 8) * i / 49) end
   return out
end

local function sorted_list(alphas)
   local values = parts.numbers("alphas", alphas)
   if rows.kind(values) == "Matrix" then values = values:flatten() end
   if #values < 2 then fail("alphas must hold at least two values, got %d", #values) end
   return values:sort()
end

local function positive_list(alphas)
   local values = sorted_list(alphas)
   if values[1] <= 0 then fail("alphas must be > 0, because their axis is logarithmic, got %g", values[1]) end
   return values
end

-- Estimators that choose the penalty by cross-validation: the one with a given penalty, its parameter, and the learned
-- fields with the candidates.
local FIXED = {
   LassoCV = { "Lasso", "alpha", "grid_alpha" }, ElasticNetCV = { "ElasticNet", "alpha", "grid_alpha" },
   RidgeCV = { "Ridge", "alpha" }, LogisticRegressionCV = { "LogisticRegression", "C", "grid_C" },
}

-- For a fitted estimator of FIXED: the same model with the chosen penalty, X as the last step of a pipeline sees it,
-- and the candidates between which it was chosen, nil if the default grid shows more.
local function with_fixed_penalty(model, X)
   local last = inputs.last(model)
   local fixed = FIXED[estimator.name(last)]
   if not fixed then return model, X, nil end
   if not last.fitted then fail("model must be fitted, got an unfitted %s", estimator.name(last)) end
   local plain, params = core.constructors[fixed[1]] {}, { [fixed[2]] = last[fixed[2]] }
   local own = estimator.get_params(last)
   for name in pairs(estimator.get_params(plain)) do
      if own[name] ~= nil and own[name] ~= core.unset then params[name] = own[name] end
   end
   if fixed[3] then params.l1_ratio = fixed[1] ~= "Lasso" and last.best_l1_ratio or nil end
   estimator.set_params(plain, params)
   local grid = fixed[3] and core.Vector(last[fixed[3]]):unique()
   return plain, inputs.prepared(model, X), grid and #grid > 1 and grid[1] > 0 and grid or nil
end

-- The coefficients of a refit for each alpha as rows, the names of the features, and the class or target.
local function refits(model, X, y, param, alphas, o)
   local out, names, class = {}, nil, nil
   for i = 1, #alphas do
      local clone = estimator.clone(model)
      estimator.set_params(clone, { [param] = alphas[i] })
      clone:fit(X, y)
      local last = inputs.last(clone)
      local values, name = chosen_row(last, coefficient_rows(last), o)
      out[i], class = values:totable(), name
      names = names or inputs.feature_names(clone, #values)
   end
   return core.Matrix(out), names, class
end

local MAX_NAMES = 8

local function path_layers(alphas, coef, names, o)
   local size = {}
   for j = 1, coef.cols do size[j] = coef:col(j):copy():abs():max() end
   local gray, colored, top = {}, {}, parts.whole(o, "top", MAX_NAMES, 1)
   for place, j in ipairs(by_size(size)) do
      local layer = { kind = "line", x = alphas, y = coef:col(j):copy() }
      if place <= top then
         layer.name, layer.color = names[j], place
         colored[#colored + 1] = layer
      else
         layer.color, layer.width = "lightgrey", 1
         gray[#gray + 1] = layer
      end
   end
   return table.move(colored, 1, #colored, #gray + 1, gray)
end

local GRAY = "gray: the %d smallest coefficient%s"

local function path_figure(alphas, coef, names, label, at, title, o)
   local layers = path_layers(alphas, coef, names, o)
   table.insert(layers, 1, { kind = "rule", at_y = 0, color = "grey", dash = "dotted" })
   if at and at >= alphas[1] and at <= alphas[#alphas] then
      layers[#layers + 1] = { kind = "rule", at_x = at, color = "black", dash = "dashed" }
   else
      at = nil
   end
   local hidden = coef.cols - math.min(coef.cols, o.top or MAX_NAMES)
   local caption = {}
   if at then caption[1] = ("vertical line: %s of the model, %.4g"):format(label, at) end
   if hidden > 0 then
      caption[#caption + 1] = GRAY:format(hidden, hidden == 1 and "" or "s")
   end
   return { title = title, caption = #caption > 0 and table.concat(caption, "; ") or nil,
      panels = { { x = label, y = "coefficient", x_log = alphas[1] > 0, legend = true, layers = layers } } }
end

local function given_path(alphas, coef, o)
   local values = sorted_list(alphas)
   if values[1] < 0 then fail("alphas must be at least 0, got %g", values[1]) end
   local matrix, n, cols = parts.numbers("coef", coef)
   matrix = core.Matrix(matrix)
   if n ~= #alphas then fail("coef must have %d rows, one for each alpha, got %d", #alphas, n) end
   local order = core.Vector(alphas):argsort()
   local names = o.names or {}
   local texts = {}
   for j = 1, cols do texts[j] = names[j] or "x" .. j end
   return path_figure(values, matrix:take(order), texts, o.param or "alpha", nil, "Coefficient path", o)
end

local function path_of_refits(model, second, third, o)
   if second == nil then fail("X and y must be given, because the model is refitted for each penalty, got nil") end
   local X, y = inputs.data(second, third, model)
   if y == nil then fail("y must be given after X, got nil") end
   local plain, prepared, grid = with_fixed_penalty(model, X)
   local param = penalty_parameter(plain, o)
   local alphas = positive_list(o.alphas or grid or default_grid(param))
   local coef, names, class = refits(plain, prepared, y, param, alphas, o)
   local own = estimator.get_params(plain)[param]
   if plain ~= model then names = inputs.feature_names(model, coef.cols) end
   local title = "Coefficient path of " .. inputs.title(model) .. (class and ", " .. class or "")
   return path_figure(alphas, coef, names, param:match "__([^_].*)$" or param, type(own) == "number" and own or nil,
      title, o)
end

-- The alphas and coefficients of a result of model:path(X, y), or of a fitted Lars; nil for anything else.
local function known_path(first, second)
   if type(first) == "table" and rawget(first, "alphas") and rawget(first, "coefs") then
      return first.alphas, first.coefs
   end
   if second ~= nil or not estimator.is(first) then return nil end
   local last = inputs.last(inputs.model(first))
   return estimator.learned(last, "alphas"), estimator.learned(last, "coef_path")
end

local function coef_path(first, second, third, o)
   local alphas, coef = known_path(first, second)
   if coef then
      local model = estimator.is(first) and inputs.model(first)
      local names = o.names or model and inputs.feature_names(model, coef.cols)
      return given_path(alphas, coef, { names = names, param = o.param, top = o.top })
   end
   if not estimator.is(first) then return given_path(first, second, o) end
   return path_of_refits(inputs.model(first), second, third, o)
end

local TOP = "maximum number of bars, largest first; default 20"

return function(module)
   define(module, "coefficients", { args = { "model" }, fn = coefficients,
      brief = "Bar plot of the coefficients of a linear model, with intervals if available.",
      notes = "Standardize columns with different units before fitting.",
      options = { target = "target or class if there are several; default: all", top = TOP,
         level = "confidence level of the intervals; default 0.95", sort = "false: keep the order of the columns",
         label = "label of the axis; default 'coefficient'" } })
   define(module, "importance", { args = { "names", "values" }, data_args = 1, fn = importance,
      brief = "Bar plot of feature importances with error bars, largest first.",
      notes = "values holds a number for each name, or is a Matrix with a row for each repeat and a column for each "
         .. "name, drawn as mean and standard deviation. Also accepts a result of ml.permutation_importance, or a "
         .. "fitted model with feature_importances; forests fitted with oob_importance = true show their "
         .. "permutation_importances with standard errors.",
      options = { low = "lower ends of the error bars", high = "upper ends of the error bars", top = TOP,
         sort = "false: keep the given order" } })
   define(module, "evidence", { args = { "model" }, data_args = 1, fn = evidence,
      brief = "What speaks for each class of a naive Bayes classifier.",
      notes = "Bars are the log-odds of values (MultinomialNB, ComplementNB, BernoulliNB, CategoricalNB), or their "
         .. "mean over the rows of a class for columns (GaussianNB, MixedNB), as in summary. Earlier steps of a "
         .. "pipeline give the names of the features, such as words.",
      options = { top = "number of bars for each class, largest first; default 10" } })
   define(module, "coef_path", { args = { "model", "X", "y" }, data_args = 1, fn = coef_path,
      brief = "Regularization path: coefficients against the penalty.",
      notes = "The model is refitted for each value. LassoCV, ElasticNetCV, RidgeCV and LogisticRegressionCV must be "
         .. "fitted; the line marks the penalty that they chose. Also accepts a result of model:path(X, y), a fitted "
         .. "Lars, or "
         .. "alphas and a Matrix of coefficients with a row for each. The axis is linear if alpha = 0 occurs.",
      options = { alphas = "values of the parameter; default: 50 from 1e-3 to 1e5 (C: 1e-4 to 100)",
         param = "name of the parameter; default: alpha or C, also of the last step of a pipeline",
         target = "target or class if there are several; default 1",
         top = "number of coefficients with a name and a color, largest first; default 8",
         names = "with a Matrix: names of its columns" },
      source = "Hastie, Tibshirani & Friedman (2009), section 3.4" })
end
