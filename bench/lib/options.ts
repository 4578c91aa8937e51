import { parseArgs } from "node:util";

export interface Options {
  /** Names of the benches to run; empty for all. */
  readonly only: readonly string[];
  /** A fraction of the runs, to see that everything works; the figures are worth little. */
  readonly quick: boolean;
  /** Sizes of the logs that are rebuilt; the largest is also the long log of `length`. */
  readonly events: readonly number[];
  /** Where the files are made; absent: under node_modules/.cache. */
  readonly folder: string | undefined;
  /** How many servers the bench `servers` starts on one project, in turn. */
  readonly servers: readonly number[];
  /** How long that bench has 50 of them make a call every second. */
  readonly seconds: number;
  /** A commit with which this checkout is compared. */
  readonly compare: string | undefined;
  /** The one bench that this process runs, for another one. */
  readonly one: string | undefined;
  readonly help: boolean;
}

export const HELP = `node bench/run.mjs [options]

  --only NAMES      only these benches, e.g. append,stdio
  --quick           few runs: shows that it works, the figures are worth little
  --events COUNTS   sizes of the logs to rebuild; the largest is the long log of \`length\`
                    (default 100000,1000000; with --quick 5000,20000)
  --servers COUNTS  servers on one project, for \`servers\` (default 1,4,16,64; with --quick 1,4)
  --seconds NUMBER  how long its paced servers, and those of \`hosts\`, run (default 180; with --quick 10)
  --compare COMMIT  build that commit beside this checkout, and run both by turns
  --folder FOLDER   make the files there; it must be on a disk
`;

export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: "string" },
      quick: { type: "boolean", default: false },
      events: { type: "string" },
      servers: { type: "string" },
      seconds: { type: "string" },
      folder: { type: "string" },
      compare: { type: "string" },
      one: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  const events = (values.events ?? (values.quick ? "5000,20000" : "100000,1000000")).split(",").map(Number);
  if (!events.every((count) => Number.isSafeInteger(count) && count >= 1_000)) {
    throw new Error("--events takes whole numbers from 1000 on, separated by commas.");
  }
  const servers = (values.servers ?? (values.quick ? "1,4" : "1,4,16,64")).split(",").map(Number);
  const seconds = Number(values.seconds ?? (values.quick ? 10 : 180));
  if (![...servers, seconds].every((count) => Number.isSafeInteger(count) && count >= 1)) {
    throw new Error("--servers and --seconds take whole numbers from 1 on.");
  }
  return {
    only: values.only?.split(",") ?? [],
    quick: values.quick,
    events: events.sort((a, b) => a - b),
    folder: values.folder,
    compare: values.compare,
    one: values.one,
    servers,
    seconds,
    help: values.help,
  };
}
