/** An answer that tells the agent what was wrong, what would be right and what to do next. */
export class ToolRefusal extends Error {
  override readonly name = "ToolRefusal";
}
