"""Pictures in pieces: nothing is lost, whatever the text, and what two have in common is kept once."""

from __future__ import annotations

from counted import calls
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.reports.pages.frames import FrameRecorder, frame_text

TEXTS = st.lists(
    st.lists(st.sampled_from(['<g x="1">', "</g>", "<text>", "</text>", "<b/>", "red", "<", ">", "\n", "é"])).map("".join),
    min_size=1,
)


@given(TEXTS)
def test_every_text_comes_back(texts: list[str]) -> None:
    recorder = FrameRecorder()
    numbers = [recorder.add(text) for text in texts]
    frames = recorder.frames()
    assert [frame_text(frames, number) for number in numbers] == texts


def test_the_same_text_is_one_frame() -> None:
    recorder = FrameRecorder()
    assert [recorder.add(text) for text in ("<a/>", "<b/>", "<a/>")] == [0, 1, 0]
    assert len(recorder.frames().frames) == 2


def test_what_is_put_in_moves_nothing_behind_it() -> None:
    """Else each picture with one piece more at its beginning would be kept whole."""
    pieces = [f"<p n='{n}'/>" for n in range(1_000)]
    recorder = FrameRecorder()
    recorder.add("".join(pieces))
    before = len(recorder.frames().runs)
    recorder.add("".join([*pieces[:10], "<new/>", *pieces[10:]]))
    assert len(recorder.frames().runs) - before <= 2


def test_what_was_there_before_is_not_cut_again() -> None:
    """Every picture was cut into all its pieces: that took as long as to draw it."""
    pieces = [f"<p n='{n}'/>" for n in range(1_000)]
    recorder = FrameRecorder()
    first = calls(lambda: recorder.add("".join(pieces)))
    changed = "".join([*pieces[:10], "<new/>", *pieces[10:500], "<p/>", *pieces[501:]])
    assert calls(lambda: recorder.add(changed)) < first / 4
