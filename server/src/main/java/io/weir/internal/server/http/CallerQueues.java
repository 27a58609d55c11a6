package io.weir.internal.server.http;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/**
 * Lets each caller do something a few times at once; what is more waits in line.
 *
 * <p>Safe for concurrent use.
 */
final class CallerQueues {
  private final int most;

  /** Guarded by this. */
  private final Map<String, Line> lines = new HashMap<>();

  private static final class Line {
    private int taken;
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
  }

  CallerQueues(int most) {
    this.most = most;
  }

  /**
   * Takes a turn.
   *
   * @param whenItComes run in some other thread if there is none now
   * @return whether it was taken; each that was, also by {@code whenItComes}, is to be released
   */
  synchronized boolean take(String caller, Runnable whenItComes) {
    Line line = lines.computeIfAbsent(caller, any -> new Line());
    if (line.taken < most) {
      line.taken++;
      return true;
    }
    line.waiting.add(whenItComes);
    return false;
  }

  /** Waits no more. */
  synchronized void leave(String caller, Runnable whenItComes) {
    Line line = lines.get(caller);
    if (line != null) {
      line.waiting.remove(whenItComes);
    }
  }

  /** Passes a turn on to who waits first. */
  void release(String caller) {
    Runnable next;
    synchronized (this) {
      Line line = lines.get(caller);
      if (line == null) {
        return;
      }
      next = line.waiting.poll();
      if (next == null && --line.taken == 0) {
        lines.remove(caller);
      }
    }
    if (next != null) {
      next.run();
    }
  }
}
