--- Demands on what a model is exported to.
-- @module manilius.check.export

local tools = require "manilius.check.tools"
local use = require "manilius.check.use"

local need, fitted = tools.need, use.fitted
local demands = {}

-- The model, and its program when it has one; else its reason has been looked at.
local function exported(new, class)
   local model, problem = fitted(new, class)
   local ok, text = pcall(model.export_lua, model)
   if ok then return model, problem, text end
   need(text:find("cannot be exported: ", 1, true), "the error does not say why: %s", text)
   local fine, message = pcall(model.export_c, model)
   need(not fine and message:find("cannot be exported: ", 1, true), "it is exported to C, but not to Lua")
end

local function list_of(value)
   return type(value) == "table" and value or { value }
end

-- Lua has neither log1p nor expm1, and its own power: then the last places may differ. So do exp and log in what is
-- composed of estimators, where they may be those of a Matrix.
local function is_exact(class, text)
   local inexact = { "local function log1p", "local function expm1", " ^ ", not class.core and "exp(" or nil,
      not class.core and "log(" or nil }
   for _, one in pairs(inexact) do
      if text:find(one, 1, true) then return false end
   end
   return true
end

demands[1] = { name = "a program in Lua predicts the same, or it says why there is none",
   applies = function(class) return class.house and load ~= nil end,
   demand = function(new, class)
      local model, problem, text = exported(new, class)
      if not model then return end
      local program, exact, compared = assert(load(text, "=exported", "t"))(), is_exact(class, text), 0
      for _, action in ipairs(use.actions) do
         need(program[action] or not use.able(model, class, action), "the program has no %s", action)
         for i = 1, program[action] and problem.new.rows or 0 do
            local wanted = tools.values(model[action](model, problem.new:slice(i, i)))
            local got = list_of(program[action](problem.new:row(i):totable()))
            local same, where = tools.near(wanted, got, exact and 0 or 1e-14)
            need(same, "%s of row %d gives %s", action, i, where)
            need(math.type(wanted[1]) == math.type(got[1]), "%s gives another type", action)
            compared = compared + 1
         end
      end
      need(compared > 0, "the program has no function")
   end }

demands[2] = { name = "a program is the same text every time, under the name that it is given",
   applies = function(class) return class.house end,
   demand = function(new, class)
      local model = exported(new, class)
      if not model then return end
      for _, method in ipairs { "export_c", "export_lua" } do
         need(model[method](model) == model[method](model), "%s gives another text", method)
         need(model[method](model, { name = "other" }):find("other", 1, true), "%s does not take the name", method)
         for _, name in ipairs { "", "1a", "a b", "a;b", '"', ("x"):rep(41) } do
            tools.refuses(class, "name = " .. name, { "name must be" }, model[method], model, { name = name })
         end
         tools.refuses(class, "an option", { "no option 'nam'; did you mean 'name'" }, model[method], model,
            { nam = "x" })
         tools.refuses(class, "before fit", { "call fit before export" }, model[method], new())
      end
   end }

return demands
