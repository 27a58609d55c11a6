package io.weir.internal.rules.access;

import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.StoredRow;
import io.weir.rules.problem.ConflictException;
import io.weir.rules.access.Session;
import io.weir.rules.access.Sessions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** The rows of {@code weir_sessions}. */
final class StoredSessions implements Sessions {
  /** How many one may have at a time. */
  static final int MOST = 20;

  private static final String AUTHOR = "sign-in";

  private final RuleDatabase database;
  private final AccessMemory memory;
  private final InstantSource clock;
  private final AccessCache room;

  StoredSessions(RuleDatabase database, AccessMemory memory, InstantSource clock, AccessCache room) {
    this.database = database;
    this.memory = memory;
    this.clock = clock;
    this.room = room;
  }

  @Override
  public String openByToken(Session session, String token) {
    if (memory.token(token).isEmpty()) {
      throw new IllegalArgumentException("there is no such token");
    }
    return open(SessionRow.byToken(session, AccessSecret.hash(token)));
  }

  @Override
  public String openBySubject(Session session, String subject) {
    return open(SessionRow.bySubject(session, subject));
  }

  private String open(SessionRow row) {
    makeRoom(row.madeFrom());
    String secret = AccessSecret.make();
    database.insert(RuleTable.SESSIONS, row.columns(AccessSecret.hash(secret)), AUTHOR);
    room.readAgain();
    return secret;
  }

  /** Deletes what is over, whoever's it is, and the oldest of who has too many. */
  private void makeRoom(String madeFrom) {
    Instant now = clock.instant();
    List<StoredRow> own = new ArrayList<>();
    for (StoredRow row : database.all(RuleTable.SESSIONS)) {
      SessionRow session = SessionRow.read(row);
      if (session.isOver(now)) {
        delete(row);
      } else if (session.madeFrom().equals(madeFrom)) {
        own.add(row);
      }
    }
    own.sort(Comparator.comparing(row -> SessionRow.read(row).session().validUntil()));
    for (int i = 0; i <= own.size() - MOST; i++) {
      delete(own.get(i));
    }
  }

  private void delete(StoredRow row) {
    try {
      database.delete(row, AUTHOR);
    } catch (ConflictException gone) {
      // somebody else has deleted it
    }
  }

  @Override
  public Optional<Session> find(String secret) {
    return memory.session(secret);
  }

  @Override
  public CompletionStage<Optional<Session>> findSoon(String secret) {
    return room.findSoon(secret, memory::session);
  }

  /** Asks for one row at most unless there is such a session: strangers may call this as well. */
  @Override
  public void end(String secret) {
    if (!AccessSecret.isWellFormed(secret)) {
      return;
    }
    Optional<StoredRow> row = database.find(RuleTable.SESSIONS, AccessSecret.hash(secret));
    if (row.isPresent()) {
      delete(row.get());
      room.readAgain();
    }
  }
}
