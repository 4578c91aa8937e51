import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import headless from "@xterm/headless";
import { onTestFinished } from "vitest";
import { stateVariables } from "../../src/config/state-folder.ts";
import { packagePath } from "../../src/lib/package-root.ts";

/** A terminal without a window: what is written to it can be read as text. */
export class TextTerminal {
  readonly #terminal: InstanceType<typeof headless.Terminal>;
  /** Everything that was written, and how often. */
  readonly written: string[] = [];

  constructor(
    readonly columns = 80,
    readonly rows = 24,
  ) {
    this.#terminal = new headless.Terminal({ cols: columns, rows, allowProposedApi: true });
  }

  write(text: string): boolean {
    this.written.push(text);
    this.#terminal.write(text);
    return true;
  }

  /** The screen's lines, without the blanks at their ends, once all that was written is drawn. */
  async lines(): Promise<string[]> {
    await new Promise<void>((resolve) => this.#terminal.write("", resolve));
    const { active } = this.#terminal.buffer;
    return Array.from({ length: this.#terminal.rows }, (_, row) =>
      (active.getLine(active.viewportY + row)?.translateToString(true) ?? "").trimEnd(),
    );
  }

  async text(): Promise<string> {
    return (await this.lines()).join("\n");
  }

  /** True while the alternate screen is shown. */
  async isAlternate(): Promise<boolean> {
    await this.lines();
    return this.#terminal.buffer.active.type === "alternate";
  }

  resize(columns: number, rows: number): void {
    Object.assign(this, { columns, rows });
    this.#terminal.resize(columns, rows);
  }
}

/** So long a test waits for what never comes, before it says what there was instead. */
const PATIENCE_MS = 30_000;

/** A program on a pseudo terminal. */
export interface OnTerminal {
  readonly terminal: TextTerminal;
  readonly process: ChildProcess;
  /** Types keys. */
  type(keys: string): void;
  /** The screen, as soon as it shows the text. @throws if the program ends or half a minute passes without */
  shows(text: string): Promise<string>;
  /** Waits until the alternate screen was left so many times. */
  left(times: number): Promise<void>;
  /** Changes the size of the terminal. */
  resize(columns: number, rows: number): void;
  /** Waits until the program has ended: its exit code. */
  ended(): Promise<number | null>;
  /** The process id of the program itself. */
  programId(): Promise<number>;
}

/** Runs `signalbox …` as a user does who types it: on a terminal of 80 × 24. */
export function signalboxOnTerminal(args: readonly string[], place: TerminalPlace): OnTerminal {
  return onTerminal(`${process.execPath} ${packagePath("bin/signalbox.js")} ${args.join(" ")}`, place);
}

interface TerminalPlace {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
}

/** The same for another program, with its arguments as a shell reads them. */
export function onTerminal(
  program: string,
  { cwd, env = {}, columns = 80, rows = 24 }: TerminalPlace,
): OnTerminal {
  const terminal = new TextTerminal(columns, rows);
  // The shell tells its own process id, which exec makes the program's.
  const command = `stty cols ${columns} rows ${rows}; echo pid=$$ tty=$(tty); exec ${program}`;
  const child = spawn("script", ["-qefc", command, "/dev/null"], {
    cwd,
    env: {
      PATH: process.env.PATH ?? "",
      TERM: "xterm-256color",
      SHELL: "/bin/sh",
      ...stateVariables(process.env),
      ...env,
    },
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    terminal.write(text);
  });
  const closed = once(child, "close");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await closed;
  });
  let over = false;
  void closed.then(() => {
    over = true;
  });
  const until = async (look: () => Promise<boolean>) => {
    const end = Date.now() + PATIENCE_MS;
    while (!(await look()) && !over && Date.now() < end)
      await new Promise((resolve) => setTimeout(resolve, 20));
  };
  return {
    terminal,
    process: child,
    type: (keys) => void child.stdin.write(keys),
    async shows(text) {
      let screen = "";
      await until(async () => {
        screen = await terminal.text();
        return screen.includes(text);
      });
      if (!screen.includes(text)) throw new Error(`"${text}" was not shown:\n${screen}`);
      return screen;
    },
    async left(times) {
      await until(async () => output.split("\u001b[?1049l").length > times);
    },
    resize(newColumns, newRows) {
      terminal.resize(newColumns, newRows);
      const [, path = ""] = /tty=(\S+)/.exec(output) ?? [];
      execFileSync("stty", ["-F", path, "cols", String(newColumns), "rows", String(newRows)]);
    },
    async ended() {
      const [code] = await closed;
      return code;
    },
    async programId() {
      await until(async () => /pid=\d+/.test(output));
      return Number(/pid=(\d+)/.exec(output)?.[1]);
    },
  };
}
