-- LDPC codes: error rates of the low-density parity-check code (128, 64) of CCSDS for telecommands, beside a decoder in
-- 8 bits.
-- Run in the checkout: lua5.4 examples/ldpc_codes.lua

local ml = require "manilius"

os.execute "mkdir -p build/demo"

local code = ml.LDPCCode { path = "examples/data/ccsds_128_64.alist" }
print(code)

local results = {}
for _, algorithm in ipairs { "sum_product", "fast" } do
   results[algorithm] = code:simulate { ebn0 = { 1, 2, 3, 4 }, algorithm = algorithm, max_words = 30000, errors = 200,
      seed = 1 }
   for _, row in results[algorithm]:each() do
      print(("%-11s Eb/N0 %g dB: word error rate %.1g"):format(algorithm, row.ebn0, row.fer))
   end
end

-- The best regular code of rate 1/2 with three checks a bit, if words were infinitely long.
local _, limit = ml.ldpc_threshold { column_weight = 3, row_weight = 6 }
print(("threshold of long (3, 6) codes: %.1f dB"):format(limit))
ml.plot.error_rates(results, { title = "CCSDS (128, 64)" }):save "build/demo/ldpc_codes.svg"
