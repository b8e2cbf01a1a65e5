--- The conformance page: which checks of ml.check apply to which estimator. Checks that apply to all estimators are a
-- list; the others are a table with one column per estimator.
-- @module manual.conformance

local check = require "manilius.check"
local estimators = require "manual.estimators"
local html = require "manual.html"

local M = {}

local intro = [[
<h1>Conformance checks</h1>
<p class="lead">%d estimators, %d checks. %d checks apply to every estimator. Whether another check applies follows from
the class table of the estimator; there is no list of exceptions. The tests run all applicable checks on every
estimator.</p>
<h2 id="your-own">Your own estimator<a class="anchor" href="#your-own" aria-label="link to this section">#</a></h2>
<p><code>ml.check(model)</code> runs the applicable checks on any estimator with its current parameters, and returns a
report that can be printed. For an estimator written in Lua, specify what it <code>does</code> and
<code>takes</code>. <code>:assert()</code> raises an error if a check fails, for use in tests.
<a href="own-estimator.html">Your own estimator</a> shows how to write one.</p>
%s
]]

local example = [[
print(ml.check(ml.Ridge { alpha = 2 }))
ml.check(MyClassifier {}, { does = "classify", takes = { "weights" } }):assert()
]]

local for_some = [[
<p>✓: the check applies and passes. ·: the check does not apply; for example, a scaler has no probabilities.</p>
]]

local beyond = [[
<p>The tests go further than ml.check:</p>
<ul>
<li>Every memory allocation is made to fail in turn.</li>
<li>Archives are damaged byte by byte and record by record, also with a valid checksum.</li>
<li>Valid values of every parameter are set, saved and fitted; invalid values are rejected with a uniform message; every
parameter must have an effect.</li>
<li>Fits are cancelled and interrupted.</li>
<li>Exported C is compiled, and its predictions are compared bit by bit.</li>
</ul>
<p>Pipelines, column transformers and searches pass the same checks as estimators.</p>
]]

local function columns()
   local list = {}
   for _, family in ipairs(estimators.families()) do
      for i, name in ipairs(family.names) do
         list[#list + 1] = { class = check.core_class(name), name = name, href = estimators.file(name),
            family = family, is_first = i == 1 }
      end
   end
   return list
end

-- The table row of a check, one cell per estimator; also returns the number of estimators to which it applies.
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

-- The table head: a row of families above a row of estimators.
local function head(list)
   local families, names = { "<tr><th></th>" }, { "<tr><th>check</th>" }
   for _, one in ipairs(list) do
      local first = one.is_first and " first" or ""
      if one.is_first then
         local n, file = #one.family.names, estimators.family_file(one.family.family)
         families[#families + 1] = ('<th colspan="%d" class="first%s"><span>%s</span></th>'):format(n,
            n < 6 and " turned" or "", html.link(file, html.escape(one.family.title)))
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

-- Group the checks of each theme by the estimators to which they apply: all, some, or none.
local function grouped(list)
   local all, grid, none, n_all = {}, {}, {}, 0
   for _, theme in ipairs(check.themes()) do
      local applies_to_all, lines = {}, {}
      for _, demand in ipairs(theme.demands) do
         local line, n = row(demand, list)
         local into = n == 0 and none or n == #list and applies_to_all or lines
         into[#into + 1] = into == lines and line or demand.name
      end
      n_all = n_all + #applies_to_all
      if #applies_to_all > 0 then
         all[#all + 1] = "<h3>" .. html.escape(theme.title) .. "</h3>\n" .. items(applies_to_all)
      end
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
   local parts = grouped(list)
   local body = { intro:format(#list, #check.demands(), parts.n_all, html.lua(example)),
      html.heading(2, "all", "Checks of every estimator"), parts.all,
      html.heading(2, "some", "Checks that depend on the estimator"), for_some,
      '<div class="scroll pane"><table class="grid">', head(list), "<tbody>", parts.grid, "</tbody></table></div>",
      #parts.none > 0 and "<p>Checks that apply to no estimator at present:</p>" .. items(parts.none) or "",
      html.heading(2, "beyond", "Further tests"), beyond }
   site:add { file = "conformance.html", section = section, title = "Conformance", wide = true,
      brief = "Which checks apply to which estimator, and how to check your own.",
      body = table.concat(body, "\n") }
end

return M
