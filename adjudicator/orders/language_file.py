"""The file with the words of a language, as a translator writes it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Final

from pydantic import Field

from adjudicator.files.documents import Document, checked
from adjudicator.files.reading import quoted

_CODE: Final = re.compile(r"(?!en$)[a-z]{2,3}(?:-[a-z0-9]{2,8})?")


def _require_code(text: str) -> None:
    if not _CODE.fullmatch(text):
        raise ValueError(f"write the code of a language other than English, such as de, not {quoted(text)}")


def _require_word(text: str) -> None:
    if len(text) > 40 or not all(part.isalpha() for part in re.split("[ '’]", text)):
        raise ValueError(f"write 1 to 40 letters, with single blanks or apostrophes between words, not {quoted(text)}")


Synonyms = Mapping[str, tuple[Annotated[str, checked(_require_word)], ...]]


class GameFile(Document):
    """The words of one game in a language, as in ``GameWords``."""

    words: Synonyms = Field(default_factory=dict)
    names: Mapping[str, Synonyms] = Field(default_factory=dict)


class LanguageFile(Document):
    """The words of a language, as in ``LanguageWords``; editors look for the address of the ``schema``."""

    schema_: str = Field(default="", alias="$schema")
    code: Annotated[str, checked(_require_code)]
    name: Annotated[str, Field(min_length=1)]
    words: Synonyms = Field(default_factory=dict)
    games: Mapping[str, GameFile] = Field(default_factory=dict)
