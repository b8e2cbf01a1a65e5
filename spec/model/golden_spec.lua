--- Golden archives (spec/fixtures/golden): the files of every version must load and give the same outputs; damaged ones
-- must be refused.
local ml = require "manilius"
local core = require "manilius.core"
local golden = require "spec.fixtures.golden.golden"
local support = require "spec.support"

-- Only rounding may differ, by CPU or library; some place new rows by many steps, or in single precision.
local tolerance_of = { UMAP = 1e-5, PaCMAP = 1e-5, TSNE = 1e-5, GPLVM = 1e-5, BayesianGPLVM = 1e-5 }

local function same(wanted, got, what, tolerance)
   assert(#wanted == #got, ("%s: wanted %d values, got %d"):format(what, #wanted, #got))
   for i, value in ipairs(wanted) do
      local other = got[i]
      if type(value) == "number" and value == value and math.abs(value) < math.huge then
         support.near(value, other, tolerance, ("%s[%d]"):format(what, i), tolerance)
      else
         assert(value == other or (value ~= value and other ~= other),
            ("%s[%d]: wanted %s, got %s"):format(what, i, value, other))
      end
   end
end

local function kept(name, version)
   local path = golden.path(name, version)
   return assert(golden.read(path), ("there is no golden archive of %s; make it: "
      .. "make golden ONLY=%s, and commit %s with its table of outputs"):format(name, name, path))
end

local function is_refused(bytes, what)
   if pcall(ml.load, bytes) then error(what .. " is loaded") end
end

-- Older versions have no files of later models.
local function is_held(name, version)
   return version == golden.versions[#golden.versions] or golden.exists(name, version)
end

-- Whether the model has a parameter that was added after the file was written.
local function has_new_setting(model, bytes)
   for name in pairs(model.get_params and model:get_params() or {}) do
      local own = name:gsub("^.*__", "")
      if not bytes:find(own, 1, true) then return true end
   end
   return false
end

local function checks(name, version)
   it("loads, gives the same outputs, and is saved as the same bytes unless parameters were added", function()
      local bytes = kept(name, version)
      local model, expected = ml.load(bytes), golden.expected(name, version)
      local written = ml.dump(model)
      local shortened = version <= (golden.shortened[name] or 0)
      local unchanged = version == golden.versions[#golden.versions] and not shortened
         and not has_new_setting(model, bytes)
      assert.equal(shortened, #written < #bytes)
      assert(written == (unchanged and bytes or ml.dump(ml.load(written))), "other bytes are written")
      if expected.text then assert.equal(expected.text, tostring(model)) end
      local outputs = golden.outputs(model, expected.rows)
      for action, wanted in pairs(expected.outputs) do
         same(wanted, outputs[action] or {}, action, tolerance_of[name] or 1e-9)
      end
      assert.is_not_nil(next(expected.outputs))
   end)

   it("is refused if a byte is changed or it is truncated", function()
      local bytes = kept(name, version)
      for at = 1, #bytes do
         local before, byte, after = bytes:sub(1, at - 1), bytes:byte(at), bytes:sub(at + 1)
         for _, change in ipairs { 0x01, 0x80, 0xff } do
            is_refused(before .. string.char(byte ~ change) .. after, ("byte %d with %02x"):format(at, change))
         end
      end
      for size = 8, #bytes - 1 do is_refused(bytes:sub(1, size), ("the first %d bytes"):format(size)) end
      for size = 0, 8 do assert.is_false(pcall(core.archive_read, bytes:sub(1, size))) end
   end)
end

for _, version in ipairs(golden.versions) do
   for _, name in ipairs(golden.names()) do
      if is_held(name, version) then
         describe(("the golden archive of %s, version %d"):format(name, version), function() checks(name, version) end)
      end
   end
end
