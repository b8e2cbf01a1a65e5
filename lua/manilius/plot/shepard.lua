--- The Shepard diagram: how well distances in an embedding agree with the given ones.

local core = require "manilius.core"
local define = require "manilius.plot.define"
local estimator = require "manilius.estimator"
local figure = require "manilius.draw.figure"
local inputs = require "manilius.plot.inputs"
local parts = require "manilius.metrics.parts"
local points = require "manilius.plot.points"
local rows = require "manilius.rows"

local fail = parts.fail

-- The embedding as a Matrix, and the model if there is one.
local function read_embedding(given)
   if not estimator.is(given) then return core.Matrix(rows.plain(inputs.x(given))), nil end
   local last = inputs.last(inputs.model(given))
   local embedding = estimator.learned(last, "embedding")
   if not embedding then
      fail("model must be fitted and keep an embedding of its rows, but %s does not; give its transform of X instead",
         estimator.name(last))
   end
   return embedding, last
end

-- Rows at equal steps, at most `most`.
local function some_rows(n, most)
   local step, places = math.max(1, math.ceil(n / most)), {}
   for i = 1, n, step do places[#places + 1] = i end
   return places
end

-- The given distances between the chosen rows of X, and the name of their axis.
local function given_distances(o, model, X, places)
   local params = model and estimator.get_params(model) or {}
   local metric = o.metric or params.metric or "euclidean"
   if model and estimator.can(model, "geodesic_distances") and not o.metric then
      local all = model:geodesic_distances():take(places)
      local out = {}
      for i = 1, #places do out[i] = all[i]:take(places) end
      return core.Matrix(out), "geodesic distance"
   end
   if metric == "precomputed" then
      local all = core.Matrix(rows.plain(X))
      local out = {}
      for i, row in ipairs(places) do out[i] = all[row]:take(places) end
      return core.Matrix(out), "given distance"
   end
   local chosen = core.Matrix(rows.plain(X)):take(places)
   return require "manilius".pairwise_distances(chosen, nil, { metric = metric, p = params.p,
      covariance = params.covariance }), metric .. " distance"
end

-- The lower triangle of a matrix as a Vector.
local function pairs_of(D)
   local out = {}
   for i = 2, D.rows do
      local row = D[i]
      for j = 1, i - 1 do out[#out + 1] = row[j] end
   end
   return core.Vector(out)
end

-- The monotone function of non-metric scaling, or the line of equal distances.
local function reference(model, x)
   local knots = model and estimator.learned(model, "x_thresholds")
   if knots and #knots > 0 then
      return { kind = "line", x = knots, y = estimator.learned(model, "y_thresholds"), color = 2, name = "disparities" }
   end
   local low, high = math.min(0, x:min()), x:max()
   return { kind = "line", x = { low, high }, y = { low, high }, color = "grey", dash = "dashed",
      name = "equal distances" }
end

local function correlation(x, y)
   local a, b = x - x:mean(), y - y:mean()
   local scale = math.sqrt(a:dot(a) * b:dot(b))
   return scale > 0 and a:dot(b) / scale or 0 / 0
end

local function shepard(o, given, X)
   local embedding, model = read_embedding(given)
   if X == nil then fail("X must be given after model, got nil") end
   X = inputs.x(X)
   parts.same_length("embedding", embedding.rows, "X", rows.count(X))
   if embedding.rows < 2 then fail("embedding must have at least two rows, got %d", embedding.rows) end
   local places = some_rows(embedding.rows, parts.whole(o, "rows", 400, 2))
   local D, axis = given_distances(o, model, X, places)
   local x, y = pairs_of(D), pairs_of(require "manilius".pairwise_distances(embedding:take(places)))
   local heat, note
   if parts.flag(o, "density", #x > points.MAX_POINTS) then heat, note = points.density(x, y) end
   local layer = heat or { kind = "points", x = x, y = y, color = 1, opacity = o.opacity or 0.4,
      size = o.size or 0.4 }
   local stress = model
      and (estimator.learned(model, "normalized_stress") or estimator.learned(model, "stress"))
   local caption = ("%scorrelation %.3f%s"):format(stress and ("stress %.3f; "):format(stress) or "", correlation(x, y),
      #places < embedding.rows and ("; %d of %d rows"):format(#places, embedding.rows) or "")
   local fig = define.figure(o, { title = "Shepard diagram", x = axis, y = "distance in the embedding",
      caption = caption:gsub("^%l", string.upper) .. ".", legend = true, legend_position = "top left",
      color_label = heat and "log10(pairs per cell)" or nil,
      layers = { layer, reference(model, x) } })
   return note and figure.with_remark(fig, (note:gsub("points", "pairs"))) or fig
end

return function(module)
   define.define(module, "shepard", { args = { "model", "X" }, axes = true, fn = shepard,
      brief = "Shepard diagram: distances in an embedding against the given ones, for pairs of rows.",
      notes = "Accepts a fitted model with an embedding, such as MDS, or a Matrix of coordinates, and X. Distances are "
         .. "in the metric of the model; for Isomap geodesic ones. Non-metric scaling has its monotone function drawn, "
         .. "others the line of equal distances.",
      options = { metric = "metric of pairwise_distances, or 'precomputed': X has the distances; default: of the model",
         rows = "maximum number of rows, at equal steps; default 400",
         density = "true: draw the number of pairs per cell instead of points; default: true above 100,000 pairs",
         size = "size of the points", opacity = "0 to 1" },
      source = "Shepard, Psychometrika 27 (1962); Borg & Groenen (2005), section 3.3" })
end
