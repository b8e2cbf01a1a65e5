--- ml.LDPCCode and ml.ldpc_threshold: low-density parity-check codes.

local code = require "manilius.coding.code"
local core = require "manilius.core"
local estimator = require "manilius.estimator"
local options_of = require "manilius.options".check
local rows = require "manilius.rows"

local M = { help = {} }

M.help.LDPCCode = {
   use = "LDPCCode { path = \"code.alist\" }",
   brief = "Low-density parity-check code: encoding, decoding by belief propagation, error rates.",
   params = {
      { name = "path", brief = "an alist file" },
      { name = "H", brief = "parity-check matrix of 0 and 1; each row is a check" },
      { name = "base", brief = "quasi-cyclic code: matrix of the shifts of its blocks, -1 for a block of zeros" },
      { name = "lift", brief = "number of rows, and of columns, of a block of base" },
      { name = "n", brief = "number of bits of a word; builds a code by progressive edge growth" },
      { name = "m", brief = "number of checks of that code" },
      { name = "column_weight", brief = "number of checks of each bit of that code" },
      { name = "seed", brief = "random seed, which breaks ties of progressive edge growth; default 0" },
   },
   methods = {
      encode = { use = "encode(messages)", brief = "Encode messages of k bits, one in each row, as words of n bits.",
         example = "print(code:encode { { 1, 0, 1, 1 } })" },
      decode = { use = "decode(llr [, options])",
         brief = "Decode received words of n log-likelihood ratios, one in each row.",
         notes = "llr: log p(bit is 0) / p(bit is 1), for instance 2 y / s^2 for +-1 in noise of variance s^2; 0 for "
            .. "an erased bit. Returns words, messages, llr of the bits, iterations, and valid: 1 if all checks are "
            .. "satisfied. Options: algorithm = \"sum_product\", \"min_sum\" or \"fast\" (min-sum in 8 bits); schedule "
            .. "= \"layered\" or \"flooding\"; scale, offset of min_sum; max_iter = 50; early_stop = true.",
         example = "print(code:decode({ { 2, 3, -1, 4, 2, 3, 3 } }).words)" },
      simulate = { use = "simulate { ebn0 = { 1, 2, 3 } }", brief = "Bit and word error rates over a channel.",
         notes = "channel = \"awgn\" with ebn0 in dB or level, \"bsc\" or \"bec\" with level; it stops after "
            .. "max_words words or errors wrong words; seed; and the options of decode. Returns a Frame with ber and "
            .. "fer and their 95% intervals. ml.plot.error_rates draws it.",
         example = "print(code:simulate { ebn0 = { 2, 4 }, max_words = 2000 })" },
      syndrome = { use = "syndrome(words)", brief = "The number of checks that each word does not satisfy.",
         example = "print(code:syndrome { { 1, 1, 1, 1, 1, 1, 1 } })" },
      matrix = { use = "matrix()", brief = "The parity-check matrix, dense.", example = "print(code:matrix())" },
      write_alist = { use = "write_alist(path)", brief = "Write an alist file.",
         example = "local path = os.tmpname()\ncode:write_alist(path)\nos.remove(path)" },
      save = { use = "save(path)", brief = "Write the code to a file; ml.load reads it.",
         example = "local path = os.tmpname()\ncode:save(path)\nprint(ml.load(path))\nos.remove(path)" },
      dump = { use = "dump()", brief = "The bytes of save as a string.", example = "print(#code:dump())" },
   },
   properties = { n = "bits of a word", k = "bits of a message: n minus the rank of H", rate = "k / n",
      n_checks = "rows of H", message_bits = "Vector: positions of the bits of the message in a word" },
   notes = "Give path, H, base with lift, or n with m and column_weight. Words are decoded in parallel: one in each "
      .. "vector lane, and blocks of them in threads.",
   source = "Gallager (1963); Chen & Fossorier, IEEE Trans. Commun. 50 (2002); Hu, Eleftheriou & Arnold (2005)",
   setup = [[
local code = ml.LDPCCode {
   H = { { 1, 1, 1, 0, 1, 0, 0 }, { 1, 1, 0, 1, 0, 1, 0 }, { 1, 0, 1, 1, 0, 0, 1 } },
}]],
}
M.help.LDPCCode.example = M.help.LDPCCode.setup .. "\nprint(code)"

