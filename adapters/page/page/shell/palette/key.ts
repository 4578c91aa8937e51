/** The key that opens the palette. */
export const PALETTE_KEY = "Ctrl-k";
