package io.weir.internal.access;

import io.weir.internal.extension.NonThrowingLog;
import io.weir.internal.extension.RequestCountLog;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Logs what happens to access lists, and how many requests they decide: the first at once, then at
 * most one line a minute. Doesn't log callers.
 *
 * <p>Safe for concurrent use.
 */
final class AccessLog {
  private static final Logger LOG = System.getLogger("io.weir");

  private final RequestCountLog denied;
  private final RequestCountLog wouldAllow;

  /** The trouble of files that was logged and hasn't ended. */
  private final Map<Path, String> troubles = new ConcurrentHashMap<>();

  /** The mistakes of the last time, by their source. */
  private final Map<String, String> ignored = new ConcurrentHashMap<>();

  /** Begins at a time in nanoseconds of the application's clock. */
  AccessLog(long now) {
    denied = new RequestCountLog("The access list denied ", ".", now);
    wouldAllow =
        new RequestCountLog(
            "Entries of the access list in shadow mode would have let ", " through.", now);
  }

  void fileUnusable(Path file, String reason) {
    if (!reason.equals(troubles.put(file, reason))) {
      log(
          Level.WARNING,
          "weir.access.file: "
              + file
              + " isn't used: "
              + reason
              + ". The entries that it had before, if any, still apply (logged once)");
    }
  }

  void fileUsable(Path file) {
    troubles.remove(file);
  }

  void fileRead(Path file, int entries, AccessMistakes mistakes) {
    log(Level.INFO, "weir.access.file: " + file + " has " + entries + " entries");
    ignored("weir.access.file: lines of " + file, mistakes);
  }

  /** Logs entries that are ignored, with the reasons, unless they are those of the last time. */
  void ignored(String source, AccessMistakes mistakes) {
    String text = mistakes.toString();
    boolean isNew = !text.equals(ignored.put(source, text));
    if (isNew && !mistakes.areNone()) {
      log(Level.WARNING, source + ": ignored, while all other entries hold: " + text);
    }
  }

  void lateOnJaxrs() {
    log(
        Level.WARNING,
        "The first access list was set while the application runs: resources of JAX-RS that"
            + " nothing limits follow it after a restart. Set weir.access.deny or weir.access.file,"
            + " even to nothing, to have them follow at once");
  }

  void denied(long now) {
    denied.add(now);
  }

  void wouldAllow(long now) {
    wouldAllow.add(now);
  }

  private static void log(Level level, String text) {
    NonThrowingLog.log(LOG, level, text);
  }
}
