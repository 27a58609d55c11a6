package io.weir.compat.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.store.DataLossException;
import io.weir.store.Epoch;
import io.weir.store.Grant;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Redis reports its epoch, and executes nothing for a node that knows another. */
class EpochTest {
  private final RedisServer server = RedisServer.start();
  private final Asker one = new Asker(server.url());
  private final Asker other = new Asker(server.url());

  @AfterEach
  void close() {
    one.close();
    other.close();
    server.close();
  }

  private static Epoch epoch(Asker asker, int partition, Epoch known) {
    return Asker.await(asker.store.epoch(partition, known));
  }

  private static long left(Asker asker, Epoch epoch, String name) throws ExecutionException {
    List<Optional<Grant>> grants =
        Asker.get(asker.store.execute(0, epoch, List.of(Asker.claim(name))));
    return grants.get(0).orElseThrow().left();
  }

  @Test
  void isTheSameForAllNodesAndNothingIsLostOfANewOne() throws Exception {
    Epoch first = epoch(one, 0, Epoch.NONE);
    Epoch second = epoch(other, 0, Epoch.NONE);
    assertTrue(first.is(second));
    assertFalse(first.wiped() || second.wiped());
    assertTrue(second.ageMicros() >= first.ageMicros());
    assertEquals(9, left(one, first, "who"));
    assertEquals(8, left(other, second, "who"));
    assertNotEquals("-1", server.ask("PTTL", "weir:epoch"), "it never ends");
  }

  @Test
  void executesNothingForWhoeverKnewOtherData() throws Exception {
    Epoch before = epoch(one, 0, Epoch.NONE);
    left(one, before, "who");
    server.ask("FLUSHALL");
    ExecutionException gone =
        assertThrows(ExecutionException.class, () -> left(one, before, "who"));
    assertTrue(gone.getCause() instanceof DataLossException, gone::toString);
    assertEquals("0", server.ask("DBSIZE"));
    Epoch after = epoch(one, 0, before);
    assertFalse(after.is(before));
    assertTrue(after.wiped());
    assertEquals(9, left(one, after, "who"));
  }

  @Test
  void isKnownToBeALossOnceSomebodyComesWhoKnewBetter() {
    Epoch before = epoch(one, 0, Epoch.NONE);
    server.ask("FLUSHALL");
    Epoch after = epoch(other, 0, Epoch.NONE);
    assertFalse(after.wiped());
    assertTrue(epoch(one, 0, before).wiped());
    assertTrue(epoch(other, 0, after).wiped());
    assertTrue(epoch(other, 0, Epoch.NONE).wiped());
  }

  @Test
  void isAnotherOneWhenOlderDataTakesItsPlace() {
    Epoch first = epoch(one, 0, Epoch.NONE);
    String snapshot = server.ask("GET", "weir:epoch");
    Epoch[] later = {first};
    Await.until(
        "it beats",
        () -> {
          later[0] = epoch(one, 0, later[0]);
          return later[0].beats() > first.beats();
        });
    assertTrue(later[0].is(first));
    server.ask("SET", "weir:epoch", snapshot);
    assertThrows(ExecutionException.class, () -> left(one, later[0], "who"));
    Epoch after = epoch(one, 0, later[0]);
    assertFalse(after.is(first));
    assertTrue(after.wiped());
  }

  /** A beat that was heard but not written would be missing later, as if data were lost. */
  @ParameterizedTest
  @CsvSource({
    "CONFIG SET maxmemory 1, CONFIG SET maxmemory 0",
    "CONFIG SET min-replicas-to-write 1, CONFIG SET min-replicas-to-write 0",
    "REPLICAOF 127.0.0.1 1, REPLICAOF NO ONE",
  })
  void isNotLostByARedisThatTakesNoWritesForAWhile(String broken, String mended) {
    Epoch first = epoch(one, 0, Epoch.NONE);
    String due = server.ask("GET", "weir:epoch").replaceFirst(":\\d+:", ":0:");
    assertEquals("OK", server.ask("SET", "weir:epoch", due));
    assertEquals("OK", server.ask(broken.split(" ", -1)));
    Epoch heard = epoch(one, 0, first);
    assertEquals("OK", server.ask(mended.split(" ", -1)));
    Epoch after = epoch(one, 0, heard);
    assertTrue(after.is(first), () -> first + ", then " + heard + ", then " + after);
    assertEquals(first.beats() + 1, after.beats());
  }

