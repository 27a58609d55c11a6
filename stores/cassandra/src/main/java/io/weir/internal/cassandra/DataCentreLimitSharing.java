package io.weir.internal.cassandra;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.weir.internal.store.MisconfiguredStoreException;
import io.weir.internal.store.StoreFailureLog;
import io.weir.internal.store.StoreUnavailableException;
import io.weir.store.Claim;
import io.weir.store.Grant;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Determines how this data centre shares limits with the others: whether counts are exact in it and
 * across all, and which part of each limit it hands out.
 *
 * <p>If a share is set, buckets of this data centre have names of their own, so no data centre
 * counts those of another. Each node writes its share in a row of its own; the share of a data
 * centre is the largest one of its live nodes, or else the last one written. The parts of a limit
 * are cut at the sums of the shares in the order of names, so that they add up to it. While the
 * shares are more than 100 %, no node counts.
 *
 * <p>Safe for concurrent use.
 */
final class DataCentreLimitSharing implements CassandraConnection.Listener {
  private static final String NAME = "shares";
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** The silence after which a data centre counts as gone. */
  private static final int SECONDS = 7 * 86_400;

  /** Heartbeats between two readings of the shares. */
  private static final int LOOKS_EACH = 10;

  /** Microseconds between two writes of the own share; heartbeats are a minute apart at most. */
  private static final long WRITES_EACH = 60_000_000;

  /** Microseconds without a new share after which a node counts as gone. */
  private static final long LIFE = 180_000_000;

  /** Bounds memory if a policy source keeps making up names. */
  private static final int MAX_WARNINGS = 1_000;

  private final CassandraAddress address;
  private final CassandraSettings settings;
  private final StoreClock clock;
  private final StoreFailureLog log;
  private final AtomicBoolean warnedOfOverlap = new AtomicBoolean();
  private final AtomicBoolean warnedOfNeighbours = new AtomicBoolean();
  private final Set<String> warnedOfNothing = ConcurrentHashMap.newKeySet();
  private final AtomicLong beats = new AtomicLong();
  private final UUID self;
  private volatile QuorumOverlap overlap = QuorumOverlap.UNKNOWN;
  private volatile long writtenAt;
  private volatile int begin;
  private volatile @Nullable String refusal;

  /** Whether the last reading found shares that are too large. */
  private volatile boolean isDoubted;

  DataCentreLimitSharing(
      CassandraAddress address,
      CassandraSettings settings,
      StoreClock clock,
      UUID self,
      StoreFailureLog log) {
    this.address = address;
    this.settings = settings;
    this.clock = clock;
    this.self = self;
    this.log = log;
  }

  /** Returns whether a read in this data centre sees every earlier write in it. */
  boolean isExactHere() {
    return overlap.here();
  }

  @Override
  public ConsistencyLevel serial() {
    return overlap.serial();
  }

  /**
   * Checks a new connection; waits for Cassandra.
   *
   * @throws MisconfiguredStoreException if the shares are more than 100 % together, or the keyspace
   *     has no replicas here
   */
  @Override
  public void connected(CqlSession session, Map<String, String> replication) {
    overlap = QuorumOverlap.of(settings.levels(), replication, address.dataCentre());
    if (!overlap.here() && warnedOfOverlap.compareAndSet(false, true)) {
      log.warn(
          address
              + " isn't exact: with reads at "
              + settings.levels().read()
              + " and writes at "
              + settings.levels().write()
              + " a node may miss the latest write of another one. Until all replicas have it,"
              + " each node may grant a whole limit: up to the limit times the number of nodes.");
    }
    if (settings.share() > 0) {
      writeShare(session);
    }
  }

  private void writeShare(CqlSession session) {
    try {
      writeShare(session, ConsistencyLevel.QUORUM);
    } catch (DriverException away) {
      log.warn(
          "The shares of the other data centres of "
              + address
              + " can't be read, so the last known ones still apply.");
      writeShare(session, ConsistencyLevel.LOCAL_QUORUM);
    }
  }

