package io.weir.compat.redis;

import io.weir.store.DataLossException;
import io.weir.store.Epoch;
import io.weir.store.LeasingStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Passes all calls on to a store, but no questions for its epochs once it is shut.
 *
 * <p>Safe for concurrent use.
 */
final class GatedStore {
  private final LeasingStore store;
  private final Map<Integer, Long> beats = new ConcurrentHashMap<>();
  private final AtomicInteger asking = new AtomicInteger();
  private volatile boolean shut;
  private volatile boolean lostData;

  GatedStore(LeasingStore store) {
    this.store = store;
  }

  /** The store to give to a node, which closes it. */
  LeasingStore store() {
    return (LeasingStore)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {LeasingStore.class},
            (self, method, arguments) ->
                method.getName().equals("epoch")
                    ? ask((int) arguments[0], (Epoch) arguments[1])
                    : call(method, arguments));
  }

  private Object call(Method method, Object[] arguments) throws Throwable {
    try {
      Object result = method.invoke(store, arguments);
      if (result instanceof CompletionStage<?> answer) {
        answer.whenComplete(
            (any, failure) -> {
              if (failure != null && failure.getCause() instanceof DataLossException) {
                lostData = true;
              }
            });
      }
      return result;
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private CompletionStage<Epoch> ask(int partition, Epoch known) {
    asking.incrementAndGet();
    if (shut) {
      asking.decrementAndGet();
      return new CompletableFuture<>();
    }
    return store
        .epoch(partition, known)
        .whenComplete(
            (epoch, failure) -> {
              if (failure == null) {
                beats.put(partition, epoch.beats());
              }
              asking.decrementAndGet();
            });
  }

  /** The beats of the epoch that a server has. */
  static long beats(RedisServer server) {
    String epoch = server.ask("GET", server.ask("KEYS", "weir:epoch*"));
    return Long.parseLong(epoch.substring(16, 28));
  }

  /** Leaves questions unanswered from now on; earlier ones are answered when it returns. */
  void shut() {
    shut = true;
    Await.until("questions are answered", () -> asking.get() == 0);
  }

  /** Whether claims were refused because the store has other data. */
  boolean hasLostData() {
    return lostData;
  }

  /** Whether more beats than these were heard, of each partition that is in use. */
  boolean hasHeardMoreThan(long these) {
    return beats.values().stream().allMatch(heard -> heard > these);
  }
}
