--- The pages of classes and functions other than core estimators, generated from their help topics.
-- @module manual.reference

local documents = require "manual.documents"
local help = require "manilius.help"
local html = require "manual.html"
local names = require "manilius.help.names"
local text = require "manilius.text"
local topics = require "manilius.help.topics"
local types = require "manual.types"

local M = {}

local sorted_keys = text.sorted_keys

-- --- pieces ---

-- A table { name = text } as a definition list; anchors are prefix.name, but for names that are `taken`.
local function texts(t, prefix, taken)
   local items = {}
   for i, name in ipairs(sorted_keys(t or {})) do
      local id = prefix and not (taken and taken[name]) and prefix .. "." .. name or nil
      items[i] = { id = id, name = name, text = html.text(t[name]) }
   end
   return html.items(items)
end

local function parameters(topic)
   local items = {}
   for i, p in ipairs(topic.params or {}) do
      items[i] = { id = topic.name .. "." .. p.name, name = p.name, text = html.text(p.brief),
         type = help.default_text(p) ~= "nil" and "default " .. html.code(help.default_text(p)) or nil }
   end
   return html.items(items)
end

local pictures -- the output folder, where pictures of examples are saved

--- The file of the picture of a topic.
function M.picture_file(topic)
   return (("%s-%s.svg"):format(topic.kind or "plot", topic.name):gsub("[^%w.-]", "-"))
end

-- The figure of an example that ends with :show(), as an HTML picture; nil for other examples.
local function picture_of(topic)
   local program, last = topic.example:match "^(.-)([^\n]*):show%(%)$"
   if not last or not pictures then return nil end
   local file = M.picture_file(topic)
   documents.printed(program .. "__save(" .. last .. ")", "=" .. topic.name .. ".example",
      { ml = require "manilius", __save = function(figure) figure:save(pictures .. "/" .. file) end })
   return ('<figure><img src="%s" alt="%s" loading="lazy"/></figure>'):format(html.escape(file),
      html.escape(topic.name))
end

local function example_of(topic, setup)
   if not topic.example then return "" end
   local picture = picture_of(topic)
   if picture then return html.lua(topic.example) .. picture end
   local source = (setup and setup .. "\n" or "") .. topic.example
   local printed = documents.printed(source, "=" .. topic.name .. ".example", { ml = require "manilius" })
   return html.lua(source) .. html.output(printed)
end

-- A one-line example, with its output if that is one line too.
local function one_line_example(about, setup)
   local call = about.example and about.example:match "^print%((.*)%)$"
   if not call or call:find "\n" then return "" end
   local ok, printed = pcall(documents.printed, (setup or "") .. "\n" .. about.example, "=example",
      { ml = require "manilius" })
   printed = ok and printed:gsub("\n$", "") or ""
   local shows = printed ~= "" and #printed < 70 and not printed:find "\n" and not printed:find "0x"
   return "<br/>" .. html.code(call) .. (shows and ' <span class="type">→</span> ' .. html.code(printed) or "")
end

