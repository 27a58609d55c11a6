package io.weir.internal.rocksdb;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.MappedByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/**
 * A disk that remembers of each file what was synced last, and leaves a copy of a directory as a
 * power cut may leave it: what was synced, and of what was written later any part. Files whose
 * length is fixed have each sector as it was before or after; of the log, which grows, each later
 * sector may be there, missing or zeros.
 *
 * <p>RocksDB syncs all its other files itself before it relies on them.
 *
 * <p>Safe for concurrent use.
 */
final class PowerCut implements DiskSync {
  private static final int SECTOR = 512;

  private final Path directory;
  private final Consumer<String> moment;

  /** By name of the file; each is one of what the disk may have had without a further sync. */
  private final Map<String, byte[]> synced = new HashMap<>();

  private boolean isDirectorySynced;

  /**
   * Watches a directory.
   *
   * @param moment is run before and after each sync, by whatever thread syncs
   */
  PowerCut(Path directory, Consumer<String> moment) {
    this.directory = directory;
    this.moment = moment;
  }

  @Override
  public void mapped(Path file, MappedByteBuffer buffer, int bytes) {
    String name = file.getFileName().toString();
    moment.accept("before " + name);
    SYSTEM.mapped(file, buffer, bytes);
    synchronized (this) {
      byte[] image = synced.computeIfAbsent(name, any -> new byte[buffer.capacity()]);
      int sectors = Math.min(image.length, (bytes + SECTOR - 1) / SECTOR * SECTOR);
      buffer.get(0, image, 0, sectors);
    }
    moment.accept("after " + name);
  }

  @Override
  public void log(RocksDB database) throws RocksDBException {
    moment.accept("before the log");
    SYSTEM.log(database);
    synchronized (this) {
      for (Path file : files()) {
        if (isLog(file)) {
          synced.put(file.getFileName().toString(), read(file));
        }
      }
    }
    moment.accept("after the log");
  }

  @Override
  public void directory(Path synced) throws IOException {
    moment.accept("before the directory");
    SYSTEM.directory(synced);
    synchronized (this) {
      isDirectorySynced = true;
    }
    moment.accept("after the directory");
  }

  /** Copies the directory as a cut at this moment may leave it. */
  synchronized void leave(Path copy, Random random) {
    try {
      Files.createDirectories(copy);
      Kept kept = Kept.values()[random.nextInt(Kept.values().length)];
      for (Path file : files()) {
        String name = file.getFileName().toString();
        byte[] now = read(file);
        if (isLog(file)) {
          now = grown(synced.getOrDefault(name, new byte[0]), now, kept, random);
        } else if (name.endsWith(".journal") || name.equals("synced")) {
          if (!isDirectorySynced && random.nextBoolean()) {
            continue;
          }
          byte[] before = synced.getOrDefault(name, new byte[now.length]);
          now = overwritten(before, now, kept, random);
        }
        Files.write(copy.resolve(name), now);
      }
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  /** The share of unsynced data that survives. */
  private enum Kept {
    ALL,
    NOTHING,
    THE_BEGINNING,
    ANYTHING
  }

  private static byte[] overwritten(byte[] before, byte[] now, Kept kept, Random random) {
    byte[] left = before.clone();
    int beginning = random.nextInt(now.length);
    for (int at = 0; at < now.length; at += SECTOR) {
      if (isKept(kept, at < beginning, random)) {
        System.arraycopy(now, at, left, at, Math.min(SECTOR, now.length - at));
      }
    }
    return left;
  }

  private static byte[] grown(byte[] before, byte[] now, Kept kept, Random random) {
    int beginning = before.length + random.nextInt(now.length - before.length + 1);
    byte[] left = kept == Kept.NOTHING ? before.clone() : now.clone();
    for (int at = before.length; at < left.length; at = (at / SECTOR + 1) * SECTOR) {
      if (!isKept(kept, at < beginning, random)) {
        Arrays.fill(left, at, Math.min(left.length, (at / SECTOR + 1) * SECTOR), (byte) 0);
      }
    }
    return kept == Kept.THE_BEGINNING ? Arrays.copyOf(left, beginning) : left;
  }

  private static boolean isKept(Kept kept, boolean isBeginning, Random random) {
    return switch (kept) {
      case ALL -> true;
      case NOTHING -> false;
      case THE_BEGINNING -> isBeginning;
      case ANYTHING -> random.nextBoolean();
    };
  }

  private static boolean isLog(Path file) {
    return file.toString().endsWith(".log");
  }

  private List<Path> files() {
    try (Stream<Path> all = Files.list(directory)) {
      return new ArrayList<>(all.filter(Files::isRegularFile).toList());
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  private static byte[] read(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (NoSuchFileException removed) {
      return new byte[0];
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }
}
