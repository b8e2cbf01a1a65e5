--- Boosted trees, forests and decision trees in XGBoost's JSON format.
--
-- A forest is one round of parallel trees. Leaf values are divided by the number of trees, so that the sum is the mean.
-- XGBoost applies a link function to the sum for classification objectives, which does not fit a mean of probabilities.
-- Classification forests are therefore written as a regression (reg:squarederror) of the probability of the second of
-- two classes, or, as several targets, of the probabilities of all classes in their order.
--
-- XGBoost stores X, thresholds and values in float32. Its rows go left if x < threshold, ours if x <= threshold, so the
-- smallest float32 above our threshold is written; float32 values then go the same way in both. For a factor the levels
-- that go right are written. The initial raw predictions are written as trees of one leaf before the others, because
-- the meaning of base_score depends on the version of XGBoost.

local estimator = require "manilius.estimator"

local M = {}

local MAX_FLOAT, MIN_NORMAL, MIN_SUBNORMAL = 0x1.fffffep127, 0x1p-126, 0x1p-149
local NO_PARENT = 2147483647

local function to_float32(x)
   return (string.unpack("<f", string.pack("<f", x)))
end

--- The smallest float32 above x; the largest float32 if there is none.
function M.above(x)
   if x >= MAX_FLOAT then return MAX_FLOAT end
   if x < -MAX_FLOAT then return -MAX_FLOAT end
   local near = to_float32(x)
   if near > x then return near end
   if near == 0 then return MIN_SUBNORMAL end
   local bits = string.unpack("<i4", string.pack("<f", near))
   return (string.unpack("<f", string.pack("<i4", bits + (bits < 0 and -1 or 1))))
end

local function list(format, values)
   local out = {}
   for i, value in ipairs(values) do out[i] = format:format(value) end
   return "[" .. table.concat(out, ",") .. "]"
end

-- XGBoost does not accept integers where it expects reals.
local function reals(values) return list("%.8E", values) end
local function integers(values) return list("%d", values) end

