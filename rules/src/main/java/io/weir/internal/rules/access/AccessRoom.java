package io.weir.internal.rules.access;

import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.StoredRow;
import io.weir.internal.rules.threads.DaemonThreads;
import io.weir.rules.AccessToken;
import io.weir.rules.AccessTokens;
import io.weir.rules.RulesUnavailableException;
import io.weir.rules.Sessions;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Tokens and sessions on one node. Once somebody wants them they are kept in memory. Each second
 * the database is asked for {@linkplain RuleDatabase#fingerprint a number} that sums up what is in
 * each of both tables; if it differs from that of the last reading, and every five minutes in any
 * case, all rows are read again. No history has to keep what changed, and no row is read by its
 * hash.
 *
 * <p>Safe for concurrent use.
 */
public final class AccessRoom implements AutoCloseable {
  private static final Logger LOG = System.getLogger("io.weir");
  private static final long LOOK_MILLIS = 1_000;
  private static final Duration ALL_AGAIN = Duration.ofMinutes(5);

  private final RuleDatabase database;
  private final InstantSource clock;
  private final AccessMemory memory;
  private final StoredTokens tokens;
  private final StoredSessions sessions;
  private final LastUses lastUses;

  /** Guarded by this; nothing: nobody has wanted them. */
  private @Nullable ScheduledThreadPoolExecutor thread;

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
   */
  public AccessRoom(RuleDatabase database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
    this.memory = new AccessMemory(clock);
    this.tokens = new StoredTokens(database, memory, clock, this);
    this.sessions = new StoredSessions(database, memory, clock, this);
    this.lastUses = new LastUses(database, memory, clock);
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
      thread = DaemonThreads.scheduler("weir-rules-access", 1);
      var unused = thread.scheduleWithFixedDelay(this::look, 0, LOOK_MILLIS, TimeUnit.MILLISECONDS);
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
