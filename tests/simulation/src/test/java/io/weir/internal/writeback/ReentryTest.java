package io.weir.internal.writeback;

import static io.weir.internal.writeback.Bench.request;
import static io.weir.internal.writeback.Bench.sliding;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ReentryTest {
  private final Bench bench = new Bench();
  private final Policy policy = sliding(100);

  @Test
  void whoGoesOnWithinTheCallThatAnswersKeepsNobodyFromAsking() {
    List<Boolean> answered = new ArrayList<>();
    bench.store.manner = HandStore.Manner.BY_HAND;
    CompletableFuture<?> first = bench.ask(request(policy, "first", 1));
    CompletableFuture<?> second = bench.ask(request(policy, "second", 1));
    CompletableFuture<?> third = // waits in the queue, since two batches are under way
        bench
            .ask(request(policy, "third", 1))
            .thenRun(() -> answered.add(bench.ask(request(policy, "fourth", 1)).isDone()));
    bench.store.manner = HandStore.Manner.AT_ONCE;
    bench.store.answer(); // which sends the third, and that is answered before its call returns
    assertTrue(first.isDone() && second.isDone() && third.isDone());
    assertEquals(List.of(true), answered);
  }
}
