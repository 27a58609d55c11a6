package io.weir.internal.writeback.channel;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Collects callbacks to run once no lock is held: foreign code, which may call back at once, and
 * wake-ups of waiting threads, which may wait a moment longer.
 *
 * <p>Confine to one thread.
 */
public final class AfterUnlock {
  private @Nullable List<Runnable> callbacks; // none, as a rule
  private @Nullable List<Runnable> wakes;

  /** Adds a callback that only wakes a waiting thread whose request is answered. */
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

  /** Returns null if there are none. */
  @Nullable List<Runnable> takeWakes() {
    List<Runnable> taken = wakes;
    wakes = null;
    return taken;
  }

  /** Runs the callbacks in order, after the wake-ups. */
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
