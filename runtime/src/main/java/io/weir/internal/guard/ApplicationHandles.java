package io.weir.internal.guard;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.stream.Stream;

/**
 * The parts of an application that run, and the Weirs that they were given. Holds nothing of it:
 * whoever uses a Weir keeps his use, and one that nobody keeps has ended.
 *
 * <p>Confine to one thread at a time: the lock of {@link WeirRegistry}.
 */
final class ApplicationHandles {
  private final List<WeakReference<WeirHandle>> uses = new ArrayList<>();
  private final Set<WeirRuntime> weirs = Collections.newSetFromMap(new WeakHashMap<>());

  ApplicationHandles add(WeirHandle use) {
    uses.add(new WeakReference<>(use));
    use.given().ifPresent(weirs::add);
    return this;
  }

  void remove(WeirHandle use) {
    uses.removeIf(each -> each.refersTo(use));
  }

  boolean any() {
    uses.removeIf(each -> each.refersTo(null));
    return !uses.isEmpty();
  }

  /** Those that were given by hand. */
  Stream<WeirRuntime> weirs() {
    return List.copyOf(weirs).stream();
  }
}
