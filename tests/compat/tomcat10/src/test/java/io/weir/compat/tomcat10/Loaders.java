package io.weir.compat.tomcat10;

import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.List;

/** Checks whether class loaders are collected. */
final class Loaders {
  private static final int MAX_COLLECTIONS = 600; // a minute: threads may be ending

  /**
   * JDK 17 remembers the types of the last record whose equals was linked, in a cache of one place
   * (ObjectMethods.OBJECT_EQ). A copy of this one, for each test anew since a class is linked once,
   * takes the place of whichever record was the last of the application. Newer JDKs refer softly to
   * types of an application; see argLine in pom.xml.
   */
  private record OfTheJdk(String any) {}

  private final ReferenceQueue<ClassLoader> gone = new ReferenceQueue<>();
  private final List<Reference<ClassLoader>> watched = new ArrayList<>();

  void watch(ClassLoader loader) {
    watched.add(new WeakReference<>(loader, gone));
  }

  /** Waits for class loaders to be collected, and returns their number. */
  int collected() throws Exception {
    linkRecord();
    int collected = 0;
    for (int tries = 0; tries < MAX_COLLECTIONS && collected < watched.size(); tries++) {
      System.gc();
      while (gone.remove(100) != null) {
        collected++;
      }
    }
    return collected;
  }

  private static void linkRecord() throws Exception {
    Constructor<?> made = new OfOneTest().copy().getDeclaredConstructor(String.class);
    made.setAccessible(true);
    assertNotEquals(made.newInstance("a"), made.newInstance("b"));
  }

  /** Loads a copy of the record. */
  private static final class OfOneTest extends ClassLoader {
    OfOneTest() {
      super(Loaders.class.getClassLoader());
    }

    Class<?> copy() throws IOException {
      String name = OfTheJdk.class.getName();
      try (InputStream code = getResourceAsStream(name.replace('.', '/') + ".class")) {
        byte[] bytes = code.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      }
    }
  }
}
