package io.weir.internal.rules.access;

import io.weir.Ticker;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.StoredRow;
import io.weir.rules.access.Session;
import io.weir.rules.access.Sessions;
import io.weir.rules.problem.RulesUnavailableException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Opens, finds and ends sessions: the rows of {@code weir_sessions}. */
final class StoredSessions implements Sessions {
  /** Sessions opened by one token or for one subject. */
  static final int MAX_SESSIONS = 20;

  private final RuleDatabase database;
  private final Ticker ticker;
  private final CredentialCache cache;

  StoredSessions(RuleDatabase database, CredentialCache cache, Ticker ticker) {
    this.database = database;
    this.ticker = ticker;
    this.cache = cache;
  }

  @Override
  public String openByToken(Session session, String token) {
    if (cache.token(token).isEmpty()) {
      throw new IllegalArgumentException("the access token is unknown or has expired");
    }
    return open(SessionRow.byToken(session, AccessSecret.hash(token)));
  }

  @Override
  public String openBySubject(Session session, String subject) {
    return open(SessionRow.bySubject(session, subject));
  }

  private String open(SessionRow row) {
    deleteEnded(row.madeFrom());
    String secret = AccessSecret.make();
    database.insert(
        RuleTable.SESSIONS, row.columns(AccessSecret.hash(secret)), SessionTable.AUTHOR);
    cache.reload();
    return secret;
  }

  /** Deletes all expired sessions, and the oldest of one token or subject that has too many. */
  private void deleteEnded(String madeFrom) {
    Instant now = ticker.instant();
    List<StoredRow> own = new ArrayList<>();
    for (StoredRow row : database.all(RuleTable.SESSIONS)) {
      SessionRow session = SessionRow.read(row);
      if (session.isExpired(now)) {
        SessionTable.delete(database, row);
      } else if (session.madeFrom().equals(madeFrom)) {
        own.add(row);
      }
    }
    own.sort(Comparator.comparing(row -> SessionRow.read(row).session().validUntil()));
    for (int i = 0; i <= own.size() - MAX_SESSIONS; i++) {
      SessionTable.delete(database, own.get(i));
    }
  }

  @Override
  public Optional<Session> find(String secret) {
    return cache.session(secret);
  }

  @Override
  public CompletionStage<Optional<Session>> findSoon(String secret) {
    return cache.findSoon(secret, cache::session);
  }

  /**
   * Reads at most one row unless there is such a session: clients may call this without a sign-in.
   */
  @Override
  public boolean end(String secret) {
    if (!AccessSecret.isWellFormed(secret)) {
      return true;
    }
    try {
      if (SessionTable.delete(database, AccessSecret.hash(secret))) {
        cache.reload();
      }
      return true;
    } catch (RulesUnavailableException away) {
      if (cache.endLater(secret)) {
        return false;
      }
      throw away;
    }
  }
}
