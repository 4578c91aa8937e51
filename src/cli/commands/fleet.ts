import type { Command } from "commander";
import { z } from "zod";
import { locationOf } from "../../config/locate-log.ts";
import { Refusal } from "../../decisions/refusal.ts";
import { describeLocation } from "../../events/log-location.ts";
import { quoteLine } from "../../lib/terminal/output.ts";
import { declareLost, requireSilent } from "../../loop/drivers/hosts.ts";
import { type HostView, viewHosts } from "../../outside/fleet/hosts.ts";
import { canAsk, confirmedByHand } from "../asking/questions.ts";
import { projectOptions, readModelPath } from "../making/command.ts";
import { addGroup } from "../making/operation-commands.ts";
import { defineCommand } from "../making/project-command.ts";
import { faultLines, hostLines, serverLines } from "../printing/fleet-lines.ts";
import { fleetWatchOf, silenceOf } from "../running/fleet-watch.ts";
import { addServers } from "./fleet-servers.ts";

/** The hosts that share a project's log, and the servers that keep it. */
export function addFleet(program: Command): void {
  const does = "the hosts that share a project's log, and the servers that keep it";
  addServers(addGroup(program, { name: "fleet", does, has: [status, lost] }));
}

const status = defineCommand({
  input: z.strictObject({}),
  mayLag: true,
  async run({ store }, _input, options) {
    const watch = await fleetWatchOf(options);
    if (watch) return watch.look(store);
    const log = describeLocation(await locationOf(readModelPath(options)));
    return { log, servers: null, hosts: await viewHosts(store, silenceOf(options)) };
  },
  options: projectOptions,
  command: {
    name: "status",
    isDefault: true,
    does: "show where the log is, its servers, what breaks a promise, the hosts and what is open there",
    takes: {},
    example: "--json",
    says: (view) => [
      ...(view.servers
        ? [...faultLines(view), ...serverLines(view)]
        : [`The log is the file ${view.log}: one host works on it.`]),
      ...hostLines(view.hosts),
    ],
  },
});

const lost = defineCommand({
  input: z.strictObject({
    host: z.string().min(1),
    force: z.boolean().optional(),
    yes: z.boolean().optional(),
  }),
  async run(project, { host: given, force = false, yes = false }, options) {
    const view = viewNamed(given, await viewHosts(project.store, silenceOf(options)));
    requireSilent(view, force);
    if (!yes) await askToEnd(view);
    const recovered = await declareLost(project, readModelPath(options), view);
    return { host: view.host, epoch: view.epoch, ended: recovered.map(({ session }) => session) };
  },
  command: {
    name: "lost",
    does: "declare a host lost: its open sessions end as cancelled, its gate runs as interrupted",
    note: "Its agents may still run until they notice. Nothing that they report then settles a task.",
    takes: {
      host: ["<host>", "its id, or its name if no other host has that"],
      force: ["--force", "also if it gives signs of life"],
      yes: ["--yes", "do not ask"],
    },
    example: "5b1c8a52-90d4-8e0f-a6a3-0c6f2f7d9a11",
    says: ({ host, ended }) => [
      `Host ${host} is lost.`,
      ...(ended.length === 0 ? [] : [`Ended as cancelled: ${ended.join(", ")}.`]),
    ],
  },
});

/** @throws Refusal `not_found`: no host, or several */
function viewNamed(given: string, views: readonly HostView[]): HostView {
  const found = views.filter(({ host, name }) => host === given || name === given);
  const [view] = found;
  if (view && found.length === 1) return view;
  const why =
    found.length === 0
      ? `There is no host ${quoteLine(given)}`
      : `${found.length} hosts have the name ${quoteLine(given)}: give the id of one`;
  throw new Refusal("not_found", `${why}. Run \`signalbox fleet status\` to see all hosts.`);
}

/** Shows what will end, and asks. @throws Refusal `not_possible`: there is nobody to ask, or it was declined */
async function askToEnd({ host, name, sessions, gate_runs }: HostView): Promise<void> {
  const what = [
    ...sessions.map(({ session }) => `session ${quoteLine(session, 60)}`),
    ...gate_runs.map((run) => `the gate run at ${run}`),
  ].join(", ");
  const ends = what === "" ? "Nothing is open there." : `This ends ${what}.`;
  const who = `Host ${host}${name === null ? "" : ` (${quoteLine(name, 40)})`}`;
  if (!canAsk()) throw new Refusal("not_possible", `${who}: ${ends} Add --yes to declare it lost.`);
  process.stderr.write(`${who}: ${ends}\n`);
  if (!(await confirmedByHand("Declare it lost?")))
    throw new Refusal("not_possible", "Not confirmed; nothing was recorded.");
}
