package io.weir.internal.server.settings;

import io.weir.InvalidSettingException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;
import java.util.stream.Stream;

/** The directory of a server, which only its owner may read. */
public final class DataDirectory {
  private static final Set<PosixFilePermission> OWNER =
      PosixFilePermissions.fromString("rwx------");
  private static final FileAttribute<?> OWNER_FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  /** The names of what is in it. */
  static final String BUCKETS = "buckets";

  static final String RULES = "rules";

  private static final String SECRET = "secret";
  private static final int SECRET_BYTES = 32;
  private static final Logger LOG = System.getLogger("io.weir");

  private DataDirectory() {}

  /**
   * Makes it, or closes it to others.
   *
   * @param directory where
   * @throws InvalidSettingException if there can't be such a directory
   */
  public static void open(Path directory) {
    try {
      make(directory);
    } catch (FileAlreadyExistsException other) {
      throw new InvalidSettingException(
          ServerSettings.DATA + ": " + other.getFile() + " is no directory");
    } catch (IOException impossible) {
      throw unusable(directory, impossible);
    }
  }

  private static void make(Path directory) throws IOException {
    boolean isPosix = isPosix(directory);
    if (Files.isDirectory(directory)) {
      if (isPosix && !OWNER.containsAll(Files.getPosixFilePermissions(directory))) {
        closeToOthers(directory);
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

  private static boolean isPosix(Path place) {
    return place.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  /** Not one that isn't Weir's alone: it may be /tmp. */
  private static void closeToOthers(Path directory) throws IOException {
    boolean isOwn;
    try (Stream<Path> files = Files.list(directory)) {
      isOwn = files.map(each -> each.getFileName().toString()).allMatch(DataDirectory::isOwn);
    }
    if (isOwn) {
      Files.setPosixFilePermissions(directory, OWNER);
    } else {
      LOG.log(
          Level.WARNING,
          ServerSettings.DATA
              + ": others may read "
              + directory
              + ", which has other files in it; a directory of its own is closed to them");
    }
  }

  private static boolean isOwn(String file) {
    return file.equals(SECRET) || file.equals(BUCKETS) || file.startsWith(RULES + ".");
  }

  /**
   * What callers are hashed with in the files of this directory, made the first time.
   *
   * @param directory the directory, which is open
   * @return the secret
   * @throws InvalidSettingException if it can't be read or made
   */
  public static String secret(Path directory) {
    Path file = directory.resolve(SECRET);
    try {
      if (!Files.exists(file)) {
        byte[] random = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(random);
        if (isPosix(file)) {
          Files.createFile(file, OWNER_FILE);
        } else {
          Files.createFile(file);
        }
        Files.writeString(file, HexFormat.of().formatHex(random));
      }
      String secret = Files.readString(file).strip();
      if (secret.isEmpty()) { // whoever made it was killed before it wrote, or the disk was full
        throw new InvalidSettingException(
            ServerSettings.DATA + ": " + file + " is empty; remove it, and it is made anew");
      }
      return secret;
    } catch (IOException impossible) {
      throw unusable(file, impossible);
    }
  }

  /** Names the place, which messages of exceptions leave out, or have nothing else. */
  private static InvalidSettingException unusable(Path path, IOException why) {
    String place = path.toString();
    String reason = why.toString();
    if (why instanceof FileSystemException failed) {
      place = failed.getFile() == null ? place : failed.getFile();
      reason = failed.getReason() == null ? reason : failed.getReason();
    }
    if (why instanceof AccessDeniedException) {
      reason = "may not be written or read by this user";
    }
    return new InvalidSettingException(ServerSettings.DATA + ": " + place + ": " + reason);
  }
}
