"""
Declare the parameters that metrics over edits share.
"""

from __future__ import annotations

from typing import Annotated, Literal

from tertium.native.alignment import Ties
from tertium.native.normalizing import Case
from tertium.native.text_changes import FORMS
from tertium.native.text_changes import STEPS as PLAIN
from tertium.native.text_steps import TAKEN
from tertium.native.units import SPLITS, Blanks, Unit
from tertium.parameters import Choices

CHANGES = tuple(name for name in PLAIN if name not in FORMS)
STEPS = "<step>+<step>"

UnitChoice = Annotated[Unit, "What is counted"]
CharacterChoice = Annotated[Literal["codepoint", "grapheme"], "What is counted"]
SplitChoice = Annotated[
    str,
    "Where words end: a space and any two white-space characters (jiwer), any ASCII one as well (jiwer-ascii), all "
    "Unicode white space (whitespace or unicode), ASCII white space (sclite), each single space with empty words "
    "between (fastwer), or at a text of one's own (at:-)",
    Choices(*SPLITS, "at:<text>"),
]
HypothesisSplitChoice = Annotated[
    str, "The same for hypotheses alone, where it differs", Choices("same", *SPLITS, "at:<text>")
]
JoinedChoice = Annotated[
    bool,
    "Align the corpus as one text, as JiWER's contiguous transforms do: texts that are not empty are joined by a space",
]
BlanksChoice = Annotated[
    Blanks, "White space among characters: strip the ends (JiWER), keep all, ignore Unicode's or ASCII's (sclite)"
]
CaseChoice = Annotated[Case, "Case rule; ascii lowers A to Z alone, as sclite does"]
FormChoice = Annotated[
    str,
    "Unicode's normalisation form, or steps in their order with + between, as nfkc+uppercase+strip",
    Choices(*FORMS, *CHANGES, *TAKEN, STEPS, offers="normalizers"),
]
TextChoice = Annotated[
    str,
    "Unicode's normalisation form, or steps in their order with + between, as nfkc+uppercase+strip; drop-empty takes "
    "cases without text out, join says where texts are joined",
    Choices(*FORMS, *CHANGES, *TAKEN, "drop-empty", "join(<text>)", STEPS, offers="normalizers"),
]
HypothesisTextChoice = Annotated[
    str,
    "The same for hypotheses alone, where it differs: normalize is then that of the references",
    Choices("same", *FORMS, STEPS, offers="normalizers"),
]
FormatChoice = Annotated[bool, "Delete format characters (category Cf), such as zero-width joiners and marks"]
QuotesChoice = Annotated[bool, "Write quotation marks and apostrophes of all kinds as ASCII ones"]
HyphensChoice = Annotated[bool, "Delete hyphen-minus characters, as sclite -c DH does"]
ContractionsChoice = Annotated[bool, "Write English contractions out (won't, 's...), as JiWER's transform does"]
NonWordsChoice = Annotated[bool, "Delete <...> and [...], as JiWER's RemoveKaldiNonWords does"]
PunctuationChoice = Annotated[bool, "Delete punctuation (categories P*)"]
MarkupChoice = Annotated[
    Literal["none", "sclite"], "Read transcript markup: { a / b } alternatives, the null word @, tags after ;"
]
OptionalChoice = Annotated[bool, "With sclite's markup: (word) may be left out, as its option -D says"]
FragmentsChoice = Annotated[bool, "With sclite's markup: fi- matches what begins with fi, -fi what ends so (-F)"]
CostsChoice = Annotated[
    str,
    "What the alignment minimises: edits (unit), 4/3/3 (sclite), or costs substitution/insertion/deletion",
    Choices("unit", "sclite", "<substitution>/<insertion>/<deletion>"),
]
TiesChoice = Annotated[Ties, "Which of the cheapest alignments is counted"]
EmptyReferenceChoice = Annotated[
    Literal["insertions", "infinity", "undefined", "error", "reject"],
    "Rate over no reference units: the number of insertions, infinity (undefined without insertions), undefined, or an "
    "error where all references are empty, of the corpus or of a case whose own value is asked for (error), or any one "
    "is (reject)",
]
EmptyChoice = Annotated[
    Literal["bounds", "undefined", "error", "reject"],
    "Value where a side has no units: the best or worst one (bounds), undefined, or an error where all references are "
    "empty, of the corpus or of a case whose own value is asked for (error), or any one is (reject)",
]
AverageChoice = Annotated[Literal["pooled", "mean"], "Rate of the pooled counts, or mean of the cases' rates"]
ReferencesChoice = Annotated[
    Literal["best-value", "fewest-errors", "mean"],
    "Several references: the one with the best value, or with the fewest errors (the first of equals), or means",
]
HitsChoice = Annotated[
    Literal["alignment", "lengths"],
    "Hits: of the alignment (JiWER), or the longer side's length minus the errors (TorchMetrics, TorchEval)",
]
