package io.weir.guard;

import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The one {@link Weir} of each application, found by a class loader or one of its parents, so that
 * an embedded server's own loader finds what the application's main made. Closing a Weir takes it
 * out, so that nothing of a stopped application is held.
 *
 * <p>Several parts of an application, or several applications under one loader, may use it: one
 * that was made here is closed when a container has stopped the last of them. Until a container
 * starts the next, woven code that still runs there gets none.
 *
 * <p>Safe for concurrent use; who finds one takes no lock.
 */
final class Applications {
  private static final Map<ClassLoader, Held> OPEN = new ConcurrentHashMap<>();

  /** How many of a container's parts use each loader; 0 where all have ended. Under the lock. */
  private static final Map<ClassLoader, Integer> USERS = new WeakHashMap<>();

  private static final ReentrantLock LOCK = new ReentrantLock();

  private Applications() {}

  /** A Weir, and whether it was made here: nobody else closes it then. */
  private record Held(Weir weir, boolean made) {}

  static Weir get(Map<String, String> onTop) {
    Optional<Weir> open = found(loader());
    open.ifPresent(each -> each.warnUnlessInForce(onTop));
    return open.orElseGet(() -> locked(() -> made(loader(), onTop)));
  }

  /** That of the thread, else of the class, whose threads may be somebody else's. */
  static Optional<Weir> get(Class<?> member) {
    ClassLoader own = loader(member);
    return found(loader()).or(() -> found(own)).or(() -> locked(() -> madeUnlessEnded(own)));
  }

  private static Optional<Weir> found(ClassLoader from) {
    for (@Nullable ClassLoader each = from; each != null; each = each.getParent()) {
      @Nullable Held open = OPEN.get(each);
      if (open != null) {
        return Optional.of(open.weir());
      }
    }
    return Optional.empty();
  }

  private static Optional<Weir> madeUnlessEnded(ClassLoader own) {
    boolean ended =
        USERS.getOrDefault(own, 1).equals(0) || USERS.getOrDefault(loader(), 1).equals(0);
    return ended ? Optional.empty() : Optional.of(made(own, Map.of()));
  }

  private static Weir made(ClassLoader loader, Map<String, String> onTop) {
    return found(loader)
        .orElseGet(
            () -> {
              Weir made = Weir.builder().settings(onTop).build(loader);
              OPEN.put(loader, new Held(made, true));
              return made;
            });
  }

  static void install(Weir weir) {
    OPEN.putIfAbsent(loader(), new Held(weir, false));
  }

  static void remove(Weir weir) {
    OPEN.values().removeIf(each -> each.weir() == weir);
  }

  static void started(ClassLoader loader) {
    locked(() -> USERS.merge(loader, 1, Integer::sum));
  }

  static void ended(ClassLoader loader) {
    int left = locked(() -> USERS.merge(loader, 0, (users, none) -> Math.max(0, users - 1)));
    @Nullable Held open = OPEN.get(loader);
    if (left == 0 && open != null && open.made()) {
      open.weir().close();
    }
  }

  private static <T> T locked(Supplier<T> action) {
    LOCK.lock();
    try {
      return action.get();
    } finally {
      LOCK.unlock();
    }
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
