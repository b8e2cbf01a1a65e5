--- Generates the manual: lua5.4 rockspec/manual/make.lua build/docs, from the top of the checkout.
--
-- The reference is generated from the help tables of estimators and functions, the guide from examples/guide, and the
-- cookbook from examples/*.lua, which are run. A broken link is an error.

local check = require "manual.check"
local html = require "manual.html"

local folder = assert(arg and arg[1], "make.lua: the output folder must be given")

local GUIDE, OTHER_TOOLS, ESTIMATORS, REFERENCE, COOKBOOK =
   "Guide", "Coming from other tools", "Estimators", "Reference", "Cookbook"

local function cards(pages)
   local out = { '<ul class="cards">' }
   for _, page in ipairs(pages) do
      out[#out + 1] = ("<li>%s<p>%s</p></li>"):format(html.link(page.file, html.escape(page.title)),
         html.text(page.brief))
   end
   out[#out + 1] = "</ul>"
   return table.concat(out, "\n")
end

local first = [[
local ml = require "manilius"

local X, y = ml.read_csv("examples/data/iris.csv"):split "species"
local model = ml.Pipeline { ml.StandardScaler {}, ml.LogisticRegression {} }
print(ml.cross_validate(model, X, y, { cv = 5 }).scores.accuracy:mean())
]]

local function index(site)
   local documents = require "manual.documents"
   local out = { "<h1>manilius</h1>",
      '<p class="lead">Machine learning for Lua 5.4. The numerical code is C11; models are composed in Lua. '
      .. "At the prompt, <code>ml.help()</code> gives the same information as these pages.</p>",
      html.lua(first), html.output(documents.printed(first, "=index")) }
   for _, section in ipairs(site.sections) do
      out[#out + 1] = html.heading(2, html.slug(section), html.escape(section))
      if section == ESTIMATORS then
         for _, page in ipairs(site:top(section)) do
            out[#out + 1] = "<h3>" .. html.link(page.file, html.escape(page.title)) .. "</h3>"
            local links = {}
            for i, link in ipairs(page.names) do
               links[i] = { href = link.href, name = link.name, text = link.text }
            end
            out[#out + 1] = html.list(links)
         end
      else
         out[#out + 1] = cards(site:of(section))
      end
   end
   site:add { file = "index.html", title = "manilius", brief = "Machine learning for Lua 5.4.",
      body = table.concat(out, "\n") }
end

local function make()
   local quoted = "'" .. folder:gsub("'", "'\\''") .. "'"
   assert(os.execute(("rm -rf %s && mkdir -p %s"):format(quoted, quoted)))
   local site = require "manual.site".new { GUIDE, OTHER_TOOLS, ESTIMATORS, REFERENCE, COOKBOOK }
   require "manual.guide".add(site, folder)
   require "manual.estimators".add(site, ESTIMATORS)
   require "manual.reference".add(site, REFERENCE, folder)
   require "manual.conformance".add(site, REFERENCE)
   require "manual.gallery".add(site, COOKBOOK, folder)
   require "manual.cookbook".add(site, COOKBOOK, folder)
   index(site)
   site:write(folder)
   local problems, pages = check.problems(folder)
   if #problems > 0 then error("manual:\n" .. table.concat(problems, "\n"), 0) end
   print(("the manual: %s/index.html, %d pages"):format(folder, pages))
end

make()
