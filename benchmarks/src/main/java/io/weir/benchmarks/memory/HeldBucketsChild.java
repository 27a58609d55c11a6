package io.weir.benchmarks.memory;

import io.weir.benchmarks.Heap;
import java.time.Duration;

/** A JVM whose node holds many buckets, and reports the memory of each. */
public final class HeldBucketsChild {
  private static final int FEW = 10_000;
  private static final int ADDRESSES = 10;
  private static final int OTHERS = 9;

  private HeldBucketsChild() {}

  /**
   * Measures, prints and ends.
   *
   * @param args the store's address, how many buckets, the flush interval in milliseconds, and
   *     {@code rest} or {@code now}: when to look
   */
  public static void main(String[] args) {
    int buckets = Integer.parseInt(args[1]);
    Duration flush = Duration.ofMillis(Long.parseLong(args[2]));
    boolean rest = args[3].equals("rest");
    // Room for twice as many would double the cache's counts of uses, which no bucket needs.
    try (Node node = Node.of(args[0], buckets + FEW, flush)) {
      requireAll(node.touch(OTHERS, 0, FEW), FEW);
      long before = Heap.usedAtRest();
      requireAll(node.touch(ADDRESSES, 0, buckets), buckets);
      long after = rest ? Heap.usedAtRest() : Heap.used();
      System.out.println((after - before - characters(buckets)) / (double) buckets);
      Heap.kinds().stream()
          .limit(20)
          .forEach(
              kind -> System.out.println(kind.name() + " " + kind.count() + " " + kind.bytes()));
      System.out.println();
    }
    System.exit(0);
  }

  private static long characters(int buckets) {
    long sum = 0;
    for (int i = 0; i < buckets; i++) {
      sum += Node.address(ADDRESSES, i).length();
    }
    return sum;
  }

  private static void requireAll(long admitted, long asked) {
    if (admitted != asked) {
      throw new IllegalStateException(admitted + " of " + asked + " were admitted");
    }
  }
}
