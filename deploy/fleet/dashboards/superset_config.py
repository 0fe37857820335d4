"""Superset's configuration for Spotter's dashboards: SUPERSET_CONFIG_PATH=/etc/superset/superset_config.py

The keys come from the environment, so that this file holds no secret:
    SUPERSET_SECRET_KEY=…      signs sessions and encrypts passwords: `openssl rand -base64 42`; keep it
    SUPERSET_GUEST_SECRET=…    signs the tickets of embedded dashboards; another such key
    SUPERSET_METADATA=postgresql+psycopg2://superset@/superset?host=/var/run/postgresql
"""
import os

SECRET_KEY = os.environ["SUPERSET_SECRET_KEY"]
GUEST_TOKEN_JWT_SECRET = os.environ.get("SUPERSET_GUEST_SECRET", SECRET_KEY)
# Where Superset keeps its own users and charts. SQLite is enough for a trial.
SQLALCHEMY_DATABASE_URI = os.environ["SUPERSET_METADATA"]

FEATURE_FLAGS = {
    "EMBEDDED_SUPERSET": True,      # dashboards inside other pages
    "ALERT_REPORTS": False,         # would need Celery and a broker
}
# Guests of embedded dashboards have this role, which guest_role.json describes. A guest's ticket gives it one
# dashboard, with the ticket's row-level security.
GUEST_ROLE_NAME = "Guest"
# "Last month" includes today.
DEFAULT_RELATIVE_END_TIME = "now"

# A minute is fresh enough for attendance, and a wall screen does not query the database for each viewer.
CACHE_CONFIG = {"CACHE_TYPE": "SimpleCache", "CACHE_DEFAULT_TIMEOUT": 300}
DATA_CACHE_CONFIG = {"CACHE_TYPE": "SimpleCache", "CACHE_DEFAULT_TIMEOUT": 60}
# Log-in attempts are counted in this process. With several processes name a Redis here.
RATELIMIT_STORAGE_URI = "memory://"

# TLS ends in Caddy or another proxy on this machine, which tells the true address.
ENABLE_PROXY_FIX = True
SESSION_COOKIE_SECURE = os.environ.get("SUPERSET_PLAIN_HTTP") is None
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
