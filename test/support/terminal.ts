import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import headless from "@xterm/headless";
import { onTestFinished } from "vitest";
import { packagePath } from "../../src/package-root.ts";

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

/** A program on a pseudo terminal. */
export interface OnTerminal {
  readonly terminal: TextTerminal;
  readonly process: ChildProcess;
  /** Types keys. */
  type(keys: string): void;
  /** Resolves as soon as the screen shows the text, or with what it shows at its end. */
  shows(text: string): Promise<string>;
  /** Waits until the program has ended: its exit code. */
  ended(): Promise<number | null>;
  /** The process id of the program itself. */
  programId(): Promise<number>;
}

/** Runs `signalbox …` as a user does who types it: on a terminal of 80 × 24. */
export function signalboxOnTerminal(
  args: readonly string[],
  {
    cwd,
    env = {},
    columns = 80,
    rows = 24,
  }: { cwd: string; env?: Record<string, string>; columns?: number; rows?: number },
): OnTerminal {
  const terminal = new TextTerminal(columns, rows);
  // The shell tells its own process id, which exec makes the program's.
  const program = `${process.execPath} ${packagePath("bin/signalbox.js")} ${args.join(" ")}`;
  const command = `stty cols ${columns} rows ${rows}; echo pid=$$; exec ${program}`;
  const child = spawn("script", ["-qefc", command, "/dev/null"], {
    cwd,
    env: { PATH: process.env.PATH ?? "", TERM: "xterm-256color", SHELL: "/bin/sh", ...env },
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
    while (!(await look()) && !over) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  return {
    terminal,
    process: child,
    type: (keys) => void child.stdin.write(keys),
    async shows(text) {
      await until(async () => (await terminal.text()).includes(text));
      return terminal.text();
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
