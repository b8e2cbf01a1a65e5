--- What each estimator is held to: the demands of ml.check that its descriptor says apply. Those that apply to all are
-- a list; the others are a table, estimators by family.
-- @module manual.conformance

local check = require "manilius.check"
local estimators = require "manual.estimators"
local html = require "manual.html"

local M = {}

local intro = [[
<h1>What every estimator is held to</h1>
<p class="lead">%d estimators, %d demands. %d demands apply to every estimator; which of the others apply to one is read
off its own table, so there is no list of exceptions. The specs hold every estimator to all that applies, in every
build.</p>
<h2 id="your-own">Your own estimator<a class="anchor" href="#your-own" aria-label="link to this section">#</a></h2>
<p>The same demands are open to you. <code>ml.check(model)</code> runs those that apply on any estimator, with the
settings that it has, and gives a report that prints; for one that is written in Lua you say what it does and what it
takes. <code>:assert()</code> makes it a test: it raises where a demand is not met.
<a href="own-estimator.html">Your own estimator</a> shows how to write one.</p>
%s
]]

local example = [[
print(ml.check(ml.Ridge { alpha = 2 }))
ml.check(MyClassifier {}, { does = "classify", takes = { "weights" } }):assert()
]]

local for_some = [[
<p>A tick: the demand applies, and is met. A dot: it does not apply, as nobody asks a scaler for probabilities.</p>
]]

local beyond = [[
<p>The specs go on where a report could not: every request for memory is made to fail in turn; archives are damaged byte
by byte and record by record, behind a right checksum too; every value in the range of every parameter is set, saved and
fitted with, every other one refused in the same words, and each parameter must change something; fits are cancelled and
interrupted in the middle; exported C is compiled, and compared to the bit. Pipelines, column transformers and searches
are held to the same demands as estimators.</p>
]]

local function columns()
   local list = {}
   for _, family in ipairs(estimators.families()) do
      for i, name in ipairs(family.names) do
         list[#list + 1] = { class = check.core_class(name), name = name, href = family.family .. ".html#" .. name,
            family = family, is_first = i == 1 }
      end
   end
   return list
end

-- One cell for each estimator, and to how many the demand applies.
local function row(demand, list)
   local cells, n = { "<tr><td>" .. html.escape(demand.name) .. "</td>" }, 0
   for i, one in ipairs(list) do
      local applies = not demand.applies or demand.applies(one.class)
      n = n + (applies and 1 or 0)
      cells[i + 1] = ('<td class="%s%s">%s</td>'):format(applies and "yes" or "no", one.is_first and " first" or "",
         applies and "✓" or "·")
   end
   return table.concat(cells) .. "</tr>", n
end

-- Families above, estimators below, both turned.
local function head(list)
   local families, names = { "<tr><th></th>" }, { "<tr><th>demand</th>" }
   for _, one in ipairs(list) do
      local first = one.is_first and " first" or ""
      if one.is_first then
         local n = #one.family.names
         families[#families + 1] = ('<th colspan="%d" class="first%s"><span>%s</span></th>'):format(n,
            n < 6 and " turned" or "", html.link(one.family.family .. ".html", html.escape(one.family.title)))
      end
      names[#names + 1] = ('<th class="turned%s"><span>%s</span></th>'):format(first, html.link(one.href, one.name))
   end
   return "<thead>" .. table.concat(families) .. "</tr>\n" .. table.concat(names) .. "</tr></thead>"
end

local function items(names)
   local out = {}
   for i, name in ipairs(names) do out[i] = "<li>" .. html.escape(name) .. "</li>" end
   return '<ul class="demands">' .. table.concat(out, "\n") .. "</ul>"
end

-- The demands of each theme, by how many estimators they apply to: all, some, none yet.
local function sorted(list)
   local all, grid, none, n_all = {}, {}, {}, 0
   for _, theme in ipairs(check.themes()) do
      local of_all, lines = {}, {}
      for _, demand in ipairs(theme.demands) do
         local line, n = row(demand, list)
         local into = n == 0 and none or n == #list and of_all or lines
         into[#into + 1] = into == lines and line or demand.name
      end
      n_all = n_all + #of_all
      if #of_all > 0 then all[#all + 1] = "<h3>" .. html.escape(theme.title) .. "</h3>\n" .. items(of_all) end
      if #lines > 0 then
         grid[#grid + 1] = ('<tr class="theme"><th>%s</th><th colspan="%d"></th></tr>'):format(html.escape(theme.title),
            #list)
         grid[#grid + 1] = table.concat(lines, "\n")
      end
   end
   return { all = table.concat(all, "\n"), grid = table.concat(grid, "\n"), none = none, n_all = n_all }
end

--- Add the page.
function M.add(site, section)
   local list = columns()
   local parts = sorted(list)
   local body = { intro:format(#list, #check.demands(), parts.n_all, html.lua(example)),
      html.heading(2, "all", "What applies to every estimator"), parts.all,
      html.heading(2, "some", "What depends on the estimator"), for_some,
      '<div class="scroll pane"><table class="grid">', head(list), "<tbody>", parts.grid, "</tbody></table></div>",
      #parts.none > 0 and "<p>Demands that wait for an estimator to apply to:</p>" .. items(parts.none) or "",
      html.heading(2, "beyond", "What the specs demand beside"), beyond }
   site:add { file = "conformance.html", section = section, title = "Conformance", wide = true,
      brief = "Which demands each estimator is held to, and how to hold your own to them.",
      body = table.concat(body, "\n") }
end

return M
