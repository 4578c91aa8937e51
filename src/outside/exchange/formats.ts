/** The formats that can be imported besides an exported log. */
export const formats = ["ralph", "prd", "backlog", "beads"] as const;
export type Format = (typeof formats)[number];
