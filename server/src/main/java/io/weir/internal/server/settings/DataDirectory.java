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

/** Creates the directory of the embedded store and database, which only its owner may read. */
public final class DataDirectory {
  private static final Set<PosixFilePermission> OWNER =
      PosixFilePermissions.fromString("rwx------");
  private static final FileAttribute<?> OWNER_FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  /** The name of the store in the directory. */
  static final String BUCKETS = "buckets";

  /** The name of the database in the directory. */
  static final String RULES = "rules";

  private static final String SECRET = "secret";
  private static final int SECRET_BYTES = 32;
  private static final Logger LOG = System.getLogger("io.weir");

  private DataDirectory() {}

  /**
   * Creates the directory, or makes an existing one private.
   *
   * @throws InvalidSettingException if it can't be created
   */
  public static void open(Path directory) {
    try {
      create(directory);
    } catch (FileAlreadyExistsException other) {
      throw new InvalidSettingException(
          ServerSettings.DATA.name() + ": " + other.getFile() + " isn't a directory");
    } catch (IOException impossible) {
      throw unusable(directory, impossible);
    }
  }

  private static void create(Path directory) throws IOException {
    boolean isPosix = isPosix(directory);
    if (Files.isDirectory(directory)) {
      if (isPosix && !OWNER.containsAll(Files.getPosixFilePermissions(directory))) {
        makePrivate(directory);
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

  private static boolean isPosix(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  /** Leaves a directory with other files as it is: it may be /tmp. */
  private static void makePrivate(Path directory) throws IOException {
    boolean isOwn;
    try (Stream<Path> files = Files.list(directory)) {
      isOwn = files.map(each -> each.getFileName().toString()).allMatch(DataDirectory::isOwn);
    }
    if (isOwn) {
      Files.setPosixFilePermissions(directory, OWNER);
    } else {
      LOG.log(
          Level.WARNING,
          ServerSettings.DATA.name()
              + ": other users may read "
              + directory
              + ", because it also contains files of other programs; use a directory of its own");
    }
  }

  private static boolean isOwn(String file) {
    return file.equals(SECRET) || file.equals(BUCKETS) || file.startsWith(RULES + ".");
  }

  /**
   * Returns the secret with which the names of callers are hashed in the files of this directory;
   * generates it the first time.
   *
   * @param directory the directory, which exists
   * @throws InvalidSettingException if it can't be read or created
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
      if (secret.isEmpty()) { // the process was killed before it wrote, or the disk was full
        throw new InvalidSettingException(
            ServerSettings.DATA.name()
                + ": "
                + file
                + " is empty; remove it, and a new one is generated");
      }
      return secret;
    } catch (IOException impossible) {
      throw unusable(file, impossible);
    }
  }

  /** Names the file and the reason, of which exceptions often have only one in their message. */
  private static InvalidSettingException unusable(Path path, IOException why) {
    String place = path.toString();
    String reason = why.toString();
    if (why instanceof FileSystemException failed) {
      place = failed.getFile() == null ? place : failed.getFile();
      reason = failed.getReason() == null ? reason : failed.getReason();
    }
    if (why instanceof AccessDeniedException) {
      reason = "this user may not read or write it";
    }
    return new InvalidSettingException(ServerSettings.DATA.name() + ": " + place + ": " + reason);
  }
}
