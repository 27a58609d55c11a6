package io.weir.internal.extension;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/**
 * Logs where nothing may fail by its logger: a handler of the application may throw, and after an
 * application has ended so does the loading of a logger's classes.
 */
public final class NonThrowingLog {
  private NonThrowingLog() {}

  public static void log(Logger log, Level level, String text) {
    log(log, level, text, null);
  }

  public static void log(Logger log, Level level, String text, @Nullable Throwable cause) {
    run(() -> log.log(level, text, cause));
  }

  /** Returns false if the logger has thrown. */
  public static boolean tryLog(Logger log, Level level, String text) {
    return tryRun(() -> log.log(level, text));
  }

  /**
   * Runs something that may log, and ignores what the log throws, for example because a disk is
   * full.
   */
  public static void run(Runnable logging) {
    boolean unused = tryRun(logging);
  }

  private static boolean tryRun(Runnable logging) {
    try {
      logging.run();
      return true;
    } catch (RuntimeException | Error broken) {
      return false;
    }
  }
}
