local ml = require "manilius"
local support = require "spec.support"
local refuses = support.refuses

local function file(name) return ml.LDPCCode { path = "examples/data/" .. name .. ".alist" } end
local hamming, small = file "hamming_7_4", file "regular_20_3_4"

-- Bits of number i, k of them.
local function bits(i, k)
   local list = {}
   for b = 1, k do list[b] = i >> (b - 1) & 1 end
   return list
end

-- All words of a code.
local function words(code)
   local messages = {}
   for i = 0, (1 << code.k) - 1 do messages[i + 1] = bits(i, code.k) end
   return code:encode(messages)
end

-- Log odds of all bits by enumeration of the words.
local function exact(code, llr)
   local all, sums = words(code), {}
   for j = 1, code.n do sums[j] = { 0, 0 } end
   for i = 1, all.rows do
      local weight = 0
      for j = 1, code.n do weight = weight - all[i][j] * llr[j] end
      for j = 1, code.n do
         local s = sums[j]
         local b = math.tointeger(all[i][j]) + 1
         s[b] = s[b] + math.exp(weight)
      end
   end
   local out = {}
   for j = 1, code.n do out[j] = math.log(sums[j][1] / sums[j][2]) end
   return out
end

describe("LDPCCode", function()
   it("knows its size, and encodes words that satisfy all checks", function()
      for code, wanted in pairs { [hamming] = { 7, 4, 3 }, [small] = { 20, 7, 15 },
         [file "array_p31_j3_k6"] = { 186, 95, 93 }, [file "ccsds_128_64"] = { 128, 64, 64 } } do
         assert.same(wanted, { code.n, code.k, code.n_checks })
         local messages = ml.random(20, code.k, 1):gt(0.5)
         local made = code:encode(messages)
         assert.equal(0, code:syndrome(made):sum())
         assert.same(messages:totable(), made:select(code.message_bits):totable())
         -- by the definition, H x = 0 modulo 2
         local product = made * code:matrix():t()
         assert.equal(0, (product - (product / 2):floor() * 2):abs():max())
      end
      assert.equal(128, words(small).rows)
   end)

   it("reads and writes alist files, and is saved", function()
      local path = os.tmpname()
      small:write_alist(path)
      assert.same(small:matrix():totable(), ml.LDPCCode { path = path }:matrix():totable())
      small:save(path)
      local loaded = ml.load(path)
      os.remove(path)
      assert.same(small:matrix():totable(), loaded:matrix():totable())
      assert.equal(tostring(small), tostring(loaded))
      assert.same(small:matrix():totable(), ml.LDPCCode { H = small:matrix() }:matrix():totable())
   end)

   it("finds exact log odds where the graph is a tree", function()
      local code = ml.LDPCCode { H = { { 1, 1, 1, 0, 0, 0, 0 }, { 0, 0, 1, 1, 1, 0, 0 }, { 0, 0, 0, 0, 1, 1, 1 } } }
      local llr = { 0.3, -1.2, 0.8, 2, -0.4, 0.1, 1.1 }
      for _, schedule in ipairs { "layered", "flooding" } do
         local got = code:decode({ llr }, { schedule = schedule, max_iter = 20, early_stop = false })
         support.near_all(exact(code, llr), got.llr[1], 1e-10, schedule, 1)
      end
   end)

   it("is close to exact decoding where the graph has cycles", function()
      local llr = (ml.normal(200, 20, 3) * 0.8 + 1) * (2 / 0.64)
      local got = small:decode(llr)
      local agree, count = 0, 0
      for i = 1, 40 do
         local truth = exact(small, llr[i])
         for j = 1, 20 do
            count = count + 1
            agree = agree + ((truth[j] < 0) == (got.words[i][j] == 1) and 1 or 0)
         end
      end
      assert.is_true(agree / count > 0.97, agree / count)
      assert.equal(got.valid:sum(), small:syndrome(got.words):eq(0):sum())
   end)

   it("min-sum finds the most probable word of a tree", function()
      local code = ml.LDPCCode { H = { { 1, 1, 1, 0, 0 }, { 0, 0, 1, 1, 1 } } }
      local all = words(code)
      for seed = 1, 20 do
         local llr = ml.normal(1, 5, seed)
         local best, most = nil, -math.huge
         for i = 1, all.rows do
            local score = -all[i]:dot(llr[1])
            if score > most then best, most = i, score end
         end
         local got = code:decode(llr, { algorithm = "min_sum", scale = 1 })
         assert.same(all[best]:totable(), got.words[1]:totable())
      end
   end)

   it("has the word error rates published for CCSDS (128, 64)", function()
      -- AFF3CT's references, layered sum-product with 50 iterations, themselves from 100 errors
      local code = file "ccsds_128_64"
      local got = code:simulate { ebn0 = { 2, 3 }, errors = 100, max_words = 20000, seed = 1 }
      for i, wanted in ipairs { 0.333, 0.0496 } do
         -- three standard errors of both
         assert.near(wanted, got.fer[i], 3 * wanted * math.sqrt(1 / 100 + 1 / got.word_errors[i]))
      end
      support.near(0.0357, got.ber[1], 0.3)
      -- 8 bits and min-sum lose little
      local fast = code:simulate { ebn0 = { 2, 3 }, errors = 100, max_words = 20000, algorithm = "fast" }
      for i = 1, 2 do assert.is_true(fast.fer[i] < 1.3 * got.fer[i], fast.fer[i]) end
   end)

   it("has intervals of the bit error rate that hold the true one about 95 times in 100", function()
      local code = file "ccsds_128_64"
      local function simulate(seed, errors, max_words)
         return code:simulate { ebn0 = { 2.5 }, errors = errors, max_words = max_words, seed = seed }
      end
      local truth, held = simulate(99, 5000, 50000).ber[1], 0
      for seed = 1, 100 do
         local got = simulate(seed, 50, 2000)
         if got.ber_low[1] <= truth and truth <= got.ber_high[1] then held = held + 1 end
      end
      assert.is_true(held >= 88, held) -- 3 standard errors of 95
      local none = code:simulate { ebn0 = { 9 }, max_words = 500 }
      assert.equal(0, none.ber_low[1])
      assert.equal(none.fer_high[1], none.ber_high[1])
   end)

   it("repairs erasures up to its distance, and reports the others", function()
      -- any two erasures of a Hamming code can be repaired; three of a word of weight 3 cannot
      local word = hamming:encode({ { 1, 0, 1, 1 } })[1]
      for a = 1, 6 do
         for b = a + 1, 7 do
            local llr = (word * -2 + 1) * 30
            llr[a], llr[b] = 0, 0
            local got = hamming:decode({ llr })
            assert.same(word:totable(), got.words[1]:totable())
            assert.equal(1, got.valid[1])
         end
      end
      local llr = word * 0 + 30
      for j = 1, 7 do llr[j] = hamming:encode({ { 1, 0, 0, 0 } })[1][j] == 1 and 0 or 30 end
      assert.equal(0, hamming:decode({ llr }).valid[1])
      -- the erasure channel at a probability far below the threshold of 0.4294 of (3, 6)
      local code = ml.LDPCCode { n = 600, m = 300, column_weight = 3, seed = 1 }
      assert.equal(0, code:simulate { channel = "bec", level = { 0.3 }, max_words = 500 }.word_errors[1])
   end)

   it("is layered min-sum in whole numbers with the algorithm fast, for checks of every size", function()
      local H, rows = {}, ml.random(20, 40, 5)
      for i = 1, 20 do -- a check of i bits
         H[i] = {}
         local order = rows[i]:argsort()
         for j = 1, 40 do H[i][j] = 0 end
         for e = 1, i do H[i][math.tointeger(order[e])] = 1 end
      end
      local code, llr = ml.LDPCCode { H = H }, ml.normal(130, 40, 6) * 9 + 4
      llr:set(1, 1, math.huge)
      local function limited(value) return math.max(-80, math.min(80, value)) end
      -- Chen et al., IEEE Trans. Commun. 53 (2005): normalized min-sum, with 3 units per unit of log odds
      local function decode(word, iterations)
         local post, message = {}, {}
         for j = 1, 40 do post[j] = limited(math.floor(word[j] * 3 + 0.5)) end
         for i = 1, 20 do message[i] = setmetatable({}, { __index = function() return 0 end }) end
         for _ = 1, iterations do
            for i = 1, 20 do
               local sent = {}
               for j = 1, 40 do
                  if H[i][j] == 1 then sent[j] = limited(post[j] - message[i][j]) end
               end
               for j in pairs(sent) do
                  local size, sign = 80, 1
                  for other, value in pairs(sent) do
                     if other ~= j then size, sign = math.min(size, math.abs(value)), value < 0 and -sign or sign end
                  end
                  message[i][j] = sign * ((math.min(size, 30) * 3 + 2) // 4)
                  post[j] = sent[j] + message[i][j]
               end
            end
         end
         return post
      end
      local got = code:decode(llr, { algorithm = "fast", max_iter = 3, early_stop = false })
      for _, w in ipairs { 1, 2, 64, 65, 130 } do
         assert.same(decode(llr[w], 3), (got.llr[w] * 3):totable(), w)
      end
      assert.same(got.llr:lt(0):totable(), got.words:totable())
      assert.same(got.words:select(code.message_bits):totable(), got.messages:totable())
      local names = {}
      for name, value in pairs(got) do names[#names + 1] = name .. ":" .. #value end
      assert.same({ "words:130", "messages:130", "llr:130", "iterations:130", "valid:130" }, names)
      refuses("there is no result 'word'", function() return got.word end)
   end)

   it("gives the same for any number of threads", function()
      local code, llr = file "array_p31_j3_k6", (ml.normal(100, 186, 2) + 1) * 2
      local before = ml.threads()
      local results = {}
      for _, threads in ipairs { 1, 2 } do
         ml.threads(threads)
         for _, algorithm in ipairs { "sum_product", "fast" } do
            local d = code:decode(llr, { algorithm = algorithm })
            local s = code:simulate { ebn0 = { 2 }, max_words = 2000, errors = 50, algorithm = algorithm }
            results[#results + 1] = { d.llr:totable(), d.iterations:totable(), s.ber[1], s.words[1] }
         end
      end
      ml.threads(before)
      assert.same(results[1], results[3])
      assert.same(results[2], results[4])
   end)

   it("grows codes without short cycles, and lifts base matrices", function()
      local code = ml.LDPCCode { n = 200, m = 100, column_weight = 3, seed = 2 }
      local H = code:matrix()
      assert.equal(3, H:sum("cols"):max())
      assert.equal(3, H:sum("cols"):min())
      -- two bits share at most one check: no cycles of four
      local shared = H:t() * H
      for j = 1, 200 do shared:set(j, j, 0) end
      assert.equal(1, shared:max())
      local lifted = ml.LDPCCode { base = { { 0, 1, -1 }, { 2, -1, 0 } }, lift = 3 }
      assert.same({ { 1, 0, 0, 0, 1, 0, 0, 0, 0 }, { 0, 1, 0, 0, 0, 1, 0, 0, 0 }, { 0, 0, 1, 1, 0, 0, 0, 0, 0 },
         { 0, 0, 1, 0, 0, 0, 1, 0, 0 }, { 1, 0, 0, 0, 0, 0, 0, 1, 0 }, { 0, 1, 0, 0, 0, 0, 0, 0, 1 } },
         lifted:matrix():totable())
   end)

   it("refuses what it cannot use", function()
      local function parse(content)
         local path = os.tmpname()
         local f = assert(io.open(path, "w"))
         f:write(content)
         f:close()
         local ok, message = pcall(ml.LDPCCode, { path = path })
         os.remove(path)
         assert.is_false(ok)
         return message
      end
      assert.matches(":1: the numbers of bits and checks must be 2 numbers, got 1", parse "3\n")
      assert.matches(":3: the degrees of the bits must be whole numbers >= 0, got 'x'", parse "2 1\n1 2\n1 x\n")
      assert.matches(":6: the file ends before the bits of a check", parse "2 1\n1 2\n1 1\n2\n1\n1")
      assert.matches(":8: check 1 and the lists of its bits do not agree", parse "3 1\n1 2\n1 1 0\n2\n1\n1\n0\n1 3\n")
      assert.matches(":%d: checks must be from 1 to 1, got 2", parse "2 1\n1 2\n1 1\n2\n2\n1\n1 2\n")
      refuses("H must be 0 or 1, got 2 in row 1, column 2", ml.LDPCCode, { H = { { 1, 2 } } })
      refuses("give a code by path", ml.LDPCCode, {})
      refuses("with H there is no setting 'lift'", ml.LDPCCode, { H = { { 1, 1 } }, lift = 2 })
      refuses("base must be whole numbers from %-1 to lift %- 1, got 3 in row 1, column 1", ml.LDPCCode,
         { base = { { 3 } }, lift = 3 })
      refuses("encode: messages must have 4 columns, got 3", hamming.encode, hamming, { { 1, 0, 1 } })
      refuses("encode: messages must be 0 or 1, got 2", hamming.encode, hamming, { { 1, 0, 1, 2 } })
      refuses("decode: llr must be numbers, got nan in row 1, column 2", hamming.decode, hamming,
         { { 1, 0 / 0, 1, 1, 1, 1, 1 } })
      refuses("decode: algorithm must be sum_product, min_sum or fast", hamming.decode, hamming,
         { { 1, 1, 1, 1, 1, 1, 1 } }, { algorithm = "bp" })
      refuses("either ebn0 or level must be given", hamming.simulate, hamming, {})
      refuses("levels must be between 0 and 0.5, got 0.7", hamming.simulate, hamming,
         { channel = "bsc", level = { 0.7 } })
      refuses("call it with a colon", hamming.decode, { 1 })
      refuses("a code is immutable", function() hamming.n = 8 end)
   end)
end)

describe("ldpc_threshold", function()
   it("agrees with Richardson & Urbanke", function()
      -- Modern Coding Theory: erasure thresholds of regular ensembles
      for pair, wanted in pairs { ["3 6"] = 0.42944, ["4 8"] = 0.38345, ["3 4"] = 0.64743 } do
         local column, row = pair:match "(%d) (%d)"
         support.near(wanted, ml.ldpc_threshold { column_weight = math.tointeger(column),
            row_weight = math.tointeger(row), channel = "bec" }, 1e-4)
      end
      -- an ensemble of two degrees, at the flatness condition lambda_2 rho'(1) <= 1 / threshold
      local mixed = ml.ldpc_threshold { lambda = { [2] = 0.4, [6] = 0.6 }, rho = { [6] = 1 }, channel = "bec" }
      assert.is_true(mixed <= 1 / (0.4 * 5) + 1e-9)
      local level, ebn0 = ml.ldpc_threshold { column_weight = 3, row_weight = 6 }
      support.near(0.8809, level, 2e-3)
      assert.near(1.10, ebn0, 0.02)
   end)

   it("refuses what it cannot use", function()
      refuses("either row_weight or rho must be given", ml.ldpc_threshold, { column_weight = 3 })
      refuses("shares of lambda must add up to 1, got 0.5", ml.ldpc_threshold,
         { lambda = { [3] = 0.5 }, row_weight = 6 })
      refuses("channel must be awgn, bsc or bec", ml.ldpc_threshold,
         { column_weight = 3, row_weight = 6, channel = "fading" })
   end)
end)
