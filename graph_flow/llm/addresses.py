"""What an endpoint's address tells. Pure."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

OPENAI_URL = "https://api.openai.com/v1"


def tidy_address(base_url: str) -> str:
    """Return an address as the client wants it, also if the writer pasted a longer one."""
    trimmed = base_url.strip().rstrip("/")
    return trimmed.removesuffix("/chat/completions").removesuffix("/completions").rstrip("/")


def is_own_network(base_url: str) -> bool:
    """Return whether an address is on this machine or in a private network."""
    host = urlsplit(base_url).hostname or ""
    if host == "localhost" or host.endswith((".localhost", ".local", ".internal", ".lan")):
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return "." not in host  # a bare name is one of a container's or of the local network
    return address.is_loopback or address.is_private or address.is_link_local


def is_openai(base_url: str) -> bool:
    """Return whether an address is OpenAI's own."""
    host = urlsplit(base_url).hostname or ""
    return host == "openai.com" or host.endswith((".openai.com", ".openai.azure.com"))
