import { initProject } from "../../src/api/project.ts";
import type { Bench } from "../lib/bench.ts";
import { addSession } from "../lib/project.ts";
import { formatCount } from "../lib/report.ts";
import { signalboxMcp, startServer } from "../lib/server.ts";

export const tokens: Bench = {
  name: "tokens",
  async run({ scratch }) {
    const folder = scratch.path("project");
    await initProject(folder);
    const { listing } = await startServer(signalboxMcp(await addSession(folder)));
    // The answer of a server to tools/list, which startServer has seen to be no error.
    const { tools } = listing as { tools: { name: string }[] };
    const row = (name: string, value: unknown) => {
      const bytes = Buffer.byteLength(JSON.stringify(value));
      return [name, formatCount(bytes), formatCount(bytes / 4)];
    };
    return {
      title: "What tools/list costs the agent",
      how: "The result as JSON in UTF-8; a token is taken as four bytes.",
      columns: ["", "bytes", "tokens"],
      rows: [row("all", listing), ...tools.map((tool) => row(tool.name, tool))],
    };
  },
};
