"""The sheet as HTML: one page of A4, light and dark on the screen, nothing loaded from outside."""

from __future__ import annotations

from html import escape

from thunderref.setup.difficulty import Measure
from thunderref.setup.result import Setup
from thunderref.setup.sheet import grouped, heading, share
from thunderref.setup.steps import Item, Step

STYLE = """
:root{color-scheme:light dark;
--ink:#1c1917;--soft:#6b6258;--paper:#fffdf9;--accent:#8a3b12;--track:#ece5da}
@media(prefers-color-scheme:dark){:root{
--ink:#ece7df;--soft:#a69c8f;--paper:#1b1916;--accent:#e2925f;--track:#34302a}}
@page{size:A4;margin:9mm}
*{box-sizing:border-box}
body{margin:0 auto;padding:6mm;max-width:200mm;background:var(--paper);color:var(--ink);
font:12.5px/1.32 "DejaVu Sans",system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
header{display:flex;justify-content:space-between;align-items:baseline;gap:6mm;border-bottom:2px solid var(--accent);
padding-bottom:1.5mm;margin-bottom:2.5mm}
h1{font-size:15px;margin:0}
.code{font:bold 15px/1 ui-monospace,"DejaVu Sans Mono",monospace;letter-spacing:.06em;white-space:nowrap}
main{columns:2;column-gap:7mm}
section{margin:0 0 2.5mm}
h2{font-size:12.5px;text-transform:uppercase;letter-spacing:.07em;color:var(--accent);margin:0 0 1mm;break-after:avoid}
ol,ul{list-style:none;margin:0;padding:0}
li{break-inside:avoid}
.step{padding:.45mm 0 .45mm 5mm;position:relative}
.step>i,.cards i{display:inline-block;width:2.6mm;height:2.6mm;border:.3mm solid var(--ink);border-radius:.4mm}
.step>i{position:absolute;left:0;top:1mm}
.step b{color:var(--soft);font-weight:normal}
.cards{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:0 3mm;margin:.6mm 0}
.cards.one{grid-template-columns:1fr}
.cards li{display:flex;gap:1.4mm;align-items:baseline}
.cards i{flex:none;transform:translateY(.3mm)}
.cards span{flex:1;min-width:0;overflow-wrap:anywhere;font-weight:600}
.cards small{display:block;font-weight:normal;color:var(--soft);font-size:9px;line-height:1.15}
.cards em{font-style:normal;font-size:11px;color:var(--soft);white-space:nowrap}
table{border-collapse:collapse;width:100%}
td{padding:.25mm 0;vertical-align:middle}
td.n{text-align:right;font-variant-numeric:tabular-nums;padding-right:2mm;width:9mm;font-weight:600}
td.name{width:33mm}
td.avg{color:var(--soft);white-space:nowrap;padding-left:2mm;width:1%}
.bar{position:relative;height:2.6mm;background:var(--track);border-radius:.5mm;print-color-adjust:exact;
-webkit-print-color-adjust:exact}
.bar>span{position:absolute;inset:0 auto 0 0;background:var(--accent);border-radius:.5mm}
.bar>u{position:absolute;top:-.5mm;bottom:-.5mm;width:.5mm;background:var(--ink)}
.remarks li{padding-left:3mm;text-indent:-3mm;color:var(--soft);font-size:10.5px}
.remarks li:before{content:"\\2022\\00a0\\00a0"}
@media(max-width:150mm){main{columns:1}}
@media print{:root{--ink:#000;--soft:#444;--paper:#fff;--accent:#8a3b12;--track:#e8e2d8}
body{padding:0;max-width:none}main{columns:2}}
"""


def html(made: Setup) -> str:
    """One page: check boxes in laying-out order, names with the English ones in small, counts, difficulty, code."""
    naming = made.naming
    parts = [
        f'<!DOCTYPE html>\n<html lang="{escape(naming.lang)}">\n<head>\n<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width,initial-scale=1">',
        f"<title>{escape(heading(made))} · {made.code}</title>\n<style>{STYLE}</style>\n</head>\n<body>",
        f'<header><h1>{escape(heading(made))}</h1><div class="code">{made.code}</div></header>\n<main>',
    ]
    for section, steps in grouped(made):
        parts.append(f"<section><h2>{escape(naming.say(f'setup.section.{section}'))}</h2><ol>")
        parts += [_step(n, step) for n, step in steps]
        parts.append("</ol></section>")
    parts.append(f"<section><h2>{escape(naming.say('setup.section.difficulty'))}</h2><table>")
    parts += [_row(made, measure) for measure in made.difficulty.measures]
    parts.append("</table></section>")
    if made.warnings:
        parts.append(f'<section class="remarks"><h2>{escape(naming.say("setup.section.remarks"))}</h2><ul>')
        parts += [f"<li>{escape(line)}</li>" for line in made.warnings]
        parts.append("</ul></section>")
    parts.append("</main>\n</body>\n</html>")
    return "\n".join(parts)


def _step(n: int, step: Step) -> str:
    cards = ""
    if step.items:
        cards = f'<ul class="cards">{"".join(_item(item) for item in step.items)}</ul>'
    return f'<li class="step"><i></i><b>{n}.</b> {escape(step.title)}{cards}</li>'


def _item(item: Item) -> str:
    english = f"<small>{escape(item.english)}</small>" if item.english and item.english != item.name else ""
    return f"<li><i></i><span>{escape(item.name)}{english}</span><em>{escape(item.note)}</em></li>"


def _row(made: Setup, measure: Measure) -> str:
    naming = made.naming
    average = float(measure.average)
    return (
        f'<tr><td class="name">{escape(naming.say(f"setup.measure.{measure.name}"))}</td>'
        f'<td class="n">{measure.total}</td>'
        f'<td><div class="bar"><span style="width:{share(measure, measure.total):.1%}"></span>'
        f'<u style="left:{share(measure, average):.1%}"></u></div></td>'
        f'<td class="avg">{escape(naming.say("setup.average", x=naming.number(average)))}</td></tr>'
    )
