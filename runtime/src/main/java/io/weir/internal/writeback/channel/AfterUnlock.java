package io.weir.internal.writeback.channel;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Callbacks to run once no lock is held: foreign code, which may call back at once; and what wakes
 * callers of ours, which may wait a moment longer.
 *
 * <p>Confine to one thread.
 */
public final class AfterUnlock {
  private @Nullable List<Runnable> callbacks; // none, as a rule
  private @Nullable List<Runnable> wakes;

  /** Adds a callback that only tells a thread that waits in here that it is answered. */
  public void addWake(Runnable wake) {
    if (wakes == null) {
      wakes = new ArrayList<>();
    }
    wakes.add(wake);
  }

  public void add(Runnable callback) {
    if (callbacks == null) {
      callbacks = new ArrayList<>();
    }
    callbacks.add(callback);
  }

  boolean isEmpty() {
    return callbacks == null && wakes == null;
  }

  /** Takes out those who are to be woken; null if nobody is. */
  @Nullable List<Runnable> takeWakes() {
    List<Runnable> taken = wakes;
    wakes = null;
    return taken;
  }

  /** Runs them in order, after those that wake. */
  public void run() {
    for (int i = 0; wakes != null && i < wakes.size(); i++) {
      wakes.get(i).run();
    }
    wakes = null;
    for (int i = 0; callbacks != null && i < callbacks.size(); i++) { // a callback may add another
      callbacks.get(i).run();
    }
    callbacks = null;
  }
}
