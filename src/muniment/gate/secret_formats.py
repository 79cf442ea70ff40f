"""By which shape is a secret known?  Formats with a fixed prefix, and names that a secret is given to."""

from typing import NamedTuple


class Format(NamedTuple):
    """Hold one kind of secret: its literal signs, case and all, and the pattern that proves it."""

    kind: str
    signs: tuple[str, ...]
    pattern: str


_START = r"(?<![A-Za-z0-9_\-/+])"
_END = r"(?![A-Za-z0-9_\-])"

FORMATS: tuple[Format, ...] = (
    Format(
        "private key",
        ("PRIVATE KEY", "PuTTY-User-Key-File", "AGE-SECRET-KEY-1"),
        r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
        r"(?:[^-]{0,20000}-----END (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----)?"
        r"|PuTTY-User-Key-File-\d|AGE-SECRET-KEY-1[A-Z0-9]{20,80}",
    ),
    Format("AWS access key", ("AKIA", "ASIA"), rf"{_START}(?:AKIA|ASIA)[A-Z2-7]{{16}}{_END}"),
    Format(
        "GitHub token",
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
        rf"{_START}(?:gh[pousr]_[A-Za-z0-9]{{30,255}}|github_pat_[A-Za-z0-9_]{{22,255}}){_END}",
    ),
    Format("GitLab token", ("glpat-",), rf"{_START}glpat-[\w\-]{{20,64}}"),
    Format(
        "Slack token",
        ("xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxe", "hooks.slack.com/services/"),
        rf"{_START}xox[abeprs](?:\.xox[bp])?-[\w\-]{{10,250}}"
        rf"|hooks\.slack\.com/services/T\w{{6,12}}/B\w{{6,12}}/\w{{20,30}}",
    ),
    Format(
        "Stripe key",
        ("sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_"),
        rf"{_START}(?:(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{{16,250}}|whsec_[A-Za-z0-9+/=]{{24,80}})",
    ),
    Format(
        "AI provider key",
        ("sk-", "gsk_", "hf_", "r8_", "xai-", "pplx-"),
        rf"{_START}(?:sk-(?:ant-|proj-|svcacct-|admin-|or-|live-"
        rf"|test-)?(?=[A-Za-z0-9_\-]{{0,40}}\d)[A-Za-z0-9_\-]{{14,250}}"
        rf"|gsk_[A-Za-z0-9]{{30,80}}|hf_[A-Za-z0-9]{{30,60}}|r8_[A-Za-z0-9]{{30,60}}|(?:xai"
        rf"|pplx)-[A-Za-z0-9]{{40,100}}){_END}",
    ),
    Format(
        "Google key",
        ("AIza", "ya29.", "GOCSPX-"),
        rf"{_START}(?:AIza[A-Za-z0-9_\-]{{35}}|ya29\.[A-Za-z0-9_\-]{{20,500}}|GOCSPX-[A-Za-z0-9_\-]{{28}})",
    ),
    Format(
        "package registry token",
        ("npm_", "pypi-AgE", "dckr_pat_", "rubygems_"),
        rf"{_START}(?:npm_[A-Za-z0-9]{{36}}|pypi-AgE[A-Za-z0-9_\-]{{50,500}}"
        rf"|dckr_pat_[A-Za-z0-9_\-]{{20,60}}|rubygems_[0-9a-f]{{48}})",
    ),
    Format(
        "service token",
        (
            "SG.",
            "dop_v1_",
            "shpat_",
            "shpss_",
            "lin_api_",
            "ntn_",
            "figd_",
            "hvs.",
            "dapi",
            "NRAK-",
            "PMAK-",
            "glsa_",
            "sntrys_",
            "sbp_",
            "pscale_",
            "sq0",
            "xkeysib-",
            "dp.pt.",
            "key-live-",
            "FlyV1 ",
            "EAACEdEose0cBA",
        ),
        rf"{_START}(?:SG\.[\w\-]{{20,24}}\.[\w\-]{{39,50}}|dop_v1_[0-9a-f]{{64}}|shp(?:at"
        rf"|ss)_[0-9a-fA-F]{{32}}|lin_api_[A-Za-z0-9]{{32,48}}"
        r"|ntn_[A-Za-z0-9]{40,50}|figd_[\w\-]{36,50}|hvs\.[\w\-]{24,120}|dapi[0-9a-f]{32}"
        r"|NRAK-[A-Z0-9]{27}|PMAK-[0-9a-f]{24}-[0-9a-f]{34}"
        r"|glsa_[A-Za-z0-9]{32}_[0-9a-f]{8}|sntrys_[\w=+/\-]{40,400}|sbp_[0-9a-f]{40}|pscale_(?:tkn|pw"
        r"|oauth)_[\w\-.]{32,64}"
        r"|sq0(?:atp|csp)-[\w\-]{22,43}|xkeysib-[0-9a-f]{64}-\w{16}|dp\.pt\.[A-Za-z0-9]{40,44}"
        r"|FlyV1 fm\w_[\w+/=,\-]{40,400})",
    ),
    Format(
        "key of Muniment",
        ("mun_",),
        rf"{_START}mun_[a-z]{{1,12}}_[0-9A-Za-z]{{8,24}}_[0-9A-Za-z]{{43}}_[0-9A-Za-z]{{6}}{_END}",
    ),
    Format(
        "authorization header",
        ("uthorization", "UTHORIZATION"),
        r"(?i:authorization)[\"']?[ \t]{0,4}[:=][ \t]{0,4}[\"']?(?i:bearer|basic|token)[ \t]{1,4}"
        r"(?=[^\s\"']{0,500}\d)[A-Za-z0-9\-._~+/]{16,4000}={0,2}",
    ),
    Format(
        "Discord webhook",
        ("discord.com/api/webhooks/", "discordapp.com/api/webhooks/"),
        r"discord(?:app)?\.com/api/webhooks/\d{15,21}/[\w\-]{60,80}",
    ),
    Format("Telegram bot token", (":AA",), r"(?<!\d)\d{8,10}:AA[\w\-]{33}(?![\w\-])"),
    Format(
        "cloud storage key",
        ("AccountKey=", "SharedAccessKey=", "sig="),
        r"\b(?:AccountKey|SharedAccessKey)=[A-Za-z0-9+/=]{40,100}|[?&]sig=[A-Za-z0-9%+/=]{40,120}",
    ),
)
"""Secrets with a shape of their own."""

