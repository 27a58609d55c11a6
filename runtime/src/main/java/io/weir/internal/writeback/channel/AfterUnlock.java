package io.weir.internal.writeback.channel;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Callbacks to run once no lock is held: foreign code, which may call back at once.
 *
 * <p>Confine to one thread.
 */
public final class AfterUnlock {
  private @Nullable List<Runnable> callbacks; // none, as a rule

  public void add(Runnable callback) {
    if (callbacks == null) {
      callbacks = new ArrayList<>();
    }
    callbacks.add(callback);
  }

  boolean isEmpty() {
    return callbacks == null;
  }

  /** Runs them in order. */
  public void run() {
    for (int i = 0; callbacks != null && i < callbacks.size(); i++) { // a callback may add another
      callbacks.get(i).run();
    }
    callbacks = null;
  }
}
