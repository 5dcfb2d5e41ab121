"""Give mkdocs what is not in `docs/`: files beside it that pages link to, the look, and pages made of docstrings."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import get_args

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

import adjudicator
import adjudicator.game
import adjudicator.testing

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / ".ci"))

from help_texts import help_texts  # noqa: E402
from language_words import tables  # noqa: E402

PAGES = ("CHANGELOG.md", "CODE_OF_CONDUCT.md", "SECURITY.md")
BESIDE = ("schemas/**/*.json", "grammar/**/*", "examples/**/*", "LICENSE", *PAGES)
RENAMED = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md"}
"""Pages of the repository that have other names on the site."""
LOOK = (ROOT / "adjudicator" / "reports" / "templates" / "identity.css", ROOT / ".ci" / "docs_site.css")
DESK = "desk/index.html"
WORDS = "Words in other languages"
MADE = {
    WORDS: "words.md",
    "The library, name by name": "api.md",
    "The kit for games": "kit.md",
    "The packages": "packages.md",
}
"""The titles of pages made here: other pages name them in italics, which becomes a link on the site."""
TRY = f"**[Try it in your browser]({DESK})**: play a game against the computer, and install nothing."
"""What the first page has only on the site, because the desk is there."""
NO_DESK = "<!doctype html><title>Playground</title><p>Build the desk beside these pages: adjudicator desk -o site/desk\n"
"""What is at the place of the desk until it is built."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the first page, the files that pages link to, the look, and the reference."""
    for pattern in BESIDE:
        for path in ROOT.glob(pattern):
            if path.is_file() and "__pycache__" not in path.parts:
                files.append(File.generated(config, path.relative_to(ROOT).as_posix(), abs_src_path=str(path)))
    made = {name: (ROOT / source).read_text("utf-8") for source, name in RENAMED.items()}
    made["index.md"] = made["index.md"].replace("\n<img", f"\n{TRY}\n\n<img", 1)
    made["look.css"] = "".join(path.read_text("utf-8") for path in LOOK)
    made[DESK] = NO_DESK
    made["api.md"] = _names("The library, name by name", adjudicator)
    made["kit.md"] = _names("The kit for games", adjudicator.game, adjudicator.testing)
    commands = "".join(f"\n## `{command}`\n\n```text\n{text}\n```\n" for command, text in help_texts())
    made["commands.md"] = f"# The commands\n{commands}"
    explained = "The first word of a cell is the usual one. [The page on languages](languages.md) explains them."
    made["words.md"] = f"# {WORDS}\n\n{explained}\n\n{tables()}"
    packages = "".join(_package(path) for path in sorted(ROOT.glob("adjudicator/**/__init__.py")))
    made["packages.md"] = f"# The packages\n{packages}"
    for name, content in made.items():
        files.append(File.generated(config, name, content=content))
    return files


def _names(title: str, *modules: ModuleType) -> str:
    """Return a page with the docstrings of all names that ``modules`` publish, without those of other libraries."""
    names = [f"{module.__name__}.{name}" for module in modules for name in module.__all__ if _is_own(getattr(module, name))]
    return f"# {title}\n" + "".join(f"\n::: {name}\n" for name in names)


def _is_own(thing: object) -> bool:
    """Return whether ``thing`` is a class, a function or a union of classes of this package."""
    return any(str(getattr(one, "__module__", "")).startswith("adjudicator.") for one in (thing, *get_args(thing)))


def _package(path: Path) -> str:
    """Return the docstring of the package whose ``__init__.py`` is at ``path`` as a section of a page."""
    words = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
    return f"\n## `{path.parent.relative_to(ROOT)}/`\n\n{words.replace('``', '`')}\n"


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Let links to files of the repository lead to their places on the site, where the pages of `docs/` are at the top."""
    markdown = re.sub(r"((?:\]\(|src=\")(?:\.\./)*)docs/", r"\1", markdown)
    for title, made in MADE.items():
        markdown = markdown.replace(f"*{title}*", f"[{title}]({made})")
    if "/" not in page.file.src_uri:
        markdown = re.sub(r"\]\((?:\.\./)?desk/(?=[#)])", f"]({DESK}", re.sub(r"\]\(\.\./", "](", markdown))
    for old, new in RENAMED.items():
        markdown = re.sub(rf"\]\({old}(?=[#)])", f"]({new}", markdown) if "/" not in page.file.src_uri else markdown
    return markdown


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Mark short code, such as `--reveal`, which stays on one line."""
    return re.sub(r"<code>([^<\n]{1,24})</code>", r'<code class="short">\1</code>', html)
