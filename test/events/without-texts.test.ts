import { expect, test } from "vitest";
import { withoutTexts } from "../../src/events/redaction/without-texts.ts";
import { eventDefinitions } from "../../src/events/types/index.ts";

const SECRET = "sk-live-7f3a9c";

/** Catches: a field of text that somebody adds and that a redaction passes over. */
test.each(eventDefinitions.map((definition) => [definition.type, definition] as const))(
  "a redacted %s has none of its free texts, and is valid",
  (type, definition) => {
    const { kept, removed } = withoutTexts(type, withSecrets(definition.example, definition.payload));
    expect(JSON.stringify(kept)).not.toContain(SECRET);
    expect(definition.payload.safeParse(kept).error).toBeUndefined();
    expect(withoutTexts(type, kept)).toEqual({ kept, removed: [] });
    for (const { path } of removed) expect(path).toMatch(/^[a-z_]+(\.\w+)*$/);
  },
);

test("only the texts that are asked for go, each with all below it", () => {
  const payload = {
    question: "why?",
    blocking: true,
    options: ["a", "b"],
    preferred: "a",
    task: 7,
    session: "s",
  };
  expect(withoutTexts("signal.ask", payload, ["options.1", "preferred"])).toEqual({
    kept: { ...payload, options: ["a", "[redacted]"], preferred: "[redacted]" },
    removed: [
      { path: "options.1", text: "b" },
      { path: "preferred", text: "a" },
    ],
  });
  expect(withoutTexts("signal.ask", payload, ["options"]).kept).toMatchObject({
    options: ["[redacted]", "[redacted]"],
  });
  expect(withoutTexts("signal.ask", payload, ["opt"])).toEqual({ kept: payload, removed: [] });
});

test("values without a schema lose their field names too", () => {
  const env = { [SECRET]: "x", TOKEN: SECRET };
  const servers = {
    github: { command: "npx", args: [SECRET], env },
    docs: { type: "http", url: `https://x/?k=${SECRET}` },
  };
  const { kept } = withoutTexts("discipline.created", {
    discipline: "backend",
    display_name: SECRET,
    description: SECRET,
    mcp_servers: servers,
  });
  expect(kept).toEqual({
    discipline: "backend",
    display_name: "[redacted]",
    description: "[redacted]",
    mcp_servers: {
      github: { command: "[redacted]", args: ["[redacted]"], env: {} },
      docs: { type: "http", url: "https://redacted.invalid/" },
    },
  });
  const report = {
    session: "s-1",
    state: "testing",
    metadata: { error: SECRET, [SECRET]: 1, note: { deep: SECRET } },
  };
  expect(withoutTexts("session.state_reported", report).kept).toEqual({
    session: "s-1",
    state: "testing",
    metadata: { error: "[redacted]" },
  });
});

test("a gate whose command is gone fails", () => {
  const payload = { task: 7, gate: 1, command: `curl -H ${SECRET} x`, max: 5, timeout_s: 300 };
  expect(withoutTexts("gate.declared", payload).kept).toEqual({ ...payload, command: "false # [redacted]" });
});

/** The payload with the secret in every string where its schema allows one. */
function withSecrets(payload: object, schema: { safeParse(value: unknown): { success: boolean } }) {
  const copy: Record<string, unknown> = structuredClone({ ...payload });
  plant(copy, () => schema.safeParse(copy).success);
  return copy;
}

function plant(holder: Record<string, unknown>, isLegal: () => boolean, above = ""): void {
  for (const [key, value] of Object.entries(holder)) {
    const field = Array.isArray(holder) ? above : key;
    if (typeof value === "object" && value !== null) plant(value as Record<string, unknown>, isLegal, field);
    if (typeof value !== "string" || NAMES.has(field)) continue;
    holder[key] = `${value} ${SECRET}`;
    if (!isLegal()) holder[key] = value;
  }
}

/** Fields whose strings keep the history together, by their names in the events' docs. */
const NAMES = new Set([
  ...[
    "session",
    "feature",
    "discipline",
    "driver",
    "author",
    "agent",
    "workspace",
    "fingerprint",
    "conversation",
    "channel",
    "notifier",
  ],
  ...[
    "workspace_before",
    "workspace_after",
    "signal",
    "host",
    "began",
    "pid_namespace",
    "mark",
    "sha256",
    "type",
    "payload_hash",
  ],
  ...["tags", "acronym", "icon", "color", "kind"],
]);
