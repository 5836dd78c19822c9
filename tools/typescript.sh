#!/bin/sh
# Builds the TypeScript client with its tests, if anything that they are made of has changed.
# Ends with 3 where npm cannot install what they need.
set -eu
cd "$(dirname "$0")/../clients/typescript"
PATH="$(cd ../.. && pwd)/.venv/bin:$PATH"

inputs=$(find package-lock.json buf.gen.yaml tsconfig.json src test ../../proto -type f \
    ! -path 'src/gen/*' | LC_ALL=C sort | xargs cat | cksum)
if [ "$(cat dist/inputs 2>/dev/null)" = "$inputs" ]; then
    exit
fi
rm -rf dist
npm ci --no-progress --ignore-scripts >&2 || exit 3
npm run --silent generate
npm run --silent build
echo "$inputs" > dist/inputs
