"""
Clusters: who gives the same, and who stands alone.
"""

from __future__ import annotations

from tertium.conformance.clusters import clusters
from tertium.conformance.outcomes import Failed, Infinite, Number, Outcome, Rejected, Unsupported
from tertium.conformance.report_file import Report, Result


def report(measured: dict[str, Outcome], **ran: Outcome) -> Report:
    header = {"providers": [{"provider": name} for name in ran]}
    line = {
        "id": "x",
        "metric": "wer",
        "title": "T",
        "measured": {name: {"version": "1", "outcome": one.to_json()} for name, one in measured.items()},
    }
    results = tuple(Result("x", "wer", name, None, "agrees", "", (), one) for name, one in ran.items())
    return Report(header, {"x": line}, results)


def test_largest_group_comes_first() -> None:
    """Equal outcomes form a group, whoever gave them."""
    (found,) = clusters(report({"werx": Number(0.5, 0.5)}, native=Number(0.5, 0.5), other=Number(1.0, 1.0)))

    assert found.groups == (("0.5", ("native", "werx")), ("1.0", ("other",)))
    assert found.disagree
    assert found.odd_one == "other"


def test_what_gives_no_number_is_one_group() -> None:
    """A refusal and a failure agree that there is no number; infinity is another thing."""
    (found,) = clusters(
        report(
            {"fastwer": Failed("ValueError", ""), "werpy": Rejected("provider", "", "no")},
            native=Infinite(float("inf")),
        )
    )

    assert found.groups == (("no number", ("werpy", "fastwer")), ("infinity", ("native",)))


def test_measured_twin_of_a_provider_is_left_out() -> None:
    """A library that ran as a provider is not counted a second time; two alone have no odd one."""
    (found,) = clusters(report({"jiwer": Number(0.0, 0.0)}, native=Number(1.0, 1.0), jiwer=Number(0.0, 0.0)))

    assert found.groups == (("1.0", ("native",)), ("0.0", ("jiwer",)))
    assert found.odd_one is None


def test_unsupported_takes_no_part() -> None:
    """Who does not offer a case has no opinion on it."""
    (found,) = clusters(report({}, native=Number(1.0, 1.0), other=Unsupported("no")))

    assert not found.disagree


def test_single_precision_is_no_disagreement() -> None:
    """A library that computes in single precision joins those that agree to its digits, and 0 from 1e-3 stays apart."""
    (near,) = clusters(report({"torchmetrics": Number(0.2000000030, 0.2000000030)}, native=Number(0.2, 0.2)))
    (far,) = clusters(report({"torchmetrics": Number(0.201, 0.201)}, native=Number(0.2, 0.2)))

    assert near.groups == (("0.2", ("native", "torchmetrics")),)
    assert far.disagree
