import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { type Channel, ChannelError, ConfigError, errorMessage, platform, shorten } from "./core.ts";
import { plainLine, textOf, titleOf } from "./text.ts";

const run = promisify(execFile);

/**
 * Shows each message as a notification on this machine. Texts are arguments of a program, never part of a script.
 *
 * @throws ConfigError: this system has neither notify-send nor osascript
 */
export function desktopChannel(environment: NodeJS.ProcessEnv = process.env): Channel {
  const { system } = platform();
  if (system === "win32") {
    throw new ConfigError(
      "A channel of kind desktop needs notify-send (Linux) or osascript (macOS), which Windows does not have. Use another kind.",
    );
  }
  const { file, argsOf } = system === "darwin" ? appleScript : notifySend;
  return {
    async send(message, signal) {
      const args = argsOf(titleOf(message), textOf(message, BODY_LIMIT_BYTES));
      try {
        await run(file, args, { env: environment, signal, timeout: LIMIT_MS, killSignal: "SIGKILL" });
      } catch (cause) {
        throw new ChannelError(`${file} ${reasonOf(cause, file)}`, { cause });
      }
    },
  };
}

const LIMIT_MS = 10_000;
/** Longer ones are cut off by the desktop. */
const BODY_LIMIT_BYTES = 1_000;

interface Notifier {
  readonly file: string;
  readonly argsOf: (title: string, body: string) => readonly string[];
}

const notifySend: Notifier = {
  file: "notify-send",
  argsOf: (title, body) => ["--app-name=signalbox", "--", title, asMarkup(body)],
};

/** The body may have markup, and notify-send itself reads `\n` in it as the end of a line. */
function asMarkup(text: string): string {
  return text
    .replaceAll("\\", "\\\\")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}

const appleScript: Notifier = {
  file: "osascript",
  argsOf: (title, body) => [
    ...["-e", "on run argv"],
    ...["-e", "display notification (item 2 of argv) with title (item 1 of argv)"],
    ...["-e", "end run", title, body],
  ],
};

function reasonOf(error: unknown, file: string): string {
  const { code, killed, stderr = "" } = error as { code?: unknown; killed?: boolean; stderr?: string };
  if (code === "ENOENT") {
    return file === "notify-send"
      ? "is not installed. Install it (the package libnotify-bin, or libnotify)."
      : "is not on the PATH.";
  }
  if (code === "ABORT_ERR") return "was stopped.";
  if (killed) return `did not end within ${LIMIT_MS / 1_000} seconds.`;
  const words = shorten(plainLine(stderr.trim() || errorMessage(error)), 200);
  return typeof code === "number" ? `failed with exit code ${code}: ${words}.` : `could not run: ${words}.`;
}
