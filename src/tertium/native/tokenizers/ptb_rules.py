"""
State, as patterns, which spans of a text are tokens under the conventions of the Penn Treebank.

They describe what Stanford's PTBTokenizer of CoreNLP 3.4.1 does under the options of the COCO caption evaluation.
``ptb_automaton`` says how patterns are written. Of the longest matches the first pattern counts, so their order matters.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

(
    SKIP,  # no token
    PLAIN,  # the span itself
    WORD,  # without soft hyphens
    CLOSING,  # quotation marks become ' or ''
    OPENING,  # ` or ``
    DASH,  # --
    DOTS,  # ...
    MONEY,  # $, # or cents
    FRACTION,  # 1/2
    AMPERSAND,  # &amp; becomes &
    SPACED,  # spaces become no-break spaces
    PHONE,  # and parentheses -LRB- and -RRB-
    LESS,  # <
    MORE,  # >
    BRACKET,  # -LRB-, -RRB-, -LSB-, -RSB-, -LCB-, -RCB-
    HYPHENS,  # -- if there are three or four
    SMILEY,  # parentheses become -LRB- and -RRB-
) = range(17)
KINDS = 17
"""What becomes of a span."""

# How far a token reaches inside a match that goes on with what must follow it.
WHOLE = 0  # all of it; a positive number: so many units fewer
BEFORE_APOSTROPHE, BEFORE_SPACE, BEFORE_DIGIT, BEFORE_NOT = -1, -2, -3, -4


@dataclass(frozen=True)
class Rule:
    """
    Say what becomes of the spans that a pattern matches.

    Args:
        kind: What becomes of the token.
        pattern: The token with what must follow it.
        cut: How far the token reaches inside the match.
        back: How many units of the token are scanned again, though they belong to it: an abbreviation at the end of a
            sentence keeps its full stop, and the stop is a token, too.
        apart: Whether those units belong to the token as well: 0 yes, 1 no, 2 only if it has more than two.
    """

    kind: int
    pattern: str
    cut: int = WHOLE
    back: int = 0
    apart: int = 0


def characters() -> dict[str, frozenset[int]]:
    """
    Read the letters, capitals and digits of Unicode 6.3, below U+10000.
    """
    lines = Path(__file__).with_name("ptb_characters.txt").read_text(encoding="ascii").splitlines()
    found = {}
    for line in lines:
        name, *ranges = line.split()
        ends = [(*span.split("-"), span.split("-")[0])[:2] for span in ranges]
        found[name] = frozenset(unit for low, high in ends for unit in range(int(low, 16), int(high, 16) + 1))
    return found


# Marks that are written between letters but are no letters to Unicode 6.3
_MARKS = (
    "\u00ad\u0237-\u024f\u02c2-\u02c5\u02d2-\u02df\u02e5-\u02ff\u0300-\u036f\u0370-\u037d\u0384\u0385\u03cf\u03f6\u03fc-\u03ff"
    "\u0483-\u0487\u04cf\u04f6-\u04ff\u0510-\u0525\u055a-\u055f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0615-\u061a"
    "\u063b-\u063f\u064b-\u065e\u0670\u06d6-\u06ef\u06fa-\u06ff\u070f\u0711\u0730-\u074f\u0750-\u077f\u07a6-\u07b1\u07ca-\u07f5"
    "\u07fa\u0900-\u0903\u093c\u093e-\u094e\u0951-\u0955\u0962\u0963\u0981-\u0983\u09bc-\u09c4\u09c7\u09c8\u09cb-\u09cd\u09d7"
    "\u09e2\u09e3\u0a01-\u0a03\u0a3c\u0a3e-\u0a4f\u0a81-\u0a83\u0abc-\u0acf\u0b82\u0bbe-\u0bc2\u0bc6-\u0bc8\u0bca-\u0bcd"
    "\u0c01-\u0c03\u0c3e-\u0c56\u0d3e-\u0d44\u0d46-\u0d48\u0e30-\u0e3a\u0e47-\u0e4e\u0eb1-\u0ebc\u0ec8-\u0ecd"
)
_SYMBOLS = (
    "+%&~\\^|\\\\\u00a6\u00a7\u00a8\u00a9\u00ac\u00ae\u00af\u00b0-\u00ba\u00d7\u00f7\u0387\u05be\u05c0\u05c3\u05c6\u05f3\u05f4"
    "\u0600-\u0603\u0606-\u060a\u060c\u0614\u061b\u061e\u066a\u066d\u0703-\u070d\u07f6-\u07f8\u0964\u0965\u0e4f\u1fbd"
    "\u2016\u2017\u2020-\u2023\u2030-\u2038\u203b\u203e-\u2042\u2044\u207a-\u207f\u208a-\u208e\u2100-\u214f\u2190-\u2bff"
    "\u3012\u30fb\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"
)

NAMES: dict[str, str] = {
    "space": "[ \t\u00a0\u2000-\u200a\u3000]",
    "line": "(\r|\r?\n|[\u2028\u2029\v\f\u0085])",
    "gap": "(<space>|<line>)",
    "capital": "[<uppercase>]",
    "attribute": "[A-Za-z][A-Za-z0-9_:.\\-]*( *= *('[^']*'|\"[^\"]*\"))?",
    "tag": "\\<([!?][A-Za-z\\-][^>\r\n]*|[A-Za-z][A-Za-z0-9_:.\\-]*( +<attribute>)* */?|/[A-Za-z][A-Za-z0-9_:.\\-]*) *\\>",
    "end": "<gap>(<gap>|<capital>|<tag>)",
    "d": "([<digit>]|[\u07c0-\u07c9])",
    "number": "(<d>+|<d>*([.:,\u00ad\u066b\u066c]<d>+)+)",
    "letters": "([<letter>]|&[aeiouAEIOU](acute|grave|uml);|[" + _MARKS + "])",
    "word": "<letters>(<letters>|<d>)*([.!?]<letters>(<letters>|<d>)*)*",
    "alnum": "[<letter><digit>]",
    "apos": "(['\u0092\u2019]|&apos;)",
    "anyapos": "(<apos>|[`\u0091\u2018\u201b])",
    "aux": "<apos>([msdMSD]|re|ve|ll)",
    "not": "n<anyapos>t",
    "hyphen": "[-_\u058a\u2010\u2011]",
    "acronym": "([A-Za-z](\\.[A-Za-z])*|(Canada|Sino|Korean|EU|Japan|non)-U\\.S|U\\.S\\.-(U\\.K|U\\.S\\.S\\.R))",
    "dotted": "([A-Za-z](\\.[A-Za-z])+|(Canada|Sino|Korean|EU|Japan|non)-U\\.S|U\\.S\\.-(U\\.K|U\\.S\\.S\\.R))",
    "month": "(Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Sept|Oct|Nov|Dec)",
    "day": "(Mon|Tue|Tues|Wed|Thu|Thurs|Fri)",
    "state": "(Ala|Ariz|[A]z|[A]rk|Calif|Colo|Conn|Ct|Dak|[D]el|Fla|Ga|[I]ll|Ind|Kans?|Ky|[L]a|[M]ass|Md|Mich|Minn|[M]iss|Mo|Mont|Neb|Nev|Okla|[O]re|[P]a|Penn|Tenn|[T]ex|Va|Vt|[W]ash|Wisc?|Wyo)",
    "firm": "(Inc|Cos?|Corp|Pp?t[ye]s?|Ltd|Plc|Rt|Bancorp|Bhd|Assn|Univ|Intl|Sys)",
    "measure": "(tel|est|ext|sq)",
    "degree": "(Jr|Sr|Bros|(Ed|Ph)\\.D|Blvd|Rd|Esq)",
    "title": "(Mr|Mrs|Ms|[M]iss|Drs?|Profs?|Sens?|Reps?|Attys?|Lt|Col|Gen|Messrs|Govs?|Adm|Rev|Maj|Sgt|Cpl|Pvt|Mt|Capt|Ste?|Ave|Pres|Lieut|Hon|Brig|Co?mdr|Pfc|Spc|Supts?|Det|Ft|Adj|Adv|Asst|Assoc|Ens|Insp|Mlle|Mme|Msgr|Sfc)",
    "firm2": "(Invt|Elec|Natl|M[ft]g|Dept)",
    "abbr1": "(<month>|<day>|<state>|<firm>|<measure>|<degree>|etc|al|seq|Bldg)\\.",
    "abbr2": "([A-Za-z]|<title>|vs|Alex|Wm|Jos|Cie|a\\.k\\.a|cf|TREAS|Ph|<acronym>|<firm2>)",
    "extension": "(bat|bmp|c|class|cgi|cpp|dll|doc|docx|exe|gif|gz|h|htm|html|jar|java|jpeg|jpg|mov|mp3|pdf|php|pl|png|ppt|ps|py|sql|tar|txt|wav|x|xml|zip)",
    "inside": "[,;:\u3001]",
    "thing": "([dDoOlL]<anyapos><alnum>)?<alnum>+(<hyphen>([dDoOlL]<anyapos><alnum>)?<alnum>+)*",
    "joined": "[A-Z]+(([+&]|&amp;)[A-Z]+)+",
    "slashed": "[A-Za-z0-9]+(-[A-Za-z]+){0,2}(\\\\?/[A-Za-z0-9]+(-[A-Za-z]+){0,2}){1,2}",
    "hyphened": "[A-Za-z0-9][A-Za-z0-9.,\u00ad]*(-([A-Za-z0-9\u00ad]+|<dotted>\\.))+",
    "starter": "([A]|[A]bout|[A]ccording|[A]dditionally|[A]fter|[A]n|[A]s|[A]t|[B]ut|[E]arlier|[H]e|[H]er|[H]ere|[H]owever|[I]f|[I]n|[I]t|[L]ast|[M]any|[M]ore|[M]r\\.|[M]s\\.|[N]ow|[O]nce|[O]ne|[O]ther|[O]ur|[S]he|[S]ince|[S]o|[S]ome|[S]uch|[T]hat|[T]he|[T]heir|[T]hen|[T]here|[T]hese|[T]hey|[T]his|[W]e|[W]hen|[W]hile|[W]hat|[Y]et|[Y]ou|<tag>)",
}

RULES: tuple[Rule, ...] = (
    Rule(PLAIN, "cannot|'twas", back=3, apart=1),
    Rule(PLAIN, "'tis|gonna|gotta|lemme|gimme|wanna", back=2, apart=1),
    Rule(PLAIN, "c\\+\\+|(c|f)#"),
    Rule(SPACED, "<tag>"),
    Rule(DASH, "&(MD|mdash|ndash);|[\u0096\u0097\u2013-\u2015]"),
    Rule(AMPERSAND, "&amp;"),
    Rule(PLAIN, "&(HT|TL|UR|LR|QC|QL|QR|odq|cdq|#[0-9]+);"),
    Rule(WORD, "<word><aux>", BEFORE_APOSTROPHE),
    Rule(WORD, "[A-Za-z\u00ad]*[A-MO-Za-mo-z]\u00ad*<not>", BEFORE_NOT),
    Rule(WORD, "<word>"),
    Rule(
        PLAIN,
        "<apos>n<apos>?|[lLdDjJ]<apos>|Dunkin<apos>|somethin<apos>|ol<apos>|<apos>em|[A-HJ-XZn]<anyapos><letter>{2}<letter>*|<apos>[2-9]0s|<apos>till?|<letter><letter>*[aeiouyAEIOUY]<anyapos>[aeiouA-Z]<letter>*|<apos>cause|cont'd\\.?|nor'easter|c'mon|e'er|s'mores|ev'ry|li'l|nat'l|O<anyapos>o",
    ),
    Rule(PLAIN, "y<apos><letter>", 1),
    Rule(PLAIN, 'https?://[^ \t\n\f\r"<>|(){}]+[^ \t\n\f\r"<>|.!?(){},\\-]'),
    Rule(
        PLAIN,
        '((www\\.([^ \t\n\f\r"<>|.!?(){},]+\\.)+[a-zA-Z]{2,4})|(([^ \t\n\f\r"`\'<>|.!?(){},-_$]+\\.)+(com|net|org|edu)))(/[^ \t\n\f\r"<>|()]+[^ \t\n\f\r"<>|.!?(){},\\-])?',
    ),
    Rule(
        PLAIN,
        '(&lt;|\\<)?[a-zA-Z0-9][^ \t\n\f\r"<>|()\u00a0{}]*@([^ \t\n\f\r"<>|(){}.\u00a0]+\\.)*([^ \t\n\f\r"<>|(){}.\u00a0]+)(&gt;|\\>)?',
    ),
    Rule(PLAIN, "@[a-zA-Z_][a-zA-Z_0-9]*|#<letters>+"),
    Rule(CLOSING, "<aux>[^A-Za-z]", 1),
    Rule(CLOSING, "<not>[^A-Za-z]", 1),
    Rule(PLAIN, "<d>{1,2}[-/]<d>{1,2}[-/]<d>{2,4}"),
    Rule(WORD, "[-+]?<number>"),
    Rule(PLAIN, "[\u207a\u207b\u208a\u208b]?([\u2070\u00b9\u00b2\u00b3\u2074-\u2079]+|[\u2080-\u2089]+)"),
    Rule(SPACED, "(<d>{1,4}[- \u00a0])?<d>{1,4}(\\\\?/|\u2044)<d>{1,4}"),
    Rule(FRACTION, "[\u00bc\u00bd\u00be\u2153-\u215e]"),
    Rule(
        AMPERSAND, "-(RRB|LRB|RCB|LCB|RSB|LSB)-|C\\.D\\.s|pro-|anti-|S(&|&amp;)P-500|S(&|&amp;)Ls|Cap<apos>n|c<apos>est"
    ),
    Rule(PLAIN, "<slashed>"),
    Rule(PLAIN, "[A-Z]*$|#"),
    Rule(MONEY, "[\u00a2-\u00a5\u0080\u20a0\u20ac\u060b\u0e3f\u20a4\uffe0\uffe1\uffe5\uffe6]"),
    Rule(PLAIN, "<acronym>\\.<gap>+<starter><gap>", BEFORE_SPACE, back=1, apart=2),
    Rule(PLAIN, "(ca|figs?|prop|nos?|art|bldg|prop|pp|op)\\.<gap>?[<digit>]", BEFORE_DIGIT),
    Rule(PLAIN, "(pty|pte|co)\\.<space>(ltd|lim)", 4),
    Rule(PLAIN, "<abbr1><end>", BEFORE_SPACE, back=1),
    Rule(PLAIN, "<abbr1>[^][^]", 2),
    Rule(PLAIN, "<abbr1>", back=1),
    Rule(PLAIN, "<abbr2>\\."),
    Rule(PLAIN, "<abbr2><space>", 1),
    Rule(PLAIN, "<acronym><gap>", 1),
    Rule(PLAIN, "<apos>[0-9][0-9]<gap>", 1),
    Rule(PLAIN, "(<letters>|<d>)+(\\.(<letters>|<d>)+)*\\.<extension>(<gap>|[.?!,])", 1),
    Rule(WORD, "<word>\\.<inside>", 1),
    Rule(
        PHONE,
        "(\\([0-9]{2,3}\\)[ \u00a0]?|(\\+\\+?)?([0-9]{2,4}[- \u00a0])?[0-9]{2,4}[- \u00a0])[0-9]{3,4}[- \u00a0]?[0-9]{3,5}|((\\+\\+?)?[0-9]{2,4}\\.)?[0-9]{2,4}\\.[0-9]{3,4}\\.[0-9]{3,5}",
    ),
    Rule(SMILEY, "[\\<\\>]?[:;=][\\-o*']?[()DPdpO\\\\{@|\\[\\]][^A-Za-z0-9]", 1),
    Rule(
        SMILEY,
        "[\\^x=~\\<\\>]\\.\\[\\^x=[^\\<]*\\<\\>\\]|[\\-\\^x=~\\<\\>']_[\\-\\^x=~\\<\\>']|\\([\\-\\^x=~\\<\\>'][_.]?[\\-\\^x=~\\<\\>']\\)|\\([\\^x=~\\<\\>']-[\\^x=~\\<\\>'`]\\)",
    ),
    Rule(OPENING, '("|&quot;)[A-Za-z0-9$]', 1),
    Rule(CLOSING, '"|&quot;'),
    Rule(SKIP, "\u007f"),
    Rule(LESS, "\\<|&lt;"),
    Rule(MORE, "\\>|&gt;"),
    Rule(BRACKET, "[\\]\\[{}()]"),
    Rule(HYPHENS, "-+"),
    Rule(DOTS, "\\.{3,5}|(\\.[ \u00a0]){2,4}\\.|[\u0085\u2026]"),
    Rule(PLAIN, "@+|#+|_+"),
    Rule(PLAIN, "\\*+|(\\\\\\*){1,3}"),
    Rule(PLAIN, "<inside>"),
    Rule(PLAIN, "[?!]+"),
    Rule(PLAIN, "[.\u00a1\u00bf\u037e\u0589\u061f\u06d4\u0700-\u0702\u07fa\u3002]"),
    Rule(PLAIN, "="),
    Rule(PLAIN, "/"),
    Rule(WORD, "<hyphened>\\.<inside>", 1),
    Rule(WORD, "<hyphened>"),
    Rule(PLAIN, "<thing>\\.<inside>", 1),
    Rule(PLAIN, "<thing>"),
    Rule(AMPERSAND, "<joined>\\.<inside>", 1),
    Rule(AMPERSAND, "<joined>"),
    Rule(OPENING, "'[A-Za-z][^ \t\n\r\u00a0]", 2),
    Rule(CLOSING, "<aux>|<not>"),
    Rule(
        CLOSING,
        "<apos>|''|[`\u2018\u2019\u201a\u201b\u201c\u201d\u0091-\u0094\u201e\u201f\u2039\u203a\u00ab\u00bb]{1,2}",
    ),
    Rule(PLAIN, "\\<\\<|\\>\\>"),
    Rule(PLAIN, "[" + _SYMBOLS + "]"),
    Rule(SKIP, "\u0000|<space>+|[\u200b\u200e\u200f\ufeff]"),
    Rule(SKIP, "<line>"),
    Rule(SKIP, "&nbsp;"),
)