  /** Writes first and reads afterwards, so of two nodes that do so at once one sees the other. */
  private void writeShare(CqlSession session, ConsistencyLevel level) {
    writtenAt = clock.now();
    execute(
        session,
        level,
        "INSERT INTO "
            + settings.table(address)
            + " (name, slot, writer, used, asked, state) VALUES (?, ?, ?, ?, ?, ?)"
            + " USING TTL ? AND TIMESTAMP ?",
        NAME,
        0L,
        self,
        (long) settings.share(),
        clock.now() + LIFE,
        ByteBuffer.wrap(address.dataCentre().getBytes(UTF_8)),
        SECONDS,
        clock.timestamp());
    SortedMap<String, Integer> shares =
        DataCentreShareCalculator.of(readShares(session, level), clock.now());
    if (DataCentreShareCalculator.sum(shares) > DataCentreShareCalculator.WHOLE) {
      execute(
          session,
          level,
          "DELETE FROM "
              + settings.table(address)
              + " USING TIMESTAMP ? WHERE name = ? AND slot = ? AND writer = ?",
          clock.timestamp(),
          NAME,
          0L,
          self);
      throw new MisconfiguredStoreException(tooMuch(shares));
    }
    begin = DataCentreShareCalculator.before(shares, address.dataCentre(), settings.share());
  }

  private static String tooMuch(SortedMap<String, Integer> shares) {
    return "weir.store.cassandra.share must add up to at most 100 percent over all data centres,"
        + " not "
        + DataCentreShareCalculator.sum(shares)
        + ": they have "
        + shares
        + ". Lower one of them and restart its nodes.";
  }

  private List<BucketTable.NoteRow> readShares(CqlSession session, ConsistencyLevel level) {
    List<BucketTable.NoteRow> rows = new ArrayList<>();
    for (Row row :
        execute(
            session,
            level,
            "SELECT writer, used, asked, state FROM " + settings.table(address) + " WHERE name = ?",
            NAME)) {
      UUID writer = row.getUuid(0);
      ByteBuffer name = row.getByteBuffer(3);
      if (writer != null && name != null) {
        byte[] bytes = new byte[name.remaining()];
        name.get(bytes);
        rows.add(new BucketTable.NoteRow(0, writer, row.getLong(1), row.getLong(2), bytes));
      }
    }
    return rows;
  }

  private static ResultSet execute(
      CqlSession session, ConsistencyLevel level, String cql, Object... values) {
    return session.execute(
        SimpleStatement.builder(cql)
            .addPositionalValues(values)
            .setConsistencyLevel(level)
            .setTimeout(PATIENCE)
            .build());
  }

  /** Takes the data centres of live nodes from an answered heartbeat. */
  void beat(BucketTable table, Set<String> living) {
    if (living.size() > 1
        && settings.share() == 0
        && !overlap.everywhere()
        && warnedOfNeighbours.compareAndSet(false, true)) {
      log.warn(
          "Nodes in the data centres "
              + living
              + " share the buckets of "
              + address
              + ", and "
              + settings.levels().write()
              + " is exact within one: each may grant a whole limit before the others learn of"
              + " it. Set weir.store.cassandra.share, or read and write at QUORUM.");
    }
    long beat = beats.getAndIncrement();
    if (settings.share() == 0) {
      return;
    }
    long now = clock.now();
    if (now - writtenAt >= WRITES_EACH) {
      writtenAt = now;
      byte[] name = address.dataCentre().getBytes(UTF_8);
      var row = new BucketTable.NoteRow(0, self, settings.share(), now + LIFE, name);
      var unused = table.writeNote(NAME, row, SECONDS, clock.timestamp());
    }
    if (beat % LOOKS_EACH == 0 || isDoubted) {
      var unused = table.readNotes(NAME).thenAccept(notes -> look(notes.rows()));
    }
  }

