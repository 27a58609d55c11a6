package io.weir.guard;

import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The one {@link Weir} of each application, found by the context class loader or one of its
 * parents, so that an embedded server's own loader finds what the application's main made.
 */
final class Applications {
  private static final Map<ClassLoader, Weir> OPEN = new WeakHashMap<>();

  private Applications() {}

  static synchronized Weir get(Map<String, String> onTop) {
    for (@Nullable ClassLoader loader = loader(); loader != null; loader = loader.getParent()) {
      Weir found = OPEN.get(loader);
      if (found != null) {
        return found;
      }
    }
    Weir made = Weir.builder().settings(onTop).build();
    OPEN.put(loader(), made);
    return made;
  }

  static synchronized void install(Weir weir) {
    OPEN.putIfAbsent(loader(), weir);
  }

  static synchronized void remove(Weir weir) {
    OPEN.values().remove(weir);
  }

  static void close(ClassLoader loader) {
    open(loader).ifPresent(Weir::close);
  }

  private static synchronized Optional<Weir> open(ClassLoader loader) {
    return Optional.ofNullable(OPEN.get(loader));
  }

  static ClassLoader loader() {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    return context == null ? Weir.class.getClassLoader() : context;
  }
}
