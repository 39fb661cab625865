"""The process that measures the pages: it writes a long game, starts a web server and a browser,
and prints all times as JSON."""

from __future__ import annotations

import json
import sys
from shutil import which
from typing import Final

import django

from bench.pages import budgets, players
from bench.pages.browser_times import FLAGS, Both, Games, Times, measure
from bench.streams.idle_streams import run_server

STREAMS: Final = 10


def main() -> None:
    """Measure and print."""
    repetitions, clicks = map(int, sys.argv[1:3])
    django.setup()
    long_game = write_long_game()  # before the browser, beside which Django refuses queries
    with run_server(STREAMS) as (port, _):
        print(
            json.dumps(
                measure_repeatedly(f"http://127.0.0.1:{port}", long_game, repetitions, clicks)
            )
        )


def write_long_game() -> str:
    """A game whose chain is long."""
    from bench.log import sample_games

    return sample_games.store_game(sample_games.write_long_game(budgets.LONG_ENTRIES))


def measure_repeatedly(url: str, long_game: str, repetitions: int, clicks: int) -> Both:
    """All times; those of a first visit, which warms up the server, do not count."""
    from playwright.sync_api import sync_playwright

    people = [players.new_player(url) for _ in range(2)]
    games = Games(
        players.play_positions(people, budgets.POSITIONS),
        players.play_to_the_end(people, budgets.ENTRIES),
        long_game,
    )
    totals: Both = ({}, {})
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=which(budgets.CHROMIUM), args=FLAGS)
        for repetition in range(repetitions + 1):
            for total, times in zip(totals, measure(browser, url, games, clicks), strict=True):
                if repetition:
                    add(total, times)
        browser.close()
    return totals


def add(total: Times, times: Times) -> None:
    """Append the values of a repetition."""
    for name, values in times.items():
        total.setdefault(name, []).extend(values)


if __name__ == "__main__":
    main()
