package io.weir.internal.rules.access;

import io.weir.Ticker;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.threads.DaemonThreadFactory;
import io.weir.rules.access.AccessTokens;
import io.weir.rules.access.Sessions;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;

/**
 * Stores access tokens and sessions in the database. Once either is needed, both are also kept in
 * memory.
 *
 * <p>Safe for concurrent use.
 */
public final class CredentialStore implements AutoCloseable {
  private final CredentialCache cache;
  private final StoredTokens tokens;
  private final StoredSessions sessions;

  /**
   * Reads nothing yet.
   *
   * @param database has the rows; may be unavailable
   * @param timeout the longest wait of a client whose secret is unknown here
   */
  public CredentialStore(RuleDatabase database, Ticker ticker, Duration timeout) {
    this.cache = new CredentialCache(database, ticker, timeout, CredentialStore::thread);
    this.tokens = new StoredTokens(database, cache, ticker);
    this.sessions = new StoredSessions(database, cache, ticker);
  }

  private static ScheduledExecutorService thread() {
    return DaemonThreadFactory.scheduler(DaemonThreadFactory.ofApplication("weir-rules-access"), 1);
  }

  public AccessTokens tokens() {
    cache.follow();
    return tokens;
  }

  public Sessions sessions() {
    cache.follow();
    return sessions;
  }

  /** Stops reading. Idempotent. */
  @Override
  public void close() {
    cache.close();
  }
}
