package io.weir.internal.cassandra;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Works out the percent of each data centre from what its nodes have written. */
final class Shares {
  /** What all may come to. */
  static final int WHOLE = 100;

  private Shares() {}

  /**
   * The shares of data centres, by name: the largest of the nodes that live, so one that starts
   * with a smaller share can't hide another. If none of them lives, or nobody hears of them, what
   * was written last.
   *
   * @param rows a percent, until when its node lives, and its data centre
   * @param now the same time, in microseconds
   */
  static SortedMap<String, Integer> of(List<Table.NoteRow> rows, long now) {
    SortedMap<String, Integer> shares = new TreeMap<>();
    Map<String, Long> latest = new HashMap<>();
    for (Table.NoteRow row : rows) {
      String dataCentre = new String(row.state(), UTF_8);
      int share = (int) row.used();
      long until = Math.min(row.asked(), now); // all that live are equally late
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

  /** What they come to. */
  static int sum(SortedMap<String, Integer> shares) {
    return shares.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** Where the part of a data centre begins: behind those before it in the order of names. */
  static int before(SortedMap<String, Integer> shares, String dataCentre, int share) {
    return Math.min(sum(shares.headMap(dataCentre)), WHOLE - share);
  }
}
