package io.weir.compat.redis;

import io.weir.Key;
import io.weir.Ticker;
import io.weir.annotation.Algorithm;
import io.weir.internal.redis.RedisProvider;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
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
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import javax.net.ssl.SSLSocketFactory;

/** Asks a store on some Redis for permits: ten an hour for each name. */
final class Asker implements AutoCloseable {
  static final long LIMIT = 10;
  private static final long SECONDS = 120;

  final LeasingStore store;
  private final AtomicInteger last = new AtomicInteger();

  /** Settings are names without {@code weir.} and values, by turns. */
  Asker(String url, String... settings) {
    UnaryOperator<String> given = settings(settings);
    store = (LeasingStore) new RedisProvider().open(URI.create(url), given, Ticker.system());
  }

  /** Asks over encrypted sockets of the tests. */
  Asker(String url, Supplier<SSLSocketFactory> sockets) {
    UnaryOperator<String> given = settings();
    store =
        (LeasingStore) new RedisProvider().open(URI.create(url), given, Ticker.system(), sockets);
  }

  private static UnaryOperator<String> settings(String... settings) {
    Map<String, String> given = new HashMap<>(Map.of("weir.secret", "of the tests"));
    // A busy machine may take long; tests of what takes too long set what they wait.
    given.put("weir.store.timeout", "5s");
    for (int i = 0; i < settings.length; i += 2) {
      given.put("weir." + settings[i], settings[i + 1]);
    }
    return name -> given.getOrDefault(name, "");
  }

  /** Makes a bucket whose window, which ends with the clock's, is unlikely to end in a test. */
  static BucketId bucket(String name) {
    return new BucketId(
        BucketSpec.builder("p")
            .algorithm(Algorithm.FIXED_WINDOW)
            .window(Duration.ofDays(366))
            .build(),
        Key.of(name));
  }

  static Claim claim(String name) {
    return Claim.of(bucket(name), 1, LIMIT, LIMIT);
  }

  /** Claims one permit for each name. */
  List<Optional<Grant>> execute(String... names) throws ExecutionException {
    return get(store.execute(Arrays.stream(names).map(Asker::claim).toList()));
  }

  static <T> T get(CompletionStage<T> answer) throws ExecutionException {
    try {
      return answer.toCompletableFuture().get(SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError("not within " + SECONDS + " s", e);
    }
  }

  /** An answer that is sure to come. */
  static <T> T await(CompletionStage<T> answer) {
    try {
      return get(answer);
    } catch (ExecutionException e) {
      throw new AssertionError(e.getCause());
    }
  }

  /**
   * The permits left after one more for this name, or the reason why the store can't be reached.
   */
  String left(String name) {
    try {
      return execute(name).get(0).map(grant -> "left " + grant.left()).orElse("failed alone");
    } catch (ExecutionException away) {
      return String.valueOf(away.getCause().getMessage());
    }
  }

  /** The same for a name without any charges. */
  String fresh() {
    return left("fresh" + last.incrementAndGet());
  }

  boolean answers() {
    return fresh().equals("left " + (LIMIT - 1));
  }

  /** A name that lives in a partition. */
  String nameIn(int partition) {
    return IntStream.iterate(0, i -> i + 1)
        .mapToObj(i -> "n" + i)
        .filter(name -> store.partition(bucket(name)) == partition)
        .findFirst()
        .orElseThrow();
  }

  @Override
  public void close() {
    store.close();
  }
}
