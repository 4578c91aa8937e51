import { type Command, InvalidArgumentError } from "commander";
import { z } from "zod";
import { name as driverName } from "../../events/types/fields.ts";
import { print, printJson, printTable, quoteLine } from "../../lib/terminal/output.ts";
import { recover } from "../../loop/drivers/recovery.ts";
import { beat, listDrivers, signOf, signOff } from "../../loop/drivers/registry.ts";
import { type CommonOptions, guarded, parseId, projectOptions, readModelPath } from "../making/command.ts";
import { addCommands } from "../making/operation-commands.ts";
import { defineCommand } from "../making/project-command.ts";

export function addDriver(program: Command): void {
  const group = program
    .command("driver")
    .description("drivers: signs of life, and recovery of sessions of dead drivers");
  addBeat(group);
  addList(group);
  addStop(group);
  addCommands(group, recovery);
}

function addBeat(group: Command): void {
  projectOptions(
    group
      .command("beat")
      .description("give a sign of life; it keeps the driver's sessions from being recovered")
      .argument("<driver>", "a name unique to this run", parseDriver)
      .option("--pid <pid>", "the driver's process id (default: the caller's)", parseId),
  )
    .addHelpText("after", "\nExample:\n  signalbox driver beat d-1 --pid $$")
    .action((driver: string, options: CommonOptions & { pid?: number }) =>
      guarded(async () => {
        const path = readModelPath(options);
        beat(path, driver, options.pid ?? process.ppid);
        if (options.json) printJson({ driver, alive: signOf(path, driver)?.alive ?? false });
        else print(`Driver ${quoteLine(driver)} is alive.`);
      }),
    );
}

function addList(group: Command): void {
  projectOptions(
    group.command("list", { isDefault: true }).description("list drivers that have not signed off"),
  )
    .addHelpText("after", "\nExample:\n  signalbox driver list --json")
    .action((options: CommonOptions) =>
      guarded(async () => {
        const drivers = listDrivers(readModelPath(options));
        if (options.json) printJson(drivers);
        else
          printTable(
            ["driver", "alive", "process", "last sign"],
            drivers.map(({ driver, alive, host, pid, silent_ms }) => [
              quoteLine(driver),
              alive ? "yes" : "no",
              `${pid} on ${quoteLine(host)}`,
              `${Math.round(silent_ms / 1_000)} s ago`,
            ]),
          );
      }),
    );
}

function addStop(group: Command): void {
  projectOptions(
    group
      .command("stop")
      .description("sign off: the driver's open sessions can be recovered at once")
      .argument("<driver>", "its name", parseDriver),
  )
    .addHelpText("after", "\nExample:\n  signalbox driver stop d-1")
    .action((driver: string, options: CommonOptions) =>
      guarded(async () => {
        signOff(readModelPath(options), driver);
        if (options.json) printJson({ driver, alive: false });
        else print(`Driver ${quoteLine(driver)} has signed off.`);
      }),
    );
}

const recovery = defineCommand({
  input: z.strictObject({}),
  async run(project, _input, options) {
    const recovered = await recover(project, readModelPath(options));
    return recovered.map(({ agentRan: agent_ran, hostLost, ...rest }) => ({
      ...rest,
      agent_ran,
      ...(hostLost && { host_lost: true }),
    }));
  },
  command: {
    name: "recover",
    does: "end the sessions of drivers that are gone, as cancelled, and their agents",
    actor: "driver",
    takes: {},
    example: "--json",
    says: (recovered) =>
      recovered.length === 0
        ? "Nothing was left open."
        : recovered.map(
            ({ session, task, driver, agent_ran, host_lost = false }) =>
              `Session ${session} of task ${task} was ended as cancelled${agent_ran ? ", its agent too" : ""}; ${host_lost ? "its host was declared lost" : `its driver ${quoteLine(driver ?? "")} is gone`}.`,
          ),
  },
});

function parseDriver(text: string): string {
  if (!driverName.safeParse(text).success) {
    throw new InvalidArgumentError(
      "It must be a short name without control characters or blanks at its ends.",
    );
  }
  return text;
}