PLACEHOLDERS = (
    "example", "changeme", "change_me", "your", "placeholder", "redacted", "masked", "dummy", "xxxx",
    "****", "....", "…", "none", "null", "true", "false", "undefined", "required", "optional",
    "process.env", "import.meta", "os.environ", "getenv", "secrets.", "vault:", "env(", "env.", "<",
    "${", "{{", "%(", "$(", "[erased", "insert", "string",
)  # fmt: skip
"""What stands where a secret would, in lower case: an answer that begins with or holds one is none."""

NAMES = (
    r"(?:[A-Za-z][A-Za-z0-9]*[_.\-]){0,6}(?:[A-Za-z0-9]*[a-z0-9](?=[A-Z]))?"
    r"(?i:secret|secret[_\-]?key|password|passwd|passphrase|pwd|passcode|token|api[_\- ]?key"
    r"|access[_\-]?key|auth[_\-]?key|private[_\-]?key"
    r"|signing[_\-]?key|encryption[_\-]?key|client[_\-]?secret|credentials?)"
)
"""Names whose last word says that what is given to them is a secret; `token_budget` is none."""

WORDS_ABROAD = (
    "passwort", "kennwort", "passord", "adgangskode", "lösenord", "salasana", "wachtwoord", "mot de passe",
    "contraseña", "contrasena", "senha", "parola d'ordine", "hasło", "haslo", "şifre", "sifre", "пароль",
    "密码", "密碼", "口令", "パスワード", "비밀번호", "암호",
)  # fmt: skip
"""What a password is called in other languages, in lower case."""

VERBS_ABROAD = (
    "is", "ist", "lautet", "er", "är", "on", "est", "es", "é", "è", "to", "jest", "to jest", "это", "—", "–",
)  # fmt: skip
"""How these languages say what it is, in words that stand alone."""

SIGNS_ABROAD = ("是", "为", "為", "は", "는", "은")
"""The same, without a space before."""

NAME_SIGNS = (
    *("secret", "passw", "passphrase", "pwd", "passcode", "token", "key", "credential"),
    *WORDS_ABROAD,
)
"""Words, in lower case, without which no name calls anything a secret."""