local ESCAPES = { ['"'] = '\\"', ["\\"] = "\\\\", ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t" }

local function text(value)
   return '"' .. value:gsub('[%c"\\]', function(c) return ESCAPES[c] or ("\\u%04x"):format(c:byte()) end) .. '"'
end

-- --- objectives ---

local LINKS = {
   identity = { base = "0E0", objective = '{"name":"reg:squarederror","reg_loss_param":{"scale_pos_weight":"1"}}' },
   poisson = { base = "1E0",
      objective = '{"name":"count:poisson","poisson_regression_param":{"max_delta_step":"0.7"}}' },
   gamma = { base = "1E0", objective = '{"name":"reg:gamma","gamma_regression_param":{}}' },
   tweedie = { base = "1E0",
      objective = '{"name":"reg:tweedie","tweedie_regression_param":{"tweedie_variance_power":"%s"}}' },
   rank = { base = "0E0", objective = '{"name":"rank:ndcg","lambdarank_param":{"lambdarank_num_pair_per_sample":"1",'
      .. '"lambdarank_pair_method":"topk"}}' },
   two = { base = "5E-1", objective = '{"name":"binary:logistic","reg_loss_param":{"scale_pos_weight":"1"}}' },
   many = { base = "0E0", objective = '{"name":"multi:softprob","softmax_multiclass_param":{"num_class":"%d"}}' },
}

-- The link of a model, its objective in JSON, and the factor of its raw predictions.
local function link_of(model, outputs)
   local does, settings = estimator.does(model), model:get_params()
   if does == "rank" then return LINKS.rank, LINKS.rank.objective, 1 end
   if does == "classify" then
      if outputs > 1 then return LINKS.many, LINKS.many.objective:format(outputs), 1 end
      return LINKS.two, LINKS.two.objective, settings.loss == "exponential" and 2 or 1
   end
   local link = LINKS[settings.loss] or LINKS.identity
   return link, link.objective:format(("%.9g"):format(settings.power or 0)), 1
end

-- --- trees ---

-- Codes of the levels on either side, for each node that splits by them: [tree][node] = { left = list, right = list }.
local function levels_of(levels)
   local of = {}
   local tree, node, level, goes_left = levels:col "tree", levels:col "node", levels:col "level", levels:col "goes_left"
   for i = 1, #tree do
      local nodes = of[tree[i]] or {}
      of[tree[i]] = nodes
      nodes[node[i]] = nodes[node[i]] or { left = {}, right = {} }
      table.insert(goes_left[i] == 1 and nodes[node[i]].left or nodes[node[i]].right, level[i] - 1)
   end
   return of
end

local function new_tree()
   return { left = {}, right = {}, parent = { NO_PARENT }, feature = {}, condition = {}, missing_left = {}, cover = {},
      weight = {}, by_levels = {}, categories = {}, nodes = {}, starts = {}, sizes = {} }
end

local function add_leaf(tree, at, value, cover)
   tree.left[at], tree.right[at], tree.feature[at], tree.missing_left[at] = -1, -1, 0, 0
   tree.condition[at], tree.weight[at], tree.cover[at], tree.by_levels[at] = value, value, cover, 0
end

-- XGBoost rejects a split without levels that go right. A split that separates missing values from all levels is
-- therefore mirrored.
local function add_split(tree, at, columns, i, levels)
   local left, right, missing_left = columns.left[i] // 1 | 0, columns.right[i] // 1 | 0, columns.missing_left[i]
   local categories = levels and levels.right
   if categories and #categories == 0 then
      left, right, missing_left, categories = right, left, 1 - missing_left, levels.left
   end
   tree.left[at], tree.right[at], tree.feature[at] = left - 1, right - 1, columns.feature[i] - 1
   tree.parent[left], tree.parent[right] = at - 1, at - 1
   tree.missing_left[at], tree.weight[at], tree.cover[at] = missing_left, 0, columns.cover[i]
   tree.by_levels[at] = categories and 1 or 0
   tree.condition[at] = categories and 0 or M.above(columns.threshold[i])
   if not categories then return end
   local n = #tree.categories
   tree.nodes[#tree.nodes + 1], tree.starts[#tree.starts + 1], tree.sizes[#tree.sizes + 1] = at - 1, n, #categories
   table.move(categories, 1, #categories, n + 1, tree.categories)
end

local function tree_text(tree, id, features)
   local none = {}
   for i = 1, #tree.left do none[i] = 0 end
   return ('{"base_weights":%s,"categories":%s,"categories_nodes":%s,"categories_segments":%s,"categories_sizes":%s,'
      .. '"default_left":%s,"id":%d,"left_children":%s,"loss_changes":%s,"parents":%s,"right_children":%s,'
      .. '"split_conditions":%s,"split_indices":%s,"split_type":%s,"sum_hessian":%s,"tree_param":{"num_deleted":"0",'
      .. '"num_feature":"%d","num_nodes":"%d","size_leaf_vector":"1"}}'):format(reals(tree.weight),
      integers(tree.categories), integers(tree.nodes), integers(tree.starts), integers(tree.sizes),
      integers(tree.missing_left), id, integers(tree.left), reals(none), integers(tree.parent), integers(tree.right),
      reals(tree.condition), integers(tree.feature), integers(tree.by_levels), reals(tree.cover), features, #tree.left)
end

local COLUMNS = { "tree", "node", "left", "right", "feature", "threshold", "missing_left", "cover" }

-- Append the trees of the tables to `out`; value(i) is the value of the leaf in row i.
local function add_trees(given, value, out)
   local columns, by_levels = {}, levels_of(given.levels)
   for _, name in ipairs(COLUMNS) do columns[name] = given.nodes:col(name) end
   for i = 1, #columns.tree do
      local at, nodes = columns.node[i] // 1 | 0, by_levels[columns.tree[i]]
      if at == 1 then out[#out + 1] = new_tree() end
      if columns.left[i] == 0 then
         add_leaf(out[#out], at, value(i), columns.cover[i])
      else
         add_split(out[#out], at, columns, i, nodes and nodes[columns.node[i]])
      end
   end
end

-- --- the model ---

-- Leaf values that overflow in float32, or are all subnormal, cannot be exported.
local function check_range(model, trees)
   local largest = 0
   for _, tree in ipairs(trees) do
      for i, value in ipairs(tree.condition) do
         if tree.left[i] < 0 then largest = math.max(largest, math.abs(value)) end
      end
   end
   if largest == 0 or (largest >= MIN_NORMAL and largest <= MAX_FLOAT) then return end
   error(("%s: leaf values up to %.4g are too %s for XGBoost, which computes in float32; scale y"):format(
      estimator.name(model), largest, largest > MAX_FLOAT and "large" or "small"), 0)
end

local function names_text(names)
   local out = {}
   for i, name in ipairs(names or {}) do out[i] = text(name) end
   return "[" .. table.concat(out, ",") .. "]"
end

-- Rounds with one tree per output; the initial raw predictions come first.
local function boosted(model)
   local outputs, given = #model.start, model:trees()
   local link, objective, scale = link_of(model, outputs)
   local values, cover = given.nodes:col "value", given.nodes:col "cover"
   local e = { trees = {}, info = {}, parallel = 1, round = outputs, base = link.base, objective = objective,
      classes = outputs > 1 and outputs or 0, targets = 1 }
   for c = 1, outputs do
      e.trees[c] = new_tree()
      add_leaf(e.trees[c], 1, scale * model.start[c], cover[1])
   end
   add_trees(given, function(i) return scale * values[i] end, e.trees)
   for i = 1, #e.trees do e.info[i] = (i - 1) % outputs end
   return e
end

-- One round: all trees of the first output, then those of the next.
local function averaged(model)
   local given, out, info = model:trees(), {}, {}
   local tree, values = given.nodes:col "tree", given.values
   local count = tree[#tree] // 1 | 0
   local first = estimator.does(model) == "classify" and values.cols == 2 and 2 or 1
   for c = first, values.cols do
      add_trees(given, function(i) return values:get(i, c) / count end, out)
      for _ = 1, count do info[#info + 1] = c - first end
   end
   return { trees = out, info = info, parallel = count, round = #out, base = LINKS.identity.base,
      objective = LINKS.identity.objective, classes = 0, targets = values.cols - first + 1 }
end

--- The text of a fitted model of the core that has the operation `trees`.
function M.write(model)
   local e = estimator.can(model, "staged") and boosted(model) or averaged(model)
   local texts, starts = {}, {}
   check_range(model, e.trees)
   for i, tree in ipairs(e.trees) do texts[i] = tree_text(tree, i - 1, model.n_features) end
   for i = 0, #e.trees, e.round do starts[#starts + 1] = i end
   return ('{"learner":{"attributes":{},"feature_names":%s,"feature_types":[],"gradient_booster":{"model":{'
      .. '"gbtree_model_param":{"num_parallel_tree":"%d","num_trees":"%d"},"iteration_indptr":%s,"tree_info":%s,'
      .. '"trees":[%s]},"name":"gbtree"},"learner_model_param":{"base_score":"%s","boost_from_average":"0",'
      .. '"num_class":"%d","num_feature":"%d","num_target":"%d"},"objective":%s},"version":[2,1,0]}\n'):format(
      names_text(model.feature_names), e.parallel, #e.trees, integers(starts), integers(e.info),
      table.concat(texts, ",\n"), e.base, e.classes, model.n_features, e.targets, e.objective)
end

return M
