#!/bin/sh
# Pins every requirement with its hashes, for every platform; arguments go to `uv pip compile`.
set -eu
cd "$(dirname "$0")/.."

pin() {
    output=$1
    shift
    .venv/bin/uv pip compile "$@" --output-file "requirements/$output" --quiet --universal \
        --python-version 3.11 --generate-hashes --no-annotate --no-emit-index-url --no-emit-find-links \
        --no-emit-package vallum-client --custom-compile-command "make lock"
}

pin uv.lock requirements/uv.in "$@"
pin dev.lock pyproject.toml --extra embedded --extra edge --extra plots --extra dev "$@"
pin run.lock pyproject.toml --extra embedded --extra edge --constraint requirements/dev.lock "$@"
