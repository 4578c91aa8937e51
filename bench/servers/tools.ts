/** Nine tools written out as JSON Schema, which do nothing: what a bare server lists. */
export const tools = Array.from({ length: 9 }, (_, index) => ({
  name: `tool_${index + 1}`,
  title: "Report a problem",
  description: "Report a problem that you found during this task. It does nothing here, in as many words.",
  inputSchema: {
    type: "object" as const,
    properties: {
      what: { type: "string", description: "The problem." },
      severity: { type: "string", enum: ["info", "warning", "blocking"] },
      category: { type: "string", enum: ["bug", "stale", "security", "performance"] },
    },
    required: ["what", "severity", "category"],
    additionalProperties: false,
  },
}));
