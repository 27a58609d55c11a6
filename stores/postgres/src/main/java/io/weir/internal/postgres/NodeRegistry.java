package io.weir.internal.postgres;

import io.weir.internal.store.StoreUnavailableException;
import io.weir.store.LeasingStore;
import io.weir.store.Membership;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the live nodes and their shares: a row for each, which only that node writes, and one with
 * their number.
 *
 * <p>Few nodes each read the rows of all with each heartbeat. Of many, one in turn counts them once
 * in an interval; the others read only the number, and all rows when their share has to grow.
 *
 * <p>A row holds the share that its node has, and, as the answer that lowered it may have been
 * lost, the larger one of before for as long as that would have lasted. To get a larger share, a
 * node writes it, reads the rows of all, and keeps no more than the others leave. Of two nodes that
 * do so at once at least one reads the other's row, since each statement sees what was committed
 * before it. To keep or lower a share, a node need read no other row, if its own hadn't expired
 * before the server's time after the write: then each node that read the rows meanwhile saw it
 * alive. So shares never exceed the whole, and the number, which may be late, decides nothing.
 *
 * <p>What can't be read counts as none. Safe for concurrent use with sessions of the callers' own.
 */
final class NodeRegistry {
  /** The row with the number of nodes. */
  static final byte[] COUNT = BucketKeyEncoder.ofStore("members");

  private static final byte[] FIRST = BucketKeyEncoder.ofStore("member.");
  private static final byte[] LAST = BucketKeyEncoder.after(FIRST);
  private static final int MAX_TRIES = 64;
  private static final int PAGE = 2_000;

  /** The number of nodes from which on they aren't counted by each heartbeat. */
  private static final int FEW = 32;

  /** The part of a share by which it may be too small before it grows. */
  private static final int SLACK = 10;

  private final BucketTable table;
  private final StoreClock clock;

  /** The rows that this process has written last. */
  private final Map<String, BucketRow> known = new ConcurrentHashMap<>();

  /**
   * The shares that this process was answered. One is missing while its row is written: if that
   * fails, the row may say more than was left.
   */
  private final Map<String, Integer> answered = new ConcurrentHashMap<>();

  private volatile int lastLive = 1;

  NodeRegistry(BucketTable table, StoreClock clock) {
    this.table = table;
    this.clock = clock;
  }

  Membership heartbeat(PostgresSession session, String node) throws SQLException {
    Membership answer = lastLive < FEW ? null : byCount(session, node);
    if (answer == null) {
      answer = byAll(session, node);
    }
    lastLive = answer.live();
    answered.put(node, answer.share());
    return answer;
  }

  /**
   * Answers without the others' rows; null if nobody has counted lately, or the share must grow.
   */
  private @Nullable Membership byCount(PostgresSession session, String node) throws SQLException {
    int live = counted(table.find(session, COUNT));
    if (live < FEW) {
      return null;
    }
    int wanted = Membership.WHOLE / live;
    int share = Math.min(answered.getOrDefault(node, 0), wanted);
    if (share < wanted - wanted / SLACK) {
      return null;
    }
    answered.remove(node);
    Held before = write(session, node, live, share, null);
    return isHeldStill(before) ? new Membership(live, share) : null;
  }

  private boolean isHeldStill(Held before) {
    return clock.now() + clock.uncertainty() < before.ends;
  }

  private Membership byAll(PostgresSession session, String node) throws SQLException {
    Others seen = others(session, node);
    int wanted = seen.share();
    Integer own = answered.remove(node);
    Held before = write(session, node, seen.live, wanted, null);
    if (own != null && wanted <= own && isHeldStill(before)) {
      count(session, seen.live);
      return new Membership(seen.live, wanted);
    }
    Others all = others(session, node);
    int share = Math.min(wanted, all.share());
    if (share < wanted) {
      write(session, node, all.live, share, before);
    }
    count(session, all.live);
    return new Membership(all.live, share);
  }

  /** Leaves the number for the others, of whom another one may be faster. */
  private void count(PostgresSession session, int live) throws SQLException {
    if (live < FEW) {
      return;
    }
    BucketRow row = table.find(session, COUNT);
    long now = clock.now();
    byte[] state = ByteBuffer.allocate(COUNTED).putInt(live).putLong(now).array();
    swap(session, COUNT, row, state, now + LeasingStore.membershipMicros(live));
  }

  private static final int COUNTED = Integer.BYTES + Long.BYTES;

  /** Reads the number that was counted in the last interval; 0 if there is none. */
  private int counted(BucketRow row) {
    byte[] state = row.state();
    if (state == null || state.length != COUNTED) {
      return 0;
    }
    ByteBuffer from = ByteBuffer.wrap(state);
    int live = from.getInt();
    long age = clock.now() - from.getLong();
    if (live < 1 || age < -LeasingStore.MEMBERSHIP_MICROS) {
      return 0;
    }
    long interval = LeasingStore.membershipMicros(live) / LeasingStore.REMEMBERED_HEARTBEATS;
    return age < interval ? live : 0;
  }

