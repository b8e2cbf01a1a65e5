-- Demands on loading: whatever the bytes are, the answer is a clear error or a model that can be used; never a crash,
-- and no memory is lost.
local core = require "manilius.core"
local data = require "manilius.check.data"
local bytes = require "spec.conformance.bytes"
local support = require "spec.support"
local tools = require "manilius.check.tools"
local use = require "manilius.check.use"

local need = tools.need
local memory = core.memory
local demands = {}

local function demand(name, body)
   demands[#demands + 1] = { name = name, demand = body }
end

local function live()
   collectgarbage()
   return memory.live()
end

-- Load the bytes; what comes is used in every way. Results do not matter, accidents do.
local function load_and_use(what, archive, class, problem)
   local ok, model = tools.succeeds_or_explains(what, core.load_model, archive, "hostile")
   if not ok then
      need(model:find "hostile: ", "%s: the error does not name the archive: %s", what, model)
      return false
   end
   if not model.fitted then return true end
   tools.succeeds_or_explains(what, function()
      local again = core.load_model(model:dump())
      need(again:dump() == model:dump(), "%s: it saves other bytes than it was loaded from", what)
   end)
   tools.succeeds_or_explains(what, tostring, model)
   for _, field in ipairs(class.fields) do tools.succeeds_or_explains(what, function() return model[field.name] end) end
   local X = model.n_features == problem.new.cols and problem.new or
      model.n_features < 50 and core.zeros(3, model.n_features) or nil
   if not X then return true end
   for _, action in ipairs(use.actions) do
      if class.can[action] then
         tools.succeeds_or_explains(what .. ": " .. action, model[action], model, X)
         tools.succeeds_or_explains(what .. ": export of " .. action, core.program, model, action)
      end
   end
   if class.can.inverse_transform then
      local given, Z = pcall(model.transform, model, X)
      if given then tools.succeeds_or_explains(what .. ": inverse_transform", model.inverse_transform, model, Z) end
   end
   for _, operation in ipairs(class.operations) do
      tools.succeeds_or_explains(what .. ": " .. operation.name, use.operate, model, operation,
         { X = X, y = X == problem.new and problem.new_y or nil })
   end
   if class.can.partial_fit and X == problem.new then
      tools.succeeds_or_explains(what .. ": partial_fit", model.partial_fit, model, problem.X, problem.y)
   end
   if data.has_param(class, "warm_start") and X == problem.new then
      tools.succeeds_or_explains(what .. ": fit from there", function()
         model:set_params { warm_start = true, [data.rounds(class)] = (model.n_iter or 0) + 1 }
         model:fit(problem.X, problem.y)
      end)
   end
   return true
end

-- A fitted model, its archive, and a loop around what is done with it that watches over memory.
local function with_archive(new, class, body)
   local model, problem = use.fitted(new, class)
   local archive = model:dump()
   load_and_use("the archive itself", archive, class, problem)
   local before = live()
   local limit = memory.limit(before + (256 << 20))
   local ok, message = pcall(body, archive, problem)
   memory.limit(limit)
   need(ok, "%s", message)
   local held = live()
   need(held <= before, "%d bytes are left behind", held - before)
end

-- The time of one case grows with the archive, so fewer cases of a large archive are tried. Exhaustive runs try all of
-- them, up to 2^27 bytes loaded.
local function sample(what, archive, n, bytes_loaded, least)
   local budget = support.exhaustive and 2 ^ 27 or bytes_loaded
   local count = math.max(least, math.floor(budget / #archive))
   return support.sample(what, n, count)
end

demand("a damaged byte is noticed", function(new, class)
   with_archive(new, class, function(archive)
      for _, at in ipairs(sample(class.name .. " damaged", archive, #archive, 40000, 20)) do
         local byte = archive:byte(at)
         for _, other in ipairs { byte ~ 1, byte ~ 0x80, 0xFF ~ byte } do
            local changed = archive:sub(1, at - 1) .. string.char(other) .. archive:sub(at + 1)
            need(not pcall(core.load_model, changed), "byte %d, %02x instead of %02x, is loaded", at, other, byte)
         end
      end
   end)
end)

demand("a cut archive is noticed, by the checksum or without", function(new, class)
   with_archive(new, class, function(archive)
      local body = bytes.body(archive)
      for _, at in ipairs(sample(class.name .. " cut", archive, #archive, 40000, 10)) do
         local size = at - 1
         need(not pcall(core.load_model, archive:sub(1, size)), "the first %d bytes are loaded", size)
         local sealed = bytes.seal(body:sub(1, math.min(size, #body - 1)))
         need(not pcall(core.load_model, sealed), "the first %d bytes of the body are loaded", size)
      end
      need(not pcall(core.load_model, archive .. "\0"), "a byte too much is loaded")
      need(not pcall(core.load_model, bytes.seal(body, 2)), "another version is loaded")
   end)
end)

demand("a damaged byte behind a right checksum does no harm", function(new, class)
   with_archive(new, class, function(archive, problem)
      local body = bytes.body(archive)
      for _, at in ipairs(sample(class.name .. " sealed", archive, #body, 40000, 8)) do
         for _, other in ipairs { body:byte(at) ~ 1, body:byte(at) ~ 0x80, 0, 0xFF } do
            local changed = body:sub(1, at - 1) .. string.char(other) .. body:sub(at + 1)
            load_and_use(("byte %d is %02x"):format(at, other), bytes.seal(changed), class, problem)
         end
      end
   end)
end)

-- What a hostile hand can do to record r: { how, the records in its place }.
local function attacks(r)
   local list = {}
   for j, value in ipairs(bytes.spoil[r.kind](r.value)) do
      list[j] = { "spoiled, case " .. j, { { kind = r.kind, name = r.name, value = value } } }
   end
   list[#list + 1] = { "missing", {} }
   list[#list + 1] = { "twice", { r, r } }
   list[#list + 1] = { "renamed", { { kind = r.kind, name = r.name .. "x", value = r.value } } }
   if r.kind ~= "group" and r.kind ~= "close" then
      list[#list + 1] = { "as a text", { { kind = "text", name = r.name, value = ("<s8"):pack "x" } } }
      list[#list + 1] = { "as a group",
         { { kind = "group", name = r.name, value = "" }, { kind = "close", name = "", value = "" } } }
   end
   return list
end

demand("hostile values, missing records and records too many do no harm", function(new, class)
   with_archive(new, class, function(archive, problem)
      local records, cases = bytes.records(archive), {}
      need(bytes.archive(records) == archive, "taking apart and putting together gives other bytes")
      for i, r in ipairs(records) do
         for _, attack in ipairs(attacks(r)) do cases[#cases + 1] = { i, table.unpack(attack) } end
      end
      for _, at in ipairs(sample(class.name .. " hostile", archive, #cases, 300000, 40)) do
         local i, how, with = table.unpack(cases[at])
         load_and_use(("%s '%s' %s"):format(records[i].kind, records[i].name, how),
            bytes.archive(bytes.replaced(records, i, with)), class, problem)
      end
   end)
end)

-- Two spoiled records at once reach what one alone does not, such as sizes that agree with each other.
demand("two hostile values at once do no harm", function(new, class)
   with_archive(new, class, function(archive, problem)
      local records = bytes.records(archive)
      local draw = core.random(600, nil, 5):totable()
      for _, n in ipairs(sample(class.name .. " pairs", archive, 150, 60000, 12)) do
         local list = records
         for k = 0, 1 do
            local i = math.floor(draw[4 * n - 3 + 2 * k] * #records) + 1
            local r = records[i]
            local cases = bytes.spoil[r.kind](r.value)
            local value = cases[math.floor(draw[4 * n - 2 + 2 * k] * #cases) + 1]
            if value then list = bytes.replaced(list, i, { { kind = r.kind, name = r.name, value = value } }) end
         end
         load_and_use("pair " .. n, bytes.archive(list), class, problem)
      end
   end)
end)

return demands
