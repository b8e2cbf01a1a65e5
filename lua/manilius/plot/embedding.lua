--- Pictures of embeddings, the coordinates of rows in few dimensions.

local core = require "manilius.core"
local define = require "manilius.plot.define"
local estimator = require "manilius.estimator"
local figure = require "manilius.draw.figure"
local inputs = require "manilius.plot.inputs"
local parts = require "manilius.metrics.parts"
local place_names = require "manilius.plot.layout.place_names"
local points = require "manilius.plot.points"
local rows = require "manilius.rows"

local fail = parts.fail

-- --- arguments ---

-- The coordinates as a Matrix, and a title.
local function read_coordinates(given)
   if not estimator.is(given) then return core.Matrix(rows.plain(inputs.x(given))), "Embedding" end
   local model = inputs.model(given)
   local last = inputs.last(model)
   local embedding = estimator.learned(last, "embedding")
   if not embedding then
      fail("model must be fitted and keep an embedding of its rows, but %s does not; give its transform of X instead",
         estimator.name(last))
   end
   return embedding, inputs.title(model)
end

local function choose_coordinates(embedding, o)
   local count = embedding.cols
   if count < 2 then fail("embedding must have at least two columns, got %d", count) end
   local which = o.components or { 1, 2 }
   if type(which) ~= "table" or #which < 2 or #which > 3 then
      fail("components must be a list of two or three columns, got %s", parts.text(which))
   end
   local columns = {}
   for i, c in ipairs(which) do
      if math.type(c) ~= "integer" or c < 1 or c > count then
         fail("components must be columns from 1 to %d, got %s", count, parts.text(c))
      end
      columns[i] = embedding:col(c):copy()
   end
   return columns, which
end

local MAX_NUMBERED_CLASSES = 12

-- Numbers are labels if they are few different whole ones.
local function are_labels(values)
   return values:isfinite():all() and (values - values:floor()):max() == 0 and #values:unique() <= MAX_NUMBERED_CLASSES
end

-- A Factor, or a Vector of numbers; both nil without y.
local function read_colors(y, o, n)
   local class, value = o.class, o.value
   if y ~= nil then
      if class ~= nil or value ~= nil then fail("y cannot be given together with the options class and value") end
      local kind = rows.kind(y)
      local is_numeric = kind == "Vector" or (kind == "table" and type(y[1]) == "number")
      if is_numeric and not are_labels(core.Vector(y)) then value = y else class = y end
   end
   if class ~= nil and value ~= nil then fail("class and value cannot be given together, both are shown by color") end
   if class ~= nil then class = define.labels(nil, "class", class, n) end
   if value ~= nil then
      value = define.numbers(nil, "value", value)
      parts.same_length("embedding", n, "value", #value)
   end
   return class, value
end

-- --- embedding ---

local MAX_NAMED_ROWS = 200
local ABOVE = 14 -- pixels from the point of a row to its name

-- A group for each row if the labels are names of rows, all different; else nil.
local function named_rows(class, n)
   if not class or #class.levels < n or n > MAX_NAMED_ROWS or n < 2 then return nil end
   local groups = define.groups(class, n, n)
   for _, group in ipairs(groups) do
      if #group.places > 1 then return nil end
   end
   return groups
end

local NAMES = { "map", "legend", "both", "none" }

local function axis_name(c)
   return "coordinate " .. c
end

-- More points of one color hide where most of them are.
local MAX_UNLABELLED = 20000

local function embedding(o, given, y)
   local matrix, title = read_coordinates(given)
   local columns, which = choose_coordinates(matrix, o)
   local x1, x2, x3 = columns[1], columns[2], columns[3]
   local class, value = read_colors(y, o, #x1)
   local names = parts.choice(o, "names", NAMES, "map")
   local many = #x1 > (class and points.MAX_POINTS or MAX_UNLABELLED) and not x3 and not value
   local named = not x3 and named_rows(class, #x1)
   local groups, heat, note = define.groups(not named and class or nil, #x1), nil, nil
   if parts.flag(o, "density", many) then
      if x3 then fail("density must be false with three components") end
      heat, note = points.density(x1, x2)
   end
   local layers = heat and { heat } or points.layers(groups, { x = x1, y = x2, z = x3, value = value }, o)
   local equal = not x3 and parts.flag(o, "equal", true)
   local on_map = class and not x3 and (names == "map" or names == "both")
   if on_map then
      layers[#layers + 1] = place_names(named or groups, x1, x2, equal, o.width, o.height, named and ABOVE or 0)
   end
   local legend = not named and (names == "legend" or names == "both" or (x3 ~= nil and names == "map"))
   local fig = define.figure(o, { title = title, x = axis_name(which[1]), y = axis_name(which[2]),
      z = x3 and axis_name(which[3]), equal = equal, legend = class ~= nil and not heat and legend,
      color_label = heat and "log10(points per cell)" or o.color_label, layers = layers })
   return note and figure.with_remark(fig, note) or fig -- empty cells need no note
end

return function(module)
   define.define(module, "embedding", { args = { "embedding", "y" }, axes = true, fn = embedding,
      brief = "Map of rows in two or three coordinates, colored by labels or by numbers.",
      notes = "Accepts a Matrix of coordinates, or a fitted model with an embedding, such as MDS. y are labels, or "
         .. "numbers; up to 12 different whole numbers are labels. The names of labels are written where their rows "
         .. "are densest, without overlap; labels that all differ name up to 200 rows. The axes have the same scale.",
      options = { class = "labels of the rows, in place of y",
         value = "numbers of the rows, in place of y, shown by a palette",
         components = "two or three columns of the embedding; default { 1, 2 }",
         names = "where the names of labels are: 'map' (default), 'legend', 'both' or 'none'",
         density = "true: draw the number of points per cell instead of points; default: true above 20,000 points "
            .. "without labels, 100,000 with labels; false with numbers",
         equal = "false: the axes may have different scales; default true",
         size = "size of the points; default by their number", opacity = "0 to 1",
         palette = "palette of value: 'sequential' (default), 'blues' or 'diverging'",
         color_label = "name and unit of value" } })
end
