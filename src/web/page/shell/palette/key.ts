/** The key that opens the palette, and closes it. */
export const PALETTE_KEY = "Ctrl-k";
