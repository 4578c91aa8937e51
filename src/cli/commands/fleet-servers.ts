import { resolve } from "node:path";
import type { Command } from "commander";
import type { ServerFault } from "../../adapters.ts";
import { initProject, prepareFolder } from "../../api/project.ts";
import { systemEnvironment } from "../../decisions/system-environment.ts";
import { operating } from "../../events/open-log.ts";
import { pc, print, printJson, quoteLine } from "../../lib/terminal/output.ts";
import { FleetError } from "../../outside/fleet/fleet-error.ts";
import { joinFleet, refusePassword } from "../../outside/fleet/join.ts";
import { leaveFleet } from "../../outside/fleet/leave.ts";
import { moveToFleet } from "../../outside/fleet/move.ts";
import { calledVia } from "../making/called-via.ts";
import { type CommonOptions, guarded, readModelPath, warn } from "../making/command.ts";

interface Options extends CommonOptions {
  readonly title?: string;
  readonly anyway?: boolean;
}

const EXAMPLE_URL = "'postgres://shop@db1.example,db2.example/fleet?schema=shop'";

/** The commands that make a log on PostgreSQL, bring projects to it, and look after its servers. */
export function addServers(fleet: Command): void {
  const withUrl = (name: string, does: string, example = EXAMPLE_URL) =>
    fleet
      .command(name)
      .description(does)
      .argument("<url>", "postgres://USER@HOST[,HOST2]:5432/DATABASE?schema=NAME; without a password")
      .option("--json", "print JSON for machines")
      .addHelpText(
        "after",
        `\nPasswords come from ~/.pgpass, or from the file that PGPASSFILE names.\n\nExample:\n  signalbox fleet ${name} ${example}`,
      );
  const anyway = (command: Command) =>
    command.option("--anyway", "although something about the servers breaks a promise");

  withUrl("create", "make an empty log on a PostgreSQL, with the roles of its hosts").action(
    onUrl(async (url, options: Options) => {
      const { createPostgresLog, hostGrants } = await operating();
      await createPostgresLog(url);
      const { facts, faults: all } = await serversAt(url);
      // An operator needs the rights that a host must not have.
      const faults = all.filter(({ what }) => what !== "rights");
      if (options.json)
        return printJson({
          url: facts.url,
          faults,
          grants: hostGrants(facts.schema),
        });
      print(`${pc.green("✓")} Made a log: ${facts.url}`);
      print("  give each host a login of its own, on the server:");
      for (const line of hostGrants(facts.schema)) print(`    ${line}`);
      print(`  then, where the project is: signalbox fleet move '${facts.url}'`);
      print(`  and on each other host:     signalbox fleet join '${facts.url}'`);
      print("  without a project to move, the first host that joins begins one");
      warnOf(faults);
    }),
  );

  anyway(withUrl("join", "let this folder work on a log that is on a PostgreSQL"))
    .option("--db <path>", "the read model's file, or the project's folder (default: this folder)")
    .option("--title <text>", "the project's title, if the log is empty: this host then begins it")
    .action(
      onUrl(async (url, options: Options) => {
        const faults = await requireSound(url, options);
        const folder = resolve(options.db ?? ".");
        const joined = await joinFleet(prepareFolder(folder), url, systemEnvironment());
        // Also what clients need here.
        const begun = await initProject(folder, { title: options.title, via: calledVia() });
        if (options.json) return printJson({ ...joined, begun });
        print(
          `${pc.green("✓")} ${folder} works on ${joined.url}: ${begun ? "a new project" : `${joined.head} events`}`,
        );
        print(`  next: signalbox ${begun ? "task add 'Your first task'" : "status"}`);
        warnOf(faults);
      }),
    );

  anyway(
    withUrl("move", "carry this project's log from its file to a PostgreSQL; can be run again after a kill"),
  )
    .option("--db <path>", "the read model's file (default: the nearest .ralph/ in this folder or above)")
    .action(
      onUrl(async (url, options: Options) => {
        // Only an owner carries events over as they are.
        const faults = await requireSound(url, options, "rights");
        const moved = await moveToFleet(readModelPath(options), url, systemEnvironment());
        if (options.json) return printJson(moved);
        print(`${pc.green("✓")} Moved ${moved.events} events to ${moved.url}, all unchanged`);
        print("  programs that have the project open must be started again");
        if (faults.some(({ what }) => what === "rights"))
          print("  next, with this host's own login: signalbox fleet join URL");
        warnOf(faults);
      }),
    );

  fleet
    .command("leave")
    .description("carry this project's log back to its file; can be run again after a kill")
    .argument("[url]", "the log's URL with a login that owns it (default: log.url of the configuration)")
    .option("--db <path>", "the read model's file (default: the nearest .ralph/ in this folder or above)")
    .option("--json", "print JSON for machines")
    .addHelpText(
      "after",
      "\nThe other hosts cannot go on: only one host works on a file.\n\nExample:\n  signalbox fleet leave " +
        EXAMPLE_URL.replace("shop@", "shop_admin@"),
    )
    .action((url: string | undefined, options: Options) =>
      guarded(async () => {
        if (url !== undefined) refusePassword(url);
        const left = await leaveFleet(readModelPath(options), url, systemEnvironment());
        if (options.json) return printJson(left);
        if (left.from === null)
          return print(`The log is the file ${left.path} already: ${left.events} events`);
        print(
          `${pc.green("✓")} Carried ${left.events} events from ${left.from} to ${left.path}, all unchanged`,
        );
        print("  programs that have the project open must be started again");
        if (left.others.length > 0) {
          const others = left.others.map(({ host, name }) => `${quoteLine(name, 40)} (${host})`).join(", ");
          print(`  these hosts cannot go on, since only one host works on a file: ${others}`);
          print("    stop their drivers, then end what they left open: signalbox fleet lost HOST");
        }
        print(
          "  the server keeps what it had, and takes no events any more; its operator may drop the schema",
        );
      }),
    );

  withUrl(
    "promote",
    "make the standby that has received most the primary, after the primary died",
    "'postgres://postgres@db1.example,db2.example,db3.example/fleet'",
  )
    .addHelpText("after", "\nName all servers, the dead one too, and a login that is a superuser.")
    .action(
      onUrl(async (url, options: Options) => {
        const { promoteStandby } = await operating();
        const promoted = await promoteStandby(url);
        if (options.json) return printJson(promoted);
        print(`${pc.green("✓")} ${promoted.name} takes appends now; ${promoted.standbys} standbys follow it`);
        for (const { schema, epoch } of promoted.logs) print(`  log ${schema}: epoch ${epoch}`);
      }),
    );

  withUrl(
    "level",
    "let only programs of this level and later append, once every host has one",
    `${EXAMPLE_URL} 1`,
  )
    .argument("<level>", "the new level; `signalbox fleet status` shows the present one")
    .action(
      onUrl(async (url, level: string, options: Options) => {
        const { raiseLevel } = await operating();
        const raised = await raiseLevel(url, Number(level));
        if (options.json) printJson(raised);
        else print(`${pc.green("✓")} The log takes programs of level ${raised.level} and later`);
      }),
    );
}

/** What a command does with its URL, unless that holds a password. */
function onUrl<Rest extends readonly unknown[]>(act: (url: string, ...rest: Rest) => Promise<void>) {
  return (url: string, ...rest: Rest) =>
    guarded(async () => {
      refusePassword(url);
      await act(url, ...rest);
    });
}

/** What a log's servers are, and what breaks a promise. */
async function serversAt(url: string) {
  const { lookAtServers, serverFaults } = await operating();
  const facts = await lookAtServers(url, Date.now);
  return { facts, faults: serverFaults(facts) };
}

/** @throws FleetError `server`: it breaks a promise, and nobody said to go on */
async function requireSound(
  url: string,
  { anyway }: Options,
  allowed?: ServerFault["what"],
): Promise<readonly ServerFault[]> {
  const { facts, faults } = await serversAt(url);
  const fault = faults.find(({ what }) => what !== allowed);
  if (!fault || anyway) return faults;
  throw new FleetError(
    "server",
    `At ${facts.url} ${fault.found}. ${fault.mend} To go on all the same, add --anyway.`,
  );
}

function warnOf(faults: readonly ServerFault[]): void {
  for (const { found, mend } of faults) warn(`${found}. ${mend}`);
}
