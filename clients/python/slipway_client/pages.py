"""Lists that come in pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any


def pages(read: Callable[[str | None], Any]) -> Iterator[Any]:
    """Returns the results of a list, page after page. A page is read when the results of the one before are used up."""
    cursor: str | None = None

    while True:
        page = read(cursor)
        yield from page["results"]
        following = page["nextCursor"]

        if not following or following == cursor:
            return

        cursor = following
