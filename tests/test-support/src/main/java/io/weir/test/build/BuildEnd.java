package io.weir.test.build;

import java.io.File;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Date;
import java.util.List;

/**
 * Lists at the end of a build what its tests have skipped, with counts. It is a hook of the JVM's
 * shutdown: modules end in another order each time, and a build that fails doesn't reach its last.
 */
public final class BuildEnd extends Thread {
  private final Path root;
  private final FileTime began;

  /**
   * Makes the hook, for Maven to add.
   *
   * @param root the folder of the outermost {@code pom.xml}
   * @param began when the build began: older reports are of other builds
   */
  public BuildEnd(File root, Date began) {
    this.root = root.toPath();
    this.began = FileTime.from(began.toInstant());
  }

  @Override
  public void run() {
    lines().forEach(System.out::println);
  }

  /** Returns what to print: nothing if the build ran no test. */
  List<String> lines() {
    SkippedTests tests = SkippedTests.in(root, began);
    return tests.count() == 0 ? List.of() : tests.summary();
  }
}
