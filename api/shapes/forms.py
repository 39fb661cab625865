"""The forms of ids, secrets, addresses and codes in the API, for its OpenAPI document. Those that
are in logs, too, are in `tabularium_log/forms.py`."""

from __future__ import annotations

from typing import Annotated

from api.webhooks.target_urls import MAX_URL_LENGTH
from games.column_lengths import NAME_BYTES
from games.request_trace import REQUEST_ID_PATTERN
from tabularium_engines.common.json_codec import Form

AnalysisId = Annotated[str, Form("The id of the analysis.", pattern="^analysis_[0-9a-f]{32}$")]
DeliveryId = Annotated[str, Form(pattern="^msg_[0-9a-f]{32}$")]
GameIdOrEmpty = Annotated[str, Form(pattern="^(game_[0-9a-f]{32})?$")]
KeyId = Annotated[str, Form(pattern="^key_[0-9a-f]{32}$")]
WebhookId = Annotated[str, Form(pattern="^webhook_[0-9a-f]{32}$")]
RequestId = Annotated[str, Form(pattern=f"^{REQUEST_ID_PATTERN.pattern}$")]

KeySecret = Annotated[str, Form(pattern="^tab_")]
InvitationSecret = Annotated[str, Form(pattern="^inv_")]
WebhookSecret = Annotated[str, Form(pattern="^whsec_")]
HandoverCode = Annotated[str, Form(pattern="^[0-9A-Z]{4}-[0-9A-Z]{4}$")]
RecoveryCode = Annotated[str, Form(pattern="^[0-9A-Z]{5}(-[0-9A-Z]{5}){3}$")]
ChoiceToken = Annotated[str, Form(pattern="^[0-9a-f]+$")]

ActionType = Annotated[str, Form(pattern=r"^[a-z][a-z0-9_]*\.[a-z0-9_]+$")]
Code = Annotated[str, Form(pattern="^[a-z0-9]+(-[a-z0-9]+)*$")]
# Codes of the query's errors are Django's, with underscores.
MemberCode = Annotated[str, Form(pattern="^[a-z0-9]+([-_][a-z0-9]+)*$")]
Pointer = Annotated[str, Form(pattern="^(/[^/]*)*$")]
RefusalStatus = Annotated[int, Form(minimum=400, maximum=599)]

Link = Annotated[str, Form(format="uri-reference")]
Url = Annotated[str, Form(format="uri")]
WebAddress = Annotated[
    str, Form(pattern=r"^[Hh][Tt][Tt][Pp][Ss]?://[!-\[\]-~]+$", maxLength=MAX_URL_LENGTH)
]
# At most 60 graphemes (api/graphemes.py), each of one or several code points.
Name = Annotated[str, Form(maxLength=NAME_BYTES)]
Colour = Annotated[str, Form(pattern="^#[0-9a-f]{6}$")]
Viewer = Annotated[str, Form(pattern="^(onlooker|everything|seat:[0-9]+)$")]
Share = Annotated[float, Form(minimum=0, maximum=1)]
