package io.weir.internal.rocksdb;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/**
 * One file of a {@link Journal}: a head, then records of one size, each with a checksum. It is
 * mapped into memory, so what was put into it survives the end of this process without a call of
 * the system.
 *
 * <p><b>The head</b>: eight bytes of magic, the number of this use of the file twice, and up to
 * which record it was synced; eight bytes each. The number only grows; checksums begin with it, so
 * records of an earlier use aren't read again.
 *
 * <p><b>A record</b>, 64 bytes: checksum (4, CRC-32C of the number and all that follows), length of
 * the state (1), key (20), from when on the bucket is over in microseconds (8), state (up to 31).
 *
 * <p>Guarded by the journal, but for {@link #force}.
 */
final class JournalSegment {
  /** The bytes of a record, and of the head. */
  static final int RECORD = 64;

  private static final long MAGIC = 0x57_45_49_52_4A_52_4E_31L; // WEIRJRN1
  private static final int NUMBER = 8;
  private static final int NUMBER_AGAIN = 16;
  private static final int SYNCED = 24;
  private static final int CHECKSUM = 4;
  private static final int KEY_AT = CHECKSUM + 1;
  private static final int TIME_AT = KEY_AT + BucketKeys.LENGTH;
  private static final int STATE_AT = TIME_AT + Long.BYTES;
  private static final int ZEROS = 1 << 20;

  private final MappedByteBuffer buffer;
  private final int capacity;
  private final CRC32C checksum = new CRC32C();
  private final ByteBuffer record = ByteBuffer.allocate(RECORD);
  private final ByteBuffer numbered = ByteBuffer.allocate(Long.BYTES);
  private long number;
  private int next;

  private JournalSegment(MappedByteBuffer buffer) {
    this.buffer = buffer;
    this.capacity = buffer.capacity() / RECORD - 1;
    this.number = buffer.getLong(NUMBER);
  }

  /** What a record says. */
  interface Visitor {
    /** A bucket as it was after some request, older records first. */
    void visit(byte[] key, long expiresAt, byte[] state) throws RocksDBException;
  }

  /**
   * Opens a file, or makes one.
   *
   * @param bytes how long a new one is: all of it is written, so that a full disk is met here
   * @throws IOException if it can't be read or written
   * @throws DamagedJournalException if it isn't a journal
   */
  static JournalSegment open(Path file, int bytes) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
      long magic = magic(channel);
      if (magic == 0) { // new, or never finished
        fill(channel, bytes);
        writeMagic(channel);
      } else if (magic != MAGIC) {
        throw new DamagedJournalException(file.getFileName() + " doesn't begin as a journal");
      } else if (channel.size() < 2 * RECORD || channel.size() > Integer.MAX_VALUE) {
        throw new DamagedJournalException(file.getFileName() + " was cut off");
      }
      return new JournalSegment(
          channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size() / RECORD * RECORD));
    }
  }

  private static long magic(FileChannel channel) throws IOException {
    ByteBuffer head = ByteBuffer.allocate(Long.BYTES);
    return channel.read(head, 0) < Long.BYTES ? 0 : head.getLong(0);
  }

  private static void fill(FileChannel channel, int bytes) throws IOException {
    ByteBuffer zeros = ByteBuffer.allocate(ZEROS);
    channel.truncate(0);
    for (long at = 0; at < bytes; at += zeros.limit()) {
      zeros.clear().limit((int) Math.min(ZEROS, bytes - at));
      writeAll(channel, zeros, at);
    }
    channel.force(true);
  }

  private static void writeMagic(FileChannel channel) throws IOException {
    writeAll(channel, ByteBuffer.allocate(Long.BYTES).putLong(MAGIC).flip(), 0);
  }

  private static void writeAll(FileChannel channel, ByteBuffer from, long at) throws IOException {
    long to = at;
    while (from.hasRemaining()) {
      to += channel.write(from, to);
    }
  }

  /** Of two segments, the one with the larger number is the later one. */
  long number() {
    return number;
  }

  /** How many records have room. */
  int capacity() {
    return capacity;
  }

  /** How many records there are. */
  int size() {
    return next;
  }

  /**
   * Begins anew: what is in it is never read again.
   *
   * @param newNumber larger than that of every segment before
   */
  void begin(long newNumber) {
    buffer.putLong(SYNCED, 0);
    buffer.putLong(NUMBER, newNumber);
    buffer.putLong(NUMBER_AGAIN, newNumber);
    number = newNumber;
    next = 0;
  }

  /** Adds a record; there must be room. */
  void append(byte[] key, long expiresAt, byte[] state) {
    int length = STATE_AT + state.length;
    record
        .put(CHECKSUM, (byte) state.length)
        .put(KEY_AT, key)
        .putLong(TIME_AT, expiresAt)
        .put(STATE_AT, state)
        .putInt(0, checksum(record.array(), length));
    buffer.put((next + 1) * RECORD, record.array(), 0, length);
    next++;
  }

  private int checksum(byte[] bytes, int end) {
    checksum.reset();
    checksum.update(numbered.putLong(0, number).array());
    checksum.update(bytes, CHECKSUM, end - CHECKSUM);
    return (int) checksum.getValue();
  }

  /**
   * Reads all records, those of an earlier process. A record that was being written when that was
   * killed is no damage. Nor is one that was lost with the machine's power before it was synced;
   * those after it are read all the same, since each says all of its bucket.
   *
   * @return how many were lost with the power; the caller tells it
   * @throws DamagedJournalException if one that was synced can't be read
   */
  int read(Visitor visitor) throws RocksDBException {
    if (buffer.getLong(NUMBER_AGAIN) != number) {
      if (buffer.getLong(NUMBER_AGAIN) > number) {
        throw new DamagedJournalException("the head of a journal can't be read");
      }
      return 0; // was killed when it began anew
    }
    long synced = buffer.getLong(SYNCED);
    int unread = 0;
    int lost = 0;
    byte[] bytes = new byte[RECORD];
    for (int at = 0; at < capacity; at++) {
      buffer.get((at + 1) * RECORD, bytes);
      byte[] state = state(bytes);
      if (state == null) {
        if (at < synced) {
          throw new DamagedJournalException("record " + at + " of a journal can't be read");
        }
        unread++;
      } else {
        lost = unread;
        next = at + 1;
        visitor.visit(
            Arrays.copyOfRange(bytes, KEY_AT, TIME_AT),
            ByteBuffer.wrap(bytes).getLong(TIME_AT),
            state);
      }
    }
    return lost;
  }

  /** Nothing if it isn't a record of this use. */
  private byte @Nullable [] state(byte[] bytes) {
    int length = bytes[CHECKSUM];
    if (length < 0 || length > RECORD - STATE_AT) {
      return null;
    }
    int end = STATE_AT + length;
    return ByteBuffer.wrap(bytes).getInt(0) == checksum(bytes, end)
        ? Arrays.copyOfRange(bytes, STATE_AT, end)
        : null;
  }

  /** Has the system write it to the disk; by any thread. */
  void force() {
    buffer.force();
  }

  /** Notes that so many records were forced. */
  void synced(long ofNumber, int records) {
    if (number == ofNumber) {
      buffer.putLong(SYNCED, records);
    }
  }
}
