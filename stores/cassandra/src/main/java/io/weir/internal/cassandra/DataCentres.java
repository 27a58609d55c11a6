package io.weir.internal.cassandra;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.weir.store.Claim;
import io.weir.store.Grant;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * What this data centre has to do with the others: whether counts are exact in it and across all,
 * and which part of each limit it hands out.
 *
 * <p>Where a share is set, buckets of this data centre have names of their own, so nobody counts
 * those of another. Each data centre tells its share in a row, and the parts of a limit are cut at
 * the sums of the shares in the order of names, so that they add up to it.
 *
 * <p>Safe for concurrent use.
 */
final class DataCentres {
  private static final String SHARES = "shares";
  private static final int WHOLE = 100;
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** A data centre that hasn't been heard of for so long is no more. */
  private static final int SECONDS = 7 * 86_400;

  /** Heartbeats between two looks at the shares. */
  private static final int LOOKS_EACH = 10;

  /** Heartbeats between two times that the own share is told. */
  private static final int TELLS_EACH = 3_600;

  private final CassandraAddress address;
  private final CassandraSettings settings;
  private final StoreClock clock;
  private final OnceLog log;
  private final AtomicBoolean warnedOfGuarantee = new AtomicBoolean();
  private final AtomicBoolean warnedOfNeighbours = new AtomicBoolean();
  private final AtomicLong beats = new AtomicLong();
  private volatile Guarantee guarantee = Guarantee.UNKNOWN;
  private volatile int begin;

  DataCentres(CassandraAddress address, CassandraSettings settings, StoreClock clock, OnceLog log) {
    this.address = address;
    this.settings = settings;
    this.clock = clock;
    this.log = log;
  }

  /** Whether what is written in this data centre is there to be read in it. */
  boolean isExactHere() {
    return guarantee.here();
  }

  /**
   * There is a connection; waits for Cassandra.
   *
   * @throws MisconfiguredException if all shares are more than a whole
   */
  void connected(CqlSession session, Map<String, String> replication) {
    guarantee = Guarantee.of(settings.levels(), replication, address.dataCentre());
    if (!guarantee.here() && warnedOfGuarantee.compareAndSet(false, true)) {
      log.warn(
          address
              + " isn't exact for Weir: with reads at "
              + settings.levels().read()
              + " and writes at "
              + settings.levels().write()
              + " a node may miss what another one has just written. Until all replicas have it,"
              + " each node may hand out a limit by itself: up to the limit times the number of"
              + " nodes.");
    }
    if (settings.share() > 0) {
      tellShare(session);
    }
  }

  private void tellShare(CqlSession session) {
    try {
      tellShare(session, ConsistencyLevel.QUORUM);
    } catch (DriverException away) {
      log.warn(
          "Other data centres of "
              + address
              + " can't be asked for their shares now: those that were told before count.");
      tellShare(session, ConsistencyLevel.LOCAL_QUORUM);
    }
  }

  /** Tells first and reads afterwards: of two that do so at the same time one sees the other. */
  private void tellShare(CqlSession session, ConsistencyLevel level) {
    SortedMap<String, Integer> before = shares(session, level);
    writeShare(session, level, settings.share());
    SortedMap<String, Integer> told = shares(session, level);
    int sum = told.values().stream().mapToInt(Integer::intValue).sum();
    if (sum > WHOLE) {
      writeShare(session, level, before.getOrDefault(address.dataCentre(), 0));
      throw new MisconfiguredException(
          "weir.store.cassandra.share must leave the data centres 100 percent together, not "
              + sum
              + ": they told "
              + told);
    }
    begin = before(told);
  }

  private SortedMap<String, Integer> shares(CqlSession session, ConsistencyLevel level) {
    SortedMap<String, Integer> shares = new TreeMap<>();
    SimpleStatement statement =
        SimpleStatement.builder(
                "SELECT used, state FROM " + settings.table(address) + " WHERE name = ?")
            .addPositionalValue(SHARES)
            .setConsistencyLevel(level)
            .setTimeout(PATIENCE)
            .build();
    for (Row row : session.execute(statement)) {
      ByteBuffer name = row.getByteBuffer(1);
      if (name != null && row.getLong(0) > 0) {
        shares.put(UTF_8.decode(name).toString(), (int) row.getLong(0));
      }
    }
    return shares;
  }

