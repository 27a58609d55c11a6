package io.weir.internal.engine;

import io.weir.Decision;
import io.weir.Outcome;
import io.weir.Ticker;
import io.weir.internal.extension.RequestCountLog;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Logs how many requests policies in shadow mode would have refused: the first at once, then at
 * most one line a minute for each policy. Doesn't log callers.
 *
 * <p>Safe for concurrent use.
 */
final class ShadowLog {
  private final Ticker ticker;

  /** By the names of policies, whose number the application bounds. */
  private final Map<String, RequestCountLog> logs = new ConcurrentHashMap<>();

  ShadowLog(Ticker ticker) {
    this.ticker = ticker;
  }

  void decided(Decision part) {
    if (part.outcome() == Outcome.SHADOW_REFUSED) {
      long now = ticker.nanoTime();
      logs.computeIfAbsent(part.policy().name(), name -> log(name, now)).add(now);
    }
  }

  private static RequestCountLog log(String policy, long now) {
    return new RequestCountLog(
        "Policy " + policy + " is in shadow mode; it would have refused ", ".", now);
  }
}
