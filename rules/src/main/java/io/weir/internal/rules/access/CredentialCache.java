package io.weir.internal.rules.access;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.weir.Ticker;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.StoredRow;
import io.weir.rules.access.AccessToken;
import io.weir.rules.access.Session;
import io.weir.rules.problem.RulesUnavailableException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the valid tokens and sessions of the database in memory from the first {@link #follow} on.
 * Each second it asks the database for {@linkplain RuleDatabase#fingerprint a number} that sums up
 * both tables; if the number has changed, and every five minutes in any case, it reads all rows
 * again. It also reads them ahead of time for a client whose secret may be new. So no history has
 * to keep these changes, and no row is read by its hash.
 *
 * <p>Safe for concurrent use.
 */
final class CredentialCache implements AutoCloseable {
  private static final Logger LOG = System.getLogger("io.weir");
  private static final long PAUSE_MILLIS = 1_000;
  private static final Duration MAX_AGE = Duration.ofMinutes(5);
  private static final int MAX_REFUTED = 10_000;

  private final RuleDatabase database;
  private final Ticker ticker;
  private final Duration timeout;
  private final CredentialIndex memory;
  private final LastUseWriter lastUses;
  private final Supplier<ScheduledExecutorService> threads;

  /**
   * Hashes of secrets that a reading ahead of time didn't find. A row exists before its secret is
   * shown, so these secrets are invalid, and a client that keeps sending one causes no readings.
   */
  private final Cache<String, Boolean> refuted =
      Caffeine.newBuilder().maximumSize(MAX_REFUTED).executor(Runnable::run).build();

  /** Guarded by this; null before the first {@link #follow}. */
  private @Nullable ScheduledExecutorService thread;

  /** Guarded by this; null without a thread. */
  private @Nullable RefreshCoalescer earlyReads;

  /** Guarded by this. */
  private boolean isClosed;

  /** The time of the last reading. Guarded by {@link #memory}'s monitor. */
  private Instant readAt = Instant.MIN;

  /** Sums up the rows that were read. Guarded by {@link #memory}'s monitor. */
  private String fingerprint = "";

  private volatile boolean isLoaded;

  /**
   * Creates a cache that reads nothing yet.
   *
   * @param database has the rows; may be unavailable
   * @param timeout the longest wait of a client whose secret is unknown here
   * @param threads makes the thread that reads, which the cache ends
   */
  CredentialCache(
      RuleDatabase database,
      Ticker ticker,
      Duration timeout,
      Supplier<ScheduledExecutorService> threads) {
    this.database = database;
    this.ticker = ticker;
    this.timeout = timeout;
    this.threads = threads;
    this.memory = new CredentialIndex(ticker);
    this.lastUses = new LastUseWriter(database, memory, ticker);
  }

  /** Reads the rows soon, and again whenever they change. Idempotent. */
  synchronized void follow() {
    if (thread == null && !isClosed) {
      ScheduledExecutorService reader = threads.get();
      thread = reader;
      earlyReads = new RefreshCoalescer(reader, this::tryReload, ticker);
      var unused =
          reader.scheduleWithFixedDelay(this::refresh, 0, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  Optional<AccessToken> token(String secret) {
    return memory.token(secret);
  }

  Optional<Session> session(String secret) {
    return memory.session(secret);
  }

  /**
   * Ends a session here at once, and in the database when that is available again.
   *
   * @return false if there is no such session in memory
   */
  boolean endLater(String secret) {
    return memory.end(secret);
  }

  /**
   * Finds a secret in memory or, if it may be new, after the next reading. A reading covers all
   * rows, never only that of a hash: so revoked rows stay revoked, and guesses learn nothing from
   * its duration.
   *
   * @return completes within the time-out, by any thread
   */
  <T> CompletionStage<Optional<T>> findSoon(String secret, Function<String, Optional<T>> find) {
    Optional<T> known = find.apply(secret);
    if (known.isPresent() || !AccessSecret.isWellFormed(secret)) {
      return CompletableFuture.completedFuture(known);
    }
    String hash = AccessSecret.hash(secret);
    RefreshCoalescer early = earlyReads();
    if (early == null || refuted.getIfPresent(hash) != null) {
      return CompletableFuture.completedFuture(known);
    }
    return early
        .ask()
        .thenApply(
            isRead -> {
              Optional<T> found = find.apply(secret);
              if (isRead && found.isEmpty()) {
                refuted.put(hash, true);
              }
              return found;
            })
        .completeOnTimeout(Optional.empty(), timeout.toNanos(), TimeUnit.NANOSECONDS);
  }

  private synchronized @Nullable RefreshCoalescer earlyReads() {
    return earlyReads;
  }

  /** Returns false if the rows couldn't be read; the next refresh logs why. */
  private boolean tryReload() {
    try {
      reload();
      return true;
    } catch (RuntimeException | Error away) {
      return false;
    }
  }

  boolean isLoaded() {
    return isLoaded;
  }

  /** Reads all rows in the calling thread, which has just changed one. */
  void reload() {
    synchronized (memory) {
      read(ticker.instant(), currentFingerprint());
    }
  }

  private void refresh() {
    try {
      Set<String> ended = deleteEnded();
      if (ended.isEmpty()) {
        reloadIfChanged();
      } else {
        reload(); // before they are forgotten, or one would begin again
        memory.forgetEnded(ended);
      }
      lastUses.write();
    } catch (RulesUnavailableException away) {
      // The feed reports that the database is unavailable.
    } catch (RuntimeException | Error mistake) {
      LOG.log(Level.ERROR, "access tokens can't be read", mistake);
    }
  }

  /** Deletes the sessions that ended while the database was unavailable. */
  private Set<String> deleteEnded() {
    Set<String> ended = memory.ended();
    for (String hash : ended) {
      SessionTable.delete(database, hash);
    }
    return ended;
  }

  private void reloadIfChanged() {
    synchronized (memory) {
      Instant now = ticker.instant();
      boolean isOld = readAt.equals(Instant.MIN) || !now.isBefore(readAt.plus(MAX_AGE));
      String current = currentFingerprint();
      if (isOld || !current.equals(fingerprint)) {
        read(now, current);
      }
    }
  }

  /** Must be read before the rows: the next refresh finds what changes in between. */
  private String currentFingerprint() {
    return database.fingerprint(RuleTable.TOKENS) + " " + database.fingerprint(RuleTable.SESSIONS);
  }

  private void read(Instant now, String current) {
    Map<String, AccessToken> valid = new HashMap<>();
    for (StoredRow row : database.all(RuleTable.TOKENS)) {
      AccessToken token = TokenColumns.read(row);
      if (token.isValid(now)) {
        valid.put(row.key(), token);
      }
    }
    Map<String, SessionRow> open = new HashMap<>();
    for (StoredRow row : database.all(RuleTable.SESSIONS)) {
      SessionRow session = SessionRow.read(row);
      if (!session.isExpired(now)) {
        open.put(row.key(), session);
      }
    }
    memory.replace(valid, open);
    readAt = now;
    fingerprint = current;
    isLoaded = true;
  }

  /** Stops reading. Idempotent. */
  @Override
  public synchronized void close() {
    isClosed = true;
    if (thread != null) {
      thread.shutdownNow();
    }
  }
}
