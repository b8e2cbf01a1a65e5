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

--- Print help: about all estimators, one by name, or the estimator of a model.
-- @param[opt] subject nil, the name of an estimator, or a model
-- @raise when there is no such estimator
function M.help(subject)
   if subject == nil then
      print(M.overview())
   elseif type(subject) == "string" then
      print(M.estimator(subject))
   else
      print(M.estimator(subject.class))
   end
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
