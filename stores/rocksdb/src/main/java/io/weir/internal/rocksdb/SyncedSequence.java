package io.weir.internal.rocksdb;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/**
 * Keeps the sequence number up to which the database's log was synced, in a file beside it. It
 * distinguishes a log that a power cut has shortened from a damaged one: only the first one still
 * reaches that number.
 *
 * <p>The file itself is never synced: an older number is weaker, but not wrong.
 */
final class SyncedSequence {
  private static final String FILE = "synced";
  private static final long MAGIC = 0x57_45_49_52_53_59_4E_31L; // WEIRSYN1

  private final ChecksummedFileHeader head;

  private SyncedSequence(ChecksummedFileHeader head) {
    this.head = head;
  }

  /** Opens the file of a directory; makes it if there is no readable one. */
  static SyncedSequence open(Path directory) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            directory.resolve(FILE),
            Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE),
            OwnerOnlyPermissions.file(directory))) {
      MappedByteBuffer buffer =
          channel.map(FileChannel.MapMode.READ_WRITE, 0, ChecksummedFileHeader.BYTES);
      ChecksummedFileHeader head = new ChecksummedFileHeader(buffer, MAGIC);
      if (!head.isWhole()) {
        head.begin(1);
      }
      return new SyncedSequence(head);
    }
  }

  /** Returns the number noted last; 0 if none was. */
  long noted() {
    return head.synced();
  }

  /** Notes that all writes up to a number were synced. */
  void note(long sequence) {
    if (sequence > head.synced()) {
      head.note(sequence);
    }
  }
}
