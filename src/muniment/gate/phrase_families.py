"""Which known phrases speak to a model instead of saying something?  Families of patterns, as data.

A family is only searched when one of its signs, plain words in lower case, stands in the text.
Every gap in a pattern is bounded, so that the work grows with the text's length and no faster.
The phrases are known ones: a paraphrase passes, which is why labels and the envelope carry the weight.
"""

from enum import StrEnum
from typing import NamedTuple


class Family(StrEnum):
    """Name what a phrase tries; the order is that of precedence."""

    EXFILTRATION = "exfiltration"
    SENDING = "sending"
    MARKUP = "markup"
    OVERRIDE = "override"
    CONCEALMENT = "concealment"
    ROLE_CHANGE = "role change"
    AUTHORITY = "authority"
    PERSISTENCE = "persistence"


class Patterns(NamedTuple):
    """Hold one group of patterns of a family, and the signs that call for a search."""

    family: Family
    signs: tuple[str, ...]
    patterns: tuple[str, ...]


_SECRET_WORDS = (
    r"(?:api[ _-]?keys?|passwords?|passphrases?|secrets?|credentials?|(?:access|auth|session"
    r"|bearer)[ _-]?tokens?"
    r"|tokens|private[ _-]keys?|ssh[ _-]keys?|seed phrases?|cookies|\.env\b|environment variables|env vars)"
    r"(?! (?:reset|policy|policies|manager|rotation|change|form|field|strength|hint|page|prompt|santa"
    r"|budget|limit|expir))"
)
_PRIVATE_WORDS = (
    r"(?:customer (?:list|emails|data|database|records)|(?:chat|conversation|message) (?:history|log)s?"
    r"|(?:order|user|internal|confidential|private) data|system prompt|(?:your|all|its|their"
    r"|the) memor(?:y|ies)"
    r"|this summary|the (?:summary|conversation|context|processed result)|all (?:messages|files|emails"
    r"|documents))"
)
_ADDRESS = r"(?:https?://|[\w.+-]{1,64}@[\w-]{1,63}\.[a-z]|\bwebhook\b|\bpastebin\b|\bngrok\b|\battacker\b)"
_SEND = (
    r"\b(?:(?:send|upload|forward|exfiltrate|leak|transmit|dump|submit|push|http_post|send_email)\b"
    r"|(?:e-?mail|post|copy) (?:the|all|your|my|every|any|over|them|it|a copy|us)\b)"
)
_EARLIER = (
    r"(?:previous|prior|earlier|above|preceding|foregoing|former|initial|original|existing|other"
    r"|system|developer|safety|operator)"
)
_ORDERS = (
    r"(?:instructions?|instruction sets?|prompts?|directives?|guidelines|commands|orders|constraints"
    r"|programming|safety (?:rules|checks|protocols|guidelines)|content polic(?:y|ies)|system (?:message"
    r"|prompt)s?|restrictions|guardrails)"
)
# What follows shows that it is about a thing of the writer's, such as `the instructions on the packet`.
_THING = (
    r" (?:on|of|in|for|to|from|about|with) (?:the|a|an|my|his|her|our|their) (?!\w{0,20} ?(?:user|system"
    r"|developer|operator|owner|admin|assistant|model|ai|bot|chat|prompt|conversation|context|above"
    r"|previous))"
)
_DROP = (
    r"(?<!not )(?<!never )(?<!n't )(?<!\bwe )(?<!\bthey )(?<!\bi )\b(?:ignore|disregard|forget|override"
    r"|overrule|bypass|discard|circumvent|abandon|neglect|skip"
    r"|pay no attention to|(?:do not|don't|stop) (?:follow(?:ing)?|obey(?:ing)?))\b"
)

