package io.weir.internal.rocksdb;

/** Thrown if the content of a journal can't be read. */
final class DamagedJournalException extends RuntimeException {
  private static final long serialVersionUID = 1;

  DamagedJournalException(String message) {
    super(message);
  }
}
