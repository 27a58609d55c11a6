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

  private final Consumer<RuleEvent> buckets;
  private final List<Consumer<RuleEvent>> listeners = new CopyOnWriteArrayList<>();

  /**
   * Has no listeners yet.
   *
   * @param buckets receives announcements, and needs no changes of rules
   */
  RuleEventDispatcher(Consumer<RuleEvent> buckets) {
    this.buckets = buckets;
  }

  /** Adds a listener, until the returned object is closed. */
  AutoCloseable listen(Consumer<RuleEvent> listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  boolean hasListeners() {
    return !listeners.isEmpty();
  }

  void report(RuleEvent event) {
    report(event, buckets);
    listeners.forEach(each -> report(event, each));
  }

  private static void report(RuleEvent event, Consumer<RuleEvent> listener) {
    try {
      listener.accept(event);
    } catch (RuntimeException | Error mistake) {
      LOG.log(Level.ERROR, "a rules listener failed", mistake);
    }
  }
}
