"""Which words, letters and patterns the analyser goes by: its tables, apart from its code.

A change here changes what is indexed, so the analyser's version is made from these values.
"""

# English words that say nothing alone; asked for only when a question holds nothing else. Spelled
# as the analyser folds them, contractions with `not` without their apostrophe. Left out on purpose:
# `us`, `ill`, `id`, `may` and others that are also names or words of their own.
_STOP_WORDS = """
a about above after again against all also am an and any are arent as at be because been before being
below between both but by can cannot cant could couldnt did didnt do does doesnt doing dont down during
each few for from further had hadnt has hasnt have havent having he her here hers herself him himself
his how i if im in into is isnt it its itself ive just let me more most my myself no nor not of off on
once only or other our ours ourselves out over own please same shall she should shouldnt so some such
than that thats the their theirs them themselves then there theres these they theyre theyve this those
through to too under until up upon very was wasnt we were werent weve what when where which while who
whom whose why will with wont would wouldnt you your youre yours yourself yourselves youve
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())

# Letters that differ from another only by habit of writing, and do not decompose into it.
LETTERS = str.maketrans(
    {
        # Latin letters with a stroke, ligatures, dotless i.
        "đ": "d", "Đ": "D", "ð": "d", "Ð": "D", "ħ": "h", "Ħ": "H", "ı": "i", "ł": "l", "Ł": "L",
        "ø": "o", "Ø": "O", "ŧ": "t", "Ŧ": "T", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE",
        "þ": "th", "Þ": "TH", "ß": "ss", "ẞ": "SS",
        # Arabic: alef wasla, alef maksura, Persian yeh and kaf, teh marbuta; tatweel is no letter.
        "ٱ": "ا", "ى": "ي", "ی": "ي", "ک": "ك", "ة": "ه", "ـ": None,
        # Apostrophes, hyphens and the fraction slash as ASCII writes them.
        "’": "'", "‘": "'", "ʼ": "'", "＇": "'", "‐": "-", "‑": "-", "−": "-", "⁄": "/",
    }
)  # fmt: skip

# Marks that readers of the script leave out or add at will: Latin, Greek and Cyrillic accents after
# their letter; Hebrew points; Arabic vowel signs, hamza and Koranic marks.
OPTIONAL_MARKS = (
    r"(?<=[\p{Latin}\p{Greek}\p{Cyrillic}])\p{Mn}+"
    r"|[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7]+"
    r"|[\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed]+"
)

# Scripts written without spaces. A character says much in the first, little in the second.
DENSE = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Bopomofo}\p{Hangul}\p{Yi}ー"
UNSPACED = r"\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tai_Tham}\p{Javanese}\p{Tibetan}"

# What holds the parts of an identifier together; nothing else of ASCII punctuation enters a term.
GLUE = r"(?:://|::|[.\-'/:@#+&])"
_THOUSANDS = (
    r"(?P<number>(?<![0-9A-Za-z_.,])[0-9]{{1,3}}(?:,[0-9]{{3}})+(?:\.[0-9]+)?(?![0-9A-Za-z_]|[.,][0-9]))"
)
_CHUNK = r"(?P<chunk>(?:(?<![\w.#])[.#])?{first}{rest}*(?:" + GLUE + r"{first}{rest}*)*[+#]{{0,2}})"

ASCII_TOKEN = (_THOUSANDS + "|" + _CHUNK).format(first="[A-Za-z0-9_]", rest="[A-Za-z0-9_]")
# For the `regex` package, version 1 behaviour (sets can be subtracted).
TOKEN = (
    rf"(?P<dense>[{DENSE}]+)"
    rf"|(?P<unspaced>[{UNSPACED}]+)"
    r"|(?P<symbol>\p{Regional_Indicator}{2}|(?P<repeated>\p{Extended_Pictographic}|[\p{S}--\p{ASCII}--\p{Sk}--\p{Emoji_Modifier}])(?P=repeated)*)"
    "|"
    + (_THOUSANDS + "|" + _CHUNK).format(
        first=rf"[[\p{{L}}\p{{N}}_]--[{DENSE}{UNSPACED}]]",
        rest=rf"[[\p{{L}}\p{{M}}\p{{N}}_]--[{DENSE}{UNSPACED}]]",
    )
)
