package io.weir.internal.rules.assembly;

import io.weir.rules.history.RuleEvent;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Passes events of the rules on to listeners. Safe for concurrent use. */
final class RuleEventDispatcher {
  private static final Logger LOG = System.getLogger("io.weir");

  private final List<Consumer<RuleEvent>> listeners = new CopyOnWriteArrayList<>();

  /** Adds a listener, until the returned object is closed. */
  AutoCloseable listen(Consumer<RuleEvent> listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  void report(RuleEvent event) {
    for (Consumer<RuleEvent> each : listeners) {
      try {
        each.accept(event);
      } catch (RuntimeException | Error mistake) {
        LOG.log(Level.ERROR, "a rules listener failed", mistake);
      }
    }
  }
}
