--- Help at the prompt, made from the tables that the estimators are made from.
-- @module manilius.help

local core = require "manilius.core"

local M = {}

local function wrap(text, indent)
   local lines, line = {}, ""
   for word in text:gmatch "%S+" do
      if #line + #word + 1 > 78 - indent and line ~= "" then
         lines[#lines + 1] = line
         line = word
      else
         line = line == "" and word or line .. " " .. word
      end
   end
   lines[#lines + 1] = line
   return table.concat(lines, "\n" .. (" "):rep(indent))
end

--- The default of a parameter as it would be written.
function M.default_text(p)
   if p.default == nil then return "nil" end
   if type(p.default) == "string" then return ('"%s"'):format(p.default) end
   if type(p.default) == "number" then return ("%.10g"):format(p.default) end
   return tostring(p.default)
end

local function section(out, title, items, line)
   if #items == 0 then return end
   out[#out + 1] = title
   local width = 0
   for _, item in ipairs(items) do width = math.max(width, #item.name) end
   for _, item in ipairs(items) do
      local lead = ("  %-" .. width .. "s  "):format(item.name)
      out[#out + 1] = lead .. wrap(line(item), #lead)
   end
   out[#out + 1] = ""
end

--- Everything there is to say about one estimator.
-- @tparam string name
-- @treturn string
function M.estimator(name)
   if not core.constructors[name] then
      local hint = require "manilius.estimator".hint(name, (core.class_names()))
      error(("help: there is no estimator '%s'%s"):format(name, hint), 0)
   end
   local class = core.describe(name)
   local out = { class.name .. " (" .. class.family .. ")", "  " .. wrap(class.brief, 2), "" }
   if class.objective then
      out[#out + 1] = "Objective"
      out[#out + 1] = "  " .. wrap(class.objective, 2)
      out[#out + 1] = ""
   end
   section(out, "Parameters", class.params,
      function(p) return ("%s (default %s; %s)"):format(p.brief, M.default_text(p), p.wanted) end)
   section(out, "Learned by fit", class.fields, function(f)
      return f.brief .. (f.shape ~= "" and (" (%s %s)"):format(f.kind, (f.shape:gsub("[?]", ""))) or "")
   end)
   section(out, "Operations of its own", class.operations, function(o) return o.brief .. ". Gives " .. o.returns end)
   if class.notes then
      out[#out + 1] = "Notes"
      out[#out + 1] = "  " .. wrap(class.notes, 2)
      out[#out + 1] = ""
   end
   out[#out + 1] = "Source"
   out[#out + 1] = "  " .. wrap(class.source, 2)
   out[#out + 1] = ""
   out[#out + 1] = "Example"
   for line in (class.example .. "\n"):gmatch "(.-)\n" do out[#out + 1] = "  " .. line end
   return table.concat(out, "\n")
end

--- All estimators by family, one line each.
-- @treturn string
function M.overview()
   local names, families = core.class_names()
   local by_family, order = {}, {}
   for i, name in ipairs(names) do
      local family = families[i]
      if not by_family[family] then
         by_family[family] = {}
         order[#order + 1] = family
      end
      table.insert(by_family[family], { name = name, brief = core.describe(name).brief })
   end
   table.sort(order)
   local out = {}
   for _, family in ipairs(order) do section(out, family, by_family[family], function(e) return e.brief end) end
   out[#out + 1] = 'ml.help "Ridge" tells more about one of them.'
   return table.concat(out, "\n")
end

local function sorted(t, as_item)
   local items = {}
   for name, value in pairs(t) do items[#items + 1] = as_item(name, value) end
   table.sort(items, function(a, b) return a.name < b.name end)
   return items
end

local function signature(about)
   local args = table.concat(about.args, ", ")
   return ("%s(%s%s)"):format(about.name, args, next(about.options) and " [, options]" or "")
end

--- Everything there is to say about a function of a module, from the table `help` that the module has.
-- @treturn string
function M.module_function(module, about)
   local out = { module .. "." .. signature(about), "  " .. wrap(about.brief, 2), "" }
   local function add(title, text)
      if text then table.move({ title, "  " .. wrap(text, 2), "" }, 1, 3, #out + 1, out) end
   end
   add("Formula", about.formula)
   add("Notes", about.notes)
   add("Gives", about.returns)
   section(out, "Options", sorted(about.options, function(name, text) return { name = name, text = text } end),
      function(o) return o.text end)
   add("Source", about.source)
   if out[#out] == "" then out[#out] = nil end
   return table.concat(out, "\n")
end

--- The functions of a module, one line each.
-- @treturn string
function M.module_overview(module, help)
   local out, functions = {}, sorted(help, function(_, about) return about end)
   section(out, "ml." .. module, functions, function(f) return f.brief end)
   out[#out + 1] = ('ml.help "%s.%s" tells more about one of them.'):format(module, functions[1].name)
   return table.concat(out, "\n")
end

-- What "metrics" or "metrics.f1" asks for; nil when it does not look like that.
local function of_module(subject)
   local module, name = subject:match "^(%l[%w_]*)%.?([%w_]*)$"
   local found = module and require "manilius"[module]
   if type(found) ~= "table" or type(rawget(found, "help")) ~= "table" then return nil end
   if name == "" then return M.module_overview(module, found.help) end
   return M.module_function(module, found.help[name] or found[name])
end

local function text_of(subject)
   if subject == nil then return M.overview() end
   if type(subject) == "userdata" then return M.estimator(subject.class) end
   if type(subject) ~= "string" then
      error("help: the name of an estimator or module, or a model, expected, got " .. type(subject), 0)
   end
   return subject:find "^%l" and of_module(subject) or M.estimator(subject)
end

--- Print help: about all estimators, one by name, the estimator of a model, or functions of a module.
-- @param[opt] subject nil, the name of an estimator, a model, "metrics", "metrics.f1"
-- @raise when there is no such estimator or function
function M.help(subject)
   print((require "manilius.rows".relay(2, pcall(text_of, subject))))
end

--- What this build is and runs on: version, CPU variant of the products, LAPACK, cores and threads.
-- @treturn table with `version`, `lua`, `product`, `lapack`, `cores`, `threads`; prints as a list
function M.about()
   local about = core.about()
   about.version = require "manilius"._VERSION
   about.lua = _VERSION
   about.threads = core.memory.threads()
   return setmetatable(about, {
      __tostring = function(self)
         return ("manilius %s, %s\nproducts: own kernels for %s\nLAPACK: %s\n%d cores, %d threads"):format(self.version,
            self.lua, self.product, self.lapack, self.cores, self.threads)
      end,
   })
end

return M
