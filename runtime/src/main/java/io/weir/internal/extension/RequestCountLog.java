package io.weir.internal.extension;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Logs how many requests or callers something has happened to: the first at once, then at most one
 * line a minute. Safe for concurrent use.
 */
public final class RequestCountLog {
  private static final Logger LOG = System.getLogger("io.weir");
  private static final long PAUSE = Duration.ofMinutes(1).toNanos();

  private final Level level;
  private final String before;
  private final String noun;
  private final String after;
  private final LongAdder requests = new LongAdder();
  private final AtomicLong next;

  /**
   * Begins with no request.
   *
   * @param before the words of a line before the number of requests
   * @param after those after it
   * @param now nanoseconds of the clock that {@link #add} is given
   */
  public RequestCountLog(String before, String after, long now) {
    this(Level.INFO, before, "request", after, now);
  }

  /**
   * Does the same with another level, and another word for what is counted.
   *
   * @param noun the word in the singular
   */
  public RequestCountLog(Level level, String before, String noun, String after, long now) {
    this.level = level;
    this.before = before;
    this.noun = noun;
    this.after = after;
    this.next = new AtomicLong(now);
  }

  /** Counts a request, and logs those since the last line if that is a minute ago. */
  public void add(long now) {
    requests.increment();
    long due = next.get();
    // Of several threads one writes the line.
    if (now - due >= 0 && next.compareAndSet(due, now + PAUSE)) {
      long count = requests.sumThenReset();
      String number = count == 1 ? "1 " + noun : count + " " + noun + "s";
      NonThrowingLog.log(LOG, level, before + number + after);
    }
  }
}
