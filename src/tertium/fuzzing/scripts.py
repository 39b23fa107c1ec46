"""
Hold what texts are invented of: words of many scripts, marks, white space, numbers, punctuation and single characters.

Each list is there for something that implementations do differently: how they cut words and characters, fold case, stem,
look synonyms up, read markup, or take white space.
"""

from __future__ import annotations

from collections.abc import Mapping


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split(" "))


WORDS: Mapping[str, tuple[str, ...]] = {
    "english": _words(
        "the The THE a A cat cats sat on mat in of is was it not over dog dogs quick house old new we They said "
        "that no yes very one two"
    ),
    "inflected": _words(
        "run running runs ran fly flies flying dying dies skies sky news ads relational conditional hopping "
        "hoping agreed plastered sensibility generously yes happy happily children child better good went gone "
        "geese analyses axes us"
    ),
    "synonyms": _words(
        "car automobile auto machine big large great quick fast speedy movie film picture begin start commence "
        "buy purchase kid child sick ill home place"
    ),
    "contractions": _words(
        "don't can't won't I'm it's they've we'll John's dogs' cannot gonna gimme 'tis o'clock rock'n'roll DON'T "
        "isn’t l’homme d'accord wanna lemme more'n y'all"
    ),
    "latin": _words(
        "café cafe\u0301 naïve naı\u0308ve Straße strasse STRASSE ß ẞ Ångström A\u030angstro\u0308m œuvre æ "
        "İstanbul istanbul ıi Iı ﬁne ﬀ ĳ ǆ ŉ ſ Žluťoučký Việt ệ ø"
    ),
    "cyrillic": _words("дом Дом дома ЁЛКА елка и\u0306 й Їжак съезд Ѳ не в на горе"),
    "greek": _words("ΟΔΟΣ οδος οδός ὁ λόγος Σ ς σ ΐ ᾳ Ω Ω και"),
    "hebrew": _words("שלום ש\u05b8\u05c1לו\u05b9ם עולם לעולם ירושלים ש\u05c1 שׁ א״ב"),
    "arabic": _words("سلام س\u064eل\u064eام العربية كتاب ك\u0650ت\u064eاب\u064c ﻻ لا می\u200cخواهم ـ ٣٫١٤ ؟ ،"),
    "devanagari": _words("नमस्ते दुनिया हिन्दी हिंदी क्ष क्\u200dष ज़ ज़ १२ ।"),
    "indic": _words("வணக்கம் நி বাংলা ক্ষ తెలుగు ಕನ್ನಡ മലയാളം ൻ සිංහල"),
    "southeast": _words("สวัสดี กำ น้ำ ภาษาไทย ສະບາຍດີ ខ្មែរ មាន မြန်မာ བོད་སྐད ་"),
    "chinese": _words("猫 我 喜欢 中文 中文。 ， 你好 世界 一 十二 臺灣 台湾 鿿 𠀀 《书》"),
    "japanese": _words("猫 が か\u3099 好き です カ\u3099 ガ ｶﾞ ー 東京 々 。 、 「はい」 ゟ"),
    "korean": _words("한국어 고양이 를 한 한 ㅎ 조선말 가 가"),
    "emoji": _words("🙂 👩\u200d👧 👩 👍🏽 👍 🇫🇷 🇫 ❤\ufe0f ❤ 1\ufe0f\u20e3 ☺ © ™ € →"),
    "letterlike": _words("𝐀𝐁 ＡＢＣ １２３ ⅷ Ⅷ ª ℌ ① ½ ² ㎏ 𐐨 𐐀 Ꭰ ꭰ ა Ა"),
}
"""Script, or what words have in common, to words of it."""

NUMBERS = _words(
    "0 1 3 10 007 3.5 3,5 1,000 1.000.000 1,000.50 -1 +1 1e5 12:30 7.30 5% $5 $5.00 €3,50 1/2 2nd 1990s '90s 3-4 "
    "1.2.3 .5 5. 5, x2 v13a B2B ٣ १"
)

PUNCTUATION = _words(
    ". , ! ? ; : ... … - -- – — _ ' '' \" ` `` “ ” ‘ ’ « » ( ) [ ] { } < > / \\ | || ||| & @ # % ^ * + = ~ $ 。 、 "
    "！ ？ ・ ¿ ¡ † § ° · ׳ ، । ॥ ！？ ?! -. .'"
)

GLUED = _words(
    "U.S. U.S.A. e.g. Mr. Mr Inc. a.m. I. A.B x-y well-known x--y and/or AT&T &amp; &quot; &lt; &gt; &apos; &#39; "
    "&nbsp; &amp;amp; <skipped> <unk> <b> </s> -LRB- -RRB- @-@ ##ing ▁the C++ #tag @user a@b.cc "
    "http://a.bc/d?e=f&g www.a.com \\n a_b a.b a,b (a) [UNK] {x} it.It end.Next a!b 1st. A1 No.5 %s 100%. a;b"
)

INVISIBLE = _words(
    "\u200b \u200c \u200d \u200e \u200f \u202e \u2060 \u2066 \ufeff \xad \u034f \u061c \x00 \x01 \x07 \x08 \x1b "
    "\x7f \x80 \x9f \ufff9 ￼ � \uffff \ue000 \u180e ᅟ ㅤ \U000e0001 \U000e0041 \U0010ffff"
)

MARKS = _words(
    "\u0300 \u0301 \u0302 \u0307 \u0308 \u030a \u0323 \u0327 \u0345 \u035c \u0489 \u05b8 \u064b \u0651 \u093c "
    "\u094d ำ \u0f71 ᅡ \u20dd \u3099 \ufe0f"
)

SPACES: tuple[str, ...] = (
    " ",
    "  ",
    "   ",
    " \n ",
    "\n\n",
    "\r\n",
    *"\t\n\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u2003\u2007\u2009\u200a\u2028\u2029\u202f\u205f\u3000",
)

BLANKS: tuple[str, ...] = ("", "", "", " ", "  ", *"\n\t\xa0\u3000\u200b\x00.,-_", "...")

FEW: tuple[tuple[str, ...], ...] = (
    ("a", "b"),
    ("a", "b", "c"),
    ("a",),
    ("x", "y", "X"),
    ("the", "cat", "the cat"),
    ("0", "1"),
    ("ab", "ba", "a"),
    ("ä", "a\u0308", "a"),
    ("猫", "犬"),
    ("a", "a.", "."),
    ("running", "runs", "run"),
    ("w1", "w2", "w3", "w4", "w5"),
)
"""Short vocabularies, for repeats and ties."""
