--- LDPC codes as values: n, and the bits of each check, packed as the core reads them (mn_ldpc_code).

local alist = require "manilius.coding.alist"
local core = require "manilius.core"
local Frame = require "manilius.frame".Frame
local estimator = require "manilius.estimator"
local options_of = require "manilius.options".check
local rows = require "manilius.rows"
local text = require "manilius.text"

local M = { methods = {} }

local WHO = "LDPCCode"

-- code -> { n =, start =, bit =, k =, message_bits = }, hidden so that a code cannot be changed.
local hidden = setmetatable({}, { __mode = "k" })

local function fail(what, ...)
   error((WHO .. ": " .. what):format(...), 0)
end

-- --- construction ---

-- The packed fields of checks, which list the bits of each in ascending order from 1.
local function pack(n, checks)
   local start, bit = core.Vector(#checks + 1), {}
   for i, list in ipairs(checks) do
      for _, j in ipairs(list) do bit[#bit + 1] = j - 1 end
      start[i + 1] = #bit
   end
   return { n = n, start = start, bit = core.Vector(bit) }
end

local function check_whole(settings, name, low, high)
   local value = settings[name]
   if math.type(value) ~= "integer" or value < low or value > high then
      fail("%s must be a whole number from %d to %d, got %s", name, low, high, estimator.value_text(value))
   end
   return value
end

-- From a matrix of 0 and 1.
local function from_matrix(settings)
   local H = settings.H
   local ok, matrix = pcall(core.Matrix, rows.kind(H) == "Sparse" and H:todense() or H)
   if not ok then fail("H must be a matrix of 0 and 1, got %s", estimator.value_text(H)) end
   if matrix.rows == 0 or matrix.cols == 0 then fail "H must have at least 1 row and 1 column" end
   local checks = {}
   for i = 1, matrix.rows do
      checks[i] = {}
      for j = 1, matrix.cols do
         local value = matrix[i][j]
         if value == 1 then
            checks[i][#checks[i] + 1] = j
         elseif value ~= 0 then
            fail("H must be 0 or 1, got %s in row %d, column %d", text.number(value), i, j)
         end
      end
   end
   return pack(matrix.cols, checks)
end

local function from_file(settings)
   if type(settings.path) ~= "string" then fail("path must be a string, got %s", rows.kind(settings.path)) end
   if not io or not io.open then fail "path requires io.open, which is not available" end
   local file, reason = io.open(settings.path, "rb")
   if not file then fail("%s", reason) end
   local content = file:read "a"
   file:close()
   return pack(alist.parse(settings.path, content))
end

-- From a table of shifts: each is a block of `lift` x `lift`, an identity whose columns are moved, or zeros for -1.
local function from_base(settings)
   local lift = check_whole(settings, "lift", 1, 100000)
   local ok, base = pcall(core.Matrix, settings.base)
   if not ok or base.rows == 0 then fail("base must be a matrix of shifts, -1 for none") end
   local checks = {}
   for i = 1, base.rows do
      for r = 0, lift - 1 do
         local list = {}
         for j = 1, base.cols do
            local shift = math.tointeger(base[i][j])
            if not shift or shift < -1 or shift >= lift then
               fail("base must be whole numbers from -1 to lift - 1, got %s in row %d, column %d",
                  text.number(base[i][j]), i, j)
            end
            if shift >= 0 then list[#list + 1] = (j - 1) * lift + (r + shift) % lift + 1 end
         end
         checks[#checks + 1] = list
      end
   end
   return pack(base.cols * lift, checks)
end

-- By progressive edge growth.
local function from_growth(settings)
   local n, m = check_whole(settings, "n", 2, 1000000), check_whole(settings, "m", 1, 1000000)
   local weight = check_whole(settings, "column_weight", 1, math.min(m, 1000))
   local of_bit = core.ldpc_grow(n, m, weight, settings.seed == nil and 0 or check_whole(settings, "seed", 0, 1 << 53))
   local checks = {}
   for i = 1, m do checks[i] = {} end
   for j = 1, n do
      for e = 1, weight do
         local list = checks[math.tointeger(of_bit[j][e])]
         list[#list + 1] = j
      end
   end
   return pack(n, checks)
end

local KINDS = {
   { key = "path", make = from_file, takes = { path = true } },
   { key = "H", make = from_matrix, takes = { H = true } },
   { key = "base", make = from_base, takes = { base = true, lift = true } },
   { key = "n", make = from_growth, takes = { n = true, m = true, column_weight = true, seed = true } },
}

function M.new(settings)
   if rows.kind(settings) ~= "table" then fail("expected a table of settings, got %s", rows.kind(settings)) end
   for _, kind in ipairs(KINDS) do
      if settings[kind.key] ~= nil then
         for name in next, settings do
            if not kind.takes[name] then
               fail("with %s there is no setting '%s'%s", kind.key, tostring(name),
                  text.hint(tostring(name), text.sorted_keys(kind.takes)))
            end
         end
         return M.wrap(kind.make(settings))
      end
   end
   fail "give a code by path (an alist file), H, base and lift, or n, m and column_weight"
end

-- --- methods ---

local function arguments(code)
   local c = hidden[code]
   return c.n, c.start, c.bit
end

local ALGORITHMS = { sum_product = true, min_sum = true, fast = true }
local DECODER = { algorithm = "sum_product (default), min_sum, or fast: min-sum in 8 bits, 64 words at a time",
   schedule = "layered (default), or flooding", scale = "factor of min_sum; default 0.75",
   offset = "subtracted by min_sum; default 0", max_iter = "iterations at most; default 50",
   early_stop = "false: always do max_iter iterations" }

-- The options of a decoder as arguments of the core.
local function decoder(method, o)
   local algorithm = o.algorithm or "sum_product"
   local function wrong(name, wanted, value)
      fail("%s: %s must be %s, got %s", method, name, wanted, estimator.value_text(value))
   end
   if not ALGORITHMS[algorithm] then wrong("algorithm", "sum_product, min_sum or fast", o.algorithm) end
   local schedule = o.schedule or "layered"
   if schedule ~= "layered" and (schedule ~= "flooding" or algorithm == "fast") then
      wrong("schedule", algorithm == "fast" and "layered for the algorithm fast" or "layered or flooding", o.schedule)
   end
   if (o.scale or o.offset) and algorithm ~= "min_sum" then fail("%s: scale and offset are for min_sum", method) end
   local scale, offset, max_iter = o.scale or 0.75, o.offset or 0, o.max_iter or 50
   if type(scale) ~= "number" or not (scale > 0 and scale <= 1) then wrong("scale", "from 0 to 1", scale) end
   if type(offset) ~= "number" or not (offset >= 0 and offset < 100) then wrong("offset", "from 0 to 100", offset) end
   if math.type(max_iter) ~= "integer" or max_iter < 1 or max_iter > 1000000 then
      wrong("max_iter", "a whole number from 1 to 1000000", max_iter)
   end
   return algorithm, schedule, scale, offset, max_iter, o.early_stop ~= false
end

local function words_of(method, name, given, width)
   local kind = rows.kind(given)
   local ok, words = true, given
   if kind ~= "Matrix" then ok, words = pcall(core.Matrix, kind == "Vector" and { given } or given) end
   if not ok then fail("%s: %s must be a Matrix, a word in each row, got %s", method, name, kind) end
   if words.rows > 0 and words.cols ~= width then
      fail("%s: %s must have %d columns, got %d", method, name, width, words.cols)
   end
   return words
end

-- Errors of the core carry no name.
local function named(method, ok, ...)
   if ok then return ... end
   local message = ...
   if type(message) ~= "string" then error(message, 0) end
   fail("%s: %s", method, (message:gsub("^[^\n:]*:%d+: ", "", 1)))
end

function M.methods.encode(code, messages)
   local k = hidden[code].k
   if k == 0 then fail "encode: the code has a single word" end
   messages = words_of("encode", "messages", messages, k)
   local n, start, bit = arguments(code)
   return (named("encode", pcall(core.ldpc_encode, n, start, bit, messages, k)))
end

-- How results are made from the log odds of the decoded words: a Matrix, or of the algorithm fast a string of bytes.
local NUMBERS = {
   words = function(_, llr) return llr:lt(0) end,
   messages = function(_, llr, bits) return llr:select(bits):lt(0) end,
   llr = function(_, llr) return llr end,
}
local BYTES = { words = core.ldpc_bits, messages = core.ldpc_bits, llr = core.ldpc_unpack }

function M.methods.decode(code, llr, options)
   local o = options_of(WHO .. ": decode", options, DECODER, 3)
   local n, start, bit = arguments(code)
   llr = words_of("decode", "llr", llr, n)
   local iterations, satisfied, decoded = named("decode",
      pcall(core.ldpc_decode, n, start, bit, llr, decoder("decode", o)))
   local make = o.algorithm == "fast" and BYTES or NUMBERS
   return require "manilius.results" { iterations = iterations, valid = satisfied,
      _order = { "words", "messages", "llr", "iterations", "valid" }, _make = {
         words = function() return make.words(n, decoded) end,
         messages = function() return make.messages(n, decoded, hidden[code].message_bits) end,
         llr = function() return make.llr(n, decoded) end } }
end

function M.methods.syndrome(code, words)
   local n, start, bit = arguments(code)
   return (named("syndrome", pcall(core.ldpc_unsatisfied, n, start, bit, words_of("syndrome", "words", words, n))))
end

-- --- simulation ---

local SIMULATE = { channel = "awgn (default), bsc or bec", ebn0 = "awgn: list of Eb/N0 in dB",
   level = "bsc, bec: list of flip or erasure probabilities; awgn: of standard deviations of the noise",
   max_words = "words simulated at most; default 100000", errors = "stop at this number of wrong words; default 100",
   seed = "random seed; default 0" }
for name, brief in pairs(DECODER) do SIMULATE[name] = brief end

local function list_of(name, value)
   local ok, list = pcall(core.Vector, type(value) == "number" and { value } or value)
   if not ok or value == nil then fail("simulate: %s must be a list of numbers, got %s", name,
      estimator.value_text(value)) end
   return list
end

-- Levels of the channel, and what the first column of the result is.
local function levels(code, o)
   local channel = o.channel or "awgn"
   local most = ({ awgn = 1e6, bsc = 0.5, bec = 1 })[channel]
   if not most then fail("simulate: channel must be awgn, bsc or bec, got %s", estimator.value_text(o.channel)) end
   if (o.ebn0 == nil) == (o.level == nil) then fail "simulate: either ebn0 or level must be given" end
   if o.ebn0 ~= nil and channel ~= "awgn" then fail "simulate: ebn0 is for the channel awgn; give level" end
   local given = list_of(o.ebn0 and "ebn0" or "level", o.ebn0 or o.level)
   local out = given:copy()
   for i = 1, #given do
      -- the noise of +-1 at a rate of k / n: s^2 = 1 / (2 rate Eb/N0)
      if o.ebn0 then out[i] = (2 * code.rate * 10 ^ (given[i] / 10)) ^ -0.5 end
      if not (out[i] > 0 and out[i] < most) then
         fail("simulate: levels must be between 0 and %s, got %s", text.number(most), text.number(given[i]))
      end
   end
   return channel, out, o.ebn0 and "ebn0" or "level", given
end

local function count_of(o, name, default)
   local value = o[name] == nil and default or o[name]
   if math.type(value) ~= "integer" or value < 1 or value > 2147483647 then
      fail("simulate: %s must be a whole number >= 1, got %s", name, estimator.value_text(value))
   end
   return value
end

-- 95% interval of the bit error rate. Bit errors come in bursts, a word at a time, so the standard error is that of the
-- mean over words; normal on a log scale. Without errors: at most every bit of a wrong word is wrong.
local function bit_interval(n, words, bits, squares, fer_high)
   if bits == 0 then return 0, fer_high end
   local rate = bits / words
   local factor = math.exp(1.959963984540054 * math.sqrt(math.max(squares / words - rate ^ 2, 0) / words) / rate)
   return rate / n / factor, math.min(rate / n * factor, fer_high)
end

function M.methods.simulate(code, options)
   local o = options_of(WHO .. ": simulate", options, SIMULATE, 3)
   local channel, level, name, given = levels(code, o)
   local max_words, errors = count_of(o, "max_words", 100000), count_of(o, "errors", 100)
   local seed = o.seed or 0
   if math.type(seed) ~= "integer" then fail("simulate: seed must be a whole number, got %s", rows.kind(seed)) end
   local setting = table.pack(decoder("simulate", o))
   local n, start, bit = arguments(code)
   local columns = { { name, given }, { "ber", {} }, { "ber_low", {} }, { "ber_high", {} }, { "fer", {} },
      { "fer_low", {} }, { "fer_high", {} }, { "words", {} }, { "word_errors", {} }, { "iterations", {} } }
   for i = 1, #level do
      local words, wrong, bits, iterations, squares = named("simulate", pcall(core.ldpc_simulate, n, start, bit,
         channel, level[i], seed, max_words, errors, table.unpack(setting, 1, setting.n)))
      local low, high = core.metrics.interval("wilson", wrong / words, words, 0.95)
      local bit_low, bit_high = bit_interval(n, words, bits, squares, high)
      for c, value in ipairs { false, bits / words / n, bit_low, bit_high, wrong / words, low, high, words, wrong,
         iterations } do
         if value then columns[c][2][i] = value end
      end
   end
   return Frame(columns)
end

function M.methods.write_alist(code, path)
   if type(path) ~= "string" then fail("write_alist: path must be a string, got %s", rows.kind(path)) end
   local file, reason = io.open(path, "wb")
   if not file then fail("write_alist: %s", reason) end
   local c, checks = hidden[code], {}
   for i = 1, #c.start - 1 do
      checks[i] = {}
      for e = math.tointeger(c.start[i]) + 1, math.tointeger(c.start[i + 1]) do
         checks[i][#checks[i] + 1] = math.tointeger(c.bit[e]) + 1
      end
   end
   local ok, why = file:write(alist.text(c.n, checks))
   file:close()
   if not ok then fail("write_alist: %s", why) end
end

function M.methods.matrix(code)
   local c = hidden[code]
   local H = core.Matrix(#c.start - 1, c.n)
   for i = 1, #c.start - 1 do
      for e = math.tointeger(c.start[i]) + 1, math.tointeger(c.start[i + 1]) do
         H:set(i, math.tointeger(c.bit[e]) + 1, 1)
      end
   end
   return H
end

-- --- the class ---

local properties = {
   n = function(c) return c.n end,
   k = function(c) return c.k end,
   n_checks = function(c) return #c.start - 1 end,
   rate = function(c) return c.k / c.n end,
   message_bits = function(c) return c.message_bits end,
}

local meta = { __name = WHO }

function meta.__index(code, key)
   local c = hidden[code]
   if M.methods[key] then return M.methods[key] end
   if c and properties[key] then return properties[key](c) end
   if type(key) ~= "string" then return nil end
   local known = text.sorted_keys(M.methods)
   for name in pairs(properties) do known[#known + 1] = name end
   error(("%s has no '%s'%s"):format(WHO, key, text.hint(key, known)), 2)
end

function meta.__newindex() error("a code is immutable; create a new one", 2) end

function meta.__tostring(code)
   local c = hidden[code]
   if not c then return WHO end
   return ("%s: %d bits, %d of them message (rate %.3g), %d checks, %d ones"):format(WHO, c.n, c.k, c.k / c.n,
      #c.start - 1, #c.bit)
end

--- A code with these packed fields.
function M.wrap(fields)
   local rank, message_bits = core.ldpc_rank(fields.n, fields.start, fields.bit)
   fields.k, fields.message_bits = fields.n - rank, message_bits
   local code = {}
   hidden[code] = fields
   return setmetatable(code, meta)
end

local class = { name = WHO, meta = meta, check = function() end,
   saved = function(code)
      local c = hidden[code]
      return { n = c.n, start = c.start, bit = c.bit }
   end,
   restored = function(fields)
      if math.type(fields.n) ~= "integer" or rows.kind(fields.start) ~= "Vector"
         or rows.kind(fields.bit) ~= "Vector" then error("a code has no fields n, start and bit", 0) end
      return M.wrap { n = fields.n, start = fields.start, bit = fields.bit }
   end }
meta[estimator.CLASS] = class
estimator.classes[WHO] = class

--- Is the value a code?
function M.is(value) return hidden[value] ~= nil end

-- Methods check their receiver, and errors carry the position of the caller.
for name, func in pairs(M.methods) do
   M.methods[name] = function(code, ...)
      if not M.is(code) then
         error(("%s: call it with a colon, as in code:%s(...), got %s in place of the code"):format(name, name,
            rows.kind(code)), 2)
      end
      return rows.rethrow(1, pcall(func, code, ...))
   end
end

function M.methods.save(code, path) require "manilius.save".save(code, path, 2) end
function M.methods.dump(code) return require "manilius.save".dump(code, 2) end

return M
