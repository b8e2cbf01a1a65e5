-- Decoding of the code (2304, 1152) of IEEE 802.16e by layered min-sum in 8 bits, 50 iterations without stopping early.
-- The list of software decoders of AFF3CT has 217 Mb/s for this on 4 cores (Le Gal & Jego, IEEE TPDS 27 (2016), on an
-- i7-4960HQ, 128 words at a time): bits of code words, 2304 a word, not of messages, and without stopping early.
-- `mbit_per_s` counts the same. The time includes the conversion from numbers in double precision and back to messages.
-- The peer, which decodes one word at a time in double precision, stops when a word satisfies all checks.
-- Words are decoded 640 at a time, for the memory of results to be used again; the published figure is for 128.
local LIFT, EBN0, PART = 96, 2, 640

-- Shifts of the blocks of the message: row, column, shift. The rest is a double diagonal.
local SHIFTS = {
   { [2] = 94, [3] = 73, [9] = 55, [10] = 83 },
   { [2] = 27, [6] = 22, [7] = 79, [8] = 9, [12] = 12 },
   { [4] = 24, [5] = 22, [6] = 81, [8] = 33, [12] = 0 },
   { [1] = 61, [3] = 47, [9] = 65, [10] = 25 },
   { [3] = 39, [7] = 84, [10] = 41, [11] = 72 },
   { [5] = 46, [6] = 40, [8] = 82, [12] = 79 },
   { [3] = 95, [4] = 53, [10] = 14, [11] = 18 },
   { [2] = 11, [3] = 73, [7] = 2, [10] = 47 },
   { [1] = 12, [5] = 83, [6] = 24, [8] = 43, [12] = 51 },
   { [6] = 94, [8] = 59, [11] = 70, [12] = 72 },
   { [3] = 7, [4] = 65, [9] = 39, [10] = 49 },
   { [1] = 43, [6] = 66, [8] = 41, [12] = 26 },
}
local FIRST_PARITY = { [1] = 7, [6] = 0, [12] = 7 }

local function base()
   local rows = {}
   for i, shifts in ipairs(SHIFTS) do
      rows[i] = {}
      for j = 1, 24 do rows[i][j] = shifts[j] or -1 end
      rows[i][13] = FIRST_PARITY[i] or -1
      if i < 12 then rows[i][13 + i] = 0 end
      if i > 1 then rows[i][12 + i] = 0 end
   end
   return rows
end

return {
   title = "LDPC code (2304, 1152), min-sum in 8 bits, 50 iterations, 2,560 words at 2 dB", rows = 2560,
   columns = { "mbit_per_s", "wrong_messages" }, -- bits of code words
   criterion = { key = "wrong_messages", better = "lower", slack = 2 },
   peers = { { "ldpc", "ldpc_decoder.py", "ldpc" } },
   make = function(ml, path, n)
      local code = ml.LDPCCode { base = base(), lift = LIFT }
      code:write_alist(path "code.alist")
      local messages = ml.normal(n, code.k, 1):gt(0)
      local words, sigma = code:encode(messages), 10 ^ (-EBN0 / 20) -- the rate is 1/2
      local received = 1 - 2 * words + sigma * ml.normal(n, code.n, 2)
      ml.write_npy(path "words.npy", words)
      ml.write_npy(path "bits.npy", ml.Matrix { code.message_bits })
      ml.write_npy(path "llr.npy", received * (2 / sigma ^ 2))
   end,
   ours = function(ml, path, n)
      local data = { code = ml.LDPCCode { path = path "code.alist" }, words = ml.read_npy(path "words.npy"), n = n }
      local llr, parts = ml.read_npy(path "llr.npy"), {}
      for first = 1, n, PART do parts[#parts + 1] = llr:slice(first, math.min(first + PART - 1, n)) end
      return function()
         local found = {}
         for i, part in ipairs(parts) do
            found[i] = data.code:decode(part, { algorithm = "fast", early_stop = false }).messages
         end
         return found
      end, data
   end,
   measure = function(run, data, budget)
      local found, figures = require("measure").repeated(run, budget)
      figures.mbit_per_s = data.code.n * data.n / 1e6 / figures.seconds
      return found, figures
   end,
   quality = function(_, found, data)
      local wrong, sent = 0, data.words:select(data.code.message_bits)
      for i, messages in ipairs(found) do
         local first = (i - 1) * PART
         local errors = messages - sent:slice(first + 1, first + messages.rows)
         wrong = wrong + errors:abs():sum("rows"):gt(0):sum()
      end
      return { wrong_messages = wrong }
   end,
}
