"""The frame of a report: the head of the page, its style sheet, and the notes on what the numbers mean.

The page's own policy (``default-src 'none'``) keeps the browser from loading anything, whatever the page holds.
"""

from __future__ import annotations

from html import escape
from typing import Final

POLICY: Final = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"
"""What the browser may load for the page: nothing but what stands in it."""

STYLE: Final = """
:root { color-scheme: light dark; --ink: #1f2328; --soft: #57606a; --paper: #ffffff; --line: #d8dee4; --mark: #0b5cad; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6edf3; --soft: #9da7b1; --paper: #14181d; --line: #3a424c; --mark: #79b8ff; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.25rem 1rem 3rem; max-width: 68rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
header { border-bottom: 1px solid var(--line); margin-bottom: 1rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .75rem; }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
.kind { margin: 0; color: var(--soft); font-size: .9rem; }
.answer { font-size: 1.15rem; margin: 0 0 1rem; }
.choices > div > p:first-child { display: none; }  /* the sentence of .answer again */
.names { list-style: none; padding: 0; margin: 0 0 .75rem; color: var(--soft); }
.names li { display: inline-block; margin-right: 1.25rem; }
figure { margin: 0; }
.wide, section div[style*="overflow"] { overflow-x: auto; }
table { border-collapse: collapse; font-size: .875rem; font-variant-numeric: tabular-nums; }
caption { color: var(--soft); padding-bottom: .35rem; }
th, td { padding: 3px 10px 3px 0; border-bottom: 1px solid var(--line); text-align: left; white-space: nowrap; }
section p { margin: .5rem 0; }
details { margin-top: .75rem; }
summary { cursor: pointer; color: var(--mark); }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: .85rem; }
footer { margin-top: 2rem; padding-top: .75rem; border-top: 1px solid var(--line); }
footer { color: var(--soft); font-size: .85rem; }
.notes li { margin: .35rem 0; }
.js-plotly-plot .main-svg text:not(.hoverlayer text):not(.annotation-text) { fill: var(--ink) !important; }
@media print { body { max-width: none; } }
"""

NOTES: Final = """<section class="notes"><h2>What the numbers mean</h2><ul>
<li>The cards that this seat cannot see were dealt at random many times, in ways that fit all that it has seen. Each
such deal is a <em>world</em>, and in each world every choice was tried and the game played to its end. A number is the
mean over those worlds, from this seat's point of view.</li>
<li>± is a 95&nbsp;% interval: were all of it done again with other worlds, 95 such intervals out of 100 would hold the
number that endless thinking would give. Four times the worlds halve it. A number without ± is exact: few worlds were
possible, and all of them were played.</li>
<li>Differences are taken world by world. They are surer than two means set side by side, so judge a choice by its
distance to the best, and not by whether two intervals overlap.</li>
<li><em>Level with the best</em> does not mean equally good: it means that these worlds do not tell the two apart.</li>
<li>What is left out: everybody plays the worlds out by a fixed policy, so the numbers are as wise as that policy and
know nothing of your rivals' habits. What bids give away about hidden cards is not used. And in each world later choices
can depend on cards that a seat would not see, so waiting for information looks a little better than it is.</li>
</ul></section>"""
"""For people who read a report without having read anything else."""


def page(title: str, style: str, body: str) -> str:
    """A whole HTML document; ``title`` is plain text, ``body`` is HTML."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(POLICY, quote=True)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n<meta name="referrer" content="no-referrer">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )
