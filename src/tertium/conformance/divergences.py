"""
Read the list of known differences, and hold it to be needed: an entry that explains nothing is an error too.

::

    [[divergence]]
    provider = "nltk"
    against = "equivalent"
    cases = ["meteor-tie-of-two-synonyms"]
    axis = "meteor.synonym"
    reason = "NLTK takes the first synonym in the order of a set, which changes from run to run"
    evidence = "two runs of NLTK 3.10.0 under other hash seeds"

``metrics`` and ``when`` may follow: a condition of :mod:`tertium.conformance.conditions`, by which ``tertium fuzz`` recognises
new inputs of these metrics as instances of the difference.

Plugins add lists of their own, of the same form, through the hook ``tertium_divergences``: about their own providers.
"""

from __future__ import annotations

import threading
import tomllib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tertium.conformance.conditions import CONDITIONS, Condition
from tertium.conformance.places import folder
from tertium.errors import DataError, FormatError
from tertium.extensions import Offer, offered

FILE = "divergences.toml"

AGAINST = ("textbook", "measured", "recorded", "native", "equivalent", "outcome")
"""What an outcome may part from; ``outcome`` stands for a failure of the provider itself."""

_TEXTS = ("provider", "against", "axis", "reason", "evidence")
_GENERAL = ("metrics", "when")


@dataclass(frozen=True)
class Divergence:
    """
    Say that a provider is known to part from something on some cases, and why.

    Args:
        axis: The convention that it is about, or ``fault`` for a fault of the library.
        number: Its place in the file, from 1.
        source: What its file is called.
        metrics: Metrics of which inputs beside the cases are instances under the condition ``when``.
        when: Name of the condition, or empty.
    """

    provider: str
    against: str
    cases: tuple[str, ...]
    axis: str
    reason: str
    evidence: str
    number: int
    metrics: tuple[str, ...] = ()
    when: str = ""
    source: str = FILE

    @property
    def condition(self) -> Condition | None:
        """
        By what new inputs are recognised, or None where they are not.
        """
        return CONDITIONS.get(self.when)


class Divergences:
    """
    Look entries up, and remember which ones were needed.

    Args:
        entries: What is known.
        refused: Provider to what is wrong with a list that its plugin brings, of which no entry counts.
    """

    def __init__(
        self, entries: Iterable[Divergence] = (), refused: Mapping[str, Collection[str]] | None = None
    ) -> None:
        self.entries = tuple(entries)
        self.refused = dict(refused or {})
        self._by_key = {(one.provider, one.against, case): one for one in self.entries for case in one.cases}
        self._used: set[tuple[str, str, str]] = set()
        self._lock = threading.Lock()

    def explaining(self, provider: str, against: str, case: str) -> Divergence | None:
        """
        Return the entry for a difference, and remember that it was needed.
        """
        found = self._by_key.get((provider, against, case))
        if found is not None:
            with self._lock:
                self._used.add((provider, against, case))
        return found

    def recognising(self, provider: str, metric: str) -> tuple[Divergence, ...]:
        """
        Return the entries by which a provider's differences from its equivalent are recognised on new inputs.

        Where the equivalent is the native metric as it stands, its entries are those against ``native``.
        """
        return tuple(
            one
            for one in self.entries
            if one.provider == provider and metric in one.metrics and one.against in ("equivalent", "native", "outcome")
        )

    def unneeded(self, compared: Collection[tuple[str, str, str]]) -> list[str]:
        """
        List what stands in entries and explains nothing.

        Args:
            compared: Provider, what it was held against, and case; what was not compared is left alone.
        """
        return [
            f"entry {self._by_key[key].number} of {self._by_key[key].source}: {key[0]} does not part from {key[1]} on {key[2]}"
            for key in self._by_key
            if key not in self._used and key in compared
        ]


