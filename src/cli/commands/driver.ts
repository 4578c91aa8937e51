import { type Command, InvalidArgumentError } from "commander";
import { name as driverName } from "../../events/types/fields.ts";
import { recover } from "../../loop/drivers/recovery.ts";
import { beat, isAlive, listDrivers, signOff } from "../../loop/drivers/registry.ts";
import { print, printJson, printTable, quoteLine } from "../../terminal/output.ts";
import {
  type CommonOptions,
  guarded,
  parseId,
  projectOptions,
  readModelPath,
  withProject,
  writingOptions,
} from "../command.ts";

export function addDriver(program: Command): void {
  const group = program
    .command("driver")
    .description("drivers: their signs of life, and what dead ones left open");
  addBeat(group);
  addList(group);
  addStop(group);
  addRecover(group);
}

function addBeat(group: Command): void {
  projectOptions(
    group
      .command("beat")
      .description("give a sign of life; sessions that name the driver are its own until it is gone")
      .argument("<driver>", "its name, of this run alone", parseDriver)
      .option(
        "--pid <pid>",
        "the process whose life is the driver's (absent: that which runs this command)",
        parseId,
      ),
  )
    .addHelpText("after", "\nExample:\n  signalbox driver beat d-1 --pid $$")
    .action((driver: string, options: CommonOptions & { pid?: number }) =>
      guarded(async () => {
        const path = readModelPath(options);
        beat(path, driver, options.pid ?? process.ppid);
        if (options.json) printJson({ driver, alive: isAlive(path, driver) });
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
      .description("sign off: what the driver still has open can be recovered at once")
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

function addRecover(group: Command): void {
  writingOptions(
    group
      .command("recover")
      .description("end the sessions of drivers that are gone, as cancelled, and their agents"),
    "driver",
  )
    .addHelpText("after", "\nExample:\n  signalbox driver recover --json")
    .action((options: CommonOptions) =>
      guarded(() =>
        withProject(options, async (project) => {
          const recovered = await recover(project, readModelPath(options));
          if (options.json) {
            printJson(recovered.map(({ agentRan, ...rest }) => ({ ...rest, agent_ran: agentRan })));
          } else if (recovered.length === 0) print("Nothing was left open.");
          for (const { session, task, driver, agentRan } of options.json ? [] : recovered) {
            print(
              `Session ${session} of task ${task} was ended as cancelled${agentRan ? ", its agent too" : ""}; its driver ${quoteLine(driver)} is gone.`,
            );
          }
        }),
      ),
    );
}

function parseDriver(text: string): string {
  if (!driverName.safeParse(text).success) {
    throw new InvalidArgumentError(
      "It must be a short name without control characters or blanks at its ends.",
    );
  }
  return text;
}