  /**
   * Reads all shares, and stops counting while they are too large. One reading isn't enough: a node
   * that is refused for its share has written it for a moment, each time it tries to start.
   */
  private void look(List<BucketTable.NoteRow> rows) {
    SortedMap<String, Integer> shares = DataCentreShareCalculator.of(rows, clock.now());
    shares.merge(address.dataCentre(), settings.share(), Math::max);
    boolean isTooMuch = DataCentreShareCalculator.sum(shares) > DataCentreShareCalculator.WHOLE;
    boolean isNews = isTooMuch && !isDoubted;
    isDoubted = isTooMuch;
    if (isNews) {
      return; // the next heartbeat reads them again
    }
    begin = DataCentreShareCalculator.before(shares, address.dataCentre(), settings.share());
    if (isTooMuch) {
      String text = tooMuch(shares);
      refusal = text;
      log.failed(text);
    } else if (refusal != null) {
      refusal = null;
      log.mended();
    }
  }

  /** Removes the share that this node has written. */
  CompletionStage<?> leave(BucketTable table) {
    return settings.share() == 0
        ? CompletableFuture.completedFuture(null)
        : table.delete(NAME, 0, self, clock.timestamp());
  }

  /** Returns the name of a bucket in this data centre. */
  String named(String name) {
    return settings.share() == 0 ? name : name + "@" + address.dataCentre();
  }

  /** Executes claims on this data centre's part of each limit. */
  CompletionStage<List<Grant>> execute(
      List<Claim> claims, Function<List<Claim>, CompletionStage<List<Grant>>> bucket) {
    if (settings.share() == 0) {
      return bucket.apply(claims);
    }
    String why = refusal;
    if (why != null) {
      return CompletableFuture.failedFuture(new StoreUnavailableException(why));
    }
    int from = begin;
    List<Claim> parts = new ArrayList<>(claims.size());
    for (Claim claim : claims) {
      if (isNothing(claim, from)) {
        warnOfNothing(claim);
      }
      parts.add(part(claim, from));
    }
    return bucket
        .apply(parts)
        .thenApply(
            grants -> {
              List<Grant> all = new ArrayList<>(grants.size());
              for (int i = 0; i < grants.size(); i++) {
                Claim claim = claims.get(i);
                all.add(isNothing(claim, from) ? none(claim) : grants.get(i));
              }
              return all;
            });
  }

  /** Executes claims on an empty part: they take nothing, but their debts count. */
  private Claim part(Claim claim, int from) {
    long limit = part(claim.effectiveLimit(), from);
    long burst = part(claim.burst(), from);
    Claim.Builder part =
        claim.toBuilder(Math.max(1, limit), Math.max(1, burst))
            .usedAtLeast(part(claim.usedAtLeast(), from));
    return isNothing(claim, from) ? part.needed(0).extra(0).far(0).build() : part.build();
  }

  /** Returns whether this data centre's part of a limit is less than one permit. */
  private boolean isNothing(Claim claim, int from) {
    return part(claim.effectiveLimit(), from) == 0 || part(claim.burst(), from) == 0;
  }

  private void warnOfNothing(Claim claim) {
    String policy = claim.bucket().spec().name();
    if (warnedOfNothing.size() < MAX_WARNINGS && warnedOfNothing.add(policy)) {
      int share = settings.share();
      log.warn(
          "Policy "
              + policy
              + " admits nothing in data centre "
              + address.dataCentre()
              + ": weir.store.cassandra.share = "
              + share
              + " leaves it less than one permit of "
              + claim.effectiveLimit()
              + (claim.bucket().spec().hasRefill() ? " that a window refills" : " per window")
              + ", "
              + claim.burst()
              + " at once. Raise the share, or each of these to at least "
              + (DataCentreShareCalculator.WHOLE + share - 1) / share
              + ".");
    }
  }

  private static Grant none(Claim claim) {
    long window = claim.bucket().spec().windowMicros();
    return Grant.refused(0, window, window);
  }

  private long part(long all, int from) {
    return part(all, from, settings.share());
  }

  /** Returns the part of a number for a share that begins behind the others' shares. */
  static long part(long all, int from, int share) {
    return upTo(all, from + share) - upTo(all, from);
  }

  /** ⌊all × percent ÷ 100⌋, of numbers up to 2<sup>62</sup>. */
  private static long upTo(long all, int percent) {
    return all / DataCentreShareCalculator.WHOLE * percent
        + all % DataCentreShareCalculator.WHOLE * percent / DataCentreShareCalculator.WHOLE;
  }
}
