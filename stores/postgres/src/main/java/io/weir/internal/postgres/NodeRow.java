package io.weir.internal.postgres;

import io.weir.store.LeasingStore;
import io.weir.store.Membership;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;

/**
 * Keeps the live nodes and their shares in one row, which each node replaces if it is still what it
 * read.
 *
 * <p>A node holds its share until its heartbeat is forgotten, and, as the answer that lowered it
 * may have been lost, the larger one of before for as long as that would have lasted. What others
 * hold is never given away, so shares never exceed the whole.
 *
 * <p>Safe for concurrent use with sessions of the callers' own.
 */
final class NodeRow {
  private static final byte[] KEY = BucketKeyEncoder.ofStore("nodes");
  private static final int MAX_TRIES = 64;
  private static final int ENTRY = 2 * (Long.BYTES + Integer.BYTES);

  private final BucketTable table;
  private final StoreClock clock;

  NodeRow(BucketTable table, StoreClock clock) {
    this.table = table;
    this.clock = clock;
  }

  Membership heartbeat(PostgresSession session, String node) throws SQLException {
    BucketRow row = table.find(session, KEY);
    for (int i = 0; i < MAX_TRIES; i++) {
      long now = clock.now();
      Map<String, Held> all = read(row);
      Held own = all.getOrDefault(node, Held.NOTHING);
      all.remove(node);
      all.values().removeIf(each -> each.ends <= now);
      int live = all.size() + 1;
      int others = all.values().stream().mapToInt(each -> each.held(now)).sum();
      int share = Math.max(0, Math.min(Membership.WHOLE / live, Membership.WHOLE - others));
      long ends = now + clock.uncertainty() + LeasingStore.MEMBERSHIP_MICROS;
      all.put(node, own.next(share, ends, now));
      long growth = BucketRow.randomGrowth();
      BucketRow after = new BucketRow(row.nextVersion(growth), write(all), ends);
      SwapResult.Row swapped = table.swap(session, growth, new RowSwap(KEY, row, after));
      if (swapped.done()) {
        return new Membership(live, share);
      }
      row = swapped.found();
    }
    throw new PostgresUnavailableException("other nodes' heartbeats were faster");
  }

  void leave(PostgresSession session, String node) throws SQLException {
    BucketRow row = table.find(session, KEY);
    for (int i = 0; i < MAX_TRIES; i++) {
      Map<String, Held> all = read(row);
      if (all.remove(node) == null) {
        return;
      }
      long growth = BucketRow.randomGrowth();
      BucketRow after = new BucketRow(row.nextVersion(growth), write(all), row.expiresAt());
      SwapResult.Row swapped = table.swap(session, growth, new RowSwap(KEY, row, after));
      if (swapped.done()) {
        return;
      }
      row = swapped.found();
    }
  }

  private static Map<String, Held> read(BucketRow row) {
    Map<String, Held> all = new TreeMap<>();
    byte[] state = row.state();
    ByteBuffer from = ByteBuffer.wrap(state == null ? new byte[0] : state);
    while (from.hasRemaining()) {
      byte[] name = new byte[from.getInt()];
      from.get(name);
      Held held = new Held(from.getLong(), from.getInt(), from.getLong(), from.getInt());
      all.put(new String(name, StandardCharsets.UTF_8), held);
    }
    return all;
  }

  private static byte[] write(Map<String, Held> all) {
    int length =
        all.keySet().stream()
            .mapToInt(each -> Integer.BYTES + each.getBytes(StandardCharsets.UTF_8).length + ENTRY)
            .sum();
    ByteBuffer into = ByteBuffer.allocate(length);
    all.forEach(
        (node, held) -> {
          byte[] name = node.getBytes(StandardCharsets.UTF_8);
          into.putInt(name.length).put(name);
          into.putLong(held.ends).putInt(held.share).putLong(held.oldEnds).putInt(held.oldShare);
        });
    return into.array();
  }

  /**
   * What a node holds.
   *
   * @param ends until when it has its share, in microseconds
   * @param share in parts per million
   * @param oldEnds until when it may still rely on an earlier share
   * @param oldShare that share
   */
  private record Held(long ends, int share, long oldEnds, int oldShare) {
    static final Held NOTHING = new Held(0, 0, 0, 0);

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
