--- The columns that one variable of a formula stands for: contrasts of labels, polynomials, splines.
--
-- What the rows of the fit decide about them is learned once, as numbers.
-- @module manilius.formula.basis

local core = require "manilius.core"
local formula = require "manilius.formula"
local values = require "manilius.formula.values"
local words = require "manilius.text"

local M = {}

local fail, written = formula.fail, formula.written

-- A setting that is a whole number within bounds; nil where it is not given.
local function whole(node, name, arg, low, high)
   if arg == nil then return nil end
   local value = values.constant(arg)
   if type(value) ~= "number" or value % 1 ~= 0 or value < low or value > high then
      fail("%s: the %s must be a whole number from %d to %d", written(node), name, low, high)
   end
   return math.tointeger(value)
end

-- --- polynomials ---

-- Orthogonal polynomials by their recurrence, with the constants of the rows of the fit (Kennedy & Gentle, Statistical
-- Computing (1980), section 8.1).
local function orthogonal(x, degree)
   local before, now = core.Vector(#x), core.Vector(#x) + 1
   local constants = { alpha = {}, norm2 = {} }
   local norm2_before = 1
   for d = 1, degree + 1 do
      local norm2 = now:dot(now)
      local alpha = x:mul(now):dot(now) / norm2
      constants.alpha[d], constants.norm2[d] = alpha, norm2
      before, now = now, (x - alpha):mul(now) - before * (norm2 / norm2_before)
      norm2_before = norm2
   end
   return constants
end

local function orthogonal_columns(x, degree, constants)
   local out = {}
   local before, now = core.Vector(#x), core.Vector(#x) + 1
   local norm2_before = 1
   for d = 1, degree do
      local norm2 = constants.norm2[d]
      before, now = now, (x - constants.alpha[d]):mul(now) - before * (norm2 / norm2_before)
      norm2_before = norm2
      out[d] = now / math.sqrt(constants.norm2[d + 1])
   end
   return out
end

local poly = {}

function poly.learn(x, node)
   local given = values.arguments(node, "x", "degree", "raw")
   local degree = whole(node, "degree", given.degree, 1, 100) or 1
   if values.flag(node, given.raw) then return { degree = degree, raw = true } end
   local distinct = #x:unique()
   if degree >= distinct then
      fail("%s: the degree must be below the number of distinct values, %d", written(node), distinct)
   end
   return { degree = degree, raw = false, constants = orthogonal(x, degree) }
end

function poly.columns(x, learned)
   if not learned.raw then return orthogonal_columns(x, learned.degree, learned.constants) end
   local columns = {}
   for d = 1, learned.degree do columns[d] = x ^ d end
   return columns
end

-- --- splines ---

-- B-splines of a degree on knots, or a derivative of them: one column for each. Beyond the outer knots the polynomials
-- of the outer intervals go on. De Boor, A Practical Guide to Splines (1978), chapter 10.
local function splines(x, knots, degree, derivative)
   local n = #knots - degree - 1
   if derivative > 0 then
      local lower, out = splines(x, knots, degree - 1, derivative - 1), {}
      for i = 1, n do
         local left, right = knots[i + degree] - knots[i], knots[i + degree + 1] - knots[i + 1]
         out[i] = core.Vector(#x)
         if left > 0 then out[i] = out[i] + lower[i] * (degree / left) end
         if right > 0 then out[i] = out[i] - lower[i + 1] * (degree / right) end
      end
      return out
   end
   if degree == 0 then
      local out = {}
      for i = 1, n do
         local there = core.Vector(#x)
         if knots[i] < knots[i + 1] then
            there = there + 1
            if knots[i] > knots[1] then there = there:mul(x:ge(knots[i])) end
            if knots[i + 1] < knots[#knots] then there = there:mul(x:lt(knots[i + 1])) end
         end
         out[i] = there
      end
      return out
   end
   local lower, out = splines(x, knots, degree - 1, 0), {}
   for i = 1, n do
      local left, right = knots[i + degree] - knots[i], knots[i + degree + 1] - knots[i + 1]
      out[i] = core.Vector(#x)
      if left > 0 then out[i] = out[i] + ((x - knots[i]) / left):mul(lower[i]) end
      if right > 0 then out[i] = out[i] + ((knots[i + degree + 1] - x) / right):mul(lower[i + 1]) end
   end
   return out
end

-- The outer knots, each as often as the order, about inner ones: those given, or quantiles of the rows within.
local function learn_knots(x, node, given, degree, inner)
   local outer = given["Boundary.knots"] and values.constants(given["Boundary.knots"]) or { x:min(), x:max() }
   if #outer ~= 2 or outer[1] >= outer[2] then
      fail("%s: two outer knots are needed, the second above the first", written(node))
   end
   local list, within = {}, x:take(core.Vector(M.places(x:ge(outer[1]):mul(x:le(outer[2])))))
   if given.knots then
      list = values.constants(given.knots)
   else
      for i = 1, inner do list[i] = within:quantile(i / (inner + 1)) end
   end
   table.sort(list)
   for _, knot in ipairs(list) do
      if not (outer[1] < knot and knot < outer[2]) then
         fail("%s: the knot %g does not lie between the outer ones, %g and %g", written(node), knot, outer[1], outer[2])
      end
   end
   for _ = 0, degree do
      table.insert(list, 1, outer[1])
      list[#list + 1] = outer[2]
   end
   return list
end

--- The places of the rows where a Vector is not 0.
function M.places(mask)
   local out = {}
   for i = 1, #mask do
      if mask[i] ~= 0 then out[#out + 1] = i end
   end
   return out
end

local function without_first(list)
   return table.move(list, 2, #list, 1, {})
end

local bs = {}

function bs.learn(x, node)
   local given = values.arguments(node, "x", "df", "knots", "degree", "intercept", "Boundary.knots")
   local degree = whole(node, "degree", given.degree, 1, 20) or 3
   local intercept = values.flag(node, given.intercept)
   local least = degree + (intercept and 1 or 0)
   local df = whole(node, "df", given.df, least, 1000) or least
   return { degree = degree, intercept = intercept, knots = learn_knots(x, node, given, degree, df - least) }
end

function bs.columns(x, learned)
   local columns = splines(x, learned.knots, learned.degree, 0)
   return learned.intercept and columns or without_first(columns)
end

-- The rows of the transposed Q of a QR by reflections of two columns, but its first two: what takes two directions
-- away. As LINPACK reflects (Dongarra et al. (1979), chapter 9), so that the columns are those of R.
local function beside(first, second)
   local reflected = { first, second }
   local function reflect(l, y)
      local v, dot = reflected[l], 0
      for i = l, #v do dot = dot + v[i] * y[i] end
      for i = l, #v do y[i] = y[i] - dot / v[l] * v[i] end
   end
   for l = 1, 2 do
      local v, norm = reflected[l], 0
      for i = l, #v do norm = norm + v[i] ^ 2 end
      norm = math.sqrt(norm) * (v[l] < 0 and -1 or 1)
      for i = l, #v do v[i] = v[i] / norm end
      v[l] = v[l] + 1
      if l == 1 then reflect(1, second) end
   end
   local map = {}
   for k = 1, #first - 2 do map[k] = {} end
   for i = 1, #first do
      local unit = {}
      for k = 1, #first do unit[k] = k == i and 1 or 0 end
      reflect(1, unit)
      reflect(2, unit)
      for k = 3, #first do map[k - 2][i] = unit[k] end
   end
   return map
end

-- The value at one point of each of some columns.
local function values_at(columns)
   local list = {}
   for i, column in ipairs(columns) do list[i] = column[1] end
   return list
end

local ns = {}

-- Cubic splines that are straight at the outer knots, and beyond.
function ns.learn(x, node)
   local given = values.arguments(node, "x", "df", "knots", "intercept", "Boundary.knots")
   local intercept = values.flag(node, given.intercept)
   local least = 1 + (intercept and 1 or 0)
   local df = whole(node, "df", given.df, least, 1000) or least
   local knots = learn_knots(x, node, given, 3, df - least)
   local bent = {}
   for i, at in ipairs { knots[1], knots[#knots] } do
      bent[i] = values_at(splines(core.Vector { at }, knots, 3, 2))
      if not intercept then bent[i] = without_first(bent[i]) end
   end
   return { knots = knots, intercept = intercept, map = beside(bent[1], bent[2]) }
end

function ns.columns(x, learned)
   local knots = learned.knots
   local low, high = knots[1], knots[#knots]
   local columns = splines(x:clip(low, high), knots, 3, 0)
   local below, above = (x - low):minimum(0), (x - high):maximum(0)
   for i, slope in ipairs(values_at(splines(core.Vector { low }, knots, 3, 1))) do
      columns[i] = columns[i] + below * slope
   end
   for i, slope in ipairs(values_at(splines(core.Vector { high }, knots, 3, 1))) do
      columns[i] = columns[i] + above * slope
   end
   if not learned.intercept then columns = without_first(columns) end
   local out = {}
   for k, row in ipairs(learned.map) do
      out[k] = core.Vector(#x)
      for i, weight in ipairs(row) do out[k] = out[k] + columns[i] * weight end
   end
   return out
end

--- Calls that stand for several columns: learn(x, node) and columns(x, learned) of each.
M.calls = { poly = poly, bs = bs, ns = ns }

-- --- contrasts ---

local contrasts = {}

-- Without a base the first level is it. Where one is given the columns are called by number, as in R.
function contrasts.treatment(levels, base)
   local rows, names = {}, {}
   for i, level in ipairs(levels) do
      rows[i] = {}
      if i ~= (base or 1) then names[#names + 1] = base and tostring(i) or M.label_text(level) end
   end
   base = base or 1
   for i in ipairs(levels) do
      for j = 1, #levels - 1 do rows[i][j] = i == (j < base and j or j + 1) and 1 or 0 end
   end
   return rows, names
end

function contrasts.sum(levels)
   local rows, names, k = {}, {}, #levels
   for i = 1, k do
      rows[i] = {}
      for j = 1, k - 1 do rows[i][j], names[j] = i == k and -1 or i == j and 1 or 0, tostring(j) end
   end
   return rows, names
end

function contrasts.helmert(levels)
   local rows, names, k = {}, {}, #levels
   for i = 1, k do
      rows[i] = {}
      for j = 1, k - 1 do rows[i][j], names[j] = i <= j and -1 or i == j + 1 and j or 0, tostring(j) end
   end
   return rows, names
end

function contrasts.poly(levels)
   local x = core.Vector(#levels)
   for i = 1, #levels do x[i] = i end
   local rows, names = {}, {}
   for j, column in ipairs(orthogonal_columns(x, #levels - 1, orthogonal(x, #levels - 1))) do
      names[j] = ({ ".L", ".Q", ".C" })[j] or "^" .. j
      for i = 1, #levels do
         rows[i] = rows[i] or {}
         rows[i][j] = column[i]
      end
   end
   return rows, names
end

--- A label as R writes it in the name of a column.
function M.label_text(label)
   if type(label) == "boolean" then return label and "TRUE" or "FALSE" end
   return type(label) == "number" and ("%.15g"):format(label) or tostring(label)
end

--- The contrasts of some levels: a list of numbers for each level, and what is added to the name of each column.
function M.contrast(levels, name, base)
   return contrasts[name or "treatment"](levels, base)
end

--- The name of a contrast as a formula says it, contr.sum or sum, without its "contr.".
function M.contrast_name(node, said)
   if said == nil then return "treatment" end
   local name = said.name and said.name:gsub("^contr%.", "")
   if contrasts[name] then return name end
   fail("%s: there is no contrast %s%s; there are contr.helmert, contr.poly, contr.sum, contr.treatment", written(node),
      written(said), words.near(tostring(name), words.sorted_keys(contrasts)))
end

return M
