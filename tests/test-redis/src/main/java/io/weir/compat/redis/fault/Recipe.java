package io.weir.compat.redis.fault;

import io.weir.compat.redis.Await;
import io.weir.compat.redis.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/** Ways to break a Redis itself and to repair it; in a cluster, each of its masters. */
public enum Recipe implements Mishap {
  /** Frozen: the kernel still accepts connections. */
  STOP(true, false, "") {
    @Override
    void begin(RedisServer redis) {
      redis.pause();
    }

    @Override
    void end(RedisServer redis) {
      redis.resume();
    }
  },
  /** Dead at once, and later back with nothing in it. */
  KILL(true, true, "") {
    @Override
    void begin(RedisServer redis) {
      redis.kill9();
    }

    @Override
    void end(RedisServer redis) {
      redis.restart();
    }
  },
  /** All keys are gone. */
  FLUSH(false, true, "") {
    @Override
    void begin(RedisServer redis) {
      redis.ask("FLUSHALL");
    }

    @Override
    void end(RedisServer redis) {}

    @Override
    public void begin(ProxiedRedis store) {
      store.countKeys();
      super.begin(store);
    }

    @Override
    public long seen(ProxiedRedis store) {
      return store.counted();
    }
  },
  /** It doesn't know its scripts any more. */
  SCRIPT_FLUSH(false, false, "NOSCRIPT") {
    @Override
    void begin(RedisServer redis) {
      redis.ask("SCRIPT", "FLUSH", "SYNC");
    }

    @Override
    void end(RedisServer redis) {}
  },
  /** It lets clients wait that write. */
  PAUSE(true, false, "") {
    @Override
    void begin(RedisServer redis) {
      redis.ask("CLIENT", "PAUSE", "600000", "WRITE"); // of all clients nobody could end it
    }

    @Override
    void end(RedisServer redis) {
      redis.ask("CLIENT", "UNPAUSE");
    }
  },
  /** Its memory is full. */
  OOM(true, false, "OOM") {
    @Override
    void begin(RedisServer redis) {
      redis.ask("CONFIG", "SET", "maxmemory", "1");
    }

    @Override
    void end(RedisServer redis) {
      redis.ask("CONFIG", "SET", "maxmemory", "0");
    }
  },
  /** It isn't the master any more; a cluster knows no such thing. */
  READONLY(true, false, "READONLY") {
    @Override
    void begin(RedisServer redis) {
      redis.ask("REPLICAOF", "127.0.0.1", "1");
    }

    @Override
    void end(RedisServer redis) {
      redis.ask("REPLICAOF", "NO", "ONE");
    }
  },
  /** Redis has got a password that the nodes don't have. */
  NOAUTH(true, false, "NOAUTH") {
    @Override
    void begin(RedisServer redis) {
      redis.ask("CONFIG", "SET", "requirepass", PASSWORD);
      redis.askAs(PASSWORD, "CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
    }

    @Override
    void end(RedisServer redis) {
      redis.askAs(PASSWORD, "CONFIG", "SET", "requirepass", "");
    }
  },
  /** Its user may run no scripts any more. */
  NOPERM(true, false, "NOPERM") {
    @Override
    void begin(RedisServer redis) {
      redis.ask("ACL", "SETUSER", "default", "-evalsha", "-eval");
    }

    @Override
    void end(RedisServer redis) {
      redis.ask("ACL", "SETUSER", "default", "+@all");
    }
  },
  /** It can't write its snapshots and so takes nothing in. */
  MISCONF(true, false, "MISCONF") {
    @Override
    void begin(RedisServer redis) {
      try {
        Files.createDirectory(snapshot(redis));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      redis.ask("CONFIG", "SET", "save", "3600 1000000");
      redis.ask("BGSAVE");
      Await.until(
          "it fails to save",
          () -> redis.ask("INFO", "persistence").contains("rdb_last_bgsave_status:err"));
    }

    @Override
    void end(RedisServer redis) {
      redis.ask("CONFIG", "SET", "save", "");
      removeSnapshot(redis);
    }
  },
  /** Another client's script runs for ever. */
  BUSY(true, false, "BUSY") {
    @Override
    void begin(RedisServer redis) {
      redis.ask("CONFIG", "SET", "busy-reply-threshold", "50");
      CompletableFuture<String> endless =
          CompletableFuture.supplyAsync(() -> redis.ask("EVAL", "while true do end", "0"));
      Await.until("it is busy", () -> redis.ask("DBSIZE").startsWith("-BUSY"));
      assert !endless.isDone();
    }

    @Override
    void end(RedisServer redis) {
      redis.ask("SCRIPT", "KILL");
    }
  },
  /** It reads its data and answers no request before it has them all. */
  LOADING(true, false, "LOADING") {
    @Override
    void begin(RedisServer redis) {
      redis.ask("DEBUG", "POPULATE", "" + FILLING, "filling-" + redis.port());
      redis.ask("CONFIG", "SET", "loading-process-events-interval-bytes", "1024");
      redis.ask("CONFIG", "SET", "key-load-delay", "2000");
      CompletableFuture<String> reload =
          CompletableFuture.supplyAsync(() -> redis.ask("DEBUG", "RELOAD"));
      Await.until("it loads", () -> redis.ask("DBSIZE").startsWith("-LOADING"));
      assert !reload.isDone();
    }

    @Override
    void end(RedisServer redis) {
      redis.ask("CONFIG", "SET", "key-load-delay", "0");
      Await.until("it has loaded", () -> !redis.ask("DBSIZE").startsWith("-LOADING"));
      String remove = "for i = 0, ARGV[2] - 1 do redis.call('DEL', ARGV[1] .. ':' .. i) end";
      // which a cluster refuses
      redis.ask("EVAL", remove, "0", "filling-" + redis.port(), "" + FILLING);
      removeSnapshot(redis);
    }
  },
  /** It has too few replicas to take anything in. */
  NOREPLICAS(true, false, "NOREPLICAS") {
    @Override
    void begin(RedisServer redis) {
      redis.ask("CONFIG", "SET", "min-replicas-to-write", "3");
    }

    @Override
    void end(RedisServer redis) {
      redis.ask("CONFIG", "SET", "min-replicas-to-write", "0");
    }
  },
  /** Dead at once, and later back with what it held some time before. */
  STALE(true, true, "") {
    @Override
    void begin(RedisServer redis) {
      redis.kill9();
    }

    @Override
    public void begin(ProxiedRedis store) {
      store.servers().forEach(each -> each.ask("SAVE"));
      store.servers().forEach(each -> awaitWritten(each, 0)); // while a cluster is whole
      super.begin(store);
    }

    @Override
    void end(RedisServer redis) {
      redis.restart();
      removeSnapshot(redis);
    }
  };

  private static final String PASSWORD = "another";
  private static final String CHANGES = "rdb_changes_since_last_save:";

  private static final int MANY = 50;
  private static final int BEATS = 4;
  private static final int FILLING = 5_000;

  private final boolean cutsOff;
  private final boolean forgets;
  private final String error;

  Recipe(boolean cutsOff, boolean forgets, String error) {
    this.cutsOff = cutsOff;
    this.forgets = forgets;
    this.error = error;
  }

  /**
   * Waits until it has taken in many changes more than those, and nodes have heard several beats of
   * its epoch in that time: a loss that is shorter goes unnoticed.
   */
  static void awaitWritten(RedisServer redis, long before) {
    long beats = beats(redis);
    Await.until(
        "something to lose",
        () -> written(redis) >= before + MANY && beats(redis) >= beats + BEATS);
  }

  /** The beats of its epochs, in twelve digits after the sixteen characters of their names. */
  private static long beats(RedisServer redis) {
    return redis
        .ask("KEYS", "*:epoch*")
        .lines()
        .map(key -> redis.ask("GET", key))
        .mapToLong(epoch -> Long.parseLong(epoch.substring(16, 28)))
        .sum();
  }

  /** Returns the number of changes since it last saved, or started. */
  static long written(RedisServer redis) {
    return redis
        .ask("INFO", "persistence")
        .lines()
        .filter(line -> line.startsWith(CHANGES))
        .mapToLong(line -> Long.parseLong(line.substring(CHANGES.length()).strip()))
        .sum();
  }

  private static Path snapshot(RedisServer redis) {
    return redis.directory().resolve("dump.rdb");
  }

  private static void removeSnapshot(RedisServer redis) {
    try {
      Files.deleteIfExists(snapshot(redis));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns whether it can happen to a master of a cluster. */
  public boolean inCluster() {
    return this != READONLY;
  }

  abstract void begin(RedisServer redis);

  abstract void end(RedisServer redis);

  @Override
  public String title() {
    return name();
  }

  @Override
  public void begin(ProxiedRedis store) {
    store.watch(error);
    store.servers().forEach(this::begin);
  }

  @Override
  public void end(ProxiedRedis store) {
    store.servers().forEach(this::end);
    store.awaitWell();
  }

  @Override
  public long seen(ProxiedRedis store) {
    return store.seen();
  }

  @Override
  public boolean cutsOff() {
    return cutsOff;
  }

  @Override
  public boolean forgets() {
    return forgets;
  }
}
