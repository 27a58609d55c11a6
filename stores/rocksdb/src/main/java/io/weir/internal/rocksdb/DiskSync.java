package io.weir.internal.rocksdb;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/**
 * Syncs files to the disk. Everything that Weir syncs goes through this seam, so that tests can
 * make it fail and know what a power cut would leave.
 *
 * <p>Safe for concurrent use.
 */
interface DiskSync {
  DiskSync SYSTEM =
      new DiskSync() {
        @Override
        public void mapped(Path file, MappedByteBuffer buffer, int bytes) {
          buffer.force(0, bytes);
        }

        @Override
        public void log(RocksDB database) throws RocksDBException {
          database.flushWal(true);
        }

        @Override
        public void directory(Path directory) throws IOException {
          if (FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
            try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
              channel.force(true);
            }
          }
        }
      };

  /**
   * Syncs the beginning of a mapped file.
   *
   * @param bytes how many bytes, from the first one
   * @throws java.io.UncheckedIOException if they can't be written; the system may take them for
   *     written from then on, so a later success says nothing of them
   */
  void mapped(Path file, MappedByteBuffer buffer, int bytes);

  /** Syncs the log of a database, with all that was written so far. */
  void log(RocksDB database) throws RocksDBException;

  /** Syncs a directory, so that its new files are found after a power cut. */
  void directory(Path directory) throws IOException;
}
