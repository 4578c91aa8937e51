import { Command } from "commander";

/** What is wrong with a text that is not an id: see `parseId`. */
export const NOT_AN_ID = "It must be a whole number, 1 or higher.";

/** A command whose errors are a sentence on the value that was given, then the command that prints its help. */
export class PlainCommand extends Command {
  /** What is typed, where it asks for no help; absent: anything. */
  typed: readonly string[] | undefined;

  override createCommand(name?: string): PlainCommand {
    const command = new PlainCommand(name);
    command.typed = this.typed;
    return command;
  }

  override error(message: string, options?: { exitCode?: number; code?: string }): never {
    this.#refuseMisspelt();
    return super.error(`${this.#reworded(message)}\nSee \`${pathOf(this)} --help\`.`, options);
  }

  /**
   * A group's default command would take a misspelt command for its argument, or complain of an option of the command that
   * was meant.
   */
  #refuseMisspelt(): void {
    const group = this.parent;
    // Called by its own name, it was not taken as the default.
    if (!group || group.args[0] === this.name()) return;
    // Until its options are parsed, only the group has its arguments.
    const word = [group.args[0], this.args[0]].find((one) => one !== undefined && !one.startsWith("-"));
    // Those that take an argument take a number.
    if (word === undefined || (this.registeredArguments.length > 0 && /^\d/.test(word))) return;
    const names = group.commands.map((command) => command.name());
    group.error(`error: unknown command '${word}'. The commands are ${names.join(", ")}`);
  }

  #reworded(message: string): string {
    const [, value, name, right] = BAD_ARGUMENT.exec(message) ?? [];
    if (name !== undefined) {
      const kind = right === NOT_AN_ID ? this.#kindOf(name) : undefined;
      return kind === undefined
        ? `error: '${value}' is not a valid <${name}>. ${right}`
        : `error: '${value}' is not a ${kind} number`;
    }
    return message.replace(BAD_OPTION, "error: '$2' is not valid for $1.");
  }

  /** What an argument is the id of, such as task; undefined where its words do not say so. */
  #kindOf(name: string): string | undefined {
    const argument = this.registeredArguments.find((one) => one.name() === name);
    return name === "gate" ? name : /^the (\w+)'s id\b/.exec(argument?.description ?? "")?.[1];
  }
}

/** False for a command of a group of which only the name is wanted: its arguments and options take time to make. */
export function mayRun(group: Command, name: string, isDefault = false): boolean {
  const typed = group instanceof PlainCommand ? group.typed : undefined;
  return isDefault || typed === undefined || typed.includes(name);
}

const BAD_ARGUMENT = /^error: command-argument value '(.*)' is invalid for argument '(.*?)'\. (.*)$/s;
const BAD_OPTION = /^error: option '(?:-\w, )?(--[\w-]+).*?' argument '(.*)' is invalid\./s;

/** `signalbox task show`. */
function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}
