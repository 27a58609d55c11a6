package io.weir.internal.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.store.BucketFormatException;
import io.weir.store.ExactBucketId;
import io.weir.store.StepRefillReply;
import io.weir.store.StepRefillRequest;
import org.junit.jupiter.api.Test;

/** Tests against worked examples. Times are in milliseconds. */
class StepRefillBucketTest {
  private static final byte[] NAME = {1};

  private final StepRefillBucket bucket = new StepRefillBucket();

  private static StepRefillRequest.Builder twoPerMinute() {
    return StepRefillRequest.builder(NAME, 2, 60_000);
  }

  private StepRefillReply ask(StepRefillRequest.Builder request, long millis) {
    return bucket.execute(request.build(), millis * 1_000);
  }

  private long take(long tokens, long millis) {
    return ask(twoPerMinute().take(tokens), millis).tokens();
  }

  private long takeStrictly(long tokens, long millis) {
    return ask(twoPerMinute().take(tokens).strict(true), millis).tokens();
  }

  @Test
  void theReplyIsWhatWasThereBefore() {
    assertEquals(2, take(1, 0));
    assertEquals(1, take(1, 1));
    assertEquals(0, take(1, 2));
  }

  @Test
  void aRefusedTakeDrainsTheBucket() {
    assertEquals(2, take(1, 0));
    assertEquals(1, take(2, 1));
    assertEquals(0, take(1, 2));
  }

  @Test
  void refillsComeInWholeSteps() {
    take(2, 10_000);
    assertEquals(0, take(1, 69_999));
    assertEquals(2, take(1, 70_000));
    assertEquals(1, take(1, 129_999));
    assertEquals(2, take(0, 130_000));
  }

  @Test
  void stepsAdvanceAlsoWhenTheBucketIsFull() {
    take(1, 0);
    assertEquals(2, take(2, 185_000)); // the last refill was at 180,000
    assertEquals(0, take(0, 239_999));
    assertEquals(2, take(0, 240_000));
  }

  @Test
  void whatDoesNotFitIsLost() {
    StepRefillRequest.Builder three = StepRefillRequest.builder(NAME, 10, 1_000).refill(3);
    assertEquals(10, ask(three.take(8), 0).tokens());
    assertEquals(5, ask(three.take(0), 1_500).tokens());
    assertEquals(8, ask(three.take(0), 2_000).tokens());
    assertEquals(10, ask(three.take(0), 3_000).tokens());
    assertEquals(10, ask(three.take(0), 300_000).tokens());
  }

  @Test
  void anEarlierTimeRefillsNothing() {
    take(2, 100_000);
    assertEquals(0, ask(twoPerMinute().take(1).at(1_000), 100_000).tokens());
    assertEquals(2, take(1, 160_000));
  }

  /** Fifty of ten, it once gave: each refusal at an earlier time set the last refill back. */
  @Test
  void aStrictTakeAtAnEarlierTimeMintsNothing() {
    StepRefillRequest.Builder strict = StepRefillRequest.builder(NAME, 10, 1_000).strict(true);
    assertEquals(10, ask(strict.take(10).at(100_000), 0).tokens());
    long taken = 0;
    for (int i = 0; i < 4; i++) {
      assertEquals(0, ask(strict.take(10).at(50_000), 0).tokens());
      taken += ask(strict.take(10).at(100_000), 0).tokens();
    }
    assertEquals(0, taken);
    assertEquals(10, ask(strict.take(10).at(101_000), 0).tokens());
  }

  @Test
  void clientsMayNameTheTime() {
    assertEquals(2, ask(twoPerMinute().take(2).at(5_000), 1_000_000).tokens());
    assertEquals(0, ask(twoPerMinute().take(0).at(64_999), 1_000_000).tokens());
    assertEquals(2, ask(twoPerMinute().take(0).at(65_000), 1_000_000).tokens());
    assertEquals(1_060_000_000L, bucket.expiresAt());
  }

  @Test
  void lookingChangesNothing() {
    assertEquals(2, take(0, 0));
    assertFalse(bucket.isChanged());
    take(1, 0);
    assertTrue(bucket.isChanged());
    assertEquals(1, take(0, 59_999));
    assertFalse(bucket.isChanged());
    assertEquals(2, take(1, 60_000));
  }

