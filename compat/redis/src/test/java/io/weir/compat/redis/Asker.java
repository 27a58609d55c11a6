package io.weir.compat.redis;

import io.weir.Key;
import io.weir.Shape;
import io.weir.Ticker;
import io.weir.annotation.Algorithm;
import io.weir.redis.RedisProvider;
import io.weir.store.Bucket;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.LeasingStore;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;

/** A store on some Redis, and somebody who asks it for permits: ten an hour for each name. */
final class Asker implements AutoCloseable {
  static final long LIMIT = 10;
  private static final long SECONDS = 20;

  final LeasingStore store;

  /** Settings are names without {@code weir.} and values, by turns. */
  Asker(String url, String... settings) {
    Map<String, String> given = new HashMap<>();
    for (int i = 0; i < settings.length; i += 2) {
      given.put("weir." + settings[i], settings[i + 1]);
    }
    store =
        (LeasingStore)
            new RedisProvider()
                .open(URI.create(url), name -> given.getOrDefault(name, ""), Ticker.system());
  }

  static Bucket bucket(String name) {
    return new Bucket(new Shape("p", Algorithm.FIXED_WINDOW, Duration.ofHours(1), 0), Key.of(name));
  }

  static Claim claim(String name) {
    return Claim.of(bucket(name), 1, LIMIT, LIMIT);
  }

  /** Settles one permit for each name. */
  List<Optional<Grant>> settle(String... names) throws ExecutionException {
    try {
      return store
          .settle(Arrays.stream(names).map(Asker::claim).toList())
          .toCompletableFuture()
          .get(SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError("not within " + SECONDS + " s", e);
    }
  }

  /** What is left after one more permit for this name, or why the store isn't reached. */
  String left(String name) {
    try {
      return settle(name).get(0).map(grant -> "left " + grant.left()).orElse("failed alone");
    } catch (ExecutionException away) {
      return String.valueOf(away.getCause().getMessage());
    }
  }

  boolean answers(String name) {
    return left(name).startsWith("left ");
  }

  /** Names that live in a lane, the n-th of so many. */
  String nameIn(int lane) {
    return IntStream.iterate(0, i -> i + 1)
        .mapToObj(i -> "n" + i)
        .filter(name -> store.lane(bucket(name)) == lane)
        .findFirst()
        .orElseThrow();
  }

  @Override
  public void close() {
    store.close();
  }
}
