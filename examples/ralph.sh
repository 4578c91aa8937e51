#!/bin/bash
# A driver made of commands: runs AGENT on each ready task until none is ready.
# AGENT is a command that reads its prompt from standard input; its MCP servers are in the file $MCP_CONFIG. RECIPE says what its
# agents are for (signalbox launch --help), and so which tools they have.
set -u
driver="ralph-$$-$(date +%s)"
signalbox driver beat "$driver" --pid $$
signalbox driver recover
fingerprint() { git rev-parse --is-inside-work-tree >/dev/null 2>&1 && echo --workspace "$(signalbox fingerprint)"; }
while task=$(signalbox next --json | jq -r '.id // empty') && [ -n "$task" ]; do
  # shellcheck disable=SC2046 # two words, or none where there is no fingerprint
  launched=$(signalbox launch "${RECIPE:-signals}" --task "$task" --driver "$driver" $(fingerprint) --json) || break
  session=$(jq -r .session <<<"$launched")
  MCP_CONFIG=$(jq -r .mcp_config <<<"$launched")
  export MCP_CONFIG
  # `signalbox run` does this itself when `gates.baseline` is set; your own driver must do it:
  #   signalbox gate run "$task" --baseline --session "$session"
  if signalbox prompt "$task" --session "$session" | $AGENT; then exit=exited; else exit=crashed; fi
  # shellcheck disable=SC2046
  signalbox session end "$session" --exit "$exit" $(fingerprint)
  signalbox state-files
  rm -r "${MCP_CONFIG%/*}"
done
signalbox driver stop "$driver"
