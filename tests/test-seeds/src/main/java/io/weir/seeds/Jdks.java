package io.weir.seeds;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds a JDK for tests that need another one than the build's, which is a program like others
 * ({@link RequiredPrograms}).
 */
public final class Jdks {
  private static final List<String> PLACES =
      List.of(
          "/usr/lib/jvm", "/usr/local/lib/jvm", "/opt/java", "/Library/Java/JavaVirtualMachines");

  private Jdks() {}

  /**
   * Finds one whose release is between two, both included: what the environment variables name, the
   * one that this runs on, or the newest that is installed where systems keep them.
   */
  public static Optional<Path> find(int first, int last, String... variables) {
    Stream<Path> given =
        Stream.of(variables).map(System::getenv).flatMap(Stream::ofNullable).map(Path::of);
    Stream<Path> own = Stream.of(Path.of(System.getProperty("java.home")));
    Stream<Path> installed = PLACES.stream().map(Path::of).flatMap(Jdks::in).sorted(newestFirst());
    return (RequiredPrograms.areAllowed() ? Stream.of(given, own, installed) : Stream.of(own))
        .flatMap(each -> each)
        .filter(each -> feature(each) >= first && feature(each) <= last)
        .findFirst();
  }

  private static Comparator<Path> newestFirst() {
    return Comparator.comparingInt(Jdks::feature).reversed();
  }

  private static Stream<Path> in(Path place) {
    if (!Files.isDirectory(place)) {
      return Stream.empty();
    }
    try (Stream<Path> homes = Files.list(place)) {
      return homes
          .flatMap(each -> Stream.of(each, each.resolve("Contents/Home")))
          .toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the version in its file {@code release}; 0 if it isn't a JDK. */
  private static int feature(Path home) {
    Path release = home.resolve("release");
    if (!Files.isRegularFile(release) || !Files.isExecutable(home.resolve("bin/java"))) {
      return 0;
    }
    try (Stream<String> lines = Files.lines(release)) {
      return lines
          .filter(each -> each.startsWith("JAVA_VERSION="))
          .map(each -> each.replaceAll("^[^0-9]*([0-9]+).*", "$1"))
          .mapToInt(Integer::parseInt)
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
