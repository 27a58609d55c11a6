package io.weir.internal.rules.access;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.StoredRow;
import io.weir.internal.threads.DaemonThreads;
import io.weir.rules.access.AccessToken;
import io.weir.rules.access.AccessTokens;
import io.weir.rules.problem.RulesUnavailableException;
import io.weir.rules.access.Sessions;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Tokens and sessions on one node. Once somebody wants them they are kept in memory. Each second
 * the database is asked for {@linkplain RuleDatabase#fingerprint a number} that sums up what is in
 * each of both tables; if it differs from that of the last reading, and every five minutes in any
 * case, all rows are read again. They are also read ahead of time when somebody shows a secret that
 * may be a new one. No history has to keep what changed, and no row is read by its hash.
 *
 * <p>Safe for concurrent use.
 */
public final class AccessCache implements AutoCloseable {
  private static final Logger LOG = System.getLogger("io.weir");
  private static final long LOOK_MILLIS = 1_000;
  private static final Duration ALL_AGAIN = Duration.ofMinutes(5);
  private static final int MOST_REFUTED = 10_000;

  private final RuleDatabase database;
  private final InstantSource clock;
  private final Duration timeout;
  private final AccessMemory memory;
  private final StoredTokens tokens;
  private final StoredSessions sessions;
  private final LastUseWriter lastUses;

  /**
   * Hashes of secrets that a reading ahead of time didn't find. A row is there before its secret is
   * shown, so they are nobody's, and whoever goes on sending a revoked token has nothing read.
   */
  private final Cache<String, Boolean> refuted =
      Caffeine.newBuilder().maximumSize(MOST_REFUTED).executor(Runnable::run).build();

  /** Guarded by this; nothing: nobody has wanted them. */
  private @Nullable ScheduledThreadPoolExecutor thread;

  /** Guarded by this; there with the thread. */
  private @Nullable EarlyReader earlyReads;

  /** Guarded by this. */
  private boolean isClosed;

  /** Guarded by {@link #memory}'s monitor: of whoever reads the tables. */
  private Instant readAt = Instant.MIN;

  /** Of the rows that were read; guarded as {@link #readAt}. */
  private String fingerprint = "";

  private volatile boolean isRead;

  /**
   * Reads nothing until somebody wants it.
   *
   * @param database may be away
   * @param clock says what has ended
   * @param timeout how long who shows an unknown secret waits for a reading at most
   */
  public AccessCache(RuleDatabase database, InstantSource clock, Duration timeout) {
    this.database = database;
    this.clock = clock;
    this.timeout = timeout;
    this.memory = new AccessMemory(clock);
    this.tokens = new StoredTokens(database, memory, clock, this);
    this.sessions = new StoredSessions(database, memory, clock, this);
    this.lastUses = new LastUseWriter(database, memory, clock);
  }

  /** The tokens, which are followed from now on. */
  public AccessTokens tokens() {
    follow();
    return tokens;
  }

  /** The sessions, which are followed from now on. */
  public Sessions sessions() {
    follow();
    return sessions;
  }

  private synchronized void follow() {
    if (thread == null && !isClosed) {
      thread = DaemonThreads.scheduler(DaemonThreads.ofApplication("weir-rules-access"), 1);
      earlyReads = new EarlyReader(thread, this::readNow, System::nanoTime);
      var unused = thread.scheduleWithFixedDelay(this::look, 0, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  /**
   * Finds a secret in memory, or, where it may have been made a moment ago, after the next reading.
   * All rows are read, never the one of a hash: so nothing comes back that has ended, and a guess
   * finds out nothing.
   *
   * @param find looks into memory
   * @return completes within the time-out, by any thread
   */
  <T> CompletionStage<Optional<T>> findSoon(String secret, Function<String, Optional<T>> find) {
    Optional<T> known = find.apply(secret);
    if (known.isPresent() || !AccessSecret.isWellFormed(secret)) {
      return CompletableFuture.completedFuture(known);
    }
    String hash = AccessSecret.hash(secret);
    EarlyReader early = earlyReads();
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

  private synchronized @Nullable EarlyReader earlyReads() {
    return earlyReads;
  }

  /** Reads all ahead of time; false if that failed, which the next look logs. */
  private boolean readNow() {
    try {
      readAgain();
      return true;
    } catch (RuntimeException | Error away) {
      return false;
    }
  }

  /** Whether they have been read at least once. */
  boolean isRead() {
    return isRead;
  }

  /** Reads all in the thread of the caller, which has just changed a row. */
  void readAgain() {
    synchronized (memory) {
      read(clock.instant(), currentFingerprint());
    }
  }

  private void look() {
    try {
      readWhatChanged();
      lastUses.write();
    } catch (RulesUnavailableException away) {
      // the feed tells it
    } catch (RuntimeException | Error mistake) {
      LOG.log(Level.ERROR, "tokens can't be read", mistake);
    }
  }

  /** Reads all rows if any has changed. */
  private void readWhatChanged() {
    synchronized (memory) {
      Instant now = clock.instant();
      boolean isOld = readAt.equals(Instant.MIN) || !now.isBefore(readAt.plus(ALL_AGAIN));
      String current = currentFingerprint();
      if (isOld || !current.equals(fingerprint)) {
        read(now, current);
      }
    }
  }

  /** Asked for before the rows are read: what changes in between is read the next time. */
  private String currentFingerprint() {
    return database.fingerprint(RuleTable.TOKENS) + " " + database.fingerprint(RuleTable.SESSIONS);
  }

  private void read(Instant now, String current) {
    Map<String, AccessToken> valid = new HashMap<>();
    for (StoredRow row : database.all(RuleTable.TOKENS)) {
      AccessToken token = TokenRow.read(row);
      if (token.isValid(now)) {
        valid.put(row.key(), token);
      }
    }
    Map<String, SessionRow> signedIn = new HashMap<>();
    for (StoredRow row : database.all(RuleTable.SESSIONS)) {
      SessionRow session = SessionRow.read(row);
      if (!session.isOver(now)) {
        signedIn.put(row.key(), session);
      }
    }
    memory.replace(valid, signedIn);
    readAt = now;
    fingerprint = current;
    isRead = true;
  }

  /** Reads no more. Idempotent. */
  @Override
  public synchronized void close() {
    isClosed = true;
    if (thread != null) {
      thread.shutdownNow();
    }
  }
}
