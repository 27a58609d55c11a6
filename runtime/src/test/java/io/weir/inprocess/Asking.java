package io.weir.inprocess;

import io.weir.Key;
import io.weir.Shape;
import io.weir.annotation.Algorithm;
import io.weir.store.Bucket;
import io.weir.store.Claim;
import io.weir.store.GiveBack;
import io.weir.store.Grant;
import io.weir.store.PermitStore;
import java.time.Duration;
import java.util.List;

/** Somebody who asks a store for permits of one policy with one limit, for any key. */
record Asking(PermitStore store, Shape shape, long limit) {
  static Asking of(PermitStore store, Algorithm algorithm, long windowMicros, long limit) {
    Duration window = Duration.ofNanos(windowMicros * 1_000);
    return new Asking(store, new Shape("test", algorithm, window, 0), limit);
  }

  Bucket bucket(String key) {
    return new Bucket(shape, Key.of(key));
  }

  boolean take(String key) {
    return take(key, 1).permits() == 1;
  }

  Grant take(String key, long permits) {
    return ask(Claim.of(bucket(key), permits, limit, limit));
  }

  long left(String key) {
    return ask(Claim.look(bucket(key), 1, limit, limit)).left();
  }

  Grant giveBack(String key, Grant grant) {
    List<GiveBack> backs = List.of(new GiveBack(grant.stamp(), grant.permits()));
    return ask(new Claim(bucket(key), 0, 0, 0, backs, 0, limit, limit));
  }

  Grant ask(Claim claim) {
    return store.settle(List.of(claim)).toCompletableFuture().join().get(0).orElseThrow();
  }
}