  private void writeShare(CqlSession session, ConsistencyLevel level, int share) {
    Table.NoteRow row = row(share);
    session.execute(
        SimpleStatement.builder(
                "INSERT INTO "
                    + settings.table(address)
                    + " (name, slot, writer, used, state) VALUES (?, ?, ?, ?, ?)"
                    + " USING TTL ? AND TIMESTAMP ?")
            .addPositionalValues(
                SHARES,
                row.slot(),
                row.writer(),
                row.used(),
                ByteBuffer.wrap(row.state()),
                SECONDS,
                clock.timestamp())
            .setConsistencyLevel(level)
            .setTimeout(PATIENCE)
            .build());
  }

  private Table.NoteRow row(int share) {
    byte[] name = address.dataCentre().getBytes(UTF_8);
    return new Table.NoteRow(0, UUID.nameUUIDFromBytes(name), share, 0, name);
  }

  /** Where the own part begins: behind those of the data centres before this one. */
  private int before(SortedMap<String, Integer> told) {
    int sum =
        told.headMap(address.dataCentre()).values().stream().mapToInt(Integer::intValue).sum();
    return Math.min(sum, WHOLE - settings.share());
  }

  /** A heartbeat was answered: in these data centres nodes live. */
  void beat(Table table, Set<String> living) {
    if (living.size() > 1
        && settings.share() == 0
        && !guarantee.everywhere()
        && warnedOfNeighbours.compareAndSet(false, true)) {
      log.warn(
          "Nodes in the data centres "
              + living
              + " share the buckets of "
              + address
              + ", and "
              + settings.levels().write()
              + " is exact within one: each may hand out a whole limit until the others hear of"
              + " it. Set weir.store.cassandra.share, or read and write at QUORUM.");
    }
    long beat = beats.getAndIncrement();
    if (settings.share() == 0) {
      return;
    }
    if (beat % TELLS_EACH == TELLS_EACH - 1) {
      var unused = table.writeNote(SHARES, row(settings.share()), SECONDS, clock.timestamp());
    }
    if (beat % LOOKS_EACH == 0) {
      var unused = table.readNotes(SHARES).thenAccept(notes -> look(notes.rows()));
    }
  }

  private void look(List<Table.NoteRow> rows) {
    SortedMap<String, Integer> told = new TreeMap<>();
    for (Table.NoteRow row : rows) {
      told.put(new String(row.state(), UTF_8), (int) row.used());
    }
    begin = before(told);
  }

  /** What a bucket is called where this data centre counts. */
  String named(String name) {
    return settings.share() == 0 ? name : name + "@" + address.dataCentre();
  }

  /** Executes claims for the own part of each limit. */
  CompletionStage<List<Grant>> execute(
      List<Claim> claims, Function<List<Claim>, CompletionStage<List<Grant>>> bucket) {
    if (settings.share() == 0) {
      return bucket.apply(claims);
    }
    int from = begin;
    List<Claim> parts = new ArrayList<>(claims.size());
    for (Claim claim : claims) {
      parts.add(part(claim, from));
    }
    return bucket
        .apply(parts)
        .thenApply(
            grants -> {
              List<Grant> all = new ArrayList<>(grants.size());
              for (int i = 0; i < grants.size(); i++) {
                Claim claim = claims.get(i);
                boolean nothing = part(claim.burst(), from) == 0;
                all.add(nothing ? none(claim) : grants.get(i));
              }
              return all;
            });
  }

  /** A part of nothing: its claims take nothing, so that what they owe still counts. */
  private Claim part(Claim claim, int from) {
    long limit = part(claim.effectiveLimit(), from);
    long burst = part(claim.burst(), from);
    boolean nothing = limit == 0 || burst == 0;
    Claim.Builder part =
        Claim.builder(claim.bucket(), Math.max(1, limit), Math.max(1, burst))
            .needed(nothing ? 0 : claim.needed())
            .atLeast(claim.atLeast())
            .extra(nothing ? 0 : claim.extra())
            .giveBacks(claim.giveBacks())
            .debt(claim.debt())
            .refusedAt(claim.refusedAt())
            .usedAtLeast(part(claim.usedAtLeast(), from));
    return claim.windowEnd() == 0
        ? part.build()
        : part.window(claim.windowBegin(), claim.windowEnd()).build();
  }

  private static Grant none(Claim claim) {
    long window = claim.bucket().spec().windowMicros();
    return Grant.refused(0, window, window);
  }

  private long part(long all, int from) {
    return part(all, from, settings.share());
  }

  /** The part of a number that a data centre has whose share begins behind others. */
  static long part(long all, int from, int share) {
    return upTo(all, from + share) - upTo(all, from);
  }

  /** ⌊all × percent ÷ 100⌋, of numbers up to 2<sup>62</sup>. */
  private static long upTo(long all, int percent) {
    return all / WHOLE * percent + all % WHOLE * percent / WHOLE;
  }
}
