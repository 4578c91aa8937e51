import { Command } from "commander";

/** What is wrong with a text that is not an id: see `parseId`. */
export const NOT_AN_ID = "It must be a whole number, 1 or higher.";

/** A command whose errors are a sentence on the value that was given, then the command that prints its help. */
export class PlainCommand extends Command {
  override createCommand(name?: string): PlainCommand {
    return new PlainCommand(name);
  }

  override error(message: string, options?: { exitCode?: number; code?: string }): never {
    return super.error(`${this.#reworded(message)}\nSee \`${pathOf(this)} --help\`.`, options);
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

const BAD_ARGUMENT = /^error: command-argument value '(.*)' is invalid for argument '(.*?)'\. (.*)$/s;
const BAD_OPTION = /^error: option '(?:-\w, )?(--[\w-]+).*?' argument '(.*)' is invalid\./s;

/** `signalbox task show`. */
function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}
