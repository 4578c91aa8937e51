/**
 * The program. An agent's server is started far more often than anything else, so `signalbox mcp` goes its own short
 * way and loads nothing of the rest.
 *
 * @param argv as in `process.argv`
 */
export async function main(argv: readonly string[]): Promise<void> {
  if (argv[2] === "mcp" && argv.length === 3) {
    const { serve } = await import("./commands/mcp-serve.ts");
    await serve({});
  } else {
    // A reader that goes away (`signalbox log | head`) is no error.
    process.stdout.on("error", (error: NodeJS.ErrnoException) =>
      process.exit(error.code === "EPIPE" ? 0 : 1),
    );
    const { createProgram } = await import("./program.ts");
    const program = await createProgram(argv[2]);
    await program.parseAsync([...argv]);
  }
}
