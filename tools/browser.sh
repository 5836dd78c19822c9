#!/bin/sh
# Prints where a Chromium is, for the tests; installs Debian's where it may. Fails where there is none.
set -eu

found() {
    command -v "${VALLUM_BROWSER:-chromium}" || command -v chromium-browser || command -v google-chrome
}

if ! found; then
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || {
        echo "there is no Chromium, and none can be installed: set VALLUM_BROWSER to one" >&2
        exit 1
    }
    {
        apt-get update --quiet
        DEBIAN_FRONTEND=noninteractive apt-get install --quiet --yes --no-install-recommends chromium
    } >&2
    found
fi