def load_divergences(place: Path | None = None, known: Collection[str] | None = None) -> Divergences:
    """
    Read the list of known differences.

    Args:
        place: The file; by default the one that comes with the suite, and what plugins add to it.
        known: Ids of all cases of the suite; an entry that names another one is stale.

    Raises:
        FormatError: The file is no TOML, an entry lacks something or has too much, names an unknown case, or two
            entries speak of the same difference.
        DataError: There is no such file.
    """
    seen: dict[tuple[str, str, str], Divergence] = {}
    entries = _read(folder() / FILE if place is None else place, FILE, known, seen)
    refused: dict[str, list[str]] = {}
    for offer in () if place is not None else offered("divergences").values():
        try:
            entries += _brought(offer, known, seen)
        except DataError as error:  # a plugin's file must not keep others from being run
            if str(error) not in offer.problems:
                offer.problems.append(str(error))
            for provider in _providers(offer):
                refused.setdefault(provider, []).append(f"{offer.distribution}: {error}")
    return Divergences(entries, refused)


def _brought(
    offer: Offer, known: Collection[str] | None, seen: dict[tuple[str, str, str], Divergence]
) -> list[Divergence]:
    file = Path(offer.value)
    fresh = dict(seen)
    found = _read(file, f"{file.name} ({offer.distribution})", known, fresh)
    own = _providers(offer)
    for one in found:
        if one.provider not in own:
            remedy = f"Speak of {' or '.join(sorted(own)) or 'a provider of your own'}"
            raise FormatError(str(file), f"entry {one.number} is about {one.provider!r}, another plugin's", remedy)
    seen.update(fresh)
    return found


def _providers(offer: Offer) -> set[str]:
    from tertium.registry import registry

    plugins = (plugin for plugin in registry().plugins if plugin.problems is offer.problems)
    return {metric.provider for plugin in plugins for metric in plugin.metrics}


def _read(
    file: Path, source: str, known: Collection[str] | None, seen: dict[tuple[str, str, str], Divergence]
) -> list[Divergence]:
    try:
        document = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise DataError(f"the divergences {file}", f"cannot be read ({error.strerror})", "Name a TOML file") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FormatError(str(file), f"it is not TOML ({error})", "Correct it") from error
    if set(document) - {"divergence"}:
        names = ", ".join(sorted(set(document) - {"divergence"}))
        raise FormatError(str(file), f"there are tables beside [[divergence]]: {names}", "Take them out")
    entries = [_entry(file, number, one, source) for number, one in enumerate(document.get("divergence", []), 1)]
    for one in entries:
        for case in one.cases:
            if known is not None and case not in known:
                raise FormatError(str(file), f"entry {one.number} names no case of the suite: {case!r}", "Take it out")
            key = (one.provider, one.against, case)
            if key in seen:
                other = seen[key].number if seen[key].source == source else f"{seen[key].number} of {seen[key].source}"
                truth = f"entries {other} and {one.number} both speak of {one.provider} on {case}"
                raise FormatError(str(file), truth, "Keep one of them")
            seen[key] = one
    return entries


def _entry(file: Path, number: int, found: Any, source: str) -> Divergence:
    wrong = ""
    if not isinstance(found, dict) or set(found) - set(_GENERAL) != {*_TEXTS, "cases"}:
        wrong = f"it must have exactly {', '.join(sorted((*_TEXTS, 'cases')))}, and may have {' and '.join(_GENERAL)}"
    elif not all(isinstance(found[name], str) and found[name].strip() for name in _TEXTS):
        wrong = f"{', '.join(_TEXTS)} are texts"
    elif found["against"] not in AGAINST:
        wrong = f"against is one of {', '.join(AGAINST)}"
    elif not found["cases"] or not all(isinstance(case, str) for case in found["cases"]):
        wrong = "cases is a list of ids"
    elif set(found) & set(_GENERAL):
        wrong = _general(found)
    if wrong:
        raise FormatError(str(file), f"entry {number}: {wrong}", "Correct the entry")
    general = {"metrics": tuple(found.get("metrics", ())), "when": found.get("when", ""), "source": source}
    return Divergence(cases=tuple(found["cases"]), number=number, **{name: found[name] for name in _TEXTS}, **general)


def _general(found: Any) -> str:
    metrics = found.get("metrics")
    if not isinstance(metrics, list) or not metrics or not all(isinstance(metric, str) for metric in metrics):
        return "metrics is a list of names, and goes with when"
    return "" if found.get("when") in CONDITIONS else f"when is one of {', '.join(CONDITIONS)}, and goes with metrics"
