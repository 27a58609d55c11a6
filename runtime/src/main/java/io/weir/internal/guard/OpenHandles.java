package io.weir.internal.guard;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.stream.Stream;

/**
 * The open handles of one application, and the Weirs that its components were given. Refers to them
 * weakly, so it keeps nothing of the application in memory.
 *
 * <p>Confine to one thread at a time: the lock of {@link WeirRegistry}.
 */
final class OpenHandles {
  private final List<WeakReference<WeirHandle>> handles = new ArrayList<>();
  private final Set<WeirRuntime> weirs = Collections.newSetFromMap(new WeakHashMap<>());

  OpenHandles add(WeirHandle handle) {
    handles.add(new WeakReference<>(handle));
    handle.given().ifPresent(weirs::add);
    return this;
  }

  void remove(WeirHandle handle) {
    handles.removeIf(each -> each.refersTo(handle));
  }

  boolean isAnyOpen() {
    handles.removeIf(each -> each.refersTo(null));
    return !handles.isEmpty();
  }

  /** Those that were given to components. */
  Stream<WeirRuntime> weirs() {
    return List.copyOf(weirs).stream();
  }
}
