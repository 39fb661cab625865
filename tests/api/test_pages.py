"""Does a person with a browser find every game, with nothing fetched from elsewhere?"""

from __future__ import annotations

import re
from contextlib import closing

import pytest
from django.test import Client

from games.registry import ENGINES


def test_the_catalogue_shows_every_game_and_its_table(client: Client) -> None:
    page = client.get("/").content.decode()
    for slug, engine in ENGINES.items():
        assert engine.about.title in page
        assert f'src="/api/v1/rules/{slug}/picture.svg"' in page
        assert f'href="/api/v1/rules/{slug}/text"' in page


@pytest.mark.django_db  # a closed response looks after connections that other tests opened
def test_every_link_on_the_pages_is_ours_and_leads_somewhere(client: Client) -> None:
    for page in ("/", "/api/v1/docs"):
        links = re.findall(r'(?:href|src)="([^"]+)"', client.get(page).content.decode())
        assert links
        for link in links:
            assert link.startswith(("/", "data:"))
            if link.startswith("/"):
                with closing(client.get(link)) as response:
                    assert response.status_code == 200


def test_pictures_have_words_for_those_who_cannot_see_them(client: Client) -> None:
    for picture in re.findall(r"<img[^>]*>", client.get("/").content.decode()):
        assert re.search(r'alt="[^"]+"', picture)
