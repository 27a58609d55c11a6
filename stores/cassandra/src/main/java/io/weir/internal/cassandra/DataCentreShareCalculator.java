package io.weir.internal.cassandra;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Computes the share of each data centre, in percent, from the rows of its nodes. */
final class DataCentreShareCalculator {
  /** The most that all shares may add up to. */
  static final int WHOLE = 100;

  private DataCentreShareCalculator() {}

  /**
   * Returns the share of each data centre by name: the largest one of its live nodes, so that a
   * node with a smaller share can't hide another. If no node is known to be alive, the share
   * written last.
   *
   * @param rows a percentage, until when its node counts as alive, and its data centre
   * @param now the current time on the same scale, in microseconds
   */
  static SortedMap<String, Integer> of(List<BucketTable.NoteRow> rows, long now) {
    SortedMap<String, Integer> shares = new TreeMap<>();
    Map<String, Long> latest = new HashMap<>();
    for (BucketTable.NoteRow row : rows) {
      String dataCentre = new String(row.state(), UTF_8);
      int share = (int) row.used();
      long until = Math.min(row.asked(), now); // live nodes count as equally recent
      long before = latest.getOrDefault(dataCentre, Long.MIN_VALUE);
      if (until > before) {
        shares.put(dataCentre, share);
        latest.put(dataCentre, until);
      } else if (until == before) {
        shares.merge(dataCentre, share, Math::max);
      }
    }
    return shares;
  }

  static int sum(SortedMap<String, Integer> shares) {
    return shares.values().stream().mapToInt(Integer::intValue).sum();
  }

  /**
   * Returns the beginning of a data centre's part: the sum of the shares before it in the order of
   * names.
   */
  static int before(SortedMap<String, Integer> shares, String dataCentre, int share) {
    return Math.min(sum(shares.headMap(dataCentre)), WHOLE - share);
  }
}
