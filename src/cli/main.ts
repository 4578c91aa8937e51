/**
 * The program. An agent's server is started far more often than anything else, so `signalbox mcp` and `signalbox mcp
 * --via` go their own short ways and load nothing of the rest.
 *
 * @param argv as in `process.argv`
 */
export async function main(argv: readonly string[]): Promise<void> {
  if (argv[2] === "mcp" && argv.length === 3) {
    const { serve } = await import("./commands/mcp-serve.ts");
    await serve({});
  } else if (argv[2] === "mcp" && argv[3] === "--via" && argv[4] && argv.length === 5) {
    const { via } = await import("./commands/mcp-via.ts");
    await via(argv[4]);
  } else {
    // A reader that goes away (`signalbox log | head`) is no error.
    process.stdout.on("error", (error: NodeJS.ErrnoException) =>
      process.exit(error.code === "EPIPE" ? 0 : 1),
    );
    const { createProgram } = await import("./program.ts");
    const program = await createProgram(argv[2], argv.slice(2));
    await program.parseAsync([...argv]);
  }
}
