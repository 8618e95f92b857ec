#!/bin/sh
# Build the page's script from its sources, elsewhere, and compare it with what the package carries.
set -eu
cd "$(dirname "$0")"
if ! command -v npm >/dev/null 2>&1; then
    if [ -n "${CI:-}" ]; then
        echo "bundle: there is no npm, and CI needs it: the script of the page must be compared with its sources" >&2
        exit 1
    fi
    echo "bundle: there is no Node here, so the script of the page is not compared with its sources"
    exit 0
fi
if grep -q '"resolved"' package-lock.json; then
    echo "bundle: package-lock.json holds addresses; see .npmrc" >&2
    exit 1
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
cp -R package.json package-lock.json .npmrc tsconfig.json vite.config.ts src "$work"
cd "$work"
npm ci --no-progress --loglevel=error
npm run --silent check
npm run --silent build -- --outDir "$work/built" --logLevel error
cd - >/dev/null
if ! diff -rq "$work/built" ../src/tlex/viewer/static; then
    echo "bundle: the package does not carry what web/ gives; run make web and commit it" >&2
    exit 1
fi
echo "bundle: the script of the page is what its sources give"
