--- The columns of one variable of a formula: contrasts of a factor, polynomials, splines.
--
-- learn(x, node) computes from the rows of fit what columns(x, learned) applies to any rows.

local core = require "manilius.core"
local formula = require "manilius.formula"
local values = require "manilius.formula.values"
local text_utils = require "manilius.text"

local M = {}

local fail, to_text = formula.fail, formula.to_text

-- An argument that is a whole number within bounds; nil if it is not given.
local function integer_argument(node, name, arg, low, high)
   if arg == nil then return nil end
   local value = values.constant(arg)
   if type(value) ~= "number" or value % 1 ~= 0 or value < low or value > high then
      fail("%s: %s must be a whole number from %d to %d", to_text(node), name, low, high)
   end
   return math.tointeger(value)
end

-- --- polynomials ---

-- The coefficients of the three-term recurrence of orthogonal polynomials (Kennedy & Gentle, Statistical Computing
-- (1980), section 8.1).
local function fit_orthogonal(x, degree)
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
   local degree = integer_argument(node, "degree", given.degree, 1, 100) or 1
   if values.flag(node, given.raw) then return { degree = degree, raw = true } end
   local distinct = #x:unique()
   if degree >= distinct then
      fail("%s: degree must be less than the number of distinct values, %d", to_text(node), distinct)
   end
   return { degree = degree, raw = false, constants = fit_orthogonal(x, degree) }
end

function poly.columns(x, learned)
   if not learned.raw then return orthogonal_columns(x, learned.degree, learned.constants) end
   local columns = {}
   for d = 1, learned.degree do columns[d] = x ^ d end
   return columns
end

-- --- splines ---

