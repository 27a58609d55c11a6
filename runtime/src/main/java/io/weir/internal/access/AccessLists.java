package io.weir.internal.access;

import io.weir.InvalidSettingException;
import io.weir.Ticker;
import io.weir.access.AccessEntry;
import io.weir.access.AccessSubject;
import io.weir.internal.key.ClientAddress;
import io.weir.internal.settings.SettingsSnapshot;
import io.weir.internal.threads.DaemonThreadFactory;
import io.weir.spi.KeyResolver;
import io.weir.spi.RequestInfo;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Holds the entries of settings, of a file and of the policy source in one list, which is replaced
 * as a whole when one of them changes.
 *
 * <p>A file is looked at once a second, in a thread of its own. Safe for concurrent use.
 */
public final class AccessLists implements AutoCloseable {
  private final Function<String, KeyResolver> readers;
  private final Map<String, KeyResolver> resolvers;
  private final Ticker ticker;
  private final AccessLog log;
  private final ReentrantLock change = new ReentrantLock();
  private volatile Optional<AccessSettings> settings = Optional.empty();
  private Optional<AccessFile> file = Optional.empty();
  private Optional<ScheduledExecutorService> watch = Optional.empty();
  private boolean isStarted;
  private List<AccessEntry> ofFile = List.of();
  private List<AccessEntry> ofSource = List.of();

  /** Null without entries. */
  private volatile @Nullable AccessList list;

  private volatile boolean isSet;

  /** Begins without entries. */
  public AccessLists(
      Function<String, KeyResolver> readers, Map<String, KeyResolver> resolvers, Ticker ticker) {
    this.readers = readers;
    this.resolvers = resolvers;
    this.ticker = ticker;
    this.log = new AccessLog(ticker.nanoTime());
  }

  /**
   * Reads settings, and returns a task that puts them into effect.
   *
   * @param addresses determines the address of a caller under these settings
   * @throws InvalidSettingException if an entry can't be used
   */
  public Runnable prepare(SettingsSnapshot now, ClientAddress addresses) {
    AccessSettings next = AccessSettings.of(now, addresses, readers, resolvers);
    return () -> change(next);
  }

  private void change(AccessSettings next) {
    change.lock();
    try {
      boolean isFirst = settings.isEmpty();
      settings = Optional.of(next);
      if (!next.file().equals(file.map(AccessFile::path))) {
        follow(next.file());
      }
      compile();
      if (next.isSet() && !isSet && !isFirst) {
        log.lateOnJaxrs();
      }
      isSet = next.isSet();
    } finally {
      change.unlock();
    }
  }

  private void follow(Optional<Path> path) {
    file = path.map(each -> new AccessFile(each, log));
    ofFile = file.flatMap(AccessFile::readChanged).orElse(List.of());
    watch();
  }

  /** Starts to look at the file, if there is one; at the end of the application's start. */
  public void start() {
    change.lock();
    try {
      isStarted = true;
      watch();
    } finally {
      change.unlock();
    }
  }

  private void watch() {
    watch.ifPresent(ScheduledExecutorService::shutdownNow);
    watch = Optional.empty();
    if (isStarted && file.isPresent()) {
      ScheduledExecutorService scheduler =
          DaemonThreadFactory.scheduler(DaemonThreadFactory.named("weir-access"), 1);
      var unused = scheduler.scheduleWithFixedDelay(this::look, 1, 1, TimeUnit.SECONDS);
      watch = Optional.of(scheduler);
    }
  }

  /** Looks whether the file has changed. Doesn't fail, since that would be the last look. */
  void look() {
    change.lock();
    try {
      Optional<List<AccessEntry>> changed = file.flatMap(AccessFile::readChanged);
      if (changed.isPresent()) {
        ofFile = changed.get();
        compile();
      }
    } catch (RuntimeException | Error trouble) { // such as a file that doesn't fit into the memory
      file.ifPresent(each -> log.fileUnusable(each.path(), trouble.toString()));
    } finally {
      change.unlock();
    }
  }

