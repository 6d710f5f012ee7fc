#!/usr/bin/env bash
# Runs the agent and notes how it ended; the job fails in a later step, after the evidence is kept.
set -euo pipefail
out=$RUNNER_TEMP/stopgate
mkdir -p "$out"

words=("$PROMPT")
while IFS= read -r word; do
  [ -z "$word" ] || words+=("$word")
done <<<"${AGENT_ARGS:-}"

limits=()
[ -z "${MAX_BUDGET_USD:-}" ] || limits=(--max-budget-usd "$MAX_BUDGET_USD")

# The workflow decides what is checked out, so its checks may run: do not start it for code without a review.
code=0
stopgate launch --agent "$AGENT" --time-budget "$TIME_BUDGET" ${limits[@]+"${limits[@]}"} \
  --require-proof --trust-project --report "$out/report.json" -- "${words[@]}" </dev/null 2> >(tee "$out/agent.log" >&2) || code=$?

echo "exit-code=$code" >>"$GITHUB_OUTPUT"
# an agent that failed still has a receipt to write
exit 0
