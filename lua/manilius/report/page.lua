--- The page of a report: style sheet and layout.

local html = require "manilius.report.html"

local M = {}

-- No scripts and no external resources: the page works offline.
local STYLE = [[
:root { color-scheme: light dark; --ink: #1c1f23; --soft: #5a626c; --paper: #ffffff; --card: #f5f6f8; --line: #d9dde2;
  --accent: #0b62a4; --warn: #fff4d6; --warn-line: #d9a400; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e8eb; --soft: #a3abb5; --paper: #15181c; --card: #1e2329; --line: #3a424c; --accent: #7cbcf0;
    --warn: #3a3012; --warn-line: #b98d12; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0 auto; padding: 1.5rem 1.25rem 3rem; max-width: 70rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", Verdana, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .25rem; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 .75rem; padding-top: .5rem; border-top: 2px solid var(--line); }
h3 { font-size: 1.05rem; margin: 1.5rem 0 .5rem; }
h4, h5, h6 { font-size: 1rem; margin: 1.25rem 0 .4rem; }
p { margin: .5rem 0; max-width: 46rem; }
a { color: var(--accent); }
.note, figcaption, caption { color: var(--soft); font-size: .9rem; }
nav ol { margin: .5rem 0 0; padding-left: 1.4rem; columns: 16rem; }
.facts { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1.25rem 0; padding: 0; list-style: none; }
.facts li { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .6rem .9rem;
  min-width: 9rem; }
.facts b { display: block; font-size: 1.35rem; line-height: 1.3; }
.facts span { color: var(--soft); font-size: .85rem; }
.warnings { background: var(--warn); border: 1px solid var(--warn-line); border-radius: .5rem; padding: .4rem 1rem;
  margin: 1rem 0; }
.warnings ul { margin: .25rem 0; padding-left: 1.2rem; }
.warnings li { margin: .35rem 0; max-width: 46rem; }
.scroll { overflow-x: auto; margin: .75rem 0; }
table { border-collapse: collapse; font-size: .92rem; }
caption { text-align: left; padding-bottom: .25rem; }
th, td { text-align: left; vertical-align: top; padding: .3rem .9rem .3rem 0; border-bottom: 1px solid var(--line);
  overflow-wrap: normal; }
thead th { border-bottom: 2px solid var(--line); white-space: nowrap; }
tbody th { font-weight: 600; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.columns tbody th, .settings tbody th { min-width: 7rem; max-width: 14rem; overflow-wrap: anywhere; }
.columns td:nth-child(2) { white-space: nowrap; }
.columns td:last-child, .settings td:last-child { min-width: 14rem; }
.settings td { max-width: 24rem; overflow-wrap: anywhere; }
.meaning { min-width: 15rem; }
.spark { width: 84px; height: 20px; display: block; fill: var(--accent); }
.bar { width: 10rem; background: var(--card); border: 1px solid var(--line); height: .9rem; margin-top: .25rem; }
.bar div { background: var(--accent); height: 100%; -webkit-print-color-adjust: exact; print-color-adjust: exact; }
.pictures { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 26rem), 1fr)); gap: 1.25rem;
  margin: 1rem 0; align-items: start; }
figure { margin: 0; max-width: 36rem; }
.paper { background: #ffffff; border: 1px solid var(--line); border-radius: .5rem; padding: .25rem; }
.paper svg { display: block; width: 100%; height: auto; }
figcaption { padding: .4rem .25rem 0; }
.tree { margin: .5rem 0; }
.tree .tree { border-left: 3px solid var(--line); padding-left: 1rem; }
.step { color: var(--soft); font-weight: 400; }
code, pre { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: .88em; }
pre { overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .75rem;
  line-height: 1.25; }
@media screen and (max-width: 640px) {
  .stack thead { display: none; }
  .stack, .stack tbody, .stack tr, .stack th { display: block; max-width: none; }
  .stack tr { border-bottom: 1px solid var(--line); padding: .4rem 0; }
  .stack th, .stack td { border: 0; padding: .1rem 0; }
  .stack td { display: flex; gap: .6rem; text-align: left; max-width: none; min-width: 0; white-space: normal;
    overflow-wrap: anywhere; }
  .stack td::before { content: attr(data-label); color: var(--soft); flex: 0 0 6.5rem; }
  .stack td:empty { display: none; }
  .stack .meaning { min-width: 0; } }
@media (max-width: 480px) { body { padding: 1rem .75rem 2rem; font-size: 15px; } h1 { font-size: 1.35rem; }
  .tree .tree { padding-left: .6rem; } .facts li { flex: 1 1 8rem; } }
@media print {
  :root { color-scheme: light; --ink: #000; --soft: #444; --paper: #fff; --card: #fff; --line: #bbb; --accent: #0b62a4;
    --warn: #fff; --warn-line: #888; }
  body { max-width: none; padding: 0; font-size: 10.5pt; } nav { display: none; }
  figure, tr, .facts li { break-inside: avoid; } h2, h3, h4 { break-after: avoid; } .scroll { overflow: visible; }
  .pictures { grid-template-columns: 1fr 1fr; } }
]]

--- The whole page.
-- @param about { title =, lead = fragment under the title, sections = list of { id =, title =, body = } }
-- @treturn string
function M.whole(about)
   local items, bodies = {}, {}
   for i, section in ipairs(about.sections) do
      items[i] = html.li { html.a { href = "#" .. section.id, section.title } }
      bodies[i] = html.section { id = section.id, html.h2 { section.title }, section.body }
   end
   local head = html.head { html.meta { charset = "utf-8" },
      html.meta { name = "viewport", content = "width=device-width, initial-scale=1" }, html.title { about.title },
      html.style { html.raw("\n" .. STYLE) } }
   local body = html.body { html.header { html.h1 { about.title }, about.lead },
      html.nav { ["aria-label"] = "Contents", html.strong { "Contents" }, html.ol(items) }, html.main(bodies) }
   return "<!DOCTYPE html>\n" .. tostring(html.html { lang = "en", head, body }) .. "\n"
end

return M
