--- Axes: their ranges, ticks and labels, for both renderers.

local M = {}

-- A step of 1, 2 or 5 times a power of ten that divides the span into about `count` parts.
local function nice_step(span, count)
   local raw = span / math.max(count, 1)
   local power = 10 ^ math.floor(math.log(raw, 10))
   for _, times in ipairs { 1, 2, 5 } do
      if times * power >= raw * 0.9999 then return times * power end
   end
   return 10 * power
end

--- About `count` round numbers from low to high, and the step between them.
function M.nice(low, high, count)
   local step = nice_step(high - low, count)
   local ticks, first = {}, math.ceil(low / step - 1e-9)
   for i = first, math.floor(high / step + 1e-9) do ticks[#ticks + 1] = i * step end
   return ticks, step
end

--- A number as a label with at most `digits` (6) digits; large and small numbers, and all if `power_of_ten` is true,
-- have an exponent.
function M.number(value, digits, power_of_ten)
   if value == 0 then return "0" end
   local size = math.abs(value)
   local format = "%." .. (digits or 6) .. "g"
   if not power_of_ten and size < 1e6 and size >= 1e-4 then return format:format(value) end
   local text = ("%." .. (digits or 6) - 1 .. "e"):format(value)
   local mantissa, sign, power = text:match "^(.-)e([+-])0*(%d+)$"
   if mantissa:find "%." then mantissa = mantissa:gsub("0+$", ""):gsub("%.$", "") end
   return mantissa .. "e" .. (sign == "-" and "-" or "") .. power
end

-- Labels of evenly spaced ticks: all with the same number of decimals, and enough digits that neighbors differ.
local function label_ticks(ticks, step)
   local largest, out = 0, {}
   for _, at in ipairs(ticks) do largest = math.max(largest, math.abs(at)) end
   local power = math.floor(math.log(step, 10) + 1e-9)
   local decimals = math.max(0, -power)
   local digits = largest > 0 and math.floor(math.log(largest, 10) + 1e-9) - power + 1 or 1
   for i, at in ipairs(ticks) do
      if math.abs(at) < step / 1e6 then at = 0.0 end
      if (largest < 1e7 and largest >= 1e-3 or digits > 6) and largest < 1e15 and decimals <= 12 then
         out[i] = { at, ("%." .. decimals .. "f"):format(at) }
      else
         out[i] = { at, M.number(at, math.min(17, math.max(digits, 1)), true) }
      end
   end
   return out
end

local function log_ticks(low, high, count)
   local first, last = math.ceil(math.log(low, 10) - 1e-9), math.floor(math.log(high, 10) + 1e-9)
   local out = {}
   if last - first >= 1 then
      local every = math.max(1, math.ceil((last - first + 1) / count))
      for power = first, last, every do out[#out + 1] = { 10.0 ^ power, M.number(10.0 ^ power) } end
      if #out > 2 or (#out == 2 and every > 1) then return out end
   end
   out = {}
   for power = first - 1, last do
      for _, times in ipairs { 1, 2, 5 } do
         local at = times * 10.0 ^ power
         if at >= low * (1 - 1e-9) and at <= high * (1 + 1e-9) then out[#out + 1] = { at, M.number(at) } end
      end
   end
   if #out >= 2 then return out end
   return label_ticks(M.nice(low, high, count))
end

--- About `count` ticks { at, label } between low and high (in either order), at least two if possible; at whole numbers
-- if `whole`.
function M.ticks(low, high, count, log, whole)
   if low > high then low, high = high, low end
   if log then return log_ticks(low, high, count) end
   local max_count = whole and math.max(1, high - low) or math.huge
   local ticks, step
   for more = 0, 6 do
      ticks, step = M.nice(low, high, math.min(count + more, max_count))
      if #ticks >= 2 then break end
   end
   return label_ticks(ticks, step)
end

-- --- ranges ---

local Extent = {}
Extent.__index = Extent

--- The range of the layers of a panel along one axis. Values added by include() keep a margin to the frame, those added
-- by include_tight() may touch it.
function M.extent(log)
   return setmetatable({ low = math.huge, high = -math.huge, tight_low = math.huge, tight_high = -math.huge,
      log = log or false }, Extent)
end

function Extent:include(values)
   for _, v in ipairs(values or {}) do
      if v - v == 0 and (not self.log or v > 0) then
         self.low, self.high = math.min(self.low, v), math.max(self.high, v)
      end
   end
end

function Extent:include_tight(values)
   self:include(values)
   for _, v in ipairs(values or {}) do
      if v - v == 0 and (not self.log or v > 0) then
         self.tight_low, self.tight_high = math.min(self.tight_low, v), math.max(self.tight_high, v)
      end
   end
end

local function widen(low, high, log)
   if log then return low / 2, high * 2 end
   local by = math.abs(low) < 1e-300 and 1 or math.abs(low) * 0.1
   return low - by, high + by
end

--- The range low, high with a margin on either side; 0 to 1 (1 to 10 if logarithmic) and true if it is empty. A range
-- of width 0 is widened.
function Extent:range(margin)
   local low, high = self.low, self.high
   if low > high then return self.log and 1 or 0, self.log and 10 or 1, true end
   -- The difference of the largest numbers would overflow.
   low, high = math.max(low, -8e307), math.min(high, 8e307)
   if high - low <= 1e-300 + 1e-12 * math.max(math.abs(low), math.abs(high)) then return widen(low, high, self.log) end
   margin = margin or 0.04
   local outer_low, outer_high
   if self.log then
      local factor = (high / low) ^ margin
      outer_low, outer_high = low / factor, high * factor
   else
      outer_low, outer_high = low - margin * (high - low), high + margin * (high - low)
   end
   return self.tight_low <= low and low or outer_low, self.tight_high >= high and high or outer_high
end

return M
