/** SQL for the first argument of a signal: the summary, the question, … @param payload the column, such as `g.payload` */
export function firstArgument(payload: string): string {
  const keys = ["summary", "reason", "question", "what", "text", "on"];
  return `coalesce(${keys.map((key) => `${payload} ->> '${key}'`).join(", ")})`;
}
