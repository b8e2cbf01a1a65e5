--- Help at the prompt, generated from the help tables next to the definitions; see manilius.help.topics.

local common = require "manilius.help.estimator".methods
local core = require "manilius.core"
local estimator = require "manilius.estimator"
local names = require "manilius.help.names"
local rows = require "manilius.rows"
local text = require "manilius.text"
local topics = require "manilius.help.topics"

local M = {}

local MAX_NAME_WIDTH = 30

--- The default of a parameter as Lua source.
function M.default_text(p)
   if p.default == nil or p.default == estimator.NONE then return "nil" end
   if type(p.default) == "string" then return ('"%s"'):format(p.default) end
   -- In Lua classes 1.0 may be a fraction and 1 a number of rows; the core has only one number type.
   if p.in_lua and math.type(p.default) == "float" and p.default % 1 == 0 then return ("%.1f"):format(p.default) end
   if type(p.default) == "number" then return ("%.10g"):format(p.default) end
   return estimator.value_text(p.default)
end

-- --- sections ---

local function section(out, title, items, line)
   if #items == 0 then return end
   out[#out + 1] = title
   local width = 0
   for _, item in ipairs(items) do width = math.max(width, #item.name) end
   width = math.min(width, MAX_NAME_WIDTH, core.screen() // 2 - 4)
   for _, item in ipairs(items) do
      local lead, words = ("  %-" .. width .. "s  "):format(item.name), text.wrap(line(item), width + 4)
      if #item.name > width then
         lead, words = "  " .. text.wrap(item.name, 4) .. "\n", (" "):rep(width + 4) .. words
      end
      out[#out + 1] = (lead .. words):gsub(" +\n", "\n")
   end
   out[#out + 1] = ""
end

local function paragraph(out, title, words)
   if not words then return end
   out[#out + 1] = title
   for line in (words .. "\n"):gmatch "(.-)\n" do out[#out + 1] = "  " .. text.wrap(line, 2) end
   out[#out + 1] = ""
end

-- { name = text } as a list sorted by name.
local function sorted_items(t)
   local items = {}
   for _, name in ipairs(text.sorted_keys(t or {})) do items[#items + 1] = { name = name, brief = t[name] } end
   return items
end

local function brief_of(item)
   return item.brief
end

local function signature(topic)
   if topic.kind == "method" then return topic.class .. ":" .. topic.use end
   if not topic.args then return (topic.use:match "^%u" and "ml." or "") .. topic.use end
   local args = table.concat(topic.args, ", ")
   if not (topic.options and next(topic.options)) then return ("ml.%s(%s)"):format(topic.name, args) end
   return ("ml.%s(%s)"):format(topic.name, args == "" and "options" or args .. " [, options]")
end

local function title_of(topic)
   if topic.kind == "estimator" then return ("%s (%s)"):format(topic.name, topic.group) end
   return (signature(topic):gsub("[^\n]+", function(line) return text.wrap(line, 4) end))
end

local function example_of(topic)
   if not topic.example then return nil end
   return (topic.setup and topic.kind == "method" and topic.setup .. "\n" or "") .. topic.example
end

local function methods_line(out, topic)
   local list, own = {}, {}
   for _, name in ipairs(text.sorted_keys(topic.methods or {})) do
      if common[name] == topic.methods[name] then
         list[#list + 1] = name
      else
         own[#own + 1] = { name = topic.methods[name].use, brief = topic.methods[name].brief }
      end
   end
   section(out, topic.kind == "estimator" and "Additional methods" or "Methods", own, brief_of)
   if #list == 0 then return end
   paragraph(out, #own > 0 and "Common methods" or "Methods", table.concat(list, ", ")
      .. ('\nFor details: ml.help "%s.%s".'):format(topic.name, topic.methods.fit and "fit" or list[1]))
end

local function functions_of(topic)
   local items = {}
   for _, name in ipairs(text.sorted_keys(topic.functions or {})) do
      items[#items + 1] = { name = topic.functions[name].use, brief = topic.functions[name].brief }
   end
   return items
end

local function range_text(p)
   if p.wanted then return "; " .. p.wanted end
   if p.least then return ("; an integer >= %d"):format(p.least) end
   return ""
end

-- " (default 1; a number >= 0)"; without a default only the range.
local function default_and_range(p)
   local default, range = M.default_text(p), range_text(p)
   if default ~= "nil" then return (" (default %s%s)"):format(default, range) end
   return range ~= "" and (" (%s)"):format(range:sub(3)) or ""
end

-- "Matrix targets x features; one target: Vector"
local function shape_text(field)
   local shape = (field.shape or ""):gsub("[?]", "")
   local one = shape:find "^targets" and "one target" or shape:find "^decisions" and "two classes"
      or shape:find "^problems" and "a single one"
   local kind = field.kind == "Matrix" and "Vector" or "number"
   return ("%s %s%s"):format(field.kind, shape, one and ("; %s: %s"):format(one, kind) or "")
end

--- The complete help text of a topic.
function M.text_of(topic)
   local out = { title_of(topic), "  " .. text.wrap(topic.brief, 2), "" }
   paragraph(out, "Objective", topic.objective)
   paragraph(out, "Formula", topic.formula)
   section(out, topic.kind == "method" and "Options" or "Parameters", topic.params or {}, function(p)
      if topic.kind == "function" then return p.brief end
      return p.brief .. default_and_range(p)
   end)
   if #(topic.takes_text or {}) > 0 then paragraph(out, "Supports", table.concat(topic.takes_text, ", ")) end
   if #(topic.required_text or {}) > 0 then paragraph(out, "Requires", table.concat(topic.required_text, ", ")) end
   section(out, "Options", sorted_items(topic.options), brief_of)
   paragraph(out, "Returns", topic.returns)
   section(out, "Learned by fit", topic.fields or {}, function(f)
      return f.brief .. (f.shape ~= "" and (" (%s)"):format(shape_text(f)) or "")
   end)
   section(out, "Learned by fit", sorted_items(topic.learned), brief_of)
   section(out, "Fields", sorted_items(topic.properties), brief_of)
   methods_line(out, topic)
   section(out, "Functions", functions_of(topic), brief_of)
   paragraph(out, "Notes", topic.notes)
   paragraph(out, "Source", topic.source)
   local example = example_of(topic)
   if example then out[#out + 1] = "Example\n  " .. example:gsub("\n", "\n  ") end
   if out[#out] == "" then out[#out] = nil end
   return table.concat(out, "\n")
end

--- The help text of a parameter or learned field of a class.
local function setting_text(topic)
   local p, out = topic.of, { topic.name, "  " .. text.wrap(topic.brief, 2) }
   if topic.what == "setting" then
      out[#out + 1] = "  " .. text.wrap(("default %s%s"):format(M.default_text(p), range_text(p)), 2)
   elseif p.kind then
      out[#out + 1] = "  " .. text.wrap("learned by fit: " .. shape_text(p), 2)
   end
   return table.concat(out, "\n")
end

--- The help text of an estimator.
function M.estimator(name)
   local topic = core.constructors[name] and topics.named(name) or topics.find(name)
   return M.text_of(topic)
end

--- The functions of a module, one line each.
function M.module_text(module, help)
   local out, items = {}, {}
   for _, name in ipairs(text.sorted_keys(help)) do items[#items + 1] = { name = name, brief = help[name].brief } end
   section(out, "ml." .. module .. ": " .. (names.modules[module] or ""), items, brief_of)
   out[#out + 1] = ('For details: ml.help "%s.%s".'):format(module, items[1].name)
   return table.concat(out, "\n")
end

-- Names with the first sentence of their briefs.
local function briefs(list)
   local items = {}
   for i, name in ipairs(list) do
      local brief = topics.named(name).brief
      items[i] = { name = name, brief = (brief:match "^(.-[^.])[.:;]%s" or brief):gsub("%.$", "") }
   end
   return items
end

-- The titles of the overview in its order, and the names below each.
local function overview_groups()
   local found, families = core.class_names()
   local by_title, order = {}, {}
   local function add(title, list)
      if not by_title[title] then
         by_title[title] = {}
         order[#order + 1] = title
      end
      table.move(list, 1, #list, #by_title[title] + 1, by_title[title])
   end
   for i, name in ipairs(found) do add(families[i], { name }) end
   table.sort(order)
   for _, group in ipairs(names.groups) do add(group.title, group.names) end
   add("modules of functions", text.sorted_keys(names.modules))
   return order, by_title
end

--- All public names, one line each: estimators by family, then classes, functions and modules.
function M.overview()
   local order, by_title = overview_groups()
   local out = {}
   for _, title in ipairs(order) do section(out, title, briefs(by_title[title]), brief_of) end
   out[#out + 1] = text.wrap('For details: ml.help "Ridge", ml.help "Frame.join", ml.help(model); for one of these '
      .. 'lists: ml.help "linear". To search: ml.find "words".', 0)
   return table.concat(out, "\n")
end

-- One list of the overview, if this is its title and not also the name of something else.
local function group_text(title)
   local _, by_title = overview_groups()
   if not by_title[title] or pcall(topics.find, title) then return nil end
   local out = {}
   section(out, title, briefs(by_title[title]), brief_of)
   return (table.concat(out, "\n"):gsub("\n+$", ""))
end

local function text_of(subject)
   if subject == nil or subject == require "manilius" then return M.overview() end
   local name = subject
   if type(subject) ~= "string" then
      name = topics.name_of(subject)
      if not name then
         error(("help: expected a name or a manilius value, got %s"):format(rows.kind(subject)), 0)
      end
   end
   local group = group_text(name)
   if group then return group end
   local known, topic = pcall(topics.find, name)
   if not known then return require "manilius.help.find".instead_of(name) or error(topic, 0) end
   if topic.kind == "module" then return M.module_text(topic.name, topic.help) end
   if topic.kind == "setting" then return setting_text(topic) end
   return M.text_of(topic)
end

--- Print help. For the name of a method elsewhere, such as "varimax", the best matches; a misspelled name raises an
-- error that suggests the nearest one.
-- subject: nil: an overview; a name such as "Ridge", "Frame.join", "metrics" or "metrics.f1"; a title of the overview
-- such as "linear"; or a manilius value such as a model, a frame or a function
function M.help(...)
   print((rows.rethrow(2, pcall(text_of, (...)))))
end

local About = { __name = "About" }

function About.__tostring(self)
   local wanted = self.wanted
      and (" (MANILIUS_CPU requests %s, which this CPU does not support)"):format(self.wanted) or ""
   return ("manilius %s, %s\nmatrix products: built-in kernels for %s%s\nLAPACK: %s\n%d cores, %d threads"):format(
      self.version, self.lua, self.product, wanted, self.lapack, self.cores, self.threads)
end

--- Describe this build and the machine it runs on.
function M.about()
   local about = core.about()
   about.version = require "manilius"._VERSION
   about.lua = _VERSION
   about.threads = core.memory.threads()
   return setmetatable(about, About)
end

-- Help for the functions of this module (M.help is already a function).
M.topics = {
   help = { args = { "[subject]" }, brief = "Print help: an overview, or help on a name or a value.",
      notes = 'Names: "Ridge", "Ridge.alpha", "KFold", "read_csv", "Frame.join", "fit", "metrics", "metrics.f1". '
         .. "Values: a model, a frame, a search, a function.", example = 'ml.help "Ridge.alpha"' },
   about = { args = {}, brief = "Show version, CPU kernels, LAPACK, cores and threads of this build.",
      notes = "The environment variable MANILIUS_CPU selects the kernels: baseline, avx2 or avx512.",
      returns = "table: version, lua, product (kernels in use), wanted (kernels requested by MANILIUS_CPU but not "
         .. "supported by this CPU), lapack, cores, threads; prints as a list",
      example = "print(ml.about().version)" },
}

return M
