package io.weir.internal.application;

import io.weir.Weir;
import io.weir.internal.extension.NonThrowingLog;
import io.weir.internal.threads.DaemonThreadFactory;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the one {@link WeirRuntime} of each application. It is found by a class loader or one of
 * its parents, so that an embedded server's own loader finds the Weir that the application's main
 * method made. Closing a Weir removes it, so that nothing of a stopped application stays in memory.
 *
 * <p>Several components of an application, or several applications below one loader, may share a
 * Weir. One that was made here is closed with its last {@link WeirHandle}; one that outlives an
 * application forgets that application's endpoints. A handle is registered before its Weir is
 * looked up, and the last one removes its Weir before another component can find it.
 *
 * <p>Once a Weir was closed or an application has ended, woven code that still runs there gets none
 * until the next one is installed, or a container starts the next application: one that was made
 * for it would never be closed.
 *
 * <p>Safe for concurrent use; finding a Weir takes no lock.
 */
final class WeirRegistry {
  private static final System.Logger LOG = System.getLogger(Weir.class.getName());

  private static final Map<ClassLoader, Held> OPEN = new ConcurrentHashMap<>();

  /** Open handles by the loader of their application. Under the lock. */
  private static final Map<ClassLoader, OpenHandles<WeirRuntime>> HANDLES = new WeakHashMap<>();

  private static final ReentrantLock LOCK = new ReentrantLock();

  /** The loaders of applications that have ended. Replaced whole, under the lock. */
  private static volatile List<Ended> ended = List.of();

  private WeirRegistry() {}

  /** Marks the loader of an application that has ended; remembers if woven code ran there since. */
  private static final class Ended extends WeakReference<ClassLoader> {
    private final AtomicBoolean met = new AtomicBoolean();

    Ended(ClassLoader loader) {
      super(loader);
    }
  }

  /** Holds a Weir, and whether it was made, and so is closed, here. */
  private record Held(WeirRuntime weir, boolean made) {}

  /** Makes the Weir of an application that has none. */
  interface Factory {
    WeirRuntime make(ClassLoader loader, Map<String, String> onTop);
  }

  static WeirRuntime get(ClassLoader application, Map<String, String> onTop, Factory factory) {
    Optional<WeirRuntime> open = found(application);
    open.ifPresent(each -> each.warnUnlessInForce(onTop));
    return open.orElseGet(() -> locked(() -> made(leading(application), onTop, factory)));
  }

  /** Finds or makes the Weir of the thread, else of the class, which other threads may run. */
  static Optional<WeirRuntime> get(Class<?> member, Factory factory) {
    ClassLoader own = loader(member);
    Optional<WeirRuntime> open = found(context()).or(() -> found(own));
    if (open.isEmpty()) {
      open = locked(() -> madeUnlessEnded(own, factory));
    } else if (!ended.isEmpty() && hasEndedBelow(open.get(), own)) {
      open = Optional.empty();
    }
    if (open.isEmpty()) {
      report(member, own);
    }
    return open;
  }

  /** Warns of woven methods that still run after an application's end, once for each end. */
  private static void report(Class<?> member, ClassLoader own) {
    Stream.concat(loaders(own), loaders(context()))
        .flatMap(WeirRegistry::marks)
        .findFirst()
        .filter(each -> !each.met.getAndSet(true))
        .ifPresent(
            each ->
                NonThrowingLog.log(
                    LOG,
                    System.Logger.Level.WARNING,
                    "Woven methods still run after their application's Weir was closed, for"
                        + " example "
                        + member.getName()
                        + ": they have no limits until another Weir is installed or the application"
                        + " starts again (logged once)"));
  }

  /** Returns whether a Weir of an application, or one given to its components, is as asked for. */
  static boolean anyMatch(ClassLoader application, Predicate<WeirRuntime> asked) {
    List<WeirRuntime> weirs =
        locked(
            () -> {
              @Nullable OpenHandles<WeirRuntime> handles = HANDLES.get(application);
              Stream<WeirRuntime> given = handles == null ? Stream.empty() : handles.weirs();
              return Stream.concat(found(application).stream(), given).toList();
            });
    return weirs.stream().anyMatch(asked);
  }

  private static Optional<WeirRuntime> found(ClassLoader from) {
    return held(from).map(Held::weir);
  }

  private static Optional<Held> held(ClassLoader from) {
    for (@Nullable ClassLoader each = from; each != null; each = each.getParent()) {
      @Nullable Held open = OPEN.get(each);
      if (open != null) {
        return Optional.of(open);
      }
    }
    return Optional.empty();
  }

  private static Optional<WeirRuntime> madeUnlessEnded(ClassLoader own, Factory factory) {
    return hasEnded(own) || hasEnded(context())
        ? Optional.empty()
        : Optional.of(made(own, Map.of(), factory));
  }

  private static WeirRuntime made(ClassLoader loader, Map<String, String> onTop, Factory factory) {
    return found(loader)
        .orElseGet(
            () -> {
              @Nullable OpenHandles<WeirRuntime> handles = HANDLES.get(loader);
              WeirRuntime made =
                  factory.make(loader, handles == null ? onTop : handles.settings(onTop));
              OPEN.put(loader, new Held(made, true));
              begins(loader);
              return made;
            });
  }

  static void install(WeirRuntime weir) {
    ClassLoader loader = loader();
    locked(
        () -> {
          begins(loader);
          return OPEN.putIfAbsent(loader, new Held(weir, false));
        });
  }

  static void remove(WeirRuntime weir) {
    locked(
        () -> {
          List<ClassLoader> loaders =
              OPEN.keySet().stream().filter(each -> holds(each, weir)).toList();
          loaders.forEach(WeirRegistry::ends);
          return OPEN.keySet().removeAll(loaders);
        });
  }

