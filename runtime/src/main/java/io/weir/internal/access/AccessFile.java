package io.weir.internal.access;

import io.weir.access.AccessEntry;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code weir.access.file} when it has changed. A file that can't be used leaves the last one
 * in force, which is logged once: one that is missing, has no entry, or is being written.
 *
 * <p>Confine to one thread at a time.
 */
final class AccessFile {
  private static final long MAX_BYTES = 64L << 20;

  private final Path path;
  private final AccessLog log;
  private @Nullable Stamp seen;
  private @Nullable Stamp read;
  private boolean isUsable;

  /** Changes with the file. */
  private record Stamp(FileTime modified, long size, @Nullable Object key) {}

  /** A file that can't be used, with the reason. */
  private static final class Unusable extends Exception {
    private static final long serialVersionUID = 1L;

    Unusable(String reason) {
      super(reason);
    }
  }

  AccessFile(Path path, AccessLog log) {
    this.path = path;
    this.log = log;
  }

  Path path() {
    return path;
  }

  /**
   * Reads the file if it has changed, and has stayed the same since the call before; at the first
   * call at once.
   *
   * @return its entries; empty if they stay as they are
   */
  Optional<List<AccessEntry>> readChanged() {
    try {
      Stamp now = stamp();
      boolean isStable = seen == null || now.equals(seen);
      seen = now;
      if (isStable && !now.equals(read)) {
        isUsable = false;
        List<AccessEntry> entries = read(now);
        isUsable = true;
        return Optional.of(entries);
      }
      if (isUsable && now.equals(read)) {
        log.fileUsable(path);
      }
      return Optional.empty();
    } catch (Unusable unusable) {
      log.fileUnusable(path, String.valueOf(unusable.getMessage()));
      return Optional.empty();
    }
  }

  private List<AccessEntry> read(Stamp now) throws Unusable {
    String text = text(now);
    if (!now.equals(stamp())) {
      throw new Unusable("it is being written");
    }
    read = now; // it isn't read again before it changes, even if it can't be used
    if (!text.endsWith("\n")) {
      throw new Unusable("its last line has no end, as if it were still being written");
    }
    AccessFileText parsed = AccessFileText.parse(text);
    if (parsed.entries().isEmpty()) {
      AccessMistakes mistakes = parsed.mistakes();
      throw new Unusable("it has no entry" + (mistakes.areNone() ? "" : "; " + mistakes));
    }
    log.fileRead(path, parsed.entries().size(), parsed.mistakes());
    return parsed.entries();
  }

  private String text(Stamp now) throws Unusable {
    if (now.size() > MAX_BYTES) {
      throw new Unusable("it has more than 64 MiB");
    }
    try (InputStream in = Files.newInputStream(path)) {
      // Not readString, which fails as a whole for one malformed character in a comment.
      return new String(in.readNBytes((int) now.size()), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new Unusable("it can't be read: " + unreadable);
    }
  }

  private Stamp stamp() throws Unusable {
    try {
      BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
      if (!now.isRegularFile()) { // reading a pipe or a device may never end
        throw new Unusable("it isn't a file");
      }
      return new Stamp(now.lastModifiedTime(), now.size(), Objects.toString(now.fileKey()));
    } catch (IOException missing) {
      throw new Unusable("it can't be read: " + missing);
    }
  }
}
