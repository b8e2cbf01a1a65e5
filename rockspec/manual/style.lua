--- The style sheet of the manual, with light and dark colors, for all screen widths. Loads no external fonts or files.
-- @module manual.style

return [[
:root {
  --paper: #fdfdfb; --ink: #23262b; --soft: #5d6470; --line: #e2e3df; --wash: #f3f4f0; --accent: #1d5fa8;
  --mark: #fff3c4; --key: #8a2a6b; --text: #2d6a3f; --number: #9a4a10; --note: #7b8290; --name: #1d5fa8;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #16181c; --ink: #dfe2e7; --soft: #9aa3b0; --line: #2f343c; --wash: #1f2329; --accent: #82b4f0;
    --mark: #4a4018; --key: #e08cc4; --text: #8fce9f; --number: #e5a66b; --note: #8b95a3; --name: #82b4f0;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 4.5rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
a { color: var(--accent); text-decoration: none; }
a:hover, a:focus { text-decoration: underline; }
code, pre { font: .86em/1.5 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
code { background: var(--wash); padding: .08em .3em; border-radius: 3px; }
a > code { color: inherit; }
pre { background: var(--wash); padding: .8rem 1rem; overflow-x: auto; border-radius: 5px; margin: 1rem 0; }
pre code { background: none; padding: 0; font-size: 1em; }
pre.output { background: none; border: 1px solid var(--line); border-left: 3px solid var(--line); color: var(--soft);
  margin-top: -.5rem; }
pre.drawn, pre.drawn code { line-height: 1.17; }
h2 + pre.output { margin-top: 1rem; }
pre .k { color: var(--key); } pre .s { color: var(--text); } pre .n { color: var(--number); }
pre .c { color: var(--note); font-style: italic; } pre .f { color: var(--name); }

header.top { position: sticky; top: 0; z-index: 5; display: flex; gap: 1rem; align-items: center;
  padding: .55rem 1.2rem; background: var(--paper); border-bottom: 1px solid var(--line); }
header.top .home { font-weight: 650; font-size: 1.1rem; color: var(--ink); letter-spacing: .01em; }
.search { position: relative; flex: 1; max-width: 26rem; margin-left: auto; }
.search input { width: 100%; font: inherit; font-size: 1rem; padding: .3rem .7rem; color: var(--ink);
  background: var(--wash); border: 1px solid var(--line); border-radius: 5px; }
.search ol { position: absolute; right: 0; left: 0; margin: .3rem 0 0; padding: .3rem; list-style: none; display: none;
  max-height: 70vh; overflow-y: auto; background: var(--paper); border: 1px solid var(--line); border-radius: 5px;
  box-shadow: 0 6px 24px rgba(0, 0, 0, .18); }
.search ol.open { display: block; }
.search li a { display: block; padding: .3rem .6rem; border-radius: 4px; color: var(--ink); line-height: 1.35; }
.search li a small { display: block; color: var(--soft); }
.search li.on a, .search li a:hover { background: var(--wash); text-decoration: none; }
.search .none { padding: .3rem .6rem; color: var(--soft); }

.frame { display: flex; max-width: 84rem; margin: 0 auto; }
nav.side { flex: 0 0 15.5rem; padding: 1.4rem 1rem 3rem 1.2rem; font-size: .93rem; position: sticky; top: 3.2rem;
  align-self: flex-start; max-height: calc(100vh - 3.2rem); overflow-y: auto; }
nav.side h2 { font-size: .78rem; text-transform: uppercase; letter-spacing: .07em; color: var(--soft);
  margin: 1.3rem 0 .3rem; padding: 0; border: 0; font-weight: 600; }
nav.side ul { list-style: none; margin: 0; padding: 0; }
nav.side li a { display: block; padding: .13rem 0; color: var(--ink); }
nav.side li ul { margin: .1rem 0 .4rem; padding-left: .8rem; border-left: 1px solid var(--line); font-size: .92em;
  overflow-wrap: anywhere; }
nav.side li.here > a { color: var(--accent); font-weight: 600; }
details.menu { display: none; }
main { flex: 1; min-width: 0; padding: 1.2rem 1.6rem 4rem; max-width: 64rem; }
main > p, main > ul, main > dl, main > blockquote { max-width: 50rem; }
main > ul.cards, main > ul.toc { max-width: none; }
.crumbs { font-size: .88rem; color: var(--soft); margin: 0 0 .6rem; }
h1, h2, h3, h4 { line-height: 1.25; font-weight: 650; }
h1 { font-size: 1.9rem; margin: .2rem 0 1rem; }
h2 { font-size: 1.35rem; margin: 2.6rem 0 .8rem; padding-top: .6rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.08rem; margin: 1.8rem 0 .5rem; }
h4 { font-size: .8rem; text-transform: uppercase; letter-spacing: .06em; color: var(--soft); margin: 1.4rem 0 .4rem; }
h2 .anchor, h3 .anchor { color: var(--line); margin-left: .4rem; font-weight: 400; }
h2:hover .anchor, h3:hover .anchor { color: var(--accent); }
h2 code.name, h3 code { background: none; padding: 0; overflow-wrap: anywhere; }
.lead { font-size: 1.08rem; }
.soft { color: var(--soft); }
:target { background: var(--mark); box-shadow: 0 0 0 .3rem var(--mark); }

.scroll { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-size: .93rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem 1rem .35rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 600; }
dl.items { margin: .4rem 0 1rem; }
dl.items dt { margin-top: .6rem; line-height: 1.5; }
dl.items dd { margin: 0 0 0 1.2rem; color: var(--ink); }
dl.items .type { color: var(--soft); font-size: .9rem; margin-left: .4rem; }
@media (min-width: 36rem) {
  dl.short { display: grid; grid-template-columns: minmax(8rem, max-content) 1fr; gap: .25rem 1rem; }
  dl.short dt, dl.short dd { margin: 0; }
}
ul.list { list-style: none; padding: 0; margin: .5rem 0; }
ul.list li { padding: .28rem 0; border-bottom: 1px solid var(--line); }
ul.list li > a:first-child { font-weight: 600; margin-right: .5rem; }
.formula { font-family: "Latin Modern Math", "STIX Two Math", "Cambria Math", "DejaVu Serif", Georgia, serif;
  font-size: 1.06rem; line-height: 1.9; padding: .5rem 1rem; margin: .5rem 0 1rem; background: var(--wash);
  border-radius: 5px; overflow-x: auto; }
.formula code { padding: 0; background: none; }
sub, sup { font-size: .75em; line-height: 0; }
.tags { margin: .3rem 0 .8rem; display: flex; flex-wrap: wrap; gap: .35rem; }
.tags span { font-size: .8rem; padding: .05rem .55rem; border: 1px solid var(--line); border-radius: 1rem;
  color: var(--soft); }
.toc { columns: 2; column-gap: 2rem; padding: 0; list-style: none; font-size: .95rem; }
.toc li { break-inside: avoid; padding: .1rem 0; }
blockquote { margin: 1rem 0; padding: .1rem 1rem; border-left: 3px solid var(--accent); background: var(--wash);
  border-radius: 0 5px 5px 0; }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 26rem), 1fr)); gap: 1rem; }
