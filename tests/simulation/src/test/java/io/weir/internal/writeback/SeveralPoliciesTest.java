package io.weir.internal.writeback;

import static io.weir.internal.writeback.Bench.peek;
import static io.weir.internal.writeback.Bench.request;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Policy;
import io.weir.PolicyBuilder;
import io.weir.annotation.Mode;
import io.weir.internal.permits.BucketRequest;
import io.weir.internal.permits.RequestTerms;
import io.weir.store.Grant;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SeveralPoliciesTest {
  private final Bench bench = new Bench();
  private final Policy wide = named("wide", 100).build();
  private final Policy narrow = named("narrow", 2).build();

  private static PolicyBuilder named(String name, long limit) {
    return Policy.builder(name).limit(limit).window(Duration.ofMinutes(1));
  }

  private List<Grant> both(Policy one, Policy other) {
    return bench.ask(request(one, "key", 1), request(other, "key", 1)).getNow(List.of()).stream()
        .map(Optional::orElseThrow)
        .toList();
  }

  @Test
  void whatIsMissingIsAskedForInOneSettle() {
    List<Grant> grants = both(wide, narrow);
    assertEquals(List.of(1L, 1L), grants.stream().map(Grant::permits).toList());
    assertEquals(1, bench.store.batches.size());
  }

  @Test
  void whatIsKnownToBeEmptySparesTheOthers() {
    both(wide, narrow);
    both(wide, narrow);
    both(wide, narrow);
    long granted = bench.store.granted;
    List<Grant> grants = both(wide, narrow);
    assertEquals(granted, bench.store.granted);
    assertEquals(List.of(0L, 0L), grants.stream().map(Grant::permits).toList());
    assertEquals(0, grants.get(0).retry(), "not taken");
    assertTrue(grants.get(1).retry() > 0, "refused");
  }

  @Test
  void aPolicyThatOnlyWatchesKeepsNobodyFromTaking() {
    Policy shadow = named("shadow", 2).shadow(true).build();
    for (int i = 0; i < 10; i++) {
      assertEquals(1, both(wide, shadow).get(0).permits());
    }
  }

  @Test
  void aLookIsAnsweredByWhatIsKnown() {
    bench.takes(wide, "key", 3);
    int before = bench.store.batches.size();
    Grant seen = bench.take(peek(wide, "key", 1));
    assertEquals(97, seen.left());
    assertEquals(0, seen.permits());
    assertEquals(before, bench.store.batches.size());
  }

  @Test
  void aLookAtAnUnknownBucketAsksAndTakesNothing() {
    assertEquals(100, bench.take(peek(wide, "new", 1)).left());
    assertEquals(0, bench.store.granted);
  }

  private static BucketRequest reduced(Policy elastic, long effectiveLimit, boolean peeks) {
    BucketRequest own = request(elastic, "key", 1);
    return new BucketRequest(
        new RequestTerms(elastic, 1, 100, effectiveLimit, effectiveLimit, 0), own.bucket(), peeks);
  }

  @Test
  void theNominalLookIsAskedForOnlyWhenTheOwnWishIsRefused() {
    Policy elastic = named("elastic", 100).mode(Mode.ELASTIC).build();
    for (int i = 0; i < 50; i++) {
      bench.ask(reduced(elastic, 100, true), reduced(elastic, 50, false));
    }
    int before = bench.store.claims().size();
    for (int i = 0; i < 20; i++) {
      List<Optional<Grant>> answers =
          bench.ask(reduced(elastic, 100, true), reduced(elastic, 50, false)).getNow(List.of());
      assertEquals(50, answers.get(0).orElseThrow().left(), "within the limit as it should be");
      assertEquals(0, answers.get(1).orElseThrow().permits());
    }
    assertTrue(bench.store.claims().size() - before <= 2, "one claim and one peek");
  }

  @Test
  void whatIsKnownOnceTheLeaseIsSpentNeedsNoExchange() {
    Policy few = Bench.sliding(10);
    long stamp = bench.take(request(few, "key", 10)).stamp();
    assertEquals(0, bench.take(request(few, "key", 1)).permits());
    bench.node.giveBack(request(few, "key", 1), stamp, 1);
    int before = bench.told.exchanges;
    List<Optional<Grant>> answers =
        bench.ask(request(few, "key", 1), request(few, "key", 1)).getNow(List.of());
    assertEquals(1, answers.get(0).orElseThrow().permits());
    assertEquals(0, answers.get(1).orElseThrow().permits());
    assertEquals(before, bench.told.exchanges, "under the lock it is tried once more");
  }
}
