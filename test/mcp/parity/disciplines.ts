import { z } from "zod";
import { createDiscipline } from "../../../src/operations/disciplines.ts";
import { only, type Row } from "./row.ts";

const persona = {
  icon: "🎨",
  color: "#c678dd",
  system_prompt: "You build pages that work without a mouse.",
  skills: ["HTML", "CSS"],
  conventions: "Small commits.",
};
const personaOptions = [
  ...["--icon", "🎨", "--color", "#c678dd", "--system-prompt", "You build pages that work without a mouse."],
  ...["--skill", "HTML", "--skill", "CSS", "--conventions", "Small commits."],
];

const frontend = createDiscipline({
  name: "frontend",
  display_name: "Frontend",
  ...persona,
  disabled_tools: ["create_task"],
  mcp_servers: { shadcn: { command: "npx", args: ["-y", "shadcn"] } },
});
const inShort = z.array(only("name", "display_name", "acronym", "icon", "color", "description"));
const inFull = ["name", "display_name", "description", "acronym", ...Object.keys(persona), "disabled_tools"];
const all = z.unknown();
/** The name that both answer with. */
const name = { answer: only("name"), printed: only("name") };

export const disciplineRows = {
  list_disciplines: {
    given: [frontend],
    command: ["discipline", "list"],
    shows: {
      answer: z.looseObject({ disciplines: inShort }).transform(({ disciplines }) => disciplines),
      printed: inShort,
    },
  },
  get_discipline: {
    given: [frontend],
    call: { name: "frontend" },
    command: ["discipline", "show", "frontend"],
    shows: {
      answer: only(...inFull, "mcp_servers"),
      // Agents are told the names of servers alone.
      printed: only(...inFull, "mcp_servers").transform(({ mcp_servers, ...rest }) => ({
        ...rest,
        mcp_servers: Object.keys(z.looseObject({}).parse(mcp_servers)),
      })),
    },
  },
  create_discipline: {
    call: { name: "frontend", display_name: "Frontend", acronym: "FE", ...persona },
    command: [
      ...["discipline", "add", "frontend", "--display-name", "Frontend", "--acronym", "FE"],
      ...personaOptions,
    ],
    shows: name,
  },
  update_discipline: {
    call: { name: "general", display_name: "All else", ...persona },
    command: ["discipline", "set", "general", "--display-name", "All else", ...personaOptions],
    shows: name,
  },
  delete_discipline: {
    given: [frontend],
    command: ["discipline", "delete", "frontend"],
    shows: { answer: all, printed: all },
  },
} satisfies Record<string, Row>;