function M.LDPCCode(settings)
   return (rows.rethrow(2, pcall(code.new, settings)))
end

-- --- thresholds ---

M.help.ldpc_threshold = {
   args = {},
   brief = "The worst channel over which infinitely long random LDPC codes decode, by density evolution.",
   options = {
      column_weight = "checks of each bit", row_weight = "bits of each check",
      lambda = "in place of column_weight: { [degree] = share of the edges at bits of this degree }",
      rho = "in place of row_weight: the same for checks",
      channel = "awgn (default): the standard deviation of the noise of +-1; bsc: the probability of a flip; bec: of "
         .. "an erasure",
   },
   returns = "the threshold; of awgn a second number, Eb/N0 in dB",
   notes = "Exact for bec; for awgn and bsc densities of messages are followed on a grid of 601 log odds, to "
      .. "about 0.3%.",
   source = "Richardson & Urbanke, IEEE Trans. Inf. Theory 47 (2001)",
   example = "print(ml.ldpc_threshold { column_weight = 3, row_weight = 6, channel = \"bec\" }) -- 0.4294",
}

-- Shares of edges by degree as a list from degree 1, and the sum of share / degree.
local function shares(o, weight, name)
   local degrees = o[name]
   if (o[weight] == nil) == (degrees == nil) then
      error(("ldpc_threshold: either %s or %s must be given"):format(weight, name), 0)
   end
   if o[weight] ~= nil then
      local value = o[weight]
      if math.type(value) ~= "integer" or value < 2 or value > 1000 then
         error(("ldpc_threshold: %s must be a whole number from 2 to 1000, got %s"):format(weight,
            estimator.value_text(value)), 0)
      end
      degrees = { [value] = 1 }
   end
   if type(degrees) ~= "table" then
      error(("ldpc_threshold: %s must be { [degree] = share }, got %s"):format(name, rows.kind(degrees)), 0)
   end
   local most, sum, inverse, list = 0, 0, 0, {}
   for degree, share in next, degrees do
      if math.type(degree) ~= "integer" or degree < 1 or degree > 1000 or type(share) ~= "number"
         or share ~= share or share < 0 then
         error(("ldpc_threshold: %s must be { [degree] = share }, with degrees from 1 to 1000"):format(name), 0)
      end
      most, sum, inverse = math.max(most, degree), sum + share, inverse + share / degree
   end
   if math.abs(sum - 1) > 1e-6 then
      error(("ldpc_threshold: the shares of %s must add up to 1, got %.10g"):format(name, sum), 0)
   end
   for i = 1, most do list[i] = degrees[i] or 0 end
   return core.Vector(list), inverse
end

local function threshold(options)
   local o = options_of("ldpc_threshold", options, M.help.ldpc_threshold.options, 3)
   local channel = o.channel or "awgn"
   if channel ~= "awgn" and channel ~= "bsc" and channel ~= "bec" then
      error(("ldpc_threshold: channel must be awgn, bsc or bec, got %s"):format(estimator.value_text(channel)), 0)
   end
   local lambda, of_bits = shares(o, "column_weight", "lambda")
   local rho, of_checks = shares(o, "row_weight", "rho")
   local level = core.density_evolution(lambda, rho, channel)
   if channel ~= "awgn" then return level end
   local rate = 1 - of_checks / of_bits
   return level, 10 * math.log(1 / (2 * rate * level ^ 2), 10)
end

function M.ldpc_threshold(options)
   return rows.rethrow(1, pcall(threshold, options))
end

return M
