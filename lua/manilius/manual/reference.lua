--- The pages of functions and classes that are no estimators, from their tables of help.
-- @module manilius.manual.reference

local help = require "manilius.help"
local html = require "manilius.manual.html"
local ml = require "manilius"

local M = {}

local function sorted_names(t)
   local names = {}
   for name in pairs(t) do names[#names + 1] = name end
   table.sort(names)
   return names
end

local function signature(module, about)
   local args = table.concat(about.args, ", ")
   if about.options and next(about.options) then args = args .. (args == "" and "" or ", ") .. "options" end
   return ("ml.%s.%s(%s)"):format(module, about.name, args)
end

local function options(module, about)
   local items = {}
   for _, name in ipairs(sorted_names(about.options or {})) do
      items[#items + 1] = { name = name, text = html.text(about.options[name]) }
   end
   return html.items(items)
end

local function module_function(module, about)
   local out = { html.heading(3, about.name, html.code(signature(module, about))), "<p>" .. html.text(about.brief) .. "</p>" }
   if about.formula then out[#out + 1] = "<pre><code>" .. html.escape(about.formula) .. "</code></pre>" end
   if about.returns then out[#out + 1] = "<p>Gives " .. html.text(about.returns) .. ".</p>" end
   out[#out + 1] = options(module, about)
   if about.source then out[#out + 1] = '<p class="soft">' .. html.escape(about.source) .. "</p>" end
   return table.concat(out, "\n")
end

local function module_page(site, section, module, title, intro)
   local table_of, entries, links, parts = ml[module].help, {}, {}, {}
   for i, name in ipairs(sorted_names(table_of)) do
      local about = table_of[name]
      entries[i] = { name = ("ml.%s.%s"):format(module, name), anchor = name, text = about.brief }
      links[i] = { href = "#" .. name, name = name }
      parts[i] = module_function(module, about)
   end
   site:add { file = module .. ".html", section = section, title = title, brief = intro, entries = entries,
      body = table.concat({ "<h1>" .. html.escape(title) .. "</h1>", '<p class="lead">' .. html.text(intro) .. "</p>",
         html.toc(links), table.concat(parts, "\n") }, "\n") }
end

function M.add(site, section)
   module_page(site, section, "metrics", "Metrics", "How good predictions, probabilities, clusterings and rankings are.")
end

return M
