package io.weir.internal.rules.bans;

import io.weir.access.AccessSubject;
import io.weir.internal.rules.database.BanRows;
import io.weir.internal.rules.database.Dialect;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes bans of a node in one transaction. A row in {@code weir_duties} is locked meanwhile: so
 * bans are committed in the order of their numbers, and no two nodes add a row for the same caller,
 * or the last row that a policy may have.
 *
 * @param lifted callers whose bans are deleted before
 * @param mostOfPolicy the most rows of one policy
 */
record BanBatch(List<NodeBan> bans, Set<AccessSubject> lifted, int mostOfPolicy, Instant now) {
  private static final String AUTHOR = "weir";
  private static final String DUTY = "bans";

  BanBatch {
    bans = List.copyOf(bans);
    lifted = Set.copyOf(lifted);
  }

  /** A row that is there already. */
  private record Row(long id, Optional<Instant> end) {
    boolean endsBefore(Instant other) {
      return end.isPresent() && end.get().isBefore(other);
    }
  }

  boolean isEmpty() {
    return bans.isEmpty() && lifted.isEmpty();
  }

  /**
   * Writes all of it, and returns the bans that aren't in the table, as it has no room for them.
   */
  List<NodeBan> write(Connection connection, Dialect dialect) throws SQLException {
    dialect.beginChange(connection, AUTHOR);
    try {
      long number = lock(connection);
      for (AccessSubject subject : lifted) {
        Sql.of(
                "DELETE FROM weir.access_list WHERE subject = ? AND " + BanRows.CONDITION,
                subject.toString())
            .run(connection);
      }
      return write(connection, number - bans.size());
    } finally {
      dialect.endChange(connection);
    }
  }

  /**
   * Reserves a number for each ban, and returns the last one. They begin with the time, which is
   * above all that nodes have seen, if somebody has deleted the row.
   */
  private long lock(Connection connection) throws SQLException {
    int found =
        Sql.of(
                "UPDATE weir.weir_duties SET number = COALESCE(number, 0) + ? WHERE name = ?",
                bans.size(),
                DUTY)
            .update(connection);
    if (found == 0) {
      Sql.of(
              "INSERT INTO weir.weir_duties (name, holder, until, number) VALUES (?, ?, ?, ?)",
              DUTY,
              "all nodes",
              now,
              ChronoUnit.MICROS.between(Instant.EPOCH, now) + bans.size())
          .run(connection);
    }
    return Sql.of("SELECT number FROM weir.weir_duties WHERE name = ?", DUTY)
        .one(connection, row -> row.getLong(1));
  }

  private List<NodeBan> write(Connection connection, long numbered) throws SQLException {
    Map<String, Row> rows = rows(connection);
    List<Sql> updates = new ArrayList<>();
    Map<String, List<NodeBan>> added = new HashMap<>();
    long next = numbered;
    for (NodeBan ban : bans) {
      Row row = rows.get(ban.key());
      if (row == null) {
        added.computeIfAbsent(ban.policy(), any -> new ArrayList<>()).add(ban);
      } else if (row.endsBefore(ban.end())) {
        updates.add(update(row.id, ban, ++next));
      }
    }
    List<Sql> inserts = new ArrayList<>();
    List<NodeBan> left = new ArrayList<>();
    for (Map.Entry<String, List<NodeBan>> each : added.entrySet()) {
      List<NodeBan> ofPolicy = each.getValue();
      int room = Math.min(ofPolicy.size(), room(connection, each.getKey(), ofPolicy.size()));
      for (NodeBan ban : ofPolicy.subList(0, room)) {
        inserts.add(insert(ban, ++next));
      }
      left.addAll(ofPolicy.subList(room, ofPolicy.size()));
    }
    Sql.batch(connection, updates);
    Sql.batch(connection, inserts);
    return left;
  }

  private Map<String, Row> rows(Connection connection) throws SQLException {
    Map<String, Row> rows = new HashMap<>();
    for (int from = 0; from < bans.size(); from += RuleDatabase.MAX_KEYS) {
      int to = Math.min(bans.size(), from + RuleDatabase.MAX_KEYS);
      List<String> keys = bans.subList(from, to).stream().map(NodeBan::key).toList();
      Sql.of("SELECT ban_key, id, valid_until FROM weir.access_list WHERE ban_key IN ")
          .then(Sql.list(keys))
          .each(
              connection,
              row -> rows.put(row.getString(1), new Row(row.getLong(2), Sql.timeIfAny(row, 3))));
    }
    return rows;
  }

  /** Returns how many rows may be added; those that have ended make room for others. */
  private int room(Connection connection, String policy, int wanted) throws SQLException {
    int room = mostOfPolicy - rowsOf(connection, policy);
    if (room < wanted) {
      Sql.of(
              "DELETE FROM weir.access_list WHERE policy = ? AND valid_until <= ? AND "
                  + BanRows.CONDITION,
              policy,
              now)
          .run(connection);
      room = mostOfPolicy - rowsOf(connection, policy);
    }
    return Math.max(0, room);
  }

  private static int rowsOf(Connection connection, String policy) throws SQLException {
    return Sql.of(
            "SELECT COUNT(*) FROM weir.access_list WHERE policy = ? AND " + BanRows.CONDITION,
            policy)
        .one(connection, row -> row.getInt(1));
  }

  private Sql update(long id, NodeBan ban, long number) {
    return Sql.of(
        "UPDATE weir.access_list SET valid_until = ?, reason = ?, ban_number = ?,"
            + " version = COALESCE(version, 0) + 1, updated_at = ? WHERE id = ?",
        ban.end(),
        reason(ban),
        number,
        now,
        id);
  }

  private Sql insert(NodeBan ban, long number) {
    return Sql.of(
        "INSERT INTO weir.access_list (action, subject, state, reason, valid_until, policy, ban_key,"
            + " ban_number, version, created_at, updated_at, updated_by)"
            + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?)",
        BanRows.BAN,
        ban.entry().subject().toString(),
        ban.entry().isShadow() ? "SHADOW" : null,
        reason(ban),
        ban.end(),
        ban.policy(),
        ban.key(),
        number,
        now,
        now,
        AUTHOR);
  }

  private static @Nullable String reason(NodeBan ban) {
    return ban.entry().reason().isEmpty() ? null : ban.entry().reason();
  }

  /** Returns the bans that a row has, unless they were left. */
  List<NodeBan> without(List<NodeBan> left) {
    Set<String> keys = left.stream().map(NodeBan::key).collect(Collectors.toSet());
    return bans.stream().filter(ban -> !keys.contains(ban.key())).toList();
  }
}
