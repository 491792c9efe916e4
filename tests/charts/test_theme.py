"""The look of all charts: readable on any page, with and without colour, with words for those who cannot see it."""

from __future__ import annotations

import plotly.graph_objects as go
import pytest

from byzanz_lab.charts.theme import (
    BLUE,
    GREEN,
    SCHEMES,
    SERIES,
    SUBTITLE_WIDTH,
    TITLE_WIDTH,
    VERMILLION,
    coloured,
    describe,
    dressed,
    faint,
    lines_of,
)

LIGHT_PAGE, DARK_PAGE = "#ffffff", "#111111"


def luminance(colour: str) -> float:
    """Relative luminance as the web's accessibility guidelines define it."""
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Contrast ratio, 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def plain() -> go.Figure:
    return go.Figure(go.Scatter(x=[1, 2], y=[3, 4]))


def test_contrast_is_measured_as_the_guidelines_do() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


def test_letters_read_on_the_page_that_they_are_for() -> None:
    assert contrast(SCHEMES["light"].ink, LIGHT_PAGE) > 7
    assert contrast(SCHEMES["dark"].ink, DARK_PAGE) > 7


@pytest.mark.parametrize("page", [LIGHT_PAGE, DARK_PAGE])
def test_neutral_letters_read_on_white_and_on_black(page: str) -> None:
    assert contrast(SCHEMES["neutral"].ink, page) > 4.3  # no grey does better on both: 4.35


@pytest.mark.parametrize("page", [LIGHT_PAGE, DARK_PAGE])
@pytest.mark.parametrize("colour", [BLUE, GREEN, VERMILLION])
def test_marks_and_lines_stand_out_on_white_and_on_black(colour: str, page: str) -> None:
    assert contrast(colour, page) > 3


def test_no_two_series_share_a_colour_a_marker_or_a_dash() -> None:
    for signs in zip(*SERIES, strict=True):
        assert len(set(signs)) == len(SERIES) == 6


def test_the_page_shows_through_and_the_grid_is_there() -> None:
    figure = dressed(plain(), "title", "view", "words")
    assert figure.layout.paper_bgcolor == figure.layout.plot_bgcolor == "rgba(0,0,0,0)"
    for axis in (figure.layout.xaxis, figure.layout.yaxis):
        assert axis.showgrid
        assert axis.gridcolor == SCHEMES["neutral"].grid


def test_nothing_can_be_sent_away() -> None:
    assert dressed(plain(), "title", "view", "words").layout.modebar.remove == ("sendChartToCloud",)


def test_a_figure_can_be_changed_to_another_scheme_and_back() -> None:
    figure = dressed(plain(), "title", "view", "words", scheme="light")
    before = figure.to_json()
    assert coloured(figure, "dark").layout.font.color == SCHEMES["dark"].ink
    assert figure.to_json() != before
    assert coloured(figure, "light").to_json() == before


def test_an_unknown_scheme_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown scheme 'sepia' \\(schemes are neutral, light, dark\\)"):
        dressed(plain(), "title", "view", "words", scheme="sepia")


def test_the_words_travel_with_the_figure() -> None:
    figure = dressed(plain(), "title", "view", "It goes up.")
    assert describe(figure) == "It goes up."
    assert describe(go.Figure(figure.to_dict())) == "It goes up."


@pytest.mark.parametrize("meta", [None, "text", {"description": 3}, ["a"]])
def test_a_figure_from_elsewhere_has_no_words(meta: object) -> None:
    with pytest.raises(ValueError, match="does not say what it shows"):
        describe(go.Figure(layout={"meta": meta}))


def test_titles_are_plain_text_that_fits_a_telephone() -> None:
    title = "A <b>bold</b> & long title that goes on for much longer than a line"
    figure = dressed(plain(), title, title, "words")
    assert "<b>bold" not in figure.layout.title.text
    assert "&lt;b&gt;bold&lt;/b&gt; &amp;" in figure.layout.title.text
    for text, width in ((lines_of(title, TITLE_WIDTH), TITLE_WIDTH), (lines_of(title, SUBTITLE_WIDTH), SUBTITLE_WIDTH)):
        lines = text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&").split("<br>")
        assert max(map(len, lines)) <= width
        assert " ".join(lines) == title


def test_a_longer_title_gets_more_room() -> None:
    short, long = (dressed(plain(), "word " * n, "view", "words").layout for n in (2, 20))
    assert long.margin.t - short.margin.t == long.height - short.height > 0


def test_a_faint_colour_is_the_same_colour() -> None:
    assert faint("#0072B2", 0.5) == "rgba(0,114,178,0.5)"
