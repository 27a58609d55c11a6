package io.weir.internal.rocksdb;

/** What a journal holds can't be read. */
final class DamagedJournalException extends RuntimeException {
  private static final long serialVersionUID = 1;

  DamagedJournalException(String message) {
    super(message);
  }
}
