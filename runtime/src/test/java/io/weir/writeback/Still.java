package io.weir.writeback;

import io.weir.Key;
import io.weir.Offer;
import io.weir.Policy;
import io.weir.Ticker;
import io.weir.annotation.Algorithm;
import io.weir.store.Bucket;
import io.weir.store.Wish;
import java.time.Duration;

/**
 * A bucket of a node at which time stands still. All of it is made once: what is made in a scenario
 * is watched step by step.
 */
final class Still {
  static final long NOW = 0;
  static final long LIMIT = 1_000;
  static final Key KEY = Key.of("caller");
  static final Policy POLICY =
      Policy.builder("p")
          .limit(LIMIT)
          .window(Duration.ofMinutes(1))
          .algorithm(Algorithm.FIXED_WINDOW)
          .build();
  static final Offer OFFER = new Offer(POLICY, 1, LIMIT, LIMIT, LIMIT, 0);
  static final Bucket BUCKET = new Bucket(POLICY.shape(), KEY);
  static final Wish WISH = new Wish(OFFER, BUCKET, false);
  static final Pace PACE = new Pace(100_000, 5_000);
  static final long TIMEOUT = 50_000;
  static final Overdraft OVERDRAFT = new Overdraft(new Shares(), 1);
  static final NodeClock CLOCK =
      new NodeClock(
          new Ticker() {
            @Override
            public long nanoTime() {
              return 0;
            }

            @Override
            public long epochMicros() {
              return 0;
            }
          });

  private Still() {}

  /** A node of a bucket or two. */
  static Node node() {
    Busy busy = new Busy(10);
    return new Node(CLOCK, PACE, TIMEOUT, OVERDRAFT, busy, new Leftovers(10), new Shortcuts(1));
  }

  /** An entry of it. */
  static Entry entry(Wish wish, Node node) {
    Entry opened = new Place(wish.bucket()).open(wish, node);
    if (opened == null) {
      throw new IllegalStateException("evicted before it was opened");
    }
    return opened;
  }
}
