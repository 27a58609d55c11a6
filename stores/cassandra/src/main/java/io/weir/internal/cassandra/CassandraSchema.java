package io.weir.internal.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.AlreadyExistsException;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import io.weir.internal.store.MisconfiguredStoreException;
import io.weir.internal.store.StoreUnavailableException;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Makes the keyspace and the table if they are missing, or reports the CQL that makes them.
 *
 * <p>Waits for Cassandra. Confine to one thread.
 */
final class CassandraSchema {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final int MAX_REPLICAS = 3;

  private final CqlSession session;
  private final CassandraAddress address;
  private final CassandraSettings settings;

  CassandraSchema(CqlSession session, CassandraAddress address, CassandraSettings settings) {
    this.session = session;
    this.address = address;
    this.settings = settings;
  }

  /** Returns whether the keyspace or the table is missing. */
  boolean isMissing() {
    return replication().isEmpty() || !hasTable();
  }

  void prepare() {
    Optional<Map<String, String>> replication = replication();
    if (replication.isPresent() && hasTable()) {
      return;
    }
    String keyspace = replication.isPresent() ? "" : createKeyspace();
    String table = createTable(settings.table(address));
    if (!settings.get(CassandraSettings.CREATE_SCHEMA)) {
      throw missing("weir.store.cassandra.create-schema is false", keyspace, table);
    }
    try {
      if (!keyspace.isEmpty()) {
        execute(keyspace);
      }
      execute(table);
    } catch (UnauthorizedException refused) {
      throw missing("this user may not create tables", keyspace, table);
    } catch (AlreadyExistsException another) {
      // Another node was faster.
    }
  }

  private MisconfiguredStoreException missing(String why, String keyspace, String table) {
    Object what = keyspace.isEmpty() ? "the table " + settings.table(address) : address;
    return new MisconfiguredStoreException(
        why + " and " + what + " is missing. This CQL creates it:\n" + (keyspace + table).strip());
  }

  /** Returns the replication of the keyspace: its class, and the replicas of each data centre. */
  Optional<Map<String, String>> replication() {
    Row row =
        session
            .execute(
                SimpleStatement.builder(
                        "SELECT replication FROM system_schema.keyspaces WHERE keyspace_name = ?")
                    .addPositionalValue(address.keyspace())
                    .setTimeout(PATIENCE)
                    .build())
            .one();
    return Optional.ofNullable(row)
        .map(each -> each.getMap(0, String.class, String.class))
        .map(TreeMap::new);
  }

  private boolean hasTable() {
    String table = settings.table(address);
    return session
            .execute(
                SimpleStatement.builder(
                        "SELECT table_name FROM system_schema.tables"
                            + " WHERE keyspace_name = ? AND table_name = ?")
                    .addPositionalValues(
                        address.keyspace(), table.substring(table.indexOf('.') + 1))
                    .setTimeout(PATIENCE)
                    .build())
            .one()
        != null;
  }

  /**
   * Chooses the same coordinator on all nodes if possible: tables that two coordinators make at
   * once differ in their internal names.
   */
  private void execute(String cql) {
    Optional<Node> first =
        session.getMetadata().getNodes().values().stream()
            .filter(each -> address.dataCentre().equals(each.getDatacenter()))
            .filter(each -> each.getOpenConnections() > 0)
            .min(Comparator.comparing(each -> String.valueOf(each.getHostId())));
    SimpleStatement statement =
        SimpleStatement.builder(cql.strip()).setTimeout(PATIENCE).setIdempotence(true).build();
    session.execute(first.map(statement::setNode).orElse(statement));
    requireAgreement();
  }

  /**
   * Waits until all nodes that are up know the same tables.
   *
   * @throws StoreUnavailableException if they don't within ten seconds; try again
   */
  void requireAgreement() {
    if (!session.checkSchemaAgreement()) {
      throw new StoreUnavailableException(
          "nodes of Cassandra don't agree on the schema yet; nodetool describecluster shows which");
    }
  }

  private String createKeyspace() {
    long nodes =
        session.getMetadata().getNodes().values().stream()
            .filter(each -> address.dataCentre().equals(each.getDatacenter()))
            .count();
    String usual =
        "{'class': 'NetworkTopologyStrategy', '"
            + address.dataCentre().replace("'", "''")
            + "': "
            + Math.max(1, Math.min(MAX_REPLICAS, nodes))
            + "}";
    return "CREATE KEYSPACE IF NOT EXISTS "
        + address.keyspace()
        + " WITH replication = "
        + (settings.get(CassandraSettings.REPLICATION).isEmpty()
            ? usual
            : settings.get(CassandraSettings.REPLICATION))
        + ";\n";
  }

  /**
   * Returns the CQL of the table. Rows expire by themselves, so it needs neither repairs nor
   * cleaning jobs. Rows of about the same time expire together. Expired rows can't come back, since
   * their expiry is part of them; the grace period is only for replicas that are away for a moment.
   * Files of earlier windows are checked each minute, because expired rows in them keep later ones
   * in other files.
   */
  static String createTable(String table) {
    return "CREATE TABLE IF NOT EXISTS "
        + table
        + """
         (
          name text, slot bigint, writer uuid,
          used bigint, asked bigint, raised bigint, state blob,
          PRIMARY KEY ((name), slot, writer)
        ) WITH comment = 'Rate limits, by Weir. Rows expire by themselves.'
          AND compaction = {'class': 'TimeWindowCompactionStrategy',
            'compaction_window_unit': 'MINUTES', 'compaction_window_size': '10',
            'unchecked_tombstone_compaction': 'true', 'tombstone_compaction_interval': '60',
            'expired_sstable_check_frequency_seconds': '60'}
          AND gc_grace_seconds = 60
          AND speculative_retry = 'MIN(99p,20ms)';
        """;
  }
}
