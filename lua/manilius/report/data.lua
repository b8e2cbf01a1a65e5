--- The data section of a report: rows, columns, missing values, and the distribution of the target.

local core = require "manilius.core"
local html = require "manilius.report.html"
local rows = require "manilius.rows"

local M = {}

local MAX_COLUMNS, MAX_CLASSES = 60, 20
local BARS = 14

--- X with named columns, as a Frame; nil for sparse data.
function M.frame_of(X)
   local kind = rows.kind(X)
   if kind == "Frame" then return X end
   if kind ~= "Matrix" then return nil end
   return require("manilius.frame").from(X)
end

-- --- numbers as text ---

--- Four significant digits; whole numbers in full.
function M.number(value)
   if value == nil or value ~= value then return "" end
   local whole = math.tointeger(value)
   if whole and math.abs(whole) < 1e15 then return ("%d"):format(whole) end
   return ("%.4g"):format(value)
end

--- A class label as text; whole numbers without decimals.
function M.label(value)
   return type(value) == "number" and M.number(value) or tostring(value)
end

--- A number with the given count of decimals.
function M.fixed(value, decimals)
   if value == nil or value ~= value then return "" end
   if math.abs(value) >= 1e15 then return ("%.4g"):format(value) end
   return ("%." .. decimals .. "f"):format(value)
end

--- Decimals that show `digits` digits of a number of that size.
function M.decimals(size, digits)
   if size ~= size or size <= 0 or size == math.huge then return 4 end
   return math.max(0, math.min(8, digits - 1 - math.floor(math.log(size, 10))))
end

--- A score and its interval as text, rounded according to the width of the interval.
-- @param score { mean, low, high }
-- @param digits significant digits of half the interval, default 2
-- @treturn string value
-- @treturn string interval, "" when there is none
function M.score_texts(score, digits)
   if score.low ~= score.low or score.high <= score.low then return M.number(score.mean), "" end
   local d = M.decimals((score.high - score.low) / 2, digits or 2)
   if d > 5 then return M.number(score.mean), ("%.2g to %.2g"):format(score.low, score.high) end
   return M.fixed(score.mean, d), ("%s to %s"):format(M.fixed(score.low, d), M.fixed(score.high, d))
end

local TYPES = { whole = "whole number", factor = "labels" }

--- A share as a percentage.
function M.percent(share)
   if share > 0 and share < 0.001 then return "<0.1%" end
   return ("%.1f%%"):format(100 * share)
end

function M.plural(count, one, many)
   return ("%d %s"):format(count, count == 1 and one or many or one .. "s")
end

-- --- bar charts within a table ---

