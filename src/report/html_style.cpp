#include "report/html_style.h"

namespace hyperscale::report {

const std::string_view kHtmlStyle = R"css(
:root {
  color-scheme: light dark;
  --page: #f6f7f9; --card: #ffffff; --edge: #e3e6eb; --text: #1a1f29; --soft: #5a6474; --grid: #e9ecf1; --axis: #a8b0bd;
  --c1: #0f7b6c; --c2: #2458d3; --c3: #b3247a; --c4: #7b8494; --bad: #c22a2a; --warn: #a65a00; --good: #1a7440;
  --bad-tint: #fdeeee; --warn-tint: #fdf4e5; --good-tint: #e8f6ed; --plain-tint: #eceff4;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --page: #101319; --card: #181c24; --edge: #2a303b; --text: #e7eaf0; --soft: #9aa5b6; --grid: #252b35; --axis: #566072;
    --c1: #3cc9b1; --c2: #7aa5ff; --c3: #f08cc4; --c4: #8d98aa; --bad: #ff8080; --warn: #f0b357; --good: #63d391;
    --bad-tint: #391d20; --warn-tint: #35291450; --good-tint: #173124; --plain-tint: #262c37;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; padding: 40px 28px 56px; background: var(--page); color: var(--text);
  font: 15px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
main { max-width: 1180px; margin: 0 auto; }
h1 { margin: 0; font-size: 28px; line-height: 1.25; font-weight: 650; letter-spacing: -0.015em; overflow-wrap: anywhere; }
h2 { margin: 44px 0 14px; font-size: 19px; font-weight: 650; letter-spacing: -0.01em; }
h3 { margin: 0; font-size: 15px; font-weight: 620; }
p { margin: 0; }
code, pre, .mono { font: 13px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
header { display: flex; flex-wrap: wrap; gap: 12px 20px; align-items: flex-start; justify-content: space-between; }
header .target { margin-top: 6px; color: var(--soft); overflow-wrap: anywhere; }
header .load { color: var(--soft); }
.badge { padding: 5px 14px; border-radius: 999px; font-size: 14px; font-weight: 620; white-space: nowrap; }
.badge.good, tr .pill.good { color: var(--good); background: var(--good-tint); }
.badge.bad, tr .pill.bad { color: var(--bad); background: var(--bad-tint); }
.badge.warn { color: var(--warn); background: var(--warn-tint); }
.badge.plain { color: var(--soft); background: var(--plain-tint); }
.pill { display: inline-block; padding: 0 9px; border-radius: 999px; font-size: 13px; font-weight: 600; }
.tags { display: flex; flex-wrap: wrap; gap: 6px; margin: 12px 0 0; padding: 0; list-style: none; }
.tags li { padding: 1px 9px; border: 1px solid var(--edge); border-radius: 6px; font-size: 13px; color: var(--soft);
  overflow-wrap: anywhere; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: 14px; margin-top: 28px; }
.card, figure, .sheet { background: var(--card); border: 1px solid var(--edge); border-radius: 10px; }
.cards.many { grid-template-columns: repeat(auto-fit, minmax(200px, 1fr)); }
.card { margin: 0; padding: 15px 18px 14px; }
.card dt { color: var(--soft); font-size: 13px; }
.card dd { margin: 1px 0 0; font-size: 25px; line-height: 1.3; font-weight: 640; letter-spacing: -0.02em;
  font-variant-numeric: tabular-nums; white-space: nowrap; }
.card dd + dd { margin: 1px 0 0; font-size: 13px; font-weight: 400; letter-spacing: 0; color: var(--soft); white-space: normal; }
.card.bad dd:first-of-type { color: var(--bad); }
.card.good dd:first-of-type { color: var(--good); }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(470px, 100%), 1fr)); gap: 16px; margin-top: 28px; }
figure { margin: 0; padding: 16px 18px 10px; display: flex; flex-direction: column; }
figcaption p { color: var(--soft); font-size: 13px; }
.legend { display: flex; flex-wrap: wrap; gap: 2px 16px; margin: 8px 0 0; padding: 0; list-style: none; font-size: 13px; }
.legend i { display: inline-block; width: 14px; height: 0; margin-right: 7px; vertical-align: middle; border-top: 3px solid; }
.legend i.dashed { border-top-style: dashed; }
svg { display: block; width: 100%; height: auto; margin-top: auto; padding-top: 8px; }
svg text { font: 13px system-ui, -apple-system, "Segoe UI", Roboto, Arial, sans-serif; fill: var(--soft);
  font-variant-numeric: tabular-nums; }
.grid { stroke: var(--grid); }
.axis { stroke: var(--axis); }
.line { fill: none; stroke: currentColor; stroke-width: 1.75; stroke-linejoin: round; stroke-linecap: round; }
.line.dashed { stroke-dasharray: 5 5; }
.area { fill: currentColor; opacity: 0.12; }
.dot { fill: currentColor; }
.bar { fill: var(--c2); }
.c1 { color: var(--c1); } .c2 { color: var(--c2); } .c3 { color: var(--c3); } .c4 { color: var(--c4); }
.line.bad, .area.bad, .dot.bad, i.bad { color: var(--bad); } .line.warn, .dot.warn, i.warn { color: var(--warn); }
.hover rect { fill: transparent; } .hover line { stroke: var(--soft); stroke-dasharray: 2 3; }
.hover line, .hover text { opacity: 0; pointer-events: none; } .hover text { fill: var(--text); font-weight: 600; }
.hover:hover line, .hover:hover text { opacity: 1; }
.sheet { overflow-x: auto; padding: 4px 18px 6px; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(470px, 100%), 1fr)); gap: 0 16px; }
.pair > section > .sheet { height: calc(100% - 87px); }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th { text-align: left; font-size: 13px; font-weight: 560; color: var(--soft); white-space: nowrap; }
th, td { padding: 8px 16px 8px 0; border-bottom: 1px solid var(--edge); vertical-align: baseline; }
th:last-child, td:last-child { padding-right: 0; }
tbody tr:last-child td { border-bottom: 0; }
th.n, td.n { text-align: right; white-space: nowrap; }
td.name { font-weight: 600; white-space: nowrap; }
td.wrap { overflow-wrap: anywhere; }
td .note { display: block; font-weight: 400; font-size: 13px; color: var(--soft); white-space: normal; }
td.bad { color: var(--bad); }
td pre { margin: 4px 0 0; padding: 6px 10px; background: var(--page); border-radius: 6px; color: var(--soft);
  white-space: pre-wrap; overflow-wrap: anywhere; }
.warnings { margin: 24px 0 0; padding: 13px 18px 13px 38px; background: var(--warn-tint); border: 1px solid var(--edge);
  border-left: 4px solid var(--warn); border-radius: 10px; }
.changes { margin: 24px 0 0; padding: 0 0 0 20px; color: var(--soft); }
.warnings li { margin: 3px 0; } .warnings li::marker { color: var(--warn); }
footer { margin-top: 40px; color: var(--soft); font-size: 13px; }
@media print {
  @page { margin: 14mm; }
  body { padding: 0; background: #fff; font-size: 12px; -webkit-print-color-adjust: exact; print-color-adjust: exact; }
  figure, .card, tr, .warnings { break-inside: avoid; } h2 { break-after: avoid; }
  .charts { grid-template-columns: 1fr 1fr; } .sheet { overflow: visible; } .hover { display: none; }
}
)css";

}  // namespace hyperscale::report
