package io.weir.internal.rocksdb;

/**
 * How much of the exactly counted buckets is kept at hand.
 *
 * @param inMemory about how many buckets are in memory, some hundred bytes each
 * @param journalBytes how long each of the two files of the journal is; a longer one has busy
 *     buckets written to the database less often
 */
record ExactSizes(int inMemory, int journalBytes) {
  /** Half a million changes, which busy buckets make in a second or two. */
  static final ExactSizes USUAL = new ExactSizes(1 << 17, 32 << 20);
}