-- A small bar chart in the text color.
local function spark(heights, what)
   local max, bars = 0, {}
   for _, height in ipairs(heights) do max = math.max(max, height) end
   local width = 84 / math.max(#heights, 1)
   for i, height in ipairs(heights) do
      local tall = max > 0 and math.max(20 * height / max, height > 0 and 1 or 0) or 0
      bars[i] = html.rect { x = ("%.2f"):format((i - 1) * width), y = ("%.2f"):format(20 - tall),
         width = ("%.2f"):format(width * 0.86), height = ("%.2f"):format(tall) }
   end
   return html.svg { class = "spark", viewBox = "0 0 84 20", role = "img", ["aria-label"] = what, bars }
end

-- Histograms of longer columns use an evenly spaced sample.
local MAX_ROWS = 20000

local function histogram(column)
   if #column > MAX_ROWS then
      column = column:take(core.linspace(1, #column, MAX_ROWS):round())
   end
   local values = column:take(column:isfinite():nonzero())
   if #values == 0 then return {} end
   local low, high = values:min(), values:max()
   local counts = {}
   for b = 1, BARS do counts[b] = 0 end
   for i = 1, #values do
      local b = high > low and math.floor((values[i] - low) / (high - low) * BARS) + 1 or BARS // 2
      b = math.min(b, BARS)
      counts[b] = counts[b] + 1
   end
   return counts
end

local function level_counts(column)
   local counts = {}
   for i, count in pairs(column:counts():totable()) do counts[i] = count end
   table.sort(counts, function(a, b) return a > b end)
   return table.move(counts, 1, math.min(#counts, BARS), 1, {})
end

local function spark_of(column)
   if rows.kind(column) == "Factor" then return spark(level_counts(column), "counts of the most frequent levels") end
   return spark(histogram(column), "histogram")
end

-- --- columns ---

local function cell(described, name, i)
   return described[name] and described[name][i]
end

local function values_text(d, i)
   if cell(d, "type", i) == "factor" then
      local top = cell(d, "top", i)
      return ("%s%s"):format(M.plural(math.tointeger(d.levels[i]), "distinct label"),
         top and (", most frequent %s (%s)"):format(top, M.plural(math.tointeger(d.freq[i]), "row")) or "")
   end
   return ("%s to %s, median %s, mean %s, sd %s"):format(M.number(d.min[i]), M.number(d.max[i]),
      M.number(d.median[i]), M.number(d.mean[i]), M.number(d.std[i]))
end

-- The columns of a Frame by name; frame[name] would find methods of that name first.
local function lists_of(described)
   local out = {}
   for j, name in ipairs(described.names) do out[name] = described.columns[j] end
   return out
end

-- The table of the columns of a Frame.
local function columns_table(frame)
   local d, n, list = lists_of(frame:describe()), rows.count(frame), {}
   for i = 1, math.min(#frame.names, MAX_COLUMNS) do
      local missing = math.tointeger(d.missing[i])
      local kind = cell(d, "type", i)
      list[i] = { frame.names[i], TYPES[kind] or kind, missing == 0 and "0" or html.strong {
         ("%d (%s)"):format(missing, M.percent(missing / n)) }, spark_of(frame.columns[i]),
         missing == n and "all missing" or values_text(d, i) }
   end
   local more = #frame.names - #list
   return html.join { html.data_table { head = { "column", "type", "missing", "distribution", "values" }, rows = list,
      align = "llrll", class = "columns", stack = true },
      more > 0 and html.p { class = "note", ("%s not listed."):format(M.plural(more, "more column")) } or false }
end

-- --- the target ---

--- Labels and their row counts, most frequent first.
function M.class_counts(y)
   local factor = require("manilius.metrics.parts").labels("y", y)
   local list = {}
   for i, count in pairs(factor:counts():totable()) do
      if count > 0 then list[#list + 1] = { label = factor.levels[i], count = math.tointeger(count) } end
   end
   table.sort(list, function(a, b)
      if a.count ~= b.count then return a.count > b.count end
      return tostring(a.label) < tostring(b.label)
   end)
   return list
end

local function bar(share)
   return html.div { class = "bar", html.div { style = ("width:%.1f%%"):format(100 * share), "" } }
end

-- The table of the classes.
local function classes_table(y)
   local counts, n, list = M.class_counts(y), rows.count(y), {}
   for i = 1, math.min(#counts, MAX_CLASSES) do
      local share = counts[i].count / n
      list[i] = { M.label(counts[i].label), ("%d"):format(counts[i].count), M.percent(share), bar(share) }
   end
   local more = #counts - #list
   return html.join { html.data_table { head = { "class", "rows", "share", "" }, rows = list, align = "lrrl" },
      more > 0 and html.p { class = "note", ("%s not listed."):format(M.plural(more, "more class", "more classes")) }
         or false }
end

--- y as a Frame of numbers with one column per target.
function M.targets(y, name)
   local kind = rows.kind(y)
   if kind == "Frame" then return y end
   if kind == "Matrix" then
      local names = {}
      for j = 1, y.cols do names[j] = y.cols == 1 and (name or "target") or ("target %d"):format(j) end
      return require("manilius.frame").from(y, names)
   end
   return rows.frame({ name or "target" }, { kind == "Vector" and y or core.Vector(y) })
end

--- The means of the numeric columns by cluster; nil when there are no numeric columns.
-- @param labels cluster labels, a Vector or Factor
function M.profile_table(frame, labels)
   local clusters, list = M.class_counts(labels), {}
   local head, place = { "mean of" }, {}
   labels = require("manilius.metrics.parts").labels("labels", labels)
   for c, one in ipairs(clusters) do
      head[c + 1], place[c] = ("cluster %s"):format(one.label), labels:eq(one.label):nonzero()
   end
   for j, column in ipairs(frame.columns) do
      if rows.kind(column) == "Vector" and #list < MAX_COLUMNS then
         local line = { frame.names[j] }
         for c in ipairs(clusters) do
            local values = column:take(place[c])
            values = values:take(values:isfinite():nonzero())
            line[c + 1] = #values > 0 and M.number(values:mean()) or ""
         end
         list[#list + 1] = line
      end
   end
   if #list == 0 or #clusters > MAX_CLASSES then return nil end
   return html.data_table { head = head, rows = list, align = "l" .. ("r"):rep(#clusters) }
end

-- --- the section ---

local function missing_sentence(frame, n)
   local cells, incomplete = 0, {}
   for _, column in ipairs(frame.columns) do
      local places = rows.kind(column) == "Vector" and column:isnan():nonzero():totable() or nil
      if not places then
         places = {}
         local labels = column:totable()
         for i = 1, n do
            if labels[i] == nil then places[#places + 1] = i end
         end
      end
      cells = cells + #places
      for _, i in ipairs(places) do incomplete[i] = true end
   end
   if cells == 0 then return "There are no missing values." end
   local count = 0
   for _ in pairs(incomplete) do count = count + 1 end
   return ("%s missing, in %s (%s)."):format(M.plural(cells, "value is", "values are"), M.plural(count, "row"),
      M.percent(count / n))
end

local function sparse_sentence(X)
   local filled = X.nnz / (X.rows * X.cols)
   return ("X is a sparse matrix: %s of its values are nonzero."):format(M.percent(filled))
end

--- The section on the data.
-- @param given { X =, y =, labeled = is y labels?, target = name of the target }
function M.section(given)
   local X, y = given.X, given.y
   local frame, n = M.frame_of(X), rows.count(X)
   local out = { html.p { html.strong { M.plural(n, "row") }, ", ",
      html.strong { M.plural(rows.width(X), "column") }, ". ",
      frame and missing_sentence(frame, n) or sparse_sentence(X) } }
   if frame then out[#out + 1] = columns_table(frame) end
   if y ~= nil then
      out[#out + 1] = html.h3 { given.does == "cluster" and "Known labels" or "Target",
         given.target and ": " .. given.target or "" }
      out[#out + 1] = given.labeled and classes_table(y) or columns_table(M.targets(y, given.target))
   end
   return out
end

return M
