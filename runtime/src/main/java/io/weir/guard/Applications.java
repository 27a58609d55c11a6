package io.weir.guard;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The one {@link Weir} of each application, found by a class loader or one of its parents, so that
 * an embedded server's own loader finds what the application's main made. Closing a Weir takes it
 * out, so that nothing of a stopped application is held.
 *
 * <p>Safe for concurrent use; who finds one takes no lock.
 */
final class Applications {
  private static final Map<ClassLoader, Weir> OPEN = new ConcurrentHashMap<>();

  private Applications() {}

  static Weir get(Map<String, String> onTop) {
    return found(loader()).orElseGet(() -> made(loader(), onTop));
  }

  /** That of the thread, else of the class, whose threads may be somebody else's. */
  static Weir get(Class<?> member) {
    ClassLoader own = loader(member);
    return found(loader()).or(() -> found(own)).orElseGet(() -> made(own, Map.of()));
  }

  private static Optional<Weir> found(ClassLoader from) {
    for (@Nullable ClassLoader each = from; each != null; each = each.getParent()) {
      @Nullable Weir open = OPEN.get(each);
      if (open != null) {
        return Optional.of(open);
      }
    }
    return Optional.empty();
  }

  private static synchronized Weir made(ClassLoader loader, Map<String, String> onTop) {
    return found(loader)
        .orElseGet(
            () -> {
              Weir made = Weir.builder().settings(onTop).build(loader);
              OPEN.put(loader, made);
              return made;
            });
  }

  static synchronized void install(Weir weir) {
    OPEN.putIfAbsent(loader(), weir);
  }

  static synchronized void remove(Weir weir) {
    OPEN.values().remove(weir);
  }

  static void close(ClassLoader loader) {
    Optional.ofNullable(OPEN.get(loader)).ifPresent(Weir::close);
  }

  static ClassLoader loader() {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    return context == null ? Weir.class.getClassLoader() : context;
  }

  private static ClassLoader loader(Class<?> member) {
    ClassLoader own = member.getClassLoader();
    return own == null ? Weir.class.getClassLoader() : own;
  }
}
