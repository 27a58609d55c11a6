package io.weir.compat.tomcat10;

import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/** Checks whether class loaders are collected. */
final class Loaders {
  private static final int MAX_COLLECTIONS = 50;

  /**
   * JDK 17 remembers the types of the last record whose equals was linked, in a cache of one place
   * (ObjectMethods.OBJECT_EQ). This one takes the place of whichever record was the last of the
   * application. Newer JDKs refer softly to types of an application; see argLine in pom.xml.
   */
  private record OfTheJdk(String any) {}

  private final ReferenceQueue<ClassLoader> gone = new ReferenceQueue<>();
  private final List<Reference<ClassLoader>> watched = new ArrayList<>();

  void watch(ClassLoader loader) {
    watched.add(new WeakReference<>(loader, gone));
  }

  /** Waits for class loaders to be collected, and returns their number. */
  int collected() throws InterruptedException {
    assertNotEquals(new OfTheJdk("a"), new OfTheJdk("b"));
    int collected = 0;
    for (int tries = 0; tries < MAX_COLLECTIONS && collected < watched.size(); tries++) {
      System.gc();
      while (gone.remove(100) != null) {
        collected++;
      }
    }
    return collected;
  }
}