local function methods(topic)
   local common, own, shared = require "manilius.help.estimator".methods, {}, {}
   for _, name in ipairs(sorted_keys(topic.methods or {})) do
      local about = topic.methods[name]
      if about == common[name] then
         shared[#shared + 1] = html.link("composition.html#Estimator." .. name, html.code(name))
      else
         own[#own + 1] = { id = topic.name .. "." .. name, name = about.use,
            text = html.text(about.brief) .. one_line_example(about, topic.setup) }
      end
   end
   local also = #shared > 0 and "<p>" .. (#own > 0 and "Also the methods" or "Methods")
      .. " of all estimators: " .. table.concat(shared, ", ") .. ".</p>" or ""
   return html.items(own) .. also
end

local function functions(topic)
   local items = {}
   for i, name in ipairs(sorted_keys(topic.functions or {})) do
      local about = topic.functions[name]
      items[i] = { id = topic.name .. "." .. name, name = "ml." .. about.use,
         text = html.text(about.brief) .. one_line_example(about) }
   end
   return html.items(items)
end

--- How a function is called: ml.read_csv(path [, options]).
function M.signature(topic)
   local args = table.concat(topic.args, ", "):gsub(", %[([^,%]]+)%]", " [, %1]")
   local options = topic.options and next(topic.options) and (args == "" and "[options]" or " [, options]") or ""
   return ("ml.%s(%s%s)"):format(topic.name, args, options)
end

-- Prefix each constructor in a use text with "ml.".
local function synopsis(use)
   return (use:gsub("^(%u)", "ml.%1"):gsub("([,;] )(%u%w* ?{)", "%1ml.%2"):gsub("( or )(%u%w*)", "%1ml.%2"))
end

-- --- topics ---

local function part(out, title, body)
   if body and body ~= "" then out[#out + 1] = "<h4>" .. title .. "</h4>\n" .. body end
end

local function body_of(topic)
   local out = {}
   if topic.formula then out[#out + 1] = "<pre><code>" .. html.escape(topic.formula) .. "</code></pre>" end
   if topic.returns then out[#out + 1] = "<p>Returns: " .. html.text(topic.returns) .. ".</p>" end
   if topic.notes then out[#out + 1] = "<p>" .. html.text(topic.notes) .. "</p>" end
   part(out, "Parameters", parameters(topic))
   part(out, "Options", texts(topic.options))
   part(out, "Learned by fit", texts(topic.learned, topic.name))
   local parameter_names = {}
   for _, p in ipairs(topic.params or {}) do parameter_names[p.name] = true end
   part(out, "Fields", texts(topic.properties, topic.name, parameter_names))
   part(out, "Example", example_of(topic))
   part(out, "Functions", functions(topic))
   part(out, "Methods", methods(topic))
   part(out, "Source", topic.source and "<p>" .. html.escape(topic.source) .. "</p>")
   return table.concat(out, "\n")
end

local function class_section(topic, level)
   return table.concat({ html.heading(level, topic.name, html.escape(topic.name)),
      '<p class="lead">' .. html.text(topic.brief) .. "</p>",
      topic.use and html.lua(synopsis(topic.use)) or "", body_of(topic) }, "\n")
end

local function function_section(topic)
   local name = '<code class="name">' .. html.escape(M.signature(topic)) .. "</code>"
   return table.concat({ html.heading(2, topic.name, name),
      "<p>" .. html.text(topic.brief) .. "</p>", body_of(topic) }, "\n")
end

local function section_of(topic)
   return topic.kind == "function" and function_section(topic) or class_section(topic, 2)
end

local function is_estimator(topic)
   return topic.params and topic.methods and topic.methods.fit
end

-- Add the search entries of a topic and of its members.
local function add_entries(entries, topic)
   entries[#entries + 1] = { name = "ml." .. topic.name, anchor = topic.name, text = topic.brief }
   local common = require "manilius.help.estimator".methods
   for _, kind in ipairs { "methods", "functions" } do
      for _, name in ipairs(sorted_keys(topic[kind] or {})) do
         local about = topic[kind][name]
         if about ~= common[name] then
            entries[#entries + 1] = { name = topic.name .. (kind == "methods" and ":" or ".") .. name,
               anchor = topic.name .. "." .. name, text = about.brief }
         end
      end
   end
   for _, p in ipairs(topic.params or {}) do
      entries[#entries + 1] = { name = topic.name .. "." .. p.name, anchor = topic.name .. "." .. p.name,
         text = p.brief }
   end
end

-- --- pages ---

local titles = { ["values"] = "Matrices and factors", ["files"] = "Reading and writing", ["help"] = "Help and checks",
   dist = "Distributions", kernel = "Kernels as values", sequence = "Filters of sequences", tagging = "Tags and tokens",
   special = "Special functions", test = "Hypothesis tests", plot = "Plots" }

local function title_of(group)
   return titles[group] or group:sub(1, 1):upper() .. group:sub(2)
end

-- Estimators have pages of their own below the page of their group.
local function add_page(site, section, file, title, brief, list, more)
   local links, entries, parts, estimators = {}, {}, {}, {}
   for i, topic in ipairs(list) do
      links[i] = { href = "#" .. topic.name, name = topic.name:match "[^.]+$", text = topic.brief }
      if is_estimator(topic) then
         links[i].href = topic.name .. ".html"
         local page = { file = links[i].href, section = section, title = topic.name, brief = topic.brief, entries = {},
            body = class_section(topic, 1) }
         add_entries(page.entries, topic)
         estimators[#estimators + 1] = page
      else
         parts[#parts + 1] = section_of(topic)
         add_entries(entries, topic)
      end
   end
   if more then
      table.move(more.entries, 1, #more.entries, #entries + 1, entries)
      parts[#parts + 1] = more.body
   end
   local contents = #list > 20 and html.toc(links) or #list > 1 and html.list(links) or ""
   local parent = site:add { file = file .. ".html", section = section, title = title, brief = brief,
      entries = entries,
      body = table.concat({ "<h1>" .. html.escape(title) .. "</h1>", contents, table.concat(parts, "\n") }, "\n") }
   for _, page in ipairs(estimators) do
      page.parent = parent
      site:add(page)
   end
end

-- The section on methods that all estimators have.
local function every_estimator()
   local items, entries = {}, {}
   local common = require "manilius.help.estimator".methods
   for i, name in ipairs(sorted_keys(common)) do
      local about = common[name]
      items[i] = { id = "Estimator." .. name, name = "model:" .. about.use,
         text = html.text(about.brief) .. (about.notes and " " .. html.text(about.notes) .. "." or "") }
      entries[i] = { name = "model:" .. name, anchor = "Estimator." .. name, text = about.brief }
   end
   return { entries = entries, body = html.heading(2, "every-estimator", "Every estimator") .. "\n<p>All estimators, "
      .. "including those in Lua, share these methods. <code>model:can(name)</code> reports whether a model has one of "
      .. "them.</p>\n" .. html.items(items) }
end

local function brief_of(list)
   local found = {}
   for i, topic in ipairs(list) do found[i] = topic.name end
   return #found > 6 and table.concat(found, ", ", 1, 6) .. ", ..." or table.concat(found, ", ") .. "."
end

local function groups()
   local order, by_title = {}, {}
   for _, group in ipairs(names.groups) do
      if not by_title[group.title] then
         by_title[group.title] = {}
         order[#order + 1] = group.title
      end
      for _, name in ipairs(group.names) do table.insert(by_title[group.title], topics.named(name)) end
   end
   return order, by_title
end

local function sentence(words)
   return words:sub(1, 1):upper() .. words:sub(2) .. (words:find "%.$" and "" or ".")
end

local function add_module(site, section, module)
   local list, of = {}, require("manilius." .. module).help
   for i, name in ipairs(types.names_in(of)) do
      local topic = { name = module .. "." .. name, kind = "function" }
      for key, value in pairs(of[name]) do
         if key ~= "name" then topic[key] = value end
      end
      list[i] = topic
   end
   add_page(site, section, module, title_of(module), sentence(names.modules[module]), list)
end

-- Groups that come last.
local last = { help = true, settings = true }

--- Add a page for each group of names and for each module of functions.
-- @param folder the output folder, where figures of examples are saved
function M.add(site, section, folder)
   pictures = folder
   local order, by_title = groups()
   local function add(is_last)
      for _, title in ipairs(order) do
         local list = by_title[title]
         if (last[title] or false) == is_last then
            add_page(site, section, html.slug(title), title_of(title), brief_of(list), list,
               title == "composition" and every_estimator())
         end
      end
   end
   add(false)
   for _, module in ipairs(sorted_keys(names.modules)) do add_module(site, section, module) end
   add(true)
end

return M
