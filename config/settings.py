"""How is Django set up? One file for every machine: what may differ is an environment variable."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from config import environment

BASE_DIR = Path(__file__).resolve().parent.parent
VAR = Path(environment.text("VAR", str(BASE_DIR / "var")))  # what this machine keeps: games, secret

# -- security -------------------------------------------------------------------------------------

DEBUG = environment.flag("DEBUG", False)
SECRET_KEY = environment.secret_key(VAR)
ALLOWED_HOSTS = environment.names("HOSTS", "localhost, 127.0.0.1, [::1]")

# -- parts ----------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "games",
    "ai",
    "api",
]
MIDDLEWARE = [
    "api.middleware.courtesies",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.common.CommonMiddleware",
]
ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
WSGI_APPLICATION = "config.wsgi.application"
APPEND_SLASH = False
TEMPLATES = [{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}]

# -- what is kept ---------------------------------------------------------------------------------

DATABASES: dict[str, dict[str, Any]] = {
    "default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": VAR / "tabularium.sqlite3",
        "CONN_MAX_AGE": None,
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",  # a writer waits for its turn instead of failing
            "timeout": 20,
            # FULL: what was acknowledged survives a power cut; recursive triggers: REPLACE is no
            # way around the triggers that keep the log append-only
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
            "PRAGMA recursive_triggers=ON; PRAGMA foreign_keys=ON",
        },
    }
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# -- language, time, assets -----------------------------------------------------------------------

LANGUAGE_CODE = "en-gb"
USE_I18N = False
TIME_ZONE = "UTC"
USE_TZ = True
STATIC_URL = "/static/"
WHITENOISE_USE_FINDERS = True  # assets are served from the packages that bring them

# -- the API --------------------------------------------------------------------------------------

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": [],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "api.schema.Schema",
    "EXCEPTION_HANDLER": "api.errors.answer",
    "UNAUTHENTICATED_USER": None,
    "UNAUTHENTICATED_TOKEN": None,
    "URL_FORMAT_OVERRIDE": None,  # `?format=` is an unknown parameter like any other
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Tabularium",
    "DESCRIPTION": "Card and board games: their rules, their schemas and pictures of their tables.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_SETTINGS": {"deepLinking": True, "validatorUrl": None},  # ask nobody else
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
}

# -- logs -----------------------------------------------------------------------------------------

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": environment.text("LOG_LEVEL", "WARNING")},
    "loggers": {
        "django": {"handlers": [], "propagate": True},
        "django.security.DisallowedHost": {"level": "CRITICAL"},  # strangers ask for anything
        "django.request": {"level": "ERROR"},  # a client's mistake is told to the client
    },
}
