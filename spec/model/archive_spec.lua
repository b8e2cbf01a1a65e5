-- The archive format, which is frozen, and the errors for invalid bytes.
local ml = require "manilius"
local core = require "manilius.core"
local bytes = require "spec.conformance.bytes"

local function says(message, call, ...)
   local ok, text = pcall(call, ...)
   assert.is_false(ok)
   assert.equal(message, (tostring(text):gsub("^[^:]*%.lua:%d+: ", "")))
end

local function from_hex(text)
   return (text:gsub("%s", ""):gsub("%x%x", function(pair) return string.char(tonumber(pair, 16)) end))
end

-- ml.Ridge{ alpha = 0.5 } fitted to a = 1, 3, 2, 6 and y = 1, 2, 3, 5, as written by version 1.
local version_1 = from_hex [[
   894d4e4c0d0a1a0a0100000055010000000000000a05006d6f64656c090900657374696d61746f72050000000000000052696467650a060070
   6172616d73010500616c706861000000000000e03f030d006669745f696e74657263657074010b0000030600666974746564010a0400686561
   64020a006e5f666561747572657301000000000000000209006e5f746172676574730100000000000000030a006f6e655f746172676574010a
   0d00666561747572655f6e616d657302040073697a6501000000000000000900000100000000000000610b00000206006e5f69746572000000
   0000000000030900636f6e766572676564000109006f626a65637469766500000000000000000106006368616e676500000000000000000b00
   000a07006c6561726e6564050400636f6566010000000000000001000000000000007e1a61b9a711e63f040900696e74657263657074010000
   000000000088b0dcd308cbe53f0b00000b0000bf581c6b]]

local function ridge() return core.load_model(version_1, "ridge.mn") end

-- The archive of version 1 with the value of a record replaced, the record removed (nil), or another one inserted
-- after it.
local function with(name, value, kind, more)
   local records = bytes.records(version_1)
   for i, r in ipairs(records) do
      if r.name == name then
         local new = value and { { kind = kind or r.kind, name = name, value = value }, more } or {}
         return bytes.archive(bytes.replaced(records, i, new))
      end
   end
   error("no record " .. name)
end

local function load_as(name, ...)
   return core.load_model(with(name, ...), "ridge.mn")
end

