package io.weir.compat.redis.fault;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts what passes a proxy while it is being watched.
 *
 * <p>Safe for concurrent use.
 */
final class ProxiedCallCounter {
  private final AtomicLong calls = new AtomicLong();
  private final AtomicLong answers = new AtomicLong();
  private final AtomicLong turnedAway = new AtomicLong();
  private final AtomicLong said = new AtomicLong();
  private volatile String word = "";

  /** Begins anew: counts replies that have this word, an error's first one or its SQLSTATE. */
  void watch(String error) {
    word = error;
    calls.set(0);
    answers.set(0);
    turnedAway.set(0);
    said.set(0);
  }

  void called() {
    calls.incrementAndGet();
  }

  void answered(byte[] reply, boolean script) {
    if (script) {
      answers.incrementAndGet();
    }
    String looked = word;
    if (!looked.isEmpty() && says(new String(reply, ISO_8859_1), looked)) {
      said.incrementAndGet();
    }
  }

  private static boolean says(String reply, String error) {
    return reply.contains(error + " ") || reply.contains("C" + error + "\0");
  }

  /** A caller found no server behind the proxy, or one that never said anything. */
  void turnedAway() {
    turnedAway.incrementAndGet();
  }

  /**
   * Returns the number of replies with the word; without a word, of calls that weren't answered.
   */
  long seen() {
    return word.isEmpty()
        ? turnedAway.get() + Math.max(0, calls.get() - answers.get())
        : said.get();
  }
}
