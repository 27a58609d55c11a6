package io.weir.aspectj;

import io.weir.internal.extension.SafeLog;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Warns, once for each method, of calls that count by address in threads that work for no request.
 *
 * <p>Safe for concurrent use.
 */
final class NoCallerWarning {
  private static final Logger LOG = System.getLogger(NoCallerWarning.class.getName());

  /** Names of methods, so there are never more than the application's code has. */
  private static final Set<String> WARNED = ConcurrentHashMap.newKeySet();

  private NoCallerWarning() {}

  /** Takes note of such a call. */
  static void note(String method) {
    if (WARNED.add(method)) {
      boolean unused =
          SafeLog.tryLog(
              LOG,
              Level.WARNING,
              method
                  + " counts by address, and was called in a thread that works for no request: all"
                  + " such calls share one bucket. Call it in the thread of the request, count by a"
                  + " parameter (by = KEY, key = \"param:…\"), or count all calls together (by ="
                  + " ENDPOINT) (logged once)");
    }
  }
}
