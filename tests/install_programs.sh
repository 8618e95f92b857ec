#!/bin/sh
# Programs that are not ours read what tlex writes. Where one is missing and may be installed, that
# is done; where it may not, the tests that need it skip and say so.
set -eu

missing=""
command -v dot > /dev/null || missing="$missing graphviz"
[ -n "${TLEX_CHROMIUM:-}" ] || command -v chromium > /dev/null || command -v google-chrome > /dev/null ||
    missing="$missing chromium fonts-liberation"

[ -n "$missing" ] || exit 0
if [ "$(id -u)" != 0 ] || ! command -v apt-get > /dev/null; then
    echo "not installed, tests that need it will be skipped:$missing"
    exit 0
fi
echo "installing$missing ..."
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq -o DPkg::Lock::Timeout=300 > /dev/null
# shellcheck disable=SC2086 -- a list of words
apt-get install -y -qq -o DPkg::Lock::Timeout=300 --no-install-recommends $missing > /dev/null
