import { z } from "zod";
import { reportedStates } from "../../events/types/sessions.ts";
import { closingVerbs, signals } from "../../events/types/signals.ts";
import { type ToolName, toolFamilies } from "../../operations/tool-names.ts";

/**
 * One line for each reporting tool: first those that close the session, then the others, in the
 * order of docs/rules.md, The eight verbs.
 */
export function reports(tools: readonly ToolName[]): { closing: string[]; others: string[] } {
  const enabled = signals.filter(({ verb }) => tools.includes(verb));
  const describe = (signal: (typeof signals)[number]) => describeVerb(signal, tools);
  return {
    closing: enabled.filter(({ closing }) => closing).map(describe),
    others: [
      ...enabled.filter(({ closing }) => !closing).map(describe),
      ...held(
        tools,
        "update_session_state",
        `- update_session_state(sessionId, state: ${reportedStates.join("|")}, metadata?): your phase, at each change.`,
      ),
    ],
  };
}

/** The names of the tools that do not report, one line per family; nothing if there are none. */
export function furtherTools(tools: readonly ToolName[]): string[] {
  const further = tools.filter((tool) => !EXPLAINED.has(tool));
  const lines = Object.entries(toolFamilies).flatMap(([family, names]) => {
    const here = names.filter((name) => further.includes(name));
    return here.length === 0 ? [] : [`- ${family.replace("_", " ")}: ${here.join(", ")}`];
  });
  return lines.length === 0
    ? []
    : [
        `# What else you can call`,
        "`ralph` also has these tools; your client knows their arguments:",
        lines.join("\n"),
      ];
}

/** A text about a tool, included if the session has that tool. */
export function held(tools: readonly ToolName[], tool: ToolName, text: string): string[] {
  return tools.includes(tool) ? [text] : [];
}

/** The tools that the instructions explain, one line each. */
const EXPLAINED: ReadonlySet<ToolName> = new Set([...toolFamilies.signals, "update_session_state", "verify"]);

/** Its description without sentences about closing with a verb that was removed. */
function describeVerb(
  { verb, title, description, arguments: shape }: (typeof signals)[number],
  tools: readonly ToolName[],
): string {
  const gone = closingVerbs.filter((name) => !tools.includes(name));
  const said = description
    .split(/(?<=\.) /)
    .filter((sentence) => !gone.some((name) => sentence.includes(`close with ${name}`)))
    .join(" ");
  return `- ${verb}(${Object.entries(shape.shape).map(describeArgument).join(", ")}): ${said || `${title}.`}`;
}

function describeArgument([name, schema]: [string, z.core.$ZodType]): string {
  const { type, enum: values, description } = z.toJSONSchema(schema);
  const optional = schema instanceof z.ZodOptional ? "?" : "";
  const legal = values
    ? `: ${values.join("|")}`
    : type === "array"
      ? ": list"
      : type === "boolean"
        ? ": true|false"
        : "";
  return `${name}${optional}${legal}${description ? ` (${description.replace(/\.$/, "")})` : ""}`;
}
