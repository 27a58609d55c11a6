package io.weir.internal.guard;

import io.weir.internal.extension.NonThrowingLog;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Warns once for each method that counts by address and is called in threads that serve no request.
 *
 * <p>Safe for concurrent use.
 */
final class NoCallerWarning {
  private static final Logger LOG = System.getLogger("io.weir.aspectj.WovenCall");

  /** Names of methods, whose number the application's code limits. */
  private static final Set<String> WARNED = ConcurrentHashMap.newKeySet();

  private NoCallerWarning() {}

  static void warn(String method) {
    if (WARNED.add(method)) {
      NonThrowingLog.log(
          LOG,
          Level.WARNING,
          method
              + " counts by address, but was called in a thread that serves no request: all such"
              + " calls share one bucket. Call it in the thread of the request, count by a"
              + " parameter (by = KEY, key = \"param:…\"), or count all calls together (by ="
              + " ENDPOINT) (logged once)");
    }
  }
}
