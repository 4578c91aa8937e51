import { z } from "zod";
import { name as driverName } from "../../events/types/fields.ts";
import { quoteLine, tableLines } from "../../lib/terminal/output.ts";
import { recover } from "../../loop/drivers/recovery.ts";
import { beat, listDrivers, signOf, signOff } from "../../loop/drivers/registry.ts";
import { readModelPath } from "../making/command.ts";
import { defineCommand, defineOutside } from "../making/project-command.ts";

const input = z.strictObject({ driver: driverName });
const parsed = {
  parse: (text: string) => driverName.parse(text),
  must: "It must be a short name without control characters or blanks at its ends.",
};

/** Signs of life are files. */
const giveSign = defineOutside({
  input: input.extend({ pid: z.int().min(1).optional() }),
  run({ driver, pid = process.ppid }, options) {
    const path = readModelPath(options);
    beat(path, driver, pid);
    return { driver, alive: signOf(path, driver)?.alive ?? false };
  },
  command: {
    name: "beat",
    does: "give a sign of life; it keeps the driver's sessions from being recovered",
    takes: {
      driver: ["<driver>", "a name unique to this run", parsed],
      pid: ["--pid <pid>", "the driver's process id (default: the caller's)"],
    },
    example: "d-1 --pid $$",
    says: ({ driver }) => `Driver ${quoteLine(driver)} is alive.`,
  },
});

const list = defineOutside({
  input: z.strictObject({}),
  run: (_input, options) => listDrivers(readModelPath(options)),
  command: {
    name: "list",
    isDefault: true,
    does: "list drivers that have not signed off",
    takes: {},
    example: "--json",
    says: (drivers) =>
      tableLines(
        ["driver", "alive", "process", "last sign"],
        drivers.map(({ driver, alive, host, pid, silent_ms }) => [
          quoteLine(driver),
          alive ? "yes" : "no",
          `${pid} on ${quoteLine(host)}`,
          `${Math.round(silent_ms / 1_000)} s ago`,
        ]),
      ),
  },
});

const stop = defineOutside({
  input,
  run({ driver }, options) {
    signOff(readModelPath(options), driver);
    return { driver, alive: false };
  },
  command: {
    name: "stop",
    does: "sign off: the driver's open sessions can be recovered at once",
    takes: { driver: ["<driver>", "its name", parsed] },
    example: "d-1",
    says: ({ driver }) => `Driver ${quoteLine(driver)} has signed off.`,
  },
});

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
              `Session ${session} ${task === null ? "without a task" : `of task ${task}`} was ended as cancelled${agent_ran ? ", its agent too" : ""}; ${host_lost ? "its host was declared lost" : `its driver ${quoteLine(driver ?? "")} is gone`}.`,
          ),
  },
});

export const drivers = {
  name: "driver",
  does: "drivers: signs of life, and recovery of sessions of dead drivers",
  has: [giveSign, list, stop, recovery],
};
