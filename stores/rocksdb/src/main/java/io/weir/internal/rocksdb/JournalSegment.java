package io.weir.internal.rocksdb;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Set;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/**
 * Reads and writes one file of a {@link Journal}: a {@link ChecksummedFileHeader}, then records of
 * one size, each with a checksum. The file is mapped into memory, so records survive the end of
 * this process without a system call.
 *
 * <p><b>The head</b> holds the number of this use of the file, and how many records were synced.
 * The number only grows; checksums include it, so records of an earlier use aren't read again. The
 * head reaches the disk before any record of its use is written. So if a power cut leaves the head
 * of an earlier use, all records of that use are still there.
 *
 * <p><b>A record</b>, 64 bytes: checksum (4, CRC-32C of the number and all that follows), length of
 * the state (1), key (20), when the bucket expires in microseconds (8), state (up to 31).
 *
 * <p>Guarded by the journal, except {@link #force}.
 */
final class JournalSegment {
  static final int RECORD = 64;

  private static final long MAGIC = 0x57_45_49_52_4A_52_4E_32L; // WEIRJRN2
  private static final int CHECKSUM = 4;
  private static final int KEY_AT = CHECKSUM + 1;
  private static final int TIME_AT = KEY_AT + BucketKeyEncoder.LENGTH;
  private static final int STATE_AT = TIME_AT + Long.BYTES;
  private static final int ZEROS = 1 << 20;

  private final Path file;
  private final MappedByteBuffer buffer;
  private final DiskSync disk;
  private final ChecksummedFileHeader head;
  private final int capacity;
  private final CRC32C checksum = new CRC32C();
  private final ByteBuffer record = ByteBuffer.allocate(RECORD);
  private final ByteBuffer numbered = ByteBuffer.allocate(Long.BYTES);
  private int next;
  private volatile boolean spoiled;

  private JournalSegment(Path file, MappedByteBuffer buffer, DiskSync disk) {
    this.file = file;
    this.buffer = buffer;
    this.disk = disk;
    this.head = new ChecksummedFileHeader(buffer, MAGIC);
    this.capacity = (buffer.capacity() - ChecksummedFileHeader.BYTES) / RECORD;
  }

  interface Visitor {
    /** Visits the state of a bucket after a request, older records first. */
    void visit(byte[] key, long expiresAt, byte[] state) throws RocksDBException;
  }

  /**
   * Opens a file that an earlier process has written.
   *
   * @throws IOException if it can't be read or written
   * @throws DamagedJournalException if it is missing, or isn't a whole segment
   */
  static JournalSegment open(Path file, DiskSync disk) throws IOException {
    if (!file.toFile().exists()) {
      throw new DamagedJournalException(file.getFileName() + " is missing");
    }
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      if (channel.size() < ChecksummedFileHeader.BYTES + RECORD
          || channel.size() > Integer.MAX_VALUE) {
        throw new DamagedJournalException(file.getFileName() + " was cut off");
      }
      JournalSegment opened = map(file, channel, disk);
      if (!opened.head.isWhole()) {
        throw new DamagedJournalException("the head of " + file.getFileName() + " can't be read");
      }
      return opened;
    }
  }

  /**
   * Makes a file, replacing one that was never used.
   *
   * @param bytes its length; all of it is written, so that a full disk is noticed here
   * @throws IOException if it can't be written
   */
  static JournalSegment create(Path file, int bytes, DiskSync disk) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file,
            Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE),
            OwnerOnlyPermissions.file(file))) {
      fill(channel, bytes);
      return map(file, channel, disk);
    }
  }

  /** Returns whether a file begins like one of {@link #create}, complete or not. */
  static boolean isBegun(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      ByteBuffer magic = ByteBuffer.allocate(Long.BYTES);
      return channel.read(magic, 0) == Long.BYTES && magic.getLong(0) == MAGIC;
    }
  }

  /** Returns whether a file was never used: it is missing, empty, or full of zeros. */
  static boolean isBlank(Path file) throws IOException {
    if (!file.toFile().exists()) {
      return true;
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      ByteBuffer bytes = ByteBuffer.allocate(ZEROS);
      while (channel.read(bytes.clear()) > 0) {
        bytes.flip();
        while (bytes.hasRemaining()) {
          if (bytes.get() != 0) {
            return false;
          }
        }
      }
      return true;
    }
  }

  private static JournalSegment map(Path file, FileChannel channel, DiskSync disk)
      throws IOException {
    return new JournalSegment(
        file, channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size()), disk);
  }

  private static void fill(FileChannel channel, int bytes) throws IOException {
    ByteBuffer zeros = ByteBuffer.allocate(ZEROS);
    channel.truncate(0);
    for (long at = 0; at < bytes; at += zeros.limit()) {
      zeros.clear().limit((int) Math.min(ZEROS, bytes - at));
      long to = at;
      while (zeros.hasRemaining()) {
        to += channel.write(zeros, to);
      }
    }
    channel.force(true);
  }

  /** Returns the number of this use; the later of two segments has the larger one. */
  long number() {
    return head.number();
  }

  /** Returns the number of records that it has room for. */
  int capacity() {
    return capacity;
  }

  /** Returns the number of records that it holds. */
  int size() {
    return next;
  }

  /** Returns whether some of its records may never reach the disk, because a sync failed. */
  boolean isSpoiled() {
    return spoiled;
  }

  /**
   * Begins anew; earlier records are never read again.
   *
   * @param newNumber larger than that of every segment before
   * @throws java.io.UncheckedIOException if the head can't be synced; try again before adding a
   *     record
   */
  void begin(long newNumber) {
    spoiled = true;
    next = 0;
    head.begin(newNumber);
    disk.mapped(file, buffer, ChecksummedFileHeader.BYTES);
    spoiled = false;
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
    buffer.put(ChecksummedFileHeader.BYTES + next * RECORD, record.array(), 0, length);
    next++;
  }

  private int checksum(byte[] bytes, int end) {
    checksum.reset();
    checksum.update(numbered.putLong(0, number()).array());
    checksum.update(bytes, CHECKSUM, end - CHECKSUM);
    return (int) checksum.getValue();
  }

  /**
   * Reads the records of an earlier process. A record that was being written when the process was
   * killed isn't damage, nor is an unsynced record that a power cut has lost. Later records are
   * read all the same, since each holds the whole state of its bucket.
   *
   * @return how many a power cut has lost; the caller reports it
   * @throws DamagedJournalException if a synced one can't be read
   */
  int read(Visitor visitor) throws RocksDBException {
    int unread = 0;
    int lost = 0;
    byte[] bytes = new byte[RECORD];
    for (int at = 0; at < capacity; at++) {
      buffer.get(ChecksummedFileHeader.BYTES + at * RECORD, bytes);
      byte[] state = state(bytes);
      if (state == null) {
        if (at < head.synced()) {
          throw new DamagedJournalException(
              "record " + at + " of " + file.getFileName() + " can't be read");
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

  /** Empty if it isn't a record of this use. */
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

  /**
   * Syncs the first records to the disk. Any thread may call it. After a failure the segment is
   * {@linkplain #isSpoiled spoiled}.
   *
   * @throws java.io.UncheckedIOException if that fails
   */
  void force(int records) {
    try {
      disk.mapped(file, buffer, ChecksummedFileHeader.BYTES + records * RECORD);
    } catch (RuntimeException | Error failed) {
      spoiled = true;
      throw failed;
    }
  }

  /** Notes that so many records are on the disk. */
  void markSynced(int records) {
    if (records > head.synced()) {
      head.note(records);
    }
  }
}