  private Others others(PostgresSession session, String node) throws SQLException {
    byte[] self = key(node);
    long now = clock.now();
    int live = 1;
    long taken = 0;
    boolean old = false;
    byte[] after = FIRST;
    List<BucketTable.KeyedRow> page;
    do {
      page = table.scan(session, after, LAST, PAGE);
      for (BucketTable.KeyedRow each : page) {
        Held held = Held.of(each.row(), now + clock.uncertainty());
        after = each.key();
        old |= each.row().expiresAt() < now - ExpiredRowSweep.MARGIN_MICROS;
        if (held.ends > now && !Arrays.equals(each.key(), self)) {
          live++;
          taken += held.held(now);
        }
      }
    } while (page.size() == PAGE);
    if (old) {
      removeOld(session, now);
    }
    return new Others(live, taken);
  }

  private void removeOld(PostgresSession session, long now) throws SQLException {
    try {
      table.remove(session, FIRST, LAST, now - ExpiredRowSweep.MARGIN_MICROS);
    } catch (SQLException failure) {
      if (!Failures.isWithoutRight(failure)) { // the sweep reports that
        throw failure;
      }
    }
  }

  /**
   * Writes the row of a node.
   *
   * @param was what the node held, if that isn't what its row says
   * @return what the row said before
   */
  private Held write(PostgresSession session, String node, int live, int share, @Nullable Held was)
      throws SQLException {
    BucketRow row = known.getOrDefault(node, BucketRow.NONE);
    for (int i = 0; i < MAX_TRIES; i++) {
      long now = clock.now();
      Held before = Held.of(row, now + clock.uncertainty());
      long ends = now + clock.uncertainty() + LeasingStore.membershipMicros(live);
      Held after = (was == null ? before : was).next(share, ends, now);
      SwapResult.Row swapped = swap(session, key(node), row, after.state(), ends, node);
      if (swapped.done()) {
        return before;
      }
      row = swapped.found();
    }
    throw new StoreUnavailableException("the row of this node is locked");
  }

  private SwapResult.Row swap(
      PostgresSession session, byte[] key, BucketRow row, byte @Nullable [] state, long ends)
      throws SQLException {
    return swap(session, key, row, state, ends, "");
  }

  private SwapResult.Row swap(
      PostgresSession session,
      byte[] key,
      BucketRow row,
      byte @Nullable [] state,
      long ends,
      String node)
      throws SQLException {
    long growth = BucketRow.randomGrowth();
    BucketRow after = new BucketRow(row.nextVersion(growth), state, ends);
    SwapResult.Row swapped = table.swap(session, growth, new RowSwap(key, row, after));
    if (swapped.done() && !node.isEmpty()) {
      known.put(node, after);
    }
    return swapped;
  }

  void leave(PostgresSession session, String node) throws SQLException {
    BucketRow row = known.getOrDefault(node, BucketRow.NONE);
    for (int i = 0; i < MAX_TRIES; i++) {
      SwapResult.Row swapped = swap(session, key(node), row, null, clock.now());
      if (swapped.done()) {
        known.remove(node);
        answered.remove(node);
        return;
      }
      row = swapped.found();
    }
  }

  private static byte[] key(String node) {
    return BucketKeyEncoder.concat(FIRST, node.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * The other nodes.
   *
   * @param live the number of live nodes, this one included
   * @param taken the sum of the others' shares
   */
  private record Others(int live, long taken) {
    int share() {
      return (int) Math.max(0, Math.min(Membership.WHOLE / live, Membership.WHOLE - taken));
    }
  }

  /**
   * Holds what the row of a node says.
   *
   * @param ends until when it has its share, in microseconds
   * @param share in parts per million
   * @param oldEnds until when it may still rely on an earlier share
   * @param oldShare that share
   */
  private record Held(long ends, int share, long oldEnds, int oldShare) {
    static final Held NOTHING = new Held(0, 0, 0, 0);
    private static final int LENGTH = 2 * (Long.BYTES + Integer.BYTES);

    /** Reads a row; nothing if it is damaged. */
    static Held of(BucketRow row, long now) {
      byte[] state = row.state();
      if (state == null || state.length != LENGTH) {
        return NOTHING;
      }
      ByteBuffer from = ByteBuffer.wrap(state);
      Held held = new Held(from.getLong(), from.getInt(), from.getLong(), from.getInt());
      // Ends by the server's clock and how well a node knows it.
      long latest = now + 2 * LeasingStore.MAX_MEMBERSHIP_MICROS;
      boolean possible =
          isShare(held.share)
              && isShare(held.oldShare)
              && Math.max(held.ends, held.oldEnds) < latest;
      return possible ? held : NOTHING;
    }

    private static boolean isShare(int share) {
      return share >= 0 && share <= Membership.WHOLE;
    }

    byte[] state() {
      return ByteBuffer.allocate(LENGTH)
          .putLong(ends)
          .putInt(share)
          .putLong(oldEnds)
          .putInt(oldShare)
          .array();
    }

    int held(long now) {
      return Math.max(ends > now ? share : 0, oldEnds > now ? oldShare : 0);
    }

    Held next(int nextShare, long nextEnds, long now) {
      boolean lower = ends > now && share > nextShare;
      boolean old = oldEnds > now;
      long keptUntil = Math.max(lower ? ends : 0, old ? oldEnds : 0);
      int kept = Math.max(lower ? share : 0, old ? oldShare : 0);
      return new Held(nextEnds, nextShare, keptUntil, kept);
    }
  }
}
