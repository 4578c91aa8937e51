/**
 * How large the -wal of a database gets before it is checkpointed, and how large it may stay afterwards, in bytes. A
 * rebuild or a reader that holds up checkpoints makes it larger for a while.
 */
export const JOURNAL_BYTES = 4 * 1024 * 1024;