-- B-splines of a degree, or a derivative of them, as one column each. Beyond the boundary knots the polynomials of the
-- outer intervals are extended. De Boor, A Practical Guide to Splines (1978), chapter 10.
local function bsplines(x, knots, degree, derivative)
   local n = #knots - degree - 1
   if derivative > 0 then
      local lower, out = bsplines(x, knots, degree - 1, derivative - 1), {}
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
         local inside = core.Vector(#x)
         if knots[i] < knots[i + 1] then
            inside = inside + 1
            if knots[i] > knots[1] then inside = inside:mul(x:ge(knots[i])) end
            if knots[i + 1] < knots[#knots] then inside = inside:mul(x:lt(knots[i + 1])) end
         end
         out[i] = inside
      end
      return out
   end
   local lower, out = bsplines(x, knots, degree - 1, 0), {}
   for i = 1, n do
      local left, right = knots[i + degree] - knots[i], knots[i + degree + 1] - knots[i + 1]
      out[i] = core.Vector(#x)
      if left > 0 then out[i] = out[i] + ((x - knots[i]) / left):mul(lower[i]) end
      if right > 0 then out[i] = out[i] + ((knots[i + degree + 1] - x) / right):mul(lower[i + 1]) end
   end
   return out
end

-- The knots: boundary knots, repeated degree + 1 times, around inner knots, by default quantiles of x between them.
local function learn_knots(x, node, given, degree, inner)
   local outer = given["Boundary.knots"] and values.constants(given["Boundary.knots"]) or { x:min(), x:max() }
   if #outer ~= 2 or outer[1] >= outer[2] then
      fail("%s: Boundary.knots must be two numbers in ascending order", to_text(node))
   end
   local list, within = {}, x:take(x:ge(outer[1]):mul(x:le(outer[2])):nonzero())
   if given.knots then
      list = values.constants(given.knots)
   else
      for i = 1, inner do list[i] = within:quantile(i / (inner + 1)) end
   end
   table.sort(list)
   for _, knot in ipairs(list) do
      if not (outer[1] < knot and knot < outer[2]) then
         fail("%s: knots must lie between the boundary knots %g and %g, got %g", to_text(node), outer[1], outer[2],
            knot)
      end
   end
   for _ = 0, degree do
      table.insert(list, 1, outer[1])
      list[#list + 1] = outer[2]
   end
   return list
end

local function without_first(list)
   return table.move(list, 2, #list, 1, {})
end

local bs = {}

function bs.learn(x, node)
   local given = values.arguments(node, "x", "df", "knots", "degree", "intercept", "Boundary.knots")
   local degree = integer_argument(node, "degree", given.degree, 1, 20) or 3
   local intercept = values.flag(node, given.intercept)
   local min_df = degree + (intercept and 1 or 0)
   local df = integer_argument(node, "df", given.df, min_df, 1000) or min_df
   return { degree = degree, intercept = intercept, knots = learn_knots(x, node, given, degree, df - min_df) }
end

function bs.columns(x, learned)
   local columns = bsplines(x, learned.knots, learned.degree, 0)
   return learned.intercept and columns or without_first(columns)
end

-- An orthonormal basis of the complement of two vectors: rows 3, 4, ... of Q' in their QR decomposition. Its
-- Householder reflections are those of LINPACK (Dongarra et al. (1979), chapter 9), so that the columns agree with R.
local function orthogonal_complement(first, second)
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

-- The first element of each column.
local function first_row(columns)
   local list = {}
   for i, column in ipairs(columns) do list[i] = column[1] end
   return list
end

local ns = {}

-- Natural cubic splines: the second derivative is 0 at the boundary knots, and they are linear beyond.
function ns.learn(x, node)
   local given = values.arguments(node, "x", "df", "knots", "intercept", "Boundary.knots")
   local intercept = values.flag(node, given.intercept)
   local min_df = 1 + (intercept and 1 or 0)
   local df = integer_argument(node, "df", given.df, min_df, 1000) or min_df
   local knots = learn_knots(x, node, given, 3, df - min_df)
   local curvature = {}
   for i, at in ipairs { knots[1], knots[#knots] } do
      curvature[i] = first_row(bsplines(core.Vector { at }, knots, 3, 2))
      if not intercept then curvature[i] = without_first(curvature[i]) end
   end
   return { knots = knots, intercept = intercept, map = orthogonal_complement(curvature[1], curvature[2]) }
end

function ns.columns(x, learned)
   local knots = learned.knots
   local low, high = knots[1], knots[#knots]
   local columns = bsplines(x:clip(low, high), knots, 3, 0)
   local below, above = (x - low):minimum(0), (x - high):maximum(0)
   for i, slope in ipairs(first_row(bsplines(core.Vector { low }, knots, 3, 1))) do
      columns[i] = columns[i] + below * slope
   end
   for i, slope in ipairs(first_row(bsplines(core.Vector { high }, knots, 3, 1))) do
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

--- Calls that give several columns.
M.calls = { poly = poly, bs = bs, ns = ns }

-- --- contrasts ---

local contrasts = {}

-- The base is the first level by default. If it is given, columns are named by number, as in R.
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
   for j, column in ipairs(orthogonal_columns(x, #levels - 1, fit_orthogonal(x, #levels - 1))) do
      names[j] = ({ ".L", ".Q", ".C" })[j] or "^" .. j
      for i = 1, #levels do
         rows[i] = rows[i] or {}
         rows[i][j] = column[i]
      end
   end
   return rows, names
end

--- A label as R writes it in a column name.
function M.label_text(label)
   if type(label) == "boolean" then return label and "TRUE" or "FALSE" end
   return type(label) == "number" and ("%.15g"):format(label) or tostring(label)
end

--- The contrast matrix as a list of rows, one per level, and the suffix of each column name.
function M.contrast(levels, name, base)
   return contrasts[name or "treatment"](levels, base)
end

--- The name of a contrast, without the prefix "contr.".
function M.contrast_name(node, argument)
   if argument == nil then return "treatment" end
   local name = argument.name and argument.name:gsub("^contr%.", "")
   if contrasts[name] then return name end
   fail("%s: unknown contrast %s%s; there are contr.helmert, contr.poly, contr.sum, contr.treatment", to_text(node),
      to_text(argument), text_utils.near(tostring(name), text_utils.sorted_keys(contrasts)))
end

return M
