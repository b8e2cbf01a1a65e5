--- Demands on exported programs.

local tools = require "manilius.check.tools"
local use = require "manilius.check.use"

local need, fitted = tools.need, use.fitted
local demands = {}

-- A fitted model, its data and its Lua program; nothing if export is unsupported and says so.
local function exported(new, class)
   local model, problem = fitted(new, class)
   local ok, text = pcall(model.export_lua, model)
   if ok then return model, problem, text end
   need(text:find("cannot be exported: ", 1, true), "the error does not say why: %s", text)
   local fine, message = pcall(model.export_c, model)
   need(not fine and message:find("cannot be exported: ", 1, true), "it can be exported to C, but not to Lua")
end

local function list_of(value)
   return type(value) == "table" and value or { value }
end

-- Must the program agree exactly? Lua lacks log1p and expm1 and has its own power, so that last digits may differ; in
-- compositions also those of exp and log, which may be computed by a Matrix.
local function is_exact(class, text)
   local inexact = { "local function log1p", "local function expm1", " ^ ", not class.core and "exp(" or nil,
      not class.core and "log(" or nil }
   for _, one in pairs(inexact) do
      if text:find(one, 1, true) then return false end
   end
   return true
end

demands[1] = { name = "an exported Lua program gives the same predictions, or export says why not",
   applies = function(class) return class.ours and load ~= nil end,
   demand = function(new, class)
      local model, problem, text = exported(new, class)
      if not model then return end
      local program, compared = assert(load(text, "=exported", "t"))(), 0
      local tolerance = math.max(class.export_tolerance or 0, is_exact(class, text) and 0 or 1e-14)
      for _, action in ipairs(use.actions) do
         need(program[action] or not use.able(model, class, action), "the program does not have %s", action)
         for i = 1, program[action] and problem.new.rows or 0 do
            local wanted = tools.values(model[action](model, problem.new:slice(i, i)))
            local got = list_of(program[action](problem.new:row(i):totable()))
            local same, where = tools.near(wanted, got, tolerance)
            need(same, "%s of row %d gives %s", action, i, where)
            need(math.type(wanted[1]) == math.type(got[1]), "%s returns a different type", action)
            compared = compared + 1
         end
      end
      need(compared > 0, "the program has no functions")
   end }

demands[2] = { name = "export is deterministic and uses the given name",
   applies = function(class) return class.ours end,
   demand = function(new, class)
      local model = exported(new, class)
      if not model then return end
      for _, method in ipairs { "export_c", "export_lua" } do
         need(model[method](model) == model[method](model), "%s gives a different text each time", method)
         need(model[method](model, { name = "other" }):find("other", 1, true), "%s does not use the given name", method)
         for _, name in ipairs { "", "1a", "a b", "a;b", '"', ("x"):rep(41) } do
            tools.refuses(class, "name = " .. name, { "name must be" }, model[method], model, { name = name })
         end
         tools.refuses(class, "an option", { "no option 'nam'; did you mean 'name'" }, model[method], model,
            { nam = "x" })
         tools.refuses(class, "before fit", { "call fit before export" }, model[method], new())
      end
   end }

return demands
