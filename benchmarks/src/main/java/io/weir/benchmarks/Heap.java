package io.weir.benchmarks;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.management.JMException;
import javax.management.ObjectName;

/** Reads the objects in the heap of this JVM. */
public final class Heap {
  private static final int COLLECTIONS = 3;
  private static final int MAX_LOOKS = 100;
  private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(500);
  private static final int SAME = 2_000;

  /**
   * The objects of one class. Immutable.
   *
   * @param name as the JVM writes it
   * @param count how many live
   * @param bytes what they take together, without what they refer to
   */
  public record Kind(String name, long count, long bytes) {}

  private Heap() {}

  /** Bytes in use after full collections. */
  public static long used() {
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /**
   * Returns the same, once it has come to rest: when half a second makes it no smaller any more.
   */
  public static long usedAtRest() {
    long before = used();
    for (int i = 0; i < MAX_LOOKS; i++) {
      LockSupport.parkNanos(PAUSE);
      long now = used();
      if (before - now < before / SAME) {
        return now;
      }
      before = now;
    }
    throw new IllegalStateException("the heap doesn't come to rest at " + before);
  }

  /** Returns the live objects by class, the largest total first. */
  public static List<Kind> kinds() {
    return histogram();
  }

  /** Returns the same with all that has died since the last collection. */
  public static List<Kind> kindsWithTheDead() {
    return histogram("-all");
  }

  private static List<Kind> histogram(String... options) {
    try {
      ObjectName diagnostics = new ObjectName("com.sun.management:type=DiagnosticCommand");
      String text =
          (String)
              ManagementFactory.getPlatformMBeanServer()
                  .invoke(
                      diagnostics,
                      "gcClassHistogram",
                      new Object[] {options},
                      new String[] {String[].class.getName()});
      return parsed(text);
    } catch (JMException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  // Such as "   1:      12345     678900  [B (java.base@17.0.15)".
  private static List<Kind> parsed(String histogram) {
    List<Kind> kinds = new ArrayList<>();
    for (String line : histogram.lines().toList()) {
      String[] words = line.strip().split("\\s+");
      if (words.length >= 4 && words[0].matches("\\d+:")) {
        kinds.add(new Kind(words[3], Long.parseLong(words[1]), Long.parseLong(words[2])));
      }
    }
    return kinds;
  }
}
