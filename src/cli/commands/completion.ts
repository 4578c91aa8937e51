import { Argument, type Command } from "commander";
import { quoteLine } from "../../lib/terminal/output.ts";
import { type Completed, type Completion, complete } from "../completion/candidates.ts";
import { type Shell, scripts, shells } from "../completion/scripts.ts";
import { splitLine } from "../completion/split-line.ts";

/** Written for commander: it prints a script. @param of whose command lines are completed */
export function addCompletion(program: Command, of: Completed): void {
  program
    .command("completion")
    .description(
      "print a script by which a shell completes commands, options, tasks, sessions and inbox items",
    )
    .addArgument(new Argument("<shell>", "the shell").choices(shells))
    .argument("[words...]", "given by the script: the line to complete, up to the cursor")
    .addHelpText("after", INSTALL)
    .action(async (shell: Shell, words: readonly string[]) => {
      process.stdout.write(words.length === 0 ? scripts[shell] : await answer(of, shell, words));
    });
}

const INSTALL = `
To install it:
  bash        add to ~/.bashrc: source <(signalbox completion bash)
  zsh         add to ~/.zshrc, after compinit: source <(signalbox completion zsh)
  fish        run once: signalbox completion fish > ~/.config/fish/completions/signalbox.fish
  PowerShell  add to $PROFILE: signalbox completion powershell | Out-String | Invoke-Expression

Example:
  signalbox completion bash`;

/** What a script reads; nothing to complete where anything fails: a shell shows no errors in the middle of a line. */
async function answer(of: Completed, shell: Shell, words: readonly string[]): Promise<string> {
  const { typed, kept } = typedIn(shell, words);
  try {
    return linesOf(await complete(of, typed.slice(0, -1), typed.at(-1) ?? ""), kept);
  } catch {
    return linesOf({ candidates: [] });
  }
}

/** Bash gives its line as it is; the others give the words, the last one behind a `+`, since PowerShell drops an empty one. */
function typedIn(shell: Shell, words: readonly string[]): { typed: string[]; kept: number } {
  if (shell === "bash") {
    const [line = "", breaks = ""] = words;
    const { words: before, current, kept } = splitLine(line, breaks);
    return { typed: [...before, current], kept };
  }
  // Fish gives the command itself, too.
  const typed = shell === "fish" ? words.slice(1) : words;
  return { typed: [...typed.slice(0, -1), (typed.at(-1) ?? "").slice(1)], kept: 0 };
}

function linesOf({ candidates, paths = undefined }: Completion, kept = 0): string {
  const lines = candidates
    // Of one that was typed up to its last colon nothing is left to insert.
    .filter(({ value }) => value.length > kept)
    .map(({ value, meaning }) => `${value.slice(kept)}\t${quoteLine(meaning, 60)}`);
  return [paths ?? "none", ...lines, ""].join("\n");
}
