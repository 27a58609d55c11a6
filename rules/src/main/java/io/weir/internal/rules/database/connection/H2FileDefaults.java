package io.weir.internal.rules.database.connection;

import io.weir.internal.rules.database.OwnerOnlyAttributes;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Locale;
import org.h2.engine.SysProperties;

/**
 * Determines how an H2 in a file is opened by default: other processes of this machine reach it
 * while it runs, with a password that stands in a file beside it.
 */
final class H2FileDefaults {
  /** The user of the password, if the settings name none. */
  static final String USER = "weir";

  private static final String PREFIX = "jdbc:h2:file:";
  private static final String BIND_ADDRESS = "h2.bindAddress";
  private static final String LOOPBACK = "127.0.0.1";
  private static final Logger LOG = System.getLogger("io.weir");
  private static final int PASSWORD_BYTES = 24;

  private H2FileDefaults() {}

  static boolean is(String url) {
    return url.toLowerCase(Locale.ROOT).startsWith(PREFIX);
  }

  /**
   * Adds defaults to an address, unless it has others: other processes reach the file, by loopback
   * alone. H2 reads where to listen once, so where other code used it before us and let it listen
   * on all interfaces, the file is ours alone. And nothing is traced into a file beside it, where
   * failed statements would name users. A commit is written before it is confirmed: by itself H2
   * writes half a second later, and a process that is killed in between loses it.
   */
  static String shared(String given) {
    String upper = given.toUpperCase(Locale.ROOT);
    String url = upper.contains(";TRACE_LEVEL_FILE=") ? given : given + ";TRACE_LEVEL_FILE=0";
    if (!upper.contains(";WRITE_DELAY=")) {
      url += ";WRITE_DELAY=0";
    }
    if (upper.contains(";AUTO_SERVER=") || upper.contains(";FILE_LOCK=")) {
      return url;
    }
    if (System.getProperty(BIND_ADDRESS) == null) {
      System.setProperty(BIND_ADDRESS, LOOPBACK);
    }
    if (LOOPBACK.equals(SysProperties.BIND_ADDRESS)) {
      return url + ";AUTO_SERVER=TRUE";
    }
    LOG.log(
        Level.WARNING,
        "While this application runs no other process can open the rules' H2 file, as H2 wouldn't"
            + " listen on loopback alone; -Dh2.bindAddress=127.0.0.1 lets others open it");
    return url;
  }

  static Path passwordFile(String url) {
    return file(url, ".password");
  }

  private static Path file(String url, String ending) {
    String path = url.substring(PREFIX.length()).split(";", 2)[0];
    String home = System.getProperty("user.home", ".");
    return Path.of((path.startsWith("~") ? home + path.substring(1) : path) + ending);
  }

  /** Reads the password, or makes one the first time, which several processes may do at once. */
  static String password(String url) throws IOException {
    Path file = passwordFile(url).toAbsolutePath();
    if (!Files.exists(file)) {
      Files.createDirectories(file.getParent());
      makeDatabase(url); // before others, which wait for the password, may open it
      make(file);
    }
    return Files.readString(file).strip();
  }

  /**
   * Makes an empty file, which H2 uses as a new database: other users could read a file of H2's
   * own.
   */
  private static void makeDatabase(String url) throws IOException {
    Path file = file(url, ".mv.db").toAbsolutePath();
    if (!url.toUpperCase(Locale.ROOT).contains(";IFEXISTS=")) {
      try {
        Files.createFile(file, OwnerOnlyAttributes.in(file));
      } catch (FileAlreadyExistsException another) {
        // there is a database
      }
    }
  }

  private static void make(Path file) throws IOException {
    byte[] random = new byte[PASSWORD_BYTES];
    new SecureRandom().nextBytes(random);
    Path draft =
        Files.createTempFile(file.getParent(), "weir", ".tmp", OwnerOnlyAttributes.in(file));
    try {
      Files.writeString(draft, HexFormat.of().formatHex(random), StandardOpenOption.WRITE);
      // The name appears with its content, and never twice.
      Files.createLink(file, draft);
    } catch (FileAlreadyExistsException another) {
      // another process has made it meanwhile
    } finally {
      Files.delete(draft);
    }
  }
}
