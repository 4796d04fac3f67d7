#!/bin/sh
# Checks the JSDoc types of the static modules. Needs node; nothing of it is shipped.
set -eu
cd "$(dirname "$0")"
[ -d node_modules ] || npm ci --silent
npx tsc -p ..
