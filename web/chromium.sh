#!/bin/sh
# Install Debian's chromium where it is missing and may be installed; the tests skip without it.
set -eu
if [ -n "${TLEX_CHROMIUM:-}" ] || command -v chromium >/dev/null 2>&1 || command -v google-chrome >/dev/null 2>&1; then
    exit 0
fi
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1; then
    echo "chromium: not here and not to be installed by this user; the tests of the page will skip"
    exit 0
fi
echo "chromium: installing it for the tests of the page ..."
export DEBIAN_FRONTEND=noninteractive
apt-get -qq -o DPkg::Lock::Timeout=300 update >/dev/null
apt-get -qq -o DPkg::Lock::Timeout=300 install -y --no-install-recommends chromium fonts-liberation >/dev/null
