#!/bin/sh
# Refuses a change that breaks the contract of a branch ($1, or its origin), where there is one.
set -eu
cd "$(dirname "$0")/.."

base=$(git rev-parse --quiet --verify "$1" || git rev-parse --quiet --verify "origin/$1" || true)
if [ -z "$base" ] || [ -z "$(git ls-tree "$base" buf.yaml proto)" ]; then
    echo "no contract to compare with: ${1:-no base}"
    exit 0
fi
old=$(mktemp -d)
trap 'rm -rf "$old"' EXIT
git archive "$base" buf.yaml proto tests/proto third_party | tar -x -C "$old"
.venv/bin/buf breaking proto --against "$old/proto" || {
    echo "This breaks clients of the contract of $1. \`make check BASE=\` allows it." >&2
    exit 1
}
