package io.weir.internal.writeback.channel;

import java.util.ArrayList;
import java.util.List;

/**
 * Callbacks to run once no lock is held: foreign code, which may call back at once.
 *
 * <p>Confine to one thread.
 */
public final class AfterUnlock {
  private final List<Runnable> callbacks = new ArrayList<>();

  public void add(Runnable callback) {
    callbacks.add(callback);
  }

  /** Runs them in order. */
  public void run() {
    for (int i = 0; i < callbacks.size(); i++) { // a callback may add another
      callbacks.get(i).run();
    }
    callbacks.clear();
  }
}
