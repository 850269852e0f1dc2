"""Stands in for platformdirs: all that is kept is in one folder, which the worker hands to the page."""

from pathlib import Path


def user_state_path(name: str, *, appauthor: bool) -> Path:
    return Path.home() / name


user_data_path = user_state_path
