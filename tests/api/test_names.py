"""Names are counted in characters as people see them, and hide nothing."""

from __future__ import annotations

import pytest

from api import graphemes
from api.reserved_names import is_reserved
from tests.api.contract import BASE
from tests.api.test_conventions import assert_problem
from tests.api.world import World

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"
COUNTED = {
    "Ada": 3,
    "": 0,
    "é": 1,
    "e\u0301": 1,
    FAMILY: 1,
    FAMILY * 2: 2,
    "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645": 7,  # Persian, with ZWNJ
    "\U0001f44d\U0001f3fd": 1,  # a thumb with a skin tone
    "\U0001f1e9\U0001f1ea\U0001f1eb\U0001f1f7": 2,  # two flags
    "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f": 1,  # Scotland's flag
    "\u2764\ufe0f\u200d\U0001f525": 1,
    "\u0928\u092e\u0938\u094d\u0924\u0947": 4,  # by Unicode 15.0 and earlier
    "\u1112\u1161\u11ab\uae00": 2,  # Hangul, decomposed and composed
    "\uac00\u11a8": 1,
    "\uac01\u1161": 2,  # a closed syllable takes no vowel
    "a\u0308\u200d\U0001f525": 2,  # ZWJ joins only pictographs
}
HIDING = {
    "a newline": "a\nb",
    "a null": "a\0b",
    "an override": "a\u202eb",
    "an isolate": "a\u2066b",
    "a mark of direction": "a\u200fb",
    "half a character": "a\ud800",
    "a joiner between Latin letters": "a\u200db",
    "a joiner at the end": FAMILY + "\u200d",
    "a joiner at the beginning": "\u200c\u0645",
    "two joiners": "\u0645\u200c\u200c\u0645",
    "a space of no width": "\u0645\u200b\u0645",
    "a soft hyphen": "a\u00adb",
    "another space": "a\u2003b",
}


@pytest.mark.parametrize("text", COUNTED)
def test_a_name_is_as_long_as_people_count(text: str) -> None:
    assert graphemes.count_graphemes(text) == COUNTED[text]
    assert "".join(graphemes.grapheme_clusters(text)) == text


@pytest.mark.parametrize("text", [text for text in COUNTED if not text.startswith("a")])
def test_a_name_may_be_shown(text: str) -> None:
    assert graphemes.is_displayable(text)


@pytest.mark.parametrize("name", HIDING)
def test_a_name_that_hides_something_may_not(name: str) -> None:
    assert not graphemes.is_displayable(HIDING[name])


MISLEADING = [
    *("mcts", "MCTS", "level_5", "Level 9", "greedy!", "Admin", "the admin", "admin 2", "mcts bot"),
    *("Tabularium Staff", "adm1n", "@dmin", "4dmin", "rnoderator", "a d m i n", "S.T.A.F.F"),
    "\u0430dmin",  # Cyrillic
    "\u0391D\u039c\u0399\u039d",  # Greek
    "\u24d0dmin",
    "\uff21\uff24\uff2d\uff29\uff2e",
    "\U0001d41a\U0001d41d\U0001d426\U0001d422\U0001d427",
    "a\u0308dmin",
]
CLEAR = ["", "a", "!!!", "1337", "Ada", "my bot", "Admiral", "Modesta", "Greedy Ada", "Robot"]


@pytest.mark.parametrize("name", MISLEADING)
def test_a_name_that_looks_like_a_bots_or_the_staffs_is_reserved(name: str) -> None:
    assert is_reserved(name)


@pytest.mark.parametrize("name", [*CLEAR, "\u0410\u0434\u043c\u0438\u0440\u0430\u043b"])
def test_other_names_are_free(name: str) -> None:
    assert not is_reserved(name)


@pytest.mark.django_db
def test_no_account_has_a_reserved_name(world: World) -> None:
    for path, method in ((f"{BASE}/me", "PATCH"), (f"{BASE}/guests", "POST")):
        response = world.as_ada.send(path, {"name": "Admin"}, method)
        problem = assert_problem(response, 422, "bad-name")
        assert problem["errors"][0]["code"] == "reserved"
    assert world.as_ada.send(f"{BASE}/me/keys", {"name": "bot"}).status_code == 201


@pytest.mark.django_db
def test_an_account_has_such_a_name(world: World) -> None:
    for name in (
        FAMILY * 16,
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        "x" * 60,
        "x\u0301" * 60,
    ):
        response = world.as_ada.send(f"{BASE}/me", {"name": name}, "PATCH")
        assert response.status_code == 200
        assert world.as_ada.get(f"{BASE}/me").json()["name"] == name
    for name in ("x" * 61, FAMILY * 17, "a\u202eb"):
        response = world.as_ada.send(f"{BASE}/me", {"name": name}, "PATCH")
        problem = assert_problem(response, 422, "bad-name")
        assert problem["errors"][0]["pointer"] == "/name"


@pytest.mark.django_db
def test_a_key_has_such_a_name(world: World) -> None:
    response = world.as_ada.send(f"{BASE}/me/keys", {"name": FAMILY * 16, "scopes": ["games:read"]})
    assert response.json()["key"]["name"] == FAMILY * 16
