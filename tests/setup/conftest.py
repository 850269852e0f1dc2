from __future__ import annotations

import pytest

from thunderref.setup.pools import Catalogue, catalogue
from thunderref.store.read import Store, open_store


@pytest.fixture(scope="session")
def store() -> Store:
    return open_store()


@pytest.fixture(scope="session")
def cat(store: Store) -> Catalogue:
    return catalogue(store)
