package io.weir.internal.inprocess;

import io.weir.Key;
import io.weir.annotation.Algorithm;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.GiveBack;
import io.weir.store.Grant;
import io.weir.store.PermitStore;
import java.time.Duration;
import java.util.List;

/** Asks a store for permits of one policy with one limit, for any key. */
record Asking(PermitStore store, BucketSpec spec, long limit) {
  static Asking of(PermitStore store, Algorithm algorithm, long windowMicros, long limit) {
    Duration window = Duration.ofNanos(windowMicros * 1_000);
    return new Asking(
        store, BucketSpec.builder("test").algorithm(algorithm).window(window).build(), limit);
  }

  BucketId bucket(String key) {
    return new BucketId(spec, Key.of(key));
  }

  boolean take(String key) {
    return take(key, 1).permits() == 1;
  }

  Grant take(String key, long permits) {
    return ask(Claim.of(bucket(key), permits, limit, limit));
  }

  long left(String key) {
    return ask(Claim.peek(bucket(key), 1, limit, limit)).left();
  }

  Grant giveBack(String key, Grant grant) {
    List<GiveBack> giveBacks = List.of(new GiveBack(grant.stamp(), grant.permits()));
    return ask(Claim.builder(bucket(key), limit, limit).giveBacks(giveBacks).build());
  }

  Grant ask(Claim claim) {
    return store.execute(List.of(claim)).toCompletableFuture().join().get(0).orElseThrow();
  }
}
