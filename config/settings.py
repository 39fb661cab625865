"""Django settings: one file for all machines; differences are environment variables."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.utils.functional import lazy
from kombu import Queue

from config import environment, logs
from config.environment import read_integer
from config.keys import key_files
from config.supervisor.heartbeat import HeartbeatTimeouts

BASE_DIR = Path(__file__).resolve().parent.parent
# database, spool and keys: all persistent data
DATA = Path(environment.read_text("DATA", str(BASE_DIR / "var")))

# -- security -------------------------------------------------------------------------------------

DEBUG = environment.read_flag("DEBUG", False)
SECRET_KEY = lazy(key_files.secret_key, str)(DATA)
SIGNING_KEYS = key_files.signing_keys(DATA)
SEALING_KEYS = key_files.sealing_keys(DATA)
RECORD_KEYS = key_files.record_keys(DATA)
RECORD_GUARD = DATA / "record_guard"  # outside the database: it does not go back with a dump
RECORD_POLICY = DATA / "record_policy"  # the witnesses that are asked
WITNESS_KEYS = key_files.witness_keys(DATA)
WITNESS_GUARDS = DATA / "witness_guards"  # a file for each log that is witnessed
WITNESS_LOGS = DATA / "witness_logs"  # the logs that are witnessed, as a policy
ALLOWED_HOSTS = environment.read_list("HOSTS", "localhost, 127.0.0.1, [::1]")

# -- apps and middleware --------------------------------------------------------------------------

INSTALLED_APPS = [
    "config",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "games",
    "record",
    "ai",  # before jobs: the sweeper asks for lost messages in this order, of bots first
    "jobs",
    "api",
    "web",
]
MIDDLEWARE = [
    "config.security_headers.security_headers_middleware",
    "api.middleware.observability_middleware",
    "api.middleware.cross_origin_middleware",
    "api.middleware.strip_body_headers_middleware",
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "api.content_encoding.static_files_middleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.common.CommonMiddleware",
    "api.content_encoding.representation_middleware",
]
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "no-referrer"
ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
WSGI_APPLICATION = "config.wsgi.application"
APPEND_SLASH = False
TEMPLATES: list[dict[str, Any]] = [
    {"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}
]

# -- the desk -------------------------------------------------------------------------------------

ADMIN = environment.read_admin_path()  # empty: there is no desk
if ADMIN:
    INSTALLED_APPS += [
        "desk",
        "django.contrib.admin.apps.SimpleAdminConfig",
        "django.contrib.auth",
        "django.contrib.contenttypes",
        "django.contrib.messages",
        "django.contrib.sessions",
        "django_otp",
        "django_otp.plugins.otp_totp",
    ]
    MIDDLEWARE += [
        "desk.middleware.policy_middleware",
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.middleware.csrf.CsrfViewMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django_otp.middleware.OTPMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware",
    ]
    TEMPLATES[0]["OPTIONS"] = {
        "context_processors": [
            "django.template.context_processors.request",
            "django.contrib.auth.context_processors.auth",
            "django.contrib.messages.context_processors.messages",
        ]
    }
    AUTH_PASSWORD_VALIDATORS = [
        {
            "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
            "OPTIONS": {"min_length": 12},
        },
        {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
        {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    ]
    OTP_TOTP_ISSUER = "Tabularium"
    SESSION_COOKIE_PATH = CSRF_COOKIE_PATH = f"/{ADMIN}/"
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = True  # browsers except localhost from TLS
    SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Strict"
    SESSION_COOKIE_AGE = 8 * 3600  # a shift
    SESSION_EXPIRE_AT_BROWSER_CLOSE = True
    CSRF_TRUSTED_ORIGINS = environment.origins_of(ALLOWED_HOSTS)  # TLS may end at a proxy

# -- storage --------------------------------------------------------------------------------------

DATA.mkdir(parents=True, exist_ok=True)
TEST_CLOCK = next(DATA.glob("test_clock"), None)  # of `serve --test-clock`, which makes the file
DATABASE_SECONDS = max(2, read_integer("DATABASE_SECONDS", 20))  # per statement
DATABASES: dict[str, dict[str, Any]] = {
    "default": environment.database_settings(DATA, DATABASE_SECONDS)
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# -- background work ------------------------------------------------------------------------------

PORT = environment.read_port()
REDIS_URL = environment.read_redis_url()
SPOOL = DATA / "spool"  # the broker without Redis
SUPERVISORS = DATA / "supervisors"  # in which those of this machine report reloads
CELERY_BROKER_URL = REDIS_URL or "spool://localhost"
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = (
    {
        "visibility_timeout": 120,  # above the longest task: redeliver only a dead worker's tasks
        "unacked_restore_interval": 10,
        "unacked_restore_throttle": 1,
        "socket_connect_timeout": 2,
        "socket_timeout": 5,
        "socket_keepalive": True,
        "health_check_interval": 5,  # detects a connection that was cut silently
        "max_retries": 1,  # publishing must not keep a player waiting
        "interval_start": 0,
    }
    if REDIS_URL
    else {"folder": str(SPOOL)}
)
CELERY_BROKER_CONNECTION_TIMEOUT = 2
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # a worker waits for its broker without limit
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_DEFAULT_QUEUE = "default"
CELERY_TASK_QUEUES = [
    Queue(name) for name in ("default", "bots", "analyses", "webhooks", "ratings")
]
CELERY_TASK_ROUTES = {
    "ai.tasks.think": {"queue": "bots"},
    "ai.tasks.study": {"queue": "analyses"},  # unless a bot's game waits
    "api.tasks.draw_replay": {"queue": "analyses"},
    "api.tasks.announce": {"queue": "webhooks"},
    "api.tasks.deliver": {"queue": "webhooks"},
    "jobs.tasks.rate": {"queue": "ratings"},
}
CELERY_TASK_CREATE_MISSING_QUEUES = False
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_TIME_LIMIT = 60  # seconds; a bot's level sets a shorter one
CELERY_TASK_SOFT_TIME_LIMIT = 45
CELERY_TASK_PUBLISH_RETRY = False  # the sweeper recovers unpublished tasks
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = False  # a late bot does no harm
CELERY_WORKER_ENABLE_REMOTE_CONTROL = bool(REDIS_URL)  # does not work through the spool
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
GRACE_MS = read_integer("GRACE_MS", 1000)  # in which people can react before a bot acts
CANARY_SECONDS = max(1, read_integer("CANARY_SECONDS", 3))  # between two canaries
HEARTBEAT_TIMEOUTS = HeartbeatTimeouts(  # before a hung process is replaced
    silence_seconds=max(5, read_integer("HUNG_SECONDS", 30)),
    idle_seconds=max(2, read_integer("DEAF_SECONDS", 20)),
    busy_seconds=CELERY_TASK_TIME_LIMIT + 15,
)

# -- language, time, assets -----------------------------------------------------------------------

LANGUAGE_CODE = "en-gb"
USE_I18N = False
TIME_ZONE = "UTC"
USE_TZ = True
STATIC_URL = "/static/"
WHITENOISE_USE_FINDERS = True  # serve assets from the installed packages

# -- games ----------------------------------------------------------------------------------------

TABLE_LIFE = timedelta(days=max(1, read_integer("TABLE_DAYS", 7)))  # of tables that never fill
GUEST_LIFE = timedelta(days=read_integer("GUEST_DAYS", 90))  # of unused accounts; 0: for good
# of bots' thoughts after the end of their game; 0: for good
THOUGHT_LIFE = timedelta(days=read_integer("THOUGHT_DAYS", 365))

# -- the API --------------------------------------------------------------------------------------

TRACES = environment.read_flag("TRACES", False)  # to an OpenTelemetry collector
QUICK_ACTIONS = environment.read_flag("QUICK_ACTIONS", True)  # ordinary actions on the event loop
DATA_UPLOAD_MAX_MEMORY_SIZE = 64 * 1024  # bytes of a body in memory; larger ones go to a file
METRICS_TOKEN = environment.read_text("METRICS_TOKEN", "")  # empty: private addresses only
LIMITS_FILE = DATA / "limits"  # the buckets of all processes, with SQLite and without Redis
LIMITS = environment.read_rate_limits()  # requests and seconds, by kind; empty: no limits
PARTS = max(1, read_integer("PARTS", os.cpu_count() or 1))  # workers that share an analysis
ANALYSES_EACH = read_integer("ANALYSES_EACH", 5)  # unfinished analyses of an account
CHALLENGES_MADE = read_integer("CHALLENGES_MADE", 20)  # seats that an account keeps for others
CHALLENGES_RECEIVED = read_integer("CHALLENGES_RECEIVED", 50)  # seats that wait for an account
OPEN_GAMES = read_integer("OPEN_GAMES", 500)  # unfinished games that an account has created
IMPORTS_EACH = read_integer("IMPORTS_EACH", 100)  # imported games of an account
DRAWINGS = max(1, read_integer("DRAWINGS", 2))  # pictures drawn as PNG at once, in one process
STREAMS_EACH = read_integer("STREAMS_EACH", 20)  # open at once, of one account or address
STREAMS_IN_ALL = read_integer("STREAMS_IN_ALL", 5000)  # in one process
STREAM_HEARTBEAT = max(1, read_integer("STREAM_HEARTBEAT", 15))  # seconds
# seconds in which the client reads nothing
STREAM_SEND_TIMEOUT = max(1, read_integer("STREAM_SEND_TIMEOUT", 30))
# seconds; then the client reconnects, with a key that is still valid
STREAM_LIFE = read_integer("STREAM_LIFE", 3600)
CONNECTIONS = read_integer("CONNECTIONS", 10_000)  # open at once, in one process
CONNECTIONS_EACH = read_integer("CONNECTIONS_EACH", 1_000)  # from one address but a proxy's
HEAD_SECONDS = read_integer("HEAD_SECONDS", 10)  # for the head of a request
IDLE_SECONDS = read_integer("IDLE_SECONDS", 75)  # between two requests
BODY_SECONDS = read_integer("BODY_SECONDS", 15)  # for a body; more if it comes fast enough
# in which a client reads nothing of its reply
REPLY_SECONDS = read_integer("REPLY_SECONDS", 30)
BODIES_IN_ALL = read_integer("BODIES_MB", 256) << 20  # bytes of unanswered request bodies
BODIES_EACH = read_integer("BODIES_EACH_MB", 128) << 20  # from one address
LOG_CLIENTS = environment.read_log_clients()  # how the access log names clients
PROXIES = environment.read_proxies()  # whose X-Forwarded-For is trusted
WEBHOOK_HOSTS = environment.read_list("WEBHOOK_HOSTS", "")  # allowed even if not public
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["api.authentication.KeyAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": [],
    "DEFAULT_PARSER_CLASSES": ["api.parsers.JsonParser"],
    "DEFAULT_RENDERER_CLASSES": ["api.renderers.JsonRenderer"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "api.renderers.ContentNegotiation",
    "DEFAULT_SCHEMA_CLASS": "api.schema.OperationSchema",
    "EXCEPTION_HANDLER": "api.errors.exception_handler",
    "UNAUTHENTICATED_USER": None,
    "UNAUTHENTICATED_TOKEN": None,
    "URL_FORMAT_OVERRIDE": None,  # `?format=` is an unknown parameter like any other
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Tabularium",
    "DESCRIPTION": "Games against bots and people, stored as tamper-evident logs.",
    "VERSION": "1",
    "CONTACT": {"name": "Tabularium contributors"},
    "LICENSE": {"name": "MIT", "identifier": "MIT"},
    "SERVERS": [{"url": "/", "description": "The server of this document."}],
    "OAS_VERSION": "3.1.1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "POSTPROCESSING_HOOKS": ["api.schema.postprocess_document"],
    "WEBHOOKS": [
        f"api.webhooks.openapi.{name}_WEBHOOK"
        for name in (
            "GAME_CHALLENGE",
            "GAME_DECLINED",
            "GAME_STARTED",
            "GAME_ENTRY",
            "YOUR_TURN",
            "GAME_PROPOSAL",
            "GAME_OVER",
            "PING",
        )
    ],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_SETTINGS": {"deepLinking": True, "validatorUrl": None},  # no external calls
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
}

# -- logs -----------------------------------------------------------------------------------------

LOGGING = logs.logging_configuration()
