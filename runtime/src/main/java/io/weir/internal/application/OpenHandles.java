package io.weir.internal.application;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.WeakHashMap;
import java.util.stream.Stream;

/**
 * Tracks the open handles of one application, and the Weirs that its components were given. Refers
 * to them weakly, so it keeps nothing of the application in memory.
 *
 * <p>Confine to one thread at a time: the lock of {@link WeirRegistry}.
 */
final class OpenHandles<W> {
  private final List<WeakReference<Object>> handles = new ArrayList<>();
  private final Set<W> weirs = Collections.newSetFromMap(new WeakHashMap<>());
  private final Map<String, String> settings = new TreeMap<>();

  OpenHandles<W> add(Object handle, Optional<W> given, Map<String, String> ofApplication) {
    handles.add(new WeakReference<>(handle));
    given.ifPresent(weirs::add);
    settings.putAll(ofApplication);
    return this;
  }

  /** Returns what a Weir made for the application has on top of all other settings. */
  Map<String, String> settings(Map<String, String> onTop) {
    Map<String, String> all = new TreeMap<>(settings);
    all.putAll(onTop);
    return all;
  }

  void remove(Object handle) {
    handles.removeIf(each -> each.refersTo(handle));
  }

  boolean isAnyOpen() {
    handles.removeIf(each -> each.refersTo(null));
    return !handles.isEmpty();
  }

  /** Returns the Weirs that were given to components. */
  Stream<W> weirs() {
    return List.copyOf(weirs).stream();
  }
}
