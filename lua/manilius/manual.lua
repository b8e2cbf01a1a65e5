--- The reference manual, made from the tables that the estimators are made from.
-- `lua5.4 lua/manilius/manual.lua build/docs` writes one page for each family and an index.

local core = require "manilius.core"
local help = require "manilius.help"

local style = [[
body { font: 16px/1.5 system-ui, sans-serif; color: #222; max-width: 52rem; margin: 2rem auto; padding: 0 1rem; }
h1, h2 { line-height: 1.2; } h2 { margin-top: 2.5rem; border-top: 1px solid #ddd; padding-top: 1rem; }
pre { background: #f6f6f4; padding: .8rem 1rem; overflow-x: auto; } code { background: #f6f6f4; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0; }
tr + tr { border-top: 1px solid #eee; } a { color: #06507f; }]]

local function escape(text)
   return (tostring(text):gsub("[&<>\"]", { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;" }))
end

local function page(title, body)
   return table.concat({ "<!doctype html>", '<html lang="en"><head><meta charset="utf-8">',
      "<title>" .. escape(title) .. "</title>", '<meta name="viewport" content="width=device-width">',
      "<style>" .. style .. "</style></head><body>", body, "</body></html>", "" }, "\n")
end

local function rows(items, ...)
   if #items == 0 then return "" end
   local columns, out = { ... }, { "<table>" }
   for _, item in ipairs(items) do
      local cells = {}
      for i, column in ipairs(columns) do cells[i] = "<td>" .. column(item) .. "</td>" end
      out[#out + 1] = "<tr>" .. table.concat(cells) .. "</tr>"
   end
   out[#out + 1] = "</table>"
   return table.concat(out, "\n")
end

local function code(text) return "<code>" .. escape(text) .. "</code>" end

local function estimator(name)
   local class = core.describe(name)
   local out = { ('<h2 id="%s">%s</h2>'):format(name, name), "<p>" .. escape(class.brief) .. "</p>" }
   local function add(title, body)
      if body ~= "" then out[#out + 1] = "<h3>" .. title .. "</h3>\n" .. body end
   end
   if class.objective then add("Objective", "<pre>" .. escape(class.objective) .. "</pre>") end
   add("Parameters", rows(class.params, function(p) return code(p.name) end,
      function(p) return escape(p.brief) end,
      function(p) return "default " .. code(help.default_text(p)) .. "<br>" .. escape(p.wanted) end))
   add("Learned by fit", rows(class.fields, function(f) return code(f.name) end, function(f) return escape(f.brief) end,
      function(f) return escape((f.shape:gsub("[?]", ""))) end))
   add("Operations of its own", rows(class.operations, function(o) return code(o.name) end,
      function(o) return escape(o.brief) end, function(o) return escape(o.returns) end))
   if class.notes then add("Notes", "<p>" .. escape(class.notes) .. "</p>") end
   add("Example", "<pre>" .. escape(class.example) .. "</pre>")
   add("Source", "<p>" .. escape(class.source) .. "</p>")
   return table.concat(out, "\n")
end

local function write(path, text)
   local file = assert(io.open(path, "w"))
   file:write(text)
   file:close()
end

local function families()
   local names, of = core.class_names()
   local list, by_family = {}, {}
   for i, name in ipairs(names) do
      if not by_family[of[i]] then
         by_family[of[i]] = {}
         list[#list + 1] = of[i]
      end
      table.insert(by_family[of[i]], name)
   end
   table.sort(list)
   return list, by_family
end

local function make(folder)
   os.execute("mkdir -p '" .. folder:gsub("'", "'\\''") .. "'")
   local list, by_family = families()
   local index = { "<h1>manilius</h1>", "<p>Principled machine learning for Lua 5.4.</p>" }
   for _, family in ipairs(list) do
      local body = { ('<p><a href="index.html">manilius</a></p><h1>%s</h1>'):format(family) }
      index[#index + 1] = ('<h2><a href="%s.html">%s</a></h2>'):format(family, family)
      index[#index + 1] = rows(by_family[family],
         function(name) return ('<a href="%s.html#%s">%s</a>'):format(family, name, name) end,
         function(name) return escape(core.describe(name).brief) end)
      for _, name in ipairs(by_family[family]) do body[#body + 1] = estimator(name) end
      write(folder .. "/" .. family .. ".html", page("manilius: " .. family, table.concat(body, "\n")))
   end
   write(folder .. "/index.html", page("manilius", table.concat(index, "\n")))
   print(("the manual: %s/index.html, %d families"):format(folder, #list))
end

make(assert(arg and arg[1], "manual.lua: a folder to write into is needed"))
