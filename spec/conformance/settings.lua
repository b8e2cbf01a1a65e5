-- Demands on parameters, from their ranges in the descriptor: every value in range is taken and read back, every other
-- one is refused with the standard sentence, and nothing changes.
local core = require "manilius.core"
local data = require "manilius.check.data"
local support = require "spec.support"
local tools = require "manilius.check.tools"
local use = require "manilius.check.use"

local need = tools.need
local inf, nan = math.huge, 0 / 0
local most_whole = 2 ^ 53
local demands = {}

local function demand(name, applies, body)
   demands[#demands + 1] = { name = name, applies = applies, demand = body }
end

local function always() return true end

local function plain(text)
   return (text:gsub("%p", "%%%0"))
end

-- Numbers from the ends of the range inwards, and some between, of which `drawn` are random (default 5).
local function numbers_in(p, drawn)
   local low = p.low == -inf and -1e300 or p.open_low and p.low + math.max(math.abs(p.low) * 1e-9, 1e-12) or p.low
   local high = p.high == inf and 1e300 or p.open_high and p.high - math.max(math.abs(p.high) * 1e-9, 1e-12) or p.high
   local list = { low, high, low / 2 + high / 2 }
   local top = math.min(high, 1e6)
   for i, share in ipairs(core.random(drawn or 5, nil, 11):totable()) do list[3 + i] = low + share * (top - low) end
   for _, common in ipairs { 0.0, 0.5, 1.0, 2.0 } do
      if common >= low and common <= high and common ~= low and common ~= high then list[#list + 1] = common end
   end
   return list
end

local function counts_in(p)
   local low = math.ceil(math.max(p.open_low and p.low + 1 or p.low, -most_whole))
   local high = math.floor(math.min(p.open_high and p.high - 1 or p.high, most_whole))
   local list = {}
   for _, value in ipairs { low, low + 1, high - 1, high, (low + high) // 2 } do
      if value >= low and value <= high then list[#list + 1] = math.tointeger(value) end
   end
   return list
end

local function samples(p, drawn)
   if p.kind == "number" then return numbers_in(p, drawn) end
   if p.kind == "integer" then return counts_in(p) end
   if p.kind == "boolean" then return { true, false } end
   if p.kind == "choice" then return p.choices end
   if p.kind == "kernel" then
      local list, kernel = table.move(p.choices, 1, #p.choices, 1, {}), require "manilius.kernel"
      list[#list + 1] = 2 * kernel.RBF { length = { 1, 2 }, columns = { 1, "a b" } } + kernel.Matern { nu = 2.5 }
      return list
   end
   if p.kind == "string" then return { "", "a b", "\0\xff" } end
   if p.kind == "Vector" then return { core.Vector(numbers_in(p)), core.Vector { numbers_in(p)[1] } } end
   if p.kind == "Matrix" then return { core.Matrix { numbers_in(p) }, core.Matrix { { numbers_in(p)[1] } } } end
   if p.kind == "column" then return { 1, 3, "ash", "a b" } end
   if p.kind == "strings" then return { { "ash", "a b" }, { "ash" } } end
   if p.kind == "columns" then return { core.Vector { 2, 1 }, { "ash", "a b" }, { "ash" } } end
   if p.kind == "column values" then
      local numbers = numbers_in(p)
      return { core.Vector(numbers), core.Vector { numbers[1] }, { ash = numbers[1], ["a b"] = numbers[2] } }
   end
   if p.kind == "groups" then
      return { core.Matrix { numbers_in(p) }, { { 2, 1 }, { 3 } }, { { "ash", "a b" }, { 1, 4 } }, { { 1 } } }
   end
   error("no samples for a parameter of kind " .. p.kind)
end

local is_list = { strings = true, Vector = true, Matrix = true, columns = true, ["column values"] = true }
local is_text = { strings = true, string = true, choice = true, column = true, kernel = true }

local function is_in(p, value)
   local above = p.open_low and value > p.low or not p.open_low and value >= p.low
   local below = p.open_high and value < p.high or not p.open_high and value <= p.high
   return above and below
end

-- Of a choice between yes and no, true and false are values too.
local function is_yes_or_no(p)
   local there = {}
   for _, choice in ipairs(p.choices or {}) do there[choice] = true end
   return there.yes and there.no
end

-- Values that must be refused, each with the words that its error must have.
local function wrong(p)
   local list, says = {}, p.name .. " must be "
   local function add(value, got)
      list[#list + 1] = { value = value, says = { says, got } }
   end
   local got_types = { string = 'got string "12"', boolean = "got true", table = "got ", ["function"] = "got function" }
   if p.kind ~= "boolean" and not is_yes_or_no(p) then add(true, got_types.boolean) end
   if not is_text[p.kind] then add("12", got_types.string) end
   if not is_list[p.kind] then add({}, got_types.table) end
   add(print, got_types["function"])
   if p.kind == "strings" then add({ 1 }, "got ") end
   if p.kind == "number" or p.kind == "integer" or p.kind == "column" then
      for _, value in ipairs { nan, inf, -inf, p.low, p.high, p.low - 1, p.high + 1, -1, 0 } do
         if not is_in(p, value) then add(value, "got ") end
      end
   else
      if not is_list[p.kind] then add(1.5, "got 1.5") end
   end
   if p.kind == "integer" or p.kind == "column" then add(p.low + 0.5, p.low >= -most_whole and "got " or nil) end
   if p.choices then
      add("no such choice", "got 'no such choice'")
      add(p.choices[1] .. "x", "did you mean '" .. p.choices[1] .. "'")
      add(p.choices[1] .. "\0", "got ")
   end
   return list
end

demand("every value in range is taken, read back, cloned and saved", always, function(new, class)
   for _, p in ipairs(class.params) do
      for _, value in ipairs(samples(p)) do
         local model = core.constructors[class.name] { [p.name] = value }
         local set = new():set_params { [p.name] = value }
         local loaded = core.load_model(set:dump())
         for what, one in pairs { made = model, set = set, cloned = set:clone(), loaded = loaded } do
            local same, where = tools.equal(one:get_params()[p.name], value)
            need(same, "%s = %s %s: %s", p.name, value, what, where)
            need(tools.equal(one[p.name], value), "model.%s differs from get_params", p.name)
         end
         need(tostring(set):find(class.name, 1, true), "%s = %s does not print", p.name, value)
      end
   end
end)

demand("every value out of range is refused in the standard words, and nothing changes", always, function(new, class)
   for _, p in ipairs(class.params) do
      for _, case in ipairs(wrong(p)) do
         local model = new()
         local before = model:dump()
         local what = ("%s = %s"):format(p.name, case.value)
         for _, call in ipairs {
            function() core.constructors[class.name] { [p.name] = case.value } end,
            function() model:set_params { [p.name] = case.value } end,
         } do
            local message = tools.refuses(class, what, { plain(class.name .. ": " .. case.says[1]) }, call)
            need(not case.says[2] or message:find(case.says[2], 1, true), "%s: '%s' is not in: %s", what, case.says[2],
               message)
            need(not message:find "%-nan", "%s: the message shows -nan", what)
         end
         need(model:dump() == before, "%s is refused, but the model has changed", what)
      end
   end
end)

demand("an unknown parameter is refused, with the one that was meant", always, function(new, class)
   for _, p in ipairs(class.params) do
      if #p.name > 3 then
         local name = p.name:sub(1, -2) .. "_"
         tools.refuses(class, name, { class.name .. " has no parameter '" .. name .. "'; did you mean" },
            function() core.constructors[class.name] { [name] = 1 } end)
      end
   end
   local model = new()
   local before = model:dump()
   tools.refuses(class, "position", { "parameters must be given by name" }, function() model:set_params { 1 } end)
   tools.refuses(class, "unknown", { class.name .. " has no parameter 'zzzz'" },
      function() model:set_params { zzzz = 1 } end)
   need(model:dump() == before, "the model has changed")
end)

demand("set_params takes all or nothing", always, function(new, class)
   for _, p in ipairs(class.params) do
      local values = samples(p)
      local model = new()
      local before = model:dump()
      need(not pcall(model.set_params, model, { [p.name] = values[#values], no_such_parameter = 1 }), "no error")
      need(model:dump() == before, "%s was set although another was refused", p.name)
   end
end)

-- Counts so large that a fit would take too long are left out.
local function samples_for_fit(p)
   local list = {}
   for _, value in ipairs(samples(p, support.exhaustive and 5 or 1)) do
      if p.kind ~= "integer" or math.abs(value) <= 50 then list[#list + 1] = value end
   end
   if p.kind == "integer" then
      for _, value in ipairs { 7, 50 } do list[#list + 1] = is_in(p, value) and value or nil end
   end
   return list
end

-- The problem for an operation; of one that only needs X a few rows, since intervals of a sampled model take long.
local function problem_for(operation, problem)
   return operation.needs_x and not operation.needs_y and { X = problem.X:slice(1, 8) } or problem
end

-- Whatever the settings leave out, nothing that can be read or called may meet an accident.
local function look_at_all(what, model, class, problem)
   tools.succeeds_or_explains(what .. ": an action", use.outputs, model, class, problem.new)
   use.learned(model, class)
   need(tostring(model):find(class.name, 1, true), "%s: it does not print", what)
   for _, operation in ipairs(class.operations) do
      tools.succeeds_or_explains(what .. ": " .. operation.name, use.operate, model, operation,
         problem_for(operation, problem))
   end
   local bytes = model:dump()
   need(core.load_model(bytes):dump() == bytes, "%s: other bytes after loading", what)
end

demand("a fit with any setting works, or says why not, and so does all that comes after", always, function(_, class)
   local problem = data.make(class, { rows = 40 })
   local base = data.settings(class)
   for _, p in ipairs(class.params) do
      for _, value in ipairs(samples_for_fit(p)) do
         local settings = {}
         for name, one in pairs(base) do settings[name] = one end
         settings[p.name] = value
         local model = core.constructors[class.name](settings)
         local what = ("%s = %s"):format(p.name, value)
         local ok, message = tools.succeeds_or_explains(what, model.fit, model, problem.X, problem.y)
         need(ok or message:find(class.name, 1, true) or message:find "not enough memory",
            "%s = %s: the error does not name the estimator: %s", p.name, value, message)
         if ok then look_at_all(what, model, class, problem) end
      end
   end
end)

local function is_built_in(class) return class.core end

-- One other value for each parameter.
local function other_settings(model, class)
   local values = {}
   for _, p in ipairs(class.params) do
      for _, value in ipairs(samples(p, 1)) do
         if values[p.name] == nil and not tools.equal(model[p.name], value) then values[p.name] = value end
      end
   end
   return values
end

demand("parameters set after the fit wait for the next one", is_built_in, function(new, class)
   local model, problem = use.fitted(new, class)
   local values = other_settings(model, class)
   local changed = core.load_model(model:dump()):set_params(values)
   use.same_outputs("after set_params", class, model, changed, problem.new)
   local loaded = core.load_model(changed:dump())
   use.same_outputs("saved and loaded", class, model, loaded, problem.new)
   need(loaded:dump() == changed:dump(), "other bytes after loading")
   for name, value in pairs(values) do
      for what, one in pairs { set = changed, loaded = loaded, cloned = loaded:clone() } do
         need(tools.equal(one[name], value), "%s: %s is not shown", what, name)
      end
   end
end)

demand("with warm_start, fits that ask for more rounds give the bits of one", function(class)
   return data.has_param(class, "warm_start")
end, function(new, class)
   local rounds = data.rounds(class)
   for _, problem in ipairs { data.make(class), data.make(class, { plain = true, seed = 5 }) } do
      local settings = { warm_start = true, [rounds] = 2 }
      local model = new(settings):fit(problem.X, problem.y)
      for _, more in ipairs { 3, 9, 9 } do model:set_params({ [rounds] = more }):fit(problem.X, problem.y) end
      settings[rounds] = 9
      need(model:dump() == new(settings):fit(problem.X, problem.y):dump(), "other bytes than those of one fit")
      local ok, message = pcall(model.fit, model:set_params { [rounds] = 1 }, problem.X, problem.y)
      need(not ok and message:find(rounds, 1, true), "fewer rounds than there are: %s", message)
   end
end)

-- A large bound must not allocate memory or take time in advance. A fit that would go on is stopped where the default
-- stops it.
demand("a large max_iter costs nothing", function(class)
   return class.does.iterate and data.has_param(class, "max_iter")
end,
   function(new, class)
      local problem = data.make(class)
      local most = counts_in(data.has_param(class, "max_iter"))
      local one, two = new():fit(problem.X, problem.y), new { max_iter = most[#most] }
      if one.converged then
         two:fit(problem.X, problem.y)
         use.same_outputs("max_iter = " .. most[#most], class, one, two, problem.new)
      else
         two:fit(problem.X, problem.y, { on_iter = function(state)
            return state.done >= one.n_iter and "stop" or nil
         end })
      end
   end)

return demands
