package io.weir.internal.server.settings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;

/** The directory of a server, which only its owner may read. */
public final class DataDirectory {
  private static final Set<PosixFilePermission> OWNER =
      PosixFilePermissions.fromString("rwx------");

  private static final int SECRET_BYTES = 32;

  private DataDirectory() {}

  /**
   * Makes it, or closes it to others.
   *
   * @param directory where
   * @throws IOException if there can't be such a directory
   */
  public static void open(Path directory) throws IOException {
    boolean isPosix = directory.getFileSystem().supportedFileAttributeViews().contains("posix");
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

  /**
   * What callers are hashed with in the files of this directory, made the first time.
   *
   * @param directory the directory, which is open
   * @return the secret
   * @throws IOException if it can't be read or made
   */
  public static String secret(Path directory) throws IOException {
    Path file = directory.resolve("secret");
    if (!Files.exists(file)) {
      byte[] random = new byte[SECRET_BYTES];
      new SecureRandom().nextBytes(random);
      Files.writeString(file, HexFormat.of().formatHex(random), StandardOpenOption.CREATE_NEW);
    }
    return Files.readString(file).strip();
  }
}
