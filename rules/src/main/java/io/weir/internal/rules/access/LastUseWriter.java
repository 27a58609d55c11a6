package io.weir.internal.rules.access;

import io.weir.Ticker;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.Sql;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes when tokens were used last, at most once an hour for each token, since each write makes a
 * new version of the row. Confine to one thread.
 */
final class LastUseWriter {
  private static final Duration PAUSE = Duration.ofHours(1);

  private final RuleDatabase database;
  private final CredentialIndex memory;
  private final Ticker ticker;
  private final Map<String, Instant> written = new HashMap<>();

  LastUseWriter(RuleDatabase database, CredentialIndex memory, Ticker ticker) {
    this.database = database;
    this.memory = memory;
    this.ticker = ticker;
  }

  void write() {
    Instant now = ticker.instant();
    written.values().removeIf(at -> !now.isBefore(at.plus(PAUSE)));
    Map<String, Instant> due = memory.takeUsed();
    due.keySet().removeAll(written.keySet());
    if (!due.isEmpty()) {
      due.keySet().forEach(hash -> written.put(hash, now));
      write(due);
    }
  }

  private void write(Map<String, Instant> due) {
    List<Sql> uses = new ArrayList<>();
    due.forEach(
        (hash, at) ->
            uses.add(
                Sql.of(
                    "UPDATE weir.weir_access_tokens SET last_used = ? WHERE hash = ?"
                        + " AND (last_used IS NULL OR last_used < ?)",
                    at,
                    hash,
                    at.minus(PAUSE))));
    int unused =
        database.inTransaction(
            "the last uses of access tokens can't be written",
            connection -> Sql.batch(connection, uses));
  }
}
