package io.weir.compat.redis.fault;

import io.weir.compat.redis.Await;
import io.weir.compat.redis.ClusterSetup;
import io.weir.compat.redis.RedisServer;
import io.weir.compat.redis.SlotMove;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Faults of a cluster whose slots move, or which loses one; each may happen once. */
public enum Migration implements Mishap {
  /** A quarter of the slots are on their way; what isn't there any more is elsewhere. */
  ASK(false) {
    @Override
    public void begin(ProxiedRedis store) {
      store.watch(name());
      moves(store, 0).forEach(SlotMove::begin);
    }

    @Override
    public void end(ProxiedRedis store) {
      moves(store, 0).forEach(SlotMove::end);
    }
  },
  /** Another quarter of the slots has moved, and no node knows yet. */
  MOVED(false) {
    @Override
    public void begin(ProxiedRedis store) {
      store.watch(name());
      moves(store, 1).forEach(SlotMove::begin);
      moves(store, 1).forEach(SlotMove::end);
    }

    @Override
    public void end(ProxiedRedis store) {}
  },
  /**
   * Nothing can be executed before slots have moved. Redis itself says so only where a call has
   * several keys, so here it is made to.
   */
  TRYAGAIN(true) {
    @Override
    public void begin(ProxiedRedis store) {
      store.watch(name());
      store.refuse(name() + " Multiple keys request during rehashing of slot");
    }

    @Override
    public void end(ProxiedRedis store) {
      store.heal();
    }
  },
  /** No master has the last slot, and so the others aren't served either. */
  CLUSTERDOWN(true) {
    @Override
    public void begin(ProxiedRedis store) {
      store.watch(name());
      each(store, "CONFIG", "SET", "cluster-require-full-coverage", "yes");
      // The owner first, and again where what it had sent before comes in only now.
      RedisServer owner = owner(store);
      Await.until("the owner is down", () -> down(owner));
      all(store, each -> Await.until("down", () -> down(each)));
    }

    @Override
    public void end(ProxiedRedis store) {
      RedisServer owner = owner(store);
      String id = owner.ask("CLUSTER", "MYID");
      owner.ask("CLUSTER", "ADDSLOTS", LAST);
      each(store, "CLUSTER", "SETSLOT", LAST, "NODE", id);
      each(store, "CONFIG", "SET", "cluster-require-full-coverage", "no");
    }
  };

  private static final String LAST = "16383";

  /** The number of slots of a master that move: about a twelfth of all. */
  private static final int MOVING = 1_365;

  private final boolean cutsOff;

  Migration(boolean cutsOff) {
    this.cutsOff = cutsOff;
  }

  /** Some slots of each master, to the next master. */
  private static List<SlotMove> moves(ProxiedRedis store, int quarter) {
    List<RedisServer> masters = masters(store);
    return IntStream.range(0, ClusterSetup.MASTERS)
        .mapToObj(
            i -> {
              int first = ClusterSetup.first(i) + quarter * MOVING;
              RedisServer next = masters.get((i + 1) % ClusterSetup.MASTERS);
              return new SlotMove(masters.get(i), next, first, first + MOVING - 1);
            })
        .toList();
  }

  private static RedisServer owner(ProxiedRedis store) {
    return masters(store).get(ClusterSetup.MASTERS - 1);
  }

  /** Returns whether it serves nothing, as it doesn't know of a master of the last slot. */
  private static boolean down(RedisServer server) {
    server.ask("CLUSTER", "DELSLOTS", LAST); // which is an error if it has none already
    return server.ask("GET", "any").startsWith("-" + CLUSTERDOWN.name());
  }

  private static List<RedisServer> masters(ProxiedRedis store) {
    return store.masters().orElseThrow().masters();
  }

  private static void all(ProxiedRedis store, Consumer<RedisServer> what) {
    masters(store).forEach(what);
  }

  private static void each(ProxiedRedis store, String... words) {
    all(
        store,
        each -> {
          String reply = each.ask(words);
          if (reply.startsWith("-")) {
            throw new IllegalStateException(String.join(" ", words) + ": " + reply);
          }
        });
  }

  @Override
  public String title() {
    return name();
  }

  @Override
  public long seen(ProxiedRedis store) {
    return store.seen();
  }

  @Override
  public boolean cutsOff() {
    return cutsOff;
  }
}
