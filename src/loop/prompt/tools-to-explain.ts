import { z } from "zod";
import { reportedStates } from "../../events/types/sessions.ts";
import { closingVerbs, signals } from "../../events/types/signals.ts";
import { type ToolName, toolFamilies } from "../../operations/tool-names.ts";

/** A line for each tool that reports: those that close the session, and the others, in the order of rules.md. */
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

/** A section with the names of the tools that do not report, a line for each family; nothing where there are none. */
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
        `\`ralph\` has these tools too; your client knows what each takes:`,
        lines.join("\n"),
      ];
}

/** A text that speaks of a tool, where the session has that. */
export function held(tools: readonly ToolName[], tool: ToolName, text: string): string[] {
  return tools.includes(tool) ? [text] : [];
}

/** The tools that the instructions explain, each in a line of its own. */
const EXPLAINED: ReadonlySet<ToolName> = new Set([...toolFamilies.signals, "update_session_state", "verify"]);

/** Its description without the sentences that say to close with a verb which was taken away. */
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
