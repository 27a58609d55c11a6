package io.weir.internal.access;

import io.weir.internal.extension.NonThrowingLog;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Logs what happens to access lists, and how many requests they decide: the first at once, then at
 * most one line a minute. Doesn't log callers.
 *
 * <p>Safe for concurrent use.
 */
final class AccessLog {
  private static final Logger LOG = System.getLogger("io.weir");
  private static final long PAUSE = Duration.ofMinutes(1).toNanos();

  private final Tally denied = new Tally("The access list denied %s.");
  private final Tally wouldAllow =
      new Tally("Entries of the access list in shadow mode would have let %s through.");

  /** The trouble of files that was logged and hasn't ended. */
  private final Map<Path, String> troubles = new ConcurrentHashMap<>();

  /** What was ignored the last time, by its source. */
  private final Map<String, String> ignored = new ConcurrentHashMap<>();

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
    boolean unused = NonThrowingLog.tryLog(LOG, level, text);
  }

  /** Counts the requests since the last line. */
  private static final class Tally {
    private final String line;
    private final LongAdder requests = new LongAdder();
    private final AtomicLong next = new AtomicLong(Long.MIN_VALUE);

    Tally(String line) {
      this.line = line;
    }

    void add(long now) {
      requests.increment();
      long due = next.get();
      // Of several threads one writes the line.
      if ((due == Long.MIN_VALUE || now - due >= 0) && next.compareAndSet(due, now + PAUSE)) {
        long count = requests.sumThenReset();
        log(Level.INFO, line.replace("%s", count == 1 ? "1 request" : count + " requests"));
      }
    }
  }
}
