from __future__ import annotations

import pytest

from thunderref.database.read import Database, open_database
from thunderref.thunderstone.setup.catalogue import Catalogue


@pytest.fixture(scope="session")
def database() -> Database:
    return open_database()


@pytest.fixture(scope="session")
def cat(database: Database) -> Catalogue:
    return database.derived(Catalogue)
