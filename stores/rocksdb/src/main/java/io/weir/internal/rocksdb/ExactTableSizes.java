package io.weir.internal.rocksdb;

/**
 * Sizes of what is kept for exactly counted buckets.
 *
 * @param inMemory the approximate number of buckets in memory, some hundred bytes each
 * @param journalBytes the length of each of the two files of the journal; with longer files, busy
 *     buckets are written to the database less often
 */
record ExactTableSizes(int inMemory, int journalBytes) {
  /** Room for half a million changes per file, which busy buckets make in a second or two. */
  static final ExactTableSizes USUAL = new ExactTableSizes(1 << 17, 32 << 20);
}
