"""Give mkdocs the files beside `docs/` that pages link to, and pages made of docstrings: commands, library, packages."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

import adjudicator

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / ".ci"))

from help_texts import help_texts  # noqa: E402

BESIDE = ("schemas/**/*.json", "grammar/**/*", "examples/**/*", "LICENSE", "CHANGELOG.md")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the first page, the files that pages link to, and the reference."""
    for pattern in BESIDE:
        for path in ROOT.glob(pattern):
            if path.is_file() and "__pycache__" not in path.parts:
                files.append(File.generated(config, path.relative_to(ROOT).as_posix(), abs_src_path=str(path)))
    for name, source in (("index.md", "README.md"), ("contributing.md", "CONTRIBUTING.md")):
        files.append(File.generated(config, name, content=(ROOT / source).read_text("utf-8")))
    reference = "".join(f"\n::: adjudicator.{name}\n" for name in adjudicator.__all__)
    files.append(File.generated(config, "api.md", content=f"# The library, name by name\n{reference}"))
    commands = "".join(f"\n## `{command}`\n\n```text\n{text}\n```\n" for command, text in help_texts())
    files.append(File.generated(config, "commands.md", content=f"# The commands\n{commands}"))
    packages = "".join(_package(path) for path in sorted(ROOT.glob("adjudicator/**/__init__.py")))
    files.append(File.generated(config, "packages.md", content=f"# The packages\n{packages}"))
    return files


def _package(path: Path) -> str:
    """Return the docstring of the package whose ``__init__.py`` is at ``path`` as a section of a page."""
    words = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
    return f"\n## `{path.parent.relative_to(ROOT)}/`\n\n{words.replace('``', '`')}\n"


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Let links to files of the repository lead to their places on the site, where the pages of `docs/` are at the top."""
    depth = page.file.src_uri.count("/")
    markdown = re.sub(r"((?:\]\(|src=\")(?:\.\./)*)docs/", r"\1", markdown)
    return re.sub(r"\]\(\.\./", "](", markdown) if depth == 0 else markdown
