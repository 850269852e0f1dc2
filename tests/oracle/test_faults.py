"""What the program gets wrong today, one smallest turn for each; a test that turns is a fault mended."""

from __future__ import annotations

import pytest

from support.faults import FAULTS, Fault


@pytest.mark.xfail(strict=True, reason="a known fault: mended, it leaves support.faults")
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.rule}: {fault.why}")
def test_a_fault_of_today(fault: Fault) -> None:
    assert not fault.wrong(fault.scenario)
