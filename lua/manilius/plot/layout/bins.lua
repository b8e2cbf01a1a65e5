--- Bins of histograms.

local parts = require "manilius.metrics.parts"
local rows = require "manilius.rows"

local fail, kind_of = parts.fail, rows.kind

local M = {}

-- Maximum number of bins.
local MAX_BINS = 200

-- The number of bins by Freedman and Diaconis' rule, but at least by Sturges' and at most 2 sqrt(n): otherwise a few
-- outliers would give more bins than there are values.
local function count_bins(x)
   local n, low, high = #x, x:min(), x:max()
   if high <= low then return 1 end
   local sturges = math.ceil(math.log(n, 2) + 1)
   local limit = math.min(MAX_BINS, math.max(sturges, math.floor(2 * math.sqrt(n))))
   local width = 2 * (x:quantile(0.75) - x:quantile(0.25)) / n ^ (1 / 3)
   local freedman = width > 0 and math.ceil(math.min((high - low) / width, limit)) or 1
   return math.min(limit, math.max(sturges, freedman))
end

-- Bins of whole numbers, as many in each bin, such that none is on an edge; nil for other values.
local function whole_edges(x, count)
   local low, high = x:min(), x:max()
   if (x:floor() - x):abs():max() > 0 or high - low < 1 or high - low > 1e9 then return nil end
   local step, edges = math.max(1, (high - low + 1) // count), { low - 0.5 }
   while edges[#edges] < high do edges[#edges + 1] = edges[#edges] + step end
   return edges
end

--- The edges of the bins of x: those of the option bins, or by rule.
function M.edges(o, x)
   local given = o.bins
   if kind_of(given) == "table" or kind_of(given) == "Vector" then
      local edges = require "manilius.draw.layers".vector("bins", given):totable()
      if #edges < 2 then fail("bins must have at least two edges, got %d", #edges) end
      for i = 2, #edges do
         local rises = edges[i] > edges[i - 1]
         if not rises then fail("bins must be increasing, got %g after %g", edges[i], edges[i - 1]) end
      end
      return edges
   end
   local count = given == nil and (#x > 0 and count_bins(x) or 1) or parts.whole(o, "bins", nil, 1)
   local whole = given == nil and #x > 0 and whole_edges(x, count)
   if whole then return whole end
   local low, high = 0, 1
   if #x > 0 then low, high = x:min(), x:max() end
   if high <= low then
      local by = low == 0 and 0.5 or math.abs(low) * 0.05
      low, high = low - by, high + by
   end
   local edges = {}
   for i = 0, count - 1 do edges[i + 1] = low + (high - low) * (i / count) end
   edges[count + 1] = high -- exactly, as the last bin includes it
   return edges
end

--- The number of values in each bin. Bins are right-open intervals, but the last one is closed.
function M.counts(x, edges)
   local k, counts = #edges - 1, {}
   for i = 1, k do counts[i] = 0 end
   local low, high = edges[1], edges[k + 1]
   local guesses = ((x - low) * (k / (high - low))):floor():totable()
   for i, v in ipairs(x:totable()) do
      if v >= low and v <= high then
         local bin = math.max(1, math.min(k, math.tointeger(guesses[i]) + 1))
         while bin > 1 and v < edges[bin] do bin = bin - 1 end
         while bin < k and v >= edges[bin + 1] do bin = bin + 1 end
         counts[bin] = counts[bin] + 1
      end
   end
   return counts
end

return M
