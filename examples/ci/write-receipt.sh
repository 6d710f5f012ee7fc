#!/usr/bin/env bash
# The body of a comment: what was claimed, what was checked, what was not proven.
set -euo pipefail
out=$RUNNER_TEMP/stopgate
mkdir -p "$out"

if stopgate receipt show --markdown >"$out/receipt.md" 2>"$out/receipt.log"; then
  stopgate receipt show --json >"$out/receipt.json"
  stopgate receipt verify "$out/receipt.json" >>"$out/receipt.log"
else
  # said in the comment as well: a missing receipt must not look like a pass
  { echo '**Stopgate: no receipt.** The agent did not get as far as a stop.'; echo; sed 's/^/    /' "$out/receipt.log"; } >"$out/receipt.md"
fi

cat "$out/receipt.md" >>"$GITHUB_STEP_SUMMARY"
echo "file=$out/receipt.md" >>"$GITHUB_OUTPUT"
