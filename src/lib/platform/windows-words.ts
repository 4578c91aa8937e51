/**
 * One argument as programs take their command line apart (CommandLineToArgvW): in quotes if necessary, backslashes doubled
 * before a quote.
 */
export function quoted(argument: string): string {
  if (argument !== "" && !/[\s"]/.test(argument)) return argument;
  return inQuotes(argument);
}

/**
 * The arguments of cmd.exe that run a batch file. cmd reads the line once, and once more where the batch file hands its
 * arguments on (`%*`), as npm's do: each character that means something to it is escaped for both.
 */
export function batchArguments(file: string, args: readonly string[]): string[] {
  const words = [escaped(file), ...args.map((argument) => escaped(escaped(inQuotes(argument))))];
  return ["/d", "/s", "/c", `"${words.join(" ")}"`];
}

function inQuotes(argument: string): string {
  return `"${argument.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, "$1$1")}"`;
}

function escaped(word: string): string {
  return word.replace(/[()\][%!^"`<>&|;, *?]/g, "^$&");
}
