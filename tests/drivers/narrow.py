"""What a phone cuts from boards, and how large their letters are there, in a real browser."""

from tests.drivers.pages import check_phone, least_letters

__all__ = ["check_phone", "least_letters"]
