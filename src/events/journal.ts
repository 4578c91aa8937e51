/**
 * The size of a database's -wal that triggers a checkpoint, and its largest size afterwards, in
 * bytes. A rebuild, or a reader that blocks checkpoints, can make it larger for a while.
 */
export const JOURNAL_BYTES = 4 * 1024 * 1024;
