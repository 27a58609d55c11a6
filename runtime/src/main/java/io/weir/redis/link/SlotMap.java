package io.weir.redis.link;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.redis.address.Endpoint;
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
 * Which lane each slot of a cluster lives in, and where each lane's master is.
 *
 * <p>Immutable.
 */
final class SlotMap {
  /** Each costs connections and threads; clusters are made for no more than a thousand nodes. */
  private static final int MOST_MASTERS = 1_000;

  private final int[] lanes;
  private final List<Endpoint> masters;
  private final int[] first;

  private SlotMap(int[] lanes, List<Endpoint> masters) {
    this.lanes = lanes;
    this.masters = List.copyOf(masters);
    this.first = new int[masters.size()];
    for (int slot = lanes.length - 1; slot >= 0; slot--) {
      first[Math.min(lanes[slot], first.length - 1)] = slot;
    }
  }

  /** Before anybody was asked: one lane, to a node that will say where the others are. */
  static SlotMap unknown(Endpoint seed) {
    return new SlotMap(new int[Protocol.CLUSTER_HASHSLOTS], List.of(seed));
  }

  int lane(byte[] key) {
    return lanes[JedisClusterCRC16.getSlot(key)];
  }

  /** The first slot of a lane; 0 if it has none. */
  int first(int lane) {
    return lane < first.length ? first[lane] : 0;
  }

  /** The smallest number whose digits are a hash tag that leads to a slot. */
  static String tag(int slot) {
    String tag = "0";
    for (int number = 1; JedisClusterCRC16.getSlot(tag) != slot; number++) {
      tag = Integer.toString(number);
    }
    return tag;
  }

  /** The masters by lane; a lane that has lost its slots may name one that is gone. */
  List<Endpoint> masters() {
    return masters;
  }

  /**
   * What a node says now, with the lanes of before: a master that is still there keeps its lane,
   * one that took over the slots of another takes over its lane.
   */
  SlotMap next(@Nullable Object clusterSlots, Endpoint asked) {
    Map<Endpoint, List<int[]>> ranges = read(clusterSlots, asked);
    if (ranges.isEmpty()) {
      throw new LinkException(new Failure(Trouble.CLUSTERDOWN, asked + " knows of no slots"));
    }
    if (ranges.size() > MOST_MASTERS) {
      throw new LinkException(
          new Failure(Trouble.CLUSTERDOWN, asked + " names more masters than a cluster can have"));
    }
    List<Endpoint> next = new ArrayList<>(masters);
    Set<Integer> taken = new HashSet<>();
    Map<Endpoint, Integer> places = new LinkedHashMap<>();
    for (Endpoint master : ranges.keySet()) {
      int at = masters.indexOf(master);
      if (at >= 0 && taken.add(at)) {
        places.put(master, at);
      }
    }
    ranges.forEach(
        (master, slots) ->
            places.computeIfAbsent(master, m -> place(m, lanes[slots.get(0)[0]], taken, next)));
    int[] nextLanes = lanes.clone();
    ranges.forEach((master, slots) -> slots.forEach(each -> fill(nextLanes, each, places, master)));
    return new SlotMap(nextLanes, next);
  }

  private static int place(
      Endpoint master, int before, Set<Integer> taken, List<Endpoint> masters) {
    int lane = taken.add(before) ? before : free(taken, masters.size());
    if (lane < masters.size()) {
      masters.set(lane, master);
    } else {
      masters.add(master);
    }
    return lane;
  }

  private static int free(Set<Integer> taken, int size) {
    int lane = 0;
    while (lane < size && !taken.add(lane)) {
      lane++;
    }
    taken.add(lane);
    return lane;
  }

  private static void fill(
      int[] lanes, int[] range, Map<Endpoint, Integer> places, Endpoint master) {
    for (int slot = range[0]; slot <= range[1]; slot++) {
      lanes[slot] = places.getOrDefault(master, 0);
    }
  }

  private static Map<Endpoint, List<int[]>> read(@Nullable Object reply, Endpoint asked) {
    Map<Endpoint, List<int[]>> ranges = new LinkedHashMap<>();
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

  /** A node that doesn't know its own name leaves it out, and means the one it was asked by. */
  private static Optional<Endpoint> endpoint(List<?> node, Endpoint asked) {
    if (node.size() < 2) {
      return Optional.empty();
    }
    String host = node.get(0) instanceof byte[] name ? new String(name, UTF_8) : "";
    long port = node.get(1) instanceof Long number ? number : asked.port();
    return Endpoint.of(host.isEmpty() || host.equals("?") ? asked.host() : host, port);
  }
}