  private static boolean holds(ClassLoader loader, WeirRuntime weir) {
    @Nullable Held held = OPEN.get(loader);
    return held != null && held.weir() == weir;
  }

  /**
   * Registers a handle, before its component gets the Weir.
   *
   * @param handle counts as closed once it was garbage collected
   * @param settings of the application, for a Weir that is made for it
   */
  static void opened(
      ClassLoader application,
      Object handle,
      Optional<WeirRuntime> given,
      Map<String, String> settings) {
    locked(
        () -> {
          begins(application);
          return HANDLES
              .computeIfAbsent(application, any -> new OpenHandles<>())
              .add(handle, given, settings);
        });
  }

  static void closed(ClassLoader application, Object handle) {
    List<WeirRuntime> closing =
        locked(
            () -> {
              @Nullable OpenHandles<WeirRuntime> handles = HANDLES.get(application);
              if (handles != null) {
                handles.remove(handle);
              }
              return takeOut();
            });
    closing.forEach(WeirRuntime::close);
  }

  /**
   * Closes the Weirs of handles that were garbage collected, as after a start that failed where no
   * container reports it. In a thread of its own, since the caller's may belong to a Weir to close.
   */
  static void closeForgotten() {
    List<WeirRuntime> closing = locked(WeirRegistry::takeOut);
    if (!closing.isEmpty()) {
      DaemonThreadFactory.named("weir")
          .newThread(() -> closing.forEach(WeirRuntime::close))
          .start();
    }
  }

  /** Ends applications without an open handle; returns the Weirs that are to be closed. */
  private static List<WeirRuntime> takeOut() {
    Map<ClassLoader, OpenHandles<WeirRuntime>> idle = new HashMap<>(HANDLES);
    idle.values().removeIf(OpenHandles::isAnyOpen);
    HANDLES.keySet().removeAll(idle.keySet());
    idle.forEach(
        (loader, handles) -> {
          ends(loader);
          Stream.concat(found(loader).stream(), handles.weirs())
              .distinct()
              .forEach(weir -> weir.forget(loader));
        });
    List<WeirRuntime> closing = new ArrayList<>();
    idle.keySet().forEach(each -> unused(each).forEach(closing::add));
    return closing;
  }

  /** Returns the Weir made for an application or its parent, when all that share it have ended. */
  private static Stream<WeirRuntime> unused(ClassLoader ended) {
    Optional<Held> held = held(ended);
    if (held.isEmpty() || !held.get().made()) {
      return Stream.empty();
    }
    WeirRuntime weir = held.get().weir();
    ClassLoader home = loaders(ended).filter(each -> holds(each, weir)).findFirst().orElse(ended);
    boolean used =
        HANDLES.keySet().stream().anyMatch(each -> found(each).equals(held.map(Held::weir)));
    if (used || !hasEnded(home)) {
      return Stream.empty();
    }
    OPEN.remove(home);
    return Stream.of(weir);
  }

  private static void begins(ClassLoader loader) {
    ended = ended.stream().filter(each -> each.get() != null && !each.refersTo(loader)).toList();
  }

  private static void ends(ClassLoader loader) {
    begins(loader); // so that it is there once
    List<Ended> next = new ArrayList<>(ended);
    next.add(new Ended(loader));
    ended = List.copyOf(next);
  }

  /** Returns whether the nearest loader, from this one up, that is known at all has ended. */
  private static boolean hasEnded(ClassLoader from) {
    return loaders(from)
        .filter(each -> isMarked(each) || HANDLES.containsKey(each))
        .findFirst()
        .filter(WeirRegistry::isMarked)
        .isPresent();
  }

  /**
   * Returns whether a class belongs to an application that has ended below the one that has a Weir.
   */
  private static boolean hasEndedBelow(WeirRuntime weir, ClassLoader own) {
    boolean hasEnded = false;
    for (@Nullable ClassLoader each = own; each != null; each = each.getParent()) {
      if (holds(each, weir)) {
        return hasEnded;
      }
      hasEnded |= isMarked(each);
    }
    return false;
  }

  private static boolean isMarked(ClassLoader loader) {
    for (Ended each : ended) {
      if (each.refersTo(loader)) {
        return true;
      }
    }
    return false;
  }

  private static Stream<Ended> marks(ClassLoader loader) {
    return ended.stream().filter(each -> each.refersTo(loader));
  }

  private static Stream<ClassLoader> loaders(ClassLoader from) {
    return Stream.<@Nullable ClassLoader>iterate(
            from, each -> each != null, each -> each == null ? null : each.getParent())
        .flatMap(Stream::ofNullable);
  }

  private static <T> T locked(Supplier<T> action) {
    LOCK.lock();
    try {
      return action.get();
    } finally {
      LOCK.unlock();
    }
  }

  /** Returns the loader of the application that the thread works for. */
  static ClassLoader loader() {
    return leading(context());
  }

  /**
   * A loader from which this very Weir is seen, and so what an application brings for it: the given
   * one, else Weir's own. The loader of a web application in an embedded server may lead past the
   * application.
   */
  static ClassLoader leading(ClassLoader given) {
    try {
      return given.loadClass(WeirRuntime.class.getName()) == WeirRuntime.class
          ? given
          : WeirRuntime.class.getClassLoader();
    } catch (ClassNotFoundException | LinkageError another) {
      return WeirRuntime.class.getClassLoader();
    }
  }

  private static ClassLoader context() {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    return context == null ? WeirRuntime.class.getClassLoader() : context;
  }

  private static ClassLoader loader(Class<?> member) {
    ClassLoader own = member.getClassLoader();
    return own == null ? WeirRuntime.class.getClassLoader() : own;
  }
}
