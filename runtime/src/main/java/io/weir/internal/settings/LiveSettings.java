package io.weir.internal.settings;

import io.weir.InvalidSettingException;
import io.weir.internal.extension.SafeLog;
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
 * The settings in force, and the listeners that follow their changes.
 *
 * <p>They come from these places, each going before those above it:
 *
 * <ol>
 *   <li>{@code weir.properties} on the class path
 *   <li>the file that {@code weir.config} names, else {@code weir.properties} in the working
 *       directory
 *   <li>environment variables
 *   <li>system properties
 *   <li>MicroProfile Config, where there is one
 *   <li>what is given on top: init parameters
 * </ol>
 *
 * <p>A change takes effect as a whole or not at all: if any part of it is malformed, or any
 * follower can't use it, it is logged and what was in force stays.
 *
 * <p>Safe for concurrent use. Starts no thread: somebody calls {@link #refreshSettled()}.
 */
public final class LiveSettings implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(LiveSettings.class.getName());

  private final Supplier<Settings> source;
  private final List<Function<Settings, Runnable>> followers = new CopyOnWriteArrayList<>();
  private final ReentrantLock change = new ReentrantLock();
  private final Set<String> warnings = new HashSet<>();
  private volatile Settings current;
  private volatile boolean closed;
  private String lastFault = "";

  /** What the last reading found; it takes effect if the next one finds the same. */
  private Optional<Settings> seen = Optional.empty();

  LiveSettings(Supplier<Settings> source) {
    this.source = source;
    this.current = source.get();
    warn(current);
  }

  /**
   * Reads the settings of an application.
   *
   * @param loader finds {@code weir.properties} on the class path, and MicroProfile Config
   * @param onTop goes before everything else; names that don't begin with {@code weir.} are ignored
   * @return the settings in force
   * @throws InvalidSettingException if a name is unknown or a value malformed
   */
  public static LiveSettings load(ClassLoader loader, Map<String, String> onTop) {
    return new LiveSettings(SettingsReader.of(loader, onTop)::read);
  }

  /**
   * Settings that never change.
   *
   * @param fixed the settings
   * @return them
   */
  public static LiveSettings of(Settings fixed) {
    return new LiveSettings(() -> fixed);
  }

  /**
   * The settings in force.
   *
   * @return one consistent snapshot
   */
  public Settings current() {
    return current;
  }

  /**
   * The value of a setting in force, for a module.
   *
   * @param name see {@link Settings#value}
   * @return the value or its default
   */
  public String value(String name) {
    return current.value(name);
  }

  /**
   * Follows the settings: {@code prepare} is called at once with those in force, and then with each
   * new snapshot. It validates them and returns a task that puts them into effect; the task runs
   * only if all followers accept the settings.
   *
   * @param prepare changes nothing itself; throws an {@link IllegalArgumentException} if it can't
   *     use the settings
   * @throws IllegalArgumentException if {@code prepare} can't use those in force
   */
  public void follow(Function<Settings, Runnable> prepare) {
    change.lock();
    try {
      prepare.apply(current).run();
      followers.add(prepare);
    } finally {
      change.unlock();
    }
  }

  /**
   * Reads all places again, now. Never throws: a mistake or a failure is logged, once for each, and
   * what was in force stays.
   */
  public void refresh() {
    read(next -> true);
  }

  /**
   * Reads all places again, and takes effect only if the last reading found the same: a file that
   * is just being saved may be cut off and still be well-formed. Otherwise like {@link #refresh()}.
   * For a timer.
   */
  public void refreshSettled() {
    read(next -> Optional.of(next).equals(seen));
  }

  private void read(Predicate<Settings> taken) {
    change.lock();
    try {
      if (!closed) {
        Settings next = source.get();
        boolean ready = next.equals(current) || taken.test(next);
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

  private void change(Settings next) {
    if (next.equals(current)) {
      return;
    }
    List<Runnable> commits = followers.stream().map(each -> each.apply(next)).toList();
    commits.forEach(Runnable::run);
    current = next; // last: if a follower failed after all, the next reading tries again
    boolean unused = log(System.Logger.Level.INFO, "Settings changed");
    warn(next);
  }

  private void warn(Settings settings) {
    settings.warnings().stream()
        .filter(warning -> !warnings.contains(warning))
        .filter(warning -> log(System.Logger.Level.WARNING, warning))
        .forEach(warnings::add);
  }

  private void refuse(String fault) {
    if (!fault.equals(lastFault)
        && log(
            System.Logger.Level.ERROR,
            "A change of settings is refused, what was in force stays: " + fault)) {
      lastFault = fault;
    }
  }

  /** Whether it is logged now. A logger that throws is tried again, and refuses no settings. */
  private static boolean log(System.Logger.Level level, String text) {
    return SafeLog.tryLog(LOG, level, text);
  }

  /** Forgets all followers; nothing changes from now on. Idempotent. */
  @Override
  public void close() {
    closed = true;
    followers.clear();
  }
}
