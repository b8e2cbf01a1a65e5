-- Examples run as they stand, and print what their comments promise. Numbers are compared with a tolerance, since the
-- last digits depend on the CPU.

-- What an example prints.
local function run(name)
   local lines = {}
   local function print_line(...)
      local parts = table.pack(...)
      for i = 1, parts.n do parts[i] = tostring(parts[i]) end
      lines[#lines + 1] = table.concat(parts, "\t")
   end
   local chunk = assert(loadfile("examples/" .. name .. ".lua", "t",
      setmetatable({ print = print_line }, { __index = _G })))
   chunk()
   return table.concat(lines, "\n")
end

-- The first number after a text.
local function number(output, before)
   local _, stop = output:find(before, 1, true)
   assert(stop, ("no %q in\n%s"):format(before, output))
   return tonumber(output:match("%-?%d[%d.e-]*", stop + 1))
end

local function saved(name)
   local file = assert(io.open("build/demo/" .. name .. ".svg"))
   assert.truthy(file:read "a":find "</svg>")
   file:close()
end

describe("the examples of optical communication", function()
   it("identify modulation formats from amplitudes", function()
      local out = run "optical_formats"
      assert.equal(1, number(out, "QPSK  at 22 dB:"))
      assert.equal(2, number(out, "8QAM  at 22 dB:"))
      assert.equal(3, number(out, "16QAM at 22 dB:"))
      assert.near(0.95, number(out, "accuracy"), 0.04)
      saved "optical_formats"
   end)

   it("demodulate under nonlinear phase noise", function()
      local out = run "optical_demodulation"
      local straight = number(out, "straight decision  symbol error rate")
      assert.near(0.104, straight, 0.01)
      for _, name in ipairs { "k-means", "nearest neighbors", "support vectors" } do
         local rate = number(out, ("%-18s symbol error rate"):format(name))
         assert.truthy(rate < straight / 2 and rate > 0.02)
      end
      saved "optical_demodulation"
   end)

   it("predict bit error rates with intervals", function()
      local out = run "optical_bit_error"
      local error, spread = number(out, "on 500 others"), number(out, "spread of their rates")
      assert.truthy(error < spread / 4)
      assert.near(95, number(out, "intervals contain"), 4)
      local seen_low, seen_high = number(out, "16 spans at 1 dBm: log10 of the error rate"), number(out, " to ")
      assert.truthy(seen_low < seen_high and seen_high - seen_low < 1)
      saved "optical_bit_error"
   end)

   it("find the planted terms of a nonlinear channel", function()
      local out = run "optical_channel"
      assert.truthy(out:find("6 terms of 55, of which 6 were planted, out of 6", 1, true))
      saved "optical_channel"
   end)

   it("detect failing links by the relation of the monitored values", function()
      local out = run "optical_failures"
      assert.truthy(number(out, "largest single value          area under the ROC curve") < 0.8)
      assert.truthy(number(out, "elliptic envelope             area under the ROC curve") > 0.98)
      assert.truthy(number(out, "one class of support vectors  area under the ROC curve") > 0.9)
      assert.near(1, number(out, "alarms of the envelope:"), 0.8)
      saved "optical_failures"
   end)

   it("track a phase", function()
      local out = run "optical_phase"
      local raw, filtered = number(out, "error of raw phases"), number(out, "extended filter on the field")
      assert.truthy(filtered < raw / 2)
      assert.truthy(number(out, "extended smoother") < filtered)
      assert.near(0.02, number(out, "frequency"), 0.01)
      saved "optical_phase"
   end)
end)

describe("the example of parity-check codes", function()
   it("reaches the word error rates of the code", function()
      local out = run "ldpc_codes"
      -- 0.0496 in the error-rate references of AFF3CT, whose own simulation error is 20%
      assert.near(0.05, number(out, "sum_product Eb/N0 3 dB: word error rate"), 0.011)
      assert.truthy(number(out, "fast        Eb/N0 4 dB: word error rate") < 0.005)
      assert.near(1.1, number(out, "threshold of long (3, 6) codes:"), 0.1)
      saved "ldpc_codes"
   end)
end)

describe("the examples of message passing", function()
   it("find the disparities of two images", function()
      local out = run "stereo"
      assert.truthy(number(out, "wrong disparities:") > 40)
      assert.truthy(number(out, "pixels alone,") < 10)
      saved "stereo"
   end)

   it("route demands over different links, and allocate channels", function()
      local out = run "routing"
      assert.equal(number(out, "exact    total length"), number(out, "min-sum  total length"))
      assert.equal(number(out, "by messages,"), number(out, "channels: value"))
   end)
end)