  /** Returns the rule that a subject breaks now, so that its entries are ignored. */
  public Optional<String> mistake(AccessSubject subject) {
    change.lock();
    try {
      return settings.flatMap(each -> each.reader().mistake(subject));
    } finally {
      change.unlock();
    }
  }

  /** Replaces the entries of the policy source; in force when this returns. */
  public void setSourceEntries(List<AccessEntry> entries) {
    change.lock();
    try {
      ofSource = List.copyOf(entries);
      compile();
    } finally {
      change.unlock();
    }
  }

  private void compile() {
    if (settings.isPresent()) {
      AccessListBuilder all = new AccessListBuilder(settings.get().reader(), ticker);
      var unused = all.add(settings.get().entries()); // valid, or the settings would be refused
      log.ignored("weir.access.file", all.add(ofFile));
      log.ignored("Access list of the policy source", all.add(ofSource));
      list = all.build();
    }
  }

  /** Returns the expression that reads keys; empty if none is read. */
  public String keyExpression() {
    return settings.map(AccessSettings::keyExpression).orElse("");
  }

  /**
   * Returns whether any request may be decided by an entry.
   *
   * @return false if there are no entries, and settings name no place for them
   */
  public boolean areInUse() {
    return isSet || list != null;
  }

  /** Returns whether there is no entry, so that nothing needs to be looked up. */
  public boolean areEmpty() {
    return list == null;
  }

  /**
   * Finds what the entries say of a request, as far as it wasn't found before.
   *
   * @param isUserKnown whether it has passed the sign-in
   * @throws io.weir.InvalidRequestException if its key is malformed
   */
  public AccessFinding find(
      RequestInfo request, ClientAddress addresses, boolean isUserKnown, AccessFinding before) {
    AccessList all = list;
    return all == null ? before : all.find(request, addresses, isUserKnown, before, ticker);
  }

  /**
   * Reads the digest of a request's key, as entries by key have it.
   *
   * @return empty if it has none, or no setting says where it is
   * @throws io.weir.InvalidRequestException if it is malformed
   */
  public Optional<String> keyOf(RequestInfo request) {
    Optional<AccessSettings> now = settings;
    return now.isPresent() ? now.get().reader().digest(request) : Optional.empty();
  }

  /**
   * Logs, from time to time, how many requests were denied, or would have been let through.
   *
   * @param before what was found in an earlier phase of the request, and logged
   */
  public void log(AccessFinding before, AccessFinding found) {
    if (found.denies()) {
      log.denied(ticker.nanoTime());
    } else if (found.wouldAllow() && !before.wouldAllow()) {
      log.wouldAllow(ticker.nanoTime());
    }
  }

  /** Returns lists that stay empty, for an application that has ended. */
  public static AccessLists none() {
    return new AccessLists(
        expression -> {
          throw new IllegalArgumentException(expression);
        },
        Map.of(),
        Ticker.system());
  }

  /** Describes in a line where the entries come from, for people; empty without entries. */
  public Optional<String> describe() {
    change.lock();
    try {
      if (list == null) {
        return Optional.empty();
      }
      List<String> sources = new ArrayList<>();
      sources.add(settings.map(each -> each.entries().size()).orElse(0) + " in settings");
      file.ifPresent(each -> sources.add(ofFile.size() + " in " + each.path()));
      if (!ofSource.isEmpty()) {
        sources.add(ofSource.size() + " of the policy source");
      }
      return Optional.of("access list: entries: " + String.join(", ", sources));
    } finally {
      change.unlock();
    }
  }

  /** Stops looking at the file. Entries stay. Idempotent. */
  @Override
  public void close() {
    change.lock();
    try {
      isStarted = false;
      watch();
    } finally {
      change.unlock();
    }
  }
}
