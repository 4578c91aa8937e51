import { z } from "zod";
import { entryOf, failed, type ReadEntries } from "../core.ts";

/** The readable entries in a line with a field `signalbox`: of a program of one's own, or kept from stderr. */
export const commandEntries: ReadEntries = (line) => {
  const { data } = anyLine.safeParse(line);
  switch (data?.signalbox) {
    case undefined:
      return undefined;
    case "agent":
      return entryOf(
        "note",
        ["agent", data.version, data.model && `with ${data.model}`].filter(Boolean).join(" "),
      );
    case "usage":
      return [];
    case "said":
      return entryOf("said", data.text);
    case "denied":
      return [failed("not allowed", data.tool)];
    case "problem":
      return [failed(data.text)];
    case "stderr":
      return entryOf("stderr", data.text);
  }
};

/** A line of an agent's stderr, as it is kept with its output. */
export function stderrLine(text: string): string {
  return JSON.stringify({ signalbox: "stderr", text });
}

const text = z.string().optional().catch(undefined);

const anyLine = z.discriminatedUnion("signalbox", [
  z.looseObject({ signalbox: z.literal("agent"), model: text, version: text }),
  z.looseObject({ signalbox: z.literal("usage") }),
  z.looseObject({ signalbox: z.literal("said"), text: z.string() }),
  z.looseObject({ signalbox: z.literal("denied"), tool: z.string() }),
  z.looseObject({ signalbox: z.literal("problem"), text: z.string() }),
  z.looseObject({ signalbox: z.literal("stderr"), text: z.string() }),
]);