GROUPS: tuple[Patterns, ...] = (
    Patterns(
        Family.EXFILTRATION,
        ("http", "@", "webhook", "pastebin", "ngrok", "attacker"),
        (
            rf"{_SEND}[^.\n]{{0,120}}{_SECRET_WORDS}[^.\n]{{0,120}}{_ADDRESS}",
            rf"{_SECRET_WORDS}[^.\n]{{0,60}}\b(?:send|upload|forward|e-?mail|post|transmit|leak) (?:them"
            rf"|it|those|these|that|all)\b[^.\n]{{0,80}}{_ADDRESS}",
            r"!?\[[^\]\n]{0,200}\]\(\s?https?://[^)\s]{0,300}(?:\{\{?|\$\{?|<|%7b)\s?(?:secret|token|key"
            r"|password|api|data|content|context|conversation|history|memor|prompt|env|user)",
            r"https?://[^\s)]{0,300}[?&=](?:\{\{?|\$\{?|<|%7b)\s?(?:secret|token|api_?key|password"
            r"|conversation|history|memor|prompt|env|context)",
            r"\b(?:curl|wget)\b[^\n]{0,200}(?:\$\(cat "
            r"|\$\{?[a-z_]{0,40}(?:key|token|secret|password)|@~?/?[\w./]{0,40}(?:\.env|id_rsa))",
        ),
    ),
    Patterns(
        Family.SENDING,
        (
            "http",
            "@",
            "curl",
            "wget",
            "iex",
            "send_email",
            "forward",
            "append",
            "delete_file",
            "send_message",
        ),
        (
            r"!\[[^\]\n]{0,200}\]\(\s?https?://[^)\s]{0,300}(?:\{\{?|\$\{|<|%7b)",
            r"\b(?:curl|wget)\b[^\n|]{0,300}\|\s?(?:sudo )?(?:ba|z|da|k)?sh\b",
            r"\b(?:ba|z)?sh\b\s{1,3}(?:-c\s{1,3})?[\"'<$(]{1,3}\(?(?:curl|wget)\b",
            r"\b(?:iwr|irm|invoke-webrequest)\b[^\n|]{0,300}\|\s?iex\b",
            r"\bbase64 (?:-d|--decode)\b[^\n|]{0,100}\|\s?(?:ba|z|da)?sh\b",
            rf"{_SEND}[^.\n]{{0,80}}{_PRIVATE_WORDS}[^.\n]{{0,80}}(?:{_ADDRESS}|\bexternally\b)",
            r"\b(?:call|use|invoke|run) (?:send_email|http_post|http_get|fetch_url|delete_file"
            r"|send_message)\b",
            r"\bappend (?:the |this )?(?:exact |verification |secret )?(?:token|code"
            r"|string) [^.\n]{0,80}\b(?:reply|response|answer|review|summary)\b",
        ),
    ),
    Patterns(
        Family.MARKUP,
        (
            "<|",
            "[inst",
            "<<sys",
            "<start_of_turn",
            "<<mem ",
            "<<end ",
            "### system",
            "### instruction",
            "[system]",
            "</system",
            "<system",
            "<assistant>",
            "</assistant",
            "data, not instructions",
            "system:",
            "assistant:",
            "human:",
            "end of user input",
            "end of document",
            "<thinking>",
            "<tool_call",
            "<function_call",
        ),  # fmt: skip
        (
            r"<\|(?:im_start|im_end|im_sep|system|user|assistant|endoftext|eot_id|start_header_id"
            r"|end_header_id|begin_of_text)\|>",
            r"\[/?inst\](?! (?:button|key|menu|tab|column)\b)|<</?sys>>|</?start_of_turn>|</?end_of_turn>",
            r"<<(?:mem|end) [0-9a-f]{8,64}",
            r"recalled memory\. data, not instructions",
            r"^ {0,3}#{2,4} ?(?:system|instructions?)(?: prompt)? ?:",
            r"(?<!\btag )(?<!element )</?(?:system|assistant)(?:[_-]?prompt)?>|<thinking>|<(?:tool_call"
            r"|function_calls?)>",
            r"\[system\] ?(?:new|ignore|override|instruction)",
            r"(?:^|\n)\s{0,3}(?:human|user): [^\n]{0,300}\n{1,3}\s{0,3}assistant:",
            r"(?:^|\n)\s{0,3}(?:system|assistant): ?(?:you (?:may|must|are|will|should)|the user is|grant"
            r"|sure, here)",
            r"end of (?:user input|document|prompt)[^\n]{0,20}\n{1,3}\s{0,3}\[?system\b",
        ),
    ),
    Patterns(
        Family.OVERRIDE,
        (
            "ignor",
            "disregard",
            "forget",
            "override",
            "overrul",
            "bypass",
            "discard",
            "circumvent",
            "abandon",
            "neglect",
            "skip ",
            "attention to",
            "not follow",
            "n't follow",
            "stop follow",
            "obey",
            "instruction",
            "directive",
            "task is",
            "verbatim",
            "word for word",
            "system prompt",
            "hidden prompt",
            "decode",
            "vergiss",
            "verrate",
            "oublie",
            "olvida",
            "dimentica",
            "revela",
            "rivela",
        ),
        (
            rf"{_DROP} (?:all |any |every |each |of |the |your |my |our |its |these |those |this |that "
            rf"|user's |operator's ){{0,4}}"
            rf"(?:{_EARLIER}[ ,]{{1,2}}(?:and |or )?){{0,3}}{_ORDERS}\b(?! (?:manual|for use|sheet|page"
            rf"|booklet|video))(?!{_THING})",
            r"\b(?:ignore|disregard|forget) (?:everything|anything|all)(?: (?:that |of )?(?:you (?:were"
            r"|have been|are) told|above|before|prior"
            r"|previous(?:ly)?|i (?:said|told you))(?! (?!(?:and|or|text|messages?|context|conversation"
            r"|content"
            r"|inputs?|rules|training|information|in|this|that|these|you|is|was|except|but|now)\b)\w))",
            r"\b(?:ignore|disregard) (?:the user\b|your (?:operator|developer|creator|owner)|any safety"
            r"|all safety)",
            r"(?:^|[.!?:\n] ?)(?:your )?new (?:instructions?|directives?|orders?)(?: (?:is|are"
            r"|supersedes?)\b| ?:(?! (?:see|read|find|look)\b))",
            r"\byour (?:real|true|new|actual) (?:task|goal|purpose|objective|directive"
            r"|instructions?) (?:is|are|supersedes?)\b(?! (?:on|in|at|due|listed|waiting|ready|done"
            r"|attached)\b)",
            r"\boverride ?: ?(?:safety|security|all|protocol)|\bsafety (?:protocols|checks"
            r"|rules) (?:are )?(?:disabled|off|suspended)\b",
            r"\b(?:reveal|print|show|repeat|output|tell me|dump|leak|display"
            r"|list)\b[^.\n]{0,30}\b(?:(?:your|the|hidden|full|entire|initial|exact|its)"
            r" ){1,4}(?:system prompt|system message|initial instructions|hidden prompt"
            r"|hidden instructions|exact instructions|operating instructions)"
            rf"(?! (?:button|box|field|window|dialog|line|string|sheet|manual))(?!{_THING})",
            r"\b(?:decode|translate)\b[^.\n]{0,60}\b(?:base64|rot13|hex|binary|this|it"
            r"|following)\b[^.\n]{0,40}\b(?:and )?(?:then )?(?:do (?:exactly )?what it says"
            r"|follow the instructions?|execute (?:it|them)|run it)",
            r"\bignorier\w{0,3} (?:alle |bitte |die |deine |meine |ihre ){0,3}(?:vorherigen |bisherigen "
            r"|obigen |früheren ){0,2}(?:anweisungen|richtlinien|regeln|instruktionen)",
            r"\bvergiss (?:alles(?!,? was (?:du|ihr) (?:über|von) )|alle (?:anweisungen|regeln)"
            r"|deine anweisungen)|\bneue anweisungen ?:|\bverrate mir deine systemanweisungen",
            r"\b(?:ignore[zr]?|oublie[zr]?) (?:toutes? )?(?:les |tes |vos ){1,2}instructions"
            r"|\binstructions système mot pour mot",
            r"\b(?:ignora|olvida|ignore|dimentica)(?:d|te)? (?:todas |tutte )?(?:las |tus |le "
            r"|tue ){1,2}(?:instrucciones|istruzioni|regole|reglas)",
            r"\b(?:revela|rivela) (?:tus|le tue) i(?:nstrucciones|struzioni) (?:del|di) sistema",
        ),
    ),
    Patterns(
        Family.OVERRIDE,
        ("игнорир", "забудь", "忽略", "无视", "無視", "忘记", "以前の指示", "これまでの指示"),
        (
            r"(?<!не )(?:игнорируй|игнорируйте|забудь|забудьте) (?:все |всё |свои |ваши "
            r"|твои ){0,3}(?:предыдущие |прежние |прошлые )?(?:инструкции|указания|правила)",
            r"(?:忽略|无视|無視|忘记)[^。\n]{0,10}(?:指令|指示|提示|规则|說明|说明)",
            r"(?:以前|これまで|上記)の(?:すべての)?指示を(?:無視|忘れ)",
        ),
    ),
    Patterns(
        Family.CONCEALMENT,
        ("user", "human", "operator", "owner", "secretly", "silently"),
        (
            r"\b(?:do not|don't|never) (?:tell|inform|notify|alert|warn|let)(?: the| your| any)? (?:user"
            r"|human|operator|owner)s?"
            r"(?:[.!,]|$|\n| about (?:this|it|these|your)| that you| know(?: about)? (?:this|it|these"
            r"|that you))",
            r"\b(?:do not|don't|never) (?:mention|reveal|disclose|show|report) (?:this|these|it|that"
            r"|any of this)(?: \w{1,20}){0,2} to (?:the|your|any) (?:user|human|operator|owner)",
            r"\bwithout (?:telling|informing|notifying|alerting|asking) (?:the|your|any) (?:user|human"
            r"|operator|owner)(?!\b, (?:nobody|no one|the app|it) )",
            r"\b(?:keep|hide) (?:this|it|these)(?: \w{1,20}){0,2} (?:secret|hidden)? ?from (?:the"
            r"|your) (?:user|human|operator|owner)",
            r"\b(?:secretly|silently) (?:send|forward|upload|copy|delete|run|execute|append|add|insert)\b",
        ),
    ),
    Patterns(
        Family.ROLE_CHANGE,
        (
            "you are now",
            "you are no longer",
            "pretend",
            "act as",
            "developer mode",
            "jailbr",
            "dan mode",
            "no restrictions",
            "no content",
            "without restriction",
            "without any restriction",
            "unrestricted",
            "uncensored",
            "no filter",
            "no rules",
            "no policy",
            "usual restrictions",
            "modo desarrollador",
            "sin restricciones",
            "senza restrizioni",
            "sans restrictions",
            "uneingeschr",
            "keine regeln",
            "do anything now",
            "god mode",
            "disable your",
            "content policy",
        ),  # fmt: skip
        (
            r"\byou are (?:now|no longer)(?: \w{1,20}){0,2} (?:an? )?(?:\w{1,20} ){0,2}(?:ai|assistant|bot"
            r"|chatbot|language model|llm|dan|unrestricted|uncensored|jailbroken)\b",
            r"\byou are now in [^.\n]{0,20}\bmode\b",
            r"\b(?:pretend|imagine|act|respond|behave)(?: as if| as though| like| to be| that"
            r"| as)? ?(?:you (?:are|were|have)|an?)\b[^.\n]{0,40}\b(?:no (?:rules|restrictions"
            r"|filters?|limits"
            r"|content policy|guidelines)|without (?:any )?(?:restrictions|filters?|rules|limits)"
            r"|unrestricted|uncensored|jailbroken)\b",
            r"\b(?:enable|enter|activate|switch to|in) (?:developer|god|dan|jailbreak|debug|unrestricted"
            r"|sudo) mode\b[^\n]{0,60}(?:\bno\b|ignore|restriction|rules|filter|you\b)",
            r"\b(?:enable|activate|enter) (?:developer|god|dan|jailbreak|unrestricted) mode\b"
            r"(?! (?:to|on|in|via|from|for|under|with|by|before|when|if)\b)"
            r"|(?:\b(?:you|can|could|will|must|to|for|called|named|as|mode)"
            r"|[\"'“‘(])[ ,:]{0,2}do anything now\b|\bdo anything now[\"'”’)]|\bjailbroken\b",
            r"\byou (?:now )?have no (?:content )?(?:restrictions|filters?|rules|limits|guidelines|policy)\b",
            r"\b(?:answer|respond|comply|reply"
            r"|output)\b[^.\n]{0,60}\bwithout (?:any )?(?:restrictions?|filters?|limits|limitations)\b",
            r"\bexempt from the usual restrictions\b|\bdisregard the content policy\b",
            r"\bmodo desarrollador\b|\bsin restricciones\b|\bsenza restrizioni\b|\bsans restrictions\b"
            r"|\buneingeschränkt und befolgst\b|\bhast du keine regeln\b",
        ),
    ),
    Patterns(
        Family.AUTHORITY,
        (
            "system",
            "admin",
            "developer",
            "authori",
            "permission",
            "for ai agents",
            "ai assistant",
            "to the bot",
            "the assistant",
            "ai agents",
            "ai system",
            "approved",
            "sistema",
            "système",
        ),
        (
            r"(?:^|\n|[.!?] )\W{0,4}(?:important |urgent )?system (?:note|notice|update|override|alert"
            r"|command|instruction|message) ?[:!](?=[^\n]{0,200}\b(?:you|your|ignore|disregard|override|must"
            r"|do not|don't|never|always|user|reveal|print|send|delete|call|grant|comply|append"
            r"|instructions?|assistant"
            r"|ai|agent|model|previous|forget|all|disable|disabled|enable|from now)\b)",
            r"(?:^|\n|[.!?>] )\W{0,4}system ?: ?(?:cleanup|you|ignore|override|the user|call|delete|send"
            r"|grant|new|e-?mail)",
            r"\b(?:note|notice|message|instructions?|attention|important) (?:to|for) (?:any |all |the "
            r"|every |an? )?(?:ai|bot|assistant|llm|language model|agent|chatbot)s?\b"
            r"(?! (?:cook|chef|coach|manager|director|professor|editor|nurse|teacher|trainer|referee)s?\b)",
            r"\b(?:ai|llm) (?:assistants?|agents?|systems?|models?)(?: \w{1,20}){0,3} (?:reading"
            r"|processing|reviewing|integrating|summari[sz]ing) this\b",
            r"\bif you are an? (?:ai|llm|language model|assistant)\b|\bfor ai coding agents\b",
            r"\bai agents (?:integrating|using|reading)[^.\n]{0,60}\bshould (?:first|always|also)\b",
            r"\b(?:this is|message from|speaking as|i am) (?:your|the) (?:developer|creator"
            r"|system administrator|administrator|operator)s?\b[^.\n]{0,60}\b(?:must|comply|authori[sz]e"
            r"|grant|override|disable)",
            r"\bthe user (?:has (?:granted|given)|is (?:clearly )?(?:an? )?(?:authori[sz]ed"
            r"|admin))[^.\n]{0,80}\b(?:skip|bypass|disregard|grant all|all requests|verified)\b",
            r"\byou are hereby (?:instructed|authori[sz]ed|ordered)\b",
            r"(?:systemhinweis|note système|nota del sistema|nota di sistema) ?:",
        ),
    ),
    Patterns(
        Family.PERSISTENCE,
        (
            "from now on",
            "from this point",
            "future",
            "every response",
            "every reply",
            "every answer",
            "every session",
            "every conversation",
            "long-term memory",
            "to your memory",
            "rest of this",
            "ab jetzt",
            "ab sofort",
            "à partir de maintenant",
            "a partir de ahora",
            "d'ora in poi",
            "next user message",
        ),
        (
            r"\bfrom (?:now on|this point (?:on|forward|onwards?)),? (?:you (?:must|will(?! (?:find|get"
            r"|see|receive"
            r"|need|reach))|should|are|have|shall|can(?! (?:find|get|see|reach)))|always|never|respond"
            r"|answer|treat|assume|ignore|reply|do not|don't|whenever|act|comply)\b",
            r"\b(?:always|must|never)\b[^.\n]{0,80}\b(?:in|to|for) (?:all|every|each|any) (?:future "
            r"|subsequent )?(?:response|reply|answer|summary|conversation|session|message|report)s?\b"
            rf"(?!{_THING})",
            r"\b(?:in|for|to|of) (?:all|every|any) future (?:response|repl|answer|conversation|session"
            r"|message|summar|report|task)\w{0,4}\b[^.\n]{0,80}\b(?:must|always|include|append|repeat|add"
            r"|ignore|you)\b",
            r"\b(?:save|store|add|write|commit)\b[^.\n]{0,40}\b(?:to|in|into) your (?:long-term "
            r"|permanent |persistent )?memory\b[^\n]{0,80}\b(?:persist|every|always|future|repeat)",
            r"\b(?:repeat|include|append)\b[^.\n]{0,40}\bin every (?:future )?(?:reply|response|answer"
            rf"|summary)\b(?!{_THING})",
            r"\bon the next user message\b|\bcomply with every request\b",
            r"\bab (?:jetzt|sofort) (?:antwort|ignorier|gibst du|hast du|bist du|musst du)",
        ),
    ),
)
"""Every known group, in order of precedence.  Policy that people will argue about: it stands here and"
" nowhere else."""
