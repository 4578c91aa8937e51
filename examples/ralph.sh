#!/bin/bash
# A driver of one's own, of commands alone: runs AGENT on the ready tasks, one after the other, until nothing is ready.
# AGENT is a command that reads its prompt from standard input; its MCP server is in the file $MCP_CONFIG.
set -u
driver="ralph-$$-$(date +%s)"
signalbox driver beat "$driver" --pid $$
signalbox driver recover
while task=$(signalbox next --json | jq -r '.id // empty') && [ -n "$task" ]; do
  started=$(signalbox session start "$task" --driver "$driver" --workspace "$(signalbox fingerprint)" --json) || continue
  session=$(jq -r .session <<<"$started")
  MCP_CONFIG=$(mktemp)
  jq '{mcpServers: {ralph: {command: "signalbox", args: ["mcp"], env: .env, alwaysLoad: true}}}' <<<"$started" >"$MCP_CONFIG"
  export MCP_CONFIG
  if signalbox prompt "$task" --session "$session" | $AGENT; then exit=exited; else exit=crashed; fi
  signalbox session end "$session" --exit "$exit" --workspace "$(signalbox fingerprint)"
  signalbox state-files
  rm -f "$MCP_CONFIG"
done
signalbox driver stop "$driver"