describe("an archive", function()
   it("of version 1 is still read and written", function()
      local model = ridge()
      assert.equal(0.5, model.alpha)
      assert.same({ "a" }, model.feature_names)
      assert.near(20 / 29, model.coef[1], 1e-15)
      assert.near(20 / 29 * 10 + model.intercept, model:predict({ { 10 } })[1], 1e-12)
      assert.equal(version_1, model:dump())
      assert.equal(0xCBF43926, bytes.crc "123456789")
   end)

   it("is little-endian and has the documented records", function()
      local names = {}
      for i, r in ipairs(bytes.records(version_1)) do names[i] = r.kind .. " " .. r.name end
      assert.equal("group model, text estimator, group params, real alpha, flag fit_intercept, close , flag fitted, " ..
         "group head, count n_features, count n_targets, flag one_target, group feature_names, count size, text , " ..
         "close , count n_iter, flag converged, real objective, real change, close , " ..
         "group learned, matrix coef, vector intercept, close , close ", table.concat(names, ", "))
   end)

   it("uses defaults for missing parameters and skips unknown records", function()
      assert.equal(1, load_as("alpha").alpha)
      local more = { kind = "text", name = "later", value = ("<s8"):pack "x" }
      local later = load_as("alpha", ("<d"):pack(0.5), "real", more)
      assert.equal(0.5, later.alpha)
      assert.equal(version_1, later:dump())
   end)

   it("that is damaged is refused with the reason", function()
      local load = core.load_model
      says("ridge.mn: not a manilius archive", load, "", "ridge.mn")
      says("ridge.mn: not a manilius archive", load, "PK\3\4 and so on", "ridge.mn")
      says("ridge.mn: not a manilius archive", load, version_1:gsub("\r\n", "\n"), "ridge.mn")
      says("ridge.mn: truncated after 10 bytes", load, version_1:sub(1, 10), "ridge.mn")
      says("ridge.mn: the body must have 341 bytes, got 76; the file is truncated or damaged",
         load, version_1:sub(1, 100), "ridge.mn")
      says("ridge.mn: the body must have 341 bytes, got 342; the file is truncated or damaged",
         load, version_1 .. "x", "ridge.mn")
      says("ridge.mn: checksum mismatch; the file is damaged", load, version_1:gsub("alpha", "alphb"), "ridge.mn")
      says("ridge.mn: archive version must be from 1 to 1, got 2; a newer version of manilius may read it",
         load, bytes.seal(bytes.body(version_1), 2),
         "ridge.mn")
      says("ridge.mn: contains no model", load, bytes.seal "", "ridge.mn")
      says("ridge.mn: the archive is damaged or incomplete: bad record at byte 20",
         load, bytes.seal "\x63\0\0", "ridge.mn")
   end)

   it("with invalid contents is refused with the reason", function()
      says("ridge.mn: this version of manilius has no estimator 'Rigde'", load_as, "estimator", ("<s8"):pack "Rigde")
      says("ridge.mn: the name of the estimator is missing", load_as, "estimator")
      says("ridge.mn: 'alpha' must be a record of kind 1, got kind 9", load_as, "alpha", ("<s8"):pack "1", "text")
      says("ridge.mn: Ridge: alpha must be >= 0, got -1", load_as, "alpha", ("<d"):pack(-1))
      says("ridge.mn: Ridge: 'coef' must have the shape targets x features", load_as, "coef",
         ("<I8I8dd"):pack(1, 2, 1, 1))
      says("ridge.mn: Ridge: 'coef' must have the shape targets x features", load_as, "coef")
      says("ridge.mn: Ridge: the number of features is out of range", load_as, "n_features", ("<i8"):pack(0))
      says("ridge.mn: Ridge: the number of feature names differs from that of features",
         load_as, "n_features", ("<i8"):pack(2))
      says("ridge.mn: a list of 2 elements has 2 records", load_as, "size", ("<i8"):pack(2))
   end)

   it("cannot make the loader allocate more than its contents", function()
      local large = ("<i8"):pack(0x7FFFFFFF)
      core.memory.peak(true)
      local before = core.memory.live()
      for _, name in ipairs { "n_features", "n_targets", "size" } do
         assert.is_false((pcall(load_as, name, large)))
      end
      assert.is_false((pcall(load_as, "coef", ("<I8I8"):pack(1 << 31, 1 << 31))))
      assert.is_false((pcall(load_as, "intercept", ("<I8"):pack(1 << 61))))
      local list = "\x0a" .. ("<s2"):pack "feature_levels" .. "\x02" .. ("<s2"):pack "size" .. large .. "\x0b\0\0"
      local body = bytes.body(version_1):gsub("\2\6\0n_iter", function(rest) return list .. rest end)
      says("ridge.mn: a list of 2147483647 elements has 1 records", core.load_model, bytes.seal(body), "ridge.mn")
      assert.is_true(core.memory.peak() < before + 100000)
   end)

   it("is refused if nested too deeply, and loads quickly at the deepest allowed level", function()
      local open, close = "\x0a\1\0g", "\x0b\0\0"
      assert.is_false((pcall(core.load_model, bytes.seal(open:rep(65) .. close:rep(65)))))
      says("deep: contains no model", core.load_model, bytes.seal(open:rep(64) .. close:rep(64)), "deep")
      assert.is_false((pcall(core.load_model, bytes.seal(open:rep(3)))))
      assert.is_false((pcall(core.load_model, bytes.seal(close))))
   end)

   it("is written to a file and read back", function()
      local path = os.tmpname()
      local model = ridge()
      assert.equal(model, model:save(path))
      assert.equal(version_1, ml.load(path):dump())
      os.remove(path)
      assert.is_false((pcall(ml.load, path)))
   end)

   it("stores labels of every kind and bytes of every value", function()
      local X = { { 1 }, { 2 }, { 8 }, { 9 } }
      for _, labels in ipairs {
         { "a\0b", "\xff\xfe" }, { -5, 1 << 53 }, { -0.5e300, 1e300 }, { false, true }, { 1, "1" },
      } do
         local model = ml.GaussianNB {}:fit(X, { labels[1], labels[1], labels[2], labels[2] })
         local again = ml.load(model:dump())
         assert.same(model.classes, again.classes)
         for i = 1, 2 do assert.equal(math.type(model.classes[i]), math.type(again.classes[i])) end
      end
   end)
end)