  /** Arguments that a node of another locale or version, or with a bug, might send. */
  @ParameterizedTest
  @ValueSource(
      strings = {"????", "0123456789abcdef????????????", "0123456789abcdef00000000000", "x", " "})
  void isNotChangedByANodeThatNamesNone(String token) {
    Epoch before = epoch(one, 0, Epoch.NONE);
    String kept = server.ask("GET", "weir:epoch");
    String asked = evaluate("epoch.lua", "weir:epoch", token, "0123456789abcdef", "60000");
    assertTrue(asked.contains("malformed"), asked);
    String fresh = evaluate("epoch.lua", "weir:epoch", "", token, "60000");
    assertTrue(fresh.contains("malformed"), fresh);
    String settled = evaluate("frame.lua", "weir:epoch", "", token);
    assertTrue(settled.contains("malformed"), settled);
    assertEquals(kept, server.ask("GET", "weir:epoch"));
    assertTrue(epoch(other, 0, before).is(before));
  }

  private String evaluate(String script, String key, String... args) {
    try (InputStream text = Epoch.class.getResourceAsStream("/io/weir/internal/redis/" + script)) {
      List<String> words = new ArrayList<>(List.of("EVAL", new String(text.readAllBytes(), UTF_8)));
      words.addAll(List.of("1", key));
      words.addAll(List.of(args));
      return server.ask(words.toArray(String[]::new));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void isOfEachMasterAndNotLostWhenSlotsMove() {
    try (ClusterSetup setup = ClusterSetup.start();
        Asker asker = new Asker(setup.url())) {
      Await.until("it knows the masters", () -> partitions(asker) == ClusterSetup.MASTERS);
      Epoch[] known = new Epoch[ClusterSetup.MASTERS];
      Set<String> ids = new HashSet<>();
      for (int partition = 0; partition < known.length; partition++) {
        known[partition] = epoch(asker, partition, Epoch.NONE);
        ids.add(known[partition].id());
      }
      assertEquals(ClusterSetup.MASTERS, ids.size());
      move(setup, slot(known[2]));
      Await.until(
          "it has learnt",
          () -> {
            Asker.await(asker.store.heartbeat("node"));
            return slot(epoch(asker, 2, known[2])) != slot(known[2]);
          });
      for (int partition = 0; partition < known.length; partition++) {
        known[partition] = epoch(asker, partition, known[partition]);
        assertFalse(known[partition].wiped(), "partition " + partition);
        known[partition] = epoch(asker, partition, known[partition]);
        assertFalse(known[partition].wiped(), "partition " + partition + ", asked again");
      }
      setup.masters().forEach(each -> assertEquals("OK", each.ask("FLUSHALL")));
      for (int partition = 0; partition < known.length; partition++) {
        assertTrue(epoch(asker, partition, known[partition]).wiped(), "partition " + partition);
      }
    }
  }

  private static int slot(Epoch epoch) {
    return Integer.parseInt(epoch.id().substring(0, epoch.id().indexOf(':')));
  }

  /** Moves a slot, and the epoch that is in it, to another master. */
  private static void move(ClusterSetup setup, int slot) {
    List<RedisServer> masters = setup.masters();
    RedisServer from =
        masters.stream()
            .filter(each -> each.ask("CLUSTER", "COUNTKEYSINSLOT", "" + slot).equals("1"))
            .findFirst()
            .orElseThrow();
    RedisServer to = masters.get((masters.indexOf(from) + 1) % masters.size());
    SlotMove move = new SlotMove(from, to, slot, slot);
    move.begin();
    move.end();
  }

  private static int partitions(Asker asker) {
    Asker.await(asker.store.heartbeat("node"));
    Set<Integer> partitions = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      partitions.add(asker.store.partition(Asker.bucket("n" + i)));
    }
    return partitions.size();
  }
}
