package io.weir.internal.server.settings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** The directory of a server, which only its owner may read. */
public final class DataDirectory {
  private static final Set<PosixFilePermission> OWNER =
      PosixFilePermissions.fromString("rwx------");

  private DataDirectory() {}

  /**
   * Makes it, or closes it to others.
   *
   * @param directory where
   * @throws IOException if there can't be such a directory
   */
  public static void open(Path directory) throws IOException {
    boolean isPosix =
        directory.getFileSystem().supportedFileAttributeViews().contains("posix");
    if (Files.isDirectory(directory)) {
      if (isPosix && !Files.getPosixFilePermissions(directory).equals(OWNER)) {
        Files.setPosixFilePermissions(directory, OWNER);
      }
      return;
    }
    Path parent = directory.toAbsolutePath().getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    if (isPosix) {
      Files.createDirectory(directory, PosixFilePermissions.asFileAttribute(OWNER));
    } else {
      Files.createDirectory(directory);
    }
  }
}
