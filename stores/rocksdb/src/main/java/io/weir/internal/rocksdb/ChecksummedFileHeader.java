package io.weir.internal.rocksdb;

import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.util.zip.CRC32C;

/**
 * Reads and writes the first 64 bytes of a mapped file: its type, its length, and two numbers in
 * two copies, each with a checksum. Copies are written one after the other, so one of them is
 * always whole when a process is killed. If neither is, the head was damaged.
 *
 * <p>Format: magic (8), length of the file (8), then twice: number (8), synced (8), CRC-32C of the
 * four (4), unused (4).
 *
 * <p>Guarded by its owner.
 */
final class ChecksummedFileHeader {
  static final int BYTES = 64;

  private static final int LENGTH = 8;
  private static final int FIRST = 16;
  private static final int SECOND = 40;
  private static final int CHECKED = 2 * Long.BYTES;

  private final MappedByteBuffer buffer;
  private final long magic;
  private final CRC32C checksum = new CRC32C();
  private final ByteBuffer checked = ByteBuffer.allocate(4 * Long.BYTES);
  private int newest = FIRST;
  private boolean whole;
  private long number;
  private long synced;

  /** Reads the head of a file, if it has one. */
  ChecksummedFileHeader(MappedByteBuffer buffer, long magic) {
    this.buffer = buffer;
    this.magic = magic;
    if (buffer.getLong(0) == magic && buffer.getLong(LENGTH) == buffer.capacity()) {
      read(FIRST);
      read(SECOND);
    }
  }

  private void read(int copy) {
    long itsNumber = buffer.getLong(copy);
    long itsSynced = buffer.getLong(copy + Long.BYTES);
    boolean isNewer = itsNumber > number || itsNumber == number && itsSynced >= synced;
    if (isNewer && buffer.getInt(copy + CHECKED) == checksum(itsNumber, itsSynced)) {
      newest = copy;
      number = itsNumber;
      synced = itsSynced;
      whole = true;
    }
  }

  private int checksum(long ofNumber, long ofSynced) {
    checksum.reset();
    checksum.update(
        checked
            .putLong(0, magic)
            .putLong(Long.BYTES, buffer.capacity())
            .putLong(2 * Long.BYTES, ofNumber)
            .putLong(3 * Long.BYTES, ofSynced)
            .array());
    return (int) checksum.getValue();
  }

  /** Returns whether the head is valid and the file still has the length that the head names. */
  boolean isWhole() {
    return whole;
  }

  /** Returns the number passed to {@link #begin}; 0 if it was never called. */
  long number() {
    return number;
  }

  /** Returns the position noted last since then. */
  long synced() {
    return synced;
  }

  /**
   * Writes both copies. Write the rest of the file only after this has reached the disk.
   *
   * @param newNumber larger than before
   */
  void begin(long newNumber) {
    buffer.putLong(0, magic).putLong(LENGTH, buffer.capacity());
    number = newNumber;
    note(0);
    note(0);
    whole = true;
  }

  /** Notes how far the file was synced, in the older copy. */
  void note(long upTo) {
    synced = upTo;
    newest = newest == FIRST ? SECOND : FIRST;
    buffer
        .putLong(newest, number)
        .putLong(newest + Long.BYTES, synced)
        .putInt(newest + CHECKED, checksum(number, synced));
  }
}
