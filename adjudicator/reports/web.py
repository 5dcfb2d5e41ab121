"""Write reports and other web pages from templates: values are escaped, style and script embedded, nothing is loaded."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from adjudicator.core.values import Value
from adjudicator.reports.heading import reader, turn_words
from adjudicator.reports.picture import draw, figure_rules
from adjudicator.reports.position import shown_players
from adjudicator.reports.report import Report
from adjudicator.reports.sections import sections_of
from adjudicator.reports.texts import printable, safe_json

if TYPE_CHECKING:  # loading it takes a tenth of a second, and only pages need it
    from jinja2 import Environment
    from markupsafe import Markup

_MARKED: Final = re.compile(r"`([^`]*)`|(\(?)(?<![\w-])([A-Z]+-[A-Z]*[0-9]+)(?![\w-])([),]?)")
"""Words in backticks, or a word that can be the number of a rule, with the punctuation that stays on its line."""

_SLOT: Final = re.compile(r"<!-- slot (\w+) -->")
"""The place where a mail has lines of its own: its deadline, secret addresses, a token, instructions.

Text of players never has such a mark: templates escape the comment.
"""
_FIGURE: Final = re.compile(r"(?s)<!-- figure -->.*?<!-- /figure -->\n")
_SCRIPT: Final = re.compile(r"(?s)<!-- script -->.*<!-- /script -->\n")
_MARK: Final = re.compile(r"<!-- /?(?:figure|script) -->")


class Preview(Value):
    """What other sites show for a link to a page: ``title``, ``description``, and the addresses of page and ``image``.

    Without the address of the site, ``url`` and ``image`` are empty.
    """

    title: str
    description: str
    url: str = ""
    image: str = ""


class Words:
    """Writes lines of text into a page, with words in backticks as code, and numbers of rules that open the rule's text.

    ``rules.html``, included at the end of the page, has each text once, so that the page needs no other file.
    """

    def __init__(self, texts: Mapping[str, str] = MappingProxyType({})) -> None:
        """Take the ``texts`` of rules by number, as ``rule_texts`` returns them."""
        self._texts, self._used = texts, dict[str, str]()

    def __call__(self, line: str) -> str:
        """Return ``line`` as markup, or unchanged if it has nothing to mark: a template escapes it."""
        if "-" not in line and "`" not in line:
            return line
        from markupsafe import Markup, escape

        return Markup(_MARKED.sub(self._marked, str(escape(printable(line)))))

    def each(self, lines: Iterable[str]) -> list[str]:
        """Return each of ``lines`` as a call returns it."""
        return list(map(self, lines))

    def _marked(self, found: re.Match[str]) -> str:
        code, before, number, after = found.groups()
        if code is not None:
            return f"<code>{code}</code>"
        if number not in self._texts:
            return found[0]
        self._used[number] = self._texts[number]
        button = f'<button class="rule" popovertarget="rule-{number}">{number}</button>'
        return f'<span class="kept">{before}{button}{after}</span>' if before or after else button

    @property
    def rules(self) -> list[tuple[str, list[str]]]:
        """The rules whose numbers were written, each with the lines of its text."""
        used = sorted(self._used.items())
        return [(number, Words().each(text.split("\n"))) for number, text in used]


def web_page(template: str, *, style: str, script: str = "", images: str = "", rules: str = "", **values: Any) -> str:
    """Return the page that ``template`` makes of ``values``, with the files of ``style`` and ``script`` embedded.

    Each name is a file in the folder `templates` beside this module, or a path in this package; names have blanks between
    them. The common look, ``identity.css``, comes before ``style``, and ``rules`` of this page only after it.

    The page has a policy that lets browsers use nothing else, so that injected styles and scripts have no effect; only
    ``images`` may come from another source of this policy.
    """
    from markupsafe import Markup

    styles, scripts = asset("identity.css") + asset(style) + Markup(rules), asset(script) if script else ""
    policy = {"default-src": "'none'", "style-src": _source(styles), "img-src": f"data: {images}".strip()}
    policy |= {"script-src": _source(scripts)} if scripts else {}
    policy |= {"base-uri": "'none'", "form-action": "'none'"}
    written = "; ".join(f"{name} {allowed}" for name, allowed in policy.items())
    return web_document(template, policy=written, style=styles, script=scripts, **values)


def web_document(template: str, **values: Any) -> str:
    """Return the document that ``template`` makes of ``values``."""
    return _environment().get_template(template).render(**values)


def json_block(data: Any) -> Markup:
    """Return ``data`` as JSON for a script element: it contains no start or end of an element or a comment."""
    from markupsafe import Markup

    return Markup(safe_json(data).replace("<", "\\u003c"))


@cache
def _environment() -> Environment:
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=ChoiceLoader([PackageLoader("adjudicator.reports"), PackageLoader("adjudicator", "")]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
        finalize=lambda value: printable(value) if type(value) is str else value,  # markup stays unchanged
    )


@cache
def asset(names: str) -> Markup:
    """Return style files or scripts of this program, one after the other, as markup; ``names`` has blanks between them."""
    from markupsafe import Markup

    environment = _environment()
    assert environment.loader is not None
    return Markup("".join(environment.loader.get_source(environment, name)[0] for name in names.split()))


@lru_cache(maxsize=16)
def _source(text: str) -> str:
    """Return the name of an element with ``text`` in a content security policy."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def filled_page(page: str, slots: Mapping[str, str], *, has_script: bool = False) -> str:
    """Return a ``page`` with markup in its slots: `until`, `due`, `form`, `end`. Without script, it is for a mail."""
    page = _SLOT.sub(lambda found: slots.get(found[1], ""), page)
    return _MARK.sub("", page if has_script else _SCRIPT.sub("", page))


def without_figures(page: str, words: str) -> str:
    """Return a ``page`` whose slots are still empty, with the markup ``words`` in place of its figures."""
    return _FIGURE.sub("", _FIGURE.sub(lambda _: words, page, count=1))


_WINDOW: Final = 44
"""The most columns of a quoted line with a mistake, so that it fits on a phone."""
_FATES: Final = {
    "applied": "good",
    "waits": "good",
    "skipped": "bad",
    "refused": "bad",
    "ignored": "soft",
    "not understood": "soft",
}
"""The colour of an order in a receipt, by its fate; the words next to it say the same."""


def report_html(report: Report, *, has_slots: bool = False) -> str:
    """Return ``report`` as an HTML document for phone and desktop, light and dark, print and screen readers.

    Text of players never becomes markup. With slots, a mail can have more lines (``filled_page``).
    """
    heading, position = report.position.heading, report.position
    game = [heading.name, f"game {heading.game}", turn_words(heading), f"components {heading.components}"]
    players = tuple(shown_players(position))
    drawn = draw(position.drawing, seats=position.players, before=report.earlier)
    return web_page(
        "report.html",
        style="report.css figures.css zoom.css",
        script="zoom.js" if drawn.figures else "",
        rules=figure_rules(drawn),
        title=printable(f"{heading.game}: {heading.name}, {turn_words(heading)}, {reader(heading)}"),
        game=" · ".join(game),
        headline=report.headline,
        reader=reader(heading),
        players=players,
        badges={name: player for player in players for name in (player.seat, player.name)},
        sections=sections_of(report, _WINDOW),
        picture=drawn,
        own=report.viewer if report.viewer in position.seats else next(iter(position.seats), ""),
        about=" ".join(report.description),
        fates=_FATES,
        words=Words(report.rules()),
        has_slots=has_slots,
    )
