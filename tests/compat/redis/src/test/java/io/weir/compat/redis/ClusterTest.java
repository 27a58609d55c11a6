package io.weir.compat.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.seeds.OneDayIn;
import io.weir.store.Grant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A store in a cluster: a partition to each master. */
@OneDayIn(2)
class ClusterTest {
  private final ClusterSetup setup = ClusterSetup.start();
  private final Asker asker = new Asker(setup.url(), "store.timeout", "5s");

  @BeforeEach
  void learn() {
    Await.until("it knows all masters", () -> partitions().equals(Set.of(0, 1, 2)));
    Await.until("each answers", () -> all().stream().allMatch(Optional::isPresent));
  }

  @AfterEach
  void close() {
    asker.close();
    setup.close();
  }

  private Set<Integer> partitions() {
    Set<Integer> partitions = new TreeSet<>();
    IntStream.range(0, 50)
        .forEach(i -> partitions.add(asker.store.partition(Asker.bucket("n" + i))));
    return partitions;
  }

  /** One claim in each partition. */
  private List<Optional<Grant>> all() {
    try {
      return asker.execute(
          asker.nameIn(0), asker.nameIn(1), asker.nameIn(2), asker.nameIn(1), asker.nameIn(0));
    } catch (ExecutionException none) {
      return List.of(Optional.empty());
    }
  }

  @Test
  void spreadsBucketsOverAllMasters() throws ExecutionException {
    String[] names = IntStream.range(0, 200).mapToObj(i -> "m" + i).toArray(String[]::new);
    asker.execute(names).forEach(each -> assertEquals(9, each.orElseThrow().left()));
    asker.execute(names).forEach(each -> assertEquals(8, each.orElseThrow().left()));
    setup.masters().forEach(each -> assertTrue(Integer.parseInt(each.ask("DBSIZE")) > 30));
  }

  @Test
  void aDeadMasterFailsNoPartitionButItsOwn() {
    RedisServer dead = setup.masters().get(2);
    int partition = asker.store.partition(Asker.bucket(nameOf(dead)));
    dead.kill9();
    for (int i = 0; i < 3; i++) {
      List<Optional<Grant>> answers = all();
      assertEquals(partition != 0, answers.get(0).isPresent());
      assertEquals(partition != 1, answers.get(1).isPresent());
      assertEquals(partition != 2, answers.get(2).isPresent());
    }
    dead.restart();
    Await.until("all answer again", () -> all().stream().allMatch(Optional::isPresent));
  }

  /** Returns a caller whose bucket this master has. */
  private String nameOf(RedisServer master) {
    for (int i = 0; ; i++) {
      String name = "w" + i;
      long before = size(master);
      asker.left(name);
      if (size(master) > before) {
        return name;
      }
    }
  }

  private static long size(RedisServer master) {
    return keys(master).size();
  }

  @Test
  void followsASlotOnItsWay() {
    RedisServer from = setup.masters().get(0);
    RedisServer to = setup.masters().get(1);
    Set<String> before = keys(from);
    String name = nameOf(from);
    Set<String> own = keys(from);
    own.removeAll(before);
    String key = own.iterator().next();
    int slot = setup.slot(key);
    SlotMove move = new SlotMove(from, to, slot, slot);
    move.begin();
    assertEquals("left 8", asker.left(name));
    // As if it had moved already: the source now asks to ask the target.
    from.ask("MIGRATE", "127.0.0.1", "" + to.port(), key, "0", "5000");
    assertEquals("left 7", asker.left(name));
    assertEquals("left 6", asker.left(name));
    move.end();
    int partition = asker.store.partition(Asker.bucket(name));
    assertEquals("left 5", asker.left(name));
    Await.until("it has learnt", () -> partitionAfterAHeartbeat(name) != partition);
    assertEquals("left 4", asker.left(name));
    assertEquals("1", to.ask("CLUSTER", "COUNTKEYSINSLOT", "" + slot));
  }

  @Test
  void aMasterThatWasRemovedIsLeftAlone() {
    RedisServer removed = setup.masters().get(2);
    int partition = asker.store.partition(Asker.bucket(nameOf(removed)));
    RedisServer heir = setup.masters().get(0);
    removed.ask("CONFIG", "SET", "cluster-allow-replica-migration", "no"); // it stays a master
    SlotMove move = new SlotMove(removed, heir, ClusterSetup.first(2), ClusterSetup.first(3) - 1);
    move.begin();
    move.end();
    move.tell(setup.masters().get(1));
    Await.until("all masters know", () -> isKnownToHaveNone(removed));
    Await.until(
        "it knows that the master has no slots",
        () -> {
          Asker.await(asker.store.heartbeat("node"));
          return !asker.store.hasPartition(partition);
        });
    Await.until(
        "its connections have ended",
        () -> {
          Asker.await(asker.store.heartbeat("node"));
          return removed.ask("CLIENT", "LIST", "TYPE", "normal").lines().count() == 1;
        });
    long before = commands(removed);
    for (int i = 0; i < 20; i++) {
      Asker.await(asker.store.heartbeat("node"));
      assertTrue(asker.left("n" + i).startsWith("left"));
    }
    assertEquals(before, commands(removed), "only this test asks it");
  }

  /** Whether no master names it as one that has slots. */
  private boolean isKnownToHaveNone(RedisServer removed) {
    String port = "\n" + removed.port() + "\n";
    return setup.masters().stream().noneMatch(each -> each.ask("CLUSTER", "SLOTS").contains(port));
  }

  /** Counts the calls of a client's commands, not those of the cluster's nodes and of this test. */
  private static long commands(RedisServer server) {
    return server
        .ask("INFO", "commandstats")
        .lines()
        .filter(each -> each.startsWith("cmdstat_"))
        .filter(each -> !each.matches("cmdstat_(info|replconf|psync|ping|client|config|cluster).*"))
        .mapToLong(each -> Long.parseLong(each.replaceFirst(".*:calls=(\\d+),.*", "$1")))
        .sum();
  }

  private int partitionAfterAHeartbeat(String name) {
    Asker.await(asker.store.heartbeat("node"));
    return asker.store.partition(Asker.bucket(name));
  }

  private static Set<String> keys(RedisServer server) {
    Set<String> keys = new TreeSet<>(server.ask("KEYS", "weir:*").lines().toList());
    keys.remove("weir:neighbours"); // comes and goes with heartbeats
    return keys;
  }

  @Test
  void repeatsAScriptThatOneMasterForgot() {
    setup.masters().get(1).ask("SCRIPT", "FLUSH");
    all().forEach(each -> assertTrue(each.isPresent()));
  }

  @Test
  void findsTheOthersByAnyOfThem() {
    setup.masters().get(0).kill9();
    try (Asker late = new Asker(setup.url())) {
      String alive =
          asker.nameIn(asker.store.partition(Asker.bucket(nameOf(setup.masters().get(1)))));
      Await.until("it answers", () -> late.left(alive).startsWith("left"));
    }
  }
}
