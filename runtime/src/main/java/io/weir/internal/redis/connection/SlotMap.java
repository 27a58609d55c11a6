package io.weir.internal.redis.connection;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.internal.redis.address.HostAndPort;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.util.JedisClusterCRC16;

/**
 * Maps each slot of a cluster to a partition, and each partition to its master.
 *
 * <p>Immutable.
 */
final class SlotMap {
  /**
   * The most masters, each of which costs connections and threads; clusters are designed for no
   * more than a thousand nodes.
   */
  private static final int MAX_MASTERS = 1_000;

  private final int[] partitions;
  private final List<HostAndPort> masters;
  private final int[] first;
  private final boolean[] used;

  private SlotMap(int[] partitions, List<HostAndPort> masters) {
    this.partitions = partitions;
    this.masters = List.copyOf(masters);
    this.first = new int[masters.size()];
    this.used = new boolean[masters.size()];
    for (int slot = partitions.length - 1; slot >= 0; slot--) {
      int partition = Math.min(partitions[slot], first.length - 1);
      first[partition] = slot;
      used[partition] = true;
    }
  }

  /** Returns the map before any node was asked: one partition, at a node that will redirect. */
  static SlotMap unknown(HostAndPort seed) {
    return new SlotMap(new int[Protocol.CLUSTER_HASHSLOTS], List.of(seed));
  }

  int partition(byte[] key) {
    return partitions[JedisClusterCRC16.getSlot(key)];
  }

  /** Returns the first slot of a partition; 0 if it has none. */
  int first(int partition) {
    return partition < first.length ? first[partition] : 0;
  }

  /** Returns whether a partition has any slots: a removed master has none. */
  boolean has(int partition) {
    return partition < used.length && used[partition];
  }

  /** Returns the current masters: no other server may be asked, or get a password. */
  List<HostAndPort> mastersWithSlots() {
    List<HostAndPort> all = new ArrayList<>(masters.size());
    for (int partition = 0; partition < used.length; partition++) {
      if (used[partition]) {
        all.add(masters.get(partition));
      }
    }
    return all;
  }

  /** Returns the smallest number whose digits are a hash tag that leads to a slot. */
  static String tag(int slot) {
    String tag = "0";
    for (int number = 1; JedisClusterCRC16.getSlot(tag) != slot; number++) {
      tag = Integer.toString(number);
    }
    return tag;
  }

  /** Returns the masters by partition; that of a partition without slots may be gone. */
  List<HostAndPort> masters() {
    return masters;
  }

  /**
   * Updates the map by a node's answer, keeping partitions: a master that is still there keeps its
   * partition, and one that took over the slots of another takes over its partition.
   */
  SlotMap next(@Nullable Object clusterSlots, HostAndPort asked) {
    Map<HostAndPort, List<int[]>> ranges = read(clusterSlots, asked);
    if (ranges.isEmpty()) {
      throw new ConnectionException(
          new Failure(FailureKind.CLUSTERDOWN, asked + " knows no slots"));
    }
    if (ranges.size() > MAX_MASTERS) {
      throw new ConnectionException(
          new Failure(
              FailureKind.CLUSTERDOWN, asked + " reports more masters than a cluster can have"));
    }
    List<HostAndPort> next = new ArrayList<>(masters);
    Set<Integer> taken = new HashSet<>();
    Map<HostAndPort, Integer> places = new LinkedHashMap<>();
    for (HostAndPort master : ranges.keySet()) {
      int at = masters.indexOf(master);
      if (at >= 0 && taken.add(at)) {
        places.put(master, at);
      }
    }
    ranges.forEach(
        (master, slots) ->
            places.computeIfAbsent(
                master, m -> place(m, partitions[slots.get(0)[0]], taken, next)));
    int[] nextPartitions = partitions.clone();
    ranges.forEach(
        (master, slots) -> slots.forEach(each -> fill(nextPartitions, each, places, master)));
    return new SlotMap(nextPartitions, next);
  }

  private static int place(
      HostAndPort master, int before, Set<Integer> taken, List<HostAndPort> masters) {
    int partition = taken.add(before) ? before : free(taken, masters.size());
    if (partition < masters.size()) {
      masters.set(partition, master);
    } else {
      masters.add(master);
    }
    return partition;
  }

  private static int free(Set<Integer> taken, int size) {
    int partition = 0;
    while (partition < size && !taken.add(partition)) {
      partition++;
    }
    taken.add(partition);
    return partition;
  }

  private static void fill(
      int[] partitions, int[] range, Map<HostAndPort, Integer> places, HostAndPort master) {
    for (int slot = range[0]; slot <= range[1]; slot++) {
      partitions[slot] = places.getOrDefault(master, 0);
    }
  }

  private static Map<HostAndPort, List<int[]>> read(@Nullable Object reply, HostAndPort asked) {
    Map<HostAndPort, List<int[]>> ranges = new LinkedHashMap<>();
    if (reply instanceof List<?> all) {
      for (Object each : all) {
        if (each instanceof List<?> range
            && range.size() > 2
            && range.get(0) instanceof Long first
            && range.get(1) instanceof Long last
            && range.get(2) instanceof List<?> master
            && first >= 0
            && first <= last
            && last < Protocol.CLUSTER_HASHSLOTS) {
          int[] slots = {first.intValue(), last.intValue()};
          endpoint(master, asked)
              .ifPresent(at -> ranges.computeIfAbsent(at, any -> new ArrayList<>()).add(slots));
        }
      }
    }
    return ranges;
  }

  /**
   * Reads an address; a node that doesn't know its own host leaves it out, and means the one it was
   * asked by.
   */
  private static Optional<HostAndPort> endpoint(List<?> node, HostAndPort asked) {
    if (node.size() < 2) {
      return Optional.empty();
    }
    String host = node.get(0) instanceof byte[] name ? new String(name, UTF_8) : "";
    long port = node.get(1) instanceof Long number ? number : asked.port();
    return HostAndPort.of(host.isEmpty() || host.equals("?") ? asked.host() : host, port);
  }
}