figure { margin: 0; }
img { max-width: 100%; height: auto; }
figure img { max-width: 100%; height: auto; border: 1px solid var(--line); border-radius: 5px; }
figcaption { font-size: .88rem; color: var(--soft); }
.turn { display: flex; justify-content: space-between; gap: 1rem; margin-top: 3.5rem; padding-top: 1rem;
  border-top: 1px solid var(--line); }
.turn a:last-child { text-align: right; margin-left: auto; }
.turn small { display: block; color: var(--soft); }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: .9rem; margin: 1rem 0;
  padding: 0; list-style: none; }
.cards li { border: 1px solid var(--line); border-radius: 6px; padding: .7rem .9rem; }
.cards li a { font-weight: 600; }
.cards li p { margin: .2rem 0 0; font-size: .92rem; color: var(--soft); line-height: 1.45; }

.frame.wide { max-width: 110rem; }
.wide main { max-width: none; }
ul.demands { columns: 22rem auto; column-gap: 2.5rem; max-width: none; padding-left: 1.1rem; margin: .4rem 0 1rem;
  font-size: .95rem; line-height: 1.45; }
ul.demands li { break-inside: avoid; padding: .12rem 0; }
.pane { max-height: calc(100vh - 5rem); overflow: auto; border: 1px solid var(--line); border-radius: 5px; }
table.grid { font-size: .8rem; border-collapse: separate; border-spacing: 0; }
table.grid thead { position: sticky; top: 0; z-index: 3; background: var(--paper); }
table.grid thead th { padding: .3rem 0; vertical-align: bottom; text-align: center; background: var(--paper); }
table.grid thead tr:first-child th { border-bottom: 0; white-space: nowrap; font-weight: 650; font-size: .85rem; }
table.grid .turned { font-weight: 500; }
table.grid .turned span { writing-mode: vertical-rl; transform: rotate(180deg); white-space: nowrap;
  line-height: 1.25; }
table.grid td { padding: .16rem 0; text-align: center; min-width: 1.06rem; line-height: 1.35; }
table.grid .first { border-left: 1px solid var(--line); }
table.grid td:first-child, table.grid th:first-child { position: sticky; left: 0; background: var(--paper); z-index: 1;
  text-align: left; padding: .16rem .8rem; min-width: 14rem; max-width: 19rem; }
table.grid tr.theme th { background: var(--wash); padding: .3rem .8rem; font-weight: 650; white-space: nowrap; }
table.grid td.yes { color: var(--text); font-weight: 700; } table.grid td.no { color: var(--note); opacity: .45; }
table.grid tbody tr:hover td { background: var(--wash); }

@media (max-width: 62rem) {
  nav.side { display: none; }
  details.menu { display: block; border-bottom: 1px solid var(--line); padding: .5rem 1.2rem; }
  details.menu summary { color: var(--accent); cursor: pointer; }
  details.menu nav { columns: 2; column-gap: 1.5rem; padding-bottom: .8rem; }
  details.menu h2 { font-size: .85rem; color: var(--soft); margin: .9rem 0 .2rem; padding: 0; border: 0; }
  details.menu ul { list-style: none; padding: 0; margin: 0 0 .6rem; }
  main { padding: 1rem 1.1rem 3rem; }
}
@media (max-width: 36rem) {
  header.top { padding: .5rem .9rem; }
  .toc { font-size: .92rem; column-gap: 1rem; overflow-wrap: anywhere; }
  pre { padding: .7rem .8rem; margin-left: -.4rem; margin-right: -.4rem; }
  table:not(.grid) { table-layout: fixed; width: 100%; font-size: .88rem; }
  table:not(.grid) td, table:not(.grid) th { overflow-wrap: anywhere; padding-right: .6rem; }
  h1 { font-size: 1.55rem; } h2 { font-size: 1.2rem; }
  table.grid td:first-child, table.grid th:first-child { min-width: 8.5rem; max-width: 9.5rem; }
}
@media print { header.top, nav.side, details.menu, .turn { display: none; } }
]]
