--- The table of what each estimator is held to: the demands of ml.check that its descriptor says apply.
-- @module manilius.manual.conformance

local check = require "manilius.check"
local estimators = require "manilius.manual.estimators"
local html = require "manilius.manual.html"

local M = {}

local intro = [[
<h1>What every estimator is held to</h1>
<p class="lead">%d estimators, %d demands. A tick means that the demand applies to the estimator, and that the specs
hold it to it in every build; a dot, that it does not apply: nobody asks a scaler for probabilities.</p>
<p>Which demands apply is read off the estimator's own table, so there is no list of exceptions. The same list is open
to you: <code>ml.check(model)</code> runs it on any estimator, one of your own included.</p>
]]

local function classes()
   local list = {}
   for _, family in ipairs(estimators.families()) do
      for _, name in ipairs(family.names) do
         local class = check.core_class(name)
         list[#list + 1] = { class = class, href = family.family .. ".html#" .. name, name = name }
      end
   end
   return list
end

--- Add the page.
function M.add(site, section)
   local list, demands = classes(), check.demands()
   local head, lines = { "demand" }, {}
   for i, one in ipairs(list) do head[i + 1] = "<span>" .. html.link(one.href, one.name) .. "</span>" end
   local grid = { '<div class="scroll"><table class="grid"><thead><tr><th>demand</th>' }
   for _, cell in ipairs { table.unpack(head, 2) } do grid[#grid + 1] = '<th class="turned">' .. cell .. "</th>" end
   grid[#grid + 1] = "</tr></thead><tbody>"
   for _, demand in ipairs(demands) do
      local cells = { "<tr><td>" .. html.escape(demand.name) .. "</td>" }
      for _, one in ipairs(list) do
         local applies = not demand.applies or demand.applies(one.class)
         cells[#cells + 1] = applies and '<td class="yes">✓</td>' or '<td class="no">·</td>'
      end
      lines[#lines + 1] = table.concat(cells) .. "</tr>"
   end
   grid[#grid + 1] = table.concat(lines, "\n") .. "</tbody></table></div>"
   site:add { file = "conformance.html", section = section, title = "Conformance",
      brief = "Which demands each estimator is held to.",
      body = intro:format(#list, #demands) .. table.concat(grid, "\n") }
end

return M
