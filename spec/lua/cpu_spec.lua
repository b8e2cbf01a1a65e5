--- All variants of the kernels (MANILIUS_CPU) give the same results up to the last digits: they differ in the order of
-- summation and in fused multiplications. MANILIUS_AVX512 names a file with what spec/lua/cpu.lua printed
-- on another machine, or on an emulated one (make check-avx512), where this one has no AVX-512.
local host = require "spec.lua.host"

-- Relative to the largest number of a result. A line search is accurate to the square root of the precision only, so a
-- few results may differ by more than the usual tolerance.
local max_difference, usual_difference = 1e-6, 1e-12

local lua = arg and arg[-1] and arg[-1]:find "lua" and arg[-1] or "lua5.4"

local cache = {}

-- The output of spec/lua/cpu.lua.
local function output_of(variant)
   local path = variant == "avx512" and os.getenv "MANILIUS_AVX512"
   if path then
      local file = assert(io.open(path))
      local output = file:read "a"
      file:close()
      return output
   end
   local ok, output = host.run(("MANILIUS_CPU=%s %s spec/lua/cpu.lua"):format(variant, lua))
   assert(ok, output)
   return output
end

-- The variant that ran, and its results in order: { name, words }
local function results(variant)
   if cache[variant] then return table.unpack(cache[variant]) end
   local output, list = output_of(variant), {}
   for name, values in output:gmatch "([^\t\n]*)\t([^\n]*)" do
      local words = {}
      for word in values:gmatch "%S+" do words[#words + 1] = word end
      list[#list + 1] = { name, words }
   end
   local ran = table.remove(list, 1)
   assert.equal("variant", ran[1])
   cache[variant] = { ran[2][1], list }
   return ran[2][1], list
end

-- The largest difference of two lists of words relative to the largest number. Other words must be equal.
local function difference(name, a, b)
   local scale, far = 0, 0
   assert.equal(#a, #b, name)
   for i, word in ipairs(a) do
      local x, y = tonumber(word), tonumber(b[i])
      if word ~= b[i] then
         assert(x and y and x - x == 0 and y - y == 0, ("%s: %s and %s at position %d"):format(name, word, b[i], i))
         far = math.max(far, math.abs(x - y))
      end
      if x and x - x == 0 then scale = math.max(scale, math.abs(x)) end
   end
   return far == 0 and 0 or far / scale
end

-- Estimators that other rounding leads elsewhere.
local sensitive = {
   -- Their likelihoods are flat around the maximum.
   MixtureOfExpertsClassifier = 1e-3,
   SparseGaussianProcessRegressor = 1e-2,
   -- Searches over hundreds of positions, of which many are about as likely, amplify rounding.
   GPLVM = math.huge,
   BayesianGPLVM = math.huge,
   -- Each layer rotates to principal components, whose variances become equal: then rounding decides the rotation.
   IterativeGaussianization = math.huge,
   -- The graph has several parts: eigenvalues are 0, and any basis of their vectors is as good.
   SpectralClustering = math.huge,
   -- Hundreds of steps, each of which depends on the one before, amplify rounding.
   TSNE = math.huge,
   UMAP = math.huge,
   PaCMAP = math.huge,
}

local function agrees(variant)
   local _, wanted = results "baseline"
   local _, got = results(variant)
   assert.equal(#wanted, #got)
   local close = 0
   for i, one in ipairs(wanted) do
      assert.equal(one[1], got[i][1])
      local far = difference(one[1], one[2], got[i][2])
      local limit = sensitive[one[1]:match "^%a+"] or max_difference
      assert(far <= limit, ("%s: %s differs by %g of its largest"):format(variant, one[1], far))
      close = close + (far <= usual_difference and 1 or 0)
   end
   assert(close >= 0.9 * #wanted, ("only %d of %d results agree to %g"):format(close, #wanted, usual_difference))
end

describe("the variants for each CPU:", function()
   it("MANILIUS_CPU selects the variant", function()
      assert.equal("baseline", (results "baseline"))
      assert.is_true(#select(2, results "baseline") > 100)
      local _, best = host.run(([[MANILIUS_CPU= %s -e 'print(require "manilius".about().product)']]):format(lua))
      assert.is_truthy(({ ["baseline\n"] = true, ["avx2\n"] = true, ["avx512\n"] = true })[best]) -- the best supported
   end)

   it("an unknown name is refused with the list of names", function()
      local ok, output = host.run(("MANILIUS_CPU=avx3 %s -e 'require \"manilius\"'"):format(lua))
      assert.is_falsy(ok)
      assert.matches('manilius: the environment variable MANILIUS_CPU must be "baseline", "avx2" or "avx512", or '
         .. 'unset, got "avx3"', output, 1, true)
   end)

   it("an unsupported variant is reported by ml.about", function()
      for _, variant in ipairs { "baseline", "avx2", "avx512" } do
         local ok, output = host.run(([[MANILIUS_CPU=%s %s -e 'ml = require "manilius" a = ml.about() ]]
            .. [[print(a.product, a.wanted, a)']]):format(variant, lua))
         assert(ok, output)
         local product, wanted = output:match "^(%w+)\t(%w+)\t"
         assert.equal(product ~= variant and variant or "nil", wanted)
         local text = ("MANILIUS_CPU requests %s, which this CPU does not support"):format(variant)
         assert.equal(product ~= variant, output:find(text, 1, true) ~= nil)
      end
   end)

   for _, variant in ipairs { "avx2", "avx512" } do
      it(variant .. " gives the results of the baseline", function()
         if results(variant) ~= variant then
            pending("this machine has no " .. variant)
            return
         end
         agrees(variant)
      end)
   end
end)
