"""The report is one page that needs nothing else: complete, escaped, and true to the answer."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import pytest

from byzanz_lab import advice_report, format_position
from byzanz_lab.charts.report_page import POLICY, page
from tests.charts.answers import CHOICES, advice, lot

MARKUP = ["<script>alert(1)</script>", "</bdi><img src=x onerror=alert(2)>", "&amp;", "\u202eevil \"'"]


class Reader(HTMLParser):
    """What stands in a page: tags with their attributes, the text, and scripts and styles apart."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.code: list[str] = []
        self._within = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._within = tag

    def handle_endtag(self, tag: str) -> None:
        self._within = ""

    def handle_data(self, data: str) -> None:
        (self.code if self._within in ("script", "style") else self.text).append(data)

    @property
    def words(self) -> str:
        """All text that is read, with single blanks."""
        return " ".join(" ".join(self.text).split())


@pytest.fixture(scope="module")
def html() -> str:
    return advice_report(advice(), lot(), names=MARKUP)


def test_it_says_draws_lists_and_explains(html: str) -> None:
    words = Reader(html).words
    assert advice().sentence in words
    assert lot().sentence in words
    for row in advice().rows:
        assert row.label in words
    for price in lot().prices:
        assert str(price.cards) in words
    for heading in ("All choices", "What the lot is worth", "The position", "What the numbers mean"):
        assert heading in words
    assert format_position(advice().position) in words
    assert "seed 3; 128 worlds; played out by: default" in words


def test_the_figure_holds_the_numbers_of_the_answer(html: str) -> None:
    call = re.search(r'Plotly\.newPlot\(\s*"figure-0",\s*', html)
    assert call is not None
    drawn, _ = json.JSONDecoder().raw_decode(html, call.end())
    traces = {trace.get("name"): trace for trace in drawn}
    assert traces["winning at this price"]["x"] == [price.total for price in lot().prices]
    chances = [row.lot.mean * 100 for row in advice().rows if row.total is not None and row.lot is not None]
    assert traces["chance to win the lot"]["y"] == pytest.approx(chances)


def test_names_with_markup_are_shown_and_not_obeyed(html: str) -> None:
    reader = Reader(html)
    for name in MARKUP:
        assert " ".join(name.split()) in reader.words
    assert [attributes for tag, attributes in reader.tags if tag == "img"] == []
    assert all("onerror" not in attributes for _, attributes in reader.tags)
    assert not any("alert(" in code and "script>alert" in code for code in reader.code)


@pytest.mark.parametrize("names", [[], ["", "", "", ""]])
def test_without_names_none_are_shown(names: list[str]) -> None:
    assert "<bdi>" not in advice_report(advice(), names=names)


def test_names_must_be_as_many_as_seats() -> None:
    with pytest.raises(ValueError, match="4 seats need 4 names, not 2"):
        advice_report(advice(), names=["Ann", "Bo"])


def test_nothing_is_loaded_from_elsewhere(html: str) -> None:
    reader = Reader(html)
    loading = {"src", "href", "data", "action", "poster", "srcset", "xlink:href"}
    assert [(tag, a) for tag, a in reader.tags if loading & a.keys()] == []
    assert [tag for tag, _ in reader.tags if tag in ("link", "iframe", "object", "embed", "base", "form")] == []
    styles = re.findall(r"<style>(.*?)</style>", html, re.DOTALL)
    assert [style for style in styles if "url(" in style or "@import" in style] == []


def test_the_page_forbids_itself_to_load_anything(html: str) -> None:
    (policy,) = [a["content"] for tag, a in Reader(html).tags if a.get("http-equiv") == "Content-Security-Policy"]
    assert policy == POLICY
    assert policy.startswith("default-src 'none';")
    assert "http" not in policy


def test_the_drawing_program_is_in_the_page_once(html: str) -> None:
    assert html.count("plotly.js v") == 1
    assert 4_000_000 < len(html) < 6_000_000


def test_it_is_a_page_for_readers_of_all_kinds(html: str) -> None:
    tags = Reader(html).tags
    assert html.startswith('<!DOCTYPE html>\n<html lang="en">')
    metas = {a.get("name"): a.get("content") for tag, a in tags if tag == "meta"}
    assert metas["viewport"] == "width=device-width, initial-scale=1"
    assert metas["color-scheme"] == "light dark"
    (figure,) = [a for _, a in tags if a.get("role") == "img" and "The view of seat" in str(a.get("aria-label"))]
    assert advice().sentence in str(figure["aria-label"])
    assert [tag for tag, _ in tags].count("h1") == 1
    assert all(a.get("scope") for tag, a in tags if tag == "th")
    assert "noscript" in {tag for tag, _ in tags}


@pytest.mark.parametrize("sample", CHOICES)
def test_every_decision_has_a_report(sample: str) -> None:
    words = Reader(advice_report(advice(sample))).words
    assert advice(sample).sentence in words
    assert "What the lot is worth" not in words
    for row in advice(sample).rows:
        assert row.label in words


def test_the_same_answer_makes_the_same_page(html: str) -> None:
    assert advice_report(advice(), lot(), names=MARKUP) == html


def test_a_title_is_plain_text() -> None:
    assert "<title>a &lt;b&gt;</title>" in page("a <b>", "", "")