  @Test
  void aStrictBucketOpensOnlyAfterAPause() {
    assertEquals(2, takeStrictly(1, 0));
    assertEquals(1, takeStrictly(1, 50_000)); // granted, and empty: the steps begin anew
    assertEquals(0, takeStrictly(1, 60_000)); // refused, and they begin anew once more
    assertEquals(0, takeStrictly(1, 119_999));
    assertEquals(0, take(0, 179_998));
    assertEquals(2, take(0, 179_999));
  }

  @Test
  void aSessionBeginsWithTheLastGrant() {
    StepRefillRequest.Builder one = StepRefillRequest.builder(NAME, 1, 1_000).take(1).strict(true);
    assertEquals(new StepRefillReply(1, 7_000), ask(one, 7_000));
    assertEquals(new StepRefillReply(0, 7_000), ask(one, 7_900));
    assertEquals(new StepRefillReply(0, 7_000), ask(one, 8_800));
    assertEquals(new StepRefillReply(1, 9_800), ask(one, 9_800));
  }

  @Test
  void aTakeThatNeverFitsHasItsOwnTime() {
    assertEquals(new StepRefillReply(2, 5), ask(twoPerMinute().take(3), 5));
    assertEquals(new StepRefillReply(0, 5), ask(twoPerMinute().take(3), 6));
  }

  @Test
  void itExpiresWhenItMayBeFull() {
    ask(StepRefillRequest.builder(NAME, 10, 1_000).refill(3).take(1), 5_000);
    assertEquals(9_000_000, bucket.expiresAt());
    ask(StepRefillRequest.builder(NAME, 1L << 52, 1L << 52).refill(1).take(1), 0);
    assertEquals(StepRefillBucket.MAX_LIFE_MILLIS * 1_000, bucket.expiresAt());
  }

  @Test
  void extremesDoNotOverflow() {
    long most = StepRefillRequest.MAX;
    StepRefillRequest.Builder largest = StepRefillRequest.builder(NAME, most, 1);
    assertEquals(most, ask(largest.take(most).at(0), 0).tokens());
    assertEquals(most, ask(largest.take(0).at(most), 0).tokens());
    StepRefillRequest.Builder slow = StepRefillRequest.builder(NAME, most, 1).refill(1);
    assertEquals(most, ask(slow.take(0).at(most), 0).tokens());
  }

  @Test
  void bytesSayItAll() {
    take(1, 1_700_000_000_000L);
    byte[] bytes = bucket.toBytes();
    assertTrue(bytes.length <= 16, () -> bytes.length + " bytes");
    StepRefillBucket read = StepRefillBucket.read(bytes);
    StepRefillRequest look = twoPerMinute().build();
    assertEquals(
        new StepRefillReply(1, 1_700_000_000_000L), read.execute(look, 1_700_000_001_000_000L));
    bytes[0] = 9;
    assertThrows(BucketFormatException.class, () -> StepRefillBucket.read(bytes));
    assertThrows(BucketFormatException.class, () -> StepRefillBucket.read(new byte[0]));
  }

  @Test
  void parametersArePartOfTheName() {
    ExactBucketId bucket = twoPerMinute().build().bucket();
    assertEquals(bucket, twoPerMinute().take(7).at(3).strict(true).build().bucket());
    assertNotEquals(bucket, twoPerMinute().refill(1).build().bucket());
    assertNotEquals(bucket, StepRefillRequest.builder(NAME, 3, 60_000).build().bucket());
    assertNotEquals(bucket, StepRefillRequest.builder(NAME, 2, 60_001).build().bucket());
    assertNotEquals(bucket, StepRefillRequest.builder(new byte[] {2}, 2, 60_000).build().bucket());
  }

  @Test
  void whatIsOutOfRangeIsRefused() {
    assertThrows(
        IllegalArgumentException.class, () -> StepRefillRequest.builder(NAME, 0, 1).build());
    assertThrows(
        IllegalArgumentException.class, () -> StepRefillRequest.builder(NAME, 1, 0).build());
    assertThrows(IllegalArgumentException.class, () -> twoPerMinute().refill(0));
    assertThrows(IllegalArgumentException.class, () -> twoPerMinute().take(-1));
    assertThrows(
        IllegalArgumentException.class, () -> twoPerMinute().at(StepRefillRequest.MAX + 1));
  }
}
