"""
Search for inputs on which two metrics differ: ``tertium fuzz``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tertium.console.corpus import corpus_options

if TYPE_CHECKING:
    from tertium.cases import Cases
    from tertium.fuzzing.results import Fuzzing


@click.command("fuzz", short_help="Search for inputs on which two implementations part.")
@click.argument("words", metavar="A B", nargs=-1, required=True)
@click.option(
    "--time",
    "seconds",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help="Stop after that time; 30 seconds where no count is given either.",
)
@click.option("--count", type=click.IntRange(min=1), metavar="N", help="Stop after that many cases.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Where the search begins.")
@click.option("--corpus", metavar="FILE", help="Change the real text of this data file, beside invented text.")
@click.option(
    "--tolerance",
    type=click.FloatRange(min=0),
    metavar="X",
    help="Differences up to this one, on one scale, do not count; by default what rounding makes.",
)
@click.option(
    "--longest",
    type=click.IntRange(min=0),
    metavar="N",
    help="Characters of a long text, 0 for none; by default 10,000, and less for implementations that take very long.",
)
@click.option(
    "--budget",
    type=click.IntRange(min=1),
    default=400,
    show_default=True,
    metavar="N",
    help="Inputs to try while one finding is made smaller.",
)
@click.option("--save", metavar="DIR", help="Write each finding's smallest input there, as a conformance case.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object at full precision.")
@click.option("--output", metavar="FILE", help="Write to this file, whole or not at all, instead of standard output.")
@click.option("--allow-unpinned", is_flag=True, help="Accept other versions of libraries than the pinned ones.")
@corpus_options
def command(words: tuple[str, ...], **options: Any) -> int:
    """
    Search for inputs on which two metrics differ, and explain what is found.

    \b
      tertium fuzz bleu@nltk bleu@sacrebleu --time 60
      tertium fuzz wer wer@jiwer --count 100000 --seed 7
      tertium fuzz 'rougeL' rougeL@rouge-score --corpus data.jsonl --save found
      tertium fuzz chrf chrf@sacrebleu --hyp sys.txt --ref ref.txt

    Texts are drawn by Hypothesis: words of many scripts, combining marks, blank and one-character segments, repeats and
    ties, references of different counts, unusual white space, numbers and punctuation, and now and then a long text; or
    they are real ones that are changed a little. Every finding is made as small as it can be and then explained: by the
    conventions on which the two differ, or by a documented divergence (conformance/divergences.toml). What neither
    explains is unexplained. Each explanation stands once, with the number of inputs that showed it.

    The same seed and count try the same inputs. Saved findings are files for `tertium conform --cases DIR`.

    The exit code is 0 where nothing is unexplained and 1 otherwise. Ctrl-C shows what was found so far and exits with 130.
    """
    from tertium.console.notes import Notes
    from tertium.console.output import check, check_folder, emit, show
    from tertium.fuzzing import limits, prepared

    check(options["output"])
    check_folder(options["save"])
    a, b = _two(words)
    notes = Notes()
    with notes.listening():
        hunt = prepared(
            a,
            b,
            seed=options["seed"],
            corpus=_corpus(options, notes),
            tolerance=options["tolerance"],
            longest=options["longest"],
            budget=options["budget"],
            allow_unpinned=options["allow_unpinned"],
        )
        found = _run(hunt, *limits(options["seconds"], options["count"]))
        report = found.to_dict()
        if options["save"] is not None:
            report["saved"] = _save(found, options["save"])
    if options["as_json"]:
        from tertium.reports import json

        emit(json.document(report), options["output"])
    else:
        from tertium.reports.fuzzing import fuzzing

        show(*fuzzing(report), file=options["output"])
    return 130 if found.interrupted else 1 if found.unexplained else 0


def _two(words: tuple[str, ...]) -> tuple[str, str]:
    from tertium.console.pairs import two_specs
    from tertium.errors import UsageError

    if len(words) != 2:
        many = f"{len(words)} word{'s were' if len(words) != 1 else ' was'} given: {' '.join(words)}"
        raise UsageError("`tertium fuzz` takes two specs", many, "Write `tertium fuzz A B`; text goes to --corpus FILE")
    a, b, _ = two_specs(words, ("none",), "fuzz")
    return a, b


def _corpus(options: dict[str, Any], notes: Any) -> Cases | None:
    from tertium.console.corpus import read_systems
    from tertium.errors import UsageError

    if options["corpus"] is None and not options["hypotheses"]:
        lone = next((flag for name, flag in (("references", "--ref"), ("source", "--src")) if options[name]), None)
        if lone is not None:
            raise UsageError(f"{lone} without --hyp", "real text has hypotheses, too", "Add --hyp FILE")
        return None
    if options["corpus"] is not None and options["hypotheses"]:
        raise UsageError("--corpus beside --hyp", "real text comes from one of them", "Leave one of them out")
    return read_systems(options["corpus"], options, notes.say)[0][1]


def _run(hunt: Any, seconds: float | None, count: int | None) -> Fuzzing:
    from tertium.console.notes import Progress

    result: Fuzzing
    with Progress("fuzzing", count or 0) as bar:

        def progress(tried: int, share: float) -> None:
            bar(tried, count or int(tried / max(share, 1e-9)))

        try:
            result = hunt.run(seconds, count, progress)
        except KeyboardInterrupt:
            result = hunt.result
            click.echo("tertium: interrupted; what was found so far:", err=True)
    return result


def _save(found: Fuzzing, folder: str) -> list[str]:
    """
    Add the findings' smallest inputs to the files of a folder, one file a family; what stands there already stays once.

    Returns:
        The files that hold them.
    """
    from pathlib import Path

    from tertium.conformance.schemas import problem
    from tertium.errors import OutputError
    from tertium.reports import json

    place = Path(folder)
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(
            f"saving to {folder}", error.strerror or "it cannot be made", "Name another folder"
        ) from error
    files: dict[Path, list[str]] = {}
    for finding in found.findings:
        case = finding.case(found.a, found.b)
        assert not problem(case, "case"), problem(case, "case")
        files.setdefault(place / f"{case['family']}.jsonl", []).append(json.line(case))
    for file, lines in files.items():
        try:
            before = file.read_text(encoding="utf-8") if file.is_file() else ""
            known = {_id(line) for line in before.split("\n") if line.strip()}
            fresh = [line for line in lines if _id(line) not in known]
            # Lines are added and nothing is written anew: another search may be adding to the same file.
            with file.open("a", encoding="utf-8", newline="") as target:
                target.write(("\n" if before and not before.endswith("\n") else "") + "".join(fresh))
        except (OSError, UnicodeDecodeError) as error:
            truth = getattr(error, "strerror", None) or "it is not UTF-8"
            raise OutputError(f"saving to {file}", truth, "Name another folder") from error
    return [str(file) for file in files]


def _id(line: str) -> str:
    import json

    try:
        return str(json.loads(line).get("id"))
    except (ValueError, AttributeError):
        return line
