package io.weir.internal.settings;

import io.weir.InvalidSettingException;
import io.weir.internal.extension.NonThrowingLog;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Holds the settings in force, and applies their changes to all parts that follow them.
 *
 * <p>They come from these places, each overriding those above it:
 *
 * <ol>
 *   <li>{@code weir.properties} on the class path
 *   <li>the file that {@code weir.config} names, else {@code weir.properties} in the working
 *       directory
 *   <li>environment variables
 *   <li>system properties
 *   <li>MicroProfile Config, if it is present
 *   <li>a place that the application gives to the builder
 *   <li>init parameters
 * </ol>
 *
 * <p>A change takes effect as a whole or not at all: if any value is malformed, or a follower can't
 * use it, the change is logged and the old settings stay in force.
 *
 * <p>Safe for concurrent use. Starts no thread: a timer calls {@link #refreshSettled()}.
 */
public final class LiveSettings implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(LiveSettings.class.getName());

  private final Supplier<SettingsSnapshot> source;
  private final List<Function<SettingsSnapshot, Runnable>> followers = new CopyOnWriteArrayList<>();
  private final ReentrantLock change = new ReentrantLock();
  private final Set<String> warnings = new HashSet<>();
  private volatile SettingsSnapshot current;
  private volatile boolean closed;
  private String lastFault = "";

  /** The settings of the last reading, which take effect if the next reading finds the same. */
  private Optional<SettingsSnapshot> seen = Optional.empty();

  LiveSettings(Supplier<SettingsSnapshot> source) {
    this.source = source;
    this.current = source.get();
    warn(current);
  }

  /**
   * Reads the settings of an application.
   *
   * @param loader finds {@code weir.properties} on the class path, and MicroProfile Config
   * @param onTop overrides all other places; names that don't begin with {@code weir.} are ignored
   * @throws InvalidSettingException if a name is unknown or a value malformed
   */
  public static LiveSettings load(ClassLoader loader, Map<String, String> onTop) {
    return load(loader, Map::of, onTop);
  }

  /**
   * Reads the settings of an application that has a place of its own.
   *
   * @param own the place of the application, read each time; overrides all places but the next
   * @throws InvalidSettingException if a name is unknown or a value malformed
   */
  public static LiveSettings load(
      ClassLoader loader, Supplier<Map<String, String>> own, Map<String, String> onTop) {
    return new LiveSettings(SettingsLoader.of(loader, own, onTop)::read);
  }

  /**
   * Makes settings that never change and come from nowhere else.
   *
   * @param loader finds the modules that declare settings
   * @throws InvalidSettingException if a name is unknown or a value malformed
   */
  public static LiveSettings only(ClassLoader loader, Map<String, String> given) {
    return of(
        new SettingsSnapshot(
            List.of(SettingsLayer.of("given", given)),
            List.of(),
            DeclaredModuleSettings.in(loader)));
  }

  /** Makes settings that never change. */
  public static LiveSettings of(SettingsSnapshot fixed) {
    return new LiveSettings(() -> fixed);
  }

  /** Returns the settings in force, as one consistent snapshot. */
  public SettingsSnapshot current() {
    return current;
  }

  /** Returns the value of a setting in force, for a module; see {@link SettingsSnapshot#value}. */
  public String value(String name) {
    return current.value(name);
  }

  /**
   * Adds a follower: {@code prepare} is called at once with the settings in force, and later with
   * each new snapshot. It validates them and returns a task that puts them into effect; the task
   * runs only if all followers accept the settings.
   *
   * @param prepare changes nothing itself; throws an {@link IllegalArgumentException} if it can't
   *     use the settings
   * @throws IllegalArgumentException if {@code prepare} can't use those in force
   */
  public void follow(Function<SettingsSnapshot, Runnable> prepare) {
    change.lock();
    try {
      prepare.apply(current).run();
      followers.add(prepare);
    } finally {
      change.unlock();
    }
  }

  /**
   * Reads all places again, now. Never throws: each mistake or failure is logged once, and the old
   * settings stay in force.
   */
  public void refresh() {
    read(next -> true);
  }

  /**
   * Reads all places again, and applies a change only if the previous reading found the same: a
   * file that is still being saved may be cut off and yet well-formed. Otherwise like {@link
   * #refresh()}. For a timer.
   */
  public void refreshSettled() {
    read(next -> Optional.of(next).equals(seen));
  }

  private void read(Predicate<SettingsSnapshot> isSettled) {
    change.lock();
    try {
      if (!closed) {
        SettingsSnapshot next = source.get();
        boolean ready = next.equals(current) || isSettled.test(next);
        seen = Optional.of(next);
        if (ready) {
          change(next);
          lastFault = "";
        }
      }
    } catch (RuntimeException malformed) {
      refuse(String.valueOf(malformed.getMessage()));
    } catch (Error broken) {
      refuse(broken.toString());
    } finally {
      change.unlock();
    }
  }

  private void change(SettingsSnapshot next) {
    if (next.equals(current)) {
      return;
    }
    List<Runnable> commits = followers.stream().map(each -> each.apply(next)).toList();
    commits.forEach(Runnable::run);
    current = next; // last, so that the next reading tries again if a follower failed
    boolean unused = log(System.Logger.Level.INFO, "Settings changed");
    warn(next);
  }

  private void warn(SettingsSnapshot settings) {
    settings.warnings().stream()
        .filter(warning -> !warnings.contains(warning))
        .filter(warning -> log(System.Logger.Level.WARNING, warning))
        .forEach(warnings::add);
  }

  private void refuse(String fault) {
    if (!fault.equals(lastFault)
        && log(
            System.Logger.Level.ERROR,
            "A change of settings was rejected, so the old settings still apply: " + fault)) {
      lastFault = fault;
    }
  }

  /**
   * Logs a line. Returns false if the logger throws: that must not refuse the settings, and the
   * line is logged again after the next reading.
   */
  private static boolean log(System.Logger.Level level, String text) {
    return NonThrowingLog.tryLog(LOG, level, text);
  }

  /** Removes all followers and ignores later changes. Idempotent. */
  @Override
  public void close() {
    closed = true;
    followers.clear();
  }
}
